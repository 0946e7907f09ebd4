"""The table of evidence and causes; docs/probe.md shows it, with the sentence for each cause.

A row is the evidence, then every cause that fits it, the likeliest first. `NEEDS` and
`RULED_OUT_BY` say when a cause is left out, `LAST_WITH` when it comes last. Where the network IDs
of both ends differ, that comes first.
"""

from collections.abc import Set as AbstractSet
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
    NO_IPV6_HERE = "no-ipv6-here"
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
        Cause.NAME_OF_OTHER_NETWORK,
        Cause.NO_STARTED_MACHINE,
        Cause.NO_SUCH_NAME,
        Cause.OTHER_RESOLVER,
        Cause.RESOLVER_ERROR,
        Cause.LOOKUP_CONFIGURATION,
    ),
    Evidence.NO_ADDRESS: (
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.NO_STARTED_MACHINE,
        Cause.NAME_OF_OTHER_NETWORK,
        Cause.OTHER_RECORDS,
        Cause.OTHER_RESOLVER,
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
        Cause.RESOLVER_UNREACHABLE,
        Cause.RESOLVER_FIREWALL,
        Cause.INTERFACE_DOWN,
    ),
    Evidence.RESOLVER_TIMED_OUT: (
        Cause.OUTSIDE,
        Cause.SHORT_TIMEOUT,
        Cause.OTHER_SOURCE,
        Cause.RESOLVER_SILENT,
        Cause.RESOLVER_ERROR,
        Cause.NEXT_HOP_SILENT,
        Cause.INTERFACE_DOWN,
        Cause.RESOLVER_UNREACHABLE,
    ),
    Evidence.LOOKUP_NOT_TRIED: (Cause.LIMIT,),
    # An address: something came back.
    Evidence.RESET: (
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.RESET_BY_PROGRAM,
        Cause.FIREWALL_REJECTS,
        Cause.ACCEPT_QUEUE_FULL,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
    ),
    Evidence.REFUSED: (
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.LISTENS_ELSEWHERE,
        Cause.NOT_LISTENING,
        Cause.UDP_ONLY,
        Cause.FIREWALL_REJECTS,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
    ),
    Evidence.PORT_UNREACHABLE: (
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.FIREWALL_REJECTS,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
    ),
    Evidence.PROHIBITED: (
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.FIREWALL_REJECTS,
        Cause.NO_ROUTE_ON_THE_WAY,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
    ),
    Evidence.UNREACHABLE: (
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.STALE_ADDRESS,
        Cause.MACHINE_DOWN,
        Cause.NEXT_HOP_SILENT,
        Cause.INTERFACE_DOWN,
        Cause.NO_ROUTE_ON_THE_WAY,
        Cause.FIREWALL_REJECTS,
        Cause.STALE_NAME,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
    ),
    Evidence.HOP_LIMIT_EXCEEDED: (
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.ROUTING_LOOP,
        Cause.SMALL_HOP_LIMIT,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
    ),
    # An address: nothing came back.
    Evidence.TIMED_OUT: (
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.SHORT_TIMEOUT,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.STALE_ADDRESS,
        Cause.FIREWALL_DROPS,
        Cause.MACHINE_DOWN,
        Cause.ACCEPT_QUEUE_FULL,
        Cause.NO_ROUTE_ON_THE_WAY,
        Cause.NO_ROUTE_BACK,
        Cause.NEXT_HOP_SILENT,
        Cause.INTERFACE_DOWN,
        Cause.STALE_NAME,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.LOST,
    ),
    # An address: nothing was sent.
    Evidence.NO_ROUTE: (
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.WRONG_ADDRESS,
        Cause.NO_ROUTE_HERE,
        Cause.INTERFACE_DOWN,
        Cause.NO_BRACKETS,
    ),
    Evidence.NO_SOURCE_ADDRESS: (
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.NO_IPV6_HERE,
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


class Circumstance(StrEnum):
    """What else is known about a name or an address."""

    IDS_DIFFER = "ids-differ"  # of both ends; 0 is not compared (assumed: the platform's services)
    NO_PRIVATE_ADDRESS = "no-private-address"  # to connect from
    OWN_ADDRESS_NOT_USED = "own-address-not-used"  # this computer has a private address
    GIVEN_ADDRESS = "given-address"  # a private one, as the target
    FOUND_ADDRESS = "found-address"  # a private one, by a lookup
    NOT_PRIVATE = "not-private"  # an address by a lookup, where a private one is expected
    INTERNAL_NAME = "internal-name"
    PORT_WITHOUT_BRACKETS = "port-without-brackets"  # maybe
    SHORT_WAIT = "short-wait"  # until the deadline
    THIS_COMPUTER = "this-computer"  # has the address
    OPEN_ON_ANOTHER_PORT = "open-on-another-port"  # in the same round; perhaps a proxy is
    REPORTED_BY_TARGET = "reported-by-target"  # the ICMPv6 message
    REPORTED_HERE = "reported-here"
    REPORTED_ON_THE_WAY = "reported-on-the-way"


# A cause is left out without this.
NEEDS = {
    Cause.OTHER_NETWORK: Circumstance.IDS_DIFFER,
    Cause.OWN_CROSS_NETWORK_ADDRESS: Circumstance.IDS_DIFFER,
    Cause.OUTSIDE: Circumstance.NO_PRIVATE_ADDRESS,
    Cause.OTHER_SOURCE: Circumstance.OWN_ADDRESS_NOT_USED,
    Cause.NAME_OF_OTHER_NETWORK: Circumstance.INTERNAL_NAME,
    Cause.NO_STARTED_MACHINE: Circumstance.INTERNAL_NAME,
    Cause.OTHER_RESOLVER: Circumstance.INTERNAL_NAME,
    Cause.WRONG_ADDRESS: Circumstance.NOT_PRIVATE,
    Cause.STALE_ADDRESS: Circumstance.GIVEN_ADDRESS,
    Cause.STALE_NAME: Circumstance.FOUND_ADDRESS,
    Cause.SHORT_TIMEOUT: Circumstance.SHORT_WAIT,
    Cause.NO_BRACKETS: Circumstance.PORT_WITHOUT_BRACKETS,
}

# A cause is left out with one of these.
_NOT_THE_MACHINE = (Circumstance.REPORTED_BY_TARGET, Circumstance.THIS_COMPUTER)
_NOT_THIS_LINK = (
    Circumstance.OPEN_ON_ANOTHER_PORT,
    Circumstance.REPORTED_BY_TARGET,
    Circumstance.REPORTED_ON_THE_WAY,
    Circumstance.THIS_COMPUTER,
)
RULED_OUT_BY = {
    Cause.STALE_ADDRESS: _NOT_THE_MACHINE,
    Cause.STALE_NAME: _NOT_THE_MACHINE,
    Cause.MACHINE_DOWN: _NOT_THE_MACHINE,
    Cause.OWN_CROSS_NETWORK_ADDRESS: (Circumstance.INTERNAL_NAME,),
    Cause.NO_ROUTE_ON_THE_WAY: (
        Circumstance.REPORTED_BY_TARGET,
        Circumstance.REPORTED_HERE,
        Circumstance.THIS_COMPUTER,
    ),
    Cause.NO_ROUTE_BACK: (Circumstance.THIS_COMPUTER,),
    Cause.NEXT_HOP_SILENT: _NOT_THIS_LINK,
    Cause.INTERFACE_DOWN: _NOT_THIS_LINK,
}

# A cause comes last with this: a handshake makes it unlikely, but a proxy may have completed it.
LAST_WITH = {
    Cause.STALE_ADDRESS: Circumstance.OPEN_ON_ANOTHER_PORT,
    Cause.STALE_NAME: Circumstance.OPEN_ON_ANOTHER_PORT,
    Cause.MACHINE_DOWN: Circumstance.OPEN_ON_ANOTHER_PORT,
    Cause.OWN_CROSS_NETWORK_ADDRESS: Circumstance.OPEN_ON_ANOTHER_PORT,
    Cause.NO_ROUTE_ON_THE_WAY: Circumstance.OPEN_ON_ANOTHER_PORT,
    Cause.NO_ROUTE_BACK: Circumstance.OPEN_ON_ANOTHER_PORT,
}


def causes_of(evidence: Evidence, circumstances: AbstractSet[Circumstance]) -> tuple[Cause, ...]:
    """Return the causes that fit, the likeliest first.

    Args:
        evidence: what was seen.
        circumstances: what else is known.
    """
    fitting = []
    last = []
    for cause in CAUSES_OF[evidence]:
        needed = NEEDS.get(cause)
        if needed is not None and needed not in circumstances:
            continue
        if not circumstances.isdisjoint(RULED_OUT_BY.get(cause, ())):
            continue
        if LAST_WITH.get(cause) in circumstances:
            last.append(cause)
        else:
            fitting.append(cause)
    return (*fitting, *last)
