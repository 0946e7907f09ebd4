"""What is shown in each situation of situations.tsv, on networks that are broken on purpose.

Each target is probed alone, as JSON, and with documents, as text. The true cause is among what is
shown, as a fact or as one of at most four checks; no fact is stated but those of the table; and a
conclusion is at most seven lines.
"""

from __future__ import annotations

import csv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import lab
import pytest
import schemas
from command import as_in_a_machine, records
from lab import MACHINES, PORTS, RESOLVER, ROUTES

if TYPE_CHECKING:
    from lab import Lab

pytestmark = pytest.mark.slow

MOST_LINES = 7
TABLE = Path(__file__).parent / "situations.tsv"

# A cause, and the words one of which must be shown for it.
CAUSES = {
    "-": ("open",),
    "hung": ("column Recv-Q",),
    "small-mtu": ("Large packets may be lost",),
    "not-listening": ("No program on this computer listens", "The app must listen on"),
    "listens-elsewhere": ("where no other Machine can connect", "not only on 0.0.0.0"),
    "udp-only": ("by TCP", "on TCP port"),
    "accept-queue-full": ("waiting to be accepted", "column Recv-Q"),
    "firewall": ("firewall",),
    "reset-by-program": ("have crashed",),
    "other-network": ("no: ", '"reachable": false'),
    "name-of-other-network": ("the network of their app only", "no: "),
    "machine-gone": ("may be gone or down", "is stale"),
    "no-route-on-the-way": ("may lack a route", "is stale"),
    "no-route-back": ("the way back, may lack",),
    "next-hop-silent": ("A router on the way", "does not respond"),
    "routing-loop": ("Routers send the packets in a loop",),
    "loopback-down": ("Interface lo",),
    "interface-down": ("Interface eth0",),
    "ports-exhausted": ("All ports",),
    "other-source": ("not from its private address",),
    "ipv6-off": ("IPv6 is off",),
    "no-route-here": ("has no way to",),
    "no-own-address": ("has no private address",),
    "no-such-name": ("may be misspelled",),
    "no-started-machine": ("needs a started Machine", "has no Machine"),
    "other-records": ("needs a started Machine", "may be misspelled"),
    "ipv4-only": ("but IPv4", '"ipv4": ["10.0.0.5"]'),
    "resolver-error": ("does not respond, or has an error", "or does not respond"),
    "resolver-unreachable": ("has no way to", "no nameserver in", "does not respond"),
    "resolver-firewall": ("a firewall or a router on the way loses",),
    "lookup-configuration": ("are not configured",),
    "other-resolver": ("may not know .internal names",),
    "hosts-line": ("/etc/hosts has",),
}


class Situation(NamedTuple):
    """A row of the table."""

    situation: str  # what is broken
    machine: str  # where the command runs
    targets: str  # what is probed, mostly by address and by name
    phase: str  # how far a probe comes
    status: str  # the exit status
    facts: str  # that are stated
    causes: str  # the true ones; "-" where nothing is broken
    # The timeout, the resolver, PLATFORM_PRIVATE_IP, RES_OPTIONS, and the texts of files, with |
    # between their lines and _ for a space.
    more: str


def values() -> dict[str, object]:
    """Return what the table names in braces: Machines, addresses and ports of the lab."""
    firewalls = {
        f"{place}_{refusal}".replace(" ", "_"): port for (place, refusal), port in PORTS.items()
    }
    return {**vars(lab), **MACHINES, **ROUTES, **firewalls}


def read_table() -> list[Situation]:
    with TABLE.open(newline="", encoding="utf-8") as file:
        _, *rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    return [Situation(*(cell.format_map(values()) for cell in row)) for row in rows]


SITUATIONS = read_table()


@pytest.mark.parametrize("row", SITUATIONS, ids=[row.situation for row in SITUATIONS])
def test_the_true_cause_is_shown_and_nothing_false(
    networks: Lab, documents: list[str], row: Situation
) -> None:
    flush = "ip -6 neighbour flush nud"  # the system looks for each of them again
    networks.run(row.machine, "sh", "-c", f"{flush} failed; {flush} incomplete")
    with ThreadPoolExecutor() as pool:  # both wait for the same timeouts
        as_data = pool.submit(probed, networks, row, "--json")
        as_text = pool.submit(probed, networks, row, *documents)
    is_apart = "network" in row.causes or "another network" in row.situation
    schemas.check("probe", as_data.result())
    assert not_shown(as_data.result(), row.causes) == []
    for record in records(as_data.result()):
        if record["kind"] == "conclusion":
            assert list(record["counts"]) == [row.phase]
            assert record["open"] == {"0": True, "1": False, "3": None}[row.status]
            assert {fact["kind"] for fact in record["facts"]} == set(row.facts.split())
            for explained in record["phases"]:
                assert len(explained["checks"]) <= 4
            for verdict in record["verdicts"]:
                assert is_apart or verdict["reachable"] is not False
    _, *conclusions = as_text.result().split("\n\n")
    for shown in conclusions:
        assert len(shown.splitlines()) <= MOST_LINES, shown
        assert not_shown(shown, row.causes) == [], shown


def not_shown(text: str, causes: str) -> list[str]:
    """Return the causes of which a text has no words."""
    missed = []
    for cause in causes.split():
        if not any(words in text for words in CAUSES[cause]):
            missed.append(cause)
    return missed


def probed(networks: Lab, row: Situation, *options: str) -> str:
    """Return what a probe of all targets prints."""
    settings = dict(each.split("=", 1) for each in row.more.split())
    files = {}
    for path, text in settings.items():
        if path.startswith("/"):
            files[path] = text.replace("_", " ").replace("|", "\n").replace("\\0", "\0") + "\n"
    command = ["fdaa", "probe", "--timeout", settings.get("timeout", "1")]
    command += [*row.targets.split(), *options]
    variables = {"RES_OPTIONS": settings.get("options", "")}
    if "own" in settings:
        variables["PLATFORM_PRIVATE_IP"] = settings["own"]
    resolver = settings.get("resolver", RESOLVER)
    result = networks.run(row.machine, *command, resolver=resolver, files=files, **variables)
    assert as_in_a_machine(result.stderr) == ""
    assert result.returncode == int(row.status), result.stdout
    return result.stdout
