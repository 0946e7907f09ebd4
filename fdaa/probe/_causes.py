"""The table of evidence and causes; docs/rules-probe.md shows it, with the sentence for each cause.

A row is the evidence, then every cause that fits it, the likeliest first. `_circumstances.py` says
what leaves a cause out, and what changes its place.
"""

from enum import StrEnum
from typing import Self

from fdaa.probe._evidence import Evidence


class Cause(StrEnum):
    """A cause that fits what was seen.

    A statement about the platform has one of these; one about TCP, DNS or Linux has neither.

    Attributes:
        section: the section of the specification that says it, or None.
        assumed: the name of the assumption (docs/platform-rules.md), where no section says it.
    """

    section: str | None
    assumed: str | None

    def __new__(cls, value: str, section: str | None = None, assumed: str | None = None) -> Self:
        """Return the member with what supports it."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.section = section
        member.assumed = assumed
        return member

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
    # Names.
    NAME_OF_OTHER_NETWORK = "name-of-other-network", None, "internal-names"
    NO_STARTED_MACHINE = "no-started-machine", None, "names-of-started-machines"
    NO_SUCH_NAME = "no-such-name"
    OTHER_RESOLVER = "other-resolver", None, "internal-names"
    OTHER_RECORDS = "other-records"
    NO_IPV6_RECORD = "no-ipv6-record"
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


CAUSES_OF = {
    # A name.
    Evidence.NOT_FOUND: (
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.OTHER_RESOLVER,
        Cause.NAME_OF_OTHER_NETWORK,
        Cause.NO_STARTED_MACHINE,
        Cause.NO_SUCH_NAME,
        Cause.RESOLVER_ERROR,
        Cause.LOOKUP_CONFIGURATION,
    ),
    Evidence.NO_ADDRESS: (
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.OTHER_RESOLVER,
        Cause.NO_STARTED_MACHINE,
        Cause.NAME_OF_OTHER_NETWORK,
        Cause.OTHER_RECORDS,
        Cause.RESOLVER_ERROR,
        Cause.LOOKUP_CONFIGURATION,
    ),
    Evidence.IPV4_ONLY: (
        Cause.NO_IPV6_RECORD,
        Cause.IPV6_LOOKUP_FAILED,
        Cause.LOOKUP_CONFIGURATION,
    ),
    Evidence.RESOLVER_FAILED: (
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.RESOLVER_ERROR,
        Cause.IPV6_OFF,
        Cause.INTERFACE_DOWN,
        Cause.RESOLVER_UNREACHABLE,
        Cause.RESOLVER_FIREWALL,
    ),
    Evidence.RESOLVER_TIMED_OUT: (
        Cause.OUTSIDE,
        Cause.SHORT_TIMEOUT,
        Cause.OTHER_SOURCE,
        Cause.RESOLVER_SILENT,
        Cause.RESOLVER_ERROR,
        Cause.INTERFACE_DOWN,
        Cause.NEXT_HOP_SILENT,
        Cause.RESOLVER_UNREACHABLE,
    ),
    Evidence.LOOKUP_NOT_TRIED: (Cause.LIMIT,),
    # An address: something came back.
    Evidence.RESET: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.RESET_BY_PROGRAM,
        Cause.FIREWALL_REJECTS,
        Cause.ACCEPT_QUEUE_FULL,
        Cause.HOSTS_LINE,
    ),
    Evidence.REFUSED: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.LISTENS_ELSEWHERE,
        Cause.NOT_LISTENING,
        Cause.UDP_ONLY,
        Cause.FIREWALL_REJECTS,
        Cause.HOSTS_LINE,
    ),
    Evidence.PORT_UNREACHABLE: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.FIREWALL_REJECTS,
        Cause.HOSTS_LINE,
    ),
    Evidence.PROHIBITED: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.FIREWALL_REJECTS,
        Cause.NO_ROUTE_ON_THE_WAY,
        Cause.HOSTS_LINE,
    ),
    Evidence.NO_ROUTE_REPORTED: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.NO_ROUTE_ON_THE_WAY,
        Cause.FIREWALL_REJECTS,
        Cause.HOSTS_LINE,
        Cause.STALE_ADDRESS,
        Cause.MACHINE_DOWN,
        Cause.STALE_NAME,
    ),
    Evidence.ADDRESS_UNREACHABLE: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.INTERFACE_DOWN,
        Cause.HOSTS_LINE,
        Cause.MACHINE_DOWN,
        Cause.STALE_ADDRESS,
        Cause.STALE_NAME,
        Cause.NEXT_HOP_SILENT,
        Cause.FIREWALL_REJECTS,
        Cause.NO_ROUTE_ON_THE_WAY,
    ),
    Evidence.UNREACHABLE: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.NO_ROUTE_ON_THE_WAY,
        Cause.FIREWALL_REJECTS,
        Cause.HOSTS_LINE,
        Cause.STALE_ADDRESS,
        Cause.MACHINE_DOWN,
        Cause.STALE_NAME,
    ),
    Evidence.HOP_LIMIT_EXCEEDED: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.ROUTING_LOOP,
        Cause.SMALL_HOP_LIMIT,
        Cause.HOSTS_LINE,
    ),
    # An address: nothing came back.
    Evidence.TIMED_OUT: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.LOOPBACK_DOWN,
        Cause.SHORT_TIMEOUT,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.HOSTS_LINE,
        Cause.STALE_ADDRESS,
        Cause.FIREWALL_DROPS,
        Cause.MACHINE_DOWN,
        Cause.ACCEPT_QUEUE_FULL,
        Cause.NO_ROUTE_ON_THE_WAY,
        Cause.NO_ROUTE_BACK,
        Cause.INTERFACE_DOWN,
        Cause.NEXT_HOP_SILENT,
        Cause.STALE_NAME,
        Cause.LOST,
    ),
    # An address: nothing was sent.
    Evidence.NO_ROUTE: (
        Cause.OTHER_NETWORK,
        Cause.LOOPBACK_DOWN,
        Cause.OUTSIDE,
        Cause.WRONG_ADDRESS,
        Cause.NO_ROUTE_HERE,
        Cause.IPV6_OFF,
        Cause.INTERFACE_DOWN,
        Cause.NO_BRACKETS,
    ),
    Evidence.NO_SOURCE_ADDRESS: (
        Cause.OTHER_NETWORK,
        Cause.LOOPBACK_DOWN,
        Cause.NO_IPV6_HERE,
        Cause.IPV6_OFF,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.INTERFACE_DOWN,
    ),
    Evidence.NO_FREE_PORT: (
        Cause.OTHER_NETWORK,
        Cause.PORTS_EXHAUSTED,
    ),
    Evidence.NOT_PERMITTED: (
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.WRONG_ADDRESS,
        Cause.FORBIDDEN_HERE,
    ),
    Evidence.NOT_TRIED: (
        Cause.OTHER_NETWORK,
        Cause.LIMIT,
    ),
    Evidence.ROUTED: (
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.NO_BRACKETS,
        Cause.NO_PORT,
    ),
}

# What an open port does not show.
NOT_TESTED = (Cause.HUNG, Cause.PROXY, Cause.TLS, Cause.SMALL_MTU)
