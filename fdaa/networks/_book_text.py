"""The text of a book: JSON with a version number, and one line for each network.

Keys added by hand are kept, at the top and in a line.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial

from fdaa._escapes import quote
from fdaa._id_text import id_fields
from fdaa.address import NetworkID
from fdaa.errors import InputError
from fdaa.network_name import NetworkName
from fdaa.networks._errors import BookError
from fdaa.networks._reading import load

VERSION = 1
_VERSION_KEY, _NETWORKS_KEY = "fdaa_book", "networks"
_ID, _NUMBER = "network_id", "network_id_int"
_TEXTS = ("app", "address", "learned_from", "learned_on", "renamed_from")


@dataclass(frozen=True, slots=True)
class Entry:
    """One network in a book; a missing field is None.

    Args:
        name: its name.
        network_id: its ID.
        app: the app whose documents had the name.
        address: the address of a Machine of that app, which had the ID.
        learned_from: the places in the documents.
        learned_on: when that was, in UTC: `2026-11-21T19:30:00Z`.
        renamed_from: the earlier names, oldest first: `custmer-17, customer-71`.
        added: keys that a person added to its line.
    """

    name: NetworkName
    network_id: NetworkID
    app: str | None = None
    address: str | None = None
    learned_from: str | None = None
    learned_on: str | None = None
    renamed_from: str | None = None
    added: dict[str, object] = field(default_factory=dict, hash=False)

    @property
    def provenance(self) -> str:
        """When, from where and by whom it was added to the book; empty if that is not recorded."""
        when = f" on {self.learned_on[:10]}" if self.learned_on else ""
        where = f" from {self.learned_from}" if self.learned_from else ""
        learned = f"learned{when}{where}" if when or where else ""
        renamed = f"renamed by hand from {self.renamed_from}" if self.renamed_from else ""
        return "; ".join(filter(None, (renamed, learned)))

    def to_dict(self) -> dict[str, object]:
        """Return the entry as a dictionary for JSON."""
        return {
            "kind": "entry",
            "name": self.name,
            **id_fields(self.network_id),
            "prefix": str(self.network_id.prefix),
            **{key: getattr(self, key) for key in _TEXTS},
        }


def parse_book(text: str, file: str) -> tuple[dict[str, Entry], dict[str, object]]:
    """Return the networks in the text of a book, by name, and the keys that a person added.

    Raises:
        BookError: it is not a book, has a newer version, or breaks its rules.
        DocumentError: it is not JSON, or has a duplicate key.
    """
    value = load(text, file)
    added = dict(value) if isinstance(value, dict) else {}
    version, lines = added.pop(_VERSION_KEY, None), added.pop(_NETWORKS_KEY, None)
    if type(version) is not int or version < 1:  # True is an int too
        raise BookError(file, f"not a book: a book has a version in {_VERSION_KEY!r}")
    if version > VERSION:
        reason = f"written by a newer fdaa (format {version}; this version reads {VERSION})"
        raise BookError(file, reason)
    if not isinstance(lines, dict):
        raise BookError(file, f"{_NETWORKS_KEY!r} must be an object")
    entries = {name: _parse_line(name, line, file) for name, line in lines.items()}
    names: dict[NetworkID, str] = {}
    for name, entry in entries.items():
        first = names.setdefault(entry.network_id, name)
        if first != name:
            raise BookError(file, f"networks {quote(first)} and {quote(name)} have the same ID")
    return entries, added


def _parse_line(name: str, line: object, file: str) -> Entry:
    fields = dict(line) if isinstance(line, dict) else {}
    number, text = fields.pop(_NUMBER, None), fields.pop(_ID, None)
    try:
        parsed, network_id = NetworkName(name), NetworkID(str(text))
    except InputError as error:
        raise BookError(file, f"{_NETWORKS_KEY}: {quote(name)}: {error}") from None
    if number != network_id:
        reason = f"{_NUMBER!r} must be {network_id:d}, the number of its {_ID!r}"
        raise BookError(file, f"{_NETWORKS_KEY}: {quote(name)}: {reason}")
    texts = {key: fields.pop(key) for key in _TEXTS if isinstance(fields.get(key), str)}
    return Entry(parsed, network_id, **texts, added=fields)


def book_as_text(entries: dict[str, Entry], added: dict[str, object]) -> str:
    """Return the text of a book: a line for each network, sorted, so that changes are easy to see.

    Raises:
        RecursionError: hand-added data is nested too deeply.
        ValueError: it has a number that is not finite: `1e999`.
    """
    dumps = partial(json.dumps, allow_nan=False)
    top = "".join(f"  {dumps(key)}: {dumps(value)},\n" for key, value in added.items())
    lines = []
    for name, entry in sorted(entries.items()):
        texts = {key: text for key in _TEXTS if (text := getattr(entry, key)) is not None}
        fields = {**id_fields(entry.network_id), **texts, **entry.added}
        lines.append(f"    {dumps(name)}: {dumps(fields)}")
    inside = ",\n".join(lines)
    return f'{{\n  "{_VERSION_KEY}": {VERSION},\n{top}  "{_NETWORKS_KEY}": {{\n{inside}\n  }}\n}}\n'
