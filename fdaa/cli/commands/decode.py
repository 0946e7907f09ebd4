"""`fdaa decode`: what an address says."""

from __future__ import annotations

import sys
from itertools import chain, repeat
from typing import TYPE_CHECKING

import click

from fdaa.cli import _render as output
from fdaa.cli._book_names import open_book
from fdaa.cli._exit_status import WRONG, YES
from fdaa.cli._options import book_option
from fdaa.cli._pasted_text import read_pasted
from fdaa.cli._streams import Complaints
from fdaa.errors import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from fdaa.cli._pasted_text import Found
    from fdaa.networks import Book

    _Show = Callable[[str, Found], str]

_FIELDS = (*output.FIELDS, output.NETWORK_NAME)


@click.command()
@click.argument("texts", metavar="[TEXT|-]...", nargs=-1)
@click.option("--picture", is_flag=True, help="Draw the bits of each address, also of several.")
@click.option("as_json", "--json", is_flag=True, help="Print a JSON object a line.")
@click.option(
    "fields",
    "--field",
    type=click.Choice(_FIELDS),
    metavar="NAME",
    multiple=True,
    help=f"Print this field only; more than one are separated by tabs. {', '.join(_FIELDS)} "
    "(with a book).",
)
@click.option("-q", "--quiet", is_flag=True, help="Do not report texts without an address.")
@book_option()
def decode(
    texts: tuple[str, ...],
    picture: bool,
    as_json: bool,
    fields: tuple[str, ...],
    quiet: bool,
    book_file: str | None,
) -> int:
    """Show the network and the other parts of addresses.

    TEXT is an address, a network (2:45b, fdaa:2:45b::/48, or its name in a book), or any text with
    addresses in it, such as a line of a log. self is this Machine's own address. One address is
    shown with its bits; several are shown as a table, each once, with the verdict below.

    Without an argument, or where one is -, each line of standard input is a TEXT. --json, --field
    and --picture print as the lines come. A line without an address is reported on standard error.

    Examples:
      $ fdaa decode fdaa:2:45b:a7b:174:db43:d3c6:2
      $ fdaa decode '[fdaa:2:45b::2]:4711->[fdaa:0:18::3]:80: timeout'
      $ cut -f 3 peers.tsv | fdaa decode --json

    Exit status: 0 all were decoded, 2 something was not.
    """
    if as_json + picture + bool(fields) > 1:
        raise click.UsageError("--json, --field and --picture cannot be combined")
    if output.NETWORK_NAME in fields and book_file is None:
        raise click.UsageError(f"{output.NETWORK_NAME} is looked up in a book: give --book FILE")
    book = open_book(book_file)
    show = _shower(as_json, picture, fields, book)
    counts: dict[Found, int] = {}
    complaints = Complaints(quiet)
    for pasted in read_pasted(texts, book):
        if pasted.error is not None:
            complaints.add(pasted.error, pasted.where)
            if as_json:
                sys.stdout.write(output.json_line(output.refusal(pasted.error)))
        if show is not None:
            sys.stdout.writelines(show(pasted.text, each) for each in dict.fromkeys(pasted.found))
            continue
        for each in pasted.found:
            counts[each] = counts.get(each, 0) + 1
    if len(counts) == 1:
        sys.stdout.write(output.describe(next(iter(counts)), book))
    elif counts:
        sys.stdout.writelines(output.summary(counts, book))
    sys.stdout.flush()
    complaints.finish()
    return WRONG if complaints.count else YES


def _shower(
    as_json: bool, picture: bool, names: tuple[str, ...], book: Book | None
) -> _Show | None:
    """Return what shows a text and what was found in it, or None for a summary at the end."""
    blank_lines = chain(("",), repeat("\n"))  # between descriptions

    def as_fields(text: str, found: Found) -> str:
        fields = {"input": printable(text), **output.record(found, book)}
        values = (fields[name] for name in names)
        return "\t".join("" if value is None else str(value) for value in values) + "\n"

    def as_object(text: str, found: Found) -> str:
        return output.json_line({"input": output.as_input(text), **output.record(found, book)})

    def as_description(_: str, found: Found) -> str:
        return next(blank_lines) + output.describe(found, book)

    return as_fields if names else as_object if as_json else as_description if picture else None
