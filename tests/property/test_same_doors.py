"""Functions that answer one question agree: of networks, holders, allocations and lists."""

from __future__ import annotations

import json
import random

from hypothesis import given
from hypothesis import strategies as st
from organizations import APPS, address, fewer, messy_organization
from schemas import check as check_schema

from fdaa import Address
from fdaa.explain import explain_verdict
from fdaa.networks import (
    App,
    KnownNetwork,
    NetworkMap,
    Verdict,
    check_allocations,
    find_holder,
    reach,
)

MANY = 400
ELSEWHERE = Address("fdaa:99:99::1")  # on no network of the documents


def check_doors(choose: random.Random) -> None:
    joined = messy_organization(choose).joined()
    for app in (*APPS, "ghost", "nobody"):
        check_network(app, joined)
    for _ in range(6):
        check_holder(address(choose), joined)
    for app in APPS:
        check_allocation(app, joined)
    check_verdict(reach(App(choose.choice(APPS)), App(choose.choice(APPS)), joined), joined)


def check_network(app: str, joined: NetworkMap) -> None:
    """The network of an app: `known_network`, `networks`, and what `reach` compares."""
    known = joined.known_network(app)
    rows = [network for network in joined.networks if app in network.apps]
    for row in rows:
        shown = KnownNetwork(name=row.name, network_id=row.network_id)
        assert known in (shown, KnownNetwork()) or joined.contradictions, app
    if app in joined.machines:
        return  # `reach` takes the Machine, or neither
    verdict = reach(App(app), ELSEWHERE, joined)
    compared = [each for each in verdict.reasons if each.source is not None]
    assert not compared or compared[0].source == known, app
    if known == KnownNetwork():
        assert verdict.reachable is None
    for end in (known.network_id, known.name):
        if end is not None and find_kind("service-address", reach(App(app), end, joined)) is None:
            assert reach(App(app), end, joined).same_network is True, (app, end)


def find_kind(kind: str, verdict: Verdict) -> object:
    found = [reason for reason in verdict.reasons if reason.kind == kind]
    return found[0] if found else None


def check_holder(asked: Address, joined: NetworkMap) -> None:
    """Who has an address: `find_holder`, the reasons of `reach`, and the lists that are missing."""
    holder = find_holder(asked, joined)
    kinds = {reason.kind.value for reason in reach(asked, asked, joined).reasons}
    assert ("stale" in kinds) == (holder.holding == "stale"), asked
    assert ("service-address" in kinds) == (holder.holding == "service"), asked
    if "unlisted-address" in kinds:
        assert holder.holding in ("saved", "unknown"), asked
    if "source-is-allocated" in kinds:
        assert holder.holding == "cross-network-address", asked
    if holder.holding in ("machine", "cross-network-address") and holder.app is not None:
        assert asked in joined.addresses_of(holder.app), asked
    if holder.machine_id is not None:
        assert holder.state == joined.state_of(holder.machine_id), asked
        assert ("stopped" in kinds) == holder.is_stopped, asked
    network = joined.by_id(asked.network_id)
    assert holder.network_name == (network and network.name), asked


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
        clients = reach(asked.network_id, asked, joined)
        if checked.own_network is not None and clients.outcome != "unknown":
            assert clients.same_network is checked.own_network, (app, asked)
            assert clients.permitted is not checked.own_network, (app, asked)


def check_verdict(verdict: Verdict, joined: NetworkMap) -> None:
    """What a verdict rests on: its outcome, its reasons, and the lists that are missing."""
    kinds = {reason.kind.value for reason in verdict.reasons}
    assert ("membership-only" in kinds) == (verdict.reachable is True), verdict
    if verdict.reachable:
        assert verdict.permitted is not False, verdict
    if verdict.unless is not None and verdict.unless.kind == "no-address-list":
        assert verdict.permitted is None, verdict
    check_schema("reach", json.dumps(verdict.to_dict()))
    check_schema("reach", json.dumps(explain_verdict(verdict, joined).to_dict()))


@fewer
@given(choose=st.randoms(use_true_random=False))
def test_two_doors_to_one_question_agree(choose: random.Random) -> None:
    check_doors(choose)


def test_two_doors_to_one_question_agree_in_many_organizations() -> None:
    choose = random.Random(1618)
    for _ in range(MANY):
        check_doors(choose)
