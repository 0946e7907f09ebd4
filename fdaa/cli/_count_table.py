"""What `fdaa scan --count` prints: a table of the networks, or a JSON object for each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fdaa._id_text import id_fields
from fdaa.address import NetworkID
from fdaa.cli._render import NETWORK_NAME, as_input, json_line
from fdaa.errors import printable

if TYPE_CHECKING:
    from fdaa.networks import Book
    from fdaa.scan import Count, NetworkCount


def print_counts(count: Count, book: Book | None, *, as_json: bool) -> None:
    """Print what was counted, line by line, as there may be a million networks."""
    line = ""
    for row in count.networks():
        if as_json:
            sys.stdout.write(json_line(_fields(row, book)))
            continue
        if not line:  # the first row has the largest numbers
            width = max(len(_with_name(NetworkID(id_), book)) for id_ in count.network_ids)
            line = f"{{:{max(width, 7)}}}  {{:<{max(len(str(row.matches)), 7)}}}  {{:<9}}  {{}}\n"
            sys.stdout.write(line.format("NETWORK", "MATCHES", "ADDRESSES", "FIRST"))
        network, place = _with_name(row.network_id, book), printable(f"{row.file}:{row.line}")
        sys.stdout.write(line.format(network, row.matches, row.addresses, place))


def _with_name(network_id: NetworkID, book: Book | None) -> str:
    name = None if book is None else book.name_of(network_id)
    return f"{network_id} {name}" if name else str(network_id)


def _fields(row: NetworkCount, book: Book | None) -> dict[str, object]:
    fields: dict[str, object] = {
        **id_fields(row.network_id),
        "prefix": row.network_id.cidr,
        "matches": row.matches,
        "addresses": row.addresses,
        "first": {"file": as_input(row.file), "line": row.line},
    }
    if book is not None:
        fields[NETWORK_NAME] = book.name_of(row.network_id)
    return fields
