"""The platform's instance list: a TXT record with an entry for each Machine.

instance=148e21dad76789,app=web,ip=fdaa:2:224b:a7b:2dbb:3e15:aaea:2,region=sea;instance=...
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fdaa.errors import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOOK = 1000  # characters in which an instance list shows itself
_NEEDED = ("instance", "app", "ip")

# A character-string of a TXT record as tools print it, an escape in it (RFC 1035, section 5.1).
_STRING = re.compile(r'\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*')
_ESCAPE = re.compile(r"\\(?:([0-9]{3})|(.))")


class InstanceError(NamedTuple):
    """An entry that cannot be used: the field, and what is wrong with it."""

    field: str
    reason: str


def is_instance_list(text: str) -> bool:
    """Tell whether a document is an instance list."""
    return text[:_LOOK].lstrip(' \t\r\n"').startswith("instance=")


def entries_of(text: str) -> Iterator[dict[str, str] | InstanceError]:
    """Yield the fields of each entry, or why it cannot be used."""
    entries = _entries(text)
    may_be_cut = not text.endswith((";", "\n", '"'))
    has_region = False  # the entry before
    entry = next(entries, None)
    while entry is not None:
        following = next(entries, None)
        fields = _fields(entry)
        if isinstance(fields, dict):
            is_cut = following is None and may_be_cut and has_region and "region" not in fields
            has_region = "region" in fields
            if is_cut:
                reason = "it is missing, and the others have it: was the list cut off here?"
                fields = InstanceError("region", reason)
        yield fields
        entry = following


def _fields(entry: str) -> dict[str, str] | InstanceError:
    fields: dict[str, str] = {}
    for part in entry.split(","):
        key, equals, value = part.partition("=")
        if not equals:
            return InstanceError("", f"{quote(part)} has no '='; an entry is key=value,...")
        if key in fields:
            return InstanceError(key, "it appears twice")
        fields[key] = value
    for key in _NEEDED:
        if not fields.get(key):
            return InstanceError(key, "it is missing")
    return fields


def _entries(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        strings = _strings(line)
        # The strings of one record belong together without anything between them.
        whole = line if strings is None else _ESCAPE.sub(_unescaped, "".join(strings))
        for entry in whole.split(";"):
            if stripped := entry.strip():
                yield stripped


def _strings(line: str) -> list[str] | None:
    """Return the character-strings in a line, or None where it has anything else."""
    strings: list[str] = []
    at = 0
    while at < len(line):  # one by one from the left: a search would go through what it cannot use
        string = _STRING.match(line, at)
        if string is None:
            return None
        strings.append(string[1])
        at = string.end()
    return strings


def _unescaped(escape: re.Match[str]) -> str:
    number, character = escape.groups()
    return chr(int(number)) if number else str(character)
