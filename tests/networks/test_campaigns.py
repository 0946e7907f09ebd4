"""Many organizations, of which everything is known; and eight processes at one book."""

from __future__ import annotations

import os
import random
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from books import fact, held, in_child
from organizations import APP_NAMES, NETWORK_NAMES, Organization, parse

from fdaa import Address, NetworkID
from fdaa.networks import Book, NetworkMap, Outcome, find_holder, reach

if TYPE_CHECKING:
    from pathlib import Path

    from fdaa.networks import Document

pytestmark = pytest.mark.campaign
ORGANIZATIONS, VERDICTS, HOLDERS = 400, 60, 20  # questions of each: 24,000 and 8,000
WRITERS, CHANGES = 8, 200


def organization(choose: random.Random) -> Organization:
    """Every app has a Machine, and addresses for clients on networks of others alone."""
    names = choose.sample(NETWORK_NAMES, choose.randint(1, 4))
    numbers = choose.sample(range(1, 2**32), len(names))
    ids = dict(zip(names, map(NetworkID, numbers), strict=True))
    apps = choose.sample(APP_NAMES, choose.randint(1, 6))
    made = Organization(ids, {app: choose.choice(names) for app in apps})
    for app, network in made.apps.items():
        for _ in range(choose.randint(1, 4)):
            made.machines[Address.build(ids[network], choose.getrandbits(80))] = app
        others = [id_ for name, id_ in ids.items() if name != network]
        for _ in range(choose.randrange(3) if others else 0):
            made.allocated[Address.build(choose.choice(others), choose.getrandbits(80))] = app
    return made


def written(made: Organization, choose: random.Random) -> list[Document]:
    """Write all of an organization, in the shapes of the API or of the tool, in any order."""
    rows = [{"name": app, "network": network} for app, network in made.apps.items()]
    documents = [
        parse({"total_apps": len(rows), "apps": rows})
        if choose.random() < 0.5
        else parse([{"Name": row["name"], "Network": row["network"]} for row in rows])
    ]
    for app in made.apps:
        own = [str(address) for address, its in made.machines.items() if its == app]
        machines = [{"id": id_of(address), "private_ip": address} for address in own]
        as_status = choose.random() < 0.5
        documents.append(
            parse({"Name": app, "Machines": machines}) if as_status else parse(machines, app)
        )
        if its := [{"Address": str(a)} for a, holder in made.allocated.items() if holder == app]:
            documents.append(parse(its, app))
    choose.shuffle(documents)
    return documents


def id_of(address: object) -> str:
    return "m-" + str(address).replace(":", "-")


def test_every_verdict_and_every_holder_is_what_the_organization_says() -> None:
    choose = random.Random(4193)
    outcomes, holdings = set(), set()
    for _ in range(ORGANIZATIONS):
        made = organization(choose)
        joined = NetworkMap(written(made, choose))
        assert (joined.contradictions, joined.problems) == ([], [])
        for _ in range(VERDICTS):
            outcomes.add(right_verdict(made, joined, choose))
        for _ in range(HOLDERS):
            holdings.add(right_holder(made, joined, choose))
    assert outcomes == {*Outcome} - {Outcome.UNKNOWN}
    assert holdings == {"machine", "cross-network-address", "stale", "unknown"}


def right_verdict(made: Organization, joined: NetworkMap, choose: random.Random) -> str:
    sources: list[Any] = [*made.machines, *made.apps]
    source = choose.choice(sources)
    target = choose.choice([*sources, *made.allocated])
    here = made.apps[made.machines.get(source, source)]
    via: set[str] = set()
    if target in made.allocated:
        reachable = target.network_id == made.ids[here]
    else:
        reachable = made.apps[made.machines.get(target, target)] == here
        if not reachable:
            its = [address for address, app in made.allocated.items() if app == target]
            via = {str(address) for address in its if address.network_id == made.ids[here]}
    verdict = reach(source, target, joined)
    asked = (source, target, made)
    assert (verdict.reachable, set(verdict.via)) == (reachable or bool(via), via), asked
    return verdict.outcome


def right_holder(made: Organization, joined: NetworkMap, choose: random.Random) -> str:
    foreign = NetworkID(choose.randrange(1, 2**32))
    network_id = choose.choice([*made.ids.values(), foreign])
    free = Address.build(network_id, choose.getrandbits(80))
    address = choose.choice([*made.machines, *made.allocated, free])
    network = {made.ids[name]: name for name in made.apps.values()}.get(address.network_id)
    app = made.machines.get(address, made.allocated.get(address))
    if app is not None:
        holding = "machine" if address in made.machines else "cross-network-address"
    else:
        holding = "unknown" if network is None else "stale"
    machine = id_of(address) if address in made.machines else None
    holder = find_holder(address, joined)
    told = (holder.holding, holder.app, holder.machine, holder.network_name)
    assert told == (holding, app, machine, network), (address, made)
    return holding


def changed(path: Path | None, writer: int) -> dict[str, int]:
    """Add, remove and rename networks of this writer's own, and return what is left of them.

    Args:
        path: of the book, which must have all of them after each change; None for no book.
        writer: its number, which all of its names begin with.
    """
    choose = random.Random(writer)
    own: dict[str, int] = {}
    for number in range(CHANGES):
        new, id_ = f"w{writer}-{number}", writer * CHANGES + number + 1
        change = choose.choice(("add", "add", "remove", "rename")) if own else "add"
        old = choose.choice(sorted(own)) if own else ""
        if change != "add":
            id_ = own.pop(old)
        if change != "remove":
            own[new] = id_
        if path is not None:
            with Book.edit(path) as book:
                if change == "add":
                    book.add([fact(new, id_)])
                elif change == "remove":
                    book.remove(old)
                else:
                    book.rename(old, new)
            after = held(path).items()
            assert {name: i for name, i in after if name.startswith(f"w{writer}-")} == own
    return own


def test_of_eight_processes_at_one_book_no_change_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "networks.json"
    children = [in_child(partial(changed, path, writer)) for writer in range(WRITERS)]
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * WRITERS
    left = [changed(None, writer) for writer in range(WRITERS)]
    assert all(left)
    assert held(path) == {name: id_ for each in left for name, id_ in each.items()}
