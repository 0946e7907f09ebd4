"""The text of a book: JSON with a version number, and one line for each network.

What a person added by hand is kept: keys at the top, keys in a line, and the digits of numbers.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from fdaa.address import NetworkID
from fdaa.errors import NetworkNameError, quote
from fdaa.network_name import NetworkName
from fdaa.networks._errors import BookError
from fdaa.networks._json import load

VERSION = 1
_VERSION_KEY = "fdaa_book"
_NETWORKS_KEY = "networks"
_ID, _NUMBER = "network_id", "network_id_int"


class Digits(str):
    """A number as the book has it: `1.10` stays `1.10`."""

    __slots__ = ()


class Entry(NamedTuple):
    """One network in a book; what the book does not tell is None.

    Args:
        name: its name.
        network_id: its ID.
        app: the app that told the name.
        address: the address of a Machine of that app, which told the ID.
        learned_from: the places in the documents.
        learned_on: when that was, in UTC: `2026-11-21T19:30:00Z`.
        renamed_from: the earlier names, the first one first: `custmer-17, customer-71`.
        added: what a person added to its line.
    """

    name: NetworkName
    network_id: NetworkID
    app: str | None = None
    address: str | None = None
    learned_from: str | None = None
    learned_on: str | None = None
    renamed_from: str | None = None
    added: dict[str, object] | None = None


_TEXTS = ("app", "address", "learned_from", "learned_on", "renamed_from")


class Contents(NamedTuple):
    """What a book's file holds: the networks by name, and what a person added beside them."""

    entries: dict[str, Entry]
    added: dict[str, object]


def parse_book(text: str, file: str) -> Contents:
    """Return what the text of a book holds.

    Raises:
        BookError: it is no book, one of a newer version, or breaks its rules.
        DocumentError: it is not JSON, or has a key that is there twice.
    """
    value = load(text, file, Digits)
    version = value.get(_VERSION_KEY) if isinstance(value, dict) else None
    if not isinstance(value, dict) or _whole(version) < 1:
        raise BookError(file, f"it is something else; a book has a version in {_VERSION_KEY!r}")
    if _whole(version) > VERSION:
        reason = f"a newer program wrote it (version {quote(str(version))[1:-1]}, not {VERSION})"
        raise BookError(file, reason)
    lines = value.get(_NETWORKS_KEY)
    if not isinstance(lines, dict):
        raise BookError(file, f"{_NETWORKS_KEY!r} must be an object")
    entries: dict[str, Entry] = {}
    names: dict[int, str] = {}
    for name, line in lines.items():
        entry = entries[name] = _entry(name, line, file)
        other = names.setdefault(entry.network_id, name)
        if other != name:
            raise BookError(file, f"networks {quote(other)} and {quote(name)} have the same ID")
    added = {key: value[key] for key in value if key not in (_VERSION_KEY, _NETWORKS_KEY)}
    return Contents(entries, added)


def _entry(name: str, line: object, file: str) -> Entry:
    """Return the network in a line of a book, or say what is wrong with it."""
    try:
        parsed = NetworkName(name)
    except NetworkNameError as error:
        raise BookError(file, f"{_NETWORKS_KEY}: {error}") from None
    place = f"{_NETWORKS_KEY}: {quote(name)}"
    fields = dict(line) if isinstance(line, dict) else {}
    number, text = _whole(fields.pop(_NUMBER, None)), fields.pop(_ID, None)
    if not 0 <= number < 2**32:
        raise BookError(file, f"{place}: {_NUMBER!r} must be a number of 32 bits")
    network_id = NetworkID(number)
    if text != str(network_id):
        reason = f"{place}: {_ID!r} must be {str(network_id)!r}, the form of its {_NUMBER!r}"
        raise BookError(file, reason)
    texts = {key: fields.pop(key) for key in _TEXTS if _is_text(fields.get(key))}
    return Entry(parsed, network_id, **texts, added=fields)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, Digits)


def _whole(value: object) -> int:
    """Return a whole number of JSON; -1 for anything else."""
    return int(value) if isinstance(value, Digits) and value.isdecimal() else -1


def book_as_text(contents: Contents, file: str) -> str:
    """Return the text of a book: a line for each network, sorted, so that changes are easy to see.

    Raises:
        BookError: what a person added is nested too deep to be written.
    """
    entries, added = contents
    try:
        top = [f"  {_as_json(key)}: {_as_json(value)},\n" for key, value in added.items()]
        lines = [f"    {_as_json(name)}: {_line(entries[name])}" for name in sorted(entries)]
    except RecursionError:
        raise BookError(file, "what was added by hand is nested too deep to be kept") from None
    inside = ",\n".join(lines)
    return (
        f'{{\n  "{_VERSION_KEY}": {VERSION},\n{"".join(top)}'
        f'  "{_NETWORKS_KEY}": {{\n{inside}\n  }}\n}}\n'
    )


def _line(entry: Entry) -> str:
    own: dict[str, object] = {_ID: str(entry.network_id), _NUMBER: int(entry.network_id)}
    texts = {key: getattr(entry, key) for key in _TEXTS if getattr(entry, key) is not None}
    return _as_json({**own, **texts, **(entry.added or {})})


def _as_json(value: object) -> str:
    """Return a value as JSON; `json` itself cannot write a number as its text."""
    if isinstance(value, Digits):
        return str(value)
    if isinstance(value, dict):
        members = (f"{json.dumps(key)}: {_as_json(each)}" for key, each in value.items())
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_as_json, value)) + "]"
    return json.dumps(value)
