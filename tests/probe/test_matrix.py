"""What is printed in each situation, on networks that are broken on purpose.

Each row is asked for by address and by name, with documents and without. The true cause is always
among those that are printed, and none is printed that is excluded by what was seen. Here are the
ports, the other networks and the way; test_matrix_here.py has this computer and its lookups.
"""

from __future__ import annotations

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
from probe_situations import Cause, Situation, by_a_name, check, probed, worker

from fdaa.lines import Phase

if TYPE_CHECKING:
    from lab import Lab

pytestmark = pytest.mark.slow


def reports(port: int) -> tuple[str, ...]:
    return (f"[{MACHINES['reports']}]:{port}", f"reports.example:{port}")


def at_a_port(situation: str, port: int, phase: Phase, cause: Cause | None) -> Situation:
    return Situation(situation, worker(port), phase, cause)


def here(situation: str, port: int, cause: Cause) -> Situation:
    targets = (f"self:{port}", f"[{MACHINES['web']}]:{port}", f"web:{port}")
    return Situation(f"on this computer: {situation}", targets, Phase.REFUSED, cause)


def by_a_firewall(place: str, refusal: str) -> Situation:
    phase = {"drop": Phase.SILENT, "address": Phase.UNREACHABLE, "no route": Phase.UNREACHABLE}.get(
        refusal, Phase.REFUSED
    )
    name = f"firewall: {refusal}, at the {place}"
    return Situation(name, worker(PORTS[place, refusal]), phase, Cause.FIREWALL_DROPS)


def by_the_boundary(port: int, rule: str, phase: Phase) -> Situation:
    return Situation(f"another network: {rule}", reports(port), phase, Cause.OTHER_NETWORK)


