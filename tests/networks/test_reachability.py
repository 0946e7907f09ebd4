"""Verdicts: one for each way that two ends can stand to each other, with reasons and ways."""

from __future__ import annotations

from typing import Any

import pytest
from books import LEARNED_ON, book_of
from ends import as_end
from organizations import parse

from fdaa import Address, NetworkID, NetworkName, OwnAddressNotSetError
from fdaa.networks import (
    AddressPort,
    App,
    Document,
    EndError,
    Host,
    NetworkMap,
    ThisMachine,
    Way,
    reach,
)

WEB = Address("fdaa:2:45b::3")
DB = Address("fdaa:2:45b::4")
API = Address("fdaa:7::3")
API_FOR_BLUE = Address("fdaa:2:45b:0:1::2")
DB_FOR_BLUE = Address("fdaa:2:45b:0:1::9")
UNLISTED = Address("fdaa:2:45b::99")  # of no Machine in the lists
SERVICE = Address("fdaa::3")
ON_2_45B = NetworkID("2:45b")
ON_7 = NetworkID("7:0")
GREEN = NetworkName("green")


def machine(name: str, *addresses: Any) -> list[dict[str, Any]]:
    """Return a Machine list: a row for each address, or one without an address."""
    if not addresses:
        return [{"id": name, "private_ip": None}]
    return [{"id": name, "private_ip": str(address)} for address in addresses]


def listed(**networks: Any) -> Document:
    return parse([{"Name": app, "Network": name} for app, name in networks.items()])


def allocated(app: str, *addresses: Any) -> Document:
    """Return the address list of an app."""
    return parse({"ips": [{"ip": str(address)} for address in addresses]}, app)


# web and db on blue (2:45b), api on red (7:0), lone on green (no Machine seen).
ORGANIZATION = [
    listed(web="blue", db="blue", api="red", lone="green"),
    parse(machine("148e1", WEB), "web"),
    parse(machine("148e2", DB), "db"),
    parse(machine("148e3", API), "api"),
    parse([], "lone"),
    # api for blue's clients; db for blue's, its own network: a mistake.
    allocated("api", API_FOR_BLUE, "2001:db8::7"),
    allocated("db", DB_FOR_BLUE),
]
JOINED = NetworkMap(ORGANIZATION)

SAME = "same-network"
APART = "different-networks"
CROSS = "cross-network-address"
OWN = "own-cross-network-address"
UNKNOWN = "unknown"
SILENT = "nothing-responds"
REACHABLE = {SAME: True, CROSS: True, APART: False, OWN: False, SILENT: False, UNKNOWN: None}
SAME_ID = "same-id membership-only"
NOTHING = "different-names nothing-allocated"
FOR_SOURCE = "allocated-for-source"
FOR_OTHER = "allocated-for-source different-ids membership-only"

# Source, target -> outcome, what is permitted, and the kinds of the reasons in their order.
# tests/property/test_written_rules.py compares any documents with the rules.
VERDICTS: list[tuple[Any, Any, str, bool | None, str]] = [
    ("web", "db", SAME, True, SAME_ID),
    (ON_2_45B, ON_7, CROSS, True, FOR_OTHER),  # a network is all of its apps
    ("lone", GREEN, SAME, True, "same-name membership-only"),
    ("web", NetworkName("nobody"), UNKNOWN, None, "network-not-in-documents"),
    # Configured access is access; the Machine's own address stays out of reach.
    ("web", "api", CROSS, True, FOR_OTHER),
    ("web", "148e3", APART, False, "different-ids"),
    ("web", API, APART, False, "different-ids"),
    ("web", Host("api.internal"), CROSS, True, FOR_OTHER),
    ("lone", Address("fdaa:9::1"), UNKNOWN, None, "not-comparable"),  # green's, for all we know
    ("web", "nobody", UNKNOWN, None, "not-in-documents"),
    ("web", "blue", UNKNOWN, None, "name-of-network"),  # no app is called so
    ("web", API_FOR_BLUE, CROSS, True, f"{FOR_SOURCE} membership-only"),
    ("lone", API_FOR_BLUE, APART, False, "allocated-for-another different-names"),
    ("api", API_FOR_BLUE, OWN, False, "asked-from-own-network"),
    (API_FOR_BLUE, "web", UNKNOWN, None, "source-is-allocated"),  # nothing is sent from it
    (SERVICE, "web", UNKNOWN, None, "service-address"),
    ("lone", "api", APART, False, NOTHING),
    # The reason for a no that an address list may reverse.
    ("web", "lone", SILENT, None, "no-machine different-names"),
    # It may be a cross-network address, so what is permitted is not known.
    ("web", UNLISTED, SAME, None, f"{SAME_ID} unlisted-address"),
    (UNLISTED, "web", SAME, None, f"{SAME_ID} unlisted-address"),
]


