"""Cross-network addresses: the network that each serves, and likely mistakes."""

from __future__ import annotations

from typing import Any

import pytest
from organizations import parse

from fdaa.networks import Document, NetworkMap, check_allocations

LISTED = [
    parse([{"Name": "web", "Network": "blue"}, {"Name": "api", "Network": "red"}]),
    parse([{"id": "m1", "private_ip": "fdaa:2:45b::3"}], "web"),
    parse([{"id": "m2", "private_ip": "fdaa:7::3"}], "api"),
]
SAVED = parse({"fdaa_networks": 1, "networks": {"blue": {"network_id": "2:45b", "app": "web"}}})
FOR_BLUE = "fdaa:2:45b:0:1::2"
FOR_NOBODY = "fdaa:9:0:1::2"
NAMED = {"ip": FOR_NOBODY, "network": {"name": "customer-17"}}

# Documents, an address and its app -> whether it serves its app's own network, and the warning.
ALLOCATIONS = [
    (LISTED, FOR_BLUE, "api", False, None),
    (LISTED, FOR_BLUE, "web", True, "own-network"),
    (LISTED, FOR_BLUE, None, None, None),
    ([SAVED], FOR_BLUE, "web", True, "own-network"),
    (LISTED, FOR_NOBODY, "api", False, "no-app-on-network"),
    # Without the app list, an app that is not known may be on it.
    (LISTED[1:], FOR_NOBODY, "api", False, "unknown-network"),
    (LISTED[1:], NAMED, "api", False, None),
]


@pytest.mark.parametrize(("documents", "row", "app", "own", "warning"), ALLOCATIONS)
def test_what_a_cross_network_address_serves(
    documents: list[Document], row: Any, app: str | None, own: bool | None, warning: str | None
) -> None:
    (checked,) = check_allocations(NetworkMap([*documents, parse({"ips": [row]}, app)]))
    assert checked.allocated.app == app
    assert checked.network.network_id == checked.allocated.network_id
    assert (checked.own_network, checked.warning) == (own, warning)
