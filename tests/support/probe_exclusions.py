"""An oracle for probes: which causes are excluded by what was seen, and why.

It says nothing of which cause is printed: it follows from TCP, ICMPv6 and DNS alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa import Address
from fdaa.explain import Cause, explain_conclusion
from fdaa.lines import Circumstance, Evidence
from fdaa.probe import Conclusion, Connection, Target, ThisComputer

if TYPE_CHECKING:
    from collections.abc import Iterable

_LISTENER = (Cause.LISTENS_ELSEWHERE, Cause.NOT_LISTENING, Cause.UDP_ONLY)
_SILENCE = (Cause.FIREWALL_DROPS, Cause.ACCEPT_QUEUE_FULL, Cause.LOST)
_MACHINE = (Cause.STALE_ADDRESS, Cause.STALE_NAME, Cause.MACHINE_DOWN)
_HERE = (
    Cause.IPV6_OFF,
    Cause.NO_ROUTE_HERE,
    Cause.NO_IPV6_HERE,
    Cause.FORBIDDEN_HERE,
    Cause.PORTS_EXHAUSTED,
    Cause.LIMIT,
)
_REFUSAL = (Cause.FIREWALL_REJECTS, Cause.RESET_BY_PROGRAM)
_REPLY = (*_REFUSAL, Cause.NO_ROUTE_ON_THE_WAY, Cause.NEXT_HOP_SILENT)
_HOPS = (Cause.ROUTING_LOOP, Cause.SMALL_HOP_LIMIT)
_LINK = (Cause.NEXT_HOP_SILENT, Cause.INTERFACE_DOWN)

# Evidence -> the causes that it excludes, and why.
RST_CAME_BACK = "a RST came back from the address"
ICMP_CAME_BACK = "ICMPv6 came back; a closed port is a RST (RFC 9293, section 3.10.7.1)"
NOTHING_SENT = "the system sent nothing"
NO_LINK_ERROR = "a resolver that is not reached is EAI_AGAIN"
SILENT_TOO_SOON = "silence takes a second at least"
_OPEN = Connection(
    target=Target.parse("[fdaa::3]:53"),
    address=Address("fdaa::3"),
    evidence=Evidence.OPEN,
    seconds=0.0,
)
_CONCLUSION = Conclusion(
    _OPEN.target, lookup=None, connections=(_OPEN,), is_open=True, observations=()
)
NOT_TESTED = tuple(
    cause.cause for cause in explain_conclusion(_CONCLUSION, ThisComputer()).not_tested
)
EXCLUDED: dict[Evidence, dict[str, tuple[Cause, ...]]] = {
    Evidence.OPEN: {"the port is open": tuple(set(Cause) - set(NOT_TESTED))},
    Evidence.RESET: {
        "the handshake was completed": (*_LISTENER, *_MACHINE, *_HERE, *_LINK, *_HOPS),
        "a RST came back": (Cause.FIREWALL_DROPS, Cause.LOST),
    },
    Evidence.REFUSED: {
        RST_CAME_BACK: (
            *_SILENCE,
            *_MACHINE,
            *_HERE,
            *_LINK,
            *_HOPS,
            Cause.NO_ROUTE_ON_THE_WAY,
            Cause.NO_ROUTE_BACK,
        )
    },
    Evidence.PORT_UNREACHABLE: {ICMP_CAME_BACK: (*_LISTENER, *_SILENCE, *_MACHINE, *_HERE, *_HOPS)},
    Evidence.PROHIBITED: {ICMP_CAME_BACK: (*_LISTENER, *_SILENCE, *_MACHINE, *_HERE, *_HOPS)},
    Evidence.NO_ROUTE_REPORTED: {ICMP_CAME_BACK: (*_LISTENER, *_SILENCE, *_HERE, *_HOPS)},
    Evidence.ADDRESS_UNREACHABLE: {ICMP_CAME_BACK: (*_LISTENER, *_SILENCE, *_HERE, *_HOPS)},
    Evidence.UNREACHABLE: {ICMP_CAME_BACK: (*_LISTENER, *_SILENCE, *_HERE, *_HOPS)},
    Evidence.HOP_LIMIT_EXCEEDED: {
        ICMP_CAME_BACK: (*_LISTENER, *_SILENCE, *_HERE, *_LINK),
        "no firewall sends it": _REFUSAL,
        "no router discarded the packet for another reason": (
            *_MACHINE,
            Cause.NO_ROUTE_ON_THE_WAY,
            Cause.NO_ROUTE_BACK,
        ),
    },
    Evidence.TIMED_OUT: {"nothing came back": (*_LISTENER, *_REFUSAL, *_HERE, *_HOPS)},
    Evidence.NO_SOURCE_ADDRESS: {
        NOTHING_SENT: (*_LISTENER, *_SILENCE, *_MACHINE, *_REPLY, *_HOPS),
        "a datagram has no address to be sent from either": (Cause.LIMIT, Cause.PORTS_EXHAUSTED),
    },
    Evidence.NO_FREE_PORT: {
        NOTHING_SENT: (*_LISTENER, *_SILENCE, *_MACHINE, *_REPLY),
        "there is a route, and an address to connect from": (
            Cause.NO_ROUTE_HERE,
            Cause.NO_IPV6_HERE,
            Cause.INTERFACE_DOWN,
            Cause.FORBIDDEN_HERE,
        ),
    },
    Evidence.NO_ROUTE: {NOTHING_SENT: (*_LISTENER, *_SILENCE, *_MACHINE, *_REPLY)},
    Evidence.NOT_PERMITTED: {NOTHING_SENT: (*_LISTENER, *_SILENCE, *_MACHINE, *_REPLY)},
    Evidence.NOT_FOUND: {
        NO_LINK_ERROR: (Cause.RESOLVER_SILENT, Cause.RESOLVER_UNREACHABLE),
        "the name does not exist": (Cause.OTHER_RECORDS, Cause.NO_IPV6_RECORD),
    },
    Evidence.NO_ADDRESS: {
        NO_LINK_ERROR: (Cause.RESOLVER_SILENT, Cause.RESOLVER_UNREACHABLE),
        "the name exists": (Cause.NO_SUCH_NAME,),
    },
    Evidence.IPV4_ONLY: {
        NO_LINK_ERROR: (Cause.RESOLVER_SILENT, Cause.RESOLVER_UNREACHABLE),
        "the name has an address": (Cause.NO_SUCH_NAME, Cause.NO_STARTED_MACHINE),
    },
    Evidence.RESOLVER_FAILED: {
        SILENT_TOO_SOON: (Cause.RESOLVER_SILENT,),
        "no name was resolved": (Cause.NO_SUCH_NAME, Cause.NO_STARTED_MACHINE),
    },
    Evidence.RESOLVER_TIMED_OUT: {
        "a firewall's rejection would come at once": (Cause.RESOLVER_FIREWALL,),
        "no name was resolved": (Cause.NO_SUCH_NAME, Cause.NO_STARTED_MACHINE),
    },
}

# What else was seen -> the causes that it excludes.
EQUAL_IDS = "the network IDs of both ends are equal"
ON_INTERFACE = "an interface has a private address"
OWN_SOURCE = "the system connects from its private address"
PRIVATE = "the address is private"
SECONDS = "the timeout was about a second at least"
HERE = "this computer has the address"
BY_TARGET = "the ICMPv6 message came from the target"
BY_SOURCE = "the ICMPv6 message came from this computer"
BY_ROUTER = "the ICMPv6 message came from a router"
NO_OWN_ID = "the network of this computer is not known"
SEEN: dict[str, tuple[Cause, ...]] = {
    EQUAL_IDS: (Cause.OTHER_NETWORK, Cause.OWN_CROSS_NETWORK_ADDRESS),
    ON_INTERFACE: (Cause.OUTSIDE,),
    OWN_SOURCE: (Cause.OTHER_SOURCE, Cause.NO_IPV6_HERE, Cause.IPV6_OFF),
    PRIVATE: (Cause.WRONG_ADDRESS,),
    SECONDS: (Cause.SHORT_TIMEOUT,),
    HERE: (
        *_MACHINE,
        *_LINK,
        Cause.NO_ROUTE_ON_THE_WAY,
        Cause.NO_ROUTE_BACK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.HOSTS_LINE,
        Cause.LOST,
    ),
    BY_TARGET: (*_MACHINE, *_LINK, Cause.NO_ROUTE_ON_THE_WAY),
    BY_SOURCE: (Cause.NO_ROUTE_ON_THE_WAY,),
    BY_ROUTER: _LINK,
    NO_OWN_ID: (Cause.OTHER_NETWORK, Cause.OWN_CROSS_NETWORK_ADDRESS),
    # What was read on this computer.
    Circumstance.LINK_UP: (Cause.INTERFACE_DOWN,),
    Circumstance.NEXT_HOP_RESPONDS: (Cause.NEXT_HOP_SILENT, Cause.INTERFACE_DOWN),
    Circumstance.TARGET_SILENT: (Cause.NEXT_HOP_SILENT, Cause.NO_ROUTE_ON_THE_WAY),
    Circumstance.TARGET_RESPONDS: (*_MACHINE, *_LINK, Cause.NO_ROUTE_ON_THE_WAY),
    Circumstance.LARGE_HOP_LIMIT: (Cause.SMALL_HOP_LIMIT,),
    Circumstance.IPV6_ON: (Cause.IPV6_OFF,),
    Circumstance.LOOPBACK_UP: (Cause.LOOPBACK_DOWN,),
    Circumstance.LISTENS_HERE: _LISTENER,
    Circumstance.LISTENS_ELSEWHERE: (Cause.NOT_LISTENING, Cause.UDP_ONLY),
    Circumstance.LISTENS_FOR_UDP: (Cause.LISTENS_ELSEWHERE,),
    Circumstance.NOT_LISTENING: (Cause.LISTENS_ELSEWHERE, Cause.UDP_ONLY),
    Circumstance.ASKS_RESOLVER: (Cause.LOOKUP_CONFIGURATION,),
    Circumstance.RESOLVER_PRIVATE: (Cause.OTHER_RESOLVER,),
    Circumstance.RESOLVER_UNROUTED: (Cause.RESOLVER_ERROR, Cause.RESOLVER_FIREWALL),
}


def wrong_causes(
    evidence: Evidence, seen: Iterable[str], causes: Iterable[Cause]
) -> dict[str, set[Cause]]:
    """Return the causes that are excluded, by what excludes them.

    Args:
        evidence: the evidence.
        seen: what else was seen: keys of `SEEN`.
        causes: the causes that are printed.
    """
    reasons = {**EXCLUDED[evidence]}
    for fact in seen:
        reasons[fact] = SEEN.get(fact, ())
    wrong = {}
    for reason, excluded in reasons.items():
        found = set(causes).intersection(excluded)
        if found:
            wrong[reason] = found
    return wrong
