"""`fdaa decode`: the parts of an address."""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

import click

from fdaa._support.escapes import as_unicode, inline
from fdaa._values.address import Address
from fdaa._values.errors import InputError
from fdaa.cli._arguments import read_given, value_of
from fdaa.cli._colour import color_option, uses_colour
from fdaa.cli._layout import paragraph, table, width
from fdaa.cli._options import book_for, book_option, quiet_option
from fdaa.cli._records import (
    FIELDS,
    NETWORK_NAME,
    NO_RECORDS,
    Records,
    record,
    record_options,
    refusal,
)
from fdaa.cli._statuses import WRONG, YES
from fdaa.cli._streams import Complaints
from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa._values.address import NetworkID, Prefix
    from fdaa.networks import Book

    Value: TypeAlias = Address | Prefix

_FIELDS = (*FIELDS, NETWORK_NAME)


@click.command()
@click.argument("addresses", metavar="[ADDRESS|-]...", nargs=-1)
@click.option(
    "--picture/--no-picture",
    default=None,
    help="Draw the bits.  [default: of one address, on a terminal]",
)
@record_options(*_FIELDS)
@quiet_option
@book_option()
@color_option
def decode(
    addresses: tuple[str, ...],
    picture: bool | None,
    records: Records,
    quiet: bool,
    book_file: str | None,
) -> int:
    """Show the network of an address, and its parts.

    ADDRESS is an address, with or without brackets and a port ([fdaa:2:45b::3]:5432); a network
    (2:45b, fdaa:2:45b::/48, or network:NAME in a book); a reverse pointer; or self: this Machine's
    address. Several are printed as a table. Without ADDRESS, or for -, each line of standard input
    is one.

    Examples:
      $ fdaa decode fdaa:2:45b:a7b:174:db43:d3c6:2
      $ fdaa decode network:customer-17 --book networks.json
    """
    if records and picture:
        raise click.UsageError("--picture cannot be combined with --json or --field")
    book = book_for(records, book_file)
    own = read_this_computer()
    complaints = Complaints()
    counts: Counter[Value] = Counter()
    blank_line = ""  # between pictures
    if quiet:
        records = NO_RECORDS
    for given in read_given(addresses, own):
        try:
            if given.error is not None:
                raise given.error
            value = value_of(given, book)
        except InputError as error:
            complaints.add(error, given.where)
            records.remark(refusal(error))
            continue
        if quiet:
            continue
        if records:
            records.write({"input": as_unicode(given.text), **record(value, book)})
        elif picture:
            sys.stdout.write(f"{blank_line}{value}\n{parts(value, book)}")
            blank_line = "\n"
        else:
            counts[value] += 1
    sys.stdout.writelines(_answer(counts, book, picture))
    sys.stdout.flush()
    complaints.finish()
    if complaints.count:
        return WRONG
    return YES


def _answer(counts: Counter[Value], book: Book | None, picture: bool | None) -> Iterator[str]:
    """Yield the parts of the only address, or a table of several."""
    if len(counts) > 1:
        yield from _table(counts, book)
        return
    for value in counts:
        yield f"{value}\n"
        draws = picture is None and draws_pictures()
        yield parts(value, book, draws=draws)


def _table(counts: Counter[Value], book: Book | None) -> Iterator[str]:
    head = ["address", "ID"]
    if book is not None:
        head.append("network")
    is_counted = max(counts.values()) > 1
    if is_counted:
        head.append("count")
    rows = []
    for value, count in counts.items():
        row = [str(value), str(value.network_id)]
        if book is not None:
            row.append(inline(book.name_of(value.network_id)))
        if is_counted:
            row.append(str(count))
        rows.append(tuple(row))
    yield from table(rows, tuple(head))


# --- the bits and the parts -----------------------------------------------------------------------


def draws_pictures() -> bool:
    """Whether to draw the bits of an address where no option says so: on a terminal.

    A screen reader would read the lines aloud; TERM=dumb and ACCESSIBLE are set for one.
    """
    if os.environ.get("TERM") == "dumb" or os.environ.get("ACCESSIBLE"):
        return False
    return sys.stdout.isatty()


def parts(value: Value, book: Book | None, *, draws: bool = True) -> str:
    """Return the bits of an address, and its parts; of a network, its forms."""
    lines = []
    if isinstance(value, Address) and draws:
        lines.append(_picture(value))
    for name, text in _network(value.network_id, book):
        lines += _row(name, text)
    if isinstance(value, Address):
        lines += _row("exploded", value.exploded)
        lines += _row("reverse pointer", value.reverse_pointer)
    return "".join(lines)


def _network(network_id: NetworkID, book: Book | None) -> Iterator[tuple[str, str]]:
    """Yield the forms of a network ID, each with what it is."""
    if book is not None:
        yield "network name", inline(book.name_of(network_id))
    yield "network ID", f"{network_id}  {network_id:#x}  {network_id:d}"
    yield "prefix", str(network_id.prefix)


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
    fixed = digits[:4]
    network_id = digits[5:14]
    rest = digits[15:]
    if uses_colour():
        fixed = click.style(fixed, dim=True)
        network_id = click.style(network_id, fg="cyan", bold=True)
        rest = click.style(rest, dim=True)
    picture = _PICTURE.format(fixed, network_id, rest)
    try:
        picture.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return picture.translate(_IN_ASCII)
    return picture


# --- lines ----------------------------------------------------------------------------------------


def _row(name: str, value: str) -> Iterator[str]:
    """Yield a name and its value; on a narrow terminal, the value is below its name."""
    line = f"  {name:16} {value}"
    if len(line) <= width():
        yield f"{line}\n"
        return
    yield f"  {name}\n"
    yield paragraph(value, "    ")
