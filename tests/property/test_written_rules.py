"""What documents show, also incomplete and contradictory ones, is what the written rules say.

The oracles in `tests/support/slow_*.py` are the rules of the guides, read from JSON values.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from ends import as_end
from organizations import Messy, address, messy_organization, questions
from slow_holders import Held, Served
from slow_reach import Answer

from fdaa.networks import NetworkMap, Reason, check_allocations, find_holder, reach

if TYPE_CHECKING:
    from fdaa.networks import Holder, Verdict

FEW = 15  # organizations, in each run of the tests
MANY = 5000
QUESTIONS = 8  # of each kind, for each organization


def said(messy: Messy) -> str:
    """Return what to do about a difference, and the documents that show it."""
    advice = "the package and tests/support/slow_*.py differ: docs/rules-*.md decide who is right"
    documents = [f"{given.shape}, of app {given.app}: {given.value}" for given in messy.given]
    return "\n".join([advice, *documents, f"book: {messy.book}"])


def check_map(messy: Messy, joined: NetworkMap) -> None:
    oracle = messy.oracle()
    rules = sorted(each.rule for each in joined.contradictions)
    assert rows_of(joined) == oracle.rows(), said(messy)
    assert rules == oracle.contradictions(), said(messy)
    served = []
    for checked in check_allocations(joined):
        allocated = checked.allocated
        named = (checked.network.name, checked.own_network, checked.warning)
        served.append(Served(allocated.app, allocated.address, *named))
    assert len(set(served)) == len(served), said(
        messy
    )  # an address that is listed twice counts once
    assert set(served) == oracle.allocations(), said(messy)


def rows_of(joined: NetworkMap) -> list[object]:
    return [(row.name, row.network_id, row.apps, row.machine_count) for row in joined.networks]


def held(holder: Holder) -> Held:
    looked_at = frozenset(holder.looked_at)
    return Held(
        holder.holding, holder.machine_id, holder.state, holder.app, holder.network_name, looked_at
    )


def answer(verdict: Verdict) -> Answer:
    reasons = sorted(
        reason.kind for reason in verdict.reasons if reason.kind is not Reason.NAME_FROM_SAVED
    )
    ways = [way.kind for way in verdict.ways]
    unless = None
    if verdict.unless is not None:
        unless = verdict.unless.kind
    return Answer(
        verdict.outcome,
        verdict.permitted,
        verdict.same_network,
        tuple(reasons),
        tuple(ways),
        frozenset(map(str, verdict.via)),
        unless,
    )


def check_questions(messy: Messy, joined: NetworkMap, choose: random.Random) -> None:
    oracle = messy.oracle()
    for _ in range(QUESTIONS):
        asked = address(choose)
        assert held(find_holder(asked, joined)) == oracle.holder(asked), f"{asked}: {said(messy)}"
        source, target = questions(choose)
        verdict = answer(reach(as_end(source), as_end(target), joined))
        assert verdict == oracle.reach(source, target), f"{source} to {target}: {said(messy)}"


@pytest.mark.parametrize("organizations", [FEW, pytest.param(MANY, marks=pytest.mark.campaign)])
def test_organizations_of_a_fixed_seed_follow_the_rules(organizations: int) -> None:
    choose = random.Random(4193)
    for _ in range(organizations):
        messy = messy_organization(choose)
        joined = messy.joined()
        check_map(messy, joined)
        check_questions(messy, joined, choose)


def test_the_order_of_documents_makes_no_difference() -> None:
    choose = random.Random(7)
    for _ in range(10):
        messy = messy_organization(choose)
        answers = []
        for _ in range(3):
            choose.shuffle(messy.given)
            answers.append(everything(messy))
        assert answers[0] == answers[1] == answers[2], messy


def everything(messy: Messy) -> object:
    joined = messy.joined()
    choose = random.Random(8)
    holders = []
    answers = []
    for _ in range(QUESTIONS):
        asked = address(choose)
        holders.append(held(find_holder(asked, joined)))
        source, target = questions(choose)
        answers.append(answer(reach(as_end(source), as_end(target), joined)))
    return rows_of(joined), holders, answers
