"""Verdicts: one for each way that two ends can stand to each other, with reasons and ways."""

import json

import pytest
from organizations import parse

from fdaa import Address, AddressError, FdaaError, NetworkID
from fdaa.networks import Book, Evidence, NetworkMap, Outcome, Reason, Way, reach

# web and db on blue (2:45b), api on red (7:0), lone on green (no Machine seen).
ORGANIZATION = [
    parse(
        [
            {"Name": "web", "Network": "blue"},
            {"Name": "db", "Network": "blue"},
            {"Name": "api", "Network": "red"},
            {"Name": "lone", "Network": "green"},
        ]
    ),
    parse([{"id": "148e1", "private_ip": "fdaa:2:45b::3"}], "web"),
    parse([{"id": "148e2", "private_ip": "fdaa:2:45b::4"}], "db"),
    parse([{"id": "148e3", "private_ip": "fdaa:7::3"}], "api"),
    parse([], "lone"),
    # api for blue's clients; db for blue's, its own network: a mistake.
    parse([{"Address": "fdaa:2:45b:0:1::2"}, {"Address": "2001:db8::7"}], "api"),
    parse([{"Address": "fdaa:2:45b:0:1::9"}], "db"),
]
JOINED = NetworkMap(ORGANIZATION)
WEB, DB, API = "fdaa:2:45b::3", "fdaa:2:45b::4", "fdaa:7::3"
API_FOR_BLUE, DB_FOR_BLUE = "fdaa:2:45b:0:1::2", "fdaa:2:45b:0:1::9"

# Source, target, with documents -> outcome and the reasons' kinds.
VERDICTS = [
    (WEB, DB, False, "same-network", "same-id membership-only"),
    (WEB, "FDAA:0002:45B:1::4", False, "same-network", "same-id membership-only"),
    (WEB, API, False, "different-networks", "different-ids membership-only"),
    # Nothing says that it is allocated.
    (WEB, API_FOR_BLUE, False, "same-network", "same-id membership-only"),
    ("web", DB, False, "unknown", "missing"),
    ("web", "db", True, "same-network", "same-id membership-only"),
    ("web", "lone", True, "different-networks", "different-names membership-only no-machine"),
    ("web", "network:blue", True, "same-network", "same-id membership-only"),
    ("network:2:45b", "7:0", True, "different-networks", "different-ids membership-only"),
    ("fdaa:7::/48", "network:red", True, "same-network", "same-id membership-only"),
    ("2:45b", "fdaa:2:45b::/48", False, "same-network", "same-id membership-only"),
    ("network:green", "network:red", True, "different-networks", "different-names membership-only"),
    ("web", "network:nobody", True, "unknown", "missing"),
    ("web", "network:blue", False, "unknown", "missing missing"),
    # Configured access is access; the Machine's own address stays out of reach.
    (
        *("web", "api", True),
        *("cross-network-address", "allocated-for-source different-ids membership-only"),
    ),
    ("web", "148e3", True, "different-networks", "different-ids membership-only"),
    ("148e1", "148e3", True, "different-networks", "different-ids membership-only"),
    ("lone", "fdaa:9::1", True, "unknown", "missing"),  # green's, for all that is known
    ("lone", API, True, "different-networks", "different-names membership-only"),
    ("web", "nobody", True, "unknown", "missing"),
    ("web", API_FOR_BLUE, True, "cross-network-address", "allocated-for-source membership-only"),
    ("lone", API_FOR_BLUE, True, "different-networks", "allocated-for-another different-names"),
    ("api", API_FOR_BLUE, True, "own-cross-network-address", "asked-from-own-network"),
    (API, API_FOR_BLUE, True, "own-cross-network-address", "asked-from-own-network"),
    ("web", DB_FOR_BLUE, True, "own-cross-network-address", "asked-from-own-network"),
    (API_FOR_BLUE, "web", True, "unknown", "source-is-allocated"),  # nothing is sent from it
    ("fdaa::5", "fdaa::3", False, "unknown", "service-address service-address"),
    (WEB, "fdaa::3", True, "unknown", "service-address"),
    ("0:0", WEB, True, "unknown", "service-address"),
]


