"""`fdaa decode`: the parts of an address."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from fdaa._address import Address
from fdaa._answers import first_answer
from fdaa._escapes import quote
from fdaa.cli import _render as output
from fdaa.cli._address_text import answer_lines, arguments_for, describe, draws_pictures, parts
from fdaa.cli._arguments import commands_for_app, read_pasted
from fdaa.cli._book_names import map_of
from fdaa.cli._exit_status import WRONG, YES
from fdaa.cli._options import book_option, color_option, quiet_option
from fdaa.cli._records import Records, book_for, record_options
from fdaa.cli._streams import Complaints, note
from fdaa.cli._this_machine import read_this_machine
from fdaa.lines import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.cli._arguments import Pasted
    from fdaa.lines import Found
    from fdaa.networks import Book, NetworkMap

_FIELDS = (*output.FIELDS, output.NETWORK_NAME)


@click.command()
@click.argument("texts", metavar="[TEXT|-]...", nargs=-1)
@click.option(
    "--picture/--no-picture",
    default=None,
    help="Draw the bits of every address.  [default: for one address, on a terminal]",
)
@record_options(*_FIELDS)
@quiet_option
@book_option()
@color_option
def decode(
    texts: tuple[str, ...],
    picture: bool | None,
    records: Records,
    quiet: bool,
    book_file: str | None,
) -> int:
    """Show the network of an address, its parts, and the next step.

    TEXT is an address, a network (2:45b, fdaa:2:45b::/48, or its name in a book), any text with
    addresses in it, such as a line of a log, or self: this Machine's address. For one address,
    the network and the next commands are printed, and on a terminal the bits. Several addresses
    are printed as a table without duplicates, and compared. If TERM is dumb or ACCESSIBLE is set,
    only --picture draws.

    Without an argument, or if one is -, each line of standard input is a TEXT. With --json, --field
    and --picture, the output for each line is printed immediately. A line without an address is
    reported on standard error.

    Examples:
      $ fdaa decode fdaa:2:45b:a7b:174:db43:d3c6:2
      $ fdaa decode '[fdaa:2:45b::2]:4711->[fdaa:0:18::3]:80: timeout'
      $ cut -f 3 peers.tsv | fdaa decode --json

    Exit status: 0 every TEXT was decoded, 2 one was not.
    """
    if records and picture:
        raise click.UsageError("--picture cannot be combined with --json or --field")
    book = book_for(records, book_file)
    own = read_this_machine()
    networks = None
    if book is not None:
        networks = map_of(book)
    complaints = Complaints()
    all_pasted = _reported(read_pasted(texts, own, book), complaints, book)
    if quiet:
        for _ in all_pasted:  # errors only
            pass
    elif records:
        _write_records(all_pasted, records, book, networks)
    elif picture:
        _draw(all_pasted, networks)
    else:
        _print_answer(all_pasted, own.address, networks, picture)
    sys.stdout.flush()
    complaints.finish()
    if complaints.count:
        return WRONG
    return YES


def _reported(
    all_pasted: Iterator[Pasted], complaints: Complaints, book: Book | None
) -> Iterator[Pasted]:
    """Yield all texts, and report the errors of those without an address, and a second reading."""
    for pasted in all_pasted:
        if pasted.error is not None:
            complaints.add(pasted.error, pasted.where)
        app = pasted.app_in_its_place(book)
        if app is not None and not pasted.number:
            note(f"{quote(pasted.text)}: read as a network ID. {commands_for_app(app)}")
        yield pasted


def _write_records(
    all_pasted: Iterator[Pasted],
    records: Records,
    book: Book | None,
    networks: NetworkMap | None,
) -> None:
    """Write a record for each address, and one for the answer about an argument that is a line."""
    for pasted in all_pasted:
        if pasted.error is not None:
            records.remark(output.refusal(pasted.error))
        text = output.as_input(pasted.text)
        for found in pasted.found:
            records.write({"input": text, **output.record(found, book)})
        if records.as_json and not pasted.number and pasted.is_line:
            records.remark({"input": text, **_answer(pasted.line, networks)})


def _answer(line: Line, networks: NetworkMap | None) -> dict[str, object]:
    """Return the fields of an answer, with its next steps as the words of commands."""
    # Late: an address needs no verdict, and starts in half the time without fdaa.networks.
    from fdaa.explain import explain

    answer = explain(line, networks)
    return {**answer.to_dict(), "next": [arguments_for(step) for step in answer.next]}


def _draw(all_pasted: Iterator[Pasted], networks: NetworkMap | None) -> None:
    blank_line = ""  # between pictures
    for pasted in all_pasted:
        for found in pasted.found:
            sys.stdout.write(blank_line + describe(found, networks))
            blank_line = "\n"


def _print_answer(
    all_pasted: Iterator[Pasted],
    own: Address | None,
    networks: NetworkMap | None,
    picture: bool | None,
) -> None:
    """Print the answer for one line, or for all addresses, when all input has been read."""
    counts: Counter[Found] = Counter()
    line: Line | None = None  # the first with an address
    for pasted in all_pasted:
        counts.update(pasted.found)
        if line is None and pasted.found:
            line = pasted.line
    if line is None:
        return
    if len(counts) > len(line.found):  # other lines have more
        line = Line.of(list(counts), own)
    sys.stdout.writelines(answer_lines(first_answer(line, networks), counts))
    match line.found:
        case [Address() as address] if picture is None and draws_pictures():
            sys.stdout.write("\n" + parts(address, networks))
