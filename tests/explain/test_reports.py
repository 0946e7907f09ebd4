"""Lines of public reports, with the cause that their threads found.

Addresses and names are ours: the reports have others, or hide them.
"""

from __future__ import annotations

import time

import pytest

from fdaa.explain import explain
from fdaa.lines._words import find_words

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
    (
        "Unhandled Java exception: java.net.SocketException: Protocol family unavailable",
        "asks-ipv4-only",
        "https://github.com/jruby/jruby/issues/4869",
    ),
    (
        "[ioredis] Unhandled error event: Error: getaddrinfo ENOTFOUND redis-backend.internal",
        "asks-ipv4-only",
        "https://github.com/dbgate/dbgate/issues/1094",
    ),
    (
        "[typesense]: Transport error: non-existing domain",
        "asks-ipv4-only",
        "https://github.com/sequinstream/sequin/issues/2146",
    ),
    (
        "StackExchange.Redis.RedisConnectionException: It was not possible to c"
        "onnect to the redis server(s); to create a disconnected multiplexer, d"
        "isable AbortOnConnectFail. SocketFailure on PING",
        "asks-ipv4-only",
        "https://github.com/StackExchange/StackExchange.Redis/issues/807",
    ),
    (
        '[emerg] 1#1: invalid port in resolver "fdaa::3" in /etc/nginx/conf.d/upstreams.conf:2',
        "no-brackets",
        "https://github.com/nginx/nginx-s3-gateway/issues/83",
    ),
    (
        "stream_socket_client(): php_network_getaddresses: getaddrinfo failed: "
        "Name or service not known",
        "no-brackets",
        "https://github.com/predis/predis/issues/239",
    ),
    (
        "Error: Error connecting to PostgreSQL server fdaa:2::1 (scheme: postgr"
        "es): dial tcp [fdaa:2::1:5432]:5432: i/o timeout",
        "no-brackets",
        "https://github.com/cyrilgdn/terraform-provider-postgresql/issues/404",
    ),
    (
        "SQLSTATE[HY000] [2005] Unknown MySQL server host 'fdaa' (2)",
        "no-brackets",
        "https://github.com/magento/magento2/issues/774",
    ),
    (
        "could not make api request to stemcells endpoint: Post https://app.int"
        "ernal/api/v0/stemcells: net/http: request canceled (Client.Timeout exc"
        "eeded while awaiting headers)",
        "short-read-timeout",
        "https://github.com/pivotal-cf/om/issues/120",
    ),
    (
        "Protocol 'inet_tcp': register/listen error: badarg",
        "ipv4-distribution",
        "https://github.com/processone/ejabberd/issues/4189",
    ),
    (
        'Get "https://app.example.com?format=text": dial tcp [fdaa:2:45b:a7b:17'
        "4:db43:d3c6:2]:443: connect: cannot assign requested address",
        "ipv6-off no-ipv6-here no-route-here outside",
        "https://github.com/Hentra/dyndns-netcup-go/issues/16",
    ),
    (
        "builtins.OSError: [Errno 97] Address family not supported by protocol",
        "ipv6-off no-ipv6-here no-route-here outside",
        "https://github.com/NASA-AMMOS/AIT-Core/issues/399",
    ),
    (
        "[error] ** Connection attempt from node 'emqx@fdaa:2:45b:a7b:174:db43:"
        "d3c6:2' rejected. Invalid challenge reply. **",
        "cookie",
        "https://github.com/emqx/emqx/issues/6440",
    ),
    (
        "Token was not issued for this audience",
        "audience",
        "https://github.com/awslabs/aws-support-tools/issues/97",
    ),
    (
        "upstream prematurely closed connection while reading upstream",
        "idle-closed reset-by-program",
        "https://github.com/iv-org/invidious/issues/604",
    ),
    (
        "consuming input failed: server closed the connection unexpectedly\n\tThi"
        "s probably means the server terminated abnormally\n\tbefore or while pro"
        "cessing the request.",
        "idle-closed reset-by-program",
        "https://github.com/MTES-MCT/qualicharge/pull/550",
    ),
    (
        'no pg_hba.conf entry for replication connection from host "fdaa:2:45b:'
        'a7b:174:db43:d3c6:2", user "repl_user", SSL off',
        "access-rules",
        "https://github.com/bitnami/bitnami-docker-postgresql/issues/228",
    ),
    (
        "org.postgresql.util.PSQLException: The server does not support SSL.",
        "one-end-without-tls",
        "https://github.com/flynn/flynn/issues/3231",
    ),
    (
        "** (DBConnection.ConnectionError) connection not available and request"
        " was dropped from queue after 101ms. This means requests are coming in"
        " and your connection pool cannot serve them fast enough.",
        "pool-too-small slow-query",
        "https://github.com/Simon-Initiative/oli-torus/pull/5093",
    ),
    (
        "Error: connect ECONNREFUSED ::1:4242\n    at TCPConnectWrap.afterConnec"
        "t [as oncomplete] (node:net:1161:16)",
        "listens-elsewhere",
        "https://github.com/nodejs/node/issues/43776",
    ),
    (
        "System.Net.Sockets.SocketException (111): Connection refused\n   at Sys"
        "tem.Net.Sockets.Socket.BeginConnectEx(EndPoint remoteEP, Boolean flowC"
        "ontext, AsyncCallback callback, Object state)",
        "listens-elsewhere",
        "https://github.com/npgsql/npgsql/issues/2198",
    ),
    (
        "Error: error fetching client from pool error: sorry, too many clients already",
        "connection-limit",
        "https://github.com/brianc/node-postgres/issues/557",
    ),
    (
        "canceling statement due to lock timeout",
        "lock-held slow-query",
        "https://github.com/lobu-ai/lobu/pull/396",
    ),
    (
        "ReplyError: WRONGPASS invalid username-password pair or user is disabled.",
        "credentials special-character",
        "https://github.com/Deadly0/bull-board-docker/issues/28",
    ),
    (
        'FATAL: password authentication failed for user "postgres"',
        "credentials special-character",
        "https://github.com/alexbelgium/hassio-addons/issues/1614",
    ),
    (
        "failed to lookup address information: Name or service not known",
        "superfluous-brackets",
        "https://github.com/transact-rs/sqlx/issues/1739",
    ),
    (
        'Uncaught RedisException: Failed to parse IPv6 address "[[fdaa:2:45b:a7'
        'b:174:db43:d3c6:2]]:6379"',
        "superfluous-brackets",
        "https://github.com/phpredis/phpredis/issues/2122",
    ),
    (
        "Error failed to fetch an image or build from source: error connecting "
        'to docker: failed building options: failed probing "personal": context'
        " deadline exceeded",
        "firewall-drops firewall-rejects",
        "https://github.com/patte/fly-tailscale-exit/issues/25",
    ),
    (
        "tls: failed to verify certificate: x509: certificate is valid for app."
        "example.com, not node1.app.internal",
        "certificate certificate-name",
        "https://github.com/airnandez/tlsping/issues/2",
    ),
    (
        "botocore.errorfactory.ExpiredTokenException: An error occurred (Expire"
        "dTokenException) when calling the AssumeRoleWithWebIdentity operation:"
        " Token expired: current date/time 1624482533 must be before the expira"
        "tion date/time1624482335",
        "expired",
        "https://github.com/awslabs/aws-orbit-workbench/issues/707",
    ),
    (
        "ERROR: bind: Address already in use",
        "port-in-use",
        "https://github.com/shadowsocks/shadowsocks-libev/pull/231",
    ),
    (
        "ERROR: bind() for virbr2/virbr2 fdaa:2:45b:a7b::1:500 in process_raw_i"
        "faces(). Errno 99: Cannot assign requested address",
        "not-own-address",
        "https://github.com/libreswan/libreswan/pull/42",
    ),
    (
        "Connection refused [fdaa:2:45b:a7b:174:db43:d3c6:2]:27022",
        "listens-elsewhere not-listening",
        "https://github.com/docker-library/mongo/issues/420",
    ),
    (
        "Error: getaddrinfo EAI_AGAIN api.internal:443\n  at Object.exports._err"
        "noException (util.js:1026:11)",
        "resolver-firewall resolver-silent resolver-unreachable",
        "https://github.com/balena-os/balena-supervisor/issues/442",
    ),
    (
        "[error] 28172#28172: *500 connect() failed (111: Connection refused) w"
        "hile connecting to upstream, client: fdaa:2:45b:a7b:174:db43:d3c6:7, s"
        'erver: app.internal, request: "GET / HTTP/1.1", upstream: "https://[fd'
        'aa:2:45b:a7b:174:db43:d3c6:2]:8443/", host: "app.internal"',
        "refused-by-host stale-address stale-name",
        "https://github.com/engintron/engintron/issues/595",
    ),
    (
        "sync.go:68: refreshing connectivity: Get https://api.app.internal/v2/t"
        "roubleshoot: net/http: request canceled (Client.Timeout exceeded while"
        " awaiting headers)",
        "accept-queue-full slow-app",
        "https://github.com/siacentral/sia-host-dashboard/issues/5",
    ),
    (
        "socket.gaierror: [Errno -5] No address associated with hostname",
        "asks-ipv4-only",
        "https://github.com/Parsl/parsl/issues/3570",
    ),
    (
        "sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) could not"
        ' translate host name "xd" to address: Name or service not known',
        "no-such-name",
        "https://github.com/cal97g/livermore/issues/1",
    ),
    (
        "[ALERT] 118/170701 (14) : parsing [/cfg/haproxy.cfg:109] : 'server app"
        "' : could not resolve address 'app.internal'.\n[ALERT] 118/170701 (14) "
        ": Failed to initialize server(s) addr.",
        "no-such-name",
        "https://github.com/vfarcic/docker-flow-proxy/issues/224",
    ),
    (
        "getaddrinfo ENOTFOUND DEMO_SERVER_LOGS_NAME=server.log",
        "missing-part",
        "https://github.com/grafana/faro-web-sdk/issues/145",
    ),
    (
        'Get "https://api.app.internal/tokens/self": dial tcp: lookup api.app.i'
        "nternal on [::1]:53: read udp [::1]:46178->[::1]:53: read: connection "
        "refused",
        "resolver-firewall resolver-silent resolver-unreachable",
        "https://github.com/fastly/cli/issues/1267",
    ),
    (
        "Get https://api.app.internal: dial tcp: i/o timeout",
        "resolver-firewall resolver-silent resolver-unreachable",
        "https://github.com/flynn/flynn/issues/4196",
    ),
    (
        "deactivated endpoint [fdaa:2:45b:a7b:174:db43:d3c6:2:2379] due to dial"
        " tcp: address fdaa:2:45b:a7b:174:db43:d3c6:2:2379: too many colons in "
        "address for 1m0s",
        "no-brackets",
        "https://github.com/etcd-io/etcd/issues/15143",
    ),
    (
        "<class 'ValueError'>\n\nPort could not be cast to integer value as '2:45"
        "b:a7b:174:db43:d3c6:2:6379'",
        "no-brackets",
        "https://github.com/netbox-community/netbox/issues/17567",
    ),
    (
        "socket.gaierror: [Errno -9] Address family for hostname not supported",
        "asks-ipv4-only listens-elsewhere",
        "https://github.com/bottlepy/bottle/issues/541",
    ),
    (
        "Error: connect ECONNREFUSED ::1:6379 at TCPConnectWrap.afterConnect .."
        "..\n   errno: -61,\n   code: 'ECONNREFUSED',\n   syscall: 'connect',\n  ad"
        "dress: '::1'",
        "not-listening",
        "https://github.com/55555-Jyeon/z-com/issues/13",
    ),
    (
        "ECONNREFUSED fdaa:2:45b:a7b:174:db43:d3c6:2:27017",
        "listens-elsewhere",
        "https://github.com/Automattic/mongoose/issues/13483",
    ),
    (
        "WARNING - Connection to fdaa:2:45b:a7b:174:db43:d3c6:2:5672 failed: [E"
        "rrno 111] Connection refused",
        "listens-elsewhere",
        "https://github.com/pika/pika/issues/1037",
    ),
    (
        "Failed create 'dummy' socket:\n   eafnosupport (10047)",
        "asks-ipv4-only",
        "https://github.com/erlang/otp/issues/8848",
    ),
    (
        "System.Net.Sockets.SocketException (97): Address family not supported "
        "by protocol\n   at System.Net.Sockets.Socket..ctor(AddressFamily addres"
        "sFamily, SocketType socketType, ProtocolType protocolType)",
        "ipv6-off no-ipv6-here no-route-here outside",
        "https://github.com/TechnitiumSoftware/DnsServer/issues/102",
    ),
    (
        "immediate connection error: 65",
        "ipv6-off no-ipv6-here no-route-here outside",
        "https://github.com/envoyproxy/go-control-plane/issues/342",
    ),
    (
        "[ERROR/MainProcess] consumer: Cannot connect to redis://localhost:6379"
        "/0: Error 99 connecting to localhost:6379. Cannot assign requested add"
        "ress..",
        "loopback-for-host",
        "https://github.com/TransformerOptimus/SuperAGI/issues/484",
    ),
    (
        "run: loading initial config: loading new config: starting caddy admini"
        "stration endpoint: listen tcp 45.90.28.0:2019: bind: cannot assign req"
        "uested address",
        "not-own-address",
        "https://github.com/caddyserver/caddy/issues/3440",
    ),
    (
        "[ioredis] Unhandled error event: Error: connect ECONNREFUSED 127.0.0.1:6969",
        "listens-elsewhere not-listening",
        "https://github.com/disease-sh/API/issues/276",
    ),
    (
        "connect() to unix:///var/sockets/app.sock failed (11: Resource tempora"
        "rily unavailable) while connecting to upstream",
        "accept-queue-full slow-app",
        "https://github.com/unbit/uwsgi/issues/1647",
    ),
    (
        "read tcp [fdaa:2:45b:a7b:174:db43:d3c6:2]:48464->[fdaa:2:45b:a7b:174:d"
        "b43:d3c6:2]:6379: i/o timeout",
        "accept-queue-full slow-app",
        "https://github.com/redis/go-redis/issues/647",
    ),
    (
        "[mysql] 2022/03/08 00:51:58 packets.go:37: unexpected EOF\nlevel=error "
        'msg="Failed to get auth request: select auth request: invalid connecti'
        'on"',
        "idle-closed reset-by-program",
        "https://github.com/dexidp/dex/issues/2429",
    ),
    (
        "Operation timed out after 5005 milliseconds with 0 bytes received",
        "accept-queue-full slow-app",
        "https://github.com/ThemeFuse/Unyson-Backups-Extension/issues/4",
    ),
    (
        "too many connection resets (due to Net::ReadTimeout - Net::ReadTimeout"
        ") after 211 requests on 14694700, last used 60.06203247 seconds ago",
        "short-read-timeout",
        "https://github.com/code-dot-org/code-dot-org/pull/12592",
    ),
    (
        "ERROR   | Other error occurred: HTTPConnectionPool(host='fdaa:2:45b:a7"
        "b:174:db43:d3c6:2', port=9999): Read timed out. (read timeout=15)",
        "accept-queue-full slow-app",
        "https://github.com/ManiMatter/decluttarr/issues/317",
    ),
    (
        "[error] <0.685.0> ** Connection attempt from disallowed node '176f3765"
        "-ctl-ejabberd@node1'",
        "cookie",
        "https://github.com/processone/ejabberd/issues/1635",
    ),
    (
        "first record does not look like a TLS handshake",
        "one-end-without-tls",
        "https://github.com/emersion/go-imap/issues/368",
    ),
    (
        "** (Postgrex.Error) ssl not available",
        "one-end-without-tls",
        "https://github.com/elixir-ecto/postgrex/issues/387",
    ),
    (
        "*24302986 SSL_do_handshake() failed (SSL: error:0A00010B:SSL routines:"
        ":wrong version number) while SSL handshaking to upstream, client: fdaa"
        ':2:45b:a7b:174:db43:d3c6:2, server: app.internal, request: "GET /decis'
        'ion/version/ HTTP/2.0", upstream: "https://[fdaa:2:45b:a7b:174:db43:d3'
        'c6:2]:8099/", host: "app.internal"',
        "one-end-without-tls",
        "https://github.com/aws/eks-anywhere/issues/5780",
    ),
    (
        'no pg_hba.conf entry for host "fdaa:2:45b:a7b:174:db43:d3c6:2", user "'
        'nate", database "sales", SSL off',
        "one-end-without-tls",
        "https://github.com/textmate/sql.tmbundle/issues/7",
    ),
    (
        "PgSQL_Monitor.cpp:642:handle_async_connect_cont(): [ERROR] Monitor con"
        "nect failed   addr='[fdaa:2:45b:a7b:174:db43:d3c6:2]:5432' error='FATA"
        "L:  connection requires a valid client certificate connection to serve"
        'r at "fdaa:2:45b:a7b:174:db43:d3c6:2", port 5432 failed: FATAL:  pg_hb'
        'a.conf rejects connection for host "fdaa:2:45b:a7b:174:db43:d3c6:2", u'
        'ser "proxysqlmonitor", database "postgres", no encryption\'',
        "access-rules",
        "https://github.com/sysown/proxysql/issues/5205",
    ),
    (
        "Error: DENIED Redis is running in protected mode because protected mod"
        "e is enabled, no bind address was specified, no authentication passwor"
        "d is requested to clients. In this mode connections are only accepted "
        "from the loopback interface.",
        "access-rules",
        "https://github.com/redis/docker-library-redis/issues/58",
    ),
    (
        "[error] Postgrex.Protocol (#PID<0.163.0>) failed to connect: ** (Postg"
        "rex.Error) FATAL 28P01 (invalid_password) password authentication fail"
        'ed for user "postgres"',
        "credentials special-character",
        "https://github.com/firezone/firezone/issues/2541",
    ),
    (
        '[ERROR] [Can\'t get status: Get "https://app.internal/status": x509: ce'
        "rtificate signed by unknown authority]",
        "certificate certificate-name",
        "https://github.com/aerokube/selenoid-ui/pull/504",
    ),
    (
        'connection to server at "fdaa:2:45b:a7b:174:db43:d3c6:2", port 5432 fa'
        "iled: FATAL:  remaining connection slots are reserved for non-replicat"
        "ion superuser connections",
        "connection-limit",
        "https://github.com/mdn/mdn-http-observatory/pull/386",
    ),
    (
        "QueuePool limit of size 1 overflow 1 reached, connection timed out, ti"
        "meout 30 (Background on this error at: http://sqlalche.me/e/3o7r)",
        "pool-too-small slow-query",
        "https://github.com/hydraplatform/hydra-base/issues/102",
    ),
    (
        "audience claim does not match any expected audience",
        "audience",
        "https://github.com/hashicorp/vault-plugin-auth-jwt/issues/206",
    ),
    (
        "software.amazon.awssdk.core.exception.SdkClientException: Failed to se"
        "nd the request: Token expired - needs a refresh. (SDK Attempt Count: 1"
        ")",
        "expired",
        "https://github.com/awslabs/aws-java-nio-spi-for-s3/issues/703",
    ),
    (
        '[emerg] 1#1: host not found in resolver "RESOLVER" in /etc/nginx/nginx.conf:18',
        "missing-part no-such-name",
        "https://github.com/coreruleset/modsecurity-crs-docker/pull/365",
    ),
    (
        "*758 connect() to [fdaa:2:45b:a7b:174:db43:d3c6:2]:443 failed (101: Ne"
        "twork unreachable) while connecting to upstream, client: 10.12.0.1, se"
        'rver: , request: "GET / HTTP/1.1", upstream: "https://[fdaa:2:45b:a7b:'
        '174:db43:d3c6:2]:443/index.html", host: "10.156.0.15"',
        "ipv6-off no-ipv6-here no-route-here outside",
        "https://github.com/nginx/docker-nginx/issues/374",
    ),
    (
        "[error] 372#0: *1 app.internal could not be resolved (4: Unimplemented)",
        "resolver-error",
        "https://github.com/aacebedo/dnsdock/issues/4",
    ),
    (
        "**ERR**Kafka-log: 3, fac=FAIL, rk=rdkafka#producer-1, [thrd:fdaa:2:45b"
        ":101::204:9092:9092/bootstrap]: fdaa:2:45b:101::204:9092:9092/bootstra"
        "p: Connect to ipv6#[fdaa:2:45b:101::204:9092]:9092 failed: No route to"
        " host",
        "no-brackets",
        "https://github.com/confluentinc/librdkafka/issues/1722",
    ),
    (
        "Error: Connection Error: error occurred while attempting to establish "
        "a TLS connection: invalid dns name",
        "superfluous-brackets",
        "https://github.com/SeaQL/sea-orm/issues/2579",
    ),
    (
        "Redis::CannotConnectError at /\nError connecting to Redis on 127.0.0.1:"
        "6379 (Errno::ECONNREFUSED)",
        "not-listening",
        "https://github.com/sidekiq/sidekiq/issues/4486",
    ),
    (
        "A connection was successfully established with the server, but then an"
        " error occurred during the pre-login handshake. (provider: HTTP Provid"
        "er, error: 0 - )",
        "certificate",
        "https://github.com/dotnet/SqlClient/issues/609",
    ),
    (
        "Microsoft.Data.SqlClient.SqlException (0x80131904): A connection was s"
        "uccessfully established with the server, but then an error occurred du"
        "ring the pre-login handshake. (provider: TCP Provider, error: 35 - An "
        "internal exception was caught)\n ---> System.Security.Authentication.Au"
        "thenticationException: The remote certificate was rejected by the prov"
        "ided RemoteCertificateValidationCallback.",
        "certificate",
        "https://github.com/dotnet/SqlClient/issues/1479",
    ),
    (
        "A connection was successfully established with the server, but then an"
        " error occurred during the login process. (provider: SSL Provider, err"
        "or: 0 - The certificate chain was issued by an authority that is not t"
        "rusted.)",
        "certificate",
        "https://github.com/dotnet/SqlClient/issues/1447",
    ),
    (
        "Microsoft.IdentityModel.Tokens.SecurityTokenInvalidAudienceException: "
        "IDX10214: Audience validation failed. Audiences: 'http://app.internal:"
        "5000/resources'. Did not match: validationParameters.ValidAudience: 'a"
        "pi1' or validationParameters.ValidAudiences: 'null'.",
        "audience",
        "https://github.com/aruss/IdentityBase/issues/37",
    ),
    (
        "OpenIdConnectProtocolException: IDX21314: OpenIdConnectProtocol requir"
        "es the jwt token to have an 'aud' claim.",
        "audience",
        "https://github.com/dotnet/aspnetcore/issues/57938",
    ),
    (
        "InvalidAudience: Invalid authorization token audience.",
        "audience",
        "https://github.com/MicrosoftDocs/azure-docs/pull/19707",
    ),
    (
        "com.nimbusds.jwt.proc.BadJWTException: Invalid token audience. Provide"
        "d value [api://app]does not match neither client-id nor AppIdUri.",
        "audience",
        "https://github.com/microsoft/azure-spring-boot/issues/918",
    ),
    (
        'expected audience "spn:app" got ["app"]',
        "audience",
        "https://github.com/Azure/aks-engine/issues/376",
    ),
    (
        "Resolving db.internal (db.internal)... failed: Name or service not kno"
        "wn.\nwget: unable to resolve host address 'db.internal'",
        "resolver-error",
        "https://github.com/kelda/kelda/issues/1377",
    ),
    (
        "Error: Couldn't resolve host name",
        "asks-ipv4-only",
        "https://github.com/Kong/insomnia/issues/4173",
    ),
    (
        "HikariPool.logPoolState:411 - DataWarehouse-DataSource - Timeout failu"
        "re stats (total=50, active=50, idle=0, waiting=139)",
        "pool-too-small slow-query",
        "https://github.com/brettwooldridge/HikariCP/issues/1560",
    ),
    (
        "Connection marked as broken because of SQLSTATE(08S01) , ErrorCode(0)",
        "idle-closed reset-by-program",
        "https://github.com/brettwooldridge/HikariCP/issues/1986",
    ),
    (
        "Error forwarding to http://fdaa:2:45b:a7b:174:db43:d3c6:2:8080, err: d"
        "ial tcp: too many colons in address fdaa:2:45b:a7b:174:db43:d3c6:2:808"
        "0",
        "no-brackets",
        "https://github.com/traefik/traefik/issues/714",
    ),
    (
        "Error starting userland proxy: listen tcp6 [::]:8080: socket: address "
        "family not supported by protocol",
        "ipv6-off no-ipv6-here",
        "https://github.com/workadventure/workadventure/issues/928",
    ),
    (
        "Cannot connect to redis.\nError: getaddrinfo ENOTFOUND redis.internal\n "
        "   at GetAddrInfoReqWrap.onlookup [as oncomplete] (dns.js:66:26)",
        "asks-ipv4-only",
        "https://github.com/overleaf/overleaf/issues/976",
    ),
    (
        "EventMachine::ConnectionError: unable to resolve address: Address fami"
        "ly for hostname not supported",
        "asks-ipv4-only",
        "https://github.com/libc/em-redis/issues/5",
    ),
    (
        "Error: Socket closed abruptly during opening handshake",
        "reset-by-program",
        "https://github.com/amqp-node/amqplib/issues/101",
    ),
    (
        "Mysql2::Error: Can't connect to MySQL server on 'db.internal' (111)",
        "listens-elsewhere",
        "https://github.com/brianmario/mysql2/issues/686",
    ),
    (
        "pymysql.err.OperationalError: (2003, \"Can't connect to MySQL server on"
        " 'fdaa:2:45b:a7b:174:db43:d3c6:2' (-9)\")",
        "asks-ipv4-only",
        "https://github.com/PyMySQL/PyMySQL/issues/118",
    ),
    (
        "TypeError: fetch failed\n    cause: AggregateError [ETIMEDOUT]: \n      "
        "  at internalConnectMultiple (node:net:1117:18)\n        at Timeout.int"
        "ernalConnectMultipleTimeout (node:net:1687:5)",
        "short-timeout",
        "https://github.com/nodejs/undici/issues/2777",
    ),
    (
        "Client sent an HTTP request to an HTTPS server.",
        "one-end-without-tls",
        "https://github.com/caddyserver/caddy/issues/5904",
    ),
    (
        "Error: P1017: Server has closed the connection.",
        "idle-closed reset-by-program",
        "https://github.com/prisma/web/issues/3116",
    ),
    (
        "parsing [/etc/haproxy/haproxy.cfg:9] : 'server server1' : could not re"
        "solve address 'fdaa:2:45b:f56:'.\n: Failed to initialize server(s) addr"
        ".",
        "no-brackets",
        "https://github.com/cbonte/haproxy-dconv/issues/29",
    ),
    (
        "Npgsql.PostgresException (0x80004005): 28000: SSL connection is requir"
        "ed. Please specify SSL options and retry.",
        "one-end-without-tls",
        "https://github.com/OPCFoundation/UA-CloudLibrary/issues/90",
    ),
    (
        "Error: The server does not support SSL connections\n    at Socket.<anon"
        "ymous> (/app/node_modules/pg/lib/connection.js:103:33)",
        "one-end-without-tls",
        "https://github.com/brianc/node-postgres/issues/1262",
    ),
    (
        "redis.clients.jedis.exceptions.JedisConnectionException: Could not get"
        " a resource from the pool\nCaused by: java.util.NoSuchElementException:"
        " Timeout waiting for idle object",
        "pool-too-small",
        "https://github.com/redis/jedis/issues/206",
    ),
    (
        "redis.clients.jedis.exceptions.JedisExhaustedPoolException: Could not "
        "get a resource since the pool is exhausted",
        "pool-too-small",
        "https://github.com/redis/jedis/issues/2041",
    ),
    (
        "pika.exceptions.ProbableAuthenticationError: (403, 'ACCESS_REFUSED - L"
        "ogin was refused using authentication mechanism PLAIN. For details see"
        " the broker logfile.')",
        "credentials",
        "https://github.com/radical-cybertools/radical.entk/issues/368",
    ),
    (
        "[error] <0.4006.0> PLAIN login refused: user 'username' - invalid credentials",
        "credentials",
        "https://github.com/nttcom/fluent-plugin-rabbitmq/issues/28",
    ),
    (
        "error [24 Jan 21 14:33:51 -05:00] Server selection timed out after 30000 ms",
        "listens-elsewhere",
        "https://github.com/adaptlearning/adapt_authoring/issues/2545",
    ),
    (
        'Fri Feb 21 15:05:18 2025 - *** uWSGI listen queue of socket "127.0.0.1'
        ':39397" (fd: 3) full !!! (1025/1024) ***',
        "accept-queue-full slow-app",
        "https://github.com/datopian/giftless/issues/184",
    ),
    (
        "upstream prematurely closed connection while reading response header from upstream",
        "accept-queue-full",
        "https://github.com/unbit/uwsgi/issues/1804",
    ),
    (
        'details = "failed to connect to all addresses; last error: UNKNOWN: ip'
        'v6:%5B::%5D:50052: Address family not supported by protocol"',
        "ipv6-off no-ipv6-here",
        "https://github.com/Map-A-Droid/MAD/pull/1331",
    ),
    (
        "rpc error: code = Unavailable desc = all SubConns are in TransientFail"
        'ure, latest connection error: connection error: desc = "transport: Err'
        'or while dialing dial tcp 127.0.0.1:1234: connect: connection refused"',
        "listens-elsewhere",
        "https://github.com/grpc/grpc-go/issues/2678",
    ),
    (
        '"error": "14 UNAVAILABLE: failed to connect to all addresses"',
        "listens-elsewhere",
        "https://github.com/grpc/grpc-rust/issues/688",
    ),
    (
        'ERR = Connect(Os { code: 61, kind: ConnectionRefused, message: "Connection refused" })',
        "listens-elsewhere",
        "https://github.com/tower-rs/tower-grpc/issues/144",
    ),
    (
        "E0513 15:32:42.397461000 tcp_client_posix.c:191] failed to connect to "
        "'ipv6:[fdaa:2:45b:a7b:174:db43:d3c6:2]:443': timeout occurred",
        "no-route-back no-route-on-the-way outside",
        "https://github.com/grpc/grpc/issues/6623",
    ),
    (
        "SQLSTATE[HY000] [2002] Failed to parse address",
        "no-brackets",
        "https://github.com/netz98/n98-magerun/issues/907",
    ),
    (
        "Doctrine\\DBAL\\Exception: Failed to connect to the database: An excepti"
        "on occurred in the driver: SQLSTATE[08006] [7] could not translate hos"
        't name "[fdaa:2:45b::1]" to address: Name or service not known in /var'
        "/www/app/lib/private/DB/Connection.php:139",
        "superfluous-brackets",
        "https://github.com/nextcloud/server/issues/44370",
    ),
    (
        'SQLSTATE[HY000] [2002] Failed to parse IPv6 address "[fdaa:2"',
        "no-brackets superfluous-brackets",
        "https://github.com/BookStackApp/BookStack/issues/5464",
    ),
    (
        "Could not connect to the database server: SQLSTATE[HY000] [2002] Faile"
        'd to parse IPv6 address "[fdaa:3306"',
        "no-brackets superfluous-brackets",
        "https://github.com/matomo-org/matomo/issues/22677",
    ),
    (
        "mysqli::real_connect(): (HY000/2002): Failed to parse IPv6 address &qu"
        "ot;[fdaa:2:45b:3687::2]&quot;",
        "superfluous-brackets",
        "https://github.com/php/php-src/issues/20528",
    ),
    (
        "could not connect to server: Connection refused\n\tIs the server running"
        ' on host "fdaa:2:45b:a7b:174:db43:d3c6:2" and accepting\n\tTCP/IP connec'
        "tions on port 2?",
        "no-brackets",
        "https://github.com/hankinsoft/SQLPro/issues/380",
    ),
    (
        "Error: pool timed out while waiting for an open connection",
        "listens-elsewhere not-listening",
        "https://github.com/transact-rs/sqlx/issues/2345",
    ),
    (
        "%3|1418300191.571|FAIL|rdkafka#producer-0| localhost:9092/bootstrap: F"
        "ailed to connect to broker at [localhost]:9092: Connection refused",
        "listens-elsewhere",
        "https://github.com/edenhill/kcat/issues/16",
    ),
    (
        "[warn] org.apache.kafka.clients.NetworkClient [] - Connection to node "
        "-1 could not be established. Broker may not be available.",
        "not-listening",
        "https://github.com/lagom/lagom/issues/1285",
    ),
    (
        "[error] Failed to connect to Redis (redis://db.internal/1:6379): non-existing domain",
        "asks-ipv4-only url-for-name",
        "https://github.com/whatyouhide/redix/issues/222",
    ),
    (
        "connect() failed (111: Connection refused) while connecting to upstrea"
        'm, client: 10.244.11.165, server: _, request: "GET /favicon.ico HTTP/1'
        '.1", upstream: "http://[::1]:8000/favicon.ico", host: "app.internal"',
        "listens-elsewhere",
        "https://github.com/ietf-tools/mailarchive/pull/4016",
    ),
    (
        "[2015-11-01 11:46:28 +0000] [26762] [ERROR] Connection in use: ('::', 5000)",
        "port-in-use",
        "https://github.com/benoitc/gunicorn/issues/1138",
    ),
    (
        "asyncpg.exceptions.ConnectionDoesNotExistError: connection was closed "
        "in the middle of operation",
        "idle-closed reset-by-program",
        "https://github.com/MagicStack/asyncpg/issues/309",
    ),
    (
        'OperationalError("Network Error: Server disconnected")',
        "idle-closed",
        "https://github.com/ClickHouse/clickhouse-connect/pull/726",
    ),
    (
        "Predis\\Connection\\ConnectionException: Connection refused [tcp://127.0.0.1:6379]",
        "not-listening",
        "https://github.com/JeffreyWay/council/issues/66",
    ),
    (
        "Redis exception; nested exception is io.lettuce.core.RedisException: i"
        "o.netty.channel.unix.Errors$NativeIoException: syscall:read(..) failed"
        ": Connection reset by peer",
        "idle-closed",
        "https://github.com/redis/lettuce/issues/1027",
    ),
    (
        '{"errors":["audience claim found in JWT but no audiences bound to the role"]}',
        "audience",
        "https://github.com/artis3n/course-vault-github-oidc/pull/21",
    ),
    (
        "Token verification failed. error validating claims: aud claim does not"
        " match any bound audience",
        "audience",
        "https://github.com/hashicorp/vault/issues/8376",
    ),
    (
        "* invalid audience (aud) claim: audience claim does not match any expected audience",
        "audience",
        "https://github.com/hashicorp/vault-plugin-auth-kubernetes/issues/175",
    ),
    (
        "PHP Fatal error:  Uncaught exception 'Predis\\Connection\\ConnectionExce"
        "ption' with message 'Connection refused [tcp://127.0.0.1:6379]' in /ap"
        "p/predis/Connection/AbstractConnection.php:168",
        "loopback-for-host",
        "https://github.com/predis/predis/issues/295",
    ),
    (
        "prod.ERROR: Connection refused [tcp://redis.app:tcp://10.233.24.65:6379]",
        "missing-part url-for-name",
        "https://github.com/laravel/framework/issues/42348",
    ),
    (
        "error: InvalidHostName",
        "superfluous-brackets",
        "https://github.com/lalinsky/dusty/issues/167",
    ),
    (
        'Error(Io(Custom { kind: Other, error: "failed to lookup address inform'
        'ation: Name or service not known" }))',
        "superfluous-brackets",
        "https://github.com/sbstp/attohttpc/issues/53",
    ),
    (
        "CannotResolveHost: client DNS lookup failed",
        "superfluous-brackets",
        "https://github.com/Gelbpunkt/tokio-websockets/issues/58",
    ),
    (
        "ERROR 2026 (HY000): TLS/SSL error: SSL is required, but the server does not support it",
        "one-end-without-tls",
        "https://github.com/dan-r/syncstorage-rs-docker/issues/14",
    ),
    (
        "ERROR 2026 (HY000): SSL connection error: error:00000000:lib(0)::reason(0)",
        "one-end-without-tls",
        "https://github.com/bitnami/containers/issues/80606",
    ),
    (
        "HTTP ERROR: 500\nProblem accessing /. Reason:\n    Communications link f"
        "ailure\nThe last packet successfully received from the server was 1,758"
        ",522 milliseconds ago.  The last packet sent successfully to the serve"
        "r was 2 milliseconds ago.",
        "idle-closed",
        "https://github.com/rancher/rancher/issues/7946",
    ),
    (
        "reactor.netty.http.client.PrematureCloseException: Connection prematur"
        "ely closed BEFORE response",
        "idle-closed",
        "https://github.com/reactor/reactor-netty/pull/2007",
    ),
    (
        "Error: getaddrinfo ENOTFOUND platform-redis-master.app.svc.cluster.local",
        "asks-ipv4-only",
        "https://github.com/OneUptime/oneuptime/issues/1348",
    ),
    (
        "lookup app.ingress.cluster.local. on [fdaa::3]:53: no such host",
        "resolver-error",
        "https://github.com/zalando-incubator/kubernetes-on-aws/pull/8806",
    ),
    (
        "[hk01][E] Can't resolve hostname 'db.internal': No address associated with hostname",
        "asks-ipv4-only",
        "https://github.com/ClusterM/wg-obfuscator/issues/42",
    ),
    (
        "CHECK_RBL UNKNOWN - Cannot resolve db.internal",
        "asks-ipv4-only",
        "https://github.com/matteocorti/check_rbl/issues/65",
    ),
    (
        "level=error msg=\"proc: src=127.0.0.1:45666 couldn't find DNS entries f"
        'or the given domain. Try using DialDualStack"',
        "asks-ipv4-only",
        "https://github.com/blind-oracle/cortex-tenant/issues/23",
    ),
    (
        "Temporary failure in name resolution",
        "resolver-firewall resolver-silent resolver-unreachable",
        "https://github.com/Zakkaus/gentoo-install/pull/342",
    ),
    (
        "KnexTimeoutError: Knex: Timeout acquiring a connection. The pool is pr"
        "obably full. Are you missing a .transacting(trx) call?",
        "pool-too-small",
        "https://github.com/cobyism/ghost-on-heroku/issues/150",
    ),
    (
        'Readiness probe failed: Get "http://[fdaa:2:45b:a7b:174:db43:d3c6:2]:8'
        '081/readyz": dial tcp [fdaa:2:45b:a7b:174:db43:d3c6:2]:8081: connect: '
        "connection refused",
        "listens-elsewhere",
        "https://github.com/nginx/nginx-gateway-fabric/pull/3765",
    ),
    (
        "curl: (7) Failed to connect to ::1 port 80 after 0 ms: Couldn't connect to server",
        "listens-elsewhere",
        "https://github.com/tiredofit/docker-self-service-password/issues/66",
    ),
    (
        "No address found for [fdaa:2:45b:a7b:174:db43:d3c6:2]:80 over TCP (Socket::Error)",
        "superfluous-brackets",
        "https://github.com/crystal-lang/crystal/issues/5514",
    ),
    (
        'failed to set peer name: failed to parse host name "fdaa:2:45b::1": invalid port',
        "no-brackets",
        "https://github.com/openresty/lua-resty-dns/issues/16",
    ),
    (
        "Failed: can't create session: could not connect to server: connection("
        ") : auth error: sasl conversation error: unable to authenticate using "
        'mechanism "SCRAM-SHA-1": (AuthenticationFailed) Authentication failed.',
        "special-character",
        "https://github.com/stefanprodan/mgob/issues/104",
    ),
    (
        "{ [MongoError: auth fails] name: 'MongoError', code: 18, ok: 0, errmsg: 'auth fails' }",
        "special-character",
        "https://github.com/Automattic/mongoose/issues/1793",
    ),
    (
        "Username containing an unescaped at-sign",
        "special-character",
        "https://github.com/mrvautin/adminMongo/issues/222",
    ),
    (
        'RedisClient::ProtocolError (Unknown sigil type: "9" (rediss://..)):',
        "one-end-without-tls",
        "https://github.com/redis-rb/redis-client/issues/219",
    ),
    (
        "[error] <0.1073.0> {bad_header,<<22,3,1,0,192,1,0,0>>}",
        "one-end-without-tls",
        "https://github.com/rabbitmq/rabbitmq-server/pull/13559",
    ),
    (
        "TLS server: In state hello at tls_record.erl:564 generated SERVER ALER"
        "T: Fatal - Unexpected Message\n - {unsupported_record_type,65}",
        "one-end-without-tls",
        "https://github.com/rabbitmq/rabbitmq-website/issues/1333",
    ),
    (
        "Error connecting to Redis: Error while reading from socket: (1, '[SSL:"
        " SSLV3_ALERT_UNSUPPORTED_CERTIFICATE] sslv3 alert unsupported certific"
        "ate (_ssl.c:2309)')",
        "certificate",
        "https://github.com/bitnami/bitnami-docker-redis/issues/207",
    ),
    (
        "** (Mix) httpc request failed with: {:failed_connect, [{:to_address, {"
        "'app.internal', 443}}, {:inet, [:inet], :eprotonosupport}]}",
        "asks-ipv4-only",
        "https://github.com/elixir-lang/elixir/pull/11705",
    ),
    (
        "[error] mqtt:tcp failed to listen on 1883 - eaddrinuse (address already in use)",
        "port-in-use",
        "https://github.com/emqx/emqx/issues/1460",
    ),
    (
        "[ALERT] 098/102718 (1) : Starting frontend dockerfrontend: cannot crea"
        "te listening socket [:::2375]",
        "ipv6-off no-ipv6-here",
        "https://github.com/Tecnativa/docker-socket-proxy/issues/124",
    ),
    (
        "[1493753376] unbound[107:0] error: can't bind socket: Cannot assign requested address",
        "ipv6-off no-ipv6-here",
        "https://github.com/boot2docker/boot2docker/issues/1257",
    ),
    (
        "[ERROR] listen EAFNOSUPPORT :::8989",
        "ipv6-off no-ipv6-here",
        "https://github.com/silverwind/droppy/issues/297",
    ),
    (
        "portforward.go:212] Unable to create listener: Error listen tcp6 [::1]"
        ":45125: bind: cannot assign requested address",
        "ipv6-off no-ipv6-here",
        "https://github.com/helm/helm/issues/2658",
    ),
    (
        "HTTP 502: net/http: timeout awaiting response headers",
        "slow-app",
        "https://github.com/caddyserver/caddy/issues/4823",
    ),
    (
        "psql: ERROR:  no more connections allowed (max_client_conn)",
        "connection-limit",
        "https://github.com/datopian/ckan-cloud-operator/issues/34",
    ),
    (
        "Exceeded maximum of 100 connections per instance",
        "connection-limit",
        "https://github.com/spellshift/realm/issues/136",
    ),
    (
        "Invalid Consul HTTP address: address fdaa:2:45b:a7b:174:db43:d3c6:2:85"
        "01: too many colons in address",
        "no-brackets",
        "https://github.com/hashicorp/consul-k8s/issues/646",
    ),
    (
        'parse "https://fdaa:2:45b:100::a6:8000/failsafe": invalid port ":2:45b'
        ':100::a6:8000" after host',
        "no-brackets",
        "https://github.com/cloudnative-pg/cloudnative-pg/issues/10713",
    ),
    (
        '[DEBUG] client: ignoring server due to resolution error: error="addres'
        's [[fdaa:2:45b::1]]:4647: missing port in address" server=[fdaa:2:45b:'
        ":1]",
        "superfluous-brackets",
        "https://github.com/hashicorp/nomad/issues/20310",
    ),
    (
        "ECONNREFUSED ::1:8080",
        "listens-elsewhere",
        "https://github.com/websockets/ws/issues/2197",
    ),
    (
        "telnet: Unable to connect to remote host: Connection refused",
        "listens-elsewhere",
        "https://github.com/ashwin-pc/hiccup/pull/63",
    ),
    (
        "redis.exceptions.ConnectionError: Error 111 connecting to redis:6379.",
        "not-listening",
        "https://www.opskarma.com/problems/shared-redis-down-blast-radius",
    ),
    (
        'Client("Disconnected by peer")',
        "one-end-without-tls",
        "https://github.com/dahomey-technologies/rustis/issues/16",
    ),
    (
        "FATAL: SSL/TLS required (SQLSTATE 28000)",
        "one-end-without-tls",
        "https://github.com/bytebase/bytebase/pull/3534",
    ),
    (
        "error: pq: connection is insecure (try using `sslmode=require`)",
        "one-end-without-tls",
        "https://github.com/gofr-dev/gofr/issues/870",
    ),
    (
        "Fail to connect to database: parse postgres://<user>:<password>@[fdaa:"
        "2/gogs1?sslmode=disable: missing ']' in host",
        "no-brackets superfluous-brackets",
        "https://github.com/gogs/gogs/issues/3437",
    ),
    (
        "* Immediate connect fail for fdaa:2:45b:a7b:174:db43:d3c6:2: Network unreachable",
        "ipv6-off no-ipv6-here no-route-here outside",
        "https://github.com/curl/curl-container/issues/62",
    ),
    (
        "SocketException: An address incompatible with the requested protocol was used",
        "asks-ipv4-only",
        "https://github.com/docker/for-win/issues/13197",
    ),
    (
        "curl: (6) Could not resolve host: mam.web.docker",
        "resolver-error",
        "https://github.com/aacebedo/dnsdock/issues/51",
    ),
    (
        "ERROR: Acquisition timeout while waiting for new connection",
        "pool-too-small",
        "https://github.com/quarkusio/quarkus/issues/9123",
    ),
    (
        "OperationalError('SSL SYSCALL error: EOF detected\\n',)",
        "idle-closed",
        "https://github.com/gmcguire/django-db-pool/issues/9",
    ),
    (
        "OperationalError: terminating connection due to idle-session timeout",
        "idle-closed",
        "https://github.com/psycopg/psycopg2/issues/1496",
    ),
    (
        "psycopg2.OperationalError: terminating connection due to administrator"
        " command\nSSL connection has been closed unexpectedly",
        "reset-by-program",
        "https://github.com/psycopg/psycopg2/issues/215",
    ),
    (
        "resolv-replace.rb:25:in `initialize': Failed to open TCP connection to"
        ' app.internal:443 (Network is unreachable - connect(2) for "fdaa:2:45b'
        ':a7b:174:db43:d3c6:2" port 443) (Errno::ENETUNREACH)',
        "ipv6-off no-ipv6-here no-route-here outside",
        "https://github.com/ruby/resolv/issues/68",
    ),
    (
        "<Gem::Net::OpenTimeout: Failed to open TCP connection to app.internal:"
        "443 (execution expired)>",
        "firewall-drops listens-elsewhere",
        "https://github.com/sidekiq/sidekiq/issues/7041",
    ),
    (
        "socket.rb:231:in `getaddrinfo': getaddrinfo: nodename nor servname pro"
        "vided, or not known (Socket::ResolutionError)",
        "superfluous-brackets",
        "https://github.com/puma/puma/issues/1356",
    ),
    (
        "ERROR Error: Uncaught (in promise): Wrong audience: 00000000-0000-0000-0000-0000441D6D17",
        "audience",
        "https://github.com/manfredsteyer/angular-oauth2-oidc/issues/267",
    ),
    (
        "Invalid JWT audience. expected: app",
        "audience",
        "https://github.com/eclipse-vertx/vertx-auth/issues/654",
    ),
    (
        "Token does not pass the audience allow filter",
        "audience",
        "https://github.com/nodeSolidServer/node-solid-server/issues/1061",
    ),
    (
        "An error occurred while attempting to decode the Jwt: The required audience is missing",
        "audience",
        "https://github.com/pivotal-cf/identity-sample-apps/issues/337",
    ),
    (
        "connect ENETUNREACH fdaa:2:45b::a:22 - Local (:::0)",
        "no-route-here ipv6-off outside",
        "https://github.com/Heavrnl/nexus-terminal/issues/13",
    ),
    (
        "2016/12/15 16:11:55 [error] 5#5: *1 connect() failed (111: Connection refused) while "
        'connecting to upstream, client: fdaa:2:45b::5, server: , request: "GET /?new HTTP/1.1", '
        'upstream: "http://127.0.0.1:3000/?new", host: "app.internal"',
        "not-listening",
        "https://github.com/localtunnel/server/issues/56",
    ),
    (
        "[crit] 5642#0: *1 connect() to 127.0.0.1:8081 failed (13: Permission denied) while "
        'connecting to upstream, client: fdaa:2:45b::5, server: app.internal, request: "GET /nexus '
        'HTTP/1.1", upstream: "http://127.0.0.1:8081/nexus", host: "localhost:8443"',
        "forbidden-here",
        "https://github.com/RiotGamesCookbooks/nexus-cookbook/issues/115",
    ),
    (
        "nc: can't connect to remote host: Permission denied",
        "firewall-rejects",
        "https://github.com/moby/moby/issues/35140",
    ),
    (
        "java.net.SocketException: Permission denied (connect failed)",
        "firewall-rejects",
        "https://github.com/docker/hub-feedback/issues/1267",
    ),
    (
        "[error] 3089#3089: *3 no live upstreams while connecting to upstream, client: "
        'fdaa:2:45b::5, server: , request: "GET / HTTP/1.1", upstream: "http://backend/"',
        "not-listening",
        "https://github.com/mr-canoehead/vpn_client_gateway/issues/60",
    ),
    (
        "(error) CLUSTERDOWN Hash slot not served",
        "slots-not-served",
        "https://github.com/itsmetommy/docker-redis-cluster/issues/2",
    ),
    (
        "(error) CLUSTERDOWN The cluster is down",
        "slots-not-served",
        "https://github.com/2881099/csredis/issues/149",
    ),
    (
        "<head><title>502 Bad Gateway</title></head>",
        "stale-address",
        "https://github.com/gonka-ai/gonka/pull/354",
    ),
    (
        "https://app.internal/login: Bad Gateway with status 502",
        "proxy-without-app",
        "https://github.com/exoframejs/exoframe/issues/186",
    ),
    (
        "504 Gateway Time-out nginx/1.11.10",
        "slow-app short-read-timeout",
        "https://github.com/wplib/wplib-box/issues/252",
    ),
    (
        "Error [ERR_TLS_CERT_ALTNAME_INVALID]: Hostname/IP does not match certificate's altnames: "
        "IP: fdaa:2:45b::5 is not in the cert's list:",
        "certificate-name",
        "https://github.com/nodemailer/nodemailer/issues/1315",
    ),
    (
        "tcp: x509: certificate is valid for ca.internal, not localhost",
        "certificate-name",
        "https://github.com/smallstep/helm-charts/issues/110",
    ),
    (
        "http://fdaa:2:45b::9:80  Could not connect: Failed to parse: http://fdaa:2:45b::9:80",
        "no-brackets",
        "https://github.com/PeterMosmans/security-scripts/pull/56",
    ),
    (
        "error sending request for url (http://localhost:11101/rpc): error trying to connect: tcp "
        "connect error: Cannot assign requested address (os error 99)",
        "ports-in-use",
        "https://github.com/casper-network/casper-node/issues/3252",
    ),
    (
        'call app failed: Post "http://app.internal:8080": EOF',
        "idle-closed",
        "https://github.com/loadlj/blog/issues/43",
    ),
    (
        "hyper::Error(IncompleteMessage): connection closed before message completed",
        "idle-closed",
        "https://github.com/hyperium/hyper/issues/2136",
    ),
    (
        "panic: could not open DB: failed to connect to `host=db.internal user=app database=app`: "
        "server error (FATAL: the database system is starting up (SQLSTATE 57P03))",
        "not-ready",
        "https://github.com/treeverse/lakeFS/issues/2017",
    ),
    (
        "response: dial udp [fdaa:2:45b::3]:53: socket: too many open files",
        "limit",
        "https://github.com/TechnitiumSoftware/DnsServer/issues/158",
    ),
]

