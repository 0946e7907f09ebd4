"""`fdaa networks`: names and IDs of networks, joined from documents."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli import _render as output
from fdaa.cli._book_names import tell_waiting
from fdaa.cli._documents import (
    describe_contradiction,
    describe_origins,
    document_options,
    read_inputs,
    remarks_as_json,
    report_contradictions,
    status_of,
)
from fdaa.cli._streams import NO, WRONG, YES, CommandError, complain, inline
from fdaa.networks._errors import BookConflictError, BookError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.cli._documents import Inputs
    from fdaa.networks._book import Book
    from fdaa.networks._join import NetworkMap
    from fdaa.networks._model import Document, Network

_APPS_SHOWN = 5  # of a network, in the table; --json has them all


@click.command(
    epilog="""\b
Examples:
  $ fdaa networks --apps apps.json --machines web=machines-web.json --machines status.json
  $ fdaa networks --apps apps.json --machines status.json --book networks.json
  $ fdaa networks --book networks.json --format dot | dot -Tsvg > networks.svg

Exit status: 0 done, 1 there is a contradiction, 2 something could not be used."""
)
@document_options
@click.option(
    "book_file",
    "--book",
    metavar="FILE",
    help="Keep what is learned in this book, and use what it has; made where there is none.",
)
@click.option(
    "format_",
    "--format",
    type=click.Choice(("table", "json", "mermaid", "dot")),
    help="A table (the default), JSON Lines, or a picture for Mermaid or Graphviz.",
)
@click.option("as_json", "--json", is_flag=True, help="The same as --format json.")
def networks(
    apps: tuple[str, ...],
    machines: tuple[str, ...],
    addresses: tuple[str, ...],
    org: str | None,
    book_file: str | None,
    format_: str | None,
    as_json: bool,
) -> int:
    """Join network names with network IDs.

    App lists tell the name of an app's network, the addresses of its Machines tell the ID. What
    cannot all be true is shown behind the table with where it stands; what could not be used is
    reported on standard error, and the rest is used.
    """
    if as_json and format_ not in (None, "json"):
        raise click.UsageError(f"--json and --format {format_} exclude each other")
    has_documents = bool(apps or machines or addresses or org)
    if not (has_documents or book_file):
        raise click.UsageError(
            "give documents (--apps, --machines, --addresses, --org) or a --book"
        )
    from fdaa.networks._join import NetworkMap

    inputs = read_inputs(apps, machines, addresses, org)
    book = None if book_file is None else _open(book_file, make=has_documents)
    joined = NetworkMap(inputs.documents, book or ())
    kept = book is None or not has_documents or _learn(book, inputs.documents, joined)
    if not joined.networks:
        complain("these documents tell of no network")
    if as_json or format_ == "json":
        sys.stdout.writelines(_as_json(inputs, joined))
    elif format_ is None or format_ == "table":
        sys.stdout.writelines(_as_table(joined))
    else:
        sys.stdout.write(_as_picture(joined, format_))
    status = status_of(inputs, joined, NO if joined.contradictions else YES)
    return status if kept else WRONG


def _open(file: str, *, make: bool) -> Book:
    from fdaa.networks._book import Book

    try:
        return Book.load_or_new(file) if make else Book.load(file)
    except BookError as error:
        raise CommandError(str(error)) from None


def _learn(book: Book, documents: list[Document], joined: NetworkMap) -> bool:
    """Keep what the documents tell, and return whether the book could be written.

    Where it refuses a fact, what contradicts it is reported.
    """
    from fdaa.networks._book import learn
    from fdaa.networks._join import NetworkMap

    try:
        learn(book.file, NetworkMap(documents).facts(), tell_waiting(book.file))
    except BookConflictError as error:
        complain(str(error))
        # What the book had when it was read is known to contradict; another writer may have added.
        known = {(each.rule, frozenset(each.evidence)) for each in joined.contradictions}
        joined.contradictions += [
            each
            for each in error.contradictions
            if (each.rule, frozenset(each.evidence)) not in known
        ]
    except BookError as error:
        complain(str(error))  # and what the documents tell is still shown
        return False
    return True


def _as_json(inputs: Inputs, joined: NetworkMap) -> Iterator[str]:
    for row in joined.networks:
        yield output.json_line(row.to_json())
    yield from remarks_as_json(inputs, joined, joined.contradictions)


def _as_table(joined: NetworkMap) -> Iterator[str]:
    head = ("network", "ID", "prefix", "Machines", "apps", "known from")
    yield from output.table(_rows(joined), head)
    for contradiction in joined.contradictions:
        yield "\n" + describe_contradiction(contradiction)


def _rows(joined: NetworkMap) -> Iterator[tuple[str, ...] | str]:
    for row in joined.networks:
        fields = row.to_json()
        yield (
            "?" if row.name is None else inline(row.name),
            "?" if row.network_id is None else str(row.network_id),
            str(fields["prefix"] or "?"),
            "-" if row.machines is None else str(row.machines),
            _shown(row.apps),
            describe_origins(row.origins),
        )
        if row.needs is not None:
            yield f"  to complete it: {_needed(row)}"


def _shown(apps: tuple[str, ...]) -> str:
    more = len(apps) - _APPS_SHOWN
    shown = [inline(app) for app in apps[:_APPS_SHOWN]]
    return ", ".join((*shown, f"and {more} more") if more > 0 else shown) or "-"


def _needed(row: Network) -> str:
    from fdaa.networks._model import Need

    return {
        Need.MACHINE_LIST: f"a Machine list of {_one_of(row.apps)} (--machines)",
        Need.MACHINE_WITH_ADDRESS: f"an address of {_one_of(row.apps)}; the Machines listed have none yet",
        Need.APP_LIST: f"an app list that has {_one_of(row.apps)} (--apps)",
        Need.APP_OF_MACHINE_LIST: "whose Machine list it was (--machines APP=FILE), and an app list",
        Need.MACHINE_LIST_ON_IT: "an app list, and a list of Machines on it (--machines APP=FILE)",
        Need.AGREEMENT: "documents that do not contradict each other, see below",
    }[row.needs or Need.AGREEMENT]


def _one_of(apps: tuple[str, ...]) -> str:
    names = _shown(apps)
    return names if len(apps) == 1 else f"one of its apps ({names})" if apps else "an app on it"


def _as_picture(joined: NetworkMap, form: str) -> str:
    from fdaa.networks import _diagrams as pictures

    report_contradictions(joined.contradictions)
    return pictures.dot(joined) if form == "dot" else pictures.mermaid(joined)
