"""`fdaa book`: what a book of networks has, and changes that only a person makes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.address import NetworkID
from fdaa.cli import _render as output
from fdaa.cli._book_names import BOOK_VARIABLE, is_name, network_id_of, open_book
from fdaa.cli._documents import describe_origins
from fdaa.cli._streams import NO, WRONG, YES, CommandError, complain, inline
from fdaa.errors import FdaaError, NetworkIDError, quote
from fdaa.networks._errors import BookError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fdaa.networks._book import Book
    from fdaa.networks._model import Evidence

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
    """Look into a book of networks, or correct it.

    `fdaa networks --book` fills a book and never overwrites what is there: on the platform a name
    is bound to its ID for ever. Where it is wrong nevertheless, correct it here.
    """


@book.command(
    "list",
    epilog="""\b
Examples:
  $ fdaa book list --book networks.json
  $ fdaa book list --book networks.json customer-17 2:45b

Exit status: 0 done, 1 a network is not in the book, 2 it or an ID cannot be used.""",
)
@click.argument("networks", metavar="[NETWORK]...", nargs=-1)
@_book_option
@click.option("as_json", "--json", is_flag=True, help="Print a JSON object a network.")
def list_(networks: tuple[str, ...], book_file: str, as_json: bool) -> int:
    """Show the networks in a book, or these: NETWORK is a name or an ID."""
    opened = _open(book_file)
    status = YES
    facts = [] if networks else list(opened)
    for text in networks:
        try:
            fact = _find(text, opened)
        except CommandError as error:  # no hindrance to showing the others
            complain(str(error))
            status = WRONG
            continue
        if fact is None:
            complain(f"network {quote(text)} is not in the book {quote(opened.file)}")
            status = max(status, NO)
        else:
            facts.append(fact)
    if as_json:
        sys.stdout.writelines(_as_json(fact) for fact in facts)
    else:
        rows = (
            (
                inline(fact.name or ""),
                str(fact.network_id),
                _prefix(fact),
                describe_origins(fact.origins),
            )
            for fact in facts
        )
        sys.stdout.writelines(output.table(rows, ("network", "ID", "prefix", "known from")))
    return status


def _open(file: str) -> Book:
    from fdaa.networks._book import Book

    opened = open_book(file) or Book(file)
    opened.file = output.as_input(file)  # as it is shown; nothing is written by this name
    return opened


def _find(text: str, opened: Book) -> Evidence | None:
    name = text if is_name(text) else opened.name_of(network_id_of(text, opened))
    return None if name is None else opened.fact(name)


def _as_json(fact: Evidence) -> str:
    return output.json_line({"kind": "entry", **fact.to_json(), "prefix": _prefix(fact)})


def _prefix(fact: Evidence) -> str:
    return "" if fact.network_id is None else f"{fact.network_id.address()}/48"


@book.command(
    epilog="""\b
Example:
  $ fdaa book remove --book networks.json customer-17

Exit status: 0 done, 2 the book does not have it, or cannot be changed."""
)
@click.argument("name")
@_book_option
@click.option("as_json", "--json", is_flag=True, help="Print what was removed as JSON.")
def remove(name: str, book_file: str, as_json: bool) -> int:
    """Take the network NAME out of a book."""
    from fdaa.networks._book import remove as remove_from

    opened = _open(book_file)
    _need_name(name, opened)
    fact = opened.fact(name)
    try:
        remove_from(book_file, name, _waiting(opened))
    except BookError as error:
        raise CommandError(_said(error)) from None
    if as_json:
        sys.stdout.write(_as_json(fact) if fact else "")
    else:
        sys.stdout.write(f"removed {inline(name)}{_id(fact)}\n")
    return YES


@book.command(
    epilog="""\b
Example:
  $ fdaa book rename --book networks.json custmer-17 customer-17

Exit status: 0 done, 2 the book does not have OLD, has NEW, or cannot be changed."""
)
@click.argument("old")
@click.argument("new")
@_book_option
@click.option("as_json", "--json", is_flag=True, help="Print the renamed entry as JSON.")
def rename(old: str, new: str, book_file: str, as_json: bool) -> int:
    """Give the network OLD in a book the name NEW; its ID stays."""
    from fdaa.networks._book import rename as rename_in

    opened = _open(book_file)
    _need_name(old, opened)
    try:
        rename_in(book_file, old, new, _waiting(opened))
    except FdaaError as error:
        raise CommandError(_said(error)) from None
    fact = _open(book_file).fact(new)
    if as_json:
        sys.stdout.write(_as_json(fact) if fact else "")
    else:
        sys.stdout.write(f"renamed {inline(old)} to {inline(new)}{_id(fact)}\n")
    return YES


def _need_name(text: str, opened: Book) -> None:
    """Refuse an ID where a name is asked for, and tell the name that it has in the book."""
    try:
        network_id = None if is_name(text) else NetworkID.parse(text)
    except NetworkIDError:
        return  # the book says that it has no such network
    if network_id is not None:
        name = opened.name_of(network_id)
        known = "no network" if name is None else f"network {quote(name)}"
        reason = f"give the network's name; {known} in the book has this ID"
        raise CommandError(f"{quote(text)} is an ID: {reason}")


def _waiting(opened: Book) -> Callable[[], None]:
    return lambda: complain(f"waiting for another writer of the book {quote(opened.file)}")


def _id(fact: Evidence | None) -> str:
    return "" if fact is None else f" ({fact.network_id})"


def _said(error: FdaaError) -> str:
    """Say what could not be done; of a good book that lacks a name not that it is no book."""
    if isinstance(error, BookError):
        return f"{quote(output.as_input(error.text))}: {error.reason}"
    return str(error)
