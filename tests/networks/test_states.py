"""Where documents show that nothing can respond: no Machine, or none that is started."""

from __future__ import annotations

from typing import Any

import pytest
from ends import as_end
from organizations import parse

from fdaa import Address, NetworkName
from fdaa.networks import App, Document, NetworkMap, reach

WEB = Address("fdaa:2:45b::3")
BLUE = NetworkName("blue")


def listed(**networks: str) -> Document:
    return parse([{"Name": app, "Network": name} for app, name in networks.items()])


# web on blue (2:45b), api on red (7:0), lone on green without a Machine.
ORGANIZATION = [
    listed(web="blue", api="red", lone="green"),
    parse([{"id": "148e1", "private_ip": str(WEB)}], "web"),
    parse([{"id": "148e3", "private_ip": "fdaa:7::3"}], "api"),
    parse([], "lone"),
]
STARTED = {"id": "s1", "state": "started"}
STOPPED = {"id": "s2", "state": "stopped", "private_ip": "fdaa:2:45b::52"}
SUSPENDED = {"id": "s3", "state": "suspended", "private_ip": "fdaa:2:45b::53"}
NO_STATE = {"id": "s4", "private_ip": "fdaa:2:45b::54"}
TWO_OF_IDLE = parse([{"Name": "idle", "Network": "blue", "machine_count": 2}])
IDLE = listed(idle="blue")
FOR_RED = parse(["fdaa:7:0:1::7"], "idle")
IN_DNS = parse(b"instance=s2,app=idle,ip=fdaa:2:45b::52")
STARTED_AGAIN = parse([{**STOPPED, "state": "started"}], "idle")
NOT_STARTED = "no-started-machine"

# Documents about the app idle of blue, target -> why nothing can respond there, or None.
STATES = [
    ([parse([STOPPED], "idle")], "idle", NOT_STARTED),
    ([parse([STOPPED, SUSPENDED], "idle")], "idle", NOT_STARTED),
    ([parse([{**STOPPED, "state": "Started"}], "idle")], "idle", None),
    ([parse([STOPPED, STARTED], "idle")], "idle", None),
    ([parse([STOPPED, NO_STATE], "idle")], "idle", None),
    # Only a complete list shows that all are stopped.
    ([parse(STOPPED, "idle")], "idle", None),
    ([parse([STOPPED, {"id": 5}], "idle")], "idle", None),
    ([parse([STOPPED], "idle"), TWO_OF_IDLE], "idle", None),
    # One Machine is what its own state says.
    ([parse([STOPPED, STARTED], "idle")], "s2", "stopped"),
    ([parse([STOPPED, STARTED], "idle")], Address("fdaa:2:45b::52"), "stopped"),
    ([parse([STOPPED, STARTED], "idle")], "s1", None),
    ([parse([STOPPED, NO_STATE], "idle")], "s4", None),
    ([parse([STOPPED])], Address("fdaa:2:45b::52"), "stopped"),
    # A list without states says nothing about them; where two differ, none is right.
    ([parse([STOPPED], "idle"), IN_DNS], "s2", "stopped"),
    ([parse([STOPPED], "idle"), IN_DNS], "idle", NOT_STARTED),
    ([parse([STOPPED], "idle"), STARTED_AGAIN], "s2", None),
    ([parse([STOPPED], "idle"), STARTED_AGAIN], "idle", None),
    # A network is no Machine.
    ([parse([STOPPED], "idle")], BLUE, None),
]


@pytest.mark.parametrize(("documents", "target", "reason"), STATES)
def test_a_machine_whose_state_is_not_started_does_not_respond(
    documents: list[Document], target: Any, reason: str | None
) -> None:
    joined = NetworkMap([*ORGANIZATION, IDLE, *documents])
    verdict = reach(WEB, as_end(target), joined)
    assert verdict.same_network is True
    if reason is None:
        assert (verdict.outcome, verdict.reachable) == ("same-network", True)
    else:
        assert (verdict.outcome, verdict.reachable, verdict.ways) == ("nothing-responds", False, ())
        assert [found.kind for found in verdict.reasons] == [reason, "same-id"]
    # From the source, requests may still come: it is not what must respond.
    assert reach(as_end(target), WEB, joined).outcome == "same-network"


def test_nothing_responds_at_a_cross_network_address_if_its_app_has_no_started_machine() -> None:
    documents = [IDLE, FOR_RED, parse([STOPPED], "idle")]
    joined = NetworkMap([*ORGANIZATION, *documents])
    for target in ("idle", Address("fdaa:7:0:1::7")):
        verdict = reach(App("api"), as_end(target), joined)
        assert (verdict.outcome, verdict.same_network) == ("nothing-responds", False)
        assert verdict.via == ()
        first, second, *_ = verdict.reasons
        assert (first.kind, first.app, first.states) == (NOT_STARTED, "idle", ("stopped",))
        assert second.kind == "allocated-for-source"


STATUS = parse({"Name": "other", "Network": "blue", "Machines": []})
COUNTED = parse([{"Name": "none", "Network": "blue", "machine_count": 0}])

# Documents, source, target -> the reason, and what it rests on.
SOURCES = [
    ([listed(web="blue", api="blue")], "web", "api", "same-name", "4.3; 1"),
    ([listed(web="blue", api="red")], "web", "api", "different-names", "4.3; Networking rules, 1"),
    ([listed(web="blue")], BLUE, "web", "same-name", "4.3; 1"),
    # A status document is no app list, and a Machine list may lack Machines.
    ([listed(web="blue"), STATUS], "other", "web", "same-name", "names-in-other-documents"),
    ([listed(web="blue"), COUNTED], "web", "none", "no-machine", "2.1"),
    ([listed(web="blue"), STATUS], "web", "other", "no-machine", "complete-documents"),
]


@pytest.mark.parametrize(("documents", "source", "target", "kind", "rests_on"), SOURCES)
def test_what_a_reason_rests_on_depends_on_where_its_facts_are_from(
    documents: list[Document], source: Any, target: Any, kind: str, rests_on: str
) -> None:
    verdict = reach(as_end(source), as_end(target), NetworkMap(documents))
    [reason] = [each for each in verdict.reasons if each.kind == kind]
    assert (reason.section or reason.assumed) == rests_on
    assert (reason.section is None) != (reason.assumed is None)
    written = reason.to_dict()
    assert written.get("section", written.get("assumed")) == rests_on


def test_a_no_stays_a_no_and_an_unclear_end_stays_unknown_if_nothing_can_respond() -> None:
    silent = NetworkMap([*ORGANIZATION, IDLE, parse([STOPPED], "idle")])
    verdict = reach(App("api"), App("idle"), silent)
    assert (verdict.outcome, verdict.same_network, bool(verdict.ways)) == (
        "different-networks",
        False,
        True,
    )
    assert verdict.reasons[-1].kind == NOT_STARTED
    verdict = reach(App("nobody"), App("idle"), silent)
    assert (verdict.outcome, verdict.same_network) == ("unknown", None)
    assert [reason.kind for reason in verdict.reasons] == ["not-in-documents", NOT_STARTED]
    # Two networks that cannot be compared are no reason to hope.
    verdict = reach(Address("fdaa:9::1"), App("lone"), silent)
    assert (verdict.outcome, verdict.same_network) == ("nothing-responds", None)
    assert [reason.kind for reason in verdict.reasons] == ["no-machine", "not-comparable"]
