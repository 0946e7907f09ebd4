"""What is printed in each situation, on networks that are broken on purpose.

Each row is asked for by address and by name, with documents and without. The true cause is always
among those that are printed, and none is printed that is excluded by what was seen.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import schemas
from lab import (
    ABSENT_HOP,
    ALLOCATED,
    BLOCKED_RESOLVER,
    BOUNDARY,
    CLOSED,
    CLOSED_RESOLVER,
    CLOSING,
    DEAD,
    FAILING_RESOLVER,
    FAR,
    FROM_PUBLIC,
    FULL,
    GONE,
    IPV4_ONLY,
    LOOPBACK_4,
    LOOPBACK_6,
    LOOPED,
    MACHINES,
    NO_RESOLVER,
    ONE_WAY,
    OPEN,
    PORTS,
    PROXIED,
    RESET,
    RESETTING,
    RESOLVER,
    ROUTES,
    SILENT_HOP,
    SMALL_MTU,
    STOPPED,
    UDP,
    UNROUTED,
)
from probe_exclusions import (
    BY_ROUTER,
    BY_SOURCE,
    BY_TARGET,
    EQUAL_IDS,
    HERE,
    NO_OWN_ID,
    ON_INTERFACE,
    OWN_SOURCE,
    PRIVATE,
    SECONDS,
    wrong_causes,
)

from fdaa.probe import NOT_TESTED, Cause, Evidence

if TYPE_CHECKING:
    from lab import Lab

pytestmark = pytest.mark.slow

_BY = {"target": BY_TARGET, "source": BY_SOURCE, "way": BY_ROUTER}


class Situation(NamedTuple):
    """A row of the matrix.

    Args:
        situation: what is broken.
        targets: the target, by address and by name.
        evidence: what is seen.
        cause: the true cause; None where nothing is broken.
        seen: what else is seen, and excludes causes.
        first: the first cause, where the IDs decide it.
        by_documents: the first cause but for that, where documents decide it.
        machine: where the command runs.
        resolver: the resolver there.
        own: PLATFORM_PRIVATE_IP there, where it is not the address of the Machine.
        timeout: seconds.
        files: texts of system files there, by path.
        options: RES_OPTIONS there (resolv.conf(5)).
    """

    situation: str
    targets: tuple[str, ...]
    evidence: Evidence
    cause: Cause | None
    seen: tuple[str, ...] = (EQUAL_IDS, ON_INTERFACE)
    first: Cause | None = None
    by_documents: Cause | None = None
    machine: str = "web"
    resolver: str = RESOLVER
    own: str | None = None
    timeout: float = 1.0
    files: dict[str, str] | None = None
    options: str = ""


def worker(port: int) -> tuple[str, ...]:
    return (f"[{MACHINES['worker']}]:{port}", f"worker:{port}")


def reports(port: int) -> tuple[str, ...]:
    return (f"[{MACHINES['reports']}]:{port}", f"reports.example:{port}")


def at_a_port(situation: str, port: int, evidence: Evidence, cause: Cause | None) -> Situation:
    return Situation(situation, worker(port), evidence, cause)


def by_a_firewall(place: str, refusal: str) -> Situation:
    evidence = {
        "drop": Evidence.TIMED_OUT,
        "reject": Evidence.PORT_UNREACHABLE,
        "reset": Evidence.REFUSED,
        "prohibit": Evidence.PROHIBITED,
    }[refusal]
    cause = Cause.FIREWALL_REJECTS
    if refusal == "drop":
        cause = Cause.FIREWALL_DROPS
    seen: tuple[str, ...] = (EQUAL_IDS, ON_INTERFACE)
    if evidence in (Evidence.PORT_UNREACHABLE, Evidence.PROHIBITED):
        seen += (_BY[place],)
    name = f"firewall: {refusal}, at the {place}"
    return Situation(name, worker(PORTS[place, refusal]), evidence, cause, seen)


def by_the_boundary(port: int, rule: str, evidence: Evidence) -> Situation:
    cause = Cause.OTHER_NETWORK
    seen: tuple[str, ...] = (ON_INTERFACE,)
    if evidence not in (Evidence.REFUSED, Evidence.TIMED_OUT):
        seen += (BY_ROUTER,)
    name = f"another network: {rule}"
    return Situation(name, reports(port), evidence, cause, seen, first=cause)


def by_a_name(
    situation: str, name: str, evidence: Evidence, cause: Cause, **more: Any
) -> Situation:
    return Situation(situation, (f"{name}:80",), evidence, cause, (ON_INTERFACE,), **more)


def by_a_route(kind: str, evidence: Evidence, cause: Cause) -> Situation:
    return Situation(f"a route here: {kind}", (f"[{ROUTES[kind]}]:80",), evidence, cause)


SITUATIONS = [
    at_a_port("open", OPEN, Evidence.OPEN, None),
    at_a_port("stopped process", STOPPED, Evidence.OPEN, Cause.HUNG),
    at_a_port("small MTU on the way", SMALL_MTU, Evidence.OPEN, Cause.SMALL_MTU),
    at_a_port("closed", CLOSED, Evidence.REFUSED, Cause.NOT_LISTENING),
    at_a_port("on 0.0.0.0 only", IPV4_ONLY, Evidence.REFUSED, Cause.LISTENS_ELSEWHERE),
    at_a_port("on 127.0.0.1 only", LOOPBACK_4, Evidence.REFUSED, Cause.LISTENS_ELSEWHERE),
    at_a_port("on ::1 only", LOOPBACK_6, Evidence.REFUSED, Cause.LISTENS_ELSEWHERE),
    at_a_port("UDP only", UDP, Evidence.REFUSED, Cause.UDP_ONLY),
    at_a_port("full accept queue", FULL, Evidence.TIMED_OUT, Cause.ACCEPT_QUEUE_FULL),
    at_a_port("reset after the handshake", RESET, Evidence.RESET, Cause.FIREWALL_REJECTS),
    at_a_port("reset by the program", RESETTING, Evidence.RESET, Cause.RESET_BY_PROGRAM),
    at_a_port("closed by the program", CLOSING, Evidence.OPEN, Cause.HUNG),
    Situation(
        "closed, on this computer",
        (f"self:{CLOSED}", f"[{MACHINES['web']}]:{CLOSED}", f"web:{CLOSED}"),
        Evidence.REFUSED,
        Cause.NOT_LISTENING,
        (EQUAL_IDS, ON_INTERFACE, HERE),
    ),
    Situation(
        "a proxy on the way completes the handshake",
        (f"[{DEAD}]:{PROXIED}",),
        Evidence.OPEN,
        Cause.PROXY,
    ),
    # Another network.
    by_the_boundary(80, "drop", Evidence.TIMED_OUT),
    by_the_boundary(3040, BOUNDARY[3040], Evidence.PORT_UNREACHABLE),
    by_the_boundary(3041, BOUNDARY[3041], Evidence.REFUSED),
    by_the_boundary(3042, BOUNDARY[3042], Evidence.PROHIBITED),
    by_the_boundary(3043, BOUNDARY[3043], Evidence.UNREACHABLE),
    by_the_boundary(3044, BOUNDARY[3044], Evidence.UNREACHABLE),
    by_a_name(
        "another network: its name",
        "reports",
        Evidence.NOT_FOUND,
        Cause.NAME_OF_OTHER_NETWORK,
        by_documents=Cause.NAME_OF_OTHER_NETWORK,
    ),
    Situation(
        "cross-network address, from the network of its app",
        (f"[{ALLOCATED}]:{OPEN}",),
        Evidence.TIMED_OUT,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        (ON_INTERFACE,),
        first=Cause.OTHER_NETWORK,
        by_documents=Cause.OWN_CROSS_NETWORK_ADDRESS,
        machine="billing",
    ),
    # A Machine that does not respond.
    Situation(
        "dead Machine, dropped by the router",
        (f"[{GONE}]:80",),
        Evidence.TIMED_OUT,
        Cause.STALE_ADDRESS,
        by_documents=Cause.STALE_ADDRESS,
    ),
    Situation(
        "dead Machine, dropped by the router: its name",
        ("gone:80",),
        Evidence.TIMED_OUT,
        Cause.STALE_NAME,
        by_documents=Cause.STALE_NAME,
    ),
    Situation(
        "dead Machine, reported by the router",
        (f"[{DEAD}]:80",),
        Evidence.UNREACHABLE,
        Cause.STALE_ADDRESS,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
        by_documents=Cause.STALE_ADDRESS,
        timeout=6,
    ),
    Situation(
        "dead Machine, reported by the router: its name",
        ("dead:80",),
        Evidence.UNREACHABLE,
        Cause.STALE_NAME,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
        by_documents=Cause.STALE_NAME,
        timeout=6,
    ),
    Situation(
        "interface of the target down",
        (f"[{MACHINES['asleep']}]:{OPEN}", f"asleep:{OPEN}"),
        Evidence.UNREACHABLE,
        Cause.MACHINE_DOWN,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
        timeout=6,
    ),
    # The way.
    Situation(
        "no route on the way, dropped by the router",
        (f"[{GONE}]:80", "gone:80"),
        Evidence.TIMED_OUT,
        Cause.NO_ROUTE_ON_THE_WAY,
    ),
    Situation(
        "no route on the way, reported by the router",
        (f"[{UNROUTED}]:80",),
        Evidence.UNREACHABLE,
        Cause.NO_ROUTE_ON_THE_WAY,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
    ),
    Situation(
        "next hop down, reported by this computer",
        (f"[{SILENT_HOP}]:80",),
        Evidence.UNREACHABLE,
        Cause.NEXT_HOP_SILENT,
        (EQUAL_IDS, ON_INTERFACE, BY_SOURCE),
        timeout=6,
    ),
    Situation(
        "next hop down, not reported",
        (f"[{ABSENT_HOP}]:80",),
        Evidence.TIMED_OUT,
        Cause.NEXT_HOP_SILENT,
    ),
    Situation(
        "routing loop",
        (f"[{LOOPED}]:80",),
        Evidence.HOP_LIMIT_EXCEEDED,
        Cause.ROUTING_LOOP,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
    ),
    Situation(
        "small hop limit of this computer",
        (f"[{FAR}]:80",),
        Evidence.HOP_LIMIT_EXCEEDED,
        Cause.SMALL_HOP_LIMIT,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
    ),
    Situation("no route back", (f"[{ONE_WAY}]:{OPEN}",), Evidence.TIMED_OUT, Cause.NO_ROUTE_BACK),
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
        Evidence.UNREACHABLE,
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
    ),
    Situation(
        "a route with another source, to another network",
        (f"[{FROM_PUBLIC[1]}]:80",),
        Evidence.TIMED_OUT,
        Cause.OTHER_SOURCE,
        (ON_INTERFACE,),
        first=Cause.OTHER_NETWORK,
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
        first=Cause.OTHER_NETWORK,
        machine="double",
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
        first=Cause.OTHER_NETWORK,
        machine="billing",
        own=MACHINES["web"],
    ),
    by_a_route("blackhole", Evidence.NO_ROUTE, Cause.NO_ROUTE_HERE),
    by_a_route("unreachable", Evidence.NO_ROUTE, Cause.NO_ROUTE_HERE),
    by_a_route("prohibit", Evidence.NOT_PERMITTED, Cause.FORBIDDEN_HERE),
    # Names.
    by_a_name("NXDOMAIN", "nowhere.example", Evidence.NOT_FOUND, Cause.NO_SUCH_NAME),
    by_a_name("NXDOMAIN of .internal", "missing", Evidence.NOT_FOUND, Cause.NO_SUCH_NAME),
    by_a_name(
        "an app without a Machine",
        "idle",
        Evidence.NOT_FOUND,
        Cause.NO_STARTED_MACHINE,
        by_documents=Cause.NO_STARTED_MACHINE,
    ),
    by_a_name("empty response", "empty", Evidence.NO_ADDRESS, Cause.OTHER_RECORDS),
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
        resolver=FAILING_RESOLVER,
    ),
    by_a_name(
        "SERVFAIL for IPv6 only",
        "half",
        Evidence.IPV4_ONLY,
        Cause.IPV6_LOOKUP_FAILED,
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
        "a wrong address: one that is not private",
        "worker",
        Evidence.UNREACHABLE,
        Cause.WRONG_ADDRESS,
        files={"/etc/hosts": "2001:db8::1 worker.internal\n"},
    ),
    by_a_name(
        "a firewall of this computer drops what is for the resolver",
        "worker",
        Evidence.RESOLVER_FAILED,
        Cause.RESOLVER_FIREWALL,
        resolver=BLOCKED_RESOLVER,
    ),
    by_a_name(
        "next hop to the resolver down",
        "worker",
        Evidence.RESOLVER_TIMED_OUT,
        Cause.NEXT_HOP_SILENT,
        resolver=SILENT_HOP,
    ),
    by_a_name(
        "next hop to the resolver down, and reported",
        "worker",
        Evidence.RESOLVER_TIMED_OUT,
        Cause.NEXT_HOP_SILENT,
        resolver=SILENT_HOP,
        timeout=15,
    ),
    by_a_name(
        "no resolver at its address",
        "worker",
        Evidence.RESOLVER_FAILED,
        Cause.RESOLVER_UNREACHABLE,
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
SITUATIONS += [by_a_firewall(place, refusal) for place, refusal in PORTS]

STATUS = {True: 0, False: 1, None: 3}
UNKNOWN = {
    Evidence.NOT_FOUND,
    Evidence.NO_ADDRESS,
    Evidence.IPV4_ONLY,
    Evidence.TIMED_OUT,
    Evidence.NO_ROUTE,
    Evidence.NO_SOURCE_ADDRESS,
    Evidence.NO_FREE_PORT,
    Evidence.NOT_PERMITTED,
    Evidence.ROUTED,
    Evidence.RESOLVER_FAILED,
    Evidence.RESOLVER_TIMED_OUT,
}


def probed(networks: Lab, row: Situation, *documents: str) -> tuple[int, list[Any]]:
    """Return the exit status and the steps."""
    command = ("fdaa", "probe", "--json", "--timeout", str(row.timeout), *row.targets, *documents)
    variables = {"RES_OPTIONS": row.options}
    if row.own is not None:
        variables["PLATFORM_PRIVATE_IP"] = row.own
    result = networks.run(
        row.machine, *command, resolver=row.resolver, files=row.files, **variables
    )
    assert result.stderr == ""
    schemas.check("probe", result.stdout)
    return result.returncode, [json.loads(line) for line in result.stdout.splitlines()]


def is_open(row: Situation) -> bool | None:
    """Return what is known: nothing where nothing came back from the network."""
    if row.evidence is Evidence.OPEN:
        return True
    if row.evidence in UNKNOWN or BY_SOURCE in row.seen:
        return None
    return False


def seen_in(row: Situation) -> list[str]:
    """Return what else is seen in a row: what it says, and what is so in most of them."""
    seen = [*row.seen, SECONDS]
    if ON_INTERFACE in row.seen and row.cause is not Cause.OTHER_SOURCE:
        seen.append(OWN_SOURCE)
    if row.cause is not Cause.WRONG_ADDRESS:
        seen.append(PRIVATE)
    return seen


@pytest.mark.parametrize("row", SITUATIONS, ids=[row.situation for row in SITUATIONS])
def test_the_true_cause_is_printed_and_none_that_is_excluded(
    networks: Lab, options: list[str], row: Situation
) -> None:
    status, steps = probed(networks, row, *options)
    conclusions = [step for step in steps if step["kind"] == "conclusion"]
    own = f"[{MACHINES.get(row.machine)}]"
    targets = dict.fromkeys(target.replace("self", own) for target in row.targets)
    assert [conclusion["target"] for conclusion in conclusions] == list(targets)
    assert status == STATUS[is_open(row)]
    for conclusion in conclusions:
        assert conclusion["open"] is is_open(row)
        if row.evidence is Evidence.OPEN:
            assert conclusion["explanations"] == []
            assert row.cause in (None, *NOT_TESTED)
            shown = networks.run(row.machine, "fdaa", "probe", conclusion["target"]).stdout
            assert "Not tested: a response of the app, TLS, large packets (MTU)." in shown
            continue
        (explanation,) = conclusion["explanations"]
        causes = [Cause(entry["cause"]) for entry in explanation["causes"]]
        assert explanation["evidence"] == row.evidence
        assert row.cause in causes
        assert row.first in (None, causes[0])
        if options and row.by_documents is not None:
            assert row.by_documents in causes[:2]
            assert row.by_documents is causes[0] or causes[0] is Cause.OTHER_NETWORK
        assert wrong_causes(row.evidence, seen_in(row), causes) == {}


def test_of_several_addresses_with_one_bad_the_bad_one_is_explained(
    networks: Lab, options: list[str]
) -> None:
    row = Situation("one of two", (f"pair:{OPEN}",), Evidence.TIMED_OUT, Cause.STALE_NAME)
    status, steps = probed(networks, row, *options)
    (conclusion,) = [step for step in steps if step["kind"] == "conclusion"]
    assert (status, conclusion["open"]) == (0, True)
    (explanation,) = conclusion["explanations"]
    assert (explanation["evidence"], explanation["addresses"]) == ("timed-out", [GONE])
    causes = [Cause(entry["cause"]) for entry in explanation["causes"]]
    assert row.cause in causes
    assert wrong_causes(row.evidence, seen_in(row), causes) == {}


def test_every_situation_that_is_broken_in_the_lab_is_in_the_matrix() -> None:
    ports = set()
    for row in SITUATIONS:
        for target in row.targets:
            ports.add(int(target.rpartition(":")[2]))
    assert ports.issuperset(PORTS.values())
    assert ports.issuperset(BOUNDARY)
