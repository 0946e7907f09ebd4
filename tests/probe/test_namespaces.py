"""Each cause on real networks: namespaces, a router that isolates, a resolver, listeners."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lab import ALLOCATED, GONE, MACHINES

if TYPE_CHECKING:
    from lab import Lab

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "probe.md"
EXAMPLES = ROOT / "docs" / "examples"
DOCUMENTS = (
    *("--apps", f"{EXAMPLES}/apps.json"),
    *("--machines", f"web={EXAMPLES}/machines-web.json"),
    *("--machines", f"{EXAMPLES}/status-billing.json"),
    *("--addresses", f"billing={EXAMPLES}/addresses-billing.json"),
)


def probed(networks: Lab, machine: str, *arguments: str, **options: str) -> tuple[int, list[Any]]:
    """Return the exit status and the steps of a probe inside a Machine."""
    command = ("fdaa", "probe", "--json", "--timeout", "1", *arguments)
    result = networks.run(machine, *command, **options)
    return result.returncode, [json.loads(line) for line in result.stdout.splitlines()]


def steps(found: list[Any], kind: str) -> list[Any]:
    return [step for step in found if step["kind"] == kind]


BILLING = MACHINES["billing"]
# Machine and target; outcomes of its look-up and connections, whether anything answers, causes.
SCENARIOS = [
    ("web", "worker:3000", ["found", "open"], True, []),
    ("web", "worker:3001", ["found", "refused"], False, ["not-listening"]),  # on 0.0.0.0 only
    ("web", "worker:3002", ["found", "refused"], False, ["not-listening"]),  # nothing listens
    ("web", "worker:3003", ["found", "timed-out"], False, ["firewall"]),  # dropped there
    ("web", "worker", ["found", "routed"], None, ["no-port"]),
    ("web", "billing:3000", ["not-found"], False, ["name-not-found"]),
    ("billing", "billing:3000", ["found", "open"], True, []),
    ("web", "nowhere.example:80", ["not-found"], False, ["name-not-found"]),
    ("web", "legacy:80", ["found"], False, ["ipv4-only"]),
    (
        "web",
        "reports.example:3000",
        ["found", "timed-out"],
        False,
        ["resolved-elsewhere", "own-cross-network-address"],
    ),
    (
        "web",
        f"[{GONE}]:3000",
        ["timed-out"],
        False,
        ["machine-gone", "firewall", "own-cross-network-address"],
    ),
    ("web", f"[{BILLING}]:3000", ["timed-out"], False, ["isolated", "own-cross-network-address"]),
    ("web", BILLING, ["routed"], False, ["isolated", "own-cross-network-address"]),
    ("web", f"[{ALLOCATED}]:3000", ["open"], True, []),
    (
        "billing",
        f"[{ALLOCATED}]:3000",
        ["timed-out"],
        False,
        ["isolated", "own-cross-network-address"],
    ),
    ("web", "fdaa:2:45b::7:3000", ["routed"], None, ["no-brackets", "no-port"]),
    ("web", "[fdaa::3]:53", ["open"], True, []),  # the resolver
    ("web", "[fdaa::3]:54", ["refused"], False, ["not-listening"]),
]


@pytest.mark.parametrize(
    ("machine", "target", "outcomes", "answers", "causes"),
    SCENARIOS,
    ids=[f"{machine} {target}" for machine, target, *_ in SCENARIOS],
)
def test_the_facts_and_what_they_mean(
    networks: Lab,
    machine: str,
    target: str,
    outcomes: list[str],
    answers: bool | None,
    causes: list[str],
) -> None:
    status, found = probed(networks, machine, target)
    ended = steps(found, "look-up") + steps(found, "connection")
    assert [step["outcome"] for step in ended] == outcomes
    (conclusion,) = steps(found, "conclusion")
    assert conclusion["answers"] is answers
    assert [*conclusion["causes"]] == causes
    assert status == {True: 0, False: 1, None: 3}[answers]


def test_an_address_that_replies_on_another_port_is_neither_gone_nor_isolated(
    networks: Lab,
) -> None:
    worker = MACHINES["worker"]
    _, found = probed(networks, "web", f"[{worker}]:3003", f"[{worker}]:3000")
    dropped, _ = steps(found, "conclusion")
    assert [*dropped["causes"]] == ["firewall"]


def test_a_reset_is_not_reported_as_a_refusal(networks: Lab) -> None:
    # The reset comes right after the connection is open, so that a busy machine may miss it.
    for _ in range(50):
        _, found = probed(networks, "web", "worker:3004")
        (made,) = steps(found, "connection")
        assert made["outcome"] in ("open", "reset")
        if made["outcome"] == "reset":
            break
    (conclusion,) = steps(found, "conclusion")
    assert [*conclusion["causes"]] == ["reset"]


def test_two_ports_of_an_app_are_one_look_up(networks: Lab) -> None:
    _, found = probed(networks, "web", "worker:3000", "worker:3002", "worker:3000")
    assert len(steps(found, "look-up")) == 1
    assert len(steps(found, "connection")) == len(steps(found, "conclusion")) == 2


def test_at_most_64_addresses_of_a_target_are_tried(networks: Lab) -> None:
    _, found = probed(networks, "web", "many:80")
    (look_up,) = steps(found, "look-up")
    assert len(look_up["addresses"]) == 70
    assert len(steps(found, "connection")) == 64


def test_a_resolver_that_does_not_respond_delays_no_other_target(networks: Lab) -> None:
    """The system's resolver waits for 10 seconds; the deadline is 1 second."""
    target = f"[{MACHINES['worker']}]:3000"
    status, found = probed(networks, "web", "worker:3000", target, resolver="fdaa::4")
    (look_up,) = steps(found, "look-up")
    assert look_up["outcome"] == "timed-out"
    silent, answering = steps(found, "conclusion")
    assert (silent["answers"], [*silent["causes"]]) == (None, ["no-resolver"])
    assert (status, answering["answers"]) == (3, True)


