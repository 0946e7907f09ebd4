"""The matrix of test_matrix.py, for what is broken in this computer or in its lookups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lab_plan import (
    BLOCKED_RESOLVER,
    CLOSED_RESOLVER,
    DEAD,
    FAILING_RESOLVER,
    FROM_PUBLIC,
    GONE,
    MACHINES,
    NO_RESOLVER,
    OPEN,
    PUBLIC_RESOLVER,
    RESOLVER,
    ROUTES,
    SILENT_HOP,
)
from probe_situations import Cause, Situation, by_a_name, check

from fdaa.lines import Phase

if TYPE_CHECKING:
    from lab import Lab

pytestmark = pytest.mark.slow


def by_a_route(kind: str, phase: Phase, cause: Cause) -> Situation:
    return Situation(f"a route here: {kind}", (f"[{ROUTES[kind]}]:80",), phase, cause)


SITUATIONS = [
    # This computer.
    Situation(
        "no carrier",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Phase.SILENT,
        Cause.INTERFACE_DOWN,
        machine="unplugged",
    ),
    Situation(
        "no carrier, reported by this computer",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Phase.UNREACHABLE,
        Cause.INTERFACE_DOWN,
        machine="unplugged",
        timeout=6,
    ),
    by_a_name(
        "no carrier: a name",
        "worker",
        Phase.LOOKUP,
        Cause.INTERFACE_DOWN,
        machine="unplugged",
    ),
    Situation(
        "no free port",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Phase.NOT_SENT,
        Cause.PORTS_EXHAUSTED,
        machine="busy",
    ),
    Situation(
        "a route with another source",
        (f"[{FROM_PUBLIC[0]}]:80",),
        Phase.SILENT,
        Cause.OTHER_SOURCE,
    ),
    Situation(
        "a route with another source, to another network",
        (f"[{FROM_PUBLIC[1]}]:80",),
        Phase.SILENT,
        Cause.OTHER_SOURCE,
    ),
    Situation(
        "a duplicate of the own address",
        (f"[{MACHINES['worker']}]:80",),
        Phase.UNREACHABLE,
        Cause.OTHER_SOURCE,
        machine="double",
    ),
    Situation(
        "a duplicate of the own address: another network",
        (f"[{MACHINES['reports']}]:80",),
        Phase.UNREACHABLE,
        Cause.OTHER_SOURCE,
        machine="double",
    ),
    Situation(
        "IPv6 switched off",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Phase.NOT_SENT,
        Cause.IPV6_OFF,
        machine="off",
    ),
    Situation(
        "IPv6 switched off: a name",
        (f"worker:{OPEN}",),
        Phase.LOOKUP,
        Cause.IPV6_OFF,
        machine="off",
    ),
    Situation(
        "no route here",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Phase.NOT_SENT,
        Cause.NO_ROUTE_HERE,
        machine="cut",
    ),
    Situation(
        "no route here: a name",
        (f"worker:{OPEN}",),
        Phase.LOOKUP,
        Cause.RESOLVER_UNREACHABLE,
        machine="cut",
    ),
    Situation(
        "no IPv6",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Phase.NOT_SENT,
        Cause.NO_IPV6_HERE,
        machine="bare",
    ),
    Situation(
        "interface of this computer down",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Phase.NOT_SENT,
        Cause.INTERFACE_DOWN,
        machine="asleep",
    ),
    Situation(
        "interface of this computer down: a name",
        (f"worker:{OPEN}",),
        Phase.LOOKUP,
        Cause.INTERFACE_DOWN,
        machine="asleep",
    ),
    Situation(
        "PLATFORM_PRIVATE_IP on no interface, none has a private address",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Phase.NOT_SENT,
        Cause.OUTSIDE,
        machine="elsewhere",
        own=MACHINES["web"],
    ),
    Situation(
        "PLATFORM_PRIVATE_IP on no interface, none has a private address: a name",
        (f"worker:{OPEN}",),
        Phase.LOOKUP,
        Cause.OUTSIDE,
        machine="elsewhere",
        resolver="::1",
        own=MACHINES["web"],
    ),
    Situation(
        "PLATFORM_PRIVATE_IP on no interface, one has an address of another network",
        (f"[{MACHINES['worker']}]:80",),
        Phase.SILENT,
        Cause.OTHER_NETWORK,
        machine="billing",
        own=MACHINES["web"],
    ),
    by_a_route("blackhole", Phase.NOT_SENT, Cause.NO_ROUTE_HERE),
    by_a_route("unreachable", Phase.NOT_SENT, Cause.NO_ROUTE_HERE),
    by_a_route("prohibit", Phase.NOT_SENT, Cause.FORBIDDEN_HERE),
    # Names.
    by_a_name("NXDOMAIN", "nowhere.example", Phase.LOOKUP, Cause.NO_SUCH_NAME),
    by_a_name("NXDOMAIN of .internal", "missing", Phase.LOOKUP, Cause.NO_SUCH_NAME),
    by_a_name(
        "an app without a Machine",
        "idle",
        Phase.LOOKUP,
        Cause.NO_STARTED_MACHINE,
    ),
    by_a_name(
        "NXDOMAIN, and a file of resolvers that is damaged",
        "nowhere.example",
        Phase.LOOKUP,
        Cause.NO_SUCH_NAME,
        files={"/etc/resolv.conf": f"nameserver \0\nnameserver {RESOLVER}\n"},
    ),
    by_a_name("empty response", "empty", Phase.LOOKUP, Cause.OTHER_RECORDS),
    by_a_name("IPv4 only", "legacy", Phase.LOOKUP, Cause.NO_IPV6_RECORD),
    by_a_name(
        "SERVFAIL",
        "servfail",
        Phase.LOOKUP,
        Cause.RESOLVER_ERROR,
        resolver=FAILING_RESOLVER,
    ),
    by_a_name(
        "REFUSED",
        "refused",
        Phase.LOOKUP,
        Cause.RESOLVER_ERROR,
        resolver=FAILING_RESOLVER,
    ),
    by_a_name(
        "FORMERR",
        "formerr",
        Phase.LOOKUP,
        Cause.RESOLVER_ERROR,
        resolver=FAILING_RESOLVER,
    ),
    by_a_name(
        "SERVFAIL for IPv6 only",
        "half",
        Phase.LOOKUP,
        Cause.IPV6_LOOKUP_FAILED,
        resolver=FAILING_RESOLVER,
    ),
    by_a_name(
        "no lookup of IPv6",
        "worker",
        Phase.LOOKUP,
        Cause.LOOKUP_CONFIGURATION,
        options="no-aaaa",
    ),
    by_a_name(
        "no lookup of IPv6, and an IPv4 address",
        "legacy",
        Phase.LOOKUP,
        Cause.LOOKUP_CONFIGURATION,
        options="no-aaaa",
    ),
    by_a_name(
        "no resolver is asked",
        "worker",
        Phase.LOOKUP,
        Cause.LOOKUP_CONFIGURATION,
        files={"/etc/nsswitch.conf": "hosts: files\n"},
    ),
    by_a_name(
        "a wrong address: this computer",
        "worker",
        Phase.REFUSED,
        Cause.WRONG_ADDRESS,
        files={"/etc/hosts": "::1 worker.internal\n"},
    ),
    by_a_name(
        "a wrong address: no address",
        "worker",
        Phase.REFUSED,
        Cause.WRONG_ADDRESS,
        files={"/etc/hosts": ":: worker.internal\n"},
    ),
    by_a_name(
        "a wrong address: one of a link",
        "worker",
        Phase.NOT_SENT,
        Cause.WRONG_ADDRESS,
        files={"/etc/hosts": "fe80::5 worker.internal\n"},
    ),
    by_a_name(
        "a wrong address: one that is not private",
        "worker",
        Phase.UNREACHABLE,
        Cause.WRONG_ADDRESS,
        files={"/etc/hosts": "2001:db8::1 worker.internal\n"},
    ),
    by_a_name(
        "a firewall of this computer drops what is for the resolver",
        "worker",
        Phase.LOOKUP,
        Cause.RESOLVER_FIREWALL,
        resolver=BLOCKED_RESOLVER,
    ),
    by_a_name(
        "next hop to the resolver down",
        "worker",
        Phase.LOOKUP,
        Cause.NEXT_HOP_SILENT,
        machine="stranded",
    ),
    by_a_name(
        "next hop to the resolver down, and reported",
        "worker",
        Phase.LOOKUP,
        Cause.NEXT_HOP_SILENT,
        machine="stranded",
        timeout=15,
    ),
    by_a_name(
        "no one on the link has the address of the resolver",
        "worker",
        Phase.LOOKUP,
        Cause.RESOLVER_SILENT,
        resolver=SILENT_HOP,
    ),
    by_a_name(
        "another resolver than the platform's",
        "worker",
        Phase.LOOKUP,
        Cause.OTHER_RESOLVER,
        resolver=PUBLIC_RESOLVER,
    ),
    by_a_name(
        "another resolver than the platform's, and a name without an address",
        "empty",
        Phase.LOOKUP,
        Cause.OTHER_RESOLVER,
        resolver=PUBLIC_RESOLVER,
    ),
    Situation(
        "a stale line in /etc/hosts: no Machine",
        ("worker:80",),
        Phase.SILENT,
        Cause.HOSTS_LINE,
        files={"/etc/hosts": f"::1 localhost\n{GONE} worker.internal\n"},
    ),
    Situation(
        "a stale line in /etc/hosts: a Machine that is down",
        ("worker:80",),
        Phase.UNREACHABLE,
        Cause.HOSTS_LINE,
        files={"/etc/hosts": f"{DEAD} worker.internal\n"},
        timeout=6,
    ),
    by_a_name(
        "a line in /etc/hosts with an IPv4 address only",
        "worker",
        Phase.LOOKUP,
        Cause.NO_IPV6_RECORD,
        files={"/etc/hosts": "10.0.0.5 worker.internal\n", "/etc/nsswitch.conf": "hosts: files\n"},
    ),
    by_a_name(
        "no resolver at its address",
        "worker",
        Phase.LOOKUP,
        Cause.RESOLVER_UNREACHABLE,
        resolver=CLOSED_RESOLVER,
    ),
    by_a_name(
        "no resolver",
        "worker",
        Phase.LOOKUP,
        Cause.RESOLVER_UNREACHABLE,
        resolver="",
    ),
    by_a_name(
        "silent resolver",
        "worker",
        Phase.LOOKUP,
        Cause.RESOLVER_SILENT,
        resolver=NO_RESOLVER,
    ),
]


@pytest.mark.parametrize("row", SITUATIONS, ids=[row.situation for row in SITUATIONS])
def test_the_true_cause_is_printed_and_none_that_is_excluded(
    networks: Lab, options: list[str], row: Situation
) -> None:
    check(networks, options, row)
