"""How an address is shown: as a record for programs, and as a picture for people."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from fdaa import _bits as layout
from fdaa._text import HEX, MAX_LENGTH
from fdaa.cli._book_names import name_of
from fdaa.cli._streams import inline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.address import Address
    from fdaa.networks._book import Book

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
)
NETWORK_NAME = "network_name"  # the last field, where there is a book


def record(address: Address) -> dict[str, str | int]:
    """Return the fields of an address, in their documented order; `input` is the caller's."""
    network_id = address.network_id
    packed = address.packed.hex()
    return {
        "address": str(address),
        "network_id": str(network_id),
        "network_id_int": int(network_id),
        "prefix": network_id.cidr,
        "rest": packed[-layout.REST_BITS // 4 :],
        "packed": packed,
        "exploded": address.exploded,
        "reverse_pointer": address.reverse_pointer,
    }


def json_line(fields: dict[str, Any]) -> str:
    """Return one line of JSON, in ASCII."""
    import json  # not at the top: only --json pays for it

    return json.dumps(fields).replace("\x7f", "\\u007f") + "\n"


# What an address consists of needs no escaping: hex digits, colons, dots. A template is five times
# as fast as json.dumps, which took a quarter of the time of `decode --json`.
_NUMBERS = ("network_id_int",)
_DECODED = ", ".join(
    f'"{name}": %({name})s' if name in _NUMBERS else f'"{name}": "%({name})s"' for name in FIELDS
)


def decoded_line(text: str, address: Address) -> str:
    """Return one line of JSON for a text and the address in it."""
    fields = {"input": text, **record(address)}
    if len(text) > MAX_LENGTH or not _BARE.issuperset(text):
        return json_line({**fields, "input": as_input(text)})
    return "{" + _DECODED % fields + "}\n"


_BARE = HEX.union(":.")


def as_input(text: str) -> str:
    """Return an input for JSON: bytes that were no UTF-8 as backslash escapes."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def describe(address: Address, book: Book | None = None) -> str:
    """Return what `decode` shows a person: a picture of the bits, and the forms of the parts."""
    network_id = address.network_id
    fields = record(address)
    name = () if book is None else (("network name", _named(address, book)),)
    rows = (
        *name,
        ("network ID", f"{network_id}  {network_id:#x}  {network_id:d}"),
        ("network", fields["prefix"]),
        ("exploded", fields["exploded"]),
        ("reverse pointer", fields["reverse_pointer"]),
    )
    below = (*_picture(address), *(f"{name:16} {value}" for name, value in rows))
    return f"{address}\n" + "".join(f"  {line}\n" for line in below)


def _named(address: Address, book: Book) -> str:
    name = name_of(address, book)
    return "not in the book" if name is None else inline(name)


def _picture(address: Address) -> list[str]:
    bits = address.exploded
    parts = (
        (bits[:4], "prefix", layout.PREFIX_BITS),
        (bits[5:14], "network ID", layout.NETWORK_ID_BITS),
        (bits[15:], "rest", layout.REST_BITS),
    )
    widths = [max(len(bits), len(name)) + 4 for bits, name, _ in parts]

    def centred(*texts: str) -> list[str]:
        return [text.center(width) for text, width in zip(texts, widths, strict=True)]

    line, bar, above, below = _BOX if _can_show(_BOX) else _ASCII_BOX
    edges = [line * width for width in widths]
    prefix, network_id, rest = centred(*(bits for bits, _, _ in parts))
    if uses_colour():
        import click  # not at the top: who scans logs does not wait for it

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
