"""What is printed in each situation, on networks that are broken on purpose.

Each row is asked for by address and by name, with documents and without. The true cause is always
among those that are printed, and none is printed that is excluded by what was seen. Here are the
ports, the other networks and the way; test_matrix_here.py has this computer and its lookups.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from lab_plan import (
    ABSENT_HOP,
    ALLOCATED,
    BOUNDARY,
    CLOSED,
    CLOSING,
    DEAD,
    DROPPED,
    FAR,
    FULL,
    GONE,
    IPV4_ONLY,
    LOOPBACK_4,
    LOOPBACK_6,
    LOOPED,
    MACHINES,
    ONE_WAY,
    OPEN,
    PORTS,
    PROXIED,
    RESET,
    RESETTING,
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
    NOT_TESTED,
    ON_INTERFACE,
    wrong_causes,
)
from probe_situations import UNTOLD, Situation, by_a_name, check, probed, seen_in, worker

from fdaa.explain import Cause
from fdaa.lines import Evidence

if TYPE_CHECKING:
    from lab import Lab

pytestmark = pytest.mark.slow

_BY = {"target": BY_TARGET, "source": BY_SOURCE, "way": BY_ROUTER}


def reports(port: int) -> tuple[str, ...]:
    return (f"[{MACHINES['reports']}]:{port}", f"reports.example:{port}")


def at_a_port(
    situation: str, port: int, evidence: Evidence, cause: Cause | None, rank: int = 1
) -> Situation:
    return Situation(situation, worker(port), evidence, cause, rank=rank)


def here(situation: str, port: int, cause: Cause) -> Situation:
    targets = (f"self:{port}", f"[{MACHINES['web']}]:{port}", f"web:{port}")
    seen = (EQUAL_IDS, ON_INTERFACE, HERE)
    return Situation(f"on this computer: {situation}", targets, Evidence.REFUSED, cause, seen)


def by_a_firewall(place: str, refusal: str) -> Situation:
    evidence = {
        "drop": Evidence.TIMED_OUT,
        "reject": Evidence.PORT_UNREACHABLE,
        "reset": Evidence.REFUSED,
        "prohibit": Evidence.PROHIBITED,
        "address": Evidence.ADDRESS_UNREACHABLE,
        "no route": Evidence.NO_ROUTE_REPORTED,
    }[refusal]
    rank = {"drop": 2, "reset": UNTOLD}.get(refusal, 1)
    cause = Cause.FIREWALL_REJECTS
    if refusal == "drop":
        cause = Cause.FIREWALL_DROPS
    seen: tuple[str, ...] = (EQUAL_IDS, ON_INTERFACE)
    if evidence not in (Evidence.TIMED_OUT, Evidence.REFUSED):
        seen += (_BY[place],)
    name = f"firewall: {refusal}, at the {place}"
    return Situation(name, worker(PORTS[place, refusal]), evidence, cause, seen, rank)


def by_the_boundary(port: int, rule: str, evidence: Evidence) -> Situation:
    cause = Cause.OTHER_NETWORK
    seen: tuple[str, ...] = (ON_INTERFACE,)
    if evidence not in (Evidence.REFUSED, Evidence.TIMED_OUT):
        seen += (BY_ROUTER,)
    name = f"another network: {rule}"
    return Situation(name, reports(port), evidence, cause, seen)


SITUATIONS = [
    at_a_port("open", OPEN, Evidence.OPEN, None),
    at_a_port("stopped process", STOPPED, Evidence.OPEN, Cause.HUNG),
    at_a_port("small MTU on the way", SMALL_MTU, Evidence.OPEN, Cause.SMALL_MTU),
    at_a_port("closed", CLOSED, Evidence.REFUSED, Cause.NOT_LISTENING, 2),
    at_a_port("on 0.0.0.0 only", IPV4_ONLY, Evidence.REFUSED, Cause.LISTENS_ELSEWHERE),
    at_a_port("on 127.0.0.1 only", LOOPBACK_4, Evidence.REFUSED, Cause.LISTENS_ELSEWHERE),
    at_a_port("on ::1 only", LOOPBACK_6, Evidence.REFUSED, Cause.LISTENS_ELSEWHERE),
    at_a_port("UDP only", UDP, Evidence.REFUSED, Cause.UDP_ONLY, 3),
    at_a_port("full accept queue", FULL, Evidence.TIMED_OUT, Cause.ACCEPT_QUEUE_FULL, UNTOLD),
    at_a_port("reset after the handshake", RESET, Evidence.RESET, Cause.FIREWALL_REJECTS, 2),
    at_a_port("reset by the program", RESETTING, Evidence.RESET, Cause.RESET_BY_PROGRAM),
    at_a_port("closed by the program", CLOSING, Evidence.OPEN, Cause.HUNG),
    here("closed", CLOSED, Cause.NOT_LISTENING),
    here("0.0.0.0 only", IPV4_ONLY, Cause.LISTENS_ELSEWHERE),
    here("::1 only", LOOPBACK_6, Cause.LISTENS_ELSEWHERE),
    here("UDP only", UDP, Cause.UDP_ONLY),
    here("a firewall that resets", PORTS["target", "reset"], Cause.FIREWALL_REJECTS),
    Situation(
        "on this computer: a firewall that drops",
        (f"self:{DROPPED}",),
        Evidence.TIMED_OUT,
        Cause.FIREWALL_DROPS,
        (EQUAL_IDS, ON_INTERFACE, HERE),
    ),
    Situation(
        "on this computer: full accept queue",
        (f"self:{FULL}",),
        Evidence.TIMED_OUT,
        Cause.ACCEPT_QUEUE_FULL,
        (EQUAL_IDS, ON_INTERFACE, HERE),
    ),
    Situation(
        "on this computer: loopback interface down",
        (f"self:{OPEN}", f"[{MACHINES['unlooped']}]:{OPEN}"),
        Evidence.TIMED_OUT,
        Cause.LOOPBACK_DOWN,
        (EQUAL_IDS, ON_INTERFACE, HERE),
        machine="unlooped",
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
    by_the_boundary(3043, BOUNDARY[3043], Evidence.ADDRESS_UNREACHABLE),
    by_the_boundary(3044, BOUNDARY[3044], Evidence.NO_ROUTE_REPORTED),
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
        rank=2,
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
        rank=UNTOLD,
        by_documents=Cause.STALE_NAME,
    ),
    Situation(
        "dead Machine, reported by the router",
        (f"[{DEAD}]:80",),
        Evidence.ADDRESS_UNREACHABLE,
        Cause.MACHINE_DOWN,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
        by_documents=Cause.STALE_ADDRESS,
        timeout=6,
    ),
    Situation(
        "dead Machine, reported by the router: its name",
        ("dead.internal:80",),
        Evidence.ADDRESS_UNREACHABLE,
        Cause.MACHINE_DOWN,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
        by_documents=Cause.STALE_NAME,
        timeout=6,
    ),
    Situation(
        "interface of the target down",
        (f"[{MACHINES['asleep']}]:{OPEN}", f"asleep:{OPEN}"),
        Evidence.ADDRESS_UNREACHABLE,
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
        rank=UNTOLD,
    ),
    Situation(
        "no route on the way, reported by the router",
        (f"[{UNROUTED}]:80",),
        Evidence.NO_ROUTE_REPORTED,
        Cause.NO_ROUTE_ON_THE_WAY,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
        by_documents=Cause.STALE_ADDRESS,
    ),
    Situation(
        "no one on the link has the address",
        (f"[{SILENT_HOP}]:80",),
        Evidence.TIMED_OUT,
        Cause.MACHINE_DOWN,
        by_documents=Cause.MACHINE_DOWN,
    ),
    Situation(
        "no one on the link has the address, reported by this computer",
        (f"[{SILENT_HOP}]:80",),
        Evidence.ADDRESS_UNREACHABLE,
        Cause.MACHINE_DOWN,
        (EQUAL_IDS, ON_INTERFACE, BY_SOURCE),
        by_documents=Cause.MACHINE_DOWN,
        timeout=6,
    ),
    Situation(
        "next hop down",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Evidence.TIMED_OUT,
        Cause.NEXT_HOP_SILENT,
        machine="stranded",
    ),
    Situation(
        "next hop down, reported by this computer",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Evidence.ADDRESS_UNREACHABLE,
        Cause.NEXT_HOP_SILENT,
        (EQUAL_IDS, ON_INTERFACE, BY_SOURCE),
        machine="stranded",
        timeout=6,
    ),
    Situation(
        "next hop down, and a static neighbour",
        (f"[{ABSENT_HOP}]:80",),
        Evidence.TIMED_OUT,
        Cause.NEXT_HOP_SILENT,
        rank=UNTOLD,
    ),
    Situation(
        "routing loop",
        (f"[{LOOPED}]:80",),
        Evidence.HOP_LIMIT_EXCEEDED,
        Cause.ROUTING_LOOP,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
    ),
    Situation(
        "small hop limit of a route of this computer",
        (f"[{FAR}]:80",),
        Evidence.HOP_LIMIT_EXCEEDED,
        Cause.SMALL_HOP_LIMIT,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
    ),
    Situation(
        "small hop limit of an interface of this computer",
        (f"[{MACHINES['worker']}]:80",),
        Evidence.HOP_LIMIT_EXCEEDED,
        Cause.SMALL_HOP_LIMIT,
        (EQUAL_IDS, ON_INTERFACE, BY_ROUTER),
        machine="short",
    ),
    Situation(
        "no route back",
        (f"[{ONE_WAY}]:{OPEN}",),
        Evidence.TIMED_OUT,
        Cause.NO_ROUTE_BACK,
        rank=UNTOLD,
    ),
]
SITUATIONS += [by_a_firewall(place, refusal) for place, refusal in PORTS]


@pytest.mark.parametrize("row", SITUATIONS, ids=[row.situation for row in SITUATIONS])
def test_the_true_cause_is_printed_and_none_that_is_excluded(
    networks: Lab, options: list[str], row: Situation
) -> None:
    check(networks, options, row)


def test_of_several_addresses_with_one_bad_the_bad_one_is_explained(
    networks: Lab, options: list[str]
) -> None:
    row = Situation("one of two", (f"pair:{OPEN}",), Evidence.TIMED_OUT, Cause.STALE_NAME)
    status, steps = probed(networks, row, *options)
    (conclusion,) = [step for step in steps if step["kind"] == "conclusion"]
    assert (status, conclusion["open"]) == (1, False)
    (explanation,) = conclusion["explanations"]
    assert (explanation["evidence"], explanation["addresses"]) == ("timed-out", [GONE])
    causes = [Cause(entry["cause"]) for entry in explanation["causes"]]
    assert causes[0] is row.cause
    assert wrong_causes(row.evidence, seen_in(row), causes) == {}


def test_the_true_cause_is_the_first_in_most_situations() -> None:
    """With those of test_matrix_here.py, in 70 at least."""
    broken = [row for row in SITUATIONS if row.cause not in (None, *NOT_TESTED)]
    assert len(broken) >= 50
    assert sum(row.rank == 1 for row in broken) >= 35


def test_every_situation_that_is_broken_in_the_lab_is_in_the_matrix() -> None:
    ports = set()
    for row in SITUATIONS:
        for target in row.targets:
            ports.add(int(target.rpartition(":")[2]))
    assert ports.issuperset(PORTS.values())
    assert ports.issuperset(BOUNDARY)


WORKER = f"[{MACHINES['worker']}]:3000"

# Machine, target, what is first, and what was read that has decided it.
FIRST = [
    ("stranded", WORKER, "next-hop-silent", "next-hop-silent"),
    ("unplugged", WORKER, "interface-down", "no-carrier"),
    ("cut", "worker:3000", "resolver-unreachable", "resolver-unrouted"),
    ("web", f"worker:{PORTS['source', 'address']}", "firewall-rejects", "next-hop-responds"),
]


def test_what_this_computer_knows_decides_the_first_cause(networks: Lab) -> None:
    for machine, target, first, found in FIRST:
        result = networks.run(machine, "fdaa", "probe", "--json", "--timeout", "1", target)
        *_, last = map(json.loads, result.stdout.splitlines())
        [explanation] = last["explanations"]
        assert explanation["causes"][0]["cause"] == first
        assert found in [check["found"] for check in explanation["checked"]]


BLOCKED = "".join(f"0.0.0.0 {number}.ads.example\n" for number in range(100_000))

# /etc/hosts, and what is printed.
HOSTS = [
    (f"::1 localhost\n{GONE} worker.internal\n", f"1. /etc/hosts line 2 has {GONE} for"),
    (f"{BLOCKED}{GONE} worker.internal", f"1. /etc/hosts line 100001 has {GONE} for"),
    ("x worker.internal\n10.0.0.5 Worker.internal", "only (10.0.0.5), in /etc/hosts line 2;"),
]


@pytest.mark.parametrize(("text", "words"), HOSTS, ids=["short", "long", "IPv4"])
def test_a_stale_line_of_etc_hosts_is_named(networks: Lab, text: str, words: str) -> None:
    files = {"/etc/hosts": text, "/etc/nsswitch.conf": "hosts: files\n"}
    result = networks.run("web", "fdaa", "probe", "--timeout", "1", "worker:80", files=files)
    shown = " ".join(result.stdout.split())
    assert words in shown
    assert "address from /etc/hosts line" in shown
