"""Situations that are broken on purpose (lab.py), and what a probe must print in each of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import schemas
from command import as_in_a_machine
from lab_plan import (
    MACHINES,
    RESOLVER,
)
from probe_exclusions import (
    BY_SOURCE,
    EQUAL_IDS,
    NOT_TESTED,
    ON_INTERFACE,
    OWN_SOURCE,
    PRIVATE,
    SECONDS,
    wrong_causes,
)

from fdaa.explain import Cause
from fdaa.lines import Evidence

if TYPE_CHECKING:
    from lab import Lab


UNTOLD = 20  # another cause looks the same from here, and is likelier


class Situation(NamedTuple):
    """A row of the matrix.

    Args:
        situation: what is broken.
        targets: the target, by address and by name.
        evidence: what is seen.
        cause: the true cause; None where nothing is broken.
        seen: what else is seen, and excludes causes.
        rank: the last place that the true cause may have among those that are printed; UNTOLD
            where this process cannot see it.
        by_documents: the first cause, where documents decide it.
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
    rank: int = 1
    by_documents: Cause | None = None
    machine: str = "web"
    resolver: str = RESOLVER
    own: str | None = None
    timeout: float = 1.0
    files: dict[str, str] | None = None
    options: str = ""


def worker(port: int) -> tuple[str, ...]:
    return (f"[{MACHINES['worker']}]:{port}", f"worker:{port}")


def by_a_name(
    situation: str, name: str, evidence: Evidence, cause: Cause, **more: Any
) -> Situation:
    return Situation(situation, (f"{name}:80",), evidence, cause, (ON_INTERFACE,), **more)


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
    _forget_silent_neighbours(networks, row.machine)
    command = ("fdaa", "probe", "--json", "--timeout", str(row.timeout), *row.targets, *documents)
    variables = {"RES_OPTIONS": row.options}
    if row.own is not None:
        variables["PLATFORM_PRIVATE_IP"] = row.own
    result = networks.run(
        row.machine, *command, resolver=row.resolver, files=row.files, **variables
    )
    assert as_in_a_machine(result.stderr) == ""
    schemas.check("probe", result.stdout)
    return result.returncode, [json.loads(line) for line in result.stdout.splitlines()]


def printed(networks: Lab, row: Situation, *documents: str) -> list[str]:
    """Return the lines that people see on a terminal of 80 columns, for the first target."""
    _forget_silent_neighbours(networks, row.machine)
    command = ("fdaa", "probe", "--timeout", str(row.timeout), row.targets[0], *documents)
    variables = {"RES_OPTIONS": row.options, "COLUMNS": "80"}
    if row.own is not None:
        variables["PLATFORM_PRIVATE_IP"] = row.own
    result = networks.run(
        row.machine, *command, resolver=row.resolver, files=row.files, **variables
    )
    return result.stdout.splitlines()


def _forget_silent_neighbours(networks: Lab, machine: str) -> None:
    """Let the system look for each of them again: it reports one that it has just looked for."""
    flush = "ip -6 neighbour flush nud"
    networks.run(machine, "sh", "-c", f"{flush} failed; {flush} incomplete")


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


def check(networks: Lab, options: list[str], row: Situation) -> None:
    """Check that the true cause of a row is printed, and none that is excluded."""
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
            untested = [entry["cause"] for entry in conclusion["not_tested"]]
            assert untested == list(NOT_TESTED)
            continue
        (explanation,) = conclusion["explanations"]
        causes = [Cause(entry["cause"]) for entry in explanation["causes"]]
        assert explanation["evidence"] == row.evidence
        assert row.cause in causes
        if options and row.by_documents is not None:
            assert row.by_documents is causes[0]
        else:
            assert causes.index(row.cause) < row.rank
        seen = [*seen_in(row), *(check["found"] for check in explanation["checked"])]
        assert wrong_causes(row.evidence, seen, causes) == {}
    if options:
        lines = printed(networks, row, *options)
        assert max(map(len, lines)) <= 80
