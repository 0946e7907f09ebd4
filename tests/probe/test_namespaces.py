"""Probes on real networks: what is not a row of situations.tsv.

Namespaces, a router that isolates them, a resolver and listeners are in lab.py.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import schemas
from command import records
from lab import CLOSING, FROM_PUBLIC, MACHINES, NO_RESOLVER, PORTS, PUBLIC, ROUTER

if TYPE_CHECKING:
    from lab import Lab

pytestmark = pytest.mark.slow
WEB = MACHINES["web"]
WORKER = MACHINES["worker"]


def probed(networks: Lab, machine: str, *arguments: str, **options: Any) -> tuple[int, list[Any]]:
    """Return the exit status and the steps of a probe inside a Machine."""
    command = ("fdaa", "probe", "--json", "--timeout", "1", *arguments)
    result = networks.run(machine, *command, **options)
    schemas.check("probe", result.stdout)
    return result.returncode, records(result.stdout)


def steps(found: list[Any], kind: str) -> list[Any]:
    return [step for step in found if step["kind"] == kind]


def test_a_password_in_a_target_is_not_shown(networks: Lab) -> None:
    status, found = probed(networks, "web", "redis://:secret@worker:3000/0")
    assert (status, found[-1]["open"], found[-1]["phases"]) == (0, True, [])
    assert "secret" not in json.dumps(found)


# Where the firewall is -> who sends its message, and what is said of it.
REPORTERS = {
    "target": (WORKER, "the target itself sent"),
    "source": (WEB, "this computer sent"),
    "way": (ROUTER, f"{ROUTER} sent"),
}


@pytest.mark.parametrize("place", REPORTERS)
def test_the_sender_of_a_message_shows_where_the_firewall_is(networks: Lab, place: str) -> None:
    sender, words = REPORTERS[place]
    _, found = probed(networks, "web", f"worker:{PORTS[place, 'prohibit']}")
    (connection,) = steps(found, "connection")
    assert connection["reported_by"] == sender
    assert connection["error"] == "administratively prohibited"
    assert words in str(found[-1]["phases"])


def test_a_server_that_closes_at_once_is_open_and_that_is_shown(networks: Lab) -> None:
    shown = networks.run("web", "fdaa", "probe", f"[{WORKER}]:{CLOSING}").stdout
    assert "(the other end closed it immediately)" in shown


def test_each_address_of_a_target_is_tried_and_three_are_shown(networks: Lab) -> None:
    status, found = probed(networks, "web", "many:80")
    (lookup,) = steps(found, "lookup")
    assert (len(lookup["addresses"]), len(steps(found, "connection"))) == (70, 70)
    (explained,) = found[-1]["phases"]  # all alike
    assert (explained["phase"], len(explained["addresses"])) == ("refused", 70)
    assert (status, found[-1]["open"]) == (1, False)
    shown = networks.run("web", "fdaa", "probe", "many:80").stdout
    assert len(shown.splitlines()) < 20


def test_self_lists_what_listens_where_no_other_machine_can_connect(networks: Lab) -> None:
    status, found = probed(networks, "web", "self")
    (fact,) = found[-1]["facts"]
    places = "0.0.0.0:3001, 127.0.0.1:3005, [::1]:3006"
    assert (status, fact["kind"], fact["detail"]) == (3, "listens-elsewhere", places)


def test_a_resolver_that_does_not_respond_delays_no_other_target(networks: Lab) -> None:
    """The system's resolver waits for 10 seconds; the deadline is 1 second."""
    target = f"[{WORKER}]:3000"
    status, found = probed(networks, "web", "worker:3000", target, resolver=NO_RESOLVER)
    silent, answering = steps(found, "conclusion")
    assert (silent["counts"], silent["open"]) == ({"lookup": 1}, None)
    assert (answering["open"], status) == (True, 3)


def test_the_source_is_shown_where_it_is_not_the_own_address(networks: Lab) -> None:
    arguments = ("fdaa", "probe", f"[{FROM_PUBLIC[1]}]:80", "--timeout", "1")
    shown = networks.run("web", *arguments).stdout
    assert f"\n             from {PUBLIC}, no private network\n" in shown
    assert f"from {WEB}" not in shown


# --- the page -------------------------------------------------------------------------------------

DOCS = Path(__file__).parent.parent.parent / "docs"
SESSIONS = re.findall(
    r"^```text\n(web\$ .*?)^```$", (DOCS / "probe.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)
A_TIME = r" \d+\.\d+ s\b"


@pytest.mark.parametrize("session", SESSIONS, ids=[each.partition("\n")[0] for each in SESSIONS])
def test_a_session_of_the_page_prints_what_is_shown(networks: Lab, session: str) -> None:
    command, _, shown = session.removeprefix("web$ ").partition("\n")
    script = f"cd '{DOCS / 'examples'}'; exec 2>&1; {command}"
    result = networks.run("web", "sh", "-c", script)
    assert re.sub(A_TIME, " 0 s", result.stdout) == re.sub(A_TIME, " 0 s", shown)
