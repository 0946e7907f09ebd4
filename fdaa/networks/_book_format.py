"""The text of a book: JSON with a version number, and one line for each network.

Keys added by hand are kept, at the top and in a line.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from fdaa._support.escapes import quote
from fdaa._values.address import Address, NetworkID
from fdaa._values.checks import keep_characters
from fdaa._values.errors import AddressError, InputError
from fdaa._values.id_text import id_fields
from fdaa._values.network_name import NetworkName
from fdaa.networks._document_errors import BookError
from fdaa.networks._model import network_fields, text_or_none
from fdaa.networks._reading import load

VERSION = 1
_VERSION_KEY = "fdaa_book"
_NETWORKS_KEY = "networks"
_ID = "network_id"
_NUMBER = "network_id_int"
_TEXTS = ("app", "address", "learned_from", "learned_on", "renamed_from")


@dataclass(frozen=True, slots=True, kw_only=True)
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
        other: keys that a person added to its line.
    """

    name: NetworkName
    network_id: NetworkID
    app: str | None = None
    address: Address | None = None
    learned_from: str | None = None
    learned_on: str | None = None
    renamed_from: str | None = None
    other: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        keep_characters(self, "app", "learned_from", "learned_on", "renamed_from")

    @property
    def provenance(self) -> str:
        """When, from where and by whom it was added to the book; empty if that is not recorded."""
        parts = []
        if self.renamed_from:
            parts.append(f"renamed by hand from {self.renamed_from}")
        learned = "learned"
        if self.learned_on:
            learned += f" on {self.learned_on[:10]}"
        if self.learned_from:
            learned += f" from {self.learned_from}"
        if learned != "learned":
            parts.append(learned)
        return "; ".join(parts)

    def to_dict(self) -> dict[str, object]:
        """Return the entry as a dictionary for JSON."""
        return {
            "kind": "entry",
            **network_fields(self.name, self.network_id),
            "prefix": str(self.network_id.prefix),
            **{key: text_or_none(getattr(self, key)) for key in _TEXTS},
        }


def parse_book(text: str, file: str) -> tuple[dict[str, Entry], dict[str, object]]:
    """Return the networks in the text of a book, by name, and the keys that a person added.

    Raises:
        BookError: it is not a book, has a newer version, or breaks its rules.
        DocumentError: it is not JSON, or has a duplicate key.
    """
    value = load(text, file)
    added = dict(value) if isinstance(value, dict) else {}
    version = added.pop(_VERSION_KEY, None)
    lines = added.pop(_NETWORKS_KEY, None)
    if type(version) is not int or version < 1:  # True is an int too
        raise BookError(file, reason=f"not a book: a book has a version in {_VERSION_KEY!r}")
    if version > VERSION:
        reason = f"written by a newer fdaa (format {version}; this version reads {VERSION})"
        raise BookError(file, reason=reason)
    if not isinstance(lines, dict):
        raise BookError(file, reason=f"{_NETWORKS_KEY!r} must be an object")
    entries: dict[str, Entry] = {}
    for name, line in lines.items():
        entries[name] = _parse_line(name, line, file)
    names: dict[NetworkID, str] = {}
    for name, entry in entries.items():
        first = names.setdefault(entry.network_id, name)
        if first != name:
            both = f"networks {quote(first)} and {quote(name)}"
            raise BookError(file, reason=f"{both} have the same ID")
    return entries, added


def _parse_line(name: str, line: object, file: str) -> Entry:
    fields = dict(line) if isinstance(line, dict) else {}
    number = fields.pop(_NUMBER, None)
    text = fields.pop(_ID, None)
    place = f"{_NETWORKS_KEY}: {quote(name)}"
    try:
        parsed = NetworkName(name)
        network_id = NetworkID(str(text))
    except InputError as error:
        raise BookError(file, reason=f"{place}: {error}") from None
    if number != int(network_id):
        reason = f"{_NUMBER!r} must be {int(network_id)}, the number of its {_ID!r}"
        raise BookError(file, reason=f"{place}: {reason}")
    texts = {}
    for key in _TEXTS:
        if isinstance(fields.get(key), str):
            texts[key] = fields.pop(key)
    address = None
    try:
        address = Address(texts.pop("address"))
    except KeyError:
        pass
    except AddressError as error:
        raise BookError(file, reason=f"{place}: {error}") from None
    return Entry(name=parsed, network_id=network_id, **texts, address=address, other=fields)


def book_as_text(entries: dict[str, Entry], added: dict[str, object]) -> str:
    """Return the text of a book: a line for each network, sorted, so that changes are easy to see.

    Raises:
        RecursionError: hand-added data is nested too deeply.
        ValueError: it has a number that is not finite: `1e999`.
    """
    dumps = partial(json.dumps, allow_nan=False)
    networks: list[str] = []
    for name, entry in sorted(entries.items()):
        fields: dict[str, object] = {**id_fields(entry.network_id)}
        for key in _TEXTS:
            if getattr(entry, key) is not None:
                fields[key] = text_or_none(getattr(entry, key))
        fields.update(entry.other)
        networks.append(f"    {dumps(name)}: {dumps(fields)}")
    lines = ["{", f"  {dumps(_VERSION_KEY)}: {VERSION},"]
    for key, value in added.items():
        lines.append(f"  {dumps(key)}: {dumps(value)},")
    lines.append(f"  {dumps(_NETWORKS_KEY)}: {{")
    lines.append(",\n".join(networks))
    lines.append("  }")
    lines.append("}\n")
    return "\n".join(lines)