@pytest.mark.parametrize(("source", "target", "outcome", "permitted", "reasons"), VERDICTS)
def test_reach_gives_an_outcome_with_its_reasons(
    source: Any, target: Any, outcome: str, permitted: bool | None, reasons: str
) -> None:
    verdict = reach(as_end(source), as_end(target), JOINED)
    assert (verdict.outcome, verdict.permitted) == (outcome, permitted)
    assert [reason.kind for reason in verdict.reasons] == reasons.split()
    assert verdict.reachable is REACHABLE[outcome]
    assert bool(verdict.ways) == (outcome in (APART, OWN))
    has_via = outcome == CROSS and target != API_FOR_BLUE
    assert verdict.via == (API_FOR_BLUE,) * has_via


def test_without_documents_an_address_is_taken_for_a_machines() -> None:
    verdict = reach(WEB, DB)
    unlisted = ["unlisted-address", "unlisted-address"]
    assert [reason.kind for reason in verdict.reasons] == [*SAME_ID.split(), *unlisted]
    assert (verdict.reachable, verdict.permitted, verdict.same_network) == (True, None, None)
    verdict = reach(WEB, API)
    assert (verdict.reachable, verdict.permitted, verdict.same_network) == (False, None, None)
    unlisted = ["unlisted-addresses; clients-network-id"] * 2
    assert [reason.assumed for reason in verdict.reasons[1:]] == unlisted
    assert reach(App("web"), DB).reachable is None


FOR_BLUE = Address("fdaa:2:45b:0:1::5")
FOR_SOME = allocated("api", "fdaa:9:0:1::1")  # perhaps for green
FOR_NEW = allocated("new", FOR_BLUE)
ON_RED = book_of(("red", 0x70000, "new"))
EMPTY = [listed(new="blue"), parse([], "new")]
ALL_LISTS = [allocated("web"), allocated("lone")]
SHARED = [parse(machine("two", "fdaa:7::8"), "new"), parse(machine("two"), "api")]
STARTED = parse([{"id": "s", "private_ip": "fdaa:2:45b::7", "state": "STARTED"}], "new")
STOPPED = parse([{"id": "s", "private_ip": "fdaa:2:45b::7", "state": "stopped"}], "new")
ZERO = [listed(zero="default"), parse(machine("z", "fdaa::9"), "zero")]

# More documents, source and target -> outcome, and reasons in their order.
MORE: list[tuple[list[Document], Any, Any, str, str]] = [
    # What documents disagree about has no verdict.
    ([listed(api="blue")], "web", "api", UNKNOWN, "contradiction"),
    ([parse(machine("api", FOR_BLUE))], "web", "api", UNKNOWN, "app-or-machine"),
    ([parse(machine("148e3", FOR_BLUE))], "web", "148e3", UNKNOWN, "machine-on-two-networks"),
    ([parse(machine("x", API_FOR_BLUE))], "web", API_FOR_BLUE, UNKNOWN, "address-disputed"),
    (SHARED, "web", "two", UNKNOWN, "machine-of-two-apps"),
    # A cross-network address is open while the own network of its app is not known.
    ([FOR_NEW], "web", FOR_BLUE, UNKNOWN, f"{FOR_SOURCE} own-network-unknown"),
    ([FOR_NEW, ON_RED], "web", FOR_BLUE, CROSS, f"{FOR_SOURCE} membership-only known-from-saved"),
    # So is the way to an app that has one, while the ID of the source's network is not known.
    ([FOR_SOME], "lone", "api", UNKNOWN, "source-id-unknown different-names"),
    # An app without a Machine is on its network, and nothing responds.
    (EMPTY, "web", "new", SILENT, "no-machine same-id"),
    (ALL_LISTS, "web", "lone", APART, f"{NOTHING} no-machine"),
    ([STOPPED], "web", "new", SILENT, "no-started-machine same-id"),
    ([STOPPED], "web", "s", SILENT, "stopped same-id"),
    ([STARTED], "web", "new", SAME, SAME_ID),
    # No list has this address; without one that could have it, this is not known.
    (ALL_LISTS, "web", UNLISTED, SILENT, "stale same-id"),
    # A Machine without an address is on its app's network.
    ([parse(machine("new"), "api")], "new", API, SAME, SAME_ID),
    ([parse(machine("new"))], "new", API, UNKNOWN, "app-unknown"),
    # A network may have ID 0 by documents; an address that they do not list is a service's.
    (ZERO, Address("fdaa::9"), "zero", SAME, SAME_ID),
    (ZERO, Address("fdaa::9"), SERVICE, UNKNOWN, "service-address"),
]


