"""The platform's instance list: a TXT record with an entry for each Machine.

instance=148e21dad76789,app=web,ip=fdaa:2:224b:a7b:2dbb:3e15:aaea:2,region=sea;instance=...
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fdaa.networks._document_rows import Field, RowError, json_kind, private_address, read_rows
from fdaa.networks._model import DocumentKind, Machine

if TYPE_CHECKING:
    from fdaa.networks._document_rows import At
    from fdaa.networks._model import Document

_LOOK = 1000  # characters in which an instance list shows itself
_ENDS = (";", "\n", '"')  # of a list that is whole, or may be

# A character-string of a TXT record as tools print it, and an escape in it (RFC 1035, section 5.1).
# What is matched is never tried again, so the time is linear.
_STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"')
_STRINGS = re.compile(rf"(?:\s*+{_STRING.pattern}\s*+)++")
_ESCAPE = re.compile(r"\\(?:([0-9]{3})|(.))")


def is_instance_list(text: str) -> bool:
    """Return whether a document is an instance list."""
    return text[:_LOOK].lstrip(' \t\r\n"').startswith("instance=")


def read_instances(file: str, text: str) -> Document:
    """Return the document that an instance list is.

    A last entry that lacks the region of the others was cut off.
    """
    rows = _entries(text)
    before, _, last = text.rpartition(";")
    is_cut = not text.endswith(_ENDS) and ",region=" in before and ",region=" not in last

    def read(entry: object, at: At) -> Machine:
        if is_cut and not rows:
            reason = "it is missing, and the others have it: was the list cut off here?"
            raise RowError("region", reason)
        return _read_entry(str(entry), at)

    return read_rows(file, DocumentKind.INSTANCE_LIST, None, rows, read, "instances")


def _read_entry(entry: str, at: At) -> Machine:
    fields: dict[str, str] = {}
    for part in entry.split(","):
        key, equals, value = part.partition("=")
        if not equals:
            raise RowError("", f"it must be key=value,..., not {json_kind(part)}")
        if key in fields:
            raise RowError(key, "it appears twice")
        fields[key] = value
    for key in ("instance", "app", "ip"):
        if not fields.get(key):
            raise RowError(key, "it is missing")
    address = private_address(Field("ip", fields["ip"]))
    return Machine(fields["instance"], fields["app"], address, at.origin("ip"))


def _entries(text: str) -> list[object]:
    entries: list[object] = []
    for line in text.split("\n"):
        whole = line
        if _STRINGS.fullmatch(line):  # those of one record belong together
            whole = _ESCAPE.sub(_unescaped, "".join(_STRING.findall(line)))
        entries += filter(None, map(str.strip, whole.split(";")))
    return entries


def _unescaped(escape: re.Match[str]) -> str:
    number, character = escape.groups()
    return chr(int(number)) if number else str(character)
