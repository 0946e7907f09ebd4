"""The platform's instance list: a TXT record with an entry for each Machine.

instance=148e21dad76789,app=web,ip=fdaa:2:224b:a7b:2dbb:3e15:aaea:2,region=sea;instance=...
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fdaa.networks._model import Machine
from fdaa.networks._rows import Field, RowError, named, private_address

if TYPE_CHECKING:
    from fdaa.networks._rows import Reading

_LOOK = 1000  # characters in which an instance list shows itself
_ENDS = (";", "\n", '"')  # of a list that is whole, or may be

# A character-string of a TXT record as tools print it, an escape in it (RFC 1035, section 5.1).
_STRING = re.compile(r'\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*')
_ESCAPE = re.compile(r"\\(?:([0-9]{3})|(.))")


def is_instance_list(text: str) -> bool:
    """Tell whether a document is an instance list."""
    return text[:_LOOK].lstrip(' \t\r\n"').startswith("instance=")


def read_instances(reading: Reading, text: str) -> None:
    """Read an instance list; a last entry that lacks the region of the others was cut off."""
    before, _, last = text.rpartition(";")
    is_cut = not text.endswith(_ENDS) and ",region=" in before and ",region=" not in last
    reading.each(_entries(before if is_cut else text), _read_entry)
    if is_cut:
        place = f"instances[{len(reading.machines) + reading.left_out}]"
        reason = "it is missing, and the others have it: was the list cut off here?"
        reading.leave_out(place, RowError("region", reason))


def _read_entry(reading: Reading, place: str, entry: object) -> None:
    fields: dict[str, str] = {}
    for part in str(entry).split(","):
        key, equals, value = part.partition("=")
        if not equals:
            raise RowError("", f"it must be key=value,..., not {named(part)}")
        if key in fields:
            raise RowError(key, "it appears twice")
        fields[key] = value
    for key in ("instance", "app", "ip"):
        if not fields.get(key):
            raise RowError(key, "it is missing")
    address = private_address(Field("ip", fields["ip"]))
    origin = reading.origin(place, "ip")
    reading.machines.append(Machine(fields["instance"], fields["app"], address, origin))


def _entries(text: str) -> list[object]:
    entries: list[object] = []
    for line in text.split("\n"):
        strings = _strings(line)
        # The strings of one record belong together without anything between them.
        whole = line if strings is None else _ESCAPE.sub(_unescaped, "".join(strings))
        entries += filter(None, map(str.strip, whole.split(";")))
    return entries


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
