"""`fdaa book`: shows a book of networks, and edits it by hand."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import inline, printable, quote
from fdaa._support.suggestions import did_you_mean
from fdaa._values.address import NetworkID
from fdaa.cli import _layout as layout
from fdaa.cli._document_options import (
    document_options,
    read_inputs,
    status_of,
    write_remarks,
)
from fdaa.cli._options import book_option, complete_network, load_book, quiet_option, read_network
from fdaa.cli._records import Records, record_options
from fdaa.cli._statuses import NO, YES
from fdaa.cli._streams import after_change, complain, note
from fdaa.cli._tables import table_options
from fdaa.networks import Book, BookConflictError, Fact, NetworkMap, Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.cli._document_options import DocumentOptions, Inputs
    from fdaa.cli._tables import TableOutput
    from fdaa.networks import Entry

_book_option = book_option(required=True)
_FIELDS = (
    "kind",
    "network_name",
    "network_id",
    "network_id_int",
    "prefix",
    "app",
    "address",
    "learned_from",
    "learned_on",
    "renamed_from",
)
# No `0:18`: where all IDs are like that, a reader of CSV takes them for times of day.
_COLUMNS = ("network_name", "network_id_int", "prefix")


@click.group()
def book() -> None:
    """Keep the names and IDs of networks in a book.

    Only these commands change a book. To correct an entry, use `rename` or `remove`.

    Examples:
      $ fdaa book learn --book networks.json --apps apps.json --machines instances.txt
    """


@book.command("list")
@click.argument("networks", metavar="[NETWORK]...", nargs=-1, shell_complete=complete_network)
@_book_option
@click.option("--why", is_flag=True, help="Show where each name and ID was read.")
@record_options(*_FIELDS)
@table_options("Print CSV: name, ID as a number, /48.")
@quiet_option
def list_(
    networks: tuple[str, ...],
    book_file: str,
    why: bool,
    records: Records,
    table: TableOutput,
    quiet: bool,
) -> int:
    """Show all networks in a book, or each given NETWORK, a name or an ID.

    Examples:
      $ fdaa book list --book networks.json customer-17 2:45b
      $ fdaa book list --book networks.json --csv > networks.csv
    """
    entries, status = _chosen(load_book(book_file), networks)
    if table:
        rows = [
            (entry.name, int(entry.network_id), str(entry.network_id.prefix)) for entry in entries
        ]
        table.write(_COLUMNS, rows, inputs=[book_file], quiet=quiet)
    elif not quiet:
        _print(entries, records, why=why)
    return status


def _print(entries: list[Entry], records: Records, *, why: bool = False) -> None:
    if records:
        for entry in entries:
            records.write(entry.to_dict())
    else:
        sys.stdout.writelines(_as_table(entries, why))


def _chosen(opened: Book, networks: tuple[str, ...]) -> tuple[list[Entry], int]:
    """Return the entries of the requested networks, and the exit status."""
    if not networks:
        return list(opened.values()), YES
    entries = []
    status = YES
    for text in networks:
        entry = _entry(text, opened)
        if entry is None:
            status = NO
        else:
            entries.append(entry)
    return entries, status


def _entry(text: str, opened: Book) -> Entry | None:
    """Return the network that a text names, or is the ID of; report one that is missing."""
    network = read_network(text)
    name = opened.name_of(network) if isinstance(network, NetworkID) else network
    if name is not None and name in opened:
        return opened[name]
    where = f"in the book {quote(opened.file)}{did_you_mean(str(network), opened)}"
    note(f"network {quote(text)} is not {where}")
    return None


def _as_table(entries: list[Entry], why: bool) -> Iterator[str]:
    rows: list[tuple[str, ...] | str] = []
    for entry in entries:
        rows.append((inline(entry.name), str(entry.network_id), str(entry.network_id.prefix)))
        if why:
            rows.append(f"  {printable(entry.provenance or 'origin not recorded')}")
    return layout.table(rows, ("network", "ID", "prefix"))


@book.command()
@document_options
@_book_option
@quiet_option
@record_options(*_FIELDS)
def learn(book_file: str, quiet: bool, records: Records, documents: DocumentOptions) -> int:
    """Add the networks in documents to a book, and show what is new.

    The book is created if needed. If documents contradict it, nothing is added. If they contradict
    each other, the other networks are added.

    Example:
      $ fdaa book learn --book networks.json --apps apps.json --machines instances.txt

    Exit status: 0 done, 1 a contradiction.
    """
    if not documents:
        raise click.UsageError("give documents (--apps, --org, --machines, --addresses)")
    inputs = read_inputs(documents, load_book(book_file, missing_ok=True))
    contradictions = inputs.joined.contradictions
    status = NO if contradictions else YES
    entries: list[Entry] = []
    try:
        entries = _learn(book_file, inputs)
    except BookConflictError as error:
        complain(f"{error}; nothing was added")
        status = NO
    if not quiet:
        with after_change(f"{layout.counted(len(entries), 'network')} added to the book"):
            _print(entries, records)
        write_remarks(records, inputs, contradictions)
    return status_of(inputs, status, quiet=quiet)


def _learn(file: str, inputs: Inputs) -> list[Entry]:
    """Add the facts of documents to the book in a file, and return the new entries.

    Raises:
        BookError: the book cannot be changed; a BookConflictError, if the facts contradict it.
    """
    facts = list(NetworkMap(inputs.documents).bindings())
    if not Book.load(file, missing_ok=True).new_facts(facts):
        return []  # known facts need no lock, and no permission to write
    with Book.edit(file) as opened:
        new = opened.add(facts)
    return [opened[str(fact.name)] for fact in new]


@book.command()
@click.argument("name")
@click.argument("network_id", metavar="ID")
@_book_option
@record_options(*_FIELDS)
def add(name: str, network_id: str, book_file: str, records: Records) -> int:
    """Add a network by hand: its NAME, and its ID or /48. The book is created if needed.

    An entry with the same name or ID must be removed or renamed first.

    Example:
      $ fdaa book add --book networks.json customer-17 2:45b
    """
    fact = Fact(
        name=name,
        network_id=NetworkID(network_id),
        origins=(Origin(file="fdaa book add", place=""),),
    )
    try:
        with Book.edit(book_file) as opened:
            new = opened.add([fact])
    except BookConflictError as error:
        for contradiction in error.contradictions:
            earlier = contradiction.facts[0]
            name = str(earlier.name)
            has = f"it has {inline(name)} ({earlier.network_id})"
            complain(f"book {quote(book_file)} was not changed: {has}")
            options = ["--book", book_file]
            remove = layout.command_line("book remove", name, options=options)
            rename = layout.command_line("book rename", name, "NEW", options=options)
            complain(f"to change it: {remove}, or {rename}")
        return NO
    entry = opened[name]
    done = f"added {inline(name)}" if new else "already there"
    records.write_change(entry.to_dict(), f"{done} ({entry.network_id})")
    return YES


@book.command()
@click.argument("network", shell_complete=complete_network)
@_book_option
@record_options(*_FIELDS)
def remove(network: str, book_file: str, records: Records) -> int:
    """Remove a network from a book. NETWORK is a name or an ID.

    Example:
      $ fdaa book remove --book networks.json customer-17
    """
    _check_exists(book_file)
    with Book.edit(book_file) as opened:
        entry = _entry(network, opened)
        if entry is None:
            return NO
        opened.remove(entry.name)
    records.write_change(entry.to_dict(), f"removed {inline(entry.name)} ({entry.network_id})")
    return YES


@book.command()
@click.argument("network", shell_complete=complete_network)
@click.argument("new")
@_book_option
@record_options(*_FIELDS)
def rename(network: str, new: str, book_file: str, records: Records) -> int:
    """Rename a network in a book to NEW; its ID stays, and the entry keeps the old name.

    Example:
      $ fdaa book rename --book networks.json custmer-17 customer-17
    """
    _check_exists(book_file)
    with Book.edit(book_file) as opened:
        entry = _entry(network, opened)
        if entry is None:
            return NO
        entry = opened.rename(entry.name, new)
    done = f"renamed {inline(network)} to {inline(new)}"
    records.write_change(entry.to_dict(), f"{done} ({entry.network_id})")
    return YES


def _check_exists(file: str) -> None:
    """Raise a CommandError if there is no book to change.

    A file is not read here: it may be a pipe, which `Book.edit` refuses.
    """
    if not os.path.exists(file):  # noqa: PTH110 - Path's own raises for some names
        load_book(file)
