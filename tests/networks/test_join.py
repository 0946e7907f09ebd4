"""The join: what completes a row, what is said of contradictions, and whom addresses serve."""

from __future__ import annotations

from typing import Any

import pytest
from organizations import parse

from fdaa.networks import (
    Document,
    NetworkMap,
    check_allocations,
    find_holder,
)

MACHINE = {"id": "m", "private_ip": "fdaa:2:45b::3"}
OTHER = {"id": "n", "private_ip": "fdaa:7::3"}
NEW = parse([{"id": "m", "state": "x"}], "web")
LISTED = [{"Name": "web", "Network": "blue"}]
WEB = parse(LISTED)
BLUE = [WEB, parse([MACHINE], "web")]
FOR_7 = parse([{"Address": "fdaa:7::3"}], "web")
ON_BLUE = parse([*LISTED, {"Name": "api", "Network": "blue"}])
ON_RED = parse([{"Name": "api", "Network": "red"}])
STATUS = parse({"Name": "web", "Machines": [MACHINE]})
TWICE = [WEB, parse([{"Name": "web", "Network": "red"}])]
RED_ROW = ("red", None, None, ())


BOTH = [
    parse([{"Name": "web", "Network": "blue"}, {"Name": "api", "Network": "red"}]),
    parse([MACHINE], "web"),
    parse([{"id": "n", "private_ip": "fdaa:2:45b::4"}], "api"),
]

# Documents -> the name, the ID, the Machines and the broken rules of each row. The rules are
# compared with any documents in tests/property/test_written_rules.py.
ROWS = [
    ([], []),
    ([WEB], [("blue", None, None, ())]),
    ([WEB, parse([], "web")], [("blue", None, 0, ())]),
    ([WEB, NEW], [("blue", None, None, ())]),
    ([parse([MACHINE], "web")], [(None, 0x2045B, 1, ())]),
    (BLUE, [("blue", 0x2045B, 1, ())]),
    (
        [*BLUE, parse([OTHER], "web")],
        [("blue", None, None, ()), (None, 0x2045B, 1, ()), (None, 0x70000, 1, ())],
    ),
    (
        BOTH,
        [
            ("blue", None, None, ("id-has-two-names",)),
            ("red", None, None, ("id-has-two-names",)),
            (None, 0x2045B, 2, ("id-has-two-names",)),
        ],
    ),
    # One Machine in several documents is one.
    ([parse([MACHINE]), STATUS, *BLUE], [("blue", 0x2045B, 1, ())]),
    # An app that is listed twice is on both rows; a name that breaks the rules costs only itself.
    ([*TWICE, parse([{"Name": "web", "Network": "b d"}])], [("blue", None, None, ()), RED_ROW]),
    # A cross-network address shows neither its app's network nor a Machine.
    ([WEB, FOR_7], [("blue", None, None, ()), (None, 0x70000, None, ())]),
]


@pytest.mark.parametrize(("documents", "rows"), ROWS)
def test_a_row_has_what_documents_agree_about(documents: list[Document], rows: Any) -> None:
    joined = NetworkMap(documents).networks
    assert [
        (row.name, row.network_id, row.machine_count, row.disputed_by) for row in joined
    ] == rows


def test_a_contradiction_shows_both_facts() -> None:
    other = {"id": "n", "private_ip": "fdaa:2:45c::3"}
    (found,) = NetworkMap([parse({"Name": "web", "Machines": [MACHINE, other]})]).contradictions
    assert found.to_dict() == {
        "kind": "contradiction",
        "rule": "app-on-two-networks",
        "facts": [
            {
                "network_name": None,
                "network_id": f"2:45{letter}",
                "network_id_int": number,
                "app": "web",
                "address": f"fdaa:2:45{letter}::3",
                "origins": [{"file": "f", "place": f"Machines[{row}].private_ip"}],
            }
            for row, letter, number in [(0, "b", 0x2045B), (1, "c", 0x2045C)]
        ],
    }


API_ON_7 = parse([OTHER], "api")
# Documents, an address allocated to `web` -> the network that it serves, the warning, and whether
# that is web's own.
SERVED = [
    ([*BLUE, ON_RED, API_ON_7], "fdaa:7:0:1:1::2", ("red", None, False)),
    (BLUE, "fdaa:2:45b:0:1::2", ("blue", "own-network", True)),
    (BLUE, "fdaa:7::2", (None, "no-app-on-network", False)),
    # It may be red's, of which no Machine was seen.
    ([*BLUE, ON_RED], "fdaa:7::2", (None, "unknown-network", False)),
    # Without an app list no network is said to be without an app.
    ([], "fdaa:7::2", (None, "unknown-network", None)),
]


@pytest.mark.parametrize(("documents", "address", "expected"), SERVED)
def test_whom_an_address_for_cross_network_access_serves(
    documents: list[Document], address: str, expected: Any
) -> None:
    allocated = parse([{"Address": address, "Network": {"Name": ""}}], "web")
    (checked,) = check_allocations(NetworkMap([*documents, allocated]))
    assert (checked.network.name, checked.warning, checked.own_network) == expected
    assert str(checked).startswith(f"{address} of web for clients on ")


# --- one address, or one app, of which documents say different things ----------------------------

HELD = parse([{"id": "m0", "private_ip": "fdaa:2:45b::3"}])
ALLOCATED = parse([{"Address": "fdaa:2:45b::3"}], "web")


@pytest.mark.parametrize(
    ("documents", "rule"),
    [
        ([parse([MACHINE]), HELD], "address-held-twice"),
        ([parse([MACHINE], "web"), ALLOCATED], "address-held-twice"),
        ([parse([MACHINE], "web"), parse([{**MACHINE, "id": "m9"}], "api")], "address-of-two-apps"),
    ],
)
def test_an_address_that_is_said_to_be_two_things_is_a_contradiction(
    documents: list[Document], rule: str
) -> None:
    joined = NetworkMap(documents)
    (found,) = joined.contradictions
    assert found.rule == rule
    assert len(found.facts) == 2
    address = documents[0].machines[0].address
    assert address is not None
    assert find_holder(address, joined).holding == "contradiction"
    (row,) = joined.networks
    assert row.machine_count == 1


# --- the name that an address list states --------------------------------------------------------


def stating(address: str, name: str, app: str | None = "api") -> Document:
    return parse({"ips": [{"ip": address, "network": {"name": name}}]}, app)


def test_the_network_that_an_address_list_states_binds_its_name_to_the_id() -> None:
    joined = NetworkMap([stating("fdaa:7:0:1::2", "customer-17")])
    row = joined.by_name("customer-17")
    assert row is not None
    assert row.network_id == 0x70000
    (origin,) = row.fact.origins
    assert str(origin) == "f: ips[0].ip"
    nameless = NetworkMap([stating("fdaa:7:0:1::2", "")]).by_id(0x70000)
    assert nameless is not None
    assert nameless.name is None
