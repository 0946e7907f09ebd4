"""Verdicts: one for each way that two ends can stand to each other, with reasons and ways."""

import json
import subprocess
import sys

import pytest
from organizations import parse

import fdaa
from fdaa import Address, AddressError, NetworkID
from fdaa.networks import Verdict, reach
from fdaa.networks._join import NetworkMap
from fdaa.networks._model import Evidence

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
    # api for blue's clients; db for blue's, its own network: a mistake.
    parse([{"Address": "fdaa:2:45b:0:1::2"}, {"Address": "2001:db8::7"}], "api"),
    parse([{"Address": "fdaa:2:45b:0:1::9"}], "db"),
]
JOINED = NetworkMap(ORGANIZATION)
WEB, DB, API = "fdaa:2:45b::3", "fdaa:2:45b::4", "fdaa:7::3"
API_FOR_BLUE, DB_FOR_BLUE = "fdaa:2:45b:0:1::2", "fdaa:2:45b:0:1::9"

# Origin, target, with documents -> outcome and the reasons' kinds.
VERDICTS = [
    (WEB, DB, False, "same-network", ["same-id", "membership-only"]),
    (WEB, "FDAA:0002:45B:1::4", False, "same-network", ["same-id", "membership-only"]),
    (WEB, API, False, "different-networks", ["different-ids", "membership-only"]),
    (WEB, API_FOR_BLUE, False, "same-network", ["same-id", "membership-only"]),  # not known as one
    ("web", DB, False, "unknown", ["missing"]),
    ("web", "db", True, "same-network", ["same-id", "membership-only"]),
    ("web", "lone", True, "different-networks", ["different-names", "membership-only"]),
    ("148e1", "148e3", True, "different-networks", ["different-ids", "membership-only"]),
    ("lone", "fdaa:9::1", True, "unknown", ["missing"]),  # green's, for all that is known
    ("lone", API, True, "different-networks", ["different-names", "membership-only"]),
    ("web", "nobody", True, "unknown", ["missing"]),
    (
        "web",
        API_FOR_BLUE,
        True,
        "cross-network-address",
        ["allocated-for-source", "membership-only"],
    ),
    (
        "lone",
        API_FOR_BLUE,
        True,
        "different-networks",
        ["allocated-for-another", "different-names"],
    ),
    ("api", API_FOR_BLUE, True, "own-cross-network-address", ["asked-from-own-network"]),
    (API, API_FOR_BLUE, True, "own-cross-network-address", ["asked-from-own-network"]),
    ("web", DB_FOR_BLUE, True, "own-cross-network-address", ["asked-from-own-network"]),
    (API_FOR_BLUE, "web", True, "unknown", ["source-is-allocated"]),  # nothing sends from it
    (
        "fdaa::5",
        "fdaa::3",
        False,
        "same-network",
        ["same-id", "service-address", "membership-only"],
    ),
    (
        *(WEB, "fdaa::3", True, "different-networks"),
        ["different-ids", "service-address", "membership-only"],
    ),
]


@pytest.mark.parametrize(("source", "target", "documents", "outcome", "reasons"), VERDICTS)
def test_the_verdict_on(source, target, documents, outcome, reasons):
    verdict = reach(source, target, JOINED if documents else None)
    assert verdict.outcome == outcome
    assert [reason.kind for reason in verdict.reasons] == reasons
    assert all(reason.rule for reason in verdict.reasons)


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


def test_the_ways_around_name_what_to_type():
    ways = reach("web", "api", JOINED).to_json()["ways"]
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
    assert "agree" in str(verdict.reasons[0].facts["needs"])


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
        way
        for way in reach("web", "api", NetworkMap(ORGANIZATION, known)).ways
        if "net" in way.kind
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


@pytest.mark.parametrize("end", [None, 5, b"fdaa::3"])
def test_an_end_of_another_type_is_refused(end):
    with pytest.raises(TypeError):
        reach(WEB, end)


def test_addresses_and_texts_mean_the_same():
    one, two = Address.parse(WEB), Address.parse(API)
    assert reach(one, two, JOINED) == reach(WEB, API, JOINED)


def test_a_verdict_is_plain_json():
    written = json.loads(json.dumps(reach("web", "api", JOINED).to_json()))
    assert list(written) == ["source", "target", "reachable", "outcome", "reasons", "ways"]
    assert (written["source"], written["target"], written["reachable"]) == ("web", "api", False)
    assert written["reasons"][0]["source"] == {"network": "blue", "network_id": "2:45b"}


def test_the_function_and_its_module_stand_beside_each_other():
    code = "import fdaa, fdaa.networks._join, fdaa.reach; from fdaa.networks._reachability import Verdict; "
    code += "assert fdaa.reach('fdaa::1', 'fdaa::2').reachable; assert Verdict is fdaa.Verdict"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert fdaa.networks._reachability is reach
    assert isinstance(reach(WEB, DB), Verdict)


def test_the_face_loads_no_documents():
    code = (
        "import fdaa, sys; print({'json', 're', 'typing', 'fdaa.networks._model'} & {*sys.modules})"
    )
    path = f"import sys; sys.path[:0] = {sys.path!r}; "
    command = [sys.executable, "-S", "-I", "-c", path + code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True)
    assert loaded.stdout == "set()\n"


def test_a_machine_without_an_address_is_on_its_apps_network():
    new = [{"id": "new", "state": "created"}]
    joined = NetworkMap([*ORGANIZATION, parse(new, "api")])
    assert reach("new", "web", joined).outcome == "different-networks"
    assert reach("api", "new", joined).outcome == "same-network"
    verdict = reach("new", "web", NetworkMap([*ORGANIZATION, parse(new)]))
    assert verdict.outcome == "unknown"
    assert "which app's Machine list" in verdict.reasons[0].facts["needs"]
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
