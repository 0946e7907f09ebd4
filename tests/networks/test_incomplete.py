"""Documents of which one is cut off, or disputed: what the others show is used, and no more."""

from __future__ import annotations

import pytest
from organizations import parse

from fdaa import Address, NetworkID
from fdaa.networks import Document, Holding, NetworkMap, find_holder

GONE = Address("fdaa:2:45b::9")
ON_BLUE = parse({"total_apps": 1, "apps": [{"name": "web", "network": "blue"}]})
ON_RED = parse({"total_apps": 1, "apps": [{"name": "api", "network": "red"}]})
CUT_OFF = parse({"total_apps": 2, "apps": [{"name": "api", "network": "red"}]})
MACHINES = [
    parse([{"id": "m", "private_ip": "fdaa:2:45b::3"}], "web"),
    parse([{"id": "n", "private_ip": "fdaa:7::3"}], "api"),
]
ADDRESSES = [parse({"ips": []}, "web"), parse({"ips": []}, "api")]


@pytest.mark.parametrize(
    ("lists", "holding"),
    [
        ([ON_BLUE, ON_RED], Holding.STALE),
        ([ON_BLUE, CUT_OFF], Holding.UNKNOWN),  # the app that is missing may have the address
        ([CUT_OFF, ON_BLUE], Holding.UNKNOWN),
        ([CUT_OFF, ON_BLUE, ON_RED], Holding.UNKNOWN),
    ],
)
def test_one_app_list_that_is_cut_off_makes_all_of_them_incomplete(
    lists: list[Document], holding: Holding
) -> None:
    assert find_holder(GONE, NetworkMap([*lists, *MACHINES, *ADDRESSES])).holding is holding


@pytest.mark.parametrize(
    ("of_web", "network_id"),
    [
        (["fdaa:2:45b::3"], None),  # nothing else shows its network
        (["fdaa:2:45b::3", "fdaa:8::3"], NetworkID("8:0")),
        (["fdaa:8::3", "fdaa:2:45b::3"], NetworkID("8:0")),
        (["fdaa:2:45b::3", "fdaa:2:45b::4"], NetworkID("2:45b")),
    ],
)
def test_an_address_of_two_apps_shows_the_network_of_neither(
    of_web: list[str], network_id: NetworkID | None
) -> None:
    web = [{"id": f"w{address}", "private_ip": address} for address in of_web]
    api = [{"id": "a", "private_ip": "fdaa:2:45b::3"}, {"id": "b", "private_ip": "fdaa:7::3"}]
    networks = NetworkMap([parse(web, "web"), parse(api, "api")])
    assert networks.known_network("web").network_id == network_id
    assert networks.known_network("api").network_id == NetworkID("7:0")
