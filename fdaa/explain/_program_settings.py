"""The setting to change, for the program that a line shows, where it asks for IPv4 only."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from dataclasses import dataclass

from fdaa.explain._cause_kinds import Cause


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a program or a library.

    Args:
        program: what it is a setting of.
        change: what to change.
        reference: the page that documents or reports it.
        shown_by: an expression for text that the program prints.
        cause: the cause that it is for.
    """

    program: str
    change: str
    reference: str
    shown_by: str
    cause: Cause = Cause.ASKS_IPV4_ONLY

    def __str__(self) -> str:
        return f"{self.program}: {self.change}"

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        return {"program": self.program, "change": self.change, "reference": self.reference}


# The first row that fits counts.
SETTINGS = (
    Setting(
        "RabbitMQ",
        "-proto_dist inet6_tcp in RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS and RABBITMQ_CTL_ERL_ARGS",
        "https://www.rabbitmq.com/docs/networking",
        r"(?i)rabbit",
        Cause.IPV4_DISTRIBUTION,
    ),
    Setting(
        "Erlang, Elixir releases",
        'ERL_AFLAGS="-proto_dist inet6_tcp", at both ends, and long names of nodes',
        "https://hex.pm/packages/dns_cluster/0.2.0/files",
        r"",
        Cause.IPV4_DISTRIBUTION,
    ),
    Setting(
        "Ecto, Postgrex",
        "socket_options: [:inet6] for the Repo",
        "https://hexdocs.pm/ecto_sql/Ecto.Adapters.Postgres.html",
        r"Postgrex|DBConnection|Ecto\.|MyXQL",
    ),
    Setting(
        "Mint (Finch, Req)",
        "transport_opts: [inet6: true] in the options of the connection (conn_opts)",
        "https://hex.pm/packages/mint/1.8.0/files/lib/mint/core/transport/tcp.ex",
        r"\bMint\.|Finch|\bReq\.|Transport error: non-existing",
    ),
    Setting(
        "Redix",
        "socket_opts: [:inet6]",
        "https://github.com/whatyouhide/redix/issues/222",
        r"Redix",
    ),
    Setting(
        "Erlang",
        "the option inet6 of the socket, or ipfamily: inet6 of httpc",
        "https://github.com/erlang/otp/blob/master/lib/inets/src/http_client/httpc.erl",
        r"non-existing domain|:nxdomain|\bnxdomain\b|eafnosupport|:econn",
    ),
    Setting(
        "ioredis (BullMQ)",
        "family: 0 (or 6) in the options, ?family=0 in the URL",
        "https://github.com/redis/ioredis/pull/2028",
        r"(?i)ioredis|bullmq|\[redis client\]|redis.{0,80}ENOTFOUND|MaxRetriesPerRequest",
    ),
    Setting(
        "MongoDB for Node.js",
        "family: 6 in old drivers; new ones ask for both",
        "https://github.com/Automattic/mongoose/issues/5760",
        r"Mongo",
    ),
    Setting(
        "Node.js",
        "family: 0 or 6, where a library sets 4",
        "https://github.com/nodejs/node/issues/40537",
        r"ENOTFOUND|getaddrinfo E[A-Z]|\bnode:",
    ),
    Setting(
        "StackExchange.Redis",
        "a version after 2.6.48, or resolveDns=true",
        "https://github.com/StackExchange/StackExchange.Redis/issues/2240",
        r"StackExchange|Pipelines\.Sockets",
    ),
    Setting(
        ".NET",
        "remove DOTNET_SYSTEM_NET_DISABLEIPV6=1 and the switch System.Net.DisableIPv6",
        "https://github.com/dotnet/runtime/pull/55012",
        r"System\.Net\.|Npgsql|no data of the requested type",
    ),
    Setting(
        "PHP with curl",
        "remove CURLOPT_IPRESOLVE with CURL_IPRESOLVE_V4",
        "https://curl.se/libcurl/c/CURLOPT_IPRESOLVE.html",
        r"PHP|php_|GuzzleHttp",
    ),
    Setting(
        "curl",
        "remove -4 and CURLOPT_IPRESOLVE with CURL_IPRESOLVE_V4; use a libcurl with IPv6",
        "https://curl.se/libcurl/c/CURLOPT_IPRESOLVE.html",
        r"curl",
    ),
    Setting(
        "Java",
        "remove -Djava.net.preferIPv4Stack=true",
        "https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/net/doc-files/"
        "net-properties.html",
        r"\bjavax?\.|UnknownHostException|PSQLException|Caused by:|\bat [a-z]+(?:\.\w+)+\(",
    ),
    Setting(
        "Go",
        "the network tcp in place of tcp4",
        "https://pkg.go.dev/net#Dial",
        r"\b(?:tcp4|udp4)\b",
    ),
    Setting(
        "Python with urllib3",
        "IPv6 on the loopback interface (::1), which urllib3 looks for at its start",
        "https://github.com/urllib3/urllib3/blob/main/src/urllib3/util/connection.py",
        r"urllib3|HTTPS?ConnectionPool",
    ),
    Setting(
        "nginx",
        "remove ipv6=off from resolver",
        "https://github.com/openresty/lua-nginx-module/issues/832",
        r"\bnginx\b|could not be resolved",
    ),
    Setting(
        "Envoy",
        "dns_lookup_family: V6_ONLY or AUTO",
        "https://godocs.io/github.com/envoyproxy/go-control-plane/envoy/extensions/clusters/common/"
        "dns/v3",
        r"(?i)envoy|upstream connect error",
    ),
)


def find_setting(text: str, cause: Cause) -> Setting | None:
    """Return the setting for a cause, for the program that a text shows; None if it shows none.

    Args:
        text: the text.
        cause: the cause.
    """
    for setting in SETTINGS:
        if setting.cause is cause and re.search(setting.shown_by, text) is not None:
            return setting
    return None
