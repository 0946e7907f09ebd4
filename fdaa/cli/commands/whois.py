"""`fdaa whois`: which Machine, app and network has this address?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from fdaa._support.escapes import as_unicode, inline
from fdaa._support.suggestions import did_you_mean
from fdaa._values.address import Address
from fdaa._values.ends import AddressPort, App
from fdaa._values.errors import InputError
from fdaa._values.hosts import EndError, Host
from fdaa.cli import _layout as layout
from fdaa.cli._arguments import read_given
from fdaa.cli._document_options import (
    document_options,
    read_inputs,
    report_contradictions_exist,
    status_of,
)
from fdaa.cli._next import options_for, with_options
from fdaa.cli._options import book_option, open_book, quiet_option
from fdaa.cli._records import NO_RECORDS, Records, record_options, refusal
from fdaa.cli._statuses import NO, UNKNOWN, WRONG, YES
from fdaa.cli._streams import Complaints, note
from fdaa.cli._tables import table_options
from fdaa.explain import Missing
from fdaa.explain._document_words import describe_apps, explain_holder
from fdaa.networks import DocumentKind, Holding, KnownNetwork, NetworkMap, find_holder
from fdaa.networks._address_holder import apps_without_address_lists, apps_without_machine_lists
from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.cli._arguments import Given
    from fdaa.cli._document_options import DocumentOptions, Inputs
    from fdaa.cli._tables import Cell, TableOutput
    from fdaa.networks import Holder, Network

_FIELDS = (
    "input",
    "kind",
    "address",
    "holding",
    "machine_id",
    "state",
    "app",
    "network_name",
    "network_id",
    "network_id_int",
    "looked_at",
    "learned_on",
    "origins",
)
_COLUMNS = ("app", "machine_id", "network_name", "network_id_int", "address", "key")


@click.command()
@click.argument("asked", metavar="[ADDRESS|NAME|-]...", nargs=-1)
@click.option("is_all", "--all", is_flag=True, help="Show all addresses in the documents, sorted.")
@document_options
@book_option()
@quiet_option
@record_options(*_FIELDS)
@table_options("With --all: print CSV: app, Machine, network, ID as a number, address.")
def whois(
    asked: tuple[str, ...],
    is_all: bool,
    book_file: str | None,
    quiet: bool,
    records: Records,
    table: TableOutput,
    documents: DocumentOptions,
) -> int:
    """Show the Machine, app and network of addresses and names.

    Give an address, an app or its host (web, web.internal:8080), the identifier or the host of a
    Machine, or self: this Machine. Without one, or for -, each line of standard input is one. The
    table has each address once; --json and --field print each input by itself.

    An address is stale if no Machine and no app has it any longer. The lists of all apps show that,
    or those of its app if a book has it.

    Examples:
      $ fdaa whois fdaa:2:45b:a7b:174:db43:d3c6:2 --apps apps.json --machines web=machines-web.json
      $ fdaa whois --all --csv --apps apps.json --machines instances.txt > holders.csv

    Exit status: 0 found, 1 an address is stale, 3 an address has no known app, or an app no known
    network.
    """
    _check_options(asked, table, documents, is_all=is_all)
    reads_texts = not is_all and (not asked or "-" in asked)
    inputs = read_inputs(documents, open_book(book_file), reads_texts=reads_texts)
    joined = inputs.joined
    complaints = Complaints()
    questions = _questions(asked, inputs, complaints)
    if is_all:
        questions = (_Question(str(address), address) for address in sorted(joined.addresses))
    if quiet:
        records = NO_RECORDS
    rows = _answer(questions, joined, records)
    if is_all and not (rows or records or table or inputs.unusable):
        note("no address in these documents; add Machine lists (--machines APP=FILE)")
    complaints.finish()
    if table:
        files = inputs.files.copy()
        if book_file is not None:
            files.append(book_file)
        table.write(_COLUMNS, _table_rows(rows), inputs=files, quiet=quiet)
    elif not quiet and not records:
        _print(rows, inputs)
    sys.stdout.flush()  # the answers first
    status = status_of(inputs, _status(rows), quiet=quiet)
    if not quiet:
        report_contradictions_exist(inputs)
    if complaints.count:
        return WRONG
    return status


def _check_options(
    asked: tuple[str, ...], table: TableOutput, documents: DocumentOptions, *, is_all: bool
) -> None:
    """Raise a UsageError for options that make no sense together."""
    if not is_all:
        if table:
            raise click.UsageError("--csv and --parquet require --all")
        return
    if asked:
        raise click.UsageError("--all cannot be combined with addresses")
    if not documents:
        raise click.UsageError("--all needs documents (--apps, --org, --machines, --addresses)")


class _AppRow(NamedTuple):
    """An app of which no address is known."""

    app: str
    network: KnownNetwork

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        return {"kind": "app", "app": self.app, **self.network.to_dict()}


# --- what is asked for ----------------------------------------------------------------------------


class _Question(NamedTuple):
    """An address or an app in a text.

    Args:
        text: the text.
        about: the address; the name of an app without a known address; or why the text has neither.
    """

    text: str
    about: Address | str | InputError


def _questions(
    asked: tuple[str, ...], inputs: Inputs, complaints: Complaints
) -> Iterator[_Question]:
    """Yield what the texts ask for, and report those that ask for nothing."""
    own = read_this_computer()
    for given in read_given(asked, own, inputs.joined):
        for about in dict.fromkeys(_asked_for(given, inputs, is_shown=complaints.shows_next)):
            if isinstance(about, InputError):
                complaints.add(about, given.where)
            yield _Question(given.text, about)


def _asked_for(
    given: Given, inputs: Inputs, *, is_shown: bool
) -> Iterator[Address | str | InputError]:
    """Yield the address that an end is, or those of the Machine or the app that it names.

    An app without a known address is its name.
    """
    joined = inputs.joined
    end = given.end
    if given.error is not None:
        yield given.error
    elif isinstance(end, Address):
        yield end
    elif isinstance(end, AddressPort):
        yield end.address
    elif isinstance(end, App):
        yield from _named(end.name, end.name, inputs, is_shown=is_shown)
    elif isinstance(end, Host):
        if end.app is None:
            reason = "only names that end in .internal are those of apps"
            yield EndError(given.text, reason)
        elif end.first_part is not None and end.first_part in joined.machines:
            yield from _addresses_of_machine(end.first_part, joined)
        else:
            yield from _named(end.app, given.text, inputs, is_shown=is_shown)
    else:
        name = as_unicode(given.text).removeprefix("network:")
        shows = _apps_of_network(name, inputs)
        yield EndError(given.text, f"this is a network, not an address; to see its apps: {shows}")


def _named(
    name: str, text: str, inputs: Inputs, *, is_shown: bool
) -> Iterator[Address | str | InputError]:
    """Yield the addresses of the Machine and of the app with a name, or why there is neither."""
    joined = inputs.joined
    is_named = False
    if name in joined.machines:
        is_named = True
        yield from _addresses_of_machine(name, joined)
    if name in joined.apps or joined.book.learned_from(name):
        is_named = True
        yield from joined.addresses_of(name) or (name,)
    if not is_named:
        yield _no_such(text, name, inputs, is_shown=is_shown)


def _addresses_of_machine(name: str, joined: NetworkMap) -> Iterator[Address | InputError]:
    has_address = False
    for row in joined.machines[name]:
        if row.address is not None:
            has_address = True
            yield row.address
    if not has_address:
        yield EndError(name, "this Machine has no address yet")


def _no_such(text: str, name: str, inputs: Inputs, *, is_shown: bool) -> EndError:
    """Return the error for a name that is no app or Machine: the nearest name, or what to add."""
    if name in inputs.joined.names:
        shows = _apps_of_network(name, inputs)
        return EndError(text, f"this is a network, not an app; to see its apps: {shows}")
    hint = ""
    if is_shown:
        hint = did_you_mean(name, [*inputs.joined.apps, *inputs.joined.machines])
    if not hint and not inputs.unusable:  # the list that is missing has its own message
        missing = Missing((DocumentKind.APP_LIST, DocumentKind.MACHINE_LIST))
        hint = with_options("; add an app list or a Machine list that has it", (missing,))
    if inputs.unusable and not inputs.documents:
        return EndError(text, "it was not looked up: no document could be read")
    return EndError(text, f"it is in none of these documents{hint}")


def _apps_of_network(name: str, inputs: Inputs) -> str:
    """Return the command that shows the apps of a network."""
    documents = inputs.options or ["--apps", "FILE"]
    return layout.command_line("networks", options=["--only", name, *documents])


# --- what is printed ------------------------------------------------------------------------------


def _answer(
    questions: Iterator[_Question], joined: NetworkMap, records: Records
) -> list[Holder | _AppRow]:
    """Return the answers, each once, in their order; as records, each question has its own."""
    answers: dict[Address | str, Holder | _AppRow] = {}
    for text, about in questions:
        asked = {"input": as_unicode(text)}
        if isinstance(about, InputError):
            records.remark(refusal(about) | asked)
            continue
        if about not in answers:
            if isinstance(about, Address):
                answers[about] = find_holder(about, joined)
            else:
                answers[about] = _AppRow(about, joined.known_network(about))
        if records:
            records.write(asked | answers[about].to_dict())
    return list(answers.values())


def _print(rows: list[Holder | _AppRow], inputs: Inputs) -> None:
    head = ("address", "network", "ID", "app", "Machine")
    sys.stdout.writelines(layout.table(_cells(rows, inputs), head))
    sys.stdout.writelines(map(layout.paragraph, _hints(rows, inputs)))


def _table_rows(rows: list[Holder | _AppRow]) -> Iterator[tuple[Cell, ...]]:
    for row in rows:
        if isinstance(row, _AppRow):
            continue  # an app without an address
        address = row.address
        yield (
            row.app,
            row.machine_id,
            row.network_name,
            int(address.network_id),
            str(address),
            address.packed,
        )


def _status(rows: list[Holder | _AppRow]) -> int:
    status = YES
    for row in rows:
        if isinstance(row, _AppRow):
            if row.network == KnownNetwork():
                status = UNKNOWN
        elif row.holding is Holding.STALE:
            return NO
        elif row.app is None:
            status = UNKNOWN
    return status


def _cells(rows: list[Holder | _AppRow], inputs: Inputs) -> Iterator[tuple[str, ...] | str]:
    with_list = _apps_with(DocumentKind.MACHINE_LIST, inputs)
    for row in rows:
        if isinstance(row, _AppRow):
            network_id = "?"
            if row.network.network_id is not None:
                network_id = str(row.network.network_id)
            yield "?", inline(row.network.name), network_id, inline(row.app), "?"
            if inputs.joined.is_disputed(row.app):
                yield "  documents disagree about its network"
            elif row.app in with_list:
                yield "  its Machine list has no address"
            else:
                missing = Missing((DocumentKind.MACHINE_LIST,), app=row.app)
                yield f"  for its addresses, add {options_for((missing,))}"
            continue
        yield (
            str(row.address),
            inline(row.network_name),
            str(row.address.network_id),
            inline(row.app),
            inline(row.machine_id),
        )
        remark = explain_holder(row)
        if remark is not None:
            yield f"  {remark}"


def _apps_with(kind: DocumentKind, inputs: Inputs) -> set[str]:
    """Return the apps of which a document of this kind is given."""
    apps: set[str] = set()
    for document in inputs.documents:
        if document.kind is kind and document.app is not None:
            apps.add(document.app)
    return apps


def _hints(rows: list[Holder | _AppRow], inputs: Inputs) -> Iterator[str]:
    """Yield what to add, for all addresses of which the app is not known."""
    unknown: list[Address] = []
    for row in rows:
        if isinstance(row, _AppRow) or row.app is not None:
            continue
        if row.holding is Holding.UNKNOWN:
            unknown.append(row.address)
    if unknown:
        yield f"To find an unknown address, {_to_add(unknown, inputs)}"


def _to_add(unknown: list[Address], inputs: Inputs) -> str:
    """Return what could show the apps of unknown addresses."""
    # The lists depend on the network alone.
    of_networks: dict[Network | None, Address] = {}
    for address in unknown:
        of_networks[inputs.joined.by_id(address.network_id)] = address
    missing: set[str] = set()
    for address in of_networks.values():
        missing.update(apps_without_machine_lists(address, inputs.joined))
    # A list that was given has a Machine without an address, and no other list would have it.
    missing.difference_update(_apps_with(DocumentKind.MACHINE_LIST, inputs))
    lists: list[str] = []
    if missing:
        lists.append(_lists_of("Machine", DocumentKind.MACHINE_LIST, tuple(sorted(missing))))
    without_addresses = apps_without_address_lists(inputs.joined)
    if without_addresses:
        lists.append(_lists_of("address", DocumentKind.ADDRESS_LIST, without_addresses))
    if not lists:
        return "add Machine lists; `fdaa networks --help` shows how"
    return f"add {' and '.join(lists)}"


def _lists_of(noun: str, kind: DocumentKind, apps: tuple[str, ...]) -> str:
    """Return what to call the lists of some apps, and their option."""
    if len(apps) == 1:
        missing = Missing((kind,), app=apps[0])
        return with_options(f"the {noun} list of {inline(apps[0])}", (missing,))
    return with_options(f"the {noun} lists of {describe_apps(apps)}", (Missing((kind,)),))