# What no line shows, with one end that is known at most.
FORBIDDEN = (
    "not the cause: everything",
    "check that the networks are the same",
    "same network",
    "different networks:",
)
# The threads of the lines that show other causes than the true one.
MISSED = {
    "https://github.com/aacebedo/dnsdock/issues/51",
    "https://github.com/dahomey-technologies/rustis/issues/16",
    "https://github.com/envoyproxy/envoy/issues/2478",
    "https://github.com/grpc/grpc/issues/6623",
    "https://github.com/hankinsoft/SQLPro/issues/380",
    "https://github.com/kelda/kelda/issues/1377",
    "https://github.com/laravel/framework/issues/42348",
    "https://github.com/mastodon/mastodon/issues/2857",
    "https://github.com/unbit/uwsgi/issues/1804",
    "https://github.com/whamcloud/integrated-manager-for-lustre/issues/2176",
    "https://github.com/whythawk/full-stack-fastapi-postgresql/issues/36",
}


def test_the_cause_of_a_report_is_among_the_three_that_are_shown() -> None:
    missed = {}
    for line, causes, thread in REPORTS:
        shown = [cause.cause.value for cause in explain(line).shown_causes]
        if not set(shown) & set(causes.split()):
            missed[thread] = shown
    assert missed.keys() == MISSED, missed


