"""Lines of public reports, with the cause that their threads found.

Addresses and names are ours: the reports have others, or hide them.
"""

from __future__ import annotations

import pytest

from fdaa.explain import explain

# A line, the causes that say what its thread found, and the thread.
REPORTS = [
    (
        "Postgrex.Protocol failed to connect: ** (DBConnection.ConnectionError) "
        "tcp connect (pgbouncer.db.internal:5432): non-existing domain - :nxdomain",
        "asks-ipv4-only",
        "https://github.com/managoat/fountain/issues/2477",
    ),
    (
        "[Redis client] getaddrinfo ENOTFOUND redis.internal",
        "asks-ipv4-only",
        "https://github.com/n8n-io/n8n/issues/13117",
    ),
    (
        'nginx: [emerg] invalid port in resolver "fdaa::3" in /etc/nginx/conf.d/default.conf:77',
        "no-brackets",
        "https://github.com/jointakahe/takahe/pull/516",
    ),
    (
        "dial tcp: address fdaa:2:45b:a7b:174:db43:d3c6:2:8080: too many colons in address",
        "no-brackets",
        "https://github.com/grafana/k6/issues/203",
    ),
    (
        "SSL: WRONG_VERSION_NUMBER",
        "one-end-without-tls",
        "https://github.com/manavgup/wikimind/pull/612",
    ),
    (
        "Can't reach database server at `[fdaa:2:45b:a7b:174:db43:d3c6:2]`:`5433`",
        "superfluous-brackets",
        "https://github.com/prisma/orm/issues/18079",
    ),
    (
        "PHP Warning:  RedisCluster::set(): php_network_getaddresses: "
        "getaddrinfo failed: Name or service not known in /root/redis.php on line 4",
        "no-brackets",
        "https://github.com/phpredis/phpredis/issues/750",
    ),
    (
        "Exception thrown: 'System.Net.Sockets.SocketException' in "
        "Pipelines.Sockets.Unofficial.dll The requested name is valid, but no "
        "data of the requested type was found.",
        "asks-ipv4-only",
        "https://github.com/StackExchange/StackExchange.Redis/issues/2240",
    ),
    (
        "Caused by: java.net.SocketException: Protocol family unavailable",
        "ipv6-off no-ipv6-here outside",
        "https://github.com/Qortal/qortal/issues/25",
    ),
    (
        "[error] 3475351#0: connect() to [fdaa:2:45b:a7b:174:db43:d3c6:2]:80 "
        "failed (101: Network is unreachable), context: ngx.timer",
        "ipv6-off no-ipv6-here outside",
        "https://github.com/openresty/lua-nginx-module/issues/832",
    ),
    (
        "Caused by: java.io.UncheckedIOException: java.net.SocketException: Network is unreachable",
        "asks-ipv4-only",
        "https://github.com/apache/pinot/issues/13772",
    ),
    (
        "unable to connect to epmd (port 4369) on hostname2: nxdomain (non-existing domain)",
        "ipv4-distribution",
        "https://github.com/rabbitmq/rabbitmq-server/issues/1421",
    ),
    (
        "Error: {no_ping,'ejabberd@node1.internal'}",
        "ipv4-distribution",
        "https://github.com/processone/ejabberd/issues/3327",
    ),
    (
        "** Connection attempt from node erlang_ls_XXX rejected. Invalid challenge reply. **",
        "cookie",
        "https://github.com/erlang-ls/erlang_ls/issues/1070",
    ),
    (
        "An error occurred (InvalidIdentityToken) when calling the "
        "AssumeRoleWithWebIdentity operation: Incorrect token audience",
        "audience",
        "https://github.com/awslabs/amazon-eks-irsa-cfn/pull/18",
    ),
    (
        "http-tx-mgr.c(639): libcurl failed to GET https://app.internal/ :  "
        "Couldn't resolve host name.",
        "asks-ipv4-only",
        "https://github.com/haiwen/seafile/issues/1268",
    ),
    (
        "[error] 1046#1046: *2094 upstream timed out (110: Connection timed out) "
        "while reading response header from upstream, client: "
        'fdaa:2:45b:a7b:174:db43:d3c6:2, server: localhost, request: "GET '
        '/update HTTP/1.1", upstream: "fastcgi://127.0.0.1:9000", host: "app.internal"',
        "slow-app",
        "https://github.com/fossar/selfoss/issues/1427",
    ),
    (
        'FATAL:  no pg_hba.conf entry for host "fdaa:2:45b:a7b:174:db43:d3c6:2", '
        'user "teslamate", database "postgres", no encryption',
        "access-rules",
        "https://github.com/expaso/hassos-addon-timescaledb/issues/58",
    ),
    (
        "panic: pq: SSL is not enabled on the server",
        "one-end-without-tls",
        "https://github.com/pojntfx/weron/issues/2",
    ),
    (
        "OSError: [Errno 99] Cannot assign requested address",
        "ipv6-off no-ipv6-here outside",
        "https://github.com/docker-library/python/issues/261",
    ),
    (
        "Can't reach database server at db.internal:5432",
        "epmd not-listening",
        "https://github.com/keploy/samples-java/pull/152",
    ),
    (
        "ConnectionRefusedError: [Errno 111] Connection refused",
        "proxy-without-app listens-elsewhere",
        "https://github.com/cloudtemple/zabbix_templates/issues/3",
    ),
    (
        "Timed out fetching a new connection from the connection pool. More "
        "info: http://pris.ly/d/connection-pool (Current connection pool "
        "timeout: 10, connection limit: 20)",
        "pool-too-small",
        "https://github.com/beethovenxfi/beethovenx-backend/issues/294",
    ),
    (
        "Error: ServiceError(IoError(Os { code: 97, kind: Other, message: "
        '"Address family not supported by protocol" }))',
        "ipv6-off no-ipv6-here outside",
        "https://github.com/gematik/ref-eRp-FD-Server/issues/18",
    ),
    (
        "TypeError: fetch failed\n  cause: Error: connect ECONNREFUSED "
        "fdaa:2:45b:a7b:174:db43:d3c6:2:5000",
        "listens-elsewhere",
        "https://github.com/nodejs/node/issues/43908",
    ),
    (
        "(psycopg2.DatabaseError) server closed the connection unexpectedly",
        "idle-closed reset-by-program",
        "https://github.com/getredash/redash/issues/1868",
    ),
    (
        "Failed to proxy http://app.internal:5050/api/metrics/vitals [Error: "
        "socket hang up] { code: 'ECONNRESET' }",
        "idle-closed reset-by-program",
        "https://github.com/ConcordDev/concord-cognitive-engine/pull/374",
    ),
    (
        "FATAL: sorry, too many clients already",
        "connection-limit",
        "https://github.com/openego/eGon-data/issues/799",
    ),
    (
        "PG::QueryCanceled: ERROR: canceling statement due to statement timeout",
        "lock-held slow-query",
        "https://github.com/ankane/strong_migrations/issues/143",
    ),
    (
        "WRONGPASS invalid username-password pair",
        "credentials",
        "https://github.com/redis/node-redis/issues/1591",
    ),
    (
        "Connect() failed for backend <OCSP-UPDATE>: no free ports.",
        "ipv6-off no-ipv6-here outside",
        "https://github.com/haproxy/haproxy/issues/2472",
    ),
    (
        "`Err` value: Error { kind: Hyper(Error { kind: Connect, cause: Custom { "
        'kind: Other, error: StringError("failed to lookup address information: '
        'Name or service not known") } }), url: '
        'Some("http://[fdaa:2:45b:a7b:174:db43:d3c6:2]:2002/") }',
        "superfluous-brackets",
        "https://github.com/seanmonstar/reqwest/issues/446",
    ),
    (
        "Unknown MySQL server host '[fdaa:2:45b:a7b:174:db43:d3c6:2]' (0) (Mysql2::Error)",
        "superfluous-brackets",
        "https://github.com/brianmario/mysql2/issues/518",
    ),
    (
        "MongoError: getaddrinfo ENOTFOUND db.internal",
        "asks-ipv4-only",
        "https://github.com/Automattic/mongoose/issues/5760",
    ),
    (
        "getaddrinfo: Name or service not known",
        "no-such-name",
        "https://github.com/mastodon/mastodon/issues/2857",
    ),
    (
        "curl: (7) Failed to connect to app.internal on port 8080: Host is unreachable",
        "firewall-drops firewall-rejects",
        "https://github.com/moby/moby/issues/27817",
    ),
    (
        "javax.net.ssl.SSLHandshakeException: "
        "sun.security.validator.ValidatorException: PKIX path building failed: "
        "sun.security.provider.certpath.SunCertPathBuilderException: unable to "
        "find valid certification path to requested target",
        "certificate",
        "https://github.com/reportportal/reportportal/issues/1586",
    ),
    (
        "s.a.a.s.s.m.ExpiredTokenException: Token expired: current date/time "
        "1731098245 must be before the expiration date/time 1731095240 (Service: "
        "Sts, Status Code: 400, Request ID: 22679931-6a1d-4db3-abd0-a189de181809)",
        "expired",
        "https://github.com/aws/aws-sdk-java-v2/issues/5709",
    ),
    (
        "reqwest::Error { kind: Request, source: "
        'hyper_util::client::legacy::Error(Connect, ConnectError("tcp connect '
        'error", 5.75.248.200:8448, Os { code: 101, kind: NetworkUnreachable, '
        'message: "Network is unreachable" })) }',
        "asks-ipv4-only",
        "https://github.com/matrix-construct/tuwunel/issues/184",
    ),
    (
        "listen tcp 0.0.0.0:3000: bind: address already in use",
        "port-in-use",
        "https://github.com/muety/wakapi/issues/860",
    ),
    (
        "connect() failed (113: Host is unreachable) while connecting to upstream",
        "refused-by-host stale-address stale-name",
        "https://github.com/fabgcruz/bagre/pull/113",
    ),
    (
        "instance refused connection. is your app listening on 0.0.0.0:8080? "
        "make sure it is not only listening on 127.0.0.1 (hint: look at your "
        "startup logs, servers often print the address they are listening on)",
        "proxy-without-app not-listening",
        "https://github.com/Shopify/shopify-app-template-php/issues/475",
    ),
    (
        "read udp [fdaa:2:45b:a7b:174:db43:d3c6:2]:46187->[fdaa::3]:53: i/o timeout",
        "resolver-silent",
        "https://github.com/miekg/dns/issues/1358",
    ),
    (
        "Error 1205: Lock wait timeout exceeded; try restarting transaction",
        "lock-held slow-query",
        "https://github.com/beego/beego/issues/4238",
    ),
    (
        'pq: password authentication failed for user "coder"',
        "credentials",
        "https://github.com/coder/coder/issues/15954",
    ),
    (
        'bad URI(is not URI?): "redis://fdaa:2:45b:a7b:174:db43:d3c6:2:6379/12"',
        "no-brackets",
        "https://github.com/redis-rb/redis-client/pull/194",
    ),
    (
        'could not translate host name "postgres-container-name" to address: '
        "Name or service not known",
        "name-of-other-network other-network source-on-other-network",
        "https://github.com/coollabsio/coolify/issues/1837",
    ),
    (
        '"A IN db.internal. udp 84 false 512" NXDOMAIN qr,aa,rd 177 0.000248503s',
        "no-started-machine",
        "https://github.com/coredns/coredns/issues/6210",
    ),
    (
        "curl: (56) Recv failure: Connection reset by peer",
        "proxy-without-app listens-elsewhere",
        "https://github.com/thelounge/thelounge-docker/issues/194",
    ),
    (
        "RedisException: Connection timed out",
        "firewall-drops firewall-rejects",
        "https://github.com/phpredis/phpredis/issues/2085",
    ),
    (
        "MongoError: failed to connect to server [db.internal:27017] on first "
        "connect [MongoError: getaddrinfo ENOTFOUND db.internal db.internal:27017]",
        "asks-ipv4-only",
        "https://github.com/RocketChat/Rocket.Chat/issues/8823",
    ),
    (
        "DNS: Zone XFR failed: ns3.db.internal: Zone xfr error: Failed to obtain "
        "TCP connection to fdaa:2:45b:a7b:174:db43:d3c6:2:53: dial tcp: address "
        "fdaa:2:45b:a7b:174:db43:d3c6:2:53: too many colons in address",
        "no-brackets",
        "https://github.com/owasp-amass/amass/issues/524",
    ),
    (
        '#<URI::InvalidURIError: bad URI(is not URI?): "https://fdaa:2:45b::1:443/api">',
        "no-brackets",
        "https://github.com/ManageIQ/kubeclient/issues/578",
    ),
    (
        "Unable to connect to 'target@node1', check nodename, cookie and network.",
        "cookie",
        "https://github.com/mazenharake/entop/issues/4",
    ),
    (
        "FetchError: request to https://app.internal/ failed, reason: socket hang up",
        "idle-closed reset-by-program",
        "https://github.com/solana-labs/solana/issues/27859",
    ),
    (
        "[ioredis] Unhandled error event: ReplyError: NOAUTH Authentication required.",
        "credentials",
        "https://github.com/redis/ioredis/issues/553",
    ),
    (
        "sun.security.provider.certpath.SunCertPathBuilderException: unable to "
        "find valid certification path to requested target",
        "certificate",
        "https://github.com/cloudfoundry-incubator/cflocal/issues/40",
    ),
    (
        "Error: listen EADDRNOTAVAIL: address not available 192.168.0.100:8081",
        "not-own-address",
        "https://github.com/joeferner/redis-commander/issues/428",
    ),
    (
        "{:error, %Mint.TransportError{reason: :nxdomain}}",
        "asks-ipv4-only",
        "https://github.com/elixir-mint/mint/issues/269",
    ),
    (
        "* Could not resolve host: db.internal\n* Closing connection\ncurl: (6) "
        "Could not resolve host: db.internal",
        "asks-ipv4-only",
        "https://github.com/curl/curl/issues/13112",
    ),
    (
        "Error writing CA certificate: Get https://api.app.internal/ca-cert: "
        "dial tcp: lookup api.app.internal on [fdaa::3]:53: no such host",
        "no-such-name",
        "https://github.com/flynn/flynn/issues/3136",
    ),
    (
        "ERROR:__main__:(psycopg2.OperationalError) could not translate host "
        'name "db" to address: Temporary failure in name resolution',
        "no-started-machine",
        "https://github.com/whythawk/full-stack-fastapi-postgresql/issues/36",
    ),
    (
        "MongoServerSelectionError: getaddrinfo ENOTFOUND app-mongo\n    at "
        "Timeout._onTimeout (/data/app/node_modules/mongodb/lib/sdam/topology.js:305:38)",
        "no-such-name",
        "https://github.com/CloudWise-OpenSource/FlyFish/issues/119",
    ),
    (
        "Error: Can't reach database server at `ams.db.internal`:`5432`",
        "no-such-name",
        "https://github.com/remix-run/blues-stack/issues/182",
    ),
    (
        ";; connection timed out; no servers could be reached",
        "resolver-silent",
        "https://github.com/lanx-x/VRouter/issues/24",
    ),
    (
        "malformed url: tcp://fdaa:2:45b:a7b:174:db43:d3c6:2:8001",
        "no-brackets",
        "https://github.com/envoyproxy/envoy/issues/10489",
    ),
    (
        "dial tcp [fdaa:2:45b:a7b:174:db43:d3c6:2:9092]:9092: connect: no route to host",
        "no-brackets",
        "https://github.com/segmentio/kafka-go/issues/698",
    ),
    (
        "[FTL] Error listening on router port: 4222 - listen tcp: too many "
        "colons in address :::6222",
        "no-brackets",
        "https://github.com/nats-io/nats-server/issues/323",
    ),
    (
        "ValueError: invalid literal for int() with base 10: '2:45b:a7b:174:db43:d3c6:2:8008'",
        "no-brackets",
        "https://github.com/canonical/postgresql-operator/issues/1928",
    ),
    (
        "sqlalchemy.exc.OperationalError: (psycopg.OperationalError) connection "
        'failed: connection to server at "fdaa:2:45b:a7b:174:db43:d3c6:2", port '
        "5432 failed: Connection refused\n        Is the server running on that "
        "host and accepting TCP/IP connections?",
        "epmd not-listening",
        "https://github.com/endurain-project/endurain/pull/93",
    ),
    (
        "ERROR: Unable to start HTTP server\nERROR: java.net.SocketException: "
        "Protocol family unavailable\nERROR: Protocol family unavailable",
        "asks-ipv4-only",
        "https://github.com/keycloak/keycloak/issues/10482",
    ),
    (
        "WARN  [io.agroal.pool] (agroal-11) Datasource '<default>': The "
        "connection attempt failed.\nHHH000342: Could not obtain connection to "
        "query metadata: org.postgresql.util.PSQLException: The connection attempt failed.",
        "asks-ipv4-only",
        "https://github.com/keycloak/keycloak/issues/13599",
    ),
    (
        "nginx: [emerg] socket() [::]:80 failed (97: Address family not supported by protocol)",
        "ipv6-off no-ipv6-here outside",
        "https://github.com/digitalocean/nginxconfig.io/issues/151",
    ),
    (
        "HTTPSConnectionPool(host='app.internal', port=443): Max retries "
        "exceeded with url: /v2.5/me/feed (Caused by "
        "NewConnectionError('<requests.packages.urllib3.connection.VerifiedHTTPS"
        "Connection object at 0x7f4dbd158518>: Failed to establish a new "
        "connection: [Errno 97] Address family not supported by protocol',))",
        "ipv6-off no-ipv6-here outside",
        "https://github.com/psf/requests/issues/3084",
    ),
    (
        "upstream connect error or disconnect/reset before headers",
        "ipv6-off no-ipv6-here outside",
        "https://github.com/envoyproxy/envoy/issues/2478",
    ),
    (
        "error: error communicating with the server: Cannot assign requested address (os error 99)",
        "name-of-other-network other-network source-on-other-network",
        "https://github.com/whamcloud/integrated-manager-for-lustre/issues/2176",
    ),
    (
        "Error from server: error dialing backend: dial tcp "
        "[fdaa:2:45b:a7b:174:db43:d3c6:2]:10250: connect: connection refused",
        "refused-by-host stale-address stale-name",
        "https://github.com/kubernetes/kubernetes/issues/79268",
    ),
    (
        "Error starting userland proxy: listen tcp 0.0.0.0:53: bind: address already in use",
        "port-in-use",
        "https://github.com/sameersbn/docker-bind/issues/65",
    ),
    (
        "[MySQL] 2014/07/13 16:00:09 packets.go:32: read tcp "
        "[fdaa:2:45b:a7b:174:db43:d3c6:2]:3306: connection timed out",
        "idle-closed reset-by-program",
        "https://github.com/go-sql-driver/mysql/issues/257",
    ),
    (
        "packets.go:122: closing bad idle connection: EOF",
        "idle-closed reset-by-program",
        "https://github.com/go-sql-driver/mysql/issues/1140",
    ),
    (
        "ConnectionError: Error while writing to socket (host 0): [Errno 32] Broken pipe",
        "idle-closed reset-by-program",
        "https://github.com/getsentry/sentry/issues/5056",
    ),
    (
        "cURL error 28: Operation timed out after 15000 milliseconds with 0 bytes received",
        "slow-app",
        "https://github.com/serversideup/docker-php/issues/331",
    ),
    (
        "2020-12-08 21:08:18 - Net::ReadTimeout - "
        "Net::ReadTimeout:\n\t/usr/lib/ruby/2.3.0/net/protocol.rb:158:in `rbuf_fill'",
        "slow-app",
        "https://github.com/ytti/oxidized/issues/2232",
    ),
    (
        "[notice] Protocol 'inet_tcp': register/listen error: "
        "econnrefused\n\n{:error,\n {{:shutdown, {:failed_to_start_child, "
        ":net_kernel, {:EXIT, :nodistribution}}},",
        "epmd not-listening",
        "https://github.com/erlang/otp/issues/6399",
    ),
    (
        "unknown tls handshake failure: [fdaa:2:45b:a7b:174:db43:d3c6:2]:60795: "
        'tls.RecordHeaderError{Msg:"first record does not look like a TLS '
        'handshake", RecordHeader:[5]uint8{0x0, 0x0, 0x0, 0x8, 0x4}, '
        "Conn:(*tlsrouter.wrappedConn)(0xc000553180)}",
        "one-end-without-tls",
        "https://github.com/pgadmin-org/pgadmin4/issues/9629",
    ),
    (
        'connection to server at "127.0.0.1", port 6000 failed: server does not '
        "support SSL, but SSL was required",
        "one-end-without-tls",
        "https://github.com/heroku/heroku-buildpack-pgbouncer/issues/186",
    ),
    (
        'Get "https://app.internal:5000/v2/app/app/manifests/latest": http: '
        "server gave HTTP response to HTTPS client",
        "one-end-without-tls",
        "https://github.com/regclient/regclient/issues/268",
    ),
    (
        'psql: FATAL:  no pg_hba.conf entry for host "fdaa:2:45b:a7b:174:db43:d3c6:2"',
        "access-rules",
        "https://github.com/epgsql/epgsql/pull/47",
    ),
    (
        "Error pinging mysqld: Error 1130: Host 'fdaa:2:45b:a7b:174:db43:d3c6:2' "
        "is not allowed to connect to this MySQL server",
        "access-rules",
        "https://github.com/prometheus/mysqld_exporter/issues/201",
    ),
    (
        "Access denied for user 'root'@'fdaa:2:45b:a7b:174:db43:d3c6:2' (using password: YES)",
        "credentials",
        "https://github.com/docker-library/mysql/issues/217",
    ),
    (
        '{:tls_alert, {:bad_certificate, ~c"TLS client: In state wait_cert_cr at '
        "ssl_handshake.erl:2181 generated CLIENT ALERT: Fatal - Bad "
        'Certificate\\n selfsigned_peer"}}',
        "certificate",
        "https://github.com/elixir-ecto/postgrex/issues/752",
    ),
    (
        "Get https://api.app.internal/repos/app/x/pulls/x: x509: certificate "
        "signed by unknown authority",
        "certificate",
        "https://github.com/google/go-github/issues/1049",
    ),
    (
        "Error: remaining connection slots are reserved for non-replication superuser connections",
        "connection-limit",
        "https://github.com/porsager/postgres/issues/241",
    ),
    (
        "SqlError: (conn=-1, no: 1040, SQLState: HY000) Too many connections",
        "connection-limit",
        "https://github.com/mariadb-corporation/mariadb-connector-nodejs/issues/93",
    ),
    (
        "ActiveRecord::ConnectionTimeoutError: could not obtain a connection "
        "from the pool within 5.000 seconds (waited 5.000 seconds); all pooled "
        "connections were in use",
        "pool-too-small",
        "https://github.com/postalserver/postal/issues/514",
    ),
    (
        "redis: connection pool timeout",
        "pool-too-small",
        "https://github.com/redis/go-redis/issues/1002",
    ),
    (
        'lookup failed: [invalid bearer token, token audiences ["vault"] is '
        'invalid for the target audiences ["api"]]',
        "audience",
        "https://github.com/hashicorp/vault-plugin-auth-kubernetes/issues/73",
    ),
    (
        "* at least one of the JWT claim 'aud' must end in \"vault/my-role\"",
        "audience",
        "https://github.com/hashicorp/terraform-provider-vault/issues/2055",
    ),
]

# What no line shows, with one end that is known at most.
FORBIDDEN = (
    "not the cause: everything",
    "check that the networks are the same",
    "same network",
    "different networks:",
)
MISSED = 4  # of them; the cause is another one than the line shows


def test_the_cause_of_a_report_is_among_the_three_that_are_shown() -> None:
    missed = []
    for line, causes, thread in REPORTS:
        shown = {cause.cause.value for cause in explain(line).shown_causes}
        if shown.isdisjoint(causes.split()):
            missed.append((thread, shown))
    assert len(REPORTS) >= 40
    assert len(missed) <= MISSED, missed


@pytest.mark.parametrize(("line", "thread"), [(row[0], row[2]) for row in REPORTS])
def test_an_answer_about_a_report_states_nothing_that_is_not_known(line: str, thread: str) -> None:
    answer = explain(line)
    text = str(answer)
    for words in FORBIDDEN:
        assert words not in text, thread
    assert "{" not in text.replace(line, "") or "{" in line
    assert answer.is_known
    assert 1 <= len(answer.shown_causes) <= 3