@pytest.mark.parametrize(("more", "source", "target", "outcome", "reasons"), MORE)
def test_reach_where_documents_are_incomplete_or_disagree(
    more: list[Document], source: Any, target: Any, outcome: str, reasons: str
) -> None:
    verdict = reach(as_end(source), as_end(target), NetworkMap([*ORGANIZATION, *more]))
    assert verdict.outcome == outcome
    assert [reason.kind for reason in verdict.reasons] == reasons.split()


def test_a_no_says_what_may_reverse_it_until_the_lists_are_complete() -> None:
    seen = parse(machine("148e4", "fdaa:9::3"), "lone")
    disputed = allocated("lone", API_FOR_BLUE)
    for more, unless in (([seen], "no-address-list"), ([seen, disputed], "address-disputed")):
        verdict = reach(App("web"), App("lone"), NetworkMap([*ORGANIZATION, *more]))
        assert (verdict.reachable, verdict.permitted) == (False, None)
        assert verdict.unless is not None
        assert verdict.unless.kind == unless
    verdict = reach(App("web"), App("lone"), NetworkMap([*ORGANIZATION, seen, *ALL_LISTS]))
    assert (verdict.permitted, verdict.unless) == (False, None)
    assert verdict.reasons[1].assumed == "complete-documents"


def test_what_runs_is_no_matter_for_what_is_permitted() -> None:
    verdict = reach(App("web"), App("new"), NetworkMap([*ORGANIZATION, *EMPTY]))
    assert (verdict.permitted, verdict.reachable, verdict.same_network) == (True, False, True)


def test_a_verdict_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match=r"use \.reachable"):
        bool(reach(WEB, API))


def test_the_ways_around_name_what_to_type() -> None:
    ways = reach(App("web"), API, JOINED).to_dict()["ways"]
    assert ways == [
        {
            "kind": "public-address",
            "section": "Networking rules, 2; 2.1, rule 2",
            "app": "api",
            "public": ["2001:db8::7"],
        },
        {
            "kind": "existing-cross-network-address",
            "assumed": "clients-network-id",
            "app": "api",
            "network_name": "blue",  # the network that the requests come from
            "network_id": "2:45b",
            "network_id_int": 0x2045B,
            "addresses": [str(API_FOR_BLUE)],  # allocated already
        },
        {"kind": "replay", "section": "Networking rules, 4", "app": "api"},
        {"kind": "administrator", "section": "Networking rules, 5", "app": "api"},
    ]
    # On its app's own network an address is no way around, nor is one that two apps claim.
    verdict = reach(App("web"), DB_FOR_BLUE, JOINED)
    assert [way.kind for way in verdict.ways] == ["public-address", "replay", "administrator"]
    disputed = NetworkMap([*ORGANIZATION, allocated("lone", API_FOR_BLUE)])
    assert reach(App("web"), App("api"), disputed).ways[1].kind is Way.CROSS_NETWORK_ADDRESS


def test_a_host_of_no_app_is_refused() -> None:
    with pytest.raises(EndError, match=r"only names that end in .internal"):
        reach(WEB, Host("db.example.com", port=5432), JOINED)


def test_what_rests_on_saved_networks_says_when_that_was() -> None:
    blue = ("blue", 0x2045B, "gone")
    known = {"network_name": "blue", "network_id": "2:45b", "network_id_int": 0x2045B}
    app, name = reach(App("gone"), ON_2_45B, NetworkMap([book_of(blue)])).reasons[-2:]
    assert app.to_dict() == {
        "kind": "known-from-saved",
        "section": "2.1, rule 1",
        "end": "source",
        "app": "gone",
        **known,
        "learned_on": LEARNED_ON,
    }
    assert (name.kind, name.end, name.learned_on) == ("name-from-saved", "target", LEARNED_ON)
    # What a list shows as well does not come from the saved networks.
    shown = NetworkMap([*ORGANIZATION, book_of(blue)])
    assert "name-from-saved" not in [reason.kind for reason in reach(WEB, DB, shown).reasons]


def test_this_machine_is_its_address_in_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATFORM_PRIVATE_IP", str(WEB))
    verdict = reach(ThisMachine(port=80), ThisMachine(), JOINED)
    assert (verdict.source, verdict.target) == (AddressPort(WEB, port=80), WEB)


def test_this_machine_without_an_address_is_an_error_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PLATFORM_PRIVATE_IP", raising=False)
    with pytest.raises(OwnAddressNotSetError, match="PLATFORM_PRIVATE_IP"):
        reach(ThisMachine(), App("web"), JOINED)
