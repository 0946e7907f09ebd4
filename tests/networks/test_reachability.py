"""Verdicts: one for each way that two ends can stand to each other, with reasons and ways."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from books import book_of
from organizations import parse

from fdaa import Address, AddressError, FdaaError
from fdaa.networks import Document, NetworkMap, Verdict, reach

if TYPE_CHECKING:
    from collections.abc import Iterator

WEB, DB, API = "fdaa:2:45b::3", "fdaa:2:45b::4", "fdaa:7::3"
API_FOR_BLUE, DB_FOR_BLUE = "fdaa:2:45b:0:1::2", "fdaa:2:45b:0:1::9"


def machine(name: str, *addresses: Any) -> list[dict[str, Any]]:
    return [{"id": name, "private_ip": address} for address in addresses or (None,)]


def listed(**networks: Any) -> Document:
    return parse([{"Name": app, "Network": network} for app, network in networks.items()])


# web and db on blue (2:45b), api on red (7:0), lone on green (no Machine seen).
ORGANIZATION = [
    listed(web="blue", db="blue", api="red", lone="green"),
    parse(machine("148e1", WEB), "web"),
    parse(machine("148e2", DB), "db"),
    parse(machine("148e3", API), "api"),
    parse([], "lone"),
    # api for blue's clients; db for blue's, its own network: a mistake.
    parse([{"Address": API_FOR_BLUE}, {"Address": "2001:db8::7"}], "api"),
    parse([{"Address": DB_FOR_BLUE}], "db"),
]
JOINED = NetworkMap(ORGANIZATION)

SAME, APART = "same-network", "different-networks"
CROSS, OWN = "cross-network-address", "own-cross-network-address"
SAME_ID, OTHER_ID = "same-id membership-only", "different-ids membership-only"
OTHER_NAME, FOR_SOURCE = "different-names membership-only", "allocated-for-source"
DISPUTED = "unknown contradiction:"

# Source, target, with documents -> outcome and the reasons: their kinds, with what is needed.
VERDICTS = [
    (WEB, DB, False, SAME, SAME_ID),
    (WEB, "FDAA:0002:45B:1::4", False, SAME, SAME_ID),
    (WEB, API, False, APART, OTHER_ID),
    (WEB, API_FOR_BLUE, False, SAME, SAME_ID),  # nothing says that it is allocated
    ("web", DB, False, "unknown", "missing:end-in-document"),
    ("web", "db", True, SAME, SAME_ID),
    ("web", "lone", True, APART, f"{OTHER_NAME} no-machine"),
    ("web", "network:blue", True, SAME, SAME_ID),
    ("network:2:45b", "7:0", True, APART, OTHER_ID),
    ("fdaa:7::/48", "network:red", True, SAME, SAME_ID),
    ("2:45b", "fdaa:2:45b::/48", False, SAME, SAME_ID),
    ("network:green", "network:red", True, APART, OTHER_NAME),
    ("web", "network:nobody", True, "unknown", "missing:network-in-document"),
    (
        *("web", "network:blue", False, "unknown"),
        "missing:end-in-document missing:network-in-document",
    ),
    # Configured access is access; the Machine's own address stays out of reach.
    ("web", "api", True, CROSS, f"allocated-for-source {OTHER_ID}"),
    ("web", API, True, APART, OTHER_ID),
    ("web", "148e3", True, APART, OTHER_ID),
    ("148e1", "148e3", True, APART, OTHER_ID),
    ("lone", "api", True, APART, OTHER_NAME),
    ("lone", "fdaa:9::1", True, "unknown", "missing:names-or-ids"),  # green's, for all we know
    ("lone", API, True, APART, OTHER_NAME),
    ("web", "nobody", True, "unknown", "missing:end-in-document"),
    ("web", "blue", True, "unknown", "missing:end-as-network"),  # no app is called so
    ("web", API_FOR_BLUE, True, CROSS, "allocated-for-source membership-only"),
    ("lone", API_FOR_BLUE, True, APART, "allocated-for-another different-names"),
    ("api", API_FOR_BLUE, True, OWN, "asked-from-own-network"),
    (API, API_FOR_BLUE, True, OWN, "asked-from-own-network"),
    ("web", DB_FOR_BLUE, True, OWN, "asked-from-own-network"),
    (API_FOR_BLUE, "web", True, "unknown", "source-is-allocated"),  # nothing is sent from it
    ("fdaa::5", "fdaa::3", False, "unknown", "service-address service-address"),
    (WEB, "fdaa::3", True, "unknown", "service-address"),
    ("0:0", WEB, True, "unknown", "service-address"),
]
REACHABLE = {SAME: True, CROSS: True, APART: False, OWN: False, "unknown": None}


def told(verdict: Verdict) -> Iterator[str]:
    """Return the kinds of a verdict's reasons, each with the rules broken or what is needed."""
    for reason in verdict.reasons:
        facts = reason.details
        more = (
            facts["rules"]
            if "rules" in facts
            else [facts["requires"]]
            if "requires" in facts
            else ()
        )
        yield ":".join((reason.kind, *more))


