"""The join: what completes a row, what is said of contradictions, and whom addresses serve."""

import pytest
from organizations import parse

import fdaa
from fdaa import NetworkID
from fdaa.networks import Evidence, NetworkMap, check_allocations

MACHINE = {"id": "m", "private_ip": "fdaa:2:45b::3"}
LISTED = [{"Name": "web", "Network": "blue"}]


def test_a_row_tells_its_network_and_how_it_is_known():
    (row,) = NetworkMap([parse(LISTED), parse([MACHINE], "web")]).networks
    assert row.to_json() == {
        "kind": "network",
        "name": "blue",
        "network_id": "2:45b",
        "network_id_int": 0x2045B,
        "prefix": "fdaa:2:45b::/48",
        "apps": ["web"],
        "machines": 1,
    }
    assert row.origins == (("f", "[0].Network"), ("f", "[0].private_ip"))


# Documents -> the name, the ID and what would complete the row, of each row.
@pytest.mark.parametrize(
    ("documents", "rows"),
    [
        ([], []),
        ([parse(LISTED)], [("blue", None, "machine-list")]),
        ([parse(LISTED), parse([], "web")], [("blue", None, "machine-with-address")]),
        (
            [parse(LISTED), parse([{"id": "m", "state": "x"}], "web")],
            [("blue", None, "machine-with-address")],
        ),
        (
            [parse([*LISTED, {"Name": "api", "Network": "blue"}]), parse([], "web")],
            [("blue", None, "machine-list")],
        ),
        ([parse([MACHINE], "web")], [(None, 0x2045B, "app-list")]),
        ([parse([MACHINE])], [(None, 0x2045B, "app-of-machine-list")]),
        ([parse(LISTED), parse([MACHINE], "web")], [("blue", 0x2045B, None)]),
        (
            [parse(LISTED), parse([MACHINE], "api")],
            [("blue", None, "machine-list"), (None, 0x2045B, "app-list")],
        ),
        (
            [
                parse(LISTED),
                parse([MACHINE], "web"),
                parse([{"id": "n", "private_ip": "fdaa:2:45c::3"}], "web"),
            ],
            [
                ("blue", None, "agreement"),
                (None, 0x2045B, "agreement"),
                (None, 0x2045C, "agreement"),
            ],
        ),
        # An address for cross-network access tells neither its app's network nor a Machine.
        (
            [parse(LISTED), parse([{"Address": "fdaa:7::3"}], "web")],
            [("blue", None, "machine-list"), (None, 0x70000, "machine-list-on-it")],
        ),
    ],
)
def test_a_row_says_what_would_complete_it(documents, rows):
    joined = NetworkMap(documents)
    assert [(row.name, row.network_id, row.needs) for row in joined.networks] == rows


def test_a_machine_in_two_documents_is_one():
    status = parse({"Name": "web", "Machines": [MACHINE]})
    joined = NetworkMap([parse([MACHINE]), status, parse([MACHINE], "web"), parse(LISTED)])
    assert [(row.name, row.machines) for row in joined.networks] == [("blue", 1)]
    assert joined.contradictions == []


def test_an_app_without_a_listing_stands_with_the_network_of_its_machines():
    joined = NetworkMap(
        [
            parse(LISTED),
            parse([MACHINE], "web"),
            parse([MACHINE | {"id": "n", "private_ip": "fdaa:2:45b::4"}], "api"),
        ]
    )
    assert joined.networks[0].apps == ("api", "web")
    assert joined.of_app("api").name == "blue"


def test_nothing_follows_from_what_documents_disagree_about():
    joined = NetworkMap(
        [parse(LISTED), parse([{"Name": "web", "Network": "red"}]), parse([MACHINE], "web")]
    )
    assert joined.of_app("web") is None
    assert joined.id_of_app("web") is None
    assert list(joined.facts()) == []


def test_a_contradiction_shows_both_pieces_of_evidence():
    other = {"id": "n", "private_ip": "fdaa:2:45c::3"}
    (found,) = NetworkMap([parse({"Name": "web", "Machines": [MACHINE, other]})]).contradictions
    assert found.to_json() == {
        "kind": "contradiction",
        "rule": "app-on-two-networks",
        "evidence": [
            {
                "name": None,
                "network_id": f"2:45{letter}",
                "network_id_int": number,
                "app": "web",
                "address": f"fdaa:2:45{letter}::3",
                "sources": [{"file": "f", "place": f"Machines[{row}].private_ip"}],
            }
            for row, letter, number in [(0, "b", 0x2045B), (1, "c", 0x2045C)]
        ],
    }


def test_problems_of_all_documents_are_kept():
    joined = NetworkMap([parse([*LISTED, 5]), parse({"total_apps": 7, "apps": [{}]})])
    assert [problem.place for problem in joined.problems] == ["[1]", "apps[0].name", "total_apps"]
    assert joined.left_out == 2


PAGES = [
    parse({"total_apps": 3, "apps": [{"name": "a"}, {"name": "b"}]}),
    parse({"total_apps": 3, "apps": [{"name": "c"}]}),
]


