"""`fdaa decode`: what an address says."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import click

from fdaa.address import Address
from fdaa.cli import _render as output
from fdaa.cli._book_names import name_of, open_book
from fdaa.cli._options import book_option
from fdaa.cli._streams import (
    LINE_LIMIT,
    WRONG,
    YES,
    complain,
    printable,
    read_lines,
    standard_input,
)
from fdaa.errors import AddressError, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fdaa.networks._book import Book

_FIELDS = (*output.FIELDS, output.NETWORK_NAME)


@click.command(
    epilog="""\b
Examples:
  $ fdaa decode fdaa:2:45b:a7b:174:db43:d3c6:2
  $ fdaa decode --field network_id --field prefix fdaa:2:45b::3
  $ cut -f 3 peers.tsv | fdaa decode --json"""
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
@book_option
def decode(
    texts: tuple[str, ...], as_json: bool, fields: tuple[str, ...], book_file: str | None
) -> int:
    """Show the network and the other parts of addresses.

    An argument may be pasted from somewhere: if exactly one address is in it, that is decoded, and
    what was left out is said on standard error.

    Without an argument, or where one is -, the addresses are the lines of standard input. Each is
    shown as it comes; what is no address is reported on standard error, and the others go on.
    """
    if as_json and fields:
        raise click.UsageError("--json and --field exclude each other")
    if not texts:
        if sys.stdin is None or sys.stdin.isatty():
            raise click.UsageError("give an address, or lines on standard input")
        texts = ("-",)
    if output.NETWORK_NAME in fields and book_file is None:
        raise click.UsageError(f"{output.NETWORK_NAME} is looked up in a book: give --book FILE")
    show = _shower(as_json, fields, open_book(book_file))
    status = YES
    for batch in _batches(texts):
        shown: list[str] = []
        for number, text in batch:
            try:
                shown.append(show(text, Address.parse(text)))
            except AddressError as error:
                pasted = None if number else _in_pasted(text)
                if pasted is not None:
                    complain(f"{quote(text)}: {pasted.remark}")
                if pasted is not None and pasted.address is not None:
                    shown.append(show(text, pasted.address))
                    continue
                _print(shown)  # what was before it comes before it
                if pasted is None:
                    complain(f"line {number}: {error}" if number else str(error))
                status = WRONG
                if as_json:
                    shown.append(_refusal_as_json(error))
        _print(shown)
    return status


class _Pasted(NamedTuple):
    """The one address, if any, in an argument that is no bare address; and what to say of it."""

    address: Address | None
    remark: str


def _in_pasted(text: str) -> _Pasted | None:
    """Return the one address in a pasted text, or that there are more; None if there is none."""
    try:
        address = Address.from_reverse_pointer(text)
    except AddressError:
        pass
    else:
        return _Pasted(address, f"decoded {address}, whose reverse pointer it is")
    from fdaa.scan import find_addresses  # not at the top: it needs `re`, and is seldom needed

    matches = list(islice(find_addresses(text), 2))
    if not matches:
        return None
    if len(matches) > 1:
        return _Pasted(None, "it holds more than one address; fdaa scan finds them all")
    address, start, end, _ = matches[0]
    around = " and ".join(quote(each) for each in (text[:start], text[end:]) if each)
    return _Pasted(address, f"decoded {address}, left out {around}")


def _print(lines: list[str]) -> None:
    """Print and forget lines, at once: a follower waits for what is known so far."""
    sys.stdout.write("".join(lines))
    sys.stdout.flush()
    lines.clear()


def _batches(arguments: Iterable[str]) -> Iterator[Iterable[tuple[int, str]]]:
    """Yield the inputs as they can be had; those of standard input with their line's number."""
    for argument in arguments:
        if argument == "-":
            number = 0
            for lines in read_lines(standard_input(), "standard input"):
                yield _numbered(lines, number)
                number += len(lines)
        else:
            yield [(0, argument)]


def _numbered(lines: list[bytes], before: int) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, before + 1):
        if len(line) >= LINE_LIMIT or (line and not line.isspace()):
            yield number, line.decode("utf-8", "surrogateescape")


def _refusal_as_json(error: AddressError) -> str:
    fields = {"input": output.as_input(error.text), "error": error.reason, "at": error.at}
    return output.json_line(fields)


def _shower(
    as_json: bool, fields: tuple[str, ...], book: Book | None
) -> Callable[[str, Address], str]:
    if fields:
        return _as_fields(fields, book)
    if not as_json:
        return _Description(book)
    if book is None:
        return output.decoded_line
    return lambda text, address: output.json_line(
        {"input": text, **output.record(address), output.NETWORK_NAME: name_of(address, book)}
    )


def _as_fields(names: tuple[str, ...], book: Book | None) -> Callable[[str, Address], str]:
    def show(text: str, address: Address) -> str:
        fields = {"input": printable(text), **output.record(address)}
        if book is not None:
            fields[output.NETWORK_NAME] = name_of(address, book) or ""
        return "\t".join(str(fields[name]) for name in names) + "\n"

    return show


class _Description:
    """Shows one description after another, with a blank line between."""

    def __init__(self, book: Book | None) -> None:
        self._book = book
        self._before = ""

    def __call__(self, _: str, address: Address) -> str:
        text = self._before + output.describe(address, self._book)
        self._before = "\n"
        return text