@pytest.mark.parametrize(("source", "target", "documents", "outcome", "reasons"), VERDICTS)
def test_the_verdict_on(
    source: str, target: str, documents: list[Document], outcome: str, reasons: str
) -> None:
    verdict = reach(source, target, JOINED if documents else None)
    assert (verdict.outcome, [*told(verdict)]) == (outcome, reasons.split())
    assert verdict.reachable is REACHABLE[outcome]
    assert bool(verdict.ways) == (verdict.reachable is False)
    assert verdict.via == ((API_FOR_BLUE,) if (source, target) == ("web", "api") else ())


ANY = "fdaa:2:45b:0:1::5"  # for blue
FOR_SOME = parse(["fdaa:9:0:1::1"], "api")  # perhaps for green
FOR_NEW, NO_NETWORK = parse([ANY], "new"), {"Network": "", "Status": "x"}
NEW, EMPTY, ON_RED = parse(machine("new"), "api"), parse([], "new"), ("red", 0x70000, "new")
CLAIMED = parse([API_FOR_BLUE], "lone")
TWO = [parse(machine("two", "fdaa:7::8", "fdaa:7::9"), "api"), parse(["fdaa:7::8"], "db")]
LATER = [parse(machine("new")), parse(machine("new", "fdaa:7::8"), "api")]

# More documents, what a book says, source and target -> outcome, reasons.
MORE = [
    # What documents disagree about has no verdict.
    ([listed(api="blue")], (), "web api", DISPUTED + "app-listed-twice"),
    ([parse(machine("x", ANY), "api")], (), "web api", DISPUTED + "app-on-two-networks"),
    ([parse(machine("api", ANY))], (), "web api", "unknown missing:app-or-machine"),
    ([parse(machine("148e3", ANY))], (), "web 148e3", "unknown missing:one-network"),
    (
        [parse(machine("x", API_FOR_BLUE))],
        (),
        f"web {API_FOR_BLUE}",
        DISPUTED + "address-held-twice",
    ),
    ([CLAIMED], (), f"web {API_FOR_BLUE}", DISPUTED + "address-of-two-apps"),
    ([CLAIMED], (), "web api", f"{APART} {OTHER_ID}"),  # no way to either
    # Two Machines on one address leave the network that it names.
    *(
        ([parse(machine("other", API))], (), f"web {end}", f"{APART} {OTHER_ID}")
        for end in ("148e3", "other", API)
    ),
    # Of a Machine's addresses one that nobody disputes tells its network.
    (TWO, (), f"two {WEB}", f"{APART} {OTHER_ID}"),
    # An allocated address is open while the own network of its app is not known.
    ([FOR_NEW], (), f"web {ANY}", "unknown allocated-for-source own-network-unknown"),
    ([FOR_NEW, listed(new="green")], (), f"web {ANY}", f"{CROSS} {FOR_SOURCE} membership-only"),
    ([FOR_NEW], (ON_RED,), f"web {ANY}", f"{CROSS} {FOR_SOURCE} membership-only"),
    ([FOR_NEW], (ON_RED,), "web new", f"{CROSS} {FOR_SOURCE} {OTHER_ID} known-from-book"),
    # So is the way to an app that has one, while the ID of the source's network is not known.
    ([FOR_SOME], (), "lone api", f"unknown missing:id-of-source {OTHER_NAME.split()[0]}"),
    ([FOR_SOME], (), "web api", f"{CROSS} {FOR_SOURCE} {OTHER_ID}"),
    ([FOR_SOME], (), "lone 148e3", f"{APART} {OTHER_NAME}"),
    ([FOR_SOME], (("green", 0x90000, None),), "lone api", f"{CROSS} {FOR_SOURCE} {OTHER_ID}"),
    ([FOR_SOME], (("grey", 0x90000, None),), "lone api", f"{APART} {OTHER_NAME}"),
    # An app without a Machine is on its network, and nothing answers.
    ([listed(new="blue"), EMPTY], (), "web new", f"{SAME} {SAME_ID} no-machine"),
    ([listed(new="blue"), EMPTY], (), "new web", f"{SAME} {SAME_ID}"),
    ([listed(new="blue")], (), "web new", f"{SAME} {SAME_ID}"),
    ([listed(new="blue"), EMPTY, parse(machine("1"), "new")], (), "web new", f"{SAME} {SAME_ID}"),
    # No Machine has this address; without the list of an app that may be there, this is not known.
    ([], (), "web fdaa:2:45b::99", f"{SAME} {SAME_ID} stale"),
    ([], (), "fdaa:7::99 web", f"{APART} {OTHER_ID} stale"),
    ([listed(new="blue")], (), "web fdaa:2:45b::99", f"{SAME} {SAME_ID}"),
    # An app that only the book knows is on its network; documents come first.
    ([], (("blue", 0x2045B, "gone"),), "gone db", f"{SAME} {SAME_ID} known-from-book"),
    ([], (("blue", 0x2045B, "web"),), "web db", f"{SAME} {SAME_ID}"),
    ([], (("a", 8, "gone"), ("b", 9, "gone")), f"gone {WEB}", DISPUTED + "app-on-two-networks"),
    ([parse([{"Name": "old", **NO_NETWORK}])], (), "old web", "unknown missing:names-or-ids"),
    (
        *([parse([{"Name": "new", **NO_NETWORK}])], (ON_RED,), "new web"),
        f"{APART} {OTHER_ID} known-from-book",
    ),
    # A Machine without an address is on its app's network; with one it is where that says.
    ([NEW], (), f"new {API}", f"{SAME} {SAME_ID}"),
    ([NEW], (), f"{WEB} new", f"{APART} {OTHER_ID}"),
    ([parse(machine("new"))], (), f"new {API}", "unknown missing:app-of-machine-list"),
    ([NEW, parse(machine("new"), "web")], (), "new web", "unknown missing:one-app"),
    (LATER, (), f"new {API}", f"{SAME} {SAME_ID}"),
]


