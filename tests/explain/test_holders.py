"""Holders of addresses, and cross-network addresses, as sentences."""

from __future__ import annotations

from typing import Any

import pytest
from organizations import parse

from fdaa import Address
from fdaa.explain import explain_allocation
from fdaa.explain._document_words import explain_holder  # private: `decode` prints it
from fdaa.networks import Holder, Holding, NetworkMap, check_allocations

# The facts of a holder -> what is said of it.
HOLDERS: list[tuple[Any, str | None]] = [
    ({"holding": Holding.MACHINE, "machine_id": "m1"}, None),
    ({"holding": Holding.MACHINE, "machine_id": "m1", "state": "started"}, None),
    (
        {"holding": Holding.MACHINE, "machine_id": "m1", "state": "stopped"},
        "stopped: such a Machine does not respond (assumed)",
    ),
    (
        {"holding": Holding.STALE, "looked_at": tuple(f"app-{n:02}" for n in range(15))},
        "stale: no Machine of app-00, app-01, app-02, app-03, app-04, and 10 more has this address",
    ),
    (
        {"holding": Holding.STALE, "app": "web", "looked_at": ("web",), "learned_on": "2026-01-02"},
        "stale: no Machine of web has this address; web had it when it was saved on 2026-01-02",
    ),
    ({"holding": Holding.SAVED, "app": "web"}, "the app had this address when it was saved"),
    ({"holding": Holding.UNKNOWN}, "unknown: not in any document"),
]


@pytest.mark.parametrize(("facts", "remark"), HOLDERS)
def test_a_holder_has_a_remark_unless_it_is_a_machine_that_may_respond(
    facts: Any, remark: str | None
) -> None:
    assert explain_holder(Holder(Address("fdaa:2:45b::3"), **facts)) == remark


APPS = parse([{"Name": "web", "Network": "blue"}, {"Name": "api", "Network": "red"}])
WEB = parse([{"id": "m1", "private_ip": "fdaa:2:45b::3"}], "web")
API = parse([{"id": "m2", "private_ip": "fdaa:7::3"}], "api")

# Documents, the app of an address for clients on 2:45b -> parts of its remarks.
ALLOCATIONS: list[tuple[Any, str | None, list[str]]] = [
    ([APPS, WEB, API], "api", []),
    ([APPS, WEB, API], "web", ["warning: web itself is on this network, from which the address"]),
    ([], "web", ["unknown network", "unknown whether web itself is on this"]),
    ([], None, ["unknown network", "the app's own network"]),
]


@pytest.mark.parametrize(("documents", "app", "parts"), ALLOCATIONS)
def test_a_cross_network_address_has_a_remark_for_a_warning_and_for_what_is_unknown(
    documents: Any, app: str | None, parts: list[str]
) -> None:
    allocated = parse(["fdaa:2:45b:0:1::2"], app)
    (checked,) = check_allocations(NetworkMap([*documents, allocated]))
    remarks = explain_allocation(checked)
    assert len(remarks) == len(parts)
    for remark, part in zip(remarks, parts, strict=True):
        assert part in remark.text