@pytest.mark.parametrize(("source", "target", "documents", "outcome", "reasons"), VERDICTS)
def test_the_verdict_on(source, target, documents, outcome, reasons):
    verdict = reach(source, target, JOINED if documents else None)
    assert verdict.outcome == outcome
    assert [reason.kind for reason in verdict.reasons] == reasons.split()
    assert all(reason.kind.section for reason in verdict.reasons)


@pytest.mark.parametrize(
    ("outcome", "reachable"),
    [
        ("same-network", True),
        ("different-networks", False),
        ("cross-network-address", True),
        ("own-cross-network-address", False),
        ("unknown", None),
    ],
)
def test_an_outcome_says_whether_the_target_can_be_reached(outcome, reachable):
    source, target, documents, *_ = next(row for row in VERDICTS if row[3] == outcome)
    assert reach(source, target, JOINED if documents else None).reachable is reachable


def test_a_verdict_is_neither_true_nor_false():
    with pytest.raises(TypeError, match=r"use \.reachable"):
        bool(reach(WEB, API))


def test_closed_sets_are_enumerations():
    verdict = reach("web", "148e3", JOINED)
    assert verdict.outcome is Outcome.DIFFERENT_NETWORKS
    assert verdict.reasons[0].kind is Reason.DIFFERENT_IDS
    assert [way.kind for way in verdict.ways] == [*Way]


def test_an_allocated_address_is_the_way_to_its_app():
    verdict = reach("web", "api", JOINED)
    assert (verdict.reachable, verdict.via, verdict.ways) == (True, (API_FOR_BLUE,), ())
    assert verdict.to_json()["via"] == [API_FOR_BLUE]
    # The Machines' own addresses stay out of reach, and the address is of no use to others.
    assert reach("web", API, JOINED).reachable is False
    assert reach("lone", "api", JOINED).via == ()
    assert reach("lone", "api", JOINED).reachable is False


def test_an_allocated_address_that_two_apps_claim_is_no_way():
    other = parse([{"Address": API_FOR_BLUE}], "lone")
    verdict = reach("web", "api", NetworkMap([*ORGANIZATION, other]))
    assert (verdict.outcome, verdict.via) == ("different-networks", ())
    assert verdict.ways[1].facts["addresses"] == []


def test_the_ways_around_name_what_to_type():
    ways = reach("web", API, JOINED).to_json()["ways"]
    assert ways == [
        {
            "kind": "public-address",
            "rule": "Networking rules, 2",
            "app": "api",
            "addresses": ["2001:db8::7"],
        },
        {
            "kind": "cross-network-address",
            "rule": "Networking rules, 3",
            "app": "api",
            "network": "blue",  # the network that the requests come from
            "network_id": "2:45b",
            "addresses": [API_FOR_BLUE],  # allocated already
        },
        {"kind": "replay", "rule": "Networking rules, 4", "app": "api"},
    ]


def test_an_address_is_no_way_around_on_its_apps_own_network():
    verdict = reach("web", DB_FOR_BLUE, JOINED)
    assert [way.kind for way in verdict.ways] == ["public-address", "replay"]


def test_there_is_no_way_around_what_can_be_reached_or_is_not_known():
    assert reach("web", "db", JOINED).ways == ()
    assert reach("web", "nobody", JOINED).ways == ()


