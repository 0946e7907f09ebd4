"""The table that compares calls: in each row, the three libraries have one result."""

from __future__ import annotations

import ipaddress
import re
from pathlib import Path

import netaddr
import pytest

import fdaa

PAGE = Path(__file__).parent.parent / "docs" / "library.md"
ROWS = re.findall(r"^\| ([^|`]+) \| `(.+)` \| `(.+)` \| `(.+)` \|$", PAGE.read_text("utf-8"), re.M)

TEXTS = ["fdaa:2:45b:a7b:174:db43:d3c6:2", "FDAA:0000:0018::2", "fdaa::3"]


def names(text: str) -> dict[str, object]:
    """Return what the expressions of the page stand on."""
    a = fdaa.Address(text)
    other = fdaa.Address("fdaa:2:45b::3")
    p = fdaa.Prefix("fdaa:2:45b::/48")
    return {
        "fdaa": fdaa,
        "ipaddress": ipaddress,
        "netaddr": netaddr,
        "text": text,
        "a": a,
        "ip": a.to_ipaddress(),
        "na": a.to_netaddr(),
        "other": other,
        "other_ip": other.to_ipaddress(),
        "other_na": other.to_netaddr(),
        "n": p.network_id,
        "ip_network": p.to_ipaddress(),
        "na_network": netaddr.IPNetwork(str(p)),
    }


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_calls_of_a_row_have_one_result(row: tuple[str, str, str, str], text: str) -> None:
    results = {str(eval(call, names(text))) for call in row[1:]}  # noqa: S307 - text of our page
    assert len(results) == 1
