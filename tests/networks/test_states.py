"""Where documents show that nothing can respond: no Machine, or none that is started."""

from __future__ import annotations

from typing import Any

import pytest
from ends import as_end
from organizations import parse

from fdaa import Address, NetworkName
from fdaa.networks import App, Document, NetworkMap, Reason, SilentApp, reach

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
        assert first == SilentApp(Reason.NO_STARTED_MACHINE, app="idle", states=("stopped",))
        assert second.kind == "allocated-for-source"


# --- sources follow facts -------------------------------------------------------------------------


def api_list(**networks: Any) -> Document:
    """Return the response of the API (specification, 4.3)."""
    return parse({"apps": [{"name": app, "network": name} for app, name in networks.items()]})


def named(address: str, name: str) -> Document:
    """Return an address list of billing that names the network of its clients."""
    return parse([{"Address": address, "Network": {"Name": name}}], "billing")


STATUS = parse({"Name": "other", "Network": "blue", "Machines": []})
COUNTED = parse({"apps": [{"name": "none", "network": "blue", "machine_count": 0}]})
COUNTED_BY_TOOL = parse([{"Name": "none", "Network": "blue", "machine_count": 0}])
IN_WEB = parse([{"id": "148e1", "private_ip": str(WEB)}], "web")
IN_API = parse([{"id": "148e3", "private_ip": "fdaa:7::3"}], "api")
OF_BILLING = api_list(billing="green")
API_IS_RED = api_list(api="red")
FOR_NEW = named("fdaa:7:0:1::9", "red")
ON_7 = Address("fdaa:7::9")
TWO_HOLDERS = parse([{"id": "148e9", "private_ip": str(WEB)}], "web")
TWO_LISTS = parse([{"id": "148e1", "state": "started"}], "db")
NAMES_APART = "4.3; Networking rules, 1"
IDS_SAME = "1; 2.3, rule 2"
BROKEN = "2.1, rule 1; 2.2"
SHAPE = "document-shapes"
EMPTY = "empty-network"
OTHERS = "names-in-other-documents"
CLIENTS = "clients-network-id"

# Documents, source, target -> the reason, and what it rests on.
SOURCES = [
    ([api_list(web="blue", api="blue")], "web", "api", "same-name", "4.3; 1"),
    ([api_list(web="blue", api="red")], "web", "api", "different-names", NAMES_APART),
    ([api_list(web="blue")], BLUE, "web", "same-name", "4.3; 1"),
    # An empty network name, in the API's list and in the one of the command-line tool.
    ([api_list(web="blue", api="")], "web", "api", "different-names", EMPTY),
    ([api_list(web="blue", api=None)], "api", "web", "different-names", EMPTY),
    ([listed(web="blue", api="")], "web", "api", "different-names", f"{SHAPE}; {EMPTY}"),
    # Names in a list of the command-line tool.
    ([listed(web="blue", api="blue")], "web", "api", "same-name", SHAPE),
    ([listed(web="blue"), api_list(api="blue")], "web", "api", "same-name", SHAPE),
    # The fewest assumptions count: the API's list has both names, too.
    ([listed(web="blue"), api_list(web="blue", api="blue")], "web", "api", "same-name", "4.3; 1"),
    # A status document is no app list, and a Machine list may lack Machines.
    ([api_list(web="blue"), STATUS], "other", "web", "same-name", OTHERS),
    ([api_list(web="blue"), COUNTED], "web", "none", "no-machine", "2.1"),
    ([api_list(web="blue"), COUNTED_BY_TOOL], "web", "none", "no-machine", SHAPE),
    ([api_list(web="blue"), STATUS], "web", "other", "no-machine", "complete-documents"),
    # An ID that is known through a cross-network address only; by Machines, it is certain.
    ([OF_BILLING, API_IS_RED, FOR_NEW], "api", ON_7, "same-id", f"{CLIENTS}; {OTHERS}"),
    ([OF_BILLING, API_IS_RED, FOR_NEW, IN_API], "api", ON_7, "same-id", IDS_SAME),
    (
        [OF_BILLING, listed(api="red"), FOR_NEW],
        "api",
        ON_7,
        "same-id",
        f"{CLIENTS}; {SHAPE}; {OTHERS}",
    ),
    # The assumption travels with the joined name, and with the joined ID.
    ([listed(web="blue", api="blue"), IN_WEB], "api", WEB, "same-id", SHAPE),
    ([listed(web="blue"), IN_WEB, api_list(api="red")], WEB, "api", "different-names", SHAPE),
    # Contradictions.
    ([api_list(web="blue"), IN_WEB, TWO_HOLDERS], "web", BLUE, "contradiction", "one-holder"),
    (
        [api_list(web="blue"), IN_WEB, TWO_LISTS],
        "web",
        BLUE,
        "contradiction",
        "one-app-of-a-machine",
    ),
    ([api_list(web="blue"), listed(web="red")], "web", BLUE, "contradiction", BROKEN),
    (
        [api_list(web="blue", api="red"), IN_WEB, IN_API, named("fdaa:7:0:1::9", "blue")],
        "web",
        BLUE,
        "contradiction",
        f"{CLIENTS}; {OTHERS}",
    ),
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
    assert [reason.kind for reason in verdict.reasons] == ["no-machine", "not-comparable"]
