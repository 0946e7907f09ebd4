"""Who has an address: a Machine, an app, nobody any more, or nobody that documents know."""

from __future__ import annotations

from typing import Any

import pytest
from books import book_of
from organizations import parse

from fdaa import Address
from fdaa.networks import Document, DocumentKind, NetworkMap, find_holder, parse_document, reach

APPS = parse([{"Name": "web", "Network": "blue"}, {"Name": "api", "Network": "blue"}])
PAGE = parse({"total_apps": 3, "apps": [{"name": n, "network": "blue"} for n in ("web", "api")]})
ONE_APP = parse({"name": "web", "network": "blue", "status": "x"})
OLD = parse([{"Name": "old", "Network": "", "Status": "deployed"}])  # on which network?
WEB = parse([{"id": "148e1", "private_ip": "fdaa:2:45b::3"}], "web")
API = parse([{"id": "148e2", "private_ip": "fdaa:2:45b::4"}], "api")
ALLOCATED, GONE = "fdaa:2:45b:0:1::9", "fdaa:2:45b::8"
FOR_BLUE, TWICE = parse([ALLOCATED], "billing"), parse([ALLOCATED], "web")


def book_with(address: str) -> Any:
    return book_of(("blue", 0x2045B, "web"), address=address)


# Address, documents, the address in the book -> how it is held, Machine, app, network.
HELD = [
    ("fdaa:2:45b::3", [APPS, WEB], None, ("machine", "148e1", "web", "blue")),
    ("fdaa:2:45b::3", [WEB], None, ("machine", "148e1", "web", None)),
    ("fdaa:2:45b::3", [WEB], "fdaa:2:45b::3", ("machine", "148e1", "web", "blue")),
    (ALLOCATED, [APPS, WEB, FOR_BLUE], None, ("cross-network-address", None, "billing", "blue")),
    (GONE, [APPS, WEB, API], None, ("stale", None, None, "blue")),
    (GONE, [APPS, WEB], None, ("unknown", None, None, "blue")),  # it may be api's
    (GONE, [PAGE, WEB, API], None, ("unknown", None, None, "blue")),  # or one's on another page
    (GONE, [ONE_APP, WEB], None, ("unknown", None, None, "blue")),
    (GONE, [APPS, WEB, API, OLD], None, ("unknown", None, None, "blue")),  # or old's
    (GONE, [WEB, API], None, ("unknown", None, None, None)),  # or another app's
    (GONE, [WEB], GONE, ("stale", None, "web", "blue")),
    (GONE, [API], GONE, ("book", None, "web", "blue")),
    (GONE, [], GONE, ("book", None, "web", "blue")),
    (GONE, [], "fdaa:2:45b::3", ("unknown", None, None, "blue")),
    ("fdaa:9::3", [APPS, WEB, API], None, ("unknown", None, None, None)),
    ("fdaa::3", [APPS, WEB, API], None, ("service", None, None, None)),
    (ALLOCATED, [FOR_BLUE, TWICE], None, ("contradiction", None, None, None)),
]


@pytest.mark.parametrize(("address", "documents", "in_book", "expected"), HELD)
def test_who_has_an_address(
    address: str, documents: list[Document], in_book: Any, expected: Any
) -> None:
    book = None if in_book is None else book_with(in_book)
    holder = find_holder(Address(address), NetworkMap(documents, book))
    assert (holder.holding, holder.machine, holder.app, holder.network) == expected


def test_a_stale_address_tells_which_lists_do_not_have_it() -> None:
    holder = find_holder(Address(GONE), NetworkMap([APPS, WEB, API]))
    assert holder.looked_at == ("api", "web")
    book = book_with(GONE)
    holder = find_holder(Address(GONE), NetworkMap([WEB], book))
    assert (holder.looked_at, holder.learned_on) == (
        ("web",),
        book.learned_from("web")[0].learned_on,
    )


# What is given for web -> whether it is web's whole list, so that what it lacks is gone.
@pytest.mark.parametrize(
    ("given", "stale"),
    [
        ([{"id": "1", "private_ip": "fdaa:2:45b::3"}], True),
        ([], True),
        ({"Name": "web", "Machines": []}, True),
        ({"id": "1", "state": "started", "private_ip": "fdaa:2:45b::3"}, False),  # one alone
        ([{"id": "1", "private_ip": "fdaa:2:45b::3"}, {"id": "2", "private_ip": "?"}], False),
        ([{"id": "1", "private_ip": "fdaa:2:45b::3"}, {"id": "2", "state": "started"}], False),
        (["fdaa:2:45b:0:1::2"], False),  # allocated addresses
    ],
)
def test_only_a_list_of_machines_makes_an_address_stale(given: Any, stale: str) -> None:
    book = book_with(GONE)
    holder = find_holder(Address(GONE), NetworkMap([parse(given, "web")], book))
    assert holder.holding == ("stale" if stale else "book")


def test_an_empty_list_is_of_the_kind_that_is_given_and_states_nothing_without_one() -> None:
    book = book_with(GONE)
    for kind, holding in (
        (None, "book"),
        (DocumentKind.ADDRESS_LIST, "book"),
        (DocumentKind.MACHINE_LIST, "stale"),
    ):
        document = parse_document("[]", "f.json", "web", kind=kind)
        joined = NetworkMap([document], book)
        assert find_holder(Address(GONE), joined).holding == holding
        reasons = [reason.kind for reason in reach(GONE, "web", joined).reasons]
        assert ("no-machine" in reasons) == (kind is DocumentKind.MACHINE_LIST)