@pytest.mark.parametrize("machine", ["web", "billing"])
def test_without_the_variable_an_interface_has_the_own_address(networks: Lab, machine: str) -> None:
    _, found = probed(networks, machine, f"[{GONE}]:80", PLATFORM_PRIVATE_IP="")
    assert (found[0]["address"], found[0]["interface"]) == (MACHINES[machine], "eth0")
    (conclusion,) = steps(found, "conclusion")
    assert ("isolated" in conclusion["causes"]) is (machine == "billing")


@pytest.mark.parametrize(
    ("target", "causes"),
    [
        ("worker:3000", ["name-not-found", "no-own-address"]),
        (f"[{GONE}]:80", ["no-own-address"]),
    ],
)
def test_without_an_own_address_nothing_is_concluded(
    networks: Lab, target: str, causes: list[str]
) -> None:
    status, found = probed(networks, "elsewhere", target, resolver="::1", PLATFORM_PRIVATE_IP="")
    assert found[0]["address"] is None
    (conclusion,) = steps(found, "conclusion")
    assert (status, conclusion["answers"]) == (3, None)
    assert [*conclusion["causes"]] == causes


def test_documents_show_whose_an_address_is(networks: Lab) -> None:
    target = f"[{ALLOCATED}]:3000"
    status, found = probed(networks, "billing", target, *DOCUMENTS)
    (conclusion,) = steps(found, "conclusion")
    assert [*conclusion["causes"]] == ["own-cross-network-address"]
    (verdict,) = steps(found, "reach")
    assert (status, verdict["outcome"]) == (1, "own-cross-network-address")


def test_a_yes_by_documents_stands_beside_a_refusal(networks: Lab) -> None:
    shown = networks.run("web", "fdaa", "probe", "worker:3001", *DOCUMENTS).stdout
    assert "worker:3001: nothing answers" in shown
    assert f"yes: {MACHINES['web']} can reach {MACHINES['worker']}" in shown
    assert "whether anything is listening" not in shown


def test_documents_show_where_an_app_is_that_does_not_resolve(networks: Lab) -> None:
    status, found = probed(networks, "web", "reports:3000", *DOCUMENTS)
    (verdict,) = steps(found, "reach")
    assert (status, verdict["outcome"], verdict["target"]) == (1, "different-networks", "reports")
    assert {way["kind"] for way in verdict["ways"]} >= {"public-address", "replay"}


def test_each_round_looks_names_up_again(networks: Lab) -> None:
    options = ("--count", "2", "--interval", "0")
    status, found = probed(networks, "web", "worker:3000", "worker:3001", *options)
    assert [step["round"] for step in steps(found, "look-up")] == [1, 2]
    outcomes = [step["outcomes"] for step in steps(found, "summary")]
    assert (status, sorted(map(str, outcomes))) == (1, ["{'open': 2}", "{'refused': 2}"])


# --- the page -------------------------------------------------------------------------------------

_SESSION = re.compile(r"^```text\n((?:web|billing)\$ .*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^(web|billing)\$ (.*\n)", re.MULTILINE)
_TIME = re.compile(r"\d+\.\d ms")
SESSIONS = _SESSION.findall(PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.partition("\n")[0])
def test_a_session_of_the_page_prints_what_is_shown(networks: Lab, session: str) -> None:
    _, *parts = _COMMAND.split(session)
    for machine, command, shown in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        result = networks.run(machine, "sh", "-c", f"cd '{EXAMPLES}'; exec 2>&1; {command}")
        assert _TIME.sub("0 ms", result.stdout) == _TIME.sub("0 ms", shown)
        assert len(shown.splitlines()) < 24
        wide = [line for line in shown.splitlines() if len(line) > 80]
        assert all(line.startswith("fdaa: ") for line in wide)  # a message has any length


def test_the_page_shows_every_cause_that_people_meet() -> None:
    assert len(SESSIONS) >= 8
