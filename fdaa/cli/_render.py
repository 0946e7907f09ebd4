"""How an address is shown: as a record for programs, and as a picture for people."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import click

from fdaa import _bits
from fdaa._id_text import id_fields
from fdaa.address import Address, Prefix
from fdaa.cli._streams import inline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.cli._pasted_text import CutOff, Found
    from fdaa.errors import InputError
    from fdaa.networks import Book

COLOR = "fdaa.color"  # where click keeps what --color says
NETWORK_NAME = "network_name"  # the last field, where there is a book


def record(found: Found, book: Book | None = None) -> dict[str, str | int | None]:
    """Return the fields of an address or a network, in their documented order, without `input`."""
    address = found if isinstance(found, Address) else None
    packed = address.packed.hex() if address else None
    fields = {
        "address": str(address) if address else None,
        **id_fields(found.network_id),
        "prefix": str(found.network_id.prefix),
        "rest": packed[-_bits.REST_BITS // 4 :] if packed else None,
        "packed": packed,
        "exploded": address.exploded if address else None,
        "reverse_pointer": address.reverse_pointer if address else None,
        "prefix_length": None if isinstance(found, Address) else _prefix_of(found).length,
    }
    return fields if book is None else {**fields, NETWORK_NAME: book.name_of(found.network_id)}


FIELDS = ("input", *record(Address.build(0)))


def refusal(error: InputError) -> dict[str, str | int | None]:
    """Return the fields of a refused input."""
    return {"input": as_input(error.text), "error": error.reason, "at": error.at}


def json_line(fields: dict[str, Any]) -> str:
    """Return one line of JSON, in ASCII."""
    import json  # 1.5 ms, which prose does not need

    return json.dumps(fields).replace("\x7f", "\\u007f") + "\n"


def as_input(text: str) -> str:
    """Return an input for JSON: bytes that are not UTF-8 become backslash escapes."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def describe(found: Found, book: Book | None) -> str:
    """Return the output of `decode` for people: the bits of an address, and its parts."""
    network_id = found.network_id
    rows = {"network ID": f"{network_id}  {network_id:#x}  {network_id:d}"}
    if book is not None:
        name = book.name_of(network_id)
        rows = {"network name": "not in the book" if name is None else inline(name), **rows}
    rows["prefix"] = str(network_id.prefix)
    if isinstance(found, Address):
        rows |= {"exploded": found.exploded, "reverse pointer": found.reverse_pointer}
        head = f"{found}\n" + _picture(found)
    else:
        prefix = _prefix_of(found)
        head = paragraph(f"{prefix} is {_kind(found)}")
    return head + "".join(_row(name, value) for name, value in rows.items())


def _row(name: str, value: str) -> str:
    line = f"  {name:16} {value}\n"
    return line if len(line) <= width() + 1 else f"  {name}\n{paragraph(value, '    ')}"


def _prefix_of(found: Prefix | CutOff) -> Prefix:
    if isinstance(found, Prefix):
        return found
    return found.network_id.prefix


def _kind(found: Prefix | CutOff) -> str:
    if not isinstance(found, Prefix):
        return "the network of an address that is cut off"
    if found.length == _bits.NETWORK_PREFIX_LENGTH:
        return "a network, not an address"
    return "part of a network, not an address"


_NETWORKS_SHOWN = 10


def summary(counts: dict[Found, int], book: Book | None) -> Iterator[str]:
    """Yield the output of `decode` for several addresses: a table, and the networks.

    Args:
        counts: how often each occurs.
        book: the names of the networks, if a book is given.
    """
    repeated = any(count > 1 for count in counts.values())
    head = ("address", "network", *["name"] * (book is not None), *["count"] * repeated)
    rows = []
    for found, count in counts.items():
        name = () if book is None else (inline(book.name_of(found.network_id)),)
        rows.append((str(found), str(found.network_id), *name, *[str(count)] * repeated))
    yield from table(rows, head)
    networks = sorted({found.network_id for found in counts})
    shown = ", ".join(map(str, networks[:_NETWORKS_SHOWN]))
    more = len(networks) - _NETWORKS_SHOWN
    left_out = f" and {more:,} more" if more > 0 else ""
    verdict = f"{len(networks):,} networks: {shown}{left_out}"
    yield paragraph("same network" if len(networks) == 1 else verdict)


