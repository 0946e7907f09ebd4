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
SERVICE = Address("fdaa::3")
ON_2_45B = NetworkID("2:45b")
ON_7 = NetworkID("7:0")
RED = NetworkName("red")
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
ALONE = NetworkMap()
WITH_ZERO = NetworkMap(
    [
        *ORGANIZATION,
        listed(zero="default"),
        parse(machine("z", "fdaa::9"), "zero"),
        *(allocated(app) for app in ("web", "lone", "zero")),
    ]
)

SAME = "same-network"
APART = "different-networks"
CROSS = "cross-network-address"
OWN = "own-cross-network-address"
UNKNOWN = "unknown"
SILENT_END = "nothing-responds"
SAME_ID = "same-id membership-only"
OTHER_ID = "different-ids"
OTHER_NAME = "different-names"
NOTHING = "nothing-allocated"
FOR_SOURCE = "allocated-for-source"
FOR_OTHER = "allocated-for-source different-ids membership-only"
UNLISTED = "unlisted-address"
NOT_FOUND = "not-in-documents"
NO_NETWORK = "network-not-in-documents"

# Source, target, documents -> outcome and the kinds of its reasons.
VERDICTS = [
    (WEB, DB, ALONE, SAME, f"{SAME_ID} {UNLISTED} {UNLISTED}"),
    (WEB, API, ALONE, APART, f"{OTHER_ID} {UNLISTED} {UNLISTED}"),
    ("web", DB, ALONE, UNKNOWN, NOT_FOUND),
    ("web", "db", JOINED, SAME, SAME_ID),
    (ON_2_45B, ON_7, JOINED, CROSS, FOR_OTHER),  # a network is all of its apps
    ("lone", GREEN, JOINED, SAME, "same-name membership-only"),
    (GREEN, RED, JOINED, APART, f"{OTHER_NAME} {NOTHING}"),
    ("web", NetworkName("nobody"), JOINED, UNKNOWN, NO_NETWORK),
    # Configured access is access; the Machine's own address stays out of reach.
    ("web", "api", JOINED, CROSS, FOR_OTHER),
    ("web", "148e3", JOINED, APART, OTHER_ID),
    ("lone", Address("fdaa:9::1"), JOINED, UNKNOWN, "not-comparable"),  # green's, for all we know
    ("web", "nobody", JOINED, UNKNOWN, NOT_FOUND),
    ("web", "blue", JOINED, UNKNOWN, "name-of-network"),  # no app is called so
    ("web", API_FOR_BLUE, JOINED, CROSS, f"{FOR_SOURCE} membership-only"),
    ("lone", API_FOR_BLUE, JOINED, APART, "allocated-for-another different-names"),
    ("api", API_FOR_BLUE, JOINED, OWN, "asked-from-own-network"),
    (API_FOR_BLUE, "web", JOINED, UNKNOWN, "source-is-allocated"),  # nothing is sent from it
    (Address("fdaa::5"), SERVICE, ALONE, UNKNOWN, "service-address service-address"),
    # A network may have ID 0 by documents; an address that they do not list is a service's.
    (Address("fdaa::9"), SERVICE, WITH_ZERO, UNKNOWN, "service-address"),
    (Address("fdaa::9"), "zero", WITH_ZERO, SAME, SAME_ID),
]
REACHABLE = {SAME: True, CROSS: True, APART: False, OWN: False, UNKNOWN: None}
ON_ONE = {SAME: True, CROSS: False, APART: False, OWN: True, UNKNOWN: None}


@pytest.mark.parametrize(("source", "target", "joined", "outcome", "reasons"), VERDICTS)
def test_reach_gives_an_outcome_with_its_reasons(
    source: Any, target: Any, joined: NetworkMap, outcome: str, reasons: str
) -> None:
    verdict = reach(as_end(source), as_end(target), joined)
    assert verdict.outcome == outcome
    assert [reason.kind for reason in verdict.reasons] == reasons.split()
    assert verdict.reachable is REACHABLE[outcome]
    on_one = ON_ONE[outcome]
    if joined is ALONE:  # the target may be a cross-network address
        on_one = None
    assert verdict.same_network is on_one
    assert bool(verdict.ways) == (verdict.reachable is False)
    via: tuple[Address, ...] = ()
    if (source, target) in (("web", "api"), (ON_2_45B, ON_7)):
        via = (API_FOR_BLUE,)
    assert verdict.via == via


ANY = Address("fdaa:2:45b:0:1::5")  # for blue
GONE_ON_BLUE = Address("fdaa:2:45b::99")
FOR_SOME = allocated("api", "fdaa:9:0:1::1")  # perhaps for green
FOR_NEW = allocated("new", ANY)
ON_RED = ("red", 0x70000, "new")
EMPTY = [listed(new="blue"), parse([], "new")]
ALL_LISTS = [allocated("web"), allocated("lone")]
SHARED = [parse(machine("two", "fdaa:7::8"), "new"), parse(machine("two"), "api")]

