"""How an address is shown: as a record for programs, and as a picture for people."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from fdaa import _bits
from fdaa.address import Address
from fdaa.cli._streams import inline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.cli._pasted import Prefix
    from fdaa.networks import Book

FIELDS = (
    "input",
    "address",
    "network_id",
    "network_id_int",
    "prefix",
    "rest",
    "packed",
    "exploded",
    "reverse_pointer",
    "prefix_length",
)
NETWORK_NAME = "network_name"  # the last field, where there is a book


def record(found: Address | Prefix) -> dict[str, str | int | None]:
    """Return the fields of an address or a network, in their documented order, without `input`."""
    network_id = found.network_id
    fields: dict[str, str | int | None] = dict.fromkeys(FIELDS[1:])
    fields["network_id"] = str(network_id)
    fields["network_id_int"] = int(network_id)
    fields["prefix"] = network_id.cidr
    if isinstance(found, Address):
        packed = found.packed.hex()
        fields["address"] = str(found)
        fields["rest"] = packed[-_bits.REST_BITS // 4 :]
        fields["packed"] = packed
        fields["exploded"] = found.exploded
        fields["reverse_pointer"] = found.reverse_pointer
    else:
        fields["prefix_length"] = found.length
    return fields


def json_line(fields: dict[str, Any]) -> str:
    """Return one line of JSON, in ASCII."""
    return json.dumps(fields).replace("\x7f", "\\u007f") + "\n"


def as_input(text: str) -> str:
    """Return an input for JSON: bytes that were no UTF-8 as backslash escapes."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def describe(found: Address | Prefix, book: Book | None = None) -> str:
    """Return what `decode` shows a person: the bits of an address, and the forms of the parts."""
    network_id = found.network_id
    rows = [
        ("network ID", f"{network_id}  {network_id:#x}  {network_id:d}"),
        ("network", network_id.cidr),
    ]
    if book is not None:
        rows.insert(0, ("network name", _named(found, book)))
    if isinstance(found, Address):
        head, picture = str(found), _picture(found)
        rows += [("exploded", found.exploded), ("reverse pointer", found.reverse_pointer)]
    else:
        what = "a network" if found.length == _bits.NETWORK_PREFIX_LENGTH else "part of a network"
        head, picture = f"{found} is {what}, not an address", []
    below = (*picture, *(f"{name:16} {value}" for name, value in rows))
    return f"{head}\n" + "".join(f"  {line}\n" for line in below)


def _named(found: Address | Prefix, book: Book) -> str:
    name = book.name_of(found.network_id)
    return "not in the book" if name is None else inline(name)


def _picture(address: Address) -> list[str]:
    bits = address.exploded
    parts = (
        (bits[:4], "prefix", _bits.PREFIX_BITS),
        (bits[5:14], "network ID", _bits.NETWORK_ID_BITS),
        (bits[15:], "rest", _bits.REST_BITS),
    )
    widths = [max(len(bits), len(name)) + 4 for bits, name, _ in parts]

    def centred(*texts: str) -> list[str]:
        return [text.center(width) for text, width in zip(texts, widths, strict=True)]

    line, bar, above, below = _BOX if _can_show(_BOX) else _ASCII_BOX
    edges = [line * width for width in widths]
    prefix, network_id, rest = centred(*(bits for bits, _, _ in parts))
    if uses_colour():
        prefix, rest = click.style(prefix, dim=True), click.style(rest, dim=True)
        network_id = click.style(network_id, fg="cyan", bold=True)
    names = centred(*(name for _, name, _ in parts))
    sizes = centred(*(f"{size} bits" for _, _, size in parts))
    return [
        above[0] + above[1].join(edges) + above[2],
        bar + bar.join((prefix, network_id, rest)) + bar,
        below[0] + below[1].join(edges) + below[2],
        (" " + " ".join(names)).rstrip(),
        (" " + " ".join(sizes)).rstrip(),
    ]


_Box = tuple[str, str, tuple[str, str, str], tuple[str, str, str]]
_BOX: _Box = ("─", "│", ("┌", "┬", "┐"), ("└", "┴", "┘"))
_ASCII_BOX: _Box = ("-", "|", ("+", "+", "+"), ("+", "+", "+"))


def _can_show(box: _Box) -> bool:
    line, bar, above, below = box
    try:
        "".join((line, bar, *above, *below)).encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


def table(rows: Iterable[tuple[str, ...] | str], head: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the lines of a table, none without rows; a row that is a text is a line of its own."""
    lines = [*rows]
    if not lines:
        return
    if head:
        lines.insert(0, head)
    columns = zip(*(line for line in lines if not isinstance(line, str)), strict=True)
    widths = [max(map(len, column)) for column in columns]
    for line in lines:
        if isinstance(line, str):
            yield line + "\n"
        else:
            cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
            yield "  ".join(cells).rstrip() + "\n"


def uses_colour() -> bool:
    """Whether standard output is a terminal that should get colours (no-color.org)."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()