# What more documents say -> the end whose verdict is open then, and the rules that they break.
@pytest.mark.parametrize(
    ("more", "target", "rules"),
    [
        ([parse([{"Name": "api", "Network": "blue"}])], "api", ["app-listed-twice"]),
        (
            [parse([{"id": "x", "private_ip": "fdaa:2:45b::7"}], "api")],
            *("api", ["app-on-two-networks"]),
        ),
        ([parse([{"id": "api", "private_ip": "fdaa:2:45b::5"}])], "api", ["app-and-machine"]),
        (
            [parse([{"id": "148e3", "private_ip": "fdaa:2:45b::5"}])],
            *("148e3", ["machine-on-two-networks"]),
        ),
        # A Machine's address that is allocated too, and one that is allocated to two apps.
        ([parse([{"id": "x", "private_ip": API_FOR_BLUE}])], API_FOR_BLUE, ["address-held-twice"]),
        ([parse([{"Address": API_FOR_BLUE}], "lone")], API_FOR_BLUE, ["address-of-two-apps"]),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_what_documents_disagree_about_has_no_verdict(more, target, rules, order):
    verdict = reach("web", target, NetworkMap([*ORGANIZATION, *more][::order]))
    assert verdict.outcome == "unknown"
    assert [reason.kind for reason in verdict.reasons] == ["contradiction"]
    assert verdict.reasons[0].facts["rules"] == rules


def test_where_names_and_ids_are_disputed_it_is_agreement_that_would_settle_it():
    listed = parse([{"Name": "web", "Network": "blue"}, {"Name": "api", "Network": "blue"}])
    machines = parse([{"id": "1", "private_ip": "fdaa:2:45b::5"}], "api")
    book = [Evidence("red", NetworkID(0x2045B), None, None, ())]
    assert reach("web", "api", NetworkMap([listed, machines])).outcome == "same-network"
    verdict = reach("web", "fdaa:2:45b::5", NetworkMap([listed, machines], book))
    assert verdict.outcome == "unknown"
    assert verdict.reasons[0].facts["needs"] == "agreement"


def test_two_machines_on_one_address_leave_the_network_that_it_names():
    held = parse([{"id": "other", "private_ip": API}])
    joined = NetworkMap([*ORGANIZATION, held])
    assert [each.rule for each in joined.contradictions if "own" not in each.rule] == [
        "address-held-twice"
    ]
    for target in ("148e3", "other", API):
        assert reach("web", target, joined).outcome == "different-networks"


def test_an_allocated_address_is_open_while_its_apps_own_network_is_not_known():
    lists = [parse([{"Address": "fdaa:2:45b:0:1::5"}], "new")]
    verdict = reach("web", "fdaa:2:45b:0:1::5", NetworkMap([*ORGANIZATION, *lists]))
    assert verdict.outcome == "unknown"
    kinds = ["allocated-for-source", "own-network-unknown"]
    assert [reason.kind for reason in verdict.reasons] == kinds
    lists.append(parse([{"Name": "new", "Network": "green"}]))
    verdict = reach("web", "fdaa:2:45b:0:1::5", NetworkMap([*ORGANIZATION, *lists]))
    assert verdict.outcome == "cross-network-address"


def test_a_disputed_name_is_not_given_out_for_the_network_to_type():
    known = [Evidence("blue", NetworkID(9), "old", None, ())]
    (way,) = (
        way for way in reach("web", API, NetworkMap(ORGANIZATION, known)).ways if "net" in way.kind
    )
    assert (way.facts["network"], way.facts["network_id"]) == (None, "2:45b")


def test_there_is_no_way_around_to_a_service_of_the_platform():
    assert reach(WEB, "fdaa::3", JOINED).ways == ()


@pytest.mark.parametrize("end", ["", "fdaa::g", "[fdaa::3]:53", "2001:db8::1"])
def test_text_that_is_no_address_is_refused(end):
    with pytest.raises(AddressError):
        reach(end, WEB)
    with pytest.raises(AddressError):
        reach(WEB, end, JOINED)


@pytest.mark.parametrize("end", ["2:45g", "web:8080", "network:", "network:1st", "fdaa::/16"])
def test_text_that_is_no_network_is_refused(end):
    with pytest.raises(FdaaError, match="is not a network ID"):
        reach(WEB, end, JOINED)


@pytest.mark.parametrize("end", [None, 5, b"fdaa::3"])
def test_an_end_of_another_type_is_refused(end):
    with pytest.raises(TypeError):
        reach(WEB, end)


def test_addresses_and_texts_mean_the_same():
    one, two = Address.parse(WEB), Address.parse(API)
    assert reach(one, two, JOINED) == reach(WEB, API, JOINED)


def test_a_verdict_is_plain_json():
    written = json.loads(json.dumps(reach("web", "api", JOINED).to_json()))
    assert list(written) == ["source", "target", "reachable", "outcome", "via", "reasons", "ways"]
    assert (written["source"], written["target"], written["reachable"]) == ("web", "api", True)
    assert written["reasons"][0]["source"] == {"network": "blue", "network_id": "2:45b"}


def test_an_app_without_a_machine_is_on_its_network_and_nothing_answers():
    empty = [parse([{"Name": "new", "Network": "blue"}]), parse([], "new")]
    verdict = reach("web", "new", NetworkMap([*ORGANIZATION, *empty]))
    assert (verdict.outcome, verdict.reasons[-1].kind) == ("same-network", "no-machine")
    for more in (empty[:1], [*empty, parse([{"id": "1", "state": "created"}], "new")]):
        verdict = reach("web", "new", NetworkMap([*ORGANIZATION, *more]))
        assert "no-machine" not in [reason.kind for reason in verdict.reasons]
    assert len(reach("new", "web", NetworkMap([*ORGANIZATION, *empty])).reasons) == 2


def book_of(*facts):
    book = Book("networks.json")
    book.add([Evidence(name, NetworkID(id_), app, None, ()) for name, id_, app in facts])
    return book


def test_an_app_that_only_the_book_knows_is_on_its_network():
    book = book_of(("blue", 0x2045B, "gone"), ("red", 0x70000, "api"))
    verdict = reach("gone", "api", JOINED, book)
    assert verdict.outcome == "cross-network-address"
    assert verdict.reasons[-1].to_json() == {
        "kind": "known-from-book",
        "rule": "2.1, rule 1; 2.2",
        "end": "source",
        "app": "gone",
        "network": "blue",
        "network_id": "2:45b",
        "learned_on": book.entry("blue").learned_on,
    }
    assert reach("gone", "api", None, book).outcome == "different-networks"
    assert [each.kind for each in reach("web", "db", JOINED, book).reasons] == [
        *("same-id", "membership-only")
    ]  # documents come first


def test_the_book_knows_the_own_network_of_an_app_with_an_allocated_address():
    book, addresses = book_of(("red", 0x70000, "new")), parse(["fdaa:2:45b:0:1::5"], "new")
    joined = NetworkMap([*ORGANIZATION, addresses], book)
    for target in ("new", "fdaa:2:45b:0:1::5"):
        assert reach("web", target, joined).outcome == "unknown"
        assert reach("web", target, joined, book).outcome == "cross-network-address"


def test_an_app_whose_network_no_document_tells_is_on_an_unknown_one():
    joined = NetworkMap([*ORGANIZATION, parse([{"Name": "old", "Network": "", "Status": "x"}])])
    (reason,) = reach("old", "web", joined).reasons
    assert (reason.kind, reason.facts["needs"]) == ("missing", "names-or-ids")
    assert reach("old", "web", joined, book_of(("red", 0x70000, "old"))).reachable is False


def test_an_app_of_two_networks_in_the_book_is_on_neither():
    verdict = reach("gone", WEB, None, book_of(("blue", 0x2045B, "gone"), ("red", 7, "gone")))
    assert verdict.outcome == "unknown"
    assert verdict.reasons[0].facts["rules"] == ["app-on-two-networks"]


def test_a_machine_without_an_address_is_on_its_apps_network():
    new = [{"id": "new", "state": "created"}]
    joined = NetworkMap([*ORGANIZATION, parse(new, "api")])
    assert reach("new", "web", joined).outcome == "different-networks"
    assert reach("api", "new", joined).outcome == "same-network"
    verdict = reach("new", "web", NetworkMap([*ORGANIZATION, parse(new)]))
    assert verdict.outcome == "unknown"
    assert verdict.reasons[0].facts["needs"] == "app-of-machine-list"
    twice = NetworkMap([*ORGANIZATION, parse(new, "api"), parse(new, "web")])
    assert reach("new", "web", twice).reasons[0].facts["rules"] == ["machine-of-two-apps"]
    # With an address it is where that says, whatever an older list has.
    later = parse([{"id": "new", "private_ip": "fdaa:7::8"}], "api")
    assert reach("new", "api", NetworkMap([*ORGANIZATION, parse(new), later])).reachable


@pytest.mark.parametrize("order", [1, -1])
def test_of_a_machines_addresses_one_that_nobody_disputes_tells_its_network(order):
    two = [{"id": "two", "private_ip": f"fdaa:7::{i}"} for i in (8, 9)]
    held = parse([{"Address": "fdaa:7::8"}], "db")
    joined = NetworkMap([*ORGANIZATION, parse(two[::order], "api"), held])
    assert reach("two", WEB, joined).outcome == "different-networks"
