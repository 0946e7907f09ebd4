"""The join: what completes a row, what is said of contradictions, and whom addresses serve."""

import pytest
from organizations import parse

from fdaa.networks import NetworkMap
from fdaa.serving import check

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
    assert row.sources == (("f", "[0].Network"), ("f", "[0].private_ip"))


# Documents -> the name, the ID and what would complete the row, of each row.
@pytest.mark.parametrize(
    ("documents", "rows"),
    [
        ([], []),
        ([parse(LISTED)], [("blue", None, "machine-list")]),
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
            [("blue", None, "machine-list")],
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
    ],
)
def test_whom_an_address_for_cross_network_access_serves(more, address, serves, warning):
    allocated = parse([{"Address": address, "Network": {"Name": "as stated"}}], "web")
    (serving,) = check(NetworkMap([*BLUE, *more, allocated]))
    written = serving.to_json()
    assert (written["address"], written["app"]) == (address, "web")
    assert (written["network"], written["warning"]) == (serves, warning)
    assert written["stated"] == "as stated"


def test_without_other_documents_no_network_is_said_to_be_without_an_app():
    (serving,) = check(NetworkMap([parse([{"Address": "fdaa:7::2"}], "web")]))
    assert serving.warning == "unknown-network"
