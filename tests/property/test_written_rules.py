"""What documents show, also incomplete and contradictory ones, is what the written rules say.

The oracles in `tests/support/slow_*.py` are the rules of the pages.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from ends import as_end
from organizations import messy_organization, messy_question
from slow_reach import Answer, Held, Oracle
from true_worlds import some_address

from fdaa.networks import NetworkMap, Outcome, Reason, Way, find_holder, reach

if TYPE_CHECKING:
    from fdaa.networks import Document, Holder, Verdict

FEW = 60  # organizations, in each run of the tests
MANY = 5000
QUESTIONS = 8  # of each kind, for each organization


def said(documents: list[Document]) -> str:
    """Return what to do about a difference, and the documents that show it."""
    advice = "the package and tests/support/slow_*.py differ: docs/rules-*.md decide who is right"
    shown = [advice]
    for each in documents:
        rows = [*each.apps, *each.machines, *each.allocated, *each.saved]
        shown.append(f"{each.kind} of {each.app}, complete: {each.is_whole}: {rows}")
    return "\n".join(shown)


def rows_of(joined: NetworkMap) -> list[object]:
    return [(row.name, row.network_id, row.apps, row.machine_count) for row in joined.networks]


def held(holder: Holder) -> Held:
    looked_at = frozenset(holder.looked_at)
    return Held(holder.holding, holder.app, holder.machine_id, holder.state, looked_at)


def answer(verdict: Verdict) -> Answer:
    unless = None
    if verdict.unless is not None:
        unless = verdict.unless.kind
    kinds = [reason.kind for reason in verdict.reasons]
    return Answer(
        verdict.outcome,
        verdict.permitted,
        sorted(kind for kind in kinds if kind is not Reason.NAME_FROM_SAVED),
        frozenset(map(str, verdict.via)),
        unless,
        verdict.same_network,
        tuple(way.kind for way in verdict.ways),
    )


@pytest.mark.parametrize("organizations", [FEW, pytest.param(MANY, marks=pytest.mark.campaign)])
def test_organizations_of_a_fixed_seed_follow_the_rules(organizations: int) -> None:
    choose = random.Random(9)
    seen: set[str] = {Reason.NO_ADDRESS_LIST}  # which only `unless` is
    for _ in range(organizations):
        world, documents = messy_organization(choose)
        joined = NetworkMap(documents)
        oracle = Oracle(documents)
        assert rows_of(joined) == oracle.rows(), said(documents)
        rules = sorted(each.rule for each in joined.contradictions)
        assert rules == oracle.contradictions(), said(documents)
        for _ in range(QUESTIONS):
            asked = some_address(choose, world)
            holder = held(find_holder(asked, joined))
            assert holder == oracle.holder(asked), f"{asked}: {said(documents)}"
            source = messy_question(choose, world)
            target = messy_question(choose, world)
            verdict = reach(as_end(source), as_end(target), joined)
            about = f"{source} to {target}: {said(documents)}"
            assert answer(verdict) == oracle.reach(source, target), about
            seen |= {finding.kind for finding in (*verdict.reasons, *verdict.ways)}
            seen.add(verdict.outcome)
    assert seen == {*Outcome, *Reason, *Way}


def test_the_order_of_documents_makes_no_difference() -> None:
    choose = random.Random(7)
    for _ in range(10):
        world, documents = messy_organization(choose)
        joined = NetworkMap(documents)
        choose.shuffle(documents)
        shuffled = NetworkMap(documents)
        assert rows_of(shuffled) == rows_of(joined)
        for _ in range(QUESTIONS):
            asked = some_address(choose, world)
            assert held(find_holder(asked, shuffled)) == held(find_holder(asked, joined))
            source = as_end(messy_question(choose, world))
            target = as_end(messy_question(choose, world))
            first = answer(reach(source, target, joined))
            assert answer(reach(source, target, shuffled)) == first, said(documents)
