"""The platform's instance list: a TXT record with an entry for each Machine.

instance=148e21dad76789,app=web,ip=fdaa:2:224b:a7b:2dbb:3e15:aaea:2,region=sea;instance=...
"""

from __future__ import annotations

import re

from fdaa.networks._document_rows import Row, RowError, Rows
from fdaa.networks._model import Document, DocumentKind, ListedMachine

_LOOK = 1000  # characters in which an instance list is recognized

# A character-string of a TXT record as tools print it, and an escape in it (RFC 1035, section 5.1).
# A match is never retried, so the time is linear.
_STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"')
_STRINGS = re.compile(rf"(?:\s*+{_STRING.pattern}\s*+)++")
_ESCAPE = re.compile(r"\\(?:([0-9]{3})|(.))")


def is_instance_list(text: str) -> bool:
    """Return whether a document is an instance list."""
    return text[:_LOOK].lstrip(' \t\r\n"').startswith("instance=")


def read_instances(file: str, text: str) -> Document:
    """Return the document in an instance list."""
    rows = Rows(file)
    read = _read_entry_with_region if ",region=" in text else _read_entry
    rows.read(_entries(text), read, "instances")
    return rows.document(DocumentKind.MACHINE_LIST)


def _read_entry_with_region(rows: Rows, entry: object, place: str) -> ListedMachine:
    """Return an entry; without the region that others have it was cut off: its address may be, too.

    Raises:
        RowError: it is not complete.
    """
    row = _fields(rows, entry, place)
    if "region" not in row:
        reason = "it is missing here, and other rows have it; was the list cut off?"
        raise RowError(row.origin("region"), reason)
    return _read_entry(rows, entry, place)


def _read_entry(rows: Rows, entry: object, place: str) -> ListedMachine:
    row = _fields(rows, entry, place)
    id_ = row.text("instance", "the Machine's identifier")
    app = row.text("app", "the app's name")
    return ListedMachine(id_, app=app, address=row.address("ip"), origin=row.origin("ip"))


def _fields(rows: Rows, entry: object, place: str) -> Row:
    fields = {}
    for part in str(entry).split(","):
        key, _, value = part.partition("=")
        fields[key] = value
    return Row(rows, fields, place)


def _entries(text: str) -> list[object]:
    entries: list[object] = []
    for line in text.split("\n"):
        whole = line
        if _STRINGS.fullmatch(line):  # those of one record belong together
            whole = _ESCAPE.sub(_unescaped, "".join(_STRING.findall(line)))
        parts = map(str.strip, whole.split(";"))
        entries.extend(filter(None, parts))
    return entries


def _unescaped(escape: re.Match[str]) -> str:
    number, character = escape.groups()
    if number:
        return chr(int(number))
    return str(character)
