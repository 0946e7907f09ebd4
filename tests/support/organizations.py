"""Messy organizations to draw: documents of a true one, some left out, and lies among them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from true_worlds import (
    APPS,
    NAMES,
    World,
    all_documents,
    question,
    some_address,
    some_book,
    true_world,
)

from fdaa import NetworkName
from fdaa.networks import Document, DocumentKind, parse_document

if TYPE_CHECKING:
    import random

    from true_worlds import End


def parse(value: Any, app: str | None = None, file: str = "f") -> Document:
    """Parse a document, given as its bytes or as a JSON value; an empty list is a Machine list."""
    data = value
    if not isinstance(value, bytes):
        data = json.dumps(value).encode()
    return parse_document(data, file=file, app=app, kind=DocumentKind.MACHINE_LIST)


def messy_organization(choose: random.Random) -> tuple[World, list[Document]]:
    """Draw an organization, and some of its documents with others that may contradict them."""
    world = true_world(choose)
    chance = choose.choice((0.6, 0.8, 1.0))
    documents = [each for each in all_documents(choose, world) if choose.random() < chance]
    for _ in range(choose.choice((0, 1, 2, 3, 4))):
        documents.append(_lie(choose, world))
    if choose.random() < 0.4:
        documents.append(some_book(choose, world))
    if choose.random() < 0.1:
        line = {"network_id": "0:99", "app": choose.choice(APPS)}
        documents.append(parse({"fdaa_networks": 1, "networks": {"blue": line}}))
    choose.shuffle(documents)
    return world, documents


def messy_question(choose: random.Random, world: World) -> End:
    """Draw an end; a few are in lies only, or in no document."""
    if choose.random() < 0.2:
        return choose.choice(("ghost", "nobody", "blue", "m11", "m11", NetworkName("green")))
    return question(choose, world)


def _lie(choose: random.Random, world: World) -> Document:
    """Draw a document that may contradict the others; some of them are only incomplete."""
    app = choose.choice((*world.network_of, "ghost"))
    owner = choose.choice((app, app, None))
    address = str(some_address(choose, world))
    network = choose.choice((*NAMES, "green", "9 lives", ""))
    match choose.randrange(5):
        case 0:
            count = choose.choice((0, 1, 2))
            return parse([{"Name": app, "Network": network, "machine_count": count}])
        case 1:
            id_ = choose.choice(("m1", "m2", "m11", "m11", "web"))
            row = {"id": id_, "private_ip": choose.choice((address, address, None))}
            return parse([{**row, "state": choose.choice(STATES)}], owner)
        case 2:
            return parse([{"Address": address, "Network": {"Name": network}}], owner)
        case 3:
            return parse([{"Address": address}], owner)
    states = choose.choice((STATES, STATES[2:]))  # of all Machines of an app
    rows = []
    for id_, each in world.machines.get(app, {}).items():
        rows.append({"id": id_, "private_ip": str(each), "state": choose.choice(states)})
    return parse(rows, app)


STATES = (None, "started", "stopped", "suspended")
