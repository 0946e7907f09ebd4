"""The platform's instance list: a TXT record with an entry for each Machine.

instance=148e21dad76789,app=web,ip=fdaa:2:224b:a7b:2dbb:3e15:aaea:2,region=sea;instance=...
"""

from __future__ import annotations

import re

from fdaa.networks._document_rows import Row, RowError, read_rows
from fdaa.networks._model import Document, DocumentKind, Machine

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
    """Return the document in an instance list.

    An entry without the region that others have was cut off: its address may be, too.
    """
    have_regions = ",region=" in text

    def read(entry: object, document: Document, place: str) -> Machine:
        parts = (part.partition("=") for part in str(entry).split(","))
        row = Row({key: value for key, _, value in parts}, document.file, place)
        if have_regions and "region" not in row:
            reason = "it is missing, and the others have it: was the list cut off here?"
            raise RowError(row.origin("region"), reason)
        id_ = row.text("instance", "the Machine's identifier")
        app = row.text("app", "the app's name")
        return Machine(id_, app, row.address("ip"), row.origin("ip"))

    return read_rows(Document(file, DocumentKind.MACHINE_LIST), _entries(text), read, "instances")


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
