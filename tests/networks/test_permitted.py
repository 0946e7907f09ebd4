"""What the configuration permits, whatever runs now, and what may reverse a no."""

from __future__ import annotations

from typing import Any

import pytest
from ends import as_end
from organizations import parse

from fdaa import Address, NetworkName
from fdaa.networks import Document, NetworkMap, reach

BLUE = NetworkName("blue")
RED = NetworkName("red")
WEB = Address("fdaa:2:45b::3")
API = Address("fdaa:7::3")
FOR_BLUE = Address("fdaa:2:45b:0:1::2")


def addresses(app: str, *listed: object) -> Document:
    return parse({"ips": [{"ip": str(address)} for address in listed]}, app)


def stopped(app: str, name: str, address: Address) -> Document:
    return parse([{"id": name, "private_ip": str(address), "state": "stopped"}], app)


APPS = parse({"apps": [{"name": "web", "network": "blue"}, {"name": "api", "network": "red"}]})
MACHINES = [
    parse([{"id": "m1", "private_ip": str(WEB)}], "web"),
    parse([{"id": "m2", "private_ip": str(API)}], "api"),
]
LISTED = [APPS, *MACHINES]
NONE = [addresses("web"), addresses("api")]
EXPOSED = [addresses("web"), addresses("api", FOR_BLUE)]
DISPUTED = [parse([{"id": "m3", "private_ip": str(FOR_BLUE)}]), *EXPOSED]
SILENT = [APPS, MACHINES[0], stopped("api", "m2", API), *EXPOSED]
LONE = [*LISTED, parse([{"Name": "lone", "Network": "red"}]), parse([], "lone")]

# Documents, source, target -> permitted, reachable, `unless`. The rules are compared with any
# documents in tests/property/test_written_rules.py.
ROWS: list[tuple[list[Document], Any, Any, bool | None, bool | None, str | None]] = [
    # An app: its address list decides.
    ([*LISTED, *NONE], "web", "api", False, False, None),
    ([*LISTED, *EXPOSED], "web", "api", True, True, None),
    ([*LISTED, NONE[0]], "web", "api", None, False, "no-address-list"),
    ([*LISTED, *DISPUTED], "web", "api", None, False, "address-disputed"),
    # A network: the lists of all apps that may be on it.
    ([*LISTED, NONE[1]], BLUE, RED, False, False, None),  # web's list is no matter
    # An address or a Machine alone is what it is, whatever its app has.
    (LISTED, "web", API, False, False, None),
    ([*LISTED, *EXPOSED], "web", FOR_BLUE, True, True, None),
    # An address in no document may be a cross-network address.
    (LISTED, "web", FOR_BLUE, None, True, None),
    ([*LISTED, *NONE], "web", FOR_BLUE, None, False, None),  # stale
    ([*LISTED, *NONE], Address("fdaa:9::1"), "web", None, False, None),
    # As a source, it may be one, too, and no request comes from one.
    (LISTED, FOR_BLUE, "web", None, True, None),
    # Nothing responds at lone, on red, too; api may be exposed.
    ([*LONE, addresses("lone", FOR_BLUE)], BLUE, RED, True, False, "no-address-list"),
    ([*LONE, addresses("lone", FOR_BLUE), addresses("api")], BLUE, RED, True, False, None),
    # What runs now makes no difference.
    (SILENT, "web", "api", True, False, None),
]


@pytest.mark.parametrize(
    ("documents", "source", "target", "permitted", "reachable", "unless"),
    ROWS,
    ids=range(len(ROWS)),
)
def test_what_is_permitted_is_what_the_lists_show(
    documents: list[Document],
    source: Any,
    target: Any,
    permitted: bool | None,
    reachable: bool | None,
    unless: str | None,
) -> None:
    verdict = reach(as_end(source), as_end(target), NetworkMap(documents))
    assert (verdict.permitted, verdict.reachable) == (permitted, reachable)
    found = None
    if verdict.unless is not None:
        found = verdict.unless.kind
    assert found == unless