@pytest.mark.parametrize(("more", "in_book", "ends", "expected"), MORE, ids=range(len(MORE)))
@pytest.mark.parametrize("order", [1, -1])
def test_the_verdict_with_more_documents(
    more: Any, in_book: Any, ends: str, expected: Any, order: int
) -> None:
    book = book_of(*in_book)
    joined = NetworkMap([*ORGANIZATION, *more][::order], book)
    verdict = reach(*ends.split(), joined)
    assert [verdict.outcome, *told(verdict)] == expected.split()


def test_a_verdict_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match=r"use \.reachable"):
        bool(reach(WEB, API))


def test_the_ways_around_name_what_to_type() -> None:
    ways = reach("web", API, JOINED).to_dict()["ways"]
    assert ways == [
        {
            "kind": "public-address",
            "section": "Networking rules, 2",
            "app": "api",
            "addresses": ["2001:db8::7"],
        },
        {
            "kind": "cross-network-address",
            "section": "Networking rules, 3",
            "app": "api",
            "network": "blue",  # the network that the requests come from
            "network_id": "2:45b",
            "addresses": [API_FOR_BLUE],  # allocated already
        },
        {"kind": "replay", "section": "Networking rules, 4", "app": "api"},
    ]
    # On its app's own network an address is no way around, nor is one that two apps claim.
    verdict = reach("web", DB_FOR_BLUE, JOINED)
    assert [way.kind for way in verdict.ways] == ["public-address", "replay"]
    disputed = NetworkMap([*ORGANIZATION, parse([API_FOR_BLUE], "lone")])
    assert reach("web", "api", disputed).ways[1].details["addresses"] == []
    # The name of a network is not given out if it is disputed.
    known = NetworkMap(ORGANIZATION, book_of(("blue", 9, "old")))
    facts = reach("web", API, known).ways[1].details
    assert (facts["network"], facts["network_id"]) == (None, "2:45b")


def test_where_names_and_ids_are_disputed_it_is_agreement_that_would_settle_it() -> None:
    documents = [listed(web="blue", api="blue"), parse(machine("1", "fdaa:2:45b::5"), "api")]
    book = book_of(("red", 0x2045B, None))
    assert reach("web", "api", NetworkMap(documents)).outcome == SAME
    verdict = reach("web", "fdaa:2:45b::5", NetworkMap(documents, book))
    assert [*told(verdict)] == ["missing:agreement"]


# An end that is refused -> the error, and what it says.
@pytest.mark.parametrize(
    ("end", "error", "said"),
    [
        *(
            (text, AddressError, "is not a")
            for text in ("", "fdaa::g", "[fdaa::3]:53", "2001:db8::1")
        ),
        *(
            (text, FdaaError, "is not a network ID")
            for text in ("2:45g", "web:8080", "network:", "network:1st", "fdaa::/16")
        ),
        *((value, TypeError, "must be str or Address") for value in (None, 5, b"fdaa::3")),
    ],
)
def test_what_is_no_end_is_refused(end: object, error: Any, said: str) -> None:
    for ends in ((end, WEB), (WEB, end)):
        with pytest.raises(error, match=said):
            reach(*ends, JOINED)


def test_a_verdict_is_plain_json() -> None:
    verdict = reach("web", "api", JOINED)
    written = json.loads(json.dumps(verdict.to_dict()))
    assert list(written) == ["source", "target", "reachable", "outcome", "via", "reasons", "ways"]
    assert (written["source"], written["target"], written["reachable"]) == ("web", "api", True)
    assert written["via"] == [API_FOR_BLUE]
    assert written["reasons"][0]["source"] == {"network": "blue", "network_id": "2:45b"}
    assert reach(Address(WEB), Address(API), JOINED) == reach(WEB, API, JOINED)


def test_what_rests_on_a_book_says_when_that_was() -> None:
    book = book_of(("blue", 0x2045B, "gone"))
    assert reach("gone", "2:45b", NetworkMap((), book)).reasons[-1].to_dict() == {
        "kind": "known-from-book",
        "section": "2.1, rule 1; 2.2",
        "end": "source",
        "app": "gone",
        "network": "blue",
        "network_id": "2:45b",
        "learned_on": book.learned_from("gone")[0].learned_on,
    }
