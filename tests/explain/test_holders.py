"""Holders of addresses, and cross-network addresses, as sentences."""

from __future__ import annotations

from typing import Any

import pytest
from organizations import parse

from fdaa.explain import explain_allocation
from fdaa.networks import NetworkMap, check_allocations

APPS = parse([{"Name": "web", "Network": "blue"}, {"Name": "api", "Network": "red"}])
WEB = parse([{"id": "m1", "private_ip": "fdaa:2:45b::3"}], "web")
API = parse([{"id": "m2", "private_ip": "fdaa:7::3"}], "api")

# Documents, the app of an address for clients on 2:45b -> parts of its remarks.
ALLOCATIONS: list[tuple[Any, str | None, list[str]]] = [
    ([APPS, WEB, API], "api", []),
    ([APPS, WEB, API], "web", ["warning: web itself is on this network, from which the address"]),
    ([], "web", ["unknown network", "unknown whether web itself is on this"]),
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