@pytest.mark.parametrize(("line", "thread"), [(row[0], row[2]) for row in REPORTS])
def test_an_answer_about_a_report_states_nothing_that_is_not_known(line: str, thread: str) -> None:
    answer = explain(line)
    text = str(answer)
    for words in FORBIDDEN:
        assert words not in text, thread
    assert "{" not in text.replace(line, "") or "{" in line
    assert answer.is_known
    assert 1 <= len(answer.shown_causes) <= 3


# What programs print when nothing failed.
NO_FAILURES = (
    "user 42 failed to load page",
    "user 42 does not exist",
    "GET /login 404 not found",
    "max connections per host = 10",
    "server run with TLS on port 443",
    "cannot resolve symbol 'host'",
    "connection pool limit is 10",
    "error: 51 items failed",
    "temperature (-5) degrees",
    "invalid email address",
    "SSL enabled, 3 certificates loaded",
    "authenticated user bob for audience web",
    "token issued, expires in 600",
    "closing connection, session limit is 5",
)


@pytest.mark.parametrize("line", NO_FAILURES)
def test_kinds_of_wording_do_not_take_other_lines_for_failures(line: str) -> None:
    assert explain(line).evidence is None


# Each repeats what a kind of wording begins with, so that it is tried at every place.
REPEATED = (
    "a",
    "audience not ",
    "pool timed out ",
    "connect( ",
    "ssl not a ",
    "fdaa:2:",
    "[[fdaa:2:",
    "host fdaa:2:",
    "login password ",
    "resolve host fail ",
    "invalid certificate ",
    "lookup a on ",
    "errno 11 ",
    "exceeded connections ",
    "://a@",
    "fail to a b c ",
)


@pytest.mark.parametrize("words", REPEATED)
def test_the_words_of_the_longest_text_are_found_in_less_than_a_second(words: str) -> None:
    text = (words * 65536)[:65536]
    find_words(text)
    start = time.process_time()
    find_words(text)
    assert time.process_time() - start < 1
