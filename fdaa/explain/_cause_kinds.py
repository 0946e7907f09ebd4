"""The causes of a failed connection; `_cause_table.py` says which of them fit."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from fdaa._values.sourced import Sourced


class Cause(Sourced):
    """A cause that fits what was seen.

    A statement about the platform has one of these; one about TCP, DNS or Linux has neither.
    """

    def to_dict(self) -> dict[str, str]:
        """Return the cause as a dictionary for `json.dumps`, with what supports it."""
        fields = {"cause": self.value}
        if self.section is not None:
            fields["section"] = self.section
        if self.assumed is not None:
            fields["assumed"] = self.assumed
        return fields

    # Networks.
    OTHER_NETWORK = "other-network", "2.3, rule 3; Networking rules, 1"
    OWN_CROSS_NETWORK_ADDRESS = "own-cross-network-address", "Networking rules, 3"
    OUTSIDE = "outside", "2.3, rule 5; Networking rules, 5"
    SOURCE_ON_OTHER_NETWORK = "source-on-other-network", "2.3, rule 3; Networking rules, 1"
    # Names.
    ASKS_IPV4_ONLY = "asks-ipv4-only", "2.3, rule 1"
    NAME_OF_OTHER_NETWORK = "name-of-other-network", None, "internal-names"
    NO_STARTED_MACHINE = "no-started-machine", None, "names-of-started-machines"
    NO_SUCH_NAME = "no-such-name"
    OTHER_RESOLVER = "other-resolver", None, "internal-names"
    OTHER_RECORDS = "other-records"
    NO_IPV6_RECORD = "no-ipv6-record", "2.3, rule 1"
    IPV6_LOOKUP_FAILED = "ipv6-lookup-failed"
    LOOKUP_CONFIGURATION = "lookup-configuration"
    WRONG_ADDRESS = "wrong-address"
    HOSTS_LINE = "hosts-line"
    RESOLVER_ERROR = "resolver-error"
    RESOLVER_UNREACHABLE = "resolver-unreachable"
    RESOLVER_FIREWALL = "resolver-firewall"
    RESOLVER_SILENT = "resolver-silent"
    # The port.
    LISTENS_ELSEWHERE = "listens-elsewhere", None, "listening"
    NOT_LISTENING = "not-listening"
    UDP_ONLY = "udp-only"
    RESET_BY_PROGRAM = "reset-by-program"
    ACCEPT_QUEUE_FULL = "accept-queue-full"
    # The Machine.
    STALE_ADDRESS = "stale-address", None, "deploys-replace-machines"
    STALE_NAME = "stale-name", None, "deploys-replace-machines"
    MACHINE_DOWN = "machine-down"
    # The way.
    FIREWALL_REJECTS = "firewall-rejects"
    FIREWALL_DROPS = "firewall-drops"
    NO_ROUTE_ON_THE_WAY = "no-route-on-the-way"
    NO_ROUTE_BACK = "no-route-back"
    NEXT_HOP_SILENT = "next-hop-silent"
    ROUTING_LOOP = "routing-loop"
    SMALL_HOP_LIMIT = "small-hop-limit"
    SHORT_TIMEOUT = "short-timeout"
    LOST = "lost"
    # This computer.
    OTHER_SOURCE = "other-source"
    NO_ROUTE_HERE = "no-route-here"
    INTERFACE_DOWN = "interface-down"
    IPV6_OFF = "ipv6-off"
    NO_IPV6_HERE = "no-ipv6-here"
    LOOPBACK_DOWN = "loopback-down"
    FORBIDDEN_HERE = "forbidden-here"
    PORTS_EXHAUSTED = "ports-exhausted"
    LIMIT = "limit"
    # The target as it was given.
    NO_BRACKETS = "no-brackets"
    NO_PORT = "no-port"
    # What an open port does not show.
    HUNG = "hung"
    PROXY = "proxy"
    TLS = "tls"
    SMALL_MTU = "small-mtu"
    # What another program printed.
    SUPERFLUOUS_BRACKETS = "superfluous-brackets"
    SPECIAL_CHARACTER = "special-character"
    MISSING_PART = "missing-part"
    URL_FOR_NAME = "url-for-name"
    ESCAPED_ADDRESS = "escaped-address"
    REFUSED_BY_HOST = "refused-by-host", None, "deploys-replace-machines"
    LOOPBACK_FOR_HOST = "loopback-for-host"
    PORTS_IN_USE = "ports-in-use"  # all that lead to one target; a probe tells them from addresses
    SLOW_APP = "slow-app"
    SHORT_READ_TIMEOUT = "short-read-timeout"
    IDLE_CLOSED = "idle-closed"
    PROXY_WITHOUT_APP = "proxy-without-app"
    ONE_END_WITHOUT_TLS = "one-end-without-tls"
    CERTIFICATE = "certificate"
    CERTIFICATE_NAME = "certificate-name"
    ACCESS_RULES = "access-rules"
    CREDENTIALS = "credentials"
    CONNECTION_LIMIT = "connection-limit"
    NOT_READY = "not-ready"
    POOL_TOO_SMALL = "pool-too-small"
    SLOW_QUERY = "slow-query"
    LOCK_HELD = "lock-held"
    SLOTS_NOT_SERVED = "slots-not-served"
    NODES_APART = "nodes-apart"
    IPV4_DISTRIBUTION = "ipv4-distribution", "2.3, rule 1"
    COOKIE = "cookie"
    NODE_NAME = "node-name"
    EPMD = "epmd"
    AUDIENCE = "audience"
    ISSUER = "issuer"
    EXPIRED = "expired"
    PORT_IN_USE = "port-in-use"
    NOT_OWN_ADDRESS = "not-own-address"
    # Beside the target.
    PORTS_ELSEWHERE = "ports-elsewhere", None, "listening"
