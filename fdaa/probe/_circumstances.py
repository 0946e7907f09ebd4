"""What else is known beside the evidence, and what follows from it for each cause.

`NEEDS` and `RULED_OUT_BY` say when a cause is left out, `FIRST_WITH` when it comes first and
`LAST_WITH` when it comes last. Where the network IDs of both ends differ, that is the first one.
"""

from collections.abc import Set as AbstractSet
from enum import StrEnum

from fdaa.probe._causes import CAUSES_OF, Cause
from fdaa.probe._evidence import Evidence


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

    # What was read on this computer. Of a lookup, the way is that to each of the resolvers.
    LINK_UP = "link-up"  # of the interface on the way; without a route, of all interfaces
    LINK_DOWN = "link-down"  # the same
    NO_CARRIER = "no-carrier"  # the same
    NEXT_HOP_RESPONDS = "next-hop-responds"  # to neighbour discovery
    NEXT_HOP_SILENT = "next-hop-silent"
    NEXT_HOP_UNKNOWN = "next-hop-unknown"
    TARGET_RESPONDS = "target-responds"  # the same, where it is on the link
    TARGET_SILENT = "target-silent"
    TARGET_UNKNOWN = "target-unknown"
    LARGE_HOP_LIMIT = "large-hop-limit"
    SMALL_HOP_LIMIT = "small-hop-limit"
    IPV6_ON = "ipv6-on"
    IPV6_OFF = "ipv6-off"
    LOOPBACK_UP = "loopback-up"
    LOOPBACK_DOWN = "loopback-down"
    LISTENS_HERE = "listens-here"  # a program of this computer, at this address and port
    LISTENS_ELSEWHERE = "listens-elsewhere"
    LISTENS_FOR_UDP = "listens-for-udp"
    NOT_LISTENING = "not-listening"
    IN_HOSTS = "in-hosts"  # a line of /etc/hosts has the name and this address
    ASKS_RESOLVER = "asks-resolver"  # for IPv6 addresses
    ASKS_NO_RESOLVER = "asks-no-resolver"
    NO_RESOLVER = "no-resolver"
    RESOLVER_UNROUTED = "resolver-unrouted"
    RESOLVER_PRIVATE = "resolver-private"
    RESOLVER_HERE = "resolver-here"
    RESOLVER_PUBLIC = "resolver-public"
    NOT_READ = "not-read"


# A cause is left out without this.
NEEDS = {
    Cause.OTHER_NETWORK: Circumstance.IDS_DIFFER,
    Cause.OWN_CROSS_NETWORK_ADDRESS: Circumstance.IDS_DIFFER,
    Cause.OUTSIDE: Circumstance.NO_PRIVATE_ADDRESS,
    Cause.NAME_OF_OTHER_NETWORK: Circumstance.INTERNAL_NAME,
    Cause.NO_STARTED_MACHINE: Circumstance.INTERNAL_NAME,
    Cause.OTHER_RESOLVER: Circumstance.INTERNAL_NAME,
    Cause.WRONG_ADDRESS: Circumstance.NOT_PRIVATE,
    Cause.HOSTS_LINE: Circumstance.IN_HOSTS,
    Cause.STALE_ADDRESS: Circumstance.GIVEN_ADDRESS,
    Cause.STALE_NAME: Circumstance.FOUND_ADDRESS,
    Cause.SHORT_TIMEOUT: Circumstance.SHORT_WAIT,
    Cause.OTHER_SOURCE: Circumstance.OWN_ADDRESS_NOT_USED,
    Cause.LOOPBACK_DOWN: Circumstance.LOOPBACK_DOWN,
    Cause.NO_BRACKETS: Circumstance.PORT_WITHOUT_BRACKETS,
}