def test_pages_that_are_all_there_are_no_problem():
    assert NetworkMap(PAGES).problems == []
    bad = parse({"total_apps": 3, "apps": [{"name": 5}]})
    assert [each.place for each in NetworkMap([PAGES[0], bad]).problems] == ["apps[0].name"]


@pytest.mark.parametrize(
    "pages",
    [PAGES[:1], PAGES[1:], [PAGES[0], PAGES[0]], [*PAGES, parse({"total_apps": 4, "apps": []})]],
)
def test_a_page_that_is_missing_is_a_problem(pages):
    problems = NetworkMap(pages).problems
    assert problems
    assert {each.place for each in problems} == {"total_apps"}


BLUE = [parse(LISTED), parse([MACHINE], "web")]


# An address allocated to `web`, which is on blue -> whom it serves, and what is wrong with it.
@pytest.mark.parametrize(
    ("more", "address", "serves", "warning"),
    [
        (
            [
                parse([{"Name": "api", "Network": "red"}]),
                parse([{"id": "n", "private_ip": "fdaa:7::3"}], "api"),
            ],
            *("fdaa:7:0:1:1::2", "red", None),
        ),
        ([], "fdaa:2:45b:0:1::2", "blue", "own-network"),
        ([], "fdaa:7:0:1:1::2", None, "no-app-on-network"),
        # It may be red's, of which no Machine was seen.
        ([parse([{"Name": "api", "Network": "red"}])], "fdaa:7:0:1:1::2", None, "unknown-network"),
        # A Machine was seen there; whose it is nobody said.
        ([parse([{"id": "n", "private_ip": "fdaa:7::3"}])], "fdaa:7::2", None, "unknown-network"),
    ],
)
def test_whom_an_address_for_cross_network_access_serves(more, address, serves, warning):
    allocated = parse([{"Address": address, "Network": {"Name": "as stated"}}], "web")
    (serving,) = check_allocations(NetworkMap([*BLUE, *more, allocated]))
    written = serving.to_json()
    assert (written["address"], written["app"]) == (address, "web")
    assert (written["network"], written["warning"]) == (serves, warning)
    assert written["stated"] == "as stated"


def test_without_other_documents_no_network_is_said_to_be_without_an_app():
    (serving,) = check_allocations(NetworkMap([parse([{"Address": "fdaa:7::2"}], "web")]))
    assert serving.warning == "unknown-network"


def test_a_network_that_a_book_knows_is_not_said_to_be_without_an_app():
    known = [Evidence("red", NetworkID(0x70000), "api", None, ())]
    allocated = parse([{"Address": "fdaa:7::2"}], "web")
    (serving,) = check_allocations(NetworkMap([allocated], known))
    assert (serving.network.name, serving.warning, serving.own) == ("red", None, None)
    (serving,) = check_allocations(NetworkMap([*BLUE, allocated], known))
    assert serving.warning == "no-app-on-network"


def test_whether_an_address_serves_its_own_network_may_not_be_known():
    # web is on blue, of which the ID is not known: it may be 7:0, where a Machine of api is.
    documents = [parse(LISTED), parse([{"id": "n", "private_ip": "fdaa:7::3"}], "api")]
    (serving,) = check_allocations(
        NetworkMap([*documents, parse([{"Address": "fdaa:7::2"}], "web")])
    )
    assert serving.own is None
    assert serving.warning is None


def test_an_apps_own_machines_tell_its_network_though_its_name_is_disputed():
    listed = parse([{"Name": "web", "Network": "blue"}, {"Name": "api", "Network": "blue"}])
    other = parse([{"id": "n", "private_ip": "fdaa:7::3"}], "api")
    allocated = parse([{"Address": "fdaa:2:45b:0:1::2"}], "web")
    (serving,) = check_allocations(NetworkMap([listed, parse([MACHINE], "web"), other, allocated]))
    assert serving.warning == "own-network"


# --- one address, or one app, of which documents say different things ----------------------------

HELD = parse([{"id": "m0", "private_ip": "fdaa:2:45b::3"}])
ALLOCATED = parse([{"Address": "fdaa:2:45b::3"}], "web")


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("documents", "rule"),
    [
        ([parse([MACHINE]), HELD], "address-held-twice"),
        ([parse([MACHINE], "web"), HELD], "address-held-twice"),
        ([parse([MACHINE], "web"), ALLOCATED], "address-held-twice"),
        ([HELD, ALLOCATED], "address-held-twice"),
        ([HELD, ALLOCATED, parse([{"Address": "fdaa:2:45b::3"}], "api")], "address-of-two-apps"),
        ([parse([MACHINE], "web"), parse([MACHINE], "api")], "address-of-two-apps"),
    ],
)
def test_an_address_that_is_said_to_be_two_things_is_a_contradiction(documents, rule, order):
    joined = NetworkMap(documents[::order])
    (found,) = joined.contradictions
    assert found.rule == rule
    assert len(found.evidence) == 2
    assert joined.machine_at(found_at := documents[0].machines[0].address) is None
    assert joined.allocation_at(found_at) is None
    assert [row.machines for row in joined.networks] == [1]


