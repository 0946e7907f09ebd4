"""Holders of addresses, and cross-network addresses, as sentences."""

from __future__ import annotations

import pytest

from fdaa import Address, NetworkID
from fdaa.explain import explain_allocation
from fdaa.explain._document_words import explain_holder
from fdaa.networks import (
    AllocationWarning,
    CheckedAllocation,
    Holder,
    Holding,
    Network,
)
from fdaa.networks._model import (  # private: records of lists, made by hand here
    CrossNetworkAddress,
    Fact,
    Origin,
)

ADDRESS = Address("fdaa:2:45b::3")

HOLDERS = [
    (Holder(ADDRESS, holding=Holding.MACHINE, machine_id="m1"), None),
    (Holder(ADDRESS, holding=Holding.MACHINE, machine_id="m1", state="started"), None),
    (
        Holder(ADDRESS, holding=Holding.MACHINE, machine_id="m1", state="stopped"),
        "stopped: such a Machine does not respond (assumed)",
    ),
    (
        Holder(ADDRESS, holding=Holding.STALE, looked_at=("api", "web")),
        "stale: no Machine of api, web has this address",
    ),
    (
        Holder(ADDRESS, holding=Holding.STALE, looked_at=tuple(f"app-{n:02}" for n in range(15))),
        "stale: no Machine of app-00, app-01, app-02, app-03, app-04, and 10 more has this address",
    ),
    (
        Holder(
            ADDRESS,
            holding=Holding.STALE,
            app="web",
            looked_at=("web",),
            learned_on="2026-01-02T03:04:05Z",
        ),
        "stale: no Machine of web has this address; web had it when it was saved on 2026-01-02",
    ),
    (
        Holder(ADDRESS, holding=Holding.SAVED, app="web"),
        "the app had this address when it was saved",
    ),
    (Holder(ADDRESS, holding=Holding.UNKNOWN), "unknown: not in any document"),
]


@pytest.mark.parametrize(("holder", "remark"), HOLDERS)
def test_a_holder_has_a_remark_unless_it_is_a_machine_that_may_respond(
    holder: Holder, remark: str | None
) -> None:
    assert explain_holder(holder) == remark


FOR_CLIENTS = CrossNetworkAddress(
    app="web", address=ADDRESS, network_name=None, origin=Origin(file="ips.json", place="[0]")
)
OF_NO_APP = CrossNetworkAddress(
    app=None, address=ADDRESS, network_name=None, origin=Origin(file="ips.json", place="[0]")
)
SERVED = Network(
    name=None,
    network_id=NetworkID("2:45b"),
    apps=(),
    machine_count=None,
    fact=Fact(name=None, network_id=NetworkID("2:45b")),
)

OWN = AllocationWarning.OWN_NETWORK
NO_APP = AllocationWarning.NO_APP_ON_NETWORK
UNKNOWN = AllocationWarning.UNKNOWN_NETWORK

ALLOCATIONS = [
    (CheckedAllocation(FOR_CLIENTS, network=SERVED, own_network=False, warning=None), []),
    (
        CheckedAllocation(FOR_CLIENTS, network=SERVED, own_network=True, warning=OWN),
        ["warning: web itself is on this network, from which the address does not work"],
    ),
    (
        CheckedAllocation(FOR_CLIENTS, network=SERVED, own_network=None, warning=UNKNOWN),
        ["unknown network; add an app list", "unknown whether web itself is on this network"],
    ),
    (
        CheckedAllocation(OF_NO_APP, network=SERVED, own_network=None, warning=NO_APP),
        [
            "warning: no app in these documents is on this network",
            "add the app of the address list",
        ],
    ),
]


@pytest.mark.parametrize(("checked", "parts"), ALLOCATIONS)
def test_a_cross_network_address_has_a_remark_for_a_warning_and_for_what_is_unknown(
    checked: CheckedAllocation, parts: list[str]
) -> None:
    remarks = explain_allocation(checked)
    assert len(remarks) == len(parts)
    for remark, part in zip(remarks, parts, strict=True):
        assert part in remark.text