# A cause is left out with one of these.
_NOT_THE_MACHINE = (
    Circumstance.REPORTED_BY_TARGET,
    Circumstance.THIS_COMPUTER,
    Circumstance.TARGET_RESPONDS,
)
_ON_THE_LINK = (
    Circumstance.TARGET_RESPONDS,
    Circumstance.TARGET_SILENT,
    Circumstance.TARGET_UNKNOWN,
)
_NOT_THIS_LINK = (
    Circumstance.OPEN_ON_ANOTHER_PORT,
    Circumstance.REPORTED_BY_TARGET,
    Circumstance.REPORTED_ON_THE_WAY,
    Circumstance.THIS_COMPUTER,
)
RULED_OUT_BY = {
    Cause.STALE_ADDRESS: _NOT_THE_MACHINE,
    Cause.STALE_NAME: (*_NOT_THE_MACHINE, Circumstance.IN_HOSTS),
    Cause.MACHINE_DOWN: _NOT_THE_MACHINE,
    Cause.HOSTS_LINE: (Circumstance.THIS_COMPUTER, Circumstance.NOT_PRIVATE),
    Cause.OWN_CROSS_NETWORK_ADDRESS: (Circumstance.INTERNAL_NAME,),
    Cause.NO_ROUTE_ON_THE_WAY: (
        Circumstance.REPORTED_BY_TARGET,
        Circumstance.REPORTED_HERE,
        Circumstance.THIS_COMPUTER,
        *_ON_THE_LINK,
    ),
    Cause.NO_ROUTE_BACK: (Circumstance.THIS_COMPUTER,),
    Cause.NEXT_HOP_SILENT: (*_NOT_THIS_LINK, Circumstance.NEXT_HOP_RESPONDS, *_ON_THE_LINK),
    Cause.INTERFACE_DOWN: (*_NOT_THIS_LINK, Circumstance.LINK_UP),
    Cause.LOST: (Circumstance.THIS_COMPUTER,),
    Cause.SMALL_HOP_LIMIT: (Circumstance.LARGE_HOP_LIMIT,),
    Cause.IPV6_OFF: (Circumstance.IPV6_ON,),
    Cause.LISTENS_ELSEWHERE: (
        Circumstance.LISTENS_HERE,
        Circumstance.LISTENS_FOR_UDP,
        Circumstance.NOT_LISTENING,
    ),
    Cause.NOT_LISTENING: (Circumstance.LISTENS_HERE, Circumstance.LISTENS_ELSEWHERE),
    Cause.UDP_ONLY: (
        Circumstance.LISTENS_HERE,
        Circumstance.LISTENS_ELSEWHERE,
        Circumstance.NOT_LISTENING,
    ),
    Cause.LOOKUP_CONFIGURATION: (Circumstance.ASKS_RESOLVER,),
    Cause.OTHER_RESOLVER: (Circumstance.RESOLVER_PRIVATE,),
    Cause.RESOLVER_ERROR: (Circumstance.RESOLVER_UNROUTED,),
    Cause.RESOLVER_FIREWALL: (Circumstance.RESOLVER_UNROUTED,),
}

# A cause comes first with one of these.
FIRST_WITH = {
    Cause.INTERFACE_DOWN: (Circumstance.LINK_DOWN, Circumstance.NO_CARRIER),
    Cause.NEXT_HOP_SILENT: (Circumstance.NEXT_HOP_SILENT,),
    Cause.MACHINE_DOWN: (Circumstance.TARGET_SILENT,),
    Cause.FIREWALL_REJECTS: (Circumstance.REPORTED_HERE, Circumstance.LISTENS_HERE),
    Cause.NO_IPV6_RECORD: (Circumstance.IN_HOSTS,),
    Cause.SMALL_HOP_LIMIT: (Circumstance.SMALL_HOP_LIMIT,),
    Cause.IPV6_OFF: (Circumstance.IPV6_OFF,),
    Cause.LOOPBACK_DOWN: (Circumstance.LOOPBACK_DOWN,),
    Cause.UDP_ONLY: (Circumstance.LISTENS_FOR_UDP,),
    Cause.LOOKUP_CONFIGURATION: (Circumstance.ASKS_NO_RESOLVER,),
    Cause.RESOLVER_UNREACHABLE: (Circumstance.NO_RESOLVER, Circumstance.RESOLVER_UNROUTED),
}

# A cause comes last with one of these. After a handshake on another port, these are unlikely, but
# a proxy may have completed it.
_UNLIKELY = (Circumstance.OPEN_ON_ANOTHER_PORT,)
LAST_WITH = {
    Cause.STALE_ADDRESS: _UNLIKELY,
    Cause.STALE_NAME: _UNLIKELY,
    Cause.MACHINE_DOWN: _UNLIKELY,
    Cause.OWN_CROSS_NETWORK_ADDRESS: _UNLIKELY,
    Cause.NO_ROUTE_ON_THE_WAY: _UNLIKELY,
    Cause.NO_ROUTE_BACK: _UNLIKELY,
    Cause.OTHER_RESOLVER: (Circumstance.RESOLVER_HERE,),
}


def causes_of(evidence: Evidence, circumstances: AbstractSet[Circumstance]) -> tuple[Cause, ...]:
    """Return the causes that fit, the likeliest first.

    Args:
        evidence: what was seen.
        circumstances: what else is known.
    """
    first = []
    others = []
    last = []
    for cause in CAUSES_OF[evidence]:
        needed = NEEDS.get(cause)
        if needed is not None and needed not in circumstances:
            continue
        if not circumstances.isdisjoint(RULED_OUT_BY.get(cause, ())):
            continue
        if not circumstances.isdisjoint(LAST_WITH.get(cause, ())):
            last.append(cause)
        elif not circumstances.isdisjoint(FIRST_WITH.get(cause, ())):
            first.append(cause)
        else:
            others.append(cause)
    if Cause.OTHER_NETWORK in others:
        others.remove(Cause.OTHER_NETWORK)
        first.insert(0, Cause.OTHER_NETWORK)
    return (*first, *others, *last)
