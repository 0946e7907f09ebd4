"""Saved networks for tests, from facts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fdaa import NetworkID
from fdaa.networks import Document, parse_document

if TYPE_CHECKING:
    from fdaa import Address

LEARNED_ON = "2026-11-21T19:30:00Z"


def book_of(*facts: Any, address: Address | None = None) -> Document:
    """Return saved networks of facts, each a name, an ID and an app."""
    lines: dict[str, dict[str, object]] = {}
    for name, id_, app in facts:
        line = {"network_id": str(NetworkID(id_)), "app": app, "learned_on": LEARNED_ON}
        lines[str(name)] = {**line, "address": address and str(address)}
    text = json.dumps({"fdaa_networks": 1, "networks": lines})
    return parse_document(text, file="networks.json")
