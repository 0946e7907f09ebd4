"""Probes on real networks: what is not a row of situations.tsv.

Namespaces, a router that isolates them, a resolver and listeners are in lab.py.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
import schemas
from lab_plan import (
    ALLOCATED,
    CLOSING,
    FROM_PUBLIC,
    GONE,
    MACHINES,
    NO_RESOLVER,
    PORTS,
    PUBLIC,
    ROUTER,
)

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
    return result.returncode, [json.loads(line) for line in result.stdout.splitlines()]


def steps(found: list[Any], kind: str) -> list[Any]:
    return [step for step in found if step["kind"] == kind]


def facts(found: list[Any]) -> dict[str, str]:
    """Return the facts of the last conclusion, with their details."""
    return {fact["kind"]: fact["detail"] for fact in found[-1]["facts"]}


@pytest.mark.parametrize(
    ("machine", "target"),
    [
        ("web", f"[{ALLOCATED}]:3000"),
        ("billing", "billing:3000"),  # itself
        ("web", "redis://:secret@worker:3000/0"),
    ],
)
def test_an_open_port_is_found_open(networks: Lab, machine: str, target: str) -> None:
    status, found = probed(networks, machine, target)
    assert (status, found[-1]["open"], found[-1]["phases"]) == (0, True, [])
    assert "secret" not in json.dumps(found)


# Where the firewall is -> who sends its message, and what is said of it.
REPORTERS = {
    "target": (WORKER, "A firewall rejects the connection: the target itself sent"),
    "source": (WEB, "A firewall rejects the connection: this computer sent"),
    "way": (ROUTER, f"A firewall rejects the connection: {ROUTER} sent"),
}


@pytest.mark.parametrize("place", REPORTERS)
def test_the_sender_of_a_message_shows_where_the_firewall_is(networks: Lab, place: str) -> None:
    sender, words = REPORTERS[place]
    target = f"worker:{PORTS[place, 'prohibit']}"
    _, found = probed(networks, "web", target)
    (connection,) = steps(found, "connection")
    assert connection["reported_by"] == sender
    assert connection["error"] == "administratively prohibited"
    assert words in networks.run("web", "fdaa", "probe", target).stdout


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


def test_of_several_addresses_with_one_bad_the_bad_one_is_explained(
    networks: Lab, options: list[str]
) -> None:
    shown = networks.run("web", "fdaa", "probe", "pair:3000", "--timeout", "1", *options)
    assert "\npair:3000: 1 open, 1 no response\n" in shown.stdout
    assert f"  no response (1): {GONE}\n" in shown.stdout
    assert "may be gone or down" in shown.stdout or "is stale" in shown.stdout
    assert shown.returncode == 1
    _, found = probed(networks, "web", "pair:3000")
    assert (found[-1]["open"], found[-1]["opened"]) == (False, [WORKER])


def test_self_lists_what_listens_where_no_other_machine_can_connect(networks: Lab) -> None:
    status, found = probed(networks, "web", "self")
    assert (status, facts(found)) == (
        3,
        {"listens-elsewhere": "0.0.0.0:3001, 127.0.0.1:3005, [::1]:3006"},
    )
    shown = networks.run("web", "fdaa", "probe", "self").stdout
    assert "0.0.0.0:3001, 127.0.0.1:3005, [::1]:3006" in shown
    _, found = probed(networks, "web", WORKER)
    assert facts(found) == {}


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


# A title for the terminal, a name that is not UTF-8, one that is, and separators of lines.
STRANGE_NAMES = ["\x1b]0;owned\x07", "caf\udce9", "na\u00efve", "a\x1c\x85b"]


@pytest.mark.parametrize("name", STRANGE_NAMES, ids=ascii)
def test_the_name_of_an_interface_is_escaped(networks: Lab, name: str) -> None:
    """Any process with CAP_NET_ADMIN chooses it."""
    with networks.interface("elsewhere", name, "fdaa:2:45b::77"):
        result = networks.run("elsewhere", "fdaa", "probe", "::1", PLATFORM_PRIVATE_IP="")
        _, found = probed(networks, "elsewhere", "::1", PLATFORM_PRIVATE_IP="")
    own = result.stdout.splitlines()[0]
    assert own.startswith("own address  fdaa:2:45b::77 ('")
    assert own.isascii()
    assert own.isprintable()
    in_bytes = name.encode("utf-8", "surrogateescape")
    assert found[0]["interface"] == in_bytes.decode("utf-8", "backslashreplace")


# --- documents ------------------------------------------------------------------------------------


def test_the_next_command_has_the_documents_and_works_as_printed(
    networks: Lab, documents: list[str]
) -> None:
    shown = networks.run("web", "fdaa", "probe", "reports:80", *documents).stdout
    (command,) = re.findall(r"^  next: (.*)$", shown, re.MULTILINE)
    assert command.startswith("fdaa reach self reports -d ")
    result = networks.run("web", "sh", "-c", command)
    assert (result.returncode, result.stderr) == (1, "")
    assert "ways around:" in result.stdout
