"""The rows of the matrix of probe: what is broken, and what has to be shown of it."""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

import schemas
from command import as_in_a_machine
from lab_plan import MACHINES, RESOLVER

from fdaa.lines import Phase

if TYPE_CHECKING:
    from lab import Lab


class Cause(Enum):
    """A true cause, with the words one of which has to be shown: as a fact, or as a check."""

    HUNG = ("column Recv-Q",)
    SMALL_MTU = ("Large packets may be lost",)
    PROXY = ("column Recv-Q",)  # the app hangs, seen from here
    NOT_LISTENING = ("No program of this computer listens", "The app must listen on")
    LISTENS_ELSEWHERE = ("where no other Machine can connect", "not only on 0.0.0.0")
    UDP_ONLY = ("uses UDP", "by TCP")
    ACCEPT_QUEUE_FULL = ("connections wait until", "column Recv-Q")
    FIREWALL_REJECTS = ("firewall",)
    FIREWALL_DROPS = ("firewall",)
    RESET_BY_PROGRAM = ("have crashed",)
    OTHER_NETWORK = ("no: ",)
    NAME_OF_OTHER_NETWORK = ("the network of their app only", "no: ")
    OWN_CROSS_NETWORK_ADDRESS = ("no: ",)
    STALE_ADDRESS = ("may be gone or down", "is stale")
    STALE_NAME = ("may be gone or down", "is stale")
    MACHINE_DOWN = ("may be gone or down", "is stale")
    NO_ROUTE_ON_THE_WAY = ("may lack a route", "is stale")
    NO_ROUTE_BACK = ("the way back, may lack",)
    NEXT_HOP_SILENT = ("A router on the way", "does not respond")
    ROUTING_LOOP = ("A router on the way",)
    SMALL_HOP_LIMIT = ("A router on the way",)
    LOOPBACK_DOWN = ("Interface lo",)
    INTERFACE_DOWN = ("Interface eth0",)
    PORTS_EXHAUSTED = ("All ports",)
    OTHER_SOURCE = ("not from its private address", "does not connect from its private address")
    IPV6_OFF = ("IPv6 is off",)
    NO_ROUTE_HERE = ("has no route to",)
    NO_IPV6_HERE = ("has no private address",)
    OUTSIDE = ("has no private address",)
    FORBIDDEN_HERE = ("has no route to",)
    NO_SUCH_NAME = ("may be misspelled",)
    NO_STARTED_MACHINE = ("needs a started Machine", "has no Machine", "no address")
    OTHER_RECORDS = ("needs a started Machine", "may be misspelled")
    NO_IPV6_RECORD = ("but IPv4",)
    RESOLVER_ERROR = ("does not respond",)
    IPV6_LOOKUP_FAILED = ("does not respond",)
    LOOKUP_CONFIGURATION = ("asks no resolver",)
    WRONG_ADDRESS = ("/etc/hosts line",)
    RESOLVER_FIREWALL = ("a firewall or a router on the way loses",)
    RESOLVER_SILENT = ("does not respond",)
    OTHER_RESOLVER = ("may not know .internal names",)
    HOSTS_LINE = ("/etc/hosts line",)
    RESOLVER_UNREACHABLE = ("to the resolver", "No resolver is configured", "does not respond")


class Situation(NamedTuple):
    """A row of the matrix.

    Args:
        situation: what is broken.
        targets: the target, by address and by name.
        phase: how far a probe comes.
        cause: the true cause; None where nothing is broken.
        machine: where the command runs.
        resolver: the resolver there.
        own: PLATFORM_PRIVATE_IP there, where it is not the address of the Machine.
        timeout: seconds.
        files: texts of system files there, by path.
        options: RES_OPTIONS there (resolv.conf(5)).
    """

    situation: str
    targets: tuple[str, ...]
    phase: Phase
    cause: Cause | None
    machine: str = "web"
    resolver: str = RESOLVER
    own: str | None = None
    timeout: float = 1.0
    files: dict[str, str] | None = None
    options: str = ""


def worker(port: int) -> tuple[str, ...]:
    return (f"[{MACHINES['worker']}]:{port}", f"worker:{port}")


def by_a_name(situation: str, name: str, phase: Phase, cause: Cause, **more: Any) -> Situation:
    return Situation(situation, (f"{name}:80",), phase, cause, **more)


def probed(networks: Lab, row: Situation, *options: str) -> tuple[int, str]:
    """Return the exit status and what is printed."""
    flush = "ip -6 neighbour flush nud"  # the system looks for each of them again
    networks.run(row.machine, "sh", "-c", f"{flush} failed; {flush} incomplete")
    command = ("fdaa", "probe", "--timeout", str(row.timeout), *row.targets, *options)
    variables = {"RES_OPTIONS": row.options, "COLUMNS": "80"}
    if row.own is not None:
        variables["PLATFORM_PRIVATE_IP"] = row.own
    result = networks.run(
        row.machine, *command, resolver=row.resolver, files=row.files, **variables
    )
    assert as_in_a_machine(result.stderr) == ""
    return result.returncode, result.stdout


_OPEN = {
    Phase.CONNECTED: (0, True),
    Phase.REFUSED: (1, False),
    Phase.RESPONDED: (1, False),
    Phase.UNREACHABLE: (1, False),
}
# A fact -> the causes of which it may be shown, beside its own.
_APART = (Cause.OTHER_NETWORK, Cause.OWN_CROSS_NETWORK_ADDRESS)


def check(networks: Lab, options: list[str], row: Situation) -> None:
    """Check that the true cause of a row is shown, and that no no is false."""
    status, text = probed(networks, row, "--json", *options)
    schemas.check("probe", text)
    steps = [json.loads(line) for line in text.splitlines()]
    conclusions = [step for step in steps if step["kind"] == "conclusion"]
    expected, is_open = _OPEN.get(row.phase, (3, None))
    assert status == expected
    for conclusion in conclusions:
        assert conclusion["open"] is is_open
        assert list(conclusion["counts"]) == [row.phase]
        for explained in conclusion["phases"]:
            assert len(explained["checks"]) <= 4
    status, text = probed(networks, row, *options)
    _, *printed = text.split("\n\n")
    for shown in printed:
        words = " ".join(shown.split())
        if row.cause is not None:
            assert any(each in words for each in row.cause.value), words
        is_apart = row.cause in _APART or "another network" in row.situation
        assert is_apart or options or "no: " not in words, words
