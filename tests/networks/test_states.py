"""Where documents show that nothing can respond: no Machine, or none that is started."""

from __future__ import annotations

from typing import Any

import pytest
from ends import as_end
from organizations import parse

from fdaa import Address, NetworkName
from fdaa.networks import App, Document, Finding, NetworkMap, Reason, reach

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
TWO_OF_IDLE = parse([{"Name": "idle", "Network": "blue", "machine_count": 2}])
IDLE = listed(idle="blue")
FOR_RED = parse(["fdaa:7:0:1::7"], "idle")
IN_DNS = parse(b"instance=s2,app=idle,ip=fdaa:2:45b::52")
STARTED_AGAIN = parse([{**STOPPED, "state": "started"}], "idle")
NOT_STARTED = Reason.NO_STARTED_MACHINE

# Documents about the app idle of blue, target -> why nothing can respond there, or None.
STATES = [
    ([parse([STOPPED], "idle")], "idle", NOT_STARTED),
    ([parse([{**STOPPED, "state": "Started"}], "idle")], "idle", None),
    ([parse([STOPPED, STARTED], "idle")], "idle", None),
    # Only a complete list shows that all are stopped.
    ([parse(STOPPED, "idle")], "idle", None),
    ([parse([STOPPED], "idle"), TWO_OF_IDLE], "idle", None),
    # One Machine is what its own state says.
    ([parse([STOPPED, STARTED], "idle")], "s2", "stopped"),
    ([parse([STOPPED, STARTED], "idle")], Address("fdaa:2:45b::52"), "stopped"),
    # A list without states says nothing about them; where two differ, none is right.
    ([parse([STOPPED], "idle"), IN_DNS], "s2", "stopped"),
    ([parse([STOPPED], "idle"), STARTED_AGAIN], "s2", None),
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
    joined = NetworkMap([*ORGANIZATION, IDLE, FOR_RED, parse([STOPPED], "idle")])
    for target in ("idle", Address("fdaa:7:0:1::7")):
        first, second, *_ = reach(App("api"), as_end(target), joined).reasons
        assert first == Finding(
            Reason.NO_STARTED_MACHINE, end="target", app="idle", states=("stopped",)
        )
        assert second.kind == "allocated-for-source"


def test_a_no_stays_a_no_and_an_unclear_end_stays_unknown_if_nothing_can_respond() -> None:
    no_addresses = parse({"ips": []}, "idle")
    silent = NetworkMap([*ORGANIZATION, IDLE, parse([STOPPED], "idle"), no_addresses])
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
    assert [reason.kind for reason in verdict.reasons] == [
        "no-machine",
        "not-comparable",
        "unlisted-address",
    ]
