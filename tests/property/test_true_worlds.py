"""No part of the documents of a true organization makes a verdict that the whole reverses.

The judge is the specification alone (`tests/support/true_worlds.py`), not the rules of the pages.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from ends import as_end
from true_worlds import End, World, all_documents, question, some_book, true_world

from fdaa import Address
from fdaa.networks import NetworkMap, Verdict, find_holder, reach

FEW = 60  # worlds, in each run of the tests
MANY = 2_000
PARTS = 3  # of the documents of each
QUESTIONS = 10  # about each part


@pytest.mark.parametrize("worlds", [FEW, pytest.param(MANY, marks=pytest.mark.campaign)])
def test_verdicts_from_any_part_of_the_documents_agree_with_the_specification(worlds: int) -> None:
    choose = random.Random(56)
    seen: Counter[str] = Counter()
    for _ in range(worlds):
        world = true_world(choose)
        documents = all_documents(choose, world)
        book = some_book(choose, world)
        for _ in range(PARTS):
            chance = choose.choice((0.3, 0.6, 0.9, 1.0))
            part = [document for document in documents if choose.random() < chance]
            joined = NetworkMap([*part, *choose.choice(([book], []))])
            assert not joined.contradictions
            for _ in range(QUESTIONS):
                source = question(choose, world)
                target = question(choose, world)
                verdict = reach(as_end(source), as_end(target), joined)
                check_verdict(verdict, source, target, world, seen)
                check_holder(target, joined, world, seen)
    assert len(seen) == 14, seen  # each kind of answer was given, and each thing that it rests on


def check_verdict(
    verdict: Verdict, source: End, target: End, world: World, seen: Counter[str]
) -> None:
    truth = world.permits(source, target)
    about = (source, target, verdict, world)
    kinds = {reason.kind.value for reason in verdict.reasons}
    seen[f"permitted {verdict.permitted}"] += 1
    seen[f"reachable {verdict.reachable}"] += 1
    if truth is not None and verdict.permitted is not None:
        assert verdict.permitted is truth, about
    if source in world.allocated:  # it sends no request
        assert not verdict.permitted, about
    if is_nobodys(source, world) or is_nobodys(target, world):  # no list can have it
        seen["nobody's"] += 1
        assert verdict.permitted is None, about
        assert verdict.reachable is None or kinds & {"unlisted-address", "stale"}, about
    on_one = world.on_one_network(source, target)
    if on_one is not None and verdict.same_network is not None:
        seen[f"same network {on_one}"] += 1
        assert verdict.same_network is on_one, about
    if is_service(target, world):
        seen["service"] += 1
        assert verdict.reachable is None, about
        assert verdict.permitted is None, about
    elif verdict.outcome == "nothing-responds" and verdict.unless is not None:
        seen["no Machine, unless"] += 1
    elif verdict.outcome == "nothing-responds":
        assert not (truth and world.may_respond(source, target)), about
        check_silence(kinds, target, world)
    elif verdict.reachable and "unlisted-address" in kinds:
        seen["taken for a Machine's"] += 1
    elif verdict.reachable:
        assert truth is not False, about
    elif verdict.reachable is False and verdict.unless is not None:
        seen["unless"] += 1
    elif verdict.reachable is False:
        assert not truth, about


def is_service(end: End, world: World) -> bool:
    """Whether nobody of the organization has an address with network ID 0."""
    return is_nobodys(end, world) and isinstance(end, Address) and int(end.network_id) == 0


def is_nobodys(end: End, world: World) -> bool:
    if not isinstance(end, Address):
        return False
    return end not in world.allocated and world.machine_at(end) is None


def check_silence(kinds: set[str], target: End, world: World) -> None:
    """Check why nothing responds: nobody is there."""
    if isinstance(target, Address) and target not in world.allocated:
        assert "stale" in kinds
        assert is_nobodys(target, world)
        return
    assert "no-machine" in kinds
    app = target
    if isinstance(target, Address):
        app = world.allocated[target]
    if app in world.network_of:
        assert not world.has_machine(str(app))


def check_holder(target: End, joined: NetworkMap, world: World, seen: Counter[str]) -> None:
    if not isinstance(target, Address):
        return
    holder = find_holder(target, joined)
    if holder.holding == "stale":
        seen["stale"] += 1
        assert is_nobodys(target, world)
    elif holder.holding == "machine":
        assert world.machine_at(target) in (holder.app, None)
    elif holder.holding == "cross-network-address":
        assert world.allocated[target] == holder.app
