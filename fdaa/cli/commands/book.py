"""`fdaa book`: what a book of networks has, and changes that only a person makes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.address import NetworkID
from fdaa.cli import _render as output
from fdaa.cli._book_names import (
    BOOK_VARIABLE,
    is_name,
    network_id_of,
    open_book,
    tell_waiting,
)
from fdaa.cli._documents import describe_origins
from fdaa.cli._streams import NO, WRONG, YES, CommandError, complain, inline
from fdaa.errors import FdaaError, NetworkIDError, quote
from fdaa.networks import Book, change_book

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fdaa.networks import Evidence

_book_option = click.option(
    "book_file",
    "--book",
    metavar="FILE",
    envvar=BOOK_VARIABLE,
    required=True,
    show_envvar=True,
    help="The book.",
)


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
@click.option("quiet", "-q", "--quiet", is_flag=True, help="Print no networks; use the status.")
def list_(
    networks: tuple[str, ...], book_file: str, as_json: bool, as_csv: bool, quiet: bool
) -> int:
    """Show the networks in a book, all or only these. NETWORK is a name or an ID."""
    if as_json and as_csv:
        raise click.UsageError("--json and --csv cannot be combined")
    opened = _open(book_file)
    status = YES
    facts = [] if networks else list(opened)
    for text in networks:
        try:
            fact = _find(text, opened)
        except CommandError as error:  # the others are still shown
            complain(str(error))
            status = WRONG
            continue
        if fact is None:
            complain(f"network {quote(text)} is not in the book {quote(opened.file)}")
            status = max(status, NO)
        else:
            facts.append(fact)
    if not quiet:
        lines = _as_csv(facts) if as_csv else map(_as_json, facts) if as_json else _as_table(facts)
        sys.stdout.writelines(lines)
    return status


def _open(file: str) -> Book:
    opened = open_book(file) or Book(file)
    opened.file = output.as_input(file)  # as it is shown; nothing is written by this name
    return opened


def _find(text: str, opened: Book) -> Evidence | None:
    name = text if is_name(text) else opened.name_of(network_id_of(text, opened))
    return None if name is None else opened.fact(name)


def _as_table(facts: list[Evidence]) -> Iterator[str]:
    rows = (
        (*_columns(fact, inline)[:2], _columns(fact)[3], describe_origins(fact.origins))
        for fact in facts
    )
    return output.table(rows, ("network", "ID", "prefix", "known from"))


def _as_csv(facts: list[Evidence]) -> Iterator[str]:
    yield "name,network_id,network_id_int,prefix\n"
    for fact in facts:  # no name or ID has a character that CSV would have to quote
        yield ",".join(_columns(fact)) + "\n"


def _as_json(fact: Evidence) -> str:
    return output.json_line({"kind": "entry", **fact.to_json(), "prefix": _columns(fact)[3]})


def _columns(fact: Evidence, shown: Callable[[str], str] = str) -> tuple[str, str, str, str]:
    """Return a network's name, ID, ID as a decimal number, and /48."""
    network_id = NetworkID(fact.network_id or 0)
    name = shown(str(fact.name or ""))
    return name, str(network_id), str(int(network_id)), network_id.cidr


@book.command(
    epilog="""\b
Example:
  $ fdaa book remove --book networks.json customer-17

Exit status: 0 done, 2 the book does not have it, or cannot be changed."""
)
@click.argument("name")
@_book_option
@click.option("as_json", "--json", is_flag=True, help="Print the removed entry as JSON.")
def remove(name: str, book_file: str, as_json: bool) -> int:
    """Remove the network NAME from a book."""
    _need_name(name, _open(book_file))
    fact = _change(book_file, lambda book: book.remove(name))
    _print_change(fact, as_json, f"removed {inline(name)}", book_file)
    return YES


@book.command(
    epilog="""\b
Example:
  $ fdaa book rename --book networks.json custmer-17 customer-17

Exit status: 0 done, 2 the book does not have OLD, already has NEW, or cannot be changed."""
)
@click.argument("old")
@click.argument("new")
@_book_option
@click.option("as_json", "--json", is_flag=True, help="Print the renamed entry as JSON.")
def rename(old: str, new: str, book_file: str, as_json: bool) -> int:
    """Give the network OLD in a book the name NEW; its ID stays.

    A renamed entry keeps its old name.
    """
    _need_name(old, _open(book_file))
    fact = _change(book_file, lambda book: book.rename(old, new))
    _print_change(fact, as_json, f"renamed {inline(old)} to {inline(new)}", book_file)
    return YES


def _need_name(text: str, opened: Book) -> None:
    """Refuse an ID where a name is asked for, and tell the name that it has in the book."""
    try:
        network_id = None if is_name(text) else NetworkID(text)
    except NetworkIDError:
        return  # the book says that it has no such network
    if network_id is not None:
        name = opened.name_of(network_id)
        known = "no network" if name is None else f"network {quote(name)}"
        reason = f"give the network's name; {known} in the book has this ID"
        raise CommandError(f"{quote(text)} is an ID: {reason}")


def _change(book_file: str, change: Callable[[Book], Evidence]) -> Evidence:
    try:
        return change_book(book_file, change, tell_waiting(book_file))
    except FdaaError as error:
        raise CommandError(str(error)) from None


def _print_change(fact: Evidence, as_json: bool, done: str, book_file: str) -> None:
    origins = tuple(each._replace(file=output.as_input(book_file)) for each in fact.origins)
    shown = fact._replace(origins=origins)
    sys.stdout.write(_as_json(shown) if as_json else f"{done} ({fact.network_id})\n")