_PICTURE = """\
  ┌──────────┬──────────────┬────────────────────────────┐
  │   {}   │  {}   │  {}  │
  └──────────┴──────────────┴────────────────────────────┘
     fixed      network ID               rest
    16 bits      32 bits               80 bits
"""
_IN_ASCII = str.maketrans("┌┬┐└┴┘─│", "++++++-|")


def _picture(address: Address) -> str:
    """Draw the bits; the parts of the exploded text always have these widths."""
    digits = address.exploded
    fixed, network_id, rest = digits[:4], digits[5:14], digits[15:]
    if uses_colour():
        fixed, rest = click.style(fixed, dim=True), click.style(rest, dim=True)
        network_id = click.style(network_id, fg="cyan", bold=True)
    picture = _PICTURE.format(fixed, network_id, rest)
    try:
        picture.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        picture = picture.translate(_IN_ASCII)
    return picture


_WIDEST = 100  # columns; longer lines are hard to read


def width() -> int:
    """Return the width of prose: that of the terminal, at most 100 columns."""
    return min(_terminal_width(), _WIDEST)


def _terminal_width() -> int:
    """Return COLUMNS, or the width of the terminal; 80 where output goes elsewhere.

    shutil has the same function, but importing shutil takes 3 ms.
    """
    with suppress(OSError, ValueError):
        columns = int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size(1).columns
        return columns if columns > 0 else 80
    return 80


def paragraph(text: str, indent: str = "") -> str:
    """Return prose as lines that fit the terminal; a name with hyphens stays whole."""
    import textwrap  # 1 ms, which a command without prose does not need

    filled = textwrap.fill(
        text, width(), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
    return filled + "\n"


def indented(line: str, more: str = "") -> str:
    """Return a line of prose as lines that fit the terminal, indented like the first."""
    text = line.lstrip()
    return paragraph(text, more + line[: len(line) - len(text)])


def counted(number: int, noun: str, ending: str = "s") -> str:
    """Return a number of things: `1 row`, `2 rows`, `2 addresses` with the ending `es`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}{ending}"


def table(rows: Iterable[tuple[str, ...] | str], head: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the lines of a table that fits the terminal, none without rows.

    Where it does not fit, the widest columns are wrapped. A row that is a text becomes separate
    lines.
    """
    lines = [*rows]
    if not lines:
        return
    if head:
        lines.insert(0, head)
    columns = zip(*(line for line in lines if not isinstance(line, str)), strict=True)
    widths = [max(map(len, column)) for column in columns]
    room = _terminal_width()
    while sum(widths) + 2 * (len(widths) - 1) > room and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    for line in lines:
        if isinstance(line, str):
            yield indented(line)
            continue
        cells = zip(line, widths, strict=True)
        for parts in zip_longest(*(_wrapped(cell, most) for cell, most in cells), fillvalue=""):
            padded = (part.ljust(most) for part, most in zip(parts, widths, strict=True))
            yield "  ".join(padded).rstrip() + "\n"


_NARROWEST = 12  # columns of a cell that is wrapped


def _wrapped(cell: str, most: int) -> list[str]:
    return [cell] if len(cell) <= most else click.wrap_text(cell, most).splitlines()


def uses_colour() -> bool:
    """Whether to colour standard output: as --color says, else if it is a terminal.

    NO_COLOR (no-color.org), FORCE_COLOR (force-color.org) and TERM=dumb decide before the terminal.
    """
    wanted: str = click.get_current_context().meta.get(COLOR, "auto")
    if wanted != "auto" or os.environ.get("NO_COLOR"):
        return wanted == "always"
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and sys.stdout.isatty()
