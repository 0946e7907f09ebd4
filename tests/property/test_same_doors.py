"""Functions that answer one question agree: of an app's network, of a holder, of an allocation."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from organizations import APPS, address, fewer, messy_organization

from fdaa import Address
from fdaa.networks import (
    App,
    ComparedNetworks,
    KnownNetwork,
    NetworkMap,
    check_allocations,
    find_holder,
    reach,
)
from fdaa.networks._address_holder import apps_without_address_lists, apps_without_machine_lists

MANY = 400


def check_doors(choose: random.Random) -> None:
    joined = messy_organization(choose).joined()
    for app in (*APPS, "ghost", "nobody"):
        check_network(app, joined)
    for _ in range(6):
        check_holder(address(choose), joined)
    for app in APPS:
        check_allocation(app, joined)


def check_network(app: str, joined: NetworkMap) -> None:
    """The network of an app: `known_network`, and the source of a comparison in `reach`."""
    known = joined.known_network(app)
    if app in joined.machines:
        return  # `reach` takes the Machine, or neither
    verdict = reach(App(app), Address("fdaa:99:99::1"), joined)
    compared = [each for each in verdict.reasons if isinstance(each, ComparedNetworks)]
    assert not compared or compared[0].source == known, app
    if known == KnownNetwork():
        assert verdict.reachable is None


def check_holder(asked: Address, joined: NetworkMap) -> None:
    """Who has an address: `find_holder`, the reasons of `reach`, and the lists that are missing."""
    holder = find_holder(asked, joined)
    kinds = {reason.kind.value for reason in reach(asked, asked, joined).reasons}
    assert ("stale" in kinds) == (holder.holding == "stale"), asked
    assert ("service-address" in kinds) == (holder.holding == "service"), asked
    if "unlisted-address" in kinds:
        assert holder.holding in ("book", "unknown"), asked
    if "source-is-allocated" in kinds:
        assert holder.holding == "cross-network-address", asked
    if holder.holding == "stale" and holder.app is None:
        assert not apps_without_machine_lists(asked, joined), asked
        assert not apps_without_address_lists(joined), asked


def check_allocation(app: str, joined: NetworkMap) -> None:
    """Whether an address is for its app's own network: `check_allocations`, and `reach`."""
    if app in joined.machines:
        return
    for checked in check_allocations(joined):
        asked = checked.allocated.address
        if checked.allocated.app != app or find_holder(asked, joined).app != app:
            continue
        verdict = reach(App(app), asked, joined)
        if verdict.outcome == "own-cross-network-address":
            # From its own network no address of an app works, whichever it is for.
            assert verdict.permitted is False
        served = reach(asked.network_id, App(app), joined)
        if served.outcome != "unknown":
            assert checked.own_network is served.same_network, (app, asked)


@fewer
@given(choose=st.randoms(use_true_random=False))
def test_two_doors_to_one_question_agree(choose: random.Random) -> None:
    check_doors(choose)


def test_two_doors_to_one_question_agree_in_many_organizations() -> None:
    choose = random.Random(1618)
    for _ in range(MANY):
        check_doors(choose)
