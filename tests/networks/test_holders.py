"""Who has an address: a Machine, an app, nobody any more, or nobody that documents know.

tests/property/test_written_rules.py compares any documents with the rules.
"""

from __future__ import annotations

from books import book_of
from organizations import parse

from fdaa import Address
from fdaa.networks import (
    App,
    DocumentKind,
    NetworkMap,
    find_holder,
    parse_document,
    reach,
)

NO_ADDRESSES = [parse({"ips": []}, "web"), parse({"ips": []}, "api")]
GONE = "fdaa:2:45b::8"
SAVED = book_of(("blue", 0x2045B, "web"), address=Address(GONE))


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