# More documents, what a book says, source and target -> outcome, reasons in their order.
# tests/property/test_written_rules.py compares any documents with the rules.
MORE = [
    # What documents disagree about has no verdict.
    ([listed(api="blue")], (), ("web", "api"), UNKNOWN, "contradiction"),
    ([parse(machine("api", ANY))], (), ("web", "api"), UNKNOWN, "app-or-machine"),
    ([parse(machine("148e3", ANY))], (), ("web", "148e3"), UNKNOWN, "machine-on-two-networks"),
    ([parse(machine("x", API_FOR_BLUE))], (), ("web", API_FOR_BLUE), UNKNOWN, "address-disputed"),
    # A Machine in the lists of two apps; its address names its network.
    (SHARED, (), ("web", "two"), UNKNOWN, "machine-of-two-apps"),
    # A host with a dot is an app's, also if a Machine has the name of the app.
    ([parse(machine("api", ANY))], (), ("web", Host("api.internal")), CROSS, FOR_OTHER),
    # A cross-network address is open while the own network of its app is not known.
    ([FOR_NEW], (), ("web", ANY), UNKNOWN, f"{FOR_SOURCE} own-network-unknown"),
    ([FOR_NEW], (ON_RED,), ("web", ANY), CROSS, f"{FOR_SOURCE} membership-only known-from-saved"),
    # So is the way to an app that has one, while the ID of the source's network is not known.
    ([FOR_SOME], (), ("lone", "api"), UNKNOWN, "source-id-unknown different-names"),
    # An app without a Machine is on its network, and nothing responds.
    (EMPTY, (), ("web", "new"), SILENT_END, "no-machine same-id"),
    # It is the reason for a no that an address list may reverse.
    ([], (), ("web", "lone"), SILENT_END, "no-machine different-names"),
    (ALL_LISTS, (), ("web", "lone"), APART, f"{OTHER_NAME} {NOTHING} no-machine"),
    # No list has this address; without one that could have it, this is not known.
    (ALL_LISTS, (), ("web", GONE_ON_BLUE), SILENT_END, "stale same-id"),
    # A Machine without an address is on its app's network.
    ([parse(machine("new"), "api")], (), ("new", API), SAME, SAME_ID),
    ([parse(machine("new"))], (), ("new", API), UNKNOWN, "app-unknown"),
]


@pytest.mark.parametrize(
    ("more", "in_book", "ends", "outcome", "reasons"), MORE, ids=range(len(MORE))
)
def test_reach_where_documents_and_a_book_are_incomplete_or_disagree(
    more: Any, in_book: Any, ends: Any, outcome: str, reasons: str
) -> None:
    joined = NetworkMap([*ORGANIZATION, *more, book_of(*in_book)])
    source, target = ends
    verdict = reach(as_end(source), as_end(target), joined)
    assert verdict.outcome == outcome
    assert [reason.kind for reason in verdict.reasons] == reasons.split()


SEEN = parse(machine("148e4", "fdaa:9::3"), "lone")
TO_LONE = allocated("lone", API_FOR_BLUE)
STOPPED = parse([{"id": "s", "private_ip": "fdaa:2:45b::7", "state": "stopped"}], "new")

# More documents, source and target -> permitted, reachable, and what may reverse a no.
PERMITTED: list[tuple[list[Document], Any, Any, bool | None, bool | None, str | None]] = [
    (ALL_LISTS, "web", "lone", False, False, None),
    ([SEEN], "web", "lone", None, False, "no-address-list"),
    ([SEEN, TO_LONE], "web", "lone", None, False, "address-disputed"),
    ([], "web", API, False, False, None),  # it is what it is, whatever its app has
    ([], "web", "api", True, True, None),
    ([], "web", GONE_ON_BLUE, None, True, None),  # it may be a cross-network address
    ([], GONE_ON_BLUE, "web", None, True, None),
    ([STOPPED, listed(new="blue")], "web", "new", True, False, None),  # what runs is no matter
]


@pytest.mark.parametrize(
    ("more", "source", "target", "permitted", "reachable", "unless"),
    PERMITTED,
    ids=range(len(PERMITTED)),
)
def test_what_is_permitted_is_what_the_lists_show(
    more: list[Document],
    source: Any,
    target: Any,
    permitted: bool | None,
    reachable: bool | None,
    unless: str | None,
) -> None:
    verdict = reach(as_end(source), as_end(target), NetworkMap([*ORGANIZATION, *more]))
    assert (verdict.permitted, verdict.reachable) == (permitted, reachable)
    assert (verdict.unless and str(verdict.unless.kind)) == unless


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


def test_a_no_about_two_addresses_in_no_document_names_both_assumptions() -> None:
    verdict = reach(WEB, API)
    assert (verdict.reachable, verdict.permitted) == (False, None)
    assert [reason.assumed for reason in verdict.reasons[1:]] == [
        "unlisted-addresses; clients-network-id"
    ] * 2
    no = reach(App("lone"), App("api"), JOINED)
    assert (no.permitted, no.reasons[1].assumed) == (False, "complete-documents")
