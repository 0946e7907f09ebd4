"""`fdaa book`: what a book of networks has, and changes that only a person makes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.address import NetworkID
from fdaa.cli._book_names import HOW_TO_MAKE, is_name, open_book
from fdaa.cli._documents import describe_origins
from fdaa.cli._exit_status import NO, WRONG, YES, CommandError
from fdaa.cli._options import book_option, quiet_option
from fdaa.cli._render import json_line, table
from fdaa.cli._streams import complain, inline
from fdaa.errors import NetworkIDError, quote
from fdaa.networks import Book, BookMissingError, change_book

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fdaa.networks import Evidence

_book_option = book_option("The book.", required=True)


@click.group(
    epilog="""\b
Example:
  $ fdaa book list --book networks.json"""
)
def book() -> None:
    """Show a book of networks, or correct it.

    `fdaa networks --book` fills a book and never overwrites what it has: on the platform an ID is
    bound to a name for ever. If the book is wrong nevertheless, correct it here.
    """


@book.command(
    "list",
    epilog="""\b
Examples:
  $ fdaa book list --book networks.json
  $ fdaa book list --book networks.json customer-17 2:45b
  $ fdaa book list --book networks.json --csv > networks.csv

Exit status: 0 done, 1 a network is not in the book, 2 the book or an ID cannot be used.""",
)
@click.argument("networks", metavar="[NETWORK]...", nargs=-1)
@_book_option
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object for each network.")
@click.option("as_csv", "--csv", is_flag=True, help="Print CSV: name, ID, ID as a number, /48.")
@quiet_option
def list_(
    networks: tuple[str, ...], book_file: str, as_json: bool, as_csv: bool, quiet: bool
) -> int:
    """Show the networks in a book, all or only these. NETWORK is a name or an ID."""
    if as_json and as_csv:
        raise click.UsageError("--json and --csv cannot be combined")
    opened = open_book(book_file) or Book(book_file)
    status = YES
    facts = [] if networks else list(opened)
    for text in networks:
        try:
            fact = opened.fact(_name(text, opened))
        except NetworkIDError as error:  # the others are still shown
            complain(str(error))
            status = WRONG
            continue
        if fact is None:
            complain(f"network {quote(text)} is not in the book {quote(opened.file)}")
            status = max(status, NO)
        else:
            facts.append(fact)
    if not quiet:
        rows = map(_fields, facts)
        lines = _as_csv(rows) if as_csv else map(json_line, rows) if as_json else _as_table(facts)
        sys.stdout.writelines(lines)
    return status


def _name(text: str, opened: Book) -> str:
    """Return the name of the network that a text names, or is the ID of; else the text."""
    return text if is_name(text) else opened.name_of(NetworkID(text)) or text


def _fields(fact: Evidence) -> dict[str, object]:
    return {"kind": "entry", **fact.to_json(), "prefix": NetworkID(fact.network_id or 0).cidr}


def _as_table(facts: list[Evidence]) -> Iterator[str]:
    rows = []
    for fact in facts:
        name, network_id = inline(fact.name), NetworkID(fact.network_id or 0)
        rows.append((name, str(network_id), network_id.cidr, describe_origins(fact.origins)))
    return table(rows, ("network", "ID", "prefix", "known from"))


def _as_csv(rows: Iterable[dict[str, object]]) -> Iterator[str]:
    columns = ("name", "network_id", "network_id_int", "prefix")
    yield ",".join(columns) + "\n"
    for fields in rows:  # no name or ID has a character that CSV would have to quote
        yield ",".join(str(fields[column]) for column in columns) + "\n"


@book.command(
    epilog="""\b
Example:
  $ fdaa book remove --book networks.json customer-17

Exit status: 0 done, 2 the book does not have it, or cannot be changed."""
)
@click.argument("network")
@_book_option
@click.option("as_json", "--json", is_flag=True, help="Print the removed entry as JSON.")
def remove(network: str, book_file: str, as_json: bool) -> int:
    """Remove a network from a book. NETWORK is a name or an ID."""
    fact = _change(book_file, lambda book: book.remove(_name(network, book)))
    return _print_change(fact, as_json, f"removed {inline(str(fact.name))}")


@book.command(
    epilog="""\b
Example:
  $ fdaa book rename --book networks.json custmer-17 customer-17

Exit status: 0 done, 2 the book does not have it, already has NEW, or cannot be changed."""
)
@click.argument("network")
@click.argument("new")
@_book_option
@click.option("as_json", "--json", is_flag=True, help="Print the renamed entry as JSON.")
def rename(network: str, new: str, book_file: str, as_json: bool) -> int:
    """Give a network in a book the name NEW; its ID stays. NETWORK is a name or an ID.

    A renamed entry keeps its old name.
    """
    fact = _change(book_file, lambda book: book.rename(_name(network, book), new))
    return _print_change(fact, as_json, f"renamed {inline(network)} to {inline(new)}")


def _change(book_file: str, change: Callable[[Book], Evidence]) -> Evidence:
    try:
        return change_book(book_file, change)
    except BookMissingError as error:
        raise CommandError(f"{error}; {HOW_TO_MAKE}") from None


def _print_change(fact: Evidence, as_json: bool, done: str) -> int:
    sys.stdout.write(json_line(_fields(fact)) if as_json else f"{done} ({fact.network_id})\n")
    return YES
