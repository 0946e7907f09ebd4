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
from probe_exclusions import (
    BY_ROUTER,
    BY_SOURCE,
    EQUAL_IDS,
    NO_OWN_ID,
    ON_INTERFACE,
)
from probe_situations import UNTOLD, Situation, by_a_name, check

from fdaa.explain import Cause
from fdaa.lines import Evidence

if TYPE_CHECKING:
    from lab import Lab

pytestmark = pytest.mark.slow


def by_a_route(kind: str, evidence: Evidence, cause: Cause) -> Situation:
    return Situation(f"a route here: {kind}", (f"[{ROUTES[kind]}]:80",), evidence, cause)


SITUATIONS = [
    # This computer.
    Situation(
        "no carrier",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Evidence.TIMED_OUT,
        Cause.INTERFACE_DOWN,
        machine="unplugged",
    ),
    Situation(
        "no carrier, reported by this computer",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Evidence.ADDRESS_UNREACHABLE,
        Cause.INTERFACE_DOWN,
        (EQUAL_IDS, ON_INTERFACE, BY_SOURCE),
        machine="unplugged",
        timeout=6,
    ),
    by_a_name(
        "no carrier: a name",
        "worker",
        Evidence.RESOLVER_TIMED_OUT,
        Cause.INTERFACE_DOWN,
        machine="unplugged",
    ),
    Situation(
        "no free port",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Evidence.NO_FREE_PORT,
        Cause.PORTS_EXHAUSTED,
        machine="busy",
    ),
    Situation(
        "a route with another source",
        (f"[{FROM_PUBLIC[0]}]:80",),
        Evidence.TIMED_OUT,
        Cause.OTHER_SOURCE,
        by_documents=Cause.STALE_ADDRESS,
    ),
    Situation(
        "a route with another source, to another network",
        (f"[{FROM_PUBLIC[1]}]:80",),
        Evidence.TIMED_OUT,
        Cause.OTHER_SOURCE,
        (ON_INTERFACE,),
        by_documents=Cause.OTHER_NETWORK,
        rank=3,
    ),
    Situation(
        "a duplicate of the own address",
        (f"[{MACHINES['worker']}]:80",),
        Evidence.UNREACHABLE,
        Cause.OTHER_SOURCE,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
        machine="double",
    ),
    Situation(
        "a duplicate of the own address: another network",
        (f"[{MACHINES['reports']}]:80",),
        Evidence.UNREACHABLE,
        Cause.OTHER_SOURCE,
        (ON_INTERFACE, BY_ROUTER),
        rank=3,
        machine="double",
    ),
    Situation(
        "IPv6 switched off",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Evidence.NO_SOURCE_ADDRESS,
        Cause.IPV6_OFF,
        (NO_OWN_ID,),
        machine="off",
    ),
    Situation(
        "IPv6 switched off: a name",
        (f"worker:{OPEN}",),
        Evidence.RESOLVER_FAILED,
        Cause.IPV6_OFF,
        (NO_OWN_ID,),
        machine="off",
    ),
    Situation(
        "no route here",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Evidence.NO_ROUTE,
        Cause.NO_ROUTE_HERE,
        machine="cut",
    ),
    Situation(
        "no route here: a name",
        (f"worker:{OPEN}",),
        Evidence.RESOLVER_FAILED,
        Cause.RESOLVER_UNREACHABLE,
        machine="cut",
    ),
    Situation(
        "no IPv6",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Evidence.NO_SOURCE_ADDRESS,
        Cause.NO_IPV6_HERE,
        (NO_OWN_ID,),
        machine="bare",
    ),
    Situation(
        "interface of this computer down",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Evidence.NO_ROUTE,
        Cause.INTERFACE_DOWN,
        (NO_OWN_ID,),
        machine="asleep",
    ),
    Situation(
        "interface of this computer down: a name",
        (f"worker:{OPEN}",),
        Evidence.RESOLVER_FAILED,
        Cause.INTERFACE_DOWN,
        (NO_OWN_ID,),
        machine="asleep",
    ),
    Situation(
        "PLATFORM_PRIVATE_IP on no interface, none has a private address",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Evidence.NO_ROUTE,
        Cause.OUTSIDE,
        (NO_OWN_ID,),
        machine="elsewhere",
        own=MACHINES["web"],
    ),
    Situation(
        "PLATFORM_PRIVATE_IP on no interface, none has a private address: a name",
        (f"worker:{OPEN}",),
        Evidence.NOT_FOUND,
        Cause.OUTSIDE,
        (NO_OWN_ID,),
        machine="elsewhere",
        resolver="::1",
        own=MACHINES["web"],
    ),
    Situation(
        "PLATFORM_PRIVATE_IP on no interface, one has an address of another network",
        (f"[{MACHINES['worker']}]:80",),
        Evidence.TIMED_OUT,
        Cause.OTHER_NETWORK,
        (ON_INTERFACE,),
        machine="billing",
        own=MACHINES["web"],
    ),
    by_a_route("blackhole", Evidence.NO_ROUTE, Cause.NO_ROUTE_HERE),
    by_a_route("unreachable", Evidence.NO_ROUTE, Cause.NO_ROUTE_HERE),
    by_a_route("prohibit", Evidence.NOT_PERMITTED, Cause.FORBIDDEN_HERE),
    # Names.
    by_a_name("NXDOMAIN", "nowhere.example", Evidence.NOT_FOUND, Cause.NO_SUCH_NAME),
    by_a_name("NXDOMAIN of .internal", "missing", Evidence.NOT_FOUND, Cause.NO_SUCH_NAME, rank=3),
    by_a_name(
        "an app without a Machine",
        "idle",
        Evidence.NOT_FOUND,
        Cause.NO_STARTED_MACHINE,
        rank=2,
        by_documents=Cause.NO_STARTED_MACHINE,
    ),
    by_a_name(
        "NXDOMAIN, and a file of resolvers that is damaged",
        "nowhere.example",
        Evidence.NOT_FOUND,
        Cause.NO_SUCH_NAME,
        files={"/etc/resolv.conf": f"nameserver \0\nnameserver {RESOLVER}\n"},
    ),
    by_a_name("empty response", "empty", Evidence.NO_ADDRESS, Cause.OTHER_RECORDS, rank=3),
    by_a_name("IPv4 only", "legacy", Evidence.IPV4_ONLY, Cause.NO_IPV6_RECORD),
    by_a_name(
        "SERVFAIL",
        "servfail",
        Evidence.RESOLVER_FAILED,
        Cause.RESOLVER_ERROR,
        resolver=FAILING_RESOLVER,
    ),
    by_a_name(
        "REFUSED",
        "refused",
        Evidence.RESOLVER_FAILED,
        Cause.RESOLVER_ERROR,
        resolver=FAILING_RESOLVER,
    ),
    by_a_name(
        "FORMERR",
        "formerr",
        Evidence.NOT_FOUND,
        Cause.RESOLVER_ERROR,
        rank=UNTOLD,
        resolver=FAILING_RESOLVER,
    ),
    by_a_name(
        "SERVFAIL for IPv6 only",
        "half",
        Evidence.IPV4_ONLY,
        Cause.IPV6_LOOKUP_FAILED,
        rank=2,
        resolver=FAILING_RESOLVER,
    ),
    by_a_name(
        "no lookup of IPv6",
        "worker",
        Evidence.NO_ADDRESS,
        Cause.LOOKUP_CONFIGURATION,
        options="no-aaaa",
    ),
    by_a_name(
        "no lookup of IPv6, and an IPv4 address",
        "legacy",
        Evidence.IPV4_ONLY,
        Cause.LOOKUP_CONFIGURATION,
        options="no-aaaa",
    ),
    by_a_name(
        "no resolver is asked",
        "worker",
        Evidence.NOT_FOUND,
        Cause.LOOKUP_CONFIGURATION,
        files={"/etc/nsswitch.conf": "hosts: files\n"},
    ),
    by_a_name(
        "a wrong address: this computer",
        "worker",
        Evidence.REFUSED,
        Cause.WRONG_ADDRESS,
        files={"/etc/hosts": "::1 worker.internal\n"},
    ),
    by_a_name(
        "a wrong address: no address",
        "worker",
        Evidence.REFUSED,
        Cause.WRONG_ADDRESS,
        files={"/etc/hosts": ":: worker.internal\n"},
    ),
    by_a_name(
        "a wrong address: one of a link",
        "worker",
        Evidence.NO_ROUTE,
        Cause.WRONG_ADDRESS,
        files={"/etc/hosts": "fe80::5 worker.internal\n"},
    ),
    by_a_name(
        "a wrong address: one that is not private",
        "worker",
        Evidence.NO_ROUTE_REPORTED,
        Cause.WRONG_ADDRESS,
        files={"/etc/hosts": "2001:db8::1 worker.internal\n"},
    ),
    by_a_name(
        "a firewall of this computer drops what is for the resolver",
        "worker",
        Evidence.RESOLVER_FAILED,
        Cause.RESOLVER_FIREWALL,
        rank=3,
        resolver=BLOCKED_RESOLVER,
    ),
    by_a_name(
        "next hop to the resolver down",
        "worker",
        Evidence.RESOLVER_TIMED_OUT,
        Cause.NEXT_HOP_SILENT,
        machine="stranded",
    ),
    by_a_name(
        "next hop to the resolver down, and reported",
        "worker",
        Evidence.RESOLVER_TIMED_OUT,
        Cause.NEXT_HOP_SILENT,
        machine="stranded",
        timeout=15,
    ),
    by_a_name(
        "no one on the link has the address of the resolver",
        "worker",
        Evidence.RESOLVER_TIMED_OUT,
        Cause.RESOLVER_SILENT,
        resolver=SILENT_HOP,
    ),
    by_a_name(
        "another resolver than the platform's",
        "worker",
        Evidence.NOT_FOUND,
        Cause.OTHER_RESOLVER,
        resolver=PUBLIC_RESOLVER,
    ),
    by_a_name(
        "another resolver than the platform's, and a name without an address",
        "empty",
        Evidence.NO_ADDRESS,
        Cause.OTHER_RESOLVER,
        resolver=PUBLIC_RESOLVER,
    ),
    Situation(
        "a stale line in /etc/hosts: no Machine",
        ("worker:80",),
        Evidence.TIMED_OUT,
        Cause.HOSTS_LINE,
        files={"/etc/hosts": f"::1 localhost\n{GONE} worker.internal\n"},
    ),
    Situation(
        "a stale line in /etc/hosts: a Machine that is down",
        ("worker:80",),
        Evidence.ADDRESS_UNREACHABLE,
        Cause.HOSTS_LINE,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
        files={"/etc/hosts": f"{DEAD} worker.internal\n"},
        timeout=6,
    ),
    by_a_name(
        "a line in /etc/hosts with an IPv4 address only",
        "worker",
        Evidence.IPV4_ONLY,
        Cause.NO_IPV6_RECORD,
        files={"/etc/hosts": "10.0.0.5 worker.internal\n", "/etc/nsswitch.conf": "hosts: files\n"},
    ),
    by_a_name(
        "no resolver at its address",
        "worker",
        Evidence.RESOLVER_FAILED,
        Cause.RESOLVER_UNREACHABLE,
        rank=2,
        resolver=CLOSED_RESOLVER,
    ),
    by_a_name(
        "no resolver",
        "worker",
        Evidence.RESOLVER_FAILED,
        Cause.RESOLVER_UNREACHABLE,
        resolver="",
    ),
    by_a_name(
        "silent resolver",
        "worker",
        Evidence.RESOLVER_TIMED_OUT,
        Cause.RESOLVER_SILENT,
        resolver=NO_RESOLVER,
    ),
]


def test_the_true_cause_is_the_first_in_most_situations() -> None:
    """With those of test_matrix.py, in 70 at least."""
    assert len(SITUATIONS) >= 45
    assert sum(row.rank == 1 for row in SITUATIONS) >= 35


@pytest.mark.parametrize("row", SITUATIONS, ids=[row.situation for row in SITUATIONS])
def test_the_true_cause_is_printed_and_none_that_is_excluded(
    networks: Lab, options: list[str], row: Situation
) -> None:
    check(networks, options, row)