def test_one_machine_in_two_documents_is_no_contradiction():
    joined = NetworkMap([parse([MACHINE]), parse([MACHINE], "web"), parse([MACHINE])])
    assert joined.contradictions == []
    assert [machine.app for machine in joined.machines(MACHINE["id"])] == ["web"]
    assert joined.machine_at(fdaa.Address.parse(MACHINE["private_ip"])).app == "web"
    assert [row.machines for row in joined.networks] == [1]


def test_every_machine_is_found_by_its_identifier_whoever_else_has_its_address():
    joined = NetworkMap([HELD, parse([MACHINE])])
    assert [m.address for m in joined.machines("m0")] == [HELD.machines[0].address]
    assert [m.address for m in joined.machines(MACHINE["id"])] == [HELD.machines[0].address]


@pytest.mark.parametrize("order", [1, -1])
def test_an_app_that_is_listed_twice_is_on_both_rows(order):
    listings = [parse(LISTED), parse([{"Name": "web", "Network": "bad name"}])]
    listings.append(parse([{"Name": "web", "Network": "red"}]))
    joined = NetworkMap(listings[::order])
    assert [(row.name, row.apps, row.needs) for row in joined.networks] == [
        ("blue", ("web",), "agreement"),
        ("red", ("web",), "agreement"),
    ]
    assert {each.rule for each in joined.contradictions} == {
        "app-listed-twice",
        "name-breaks-rules",
    }


def test_names_that_break_the_rules_are_told_in_the_order_of_their_rows():
    names = ["ok", *(f"b {number}" for number in range(6))]
    joined = NetworkMap([parse([{"Name": "a", "Network": name} for name in names])])
    broken = [each for each in joined.contradictions if each.rule == "name-breaks-rules"]
    assert [each.evidence[0].name for each in broken] == names[1:]


def test_an_address_list_given_twice_counts_once():
    lists = [parse([{"Address": "fdaa:7::2"}, {"Address": "2001:db8::1"}], "web") for _ in "12"]
    joined = NetworkMap([*lists, parse([{"Address": "fdaa:7::2"}])])
    assert [(str(each.address), each.app) for each in joined.allocated] == [("fdaa:7::2", "web")]
    assert joined.public_addresses("web") == ["2001:db8::1"]


def test_public_addresses_of_two_lists_are_joined_in_linear_time_and_once():
    # Each of the second list was compared with all of the first: minutes for these.
    ips = [{"ip": f"2001:db8::{i:x}"} for i in range(10_000)]
    joined = NetworkMap([parse({"ips": ips}, "web"), parse({"ips": ips[::-1]}, "web")])
    assert joined.public_addresses("web") == [row["ip"] for row in ips]


@pytest.mark.parametrize(
    "form", ["2:45b", "0x2045b", "fdaa:2:45b::/48", 0x2045B, NetworkID("2:45b")]
)
def test_a_network_is_found_by_its_id_in_any_form(form):
    assert NetworkMap(BLUE).by_id(form).name == "blue"


@pytest.mark.parametrize("form", ["blue", "18", "", -1, 2**32])
def test_what_is_no_id_is_an_error_and_not_a_network_that_is_not_there(form):
    with pytest.raises(fdaa.NetworkIDError):
        NetworkMap(BLUE).by_id(form)


@pytest.mark.parametrize("form", [None, 1.5, b"2:45b", True])
def test_an_id_is_an_int_or_a_text(form):
    with pytest.raises(TypeError):
        NetworkMap(BLUE).by_id(form)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (({"apps": []},), "a list of Document objects, not a dict"),
        ((BLUE[0],), "a list of Document objects, not a Document"),
        ((["apps.json"],), "takes Document objects, not str"),
        ((BLUE, {"blue": 1}), "a list of Evidence objects, not a dict"),
        ((BLUE, [("blue", 1)]), "takes Evidence objects, not tuple"),
    ],
)
def test_a_map_says_what_it_takes(arguments, said):
    with pytest.raises(TypeError, match=said):
        NetworkMap(*arguments)


def test_an_address_for_its_own_network_is_reported_with_what_says_so():
    allocated = parse([{"Address": "fdaa:2:45b:0:1::2"}], "web")
    (found,) = NetworkMap([*BLUE, allocated]).contradictions
    assert found.rule == "address-for-own-network"
    assert [(e.name, str(e.network_id), e.app) for e in found.evidence] == [
        (None, "2:45b", "web"),
        ("blue", "2:45b", "web"),
    ]
    # Another app on blue tells the ID.
    listed = parse([*LISTED, {"Name": "api", "Network": "blue"}])
    (found,) = NetworkMap([listed, parse([MACHINE], "api"), allocated]).contradictions
    assert [(e.name, e.app) for e in found.evidence] == [
        (None, "web"),
        ("blue", "web"),
        ("blue", "api"),
    ]
