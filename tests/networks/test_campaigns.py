"""Many organizations, of which everything is known; and eight processes at one book."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from books import fact, held, in_children
from organizations import APP_NAMES, NETWORK_NAMES, Organization, parse

from fdaa import Address, NetworkID
from fdaa.networks import Book, NetworkMap, Outcome, find_holder, reach

if TYPE_CHECKING:
    from pathlib import Path

    from fdaa.networks import Document

pytestmark = pytest.mark.campaign
ORGANIZATIONS = 400
VERDICTS = 60  # that each is asked for
HOLDERS = 20  # that each is asked for
WRITERS = 8
CHANGES = 200  # that each writer makes


def organization(choose: random.Random) -> Organization:
    """Every app has a Machine, and addresses for clients on networks of others alone."""
    names = choose.sample(NETWORK_NAMES, choose.randint(1, 4))
    numbers = choose.sample(range(1, 2**32), len(names))
    ids = dict(zip(names, map(NetworkID, numbers), strict=True))
    apps = choose.sample(APP_NAMES, choose.randint(1, 6))
    network_of = {app: choose.choice(names) for app in apps}
    made = Organization(ids, network_of)
    for app, network in made.apps.items():
        for _ in range(choose.randint(1, 4)):
            made.machines[Address.build(ids[network], choose.getrandbits(80))] = app
        others = [id_ for name, id_ in ids.items() if name != network]
        if not others:
            continue
        for _ in range(choose.randrange(3)):
            made.allocated[Address.build(choose.choice(others), choose.getrandbits(80))] = app
    return made


def written(made: Organization, choose: random.Random) -> list[Document]:
    """Write all of an organization, in the shapes of the API or of the tool, in any order."""
    documents = [app_list(made, choose)]
    for app in made.apps:
        machines = []
        for address, its in made.machines.items():
            if its == app:
                machines.append({"id": id_of(address), "private_ip": str(address)})
        if choose.random() < 0.5:
            documents.append(parse({"Name": app, "Machines": machines}))
        else:
            documents.append(parse(machines, app))
        allocated = [str(address) for address, its in made.allocated.items() if its == app]
        if allocated:
            documents.append(parse(allocated, app))
    choose.shuffle(documents)
    return documents


def app_list(made: Organization, choose: random.Random) -> Document:
    if choose.random() < 0.5:
        rows = [{"name": app, "network": network} for app, network in made.apps.items()]
        return parse({"total_apps": len(rows), "apps": rows})
    return parse([{"Name": app, "Network": network} for app, network in made.apps.items()])


def id_of(address: Address) -> str:
    return "m-" + str(address).replace(":", "-")


def test_every_verdict_and_every_holder_is_what_the_organization_says() -> None:
    choose = random.Random(4193)
    outcomes = set()
    holdings = set()
    for _ in range(ORGANIZATIONS):
        made = organization(choose)
        joined = NetworkMap(written(made, choose))
        assert (joined.contradictions, joined.problems) == ((), ())
        for _ in range(VERDICTS):
            outcomes.add(right_verdict(made, joined, choose))
        for _ in range(HOLDERS):
            holdings.add(right_holder(made, joined, choose))
    assert outcomes == set(Outcome) - {Outcome.UNKNOWN}
    assert holdings == {"machine", "cross-network-address", "stale", "unknown"}


def right_verdict(made: Organization, joined: NetworkMap, choose: random.Random) -> str:
    sources: list[Any] = [*made.machines, *made.apps]
    source = choose.choice(sources)
    target = choose.choice([*sources, *made.allocated])
    here = made.apps[made.machines.get(source, source)]
    via: set[Address] = set()
    if target in made.allocated:
        reachable = target.network_id == made.ids[here]
    elif made.apps[made.machines.get(target, target)] == here:
        reachable = True
    else:
        for address, app in made.allocated.items():
            if app == target and address.network_id == made.ids[here]:
                via.add(address)
        reachable = bool(via)
    verdict = reach(source, target, joined)
    asked = (source, target, made)
    assert verdict.reachable == reachable, asked
    assert set(verdict.via) == via, asked
    return verdict.outcome


def right_holder(made: Organization, joined: NetworkMap, choose: random.Random) -> str:
    ids = [NetworkID(choose.randrange(1, 2**32))]  # of a network that no document names
    ids.extend(made.ids.values())
    free = Address.build(choose.choice(ids), choose.getrandbits(80))
    address = choose.choice([*made.machines, *made.allocated, free])
    name_of = {made.ids[name]: name for name in made.apps.values()}
    network = name_of.get(address.network_id)
    machine: str | None = None
    app: str | None = None
    if address in made.machines:
        holding = "machine"
        app = made.machines[address]
        machine = id_of(address)
    elif address in made.allocated:
        holding = "cross-network-address"
        app = made.allocated[address]
    elif network is None:
        holding = "unknown"
    else:
        holding = "stale"
    holder = find_holder(address, joined)
    found = (holder.holding, holder.app, holder.machine, holder.network_name)
    assert found == (holding, app, machine, network), (address, made)
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
        new = f"w{writer}-{number}"
        id_ = writer * CHANGES + number + 1
        change = "add"
        old = ""
        if own:
            change = choose.choice(("add", "add", "remove", "rename"))
            old = choose.choice(sorted(own))
        if change != "add":
            id_ = own.pop(old)
        if change != "remove":
            own[new] = id_
        if path is not None:
            change_book(path, change, old, new, id_)
            held_by_writer = {}
            for name, held_id in held(path).items():
                if name.startswith(f"w{writer}-"):
                    held_by_writer[name] = held_id
            assert held_by_writer == own
    return own


def change_book(path: Path, change: str, old: str, new: str, id_: int) -> None:
    with Book.edit(path) as book:
        if change == "add":
            book.add([fact(new, id_)])
        elif change == "remove":
            book.remove(old)
        else:
            book.rename(old, new)


def test_of_eight_processes_at_one_book_no_change_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "networks.json"
    in_children([partial(changed, path, writer) for writer in range(WRITERS)])
    expected = {}
    for writer in range(WRITERS):
        left = changed(None, writer)
        assert left
        expected.update(left)
    assert held(path) == expected
