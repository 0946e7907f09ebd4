"""`fdaa TEXT` says what `reach` says about the same ends, unless the line shows more.

Random organizations, parts of their documents, and templates of lines.
"""

from __future__ import annotations

import random
from collections import Counter

from ends import as_end
from true_worlds import World, all_documents, true_world

from fdaa import Address
from fdaa.explain import Answer, explain
from fdaa.lines import Phase
from fdaa.networks import Host, NetworkMap, Outcome, reach

# A line about a source and a target, and whether it shows an open connection.
WITH_SOURCE = [
    ("dial tcp [{target}]:5432: i/o timeout, local {source}", False),
    ("connect to {target} port 80 from {source} port 40112 failed: Connection refused", False),
    ("[{source}]:40112 -> [{target}]:443: connect: network is unreachable", False),
    ("IP6 {source}.55356 > {target}.443: Flags [S], seq 1", False),
    ("src={source} dst={target} it broke", False),
    ("read tcp [{source}]:40112->[{target}]:5432: i/o timeout", True),
    ("read tcp [{source}]:40112->[{target}]:5432: read: connection reset by peer", True),
    ("ESTAB 0 0 [{source}]:40112 [{target}]:5432", True),
]
# A line about one or two targets of this Machine.
OF_THIS_MACHINE = [
    ("connect ECONNREFUSED {target}:3000", False),
    ("dial tcp [{target}]:80: connect: no route to host", False),
    ("dial [{target}]:80: i/o timeout; dial [{other}]:80: connection refused", False),
    ("connect to {target} port 80 failed\nconnect to {other} port 80 failed: timed out", False),
    ("pool timed out while waiting for a connection to [{target}]:5432", False),
    ("dial tcp {name}.internal:8080: i/o timeout", False),
    ("getaddrinfo ENOTFOUND {name}.internal", False),
    ("Connection to {target} 5432 port [tcp/postgresql] succeeded!", True),
    ("GET http://[{target}]:80/ 200", True),
]
WORLDS = 8


def test_an_answer_about_a_line_agrees_with_reach() -> None:
    choose = random.Random(61)
    seen: Counter[str] = Counter()
    for _ in range(WORLDS):
        world = true_world(choose)
        documents = [each for each in all_documents(choose, world) if choose.random() < 0.8]
        networks = NetworkMap(documents) if choose.random() < 0.8 else None
        for template, is_open in WITH_SOURCE:
            source, target, other = addresses(choose, world)
            text = template.format(source=source, target=target)
            own = choose.choice((None, source, other))
            check(explain(text, networks, own=own), source, networks, is_open, seen)
        for template, is_open in OF_THIS_MACHINE:
            source, target, other = addresses(choose, world)
            name = choose.choice(sorted(world.network_of))
            text = template.format(target=target, other=other, name=name)
            check(explain(text, networks, own=source), source, networks, is_open, seen)
            assert not explain(text, networks).verdicts
    assert min(seen[str(answer)] for answer in (True, False, None)) > 5, seen


def addresses(choose: random.Random, world: World) -> list[Address]:
    """Return three addresses: of Machines, allocated ones, or nobody's."""
    known = [address for of_app in world.machines.values() for address in of_app.values()]
    known += [*world.allocated, *(Address.build(each, 0x77) for each in world.ids.values())]
    distinct = {str(address): address for address in known}
    return choose.sample(list(distinct.values()), 3)


def check(
    answer: Answer, source: Address, networks: NetworkMap | None, is_open: bool, seen: Counter[str]
) -> None:
    """Check each verdict of an answer, and that the first line denies nothing else."""
    assert answer.line.source == source
    denied = False
    for target in answer.verdicts:
        end = target.verdict.target
        expected = reach(source, as_end(end) if not isinstance(end, Host) else end, networks)
        assert target.verdict == expected, answer
        seen[str(expected.reachable)] += 1
        responded = is_open
        is_no = expected.outcome in (Outcome.DIFFERENT_NETWORKS, Outcome.NOTHING_RESPONDS)
        if is_no and target.phase is Phase.REFUSED:
            responded = True  # in spite of the documents
        denied = denied or (expected.reachable is False and not responded)
    first = str(answer).partition("\n")[0]
    assert first.startswith("no") is denied or answer.line.phase is None, answer
    if is_open:
        assert not first.startswith(("no", "yes")), answer