SITUATIONS = [
    at_a_port("open", OPEN, Phase.CONNECTED, None),
    at_a_port("stopped process", STOPPED, Phase.CONNECTED, Cause.HUNG),
    at_a_port("small MTU on the way", SMALL_MTU, Phase.CONNECTED, Cause.SMALL_MTU),
    at_a_port("closed", CLOSED, Phase.REFUSED, Cause.NOT_LISTENING),
    at_a_port("on 0.0.0.0 only", IPV4_ONLY, Phase.REFUSED, Cause.LISTENS_ELSEWHERE),
    at_a_port("on 127.0.0.1 only", LOOPBACK_4, Phase.REFUSED, Cause.LISTENS_ELSEWHERE),
    at_a_port("on ::1 only", LOOPBACK_6, Phase.REFUSED, Cause.LISTENS_ELSEWHERE),
    at_a_port("UDP only", UDP, Phase.REFUSED, Cause.UDP_ONLY),
    at_a_port("full accept queue", FULL, Phase.SILENT, Cause.ACCEPT_QUEUE_FULL),
    at_a_port("reset after the handshake", RESET, Phase.RESPONDED, Cause.FIREWALL_REJECTS),
    at_a_port("reset by the program", RESETTING, Phase.RESPONDED, Cause.RESET_BY_PROGRAM),
    at_a_port("closed by the program", CLOSING, Phase.CONNECTED, Cause.HUNG),
    here("closed", CLOSED, Cause.NOT_LISTENING),
    here("0.0.0.0 only", IPV4_ONLY, Cause.LISTENS_ELSEWHERE),
    here("::1 only", LOOPBACK_6, Cause.LISTENS_ELSEWHERE),
    here("UDP only", UDP, Cause.UDP_ONLY),
    here("a firewall that resets", PORTS["target", "reset"], Cause.FIREWALL_REJECTS),
    Situation(
        "on this computer: a firewall that drops",
        (f"self:{DROPPED}",),
        Phase.SILENT,
        Cause.FIREWALL_DROPS,
    ),
    Situation(
        "on this computer: full accept queue",
        (f"self:{FULL}",),
        Phase.SILENT,
        Cause.ACCEPT_QUEUE_FULL,
    ),
    Situation(
        "on this computer: loopback interface down",
        (f"self:{OPEN}", f"[{MACHINES['unlooped']}]:{OPEN}"),
        Phase.SILENT,
        Cause.LOOPBACK_DOWN,
        machine="unlooped",
    ),
    Situation(
        "a proxy on the way completes the handshake",
        (f"[{DEAD}]:{PROXIED}",),
        Phase.CONNECTED,
        Cause.PROXY,
    ),
    # Another network.
    by_the_boundary(80, "drop", Phase.SILENT),
    by_the_boundary(3040, BOUNDARY[3040], Phase.REFUSED),
    by_the_boundary(3041, BOUNDARY[3041], Phase.REFUSED),
    by_the_boundary(3042, BOUNDARY[3042], Phase.REFUSED),
    by_the_boundary(3043, BOUNDARY[3043], Phase.UNREACHABLE),
    by_the_boundary(3044, BOUNDARY[3044], Phase.UNREACHABLE),
    by_a_name(
        "another network: its name",
        "reports",
        Phase.LOOKUP,
        Cause.NAME_OF_OTHER_NETWORK,
    ),
    Situation(
        "cross-network address, from the network of its app",
        (f"[{ALLOCATED}]:{OPEN}",),
        Phase.SILENT,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        machine="billing",
    ),
    # A Machine that does not respond.
    Situation(
        "dead Machine, dropped by the router",
        (f"[{GONE}]:80",),
        Phase.SILENT,
        Cause.STALE_ADDRESS,
    ),
    Situation(
        "dead Machine, dropped by the router: its name",
        ("gone:80",),
        Phase.SILENT,
        Cause.STALE_NAME,
    ),
    Situation(
        "dead Machine, reported by the router",
        (f"[{DEAD}]:80",),
        Phase.UNREACHABLE,
        Cause.MACHINE_DOWN,
        timeout=6,
    ),
    Situation(
        "dead Machine, reported by the router: its name",
        ("dead.internal:80",),
        Phase.UNREACHABLE,
        Cause.MACHINE_DOWN,
        timeout=6,
    ),
    Situation(
        "interface of the target down",
        (f"[{MACHINES['asleep']}]:{OPEN}", f"asleep:{OPEN}"),
        Phase.UNREACHABLE,
        Cause.MACHINE_DOWN,
        timeout=6,
    ),
    # The way.
    Situation(
        "no route on the way, dropped by the router",
        (f"[{GONE}]:80", "gone:80"),
        Phase.SILENT,
        Cause.NO_ROUTE_ON_THE_WAY,
    ),
    Situation(
        "no route on the way, reported by the router",
        (f"[{UNROUTED}]:80",),
        Phase.UNREACHABLE,
        Cause.NO_ROUTE_ON_THE_WAY,
    ),
    Situation(
        "no one on the link has the address",
        (f"[{SILENT_HOP}]:80",),
        Phase.SILENT,
        Cause.MACHINE_DOWN,
    ),
    Situation(
        "no one on the link has the address, reported by this computer",
        (f"[{SILENT_HOP}]:80",),
        Phase.UNREACHABLE,
        Cause.MACHINE_DOWN,
        timeout=6,
    ),
    Situation(
        "next hop down",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Phase.SILENT,
        Cause.NEXT_HOP_SILENT,
        machine="stranded",
    ),
    Situation(
        "next hop down, reported by this computer",
        (f"[{MACHINES['worker']}]:{OPEN}",),
        Phase.UNREACHABLE,
        Cause.NEXT_HOP_SILENT,
        machine="stranded",
        timeout=6,
    ),
    Situation(
        "next hop down, and a static neighbour",
        (f"[{ABSENT_HOP}]:80",),
        Phase.SILENT,
        Cause.NEXT_HOP_SILENT,
    ),
    Situation(
        "routing loop",
        (f"[{LOOPED}]:80",),
        Phase.UNREACHABLE,
        Cause.ROUTING_LOOP,
    ),
    Situation(
        "small hop limit of a route of this computer",
        (f"[{FAR}]:80",),
        Phase.UNREACHABLE,
        Cause.SMALL_HOP_LIMIT,
    ),
    Situation(
        "small hop limit of an interface of this computer",
        (f"[{MACHINES['worker']}]:80",),
        Phase.UNREACHABLE,
        Cause.SMALL_HOP_LIMIT,
        machine="short",
    ),
    Situation(
        "no route back",
        (f"[{ONE_WAY}]:{OPEN}",),
        Phase.SILENT,
        Cause.NO_ROUTE_BACK,
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
    row = Situation("one of two", (f"pair:{OPEN}",), Phase.SILENT, Cause.STALE_NAME)
    status, text = probed(networks, row, *options)
    assert status == 1
    shown = " ".join(text.split())
    assert f"{GONE}: no response." in shown
    assert any(words in shown for words in Cause.STALE_NAME.value)


def test_every_situation_that_is_broken_in_the_lab_is_in_the_matrix() -> None:
    ports = set()
    for row in SITUATIONS:
        for target in row.targets:
            ports.add(int(target.rpartition(":")[2]))
    assert ports.issuperset(PORTS.values())
    assert ports.issuperset(BOUNDARY)


BLOCKED = "".join(f"0.0.0.0 {number}.ads.example\n" for number in range(100_000))

# /etc/hosts, and what is printed.
HOSTS = [
    (
        f"::1 localhost\n{GONE} worker.internal\n",
        f"/etc/hosts line 2 has {GONE} for worker.internal, and the resolver has",
    ),
    (f"{BLOCKED}{GONE} worker.internal", f"/etc/hosts line 100001 has {GONE} for"),
    ("x worker.internal\n10.0.0.5 Worker.internal", "/etc/hosts line 2 has 10.0.0.5 for"),
]


@pytest.mark.parametrize(("text", "words"), HOSTS, ids=["short", "long", "IPv4"])
def test_a_stale_line_of_etc_hosts_is_named(networks: Lab, text: str, words: str) -> None:
    files = {"/etc/hosts": text, "/etc/nsswitch.conf": "hosts: files\n"}
    result = networks.run("web", "fdaa", "probe", "--timeout", "1", "worker:80", files=files)
    shown = " ".join(result.stdout.split())
    assert words in shown
