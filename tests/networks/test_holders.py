"""Who has an address: a Machine, an app, nobody any more, or nobody that documents know."""

from __future__ import annotations

from dataclasses import replace
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
TWO_APPS = [{"name": "web", "network": "blue"}, {"name": "api", "network": "blue"}]
PAGE = parse({"total_apps": 3, "apps": TWO_APPS})
OLD = parse([{"Name": "old", "Network": "", "Status": "deployed"}])  # on which network?
RED = parse([{"Name": "red-1", "Network": "red"}])
NO_RED = parse([], "red-1")
NEW_GHOST = parse([{"id": "g", "state": "created"}], "ghost")
HIDDEN = parse([{"id": "g", "private_ip": "fdaa:7::3"}], "ghost")
# It names `default` beside the ID of blue.
WRONG = parse([{"Address": "fdaa:2:45b:0:1::9", "Network": {"Name": "default"}}], "billing")
BILLING = parse([{"Name": "billing", "Network": "default"}])
WEB = parse([{"id": "148e1", "private_ip": "fdaa:2:45b::3"}], "web")
API = parse([{"id": "148e2", "private_ip": "fdaa:2:45b::4"}], "api")
ALLOCATED = "fdaa:2:45b:0:1::9"
GONE = "fdaa:2:45b::8"
FOR_BLUE = parse([ALLOCATED], "billing")
TWICE = parse([ALLOCATED], "web")


def without_addresses(*apps: str) -> list[Document]:
    """Return the address lists of apps that have no cross-network address."""
    return [parse({"ips": []}, app) for app in apps]


BOTH = without_addresses("web", "api")
NO_RED_1 = without_addresses("red-1")
OF_GHOST = without_addresses("ghost")
ON_0 = parse([{"Name": "zero", "Network": "default"}])
IN_0 = parse([{"id": "z", "private_ip": "fdaa::9"}], "zero")
OF_ZERO = without_addresses("zero")
ON_7 = "fdaa:7::9"
ON_7_LISTS = [APPS, WEB, API, RED, HIDDEN, NO_RED]


def book_with(address: str) -> Any:
    return book_of(("blue", 0x2045B, "web"), address=Address(address))


# Address, documents, the address in the book -> how it is held, Machine, app, network. The rules
# are compared with any documents in tests/property/test_written_rules.py.
HELD = [
    ("fdaa:2:45b::3", [APPS, WEB], None, ("machine", "148e1", "web", "blue")),
    ("fdaa:2:45b::3", [WEB], "fdaa:2:45b::3", ("machine", "148e1", "web", "blue")),
    (ALLOCATED, [APPS, WEB, FOR_BLUE], None, ("cross-network-address", None, "billing", "blue")),
    (GONE, [APPS, WEB, API, *BOTH], None, ("stale", None, None, "blue")),
    # Without the address list of one of all apps, it may be a cross-network address.
    (GONE, [APPS, WEB, API], None, ("unknown", None, None, "blue")),
    (GONE, [APPS, WEB], None, ("unknown", None, None, "blue")),  # it may be api's
    (GONE, [PAGE, WEB, API], None, ("unknown", None, None, "blue")),  # or one's on another page
    (GONE, [APPS, WEB, API, OLD], None, ("unknown", None, None, "blue")),  # or old's
    # An app on a network with another name is elsewhere; with an unknown ID it may be here.
    (GONE, [APPS, WEB, API, RED, *BOTH, *NO_RED_1], None, ("stale", None, None, "blue")),
    (ON_7, [*ON_7_LISTS, *NO_RED_1, *BOTH, *OF_GHOST], None, ("stale", None, None, None)),
    # An app that no app list has may be anywhere.
    (GONE, [APPS, WEB, API, HIDDEN, *BOTH, *OF_GHOST], None, ("stale", None, None, "blue")),
    # What a contradiction is about may be anywhere, too.
    (GONE, [APPS, WEB, API, BILLING, WRONG], None, ("unknown", None, None, None)),
    (GONE, [WEB, BOTH[0]], GONE, ("stale", None, "web", "blue")),
    (GONE, [WEB], GONE, ("saved", None, "web", "blue")),
    (GONE, [], "fdaa:2:45b::3", ("unknown", None, None, "blue")),
    ("fdaa::3", [APPS, WEB, API], None, ("service", None, None, None)),
    # Also if documents show a network with ID 0.
    ("fdaa::3", [ON_0, IN_0, *OF_ZERO], None, ("service", None, None, "default")),
    ("fdaa::9", [ON_0, IN_0, *OF_ZERO], None, ("machine", "z", "zero", "default")),
    (ALLOCATED, [FOR_BLUE, TWICE], None, ("contradiction", None, None, None)),
]


@pytest.mark.parametrize(("address", "documents", "in_book", "expected"), HELD)
def test_the_holder_of_an_address_is_a_machine_an_app_or_unknown(
    address: str, documents: list[Document], in_book: Any, expected: Any
) -> None:
    book = []
    if in_book is not None:
        book = [book_with(in_book)]
    holder = find_holder(Address(address), NetworkMap([*documents, *book]))
    assert (holder.holding, holder.machine_id, holder.app, holder.network_name) == expected


def test_a_stale_address_tells_which_lists_do_not_have_it() -> None:
    holder = find_holder(Address(GONE), NetworkMap([APPS, WEB, API, *BOTH]))
    assert holder.looked_at == ("api", "web")
    book = book_with(GONE)
    holder = find_holder(Address(GONE), NetworkMap([WEB, BOTH[0], book]))
    assert holder.looked_at == ("web",)
    assert holder.learned_on == LEARNED_ON


def test_an_empty_list_states_nothing_unless_it_is_said_to_be_of_a_kind() -> None:
    book = book_with(GONE)
    for kind, holding, has_no_machine in (
        (DocumentKind.EMPTY_LIST, "saved", False),
        (DocumentKind.ADDRESS_LIST, "saved", False),
        (DocumentKind.MACHINE_LIST, "stale", True),
    ):
        document = replace(parse_document("[]", file="f.json", app="web"), kind=kind)
        joined = NetworkMap([document, BOTH[0], book])
        assert find_holder(Address(GONE), joined).holding == holding
        reasons = [reason.kind for reason in reach(Address(GONE), App("web"), joined).reasons]
        assert ("no-machine" in reasons) == has_no_machine
