"""An oracle for probes: which causes are excluded by what was seen, and why.

It says nothing of which cause is printed: it follows from TCP, ICMPv6 and DNS alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa.probe import NOT_TESTED, Cause, Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable

_LISTENER = (Cause.LISTENS_ELSEWHERE, Cause.NOT_LISTENING, Cause.UDP_ONLY)
_SILENCE = (Cause.FIREWALL_DROPS, Cause.ACCEPT_QUEUE_FULL, Cause.LOST)
_MACHINE = (Cause.STALE_ADDRESS, Cause.STALE_NAME, Cause.MACHINE_DOWN)
_HERE = (
    Cause.NO_ROUTE_HERE,
    Cause.INTERFACE_DOWN,
    Cause.NO_IPV6_HERE,
    Cause.FORBIDDEN_HERE,
    Cause.LIMIT,
)
_REFUSAL = (Cause.FIREWALL_REJECTS, Cause.RESET_BY_PROGRAM)
_REPLY = (*_REFUSAL, Cause.NO_ROUTE_ON_THE_WAY, Cause.NEXT_HOP_SILENT)

# Evidence -> the causes that it excludes, and why.
RST_CAME_BACK = "a RST came back from the address"
ICMP_CAME_BACK = "ICMPv6 came back; a closed port is a RST (RFC 9293, section 3.10.7.1)"
NOTHING_SENT = "the system sent nothing"
SILENT_TOO_SOON = "silence takes a second at least"
EXCLUDED: dict[Evidence, dict[str, tuple[Cause, ...]]] = {
    Evidence.OPEN: {"the port is open": tuple(set(Cause) - {*NOT_TESTED})},
    Evidence.RESET: {
        "the handshake was completed": (*_LISTENER, *_MACHINE, *_HERE),
        "a RST came back": (Cause.FIREWALL_DROPS, Cause.LOST),
    },
    Evidence.REFUSED: {RST_CAME_BACK: (*_SILENCE, *_MACHINE, *_HERE, Cause.NO_ROUTE_ON_THE_WAY)},
    Evidence.PORT_UNREACHABLE: {ICMP_CAME_BACK: (*_LISTENER, *_SILENCE, *_MACHINE, *_HERE)},
    Evidence.PROHIBITED: {ICMP_CAME_BACK: (*_LISTENER, *_SILENCE, *_MACHINE, *_HERE)},
    Evidence.UNREACHABLE: {ICMP_CAME_BACK: (*_LISTENER, *_SILENCE, *_HERE)},
    Evidence.TIMED_OUT: {"nothing came back": (*_LISTENER, *_REFUSAL, *_HERE)},
    Evidence.NO_ROUTE: {NOTHING_SENT: (*_LISTENER, *_SILENCE, *_MACHINE, *_REPLY)},
    Evidence.NOT_PERMITTED: {NOTHING_SENT: (*_LISTENER, *_SILENCE, *_MACHINE, *_REPLY)},
    Evidence.NOT_FOUND: {
        "the resolver responded": (Cause.RESOLVER_SILENT, Cause.RESOLVER_UNREACHABLE),
        "the name does not exist": (Cause.OTHER_RECORDS, Cause.NO_IPV6_RECORD),
    },
    Evidence.NO_ADDRESS: {
        "the resolver responded": (Cause.RESOLVER_SILENT, Cause.RESOLVER_UNREACHABLE),
        "the name exists": (Cause.NO_SUCH_NAME,),
    },
    Evidence.IPV4_ONLY: {
        "the resolver responded": (Cause.RESOLVER_SILENT, Cause.RESOLVER_UNREACHABLE),
        "the name has an address": (Cause.NO_SUCH_NAME, Cause.NO_STARTED_MACHINE),
    },
    Evidence.RESOLVER_FAILED: {
        SILENT_TOO_SOON: (Cause.RESOLVER_SILENT,),
        "no name was resolved": (Cause.NO_SUCH_NAME, Cause.NO_STARTED_MACHINE),
    },
    Evidence.RESOLVER_TIMED_OUT: {
        "an error would come at once": (Cause.RESOLVER_UNREACHABLE,),
        "no name was resolved": (Cause.NO_SUCH_NAME, Cause.NO_STARTED_MACHINE),
    },
}

# What else was seen -> the causes that it excludes.
EQUAL_IDS = "the network IDs of both ends are equal"
ON_INTERFACE = "an interface has a private address"
BY_TARGET = "the ICMPv6 message came from the target"
BY_SOURCE = "the ICMPv6 message came from this computer"
BY_ROUTER = "the ICMPv6 message came from a router"
NO_OWN_ID = "the network of this computer is not known"
SEEN: dict[str, tuple[Cause, ...]] = {
    EQUAL_IDS: (Cause.OTHER_NETWORK,),
    ON_INTERFACE: (Cause.OUTSIDE,),
    BY_TARGET: (Cause.NEXT_HOP_SILENT, Cause.NO_ROUTE_ON_THE_WAY),
    BY_SOURCE: (Cause.NO_ROUTE_ON_THE_WAY,),
    BY_ROUTER: (Cause.NEXT_HOP_SILENT,),
    NO_OWN_ID: (Cause.OTHER_NETWORK, Cause.OWN_CROSS_NETWORK_ADDRESS),
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
        reasons[fact] = SEEN[fact]
    wrong = {}
    for reason, excluded in reasons.items():
        found = {*causes}.intersection(excluded)
        if found:
            wrong[reason] = found
    return wrong
