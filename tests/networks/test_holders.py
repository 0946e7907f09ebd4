"""Who has an address: a Machine, an app, nobody any more, or nobody that documents know.

tests/property/test_written_rules.py compares any documents with the rules.
"""

from __future__ import annotations

from typing import Any

import pytest
from books import LEARNED_ON, book_of
from organizations import parse

from fdaa import Address
from fdaa.networks import (
    App,
    Document,
    DocumentKind,
    NetworkMap,
    find_holder,
    parse_document,
    reach,
)

APPS = parse([{"Name": "web", "Network": "blue"}, {"Name": "api", "Network": "blue"}])
WEB = parse([{"id": "148e1", "private_ip": "fdaa:2:45b::3"}], "web")
API = parse([{"id": "148e2", "private_ip": "fdaa:2:45b::4"}], "api")
NO_ADDRESSES = [parse({"ips": []}, "web"), parse({"ips": []}, "api")]
ALL = [APPS, WEB, API, *NO_ADDRESSES]
ON_PAGE_1 = parse({"total_apps": 3, "apps": [{"name": "web", "network": "blue"}]})
FOR_BLUE = parse(["fdaa:2:45b:0:1::9"], "billing")
GONE = "fdaa:2:45b::8"
SAVED = book_of(("blue", 0x2045B, "web"), address=Address(GONE))

# Address, documents -> how it is held, the Machine, the app, the network, and whose lists show it.
HELD: list[tuple[str, list[Document], Any]] = [
    ("fdaa:2:45b::3", [APPS, WEB], ("machine", "148e1", "web", "blue", ())),
    (
        "fdaa:2:45b:0:1::9",
        [APPS, WEB, FOR_BLUE],
        ("cross-network-address", None, "billing", "blue", ()),
    ),
    (
        "fdaa:2:45b:0:1::9",
        [FOR_BLUE, parse(["fdaa:2:45b:0:1::9"], "web")],
        ("contradiction", None, None, None, ()),
    ),
    (GONE, ALL, ("stale", None, None, "blue", ("api", "web"))),
    # It may be a cross-network address, or a Machine's that no list has.
    (GONE, [APPS, WEB, API], ("unknown", None, None, "blue", ())),
    (GONE, [*ALL, ON_PAGE_1], ("unknown", None, None, "blue", ())),
    # With the app that had it, only the lists of that app are needed.
    (GONE, [WEB, NO_ADDRESSES[0], SAVED], ("stale", None, "web", "blue", ("web",))),
    (GONE, [WEB, SAVED], ("saved", None, "web", "blue", ())),
    ("fdaa::3", ALL, ("service", None, None, None, ())),
]


@pytest.mark.parametrize(("address", "documents", "expected"), HELD, ids=range(len(HELD)))
def test_the_holder_of_an_address_is_a_machine_an_app_or_unknown(
    address: str, documents: list[Document], expected: Any
) -> None:
    holder = find_holder(Address(address), NetworkMap(documents))
    name = holder.network_name
    assert (holder.holding, holder.machine_id, holder.app, name, holder.looked_at) == expected
    assert (holder.learned_on == LEARNED_ON) == (SAVED in documents)
    assert str(holder).startswith(f"{address}: {holder.holding}")


def test_an_empty_list_states_nothing_unless_it_is_said_to_be_of_a_kind() -> None:
    for kind, holding, has_no_machine in (
        (None, "saved", False),
        (DocumentKind.ADDRESS_LIST, "saved", False),
        (DocumentKind.MACHINE_LIST, "stale", True),
    ):
        document = parse_document("[]", file="f.json", app="web", kind=kind)
        joined = NetworkMap([document, NO_ADDRESSES[0], SAVED])
        assert find_holder(Address(GONE), joined).holding == holding
        reasons = [reason.kind for reason in reach(Address(GONE), App("web"), joined).reasons]
        assert ("no-machine" in reasons) == has_no_machine
