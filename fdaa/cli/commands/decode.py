"""`fdaa decode`: what an address says."""

from __future__ import annotations

import sys
from itertools import chain, repeat
from typing import TYPE_CHECKING

import click

from fdaa.address import Address, NetworkID
from fdaa.cli import _render as output
from fdaa.cli._book_names import BOOK_VARIABLE, open_book
from fdaa.cli._exit_status import WRONG, YES
from fdaa.cli._options import book_option
from fdaa.cli._pasted_text import Prefix, addresses_in
from fdaa.cli._streams import LINE_LIMIT, complain, read_lines
from fdaa.errors import AddressError, InputError, NetworkIDError, NetworkNameError, printable
from fdaa.network_name import NetworkName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fdaa.networks import Book

    _Show = Callable[[str, Address | Prefix], str]

_FIELDS = (*output.FIELDS, output.NETWORK_NAME)


@click.command(
    epilog="""\b
Examples:
  $ fdaa decode fdaa:2:45b:a7b:174:db43:d3c6:2
  $ fdaa decode --field network_id --field prefix fdaa:2:45b::3
  $ cut -f 3 peers.tsv | fdaa decode --json

Exit status: 0 all were decoded, 2 something was not."""
)
@click.argument("texts", metavar="[TEXT|-]...", nargs=-1)
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
@book_option()
def decode(
    texts: tuple[str, ...], as_json: bool, fields: tuple[str, ...], book_file: str | None
) -> int:
    """Show the network and the other parts of addresses.

    TEXT is an address, a network (2:45b, fdaa:2:45b::/48, or its name in a book), or a text pasted
    from somewhere: each address in it is decoded, and what was left out is said on standard error.
    self is this Machine's own address.

    Without an argument, or where one is -, each line of standard input is a TEXT. A line without an
    address is reported on standard error, and the others go on.
    """
    if as_json and fields:
        raise click.UsageError("--json and --field cannot be combined")
    if not texts:
        if sys.stdin is None or sys.stdin.isatty():
            raise click.UsageError("give an address, or lines on standard input")
        texts = ("-",)
    if output.NETWORK_NAME in fields and book_file is None:
        raise click.UsageError(f"{output.NETWORK_NAME} is looked up in a book: give --book FILE")
    book = open_book(book_file)
    show = _shower(as_json, fields, book)
    status = YES
    for batch in _batches(texts):
        for number, text in batch:
            try:
                sys.stdout.write(show(text, Address.parse(text)))
                continue
            except AddressError:
                sys.stdout.flush()  # the results before it come first
            where = f"line {number}: " if number else ""
            try:
                sys.stdout.writelines(show(text, found) for found in _read(text, where, book))
            except InputError as error:
                complain(f"{where}{error}")
                status = WRONG
                if as_json:
                    sys.stdout.write(output.json_line(output.refusal(error)))
        sys.stdout.flush()  # a follower waits for what is known so far
    return status


def _read(text: str, where: str, book: Book | None) -> list[Address | Prefix]:
    """Return the addresses and networks that a text names, where it is not simply an address."""
    if where and len(text.encode("utf-8", "surrogateescape")) > LINE_LIMIT:
        raise AddressError(text, f"a line has at most {LINE_LIMIT:,} bytes; use fdaa scan")
    try:
        return addresses_in(text, where)
    except AddressError as refusal:
        return [Prefix(Address.build(_named_id(text, book, refusal)))]


def _named_id(text: str, book: Book | None, refusal: AddressError) -> NetworkID:
    """Return the ID of the network that a text is the ID or the name of, or raise `refusal`."""
    try:
        return NetworkID(text)
    except NetworkIDError as error:
        if text[:1].isdecimal() and not any(sign in text for sign in "/:."):
            raise error from None  # a number: it says how to write it
    try:
        name = NetworkName(text)
    except NetworkNameError:
        raise refusal from None
    network_id = None if book is None else book.id_of(name)
    if network_id is not None:
        return network_id
    hint = "it is no name in the book either"
    if book is None:
        hint = f"if it is the name of a network, give --book FILE or set {BOOK_VARIABLE}"
    raise AddressError(text, f"{hint}; {refusal.reason}", refusal.at)


def _batches(arguments: tuple[str, ...]) -> Iterator[list[tuple[int, str]]]:
    """Yield the inputs as they can be had; those of standard input with their line's number."""
    for argument in arguments:
        if argument != "-":
            yield [(0, argument)]
            continue
        number = 1
        for lines in read_lines():
            yield [
                (number + i, line.decode("utf-8", "surrogateescape"))
                for i, line in enumerate(lines)
                if len(line) > LINE_LIMIT or line.strip()
            ]
            number += len(lines)


def _shower(as_json: bool, names: tuple[str, ...], book: Book | None) -> _Show:
    """Return what shows a text and what was found in it."""
    blank_lines = chain(("",), repeat("\n"))  # between descriptions

    def as_fields(text: str, found: Address | Prefix) -> str:
        fields = {"input": printable(text), **output.record(found, book)}
        values = (fields[name] for name in names)
        return "\t".join("" if value is None else str(value) for value in values) + "\n"

    def as_object(text: str, found: Address | Prefix) -> str:
        return output.json_line({"input": output.as_input(text), **output.record(found, book)})

    def as_description(_: str, found: Address | Prefix) -> str:
        return next(blank_lines) + output.describe(found, book)

    return as_fields if names else as_object if as_json else as_description
