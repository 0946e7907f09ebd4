"""The book's text: JSON with a version number, and a line for each network.

What a person added by hand is kept: keys at the top beside those two, and keys in a row.

Reading 50,000 lines should cost little more than `json.loads` does, so rows are checked by the
column, and only where that fails is the wrong one looked for.
"""

from __future__ import annotations

import json
from struct import error as struct_error
from struct import pack, unpack
from typing import TYPE_CHECKING, Any

from fdaa._bits import MAX_NETWORK_ID, groups_of
from fdaa.errors import NetworkNameError, quote
from fdaa.network_name import NetworkName, are_names
from fdaa.networks._errors import BookError
from fdaa.networks._json import load

if TYPE_CHECKING:
    from typing import TypeAlias

    # {"network_id": "2:45b", "network_id_int": 132187, "app": "web", "address": "fdaa:2:45b::3",
    #  "learned_from": "apps.json: apps[3].network; web.json: [0].private_ip"}
    # The first two are checked, the others are shown as they are. "renamed_from" is added where a
    # person renamed the network: "custmer-17, customer-71", its earlier names, the first one first.
    Row: TypeAlias = dict[str, Any]

VERSION = 1
_VERSION_KEY = "fdaa_book"
_ROWS_KEY = "networks"
_ID, _NUMBER = "network_id", "network_id_int"


def write_rows(rows: dict[str, Row], added: dict[str, object], file: str) -> str:
    """Return the text of a book; `added` is what stands beside the networks.

    Raises:
        BookError: a value that was added cannot be written in JSON.
    """
    try:
        top = [f"  {_json(key)}: {_json(value)},\n" for key, value in added.items()]
        lines = [f"    {_json(name)}: {_json(rows[name])}" for name in sorted(rows)]
    except (ValueError, RecursionError):  # 1e999 is read as infinity
        reason = "it has a number that is too large, or nesting that is too deep, to be kept"
        raise BookError(file, reason) from None
    inside = ",\n".join(lines)
    return (
        f'{{\n  "{_VERSION_KEY}": {VERSION},\n{"".join(top)}'
        f'  "{_ROWS_KEY}": {{\n{inside}\n  }}\n}}\n'
    )


_json = json.JSONEncoder(allow_nan=False).encode


def read_rows(text: str, file: str) -> tuple[dict[str, Row], dict[int, str], dict[str, object]]:
    """Return the rows in the text of a book by name, the names by ID, and what stands beside.

    The rows and the names are checked; what stands beside them is as it was read.

    Raises:
        BookError: it is no book, one of a newer version, or has a row that cannot be.
        DocumentError: it is not JSON.
    """
    value = load(text, file)
    version = value.get(_VERSION_KEY) if isinstance(value, dict) else None
    if not isinstance(value, dict) or type(version) is not int or version < 1:
        raise BookError(file, f"it is something else: a book has a version in {_VERSION_KEY!r}")
    if version > VERSION:
        shown = str(version) if version < 1000 else "a huge one"
        reason = f"a newer program wrote it (version {shown}, and this one knows {VERSION})"
        raise BookError(file, reason)
    rows = value.get(_ROWS_KEY)
    if not isinstance(rows, dict):
        raise BookError(file, f"{_ROWS_KEY}: it must be an object")
    by_id = _names_by_id(rows)
    if by_id is None:
        raise _find_wrong(rows, file)
    added = {key: value[key] for key in value if key not in (_VERSION_KEY, _ROWS_KEY)}
    return rows, by_id, added


def _names_by_id(rows: dict[str, Row]) -> dict[int, str] | None:
    """Return the names by ID, or None where something is wrong with a row."""
    if not rows:
        return {}
    try:
        texts = [row[_ID] for row in rows.values()]
        numbers = [row[_NUMBER] for row in rows.values()]
        # All IDs at once: `pack` refuses what is not 32 bits.
        groups = unpack(f">{2 * len(numbers)}H", pack(f">{len(numbers)}I", *numbers))
        if "\n".join(texts) != "\n".join(["%x:%x"] * len(numbers)) % groups:
            return None
    except (KeyError, TypeError, struct_error):
        return None
    if not are_names(rows):
        return None
    by_id = dict(zip(numbers, rows, strict=True))
    return by_id if len(by_id) == len(rows) and bool not in set(map(type, numbers)) else None


def _find_wrong(rows: dict[str, Row], file: str) -> BookError:
    """Say which row is wrong; one of them is."""
    names: dict[int, str] = {}
    for name, row in rows.items():
        place = f"{_ROWS_KEY}: {quote(name)}"
        try:
            NetworkName.parse(name)
        except NetworkNameError as error:
            return BookError(file, f"{_ROWS_KEY}: {error}")
        number = row.get(_NUMBER) if isinstance(row, dict) else None
        if type(number) is not int or not 0 <= number <= MAX_NETWORK_ID:
            return BookError(file, f"{place}: {_NUMBER} must be a number of 32 bits")
        text = "{:x}:{:x}".format(*groups_of(number))
        if row.get(_ID) != text:
            return BookError(file, f"{place}: {_ID} must be {quote(text)}, as its number is")
        other = names.setdefault(number, name)
        if other != name:
            return BookError(file, f"{place} has the ID of {quote(other)}")
    return BookError(file, f"{_ROWS_KEY}: something is wrong with a row")
