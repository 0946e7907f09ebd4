"""`fdaa networks`: names and IDs of networks, joined from documents."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa._escapes import quote
from fdaa.cli import _render as output
from fdaa.cli._book_names import did_you_mean, is_name, open_book
from fdaa.cli._document_options import (
    describe_contradiction,
    describe_origins,
    document_options,
    list_apps,
    read_inputs,
    remarks_as_json,
    report_contradictions,
    status_of,
)
from fdaa.cli._exit_status import NO, WRONG, YES
from fdaa.cli._options import book_option, complete_network, quiet_option
from fdaa.cli._streams import complain, inline
from fdaa.networks import (
    Book,
    BookConflictError,
    BookError,
    NetworkMap,
    Requirement,
    dot,
    mermaid,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from fdaa.cli._document_options import DocumentOptions, Inputs
    from fdaa.networks import Contradiction, Fact, Network


@click.command()
@document_options
@book_option("Use the names in this book and add new ones; it is created if needed.")
@click.option(
    "wanted",
    "--only",
    metavar="NETWORK",
    shell_complete=complete_network,
    multiple=True,
    help="Show only this network, by name or ID. Repeatable.",
)
@click.option("--why", is_flag=True, help="Show the sources of each name and ID.")
@quiet_option
@click.option(
    "format_",
    "--format",
    type=click.Choice(("table", "json", "mermaid", "dot")),
    help="A table (the default), JSON Lines, or a picture for Mermaid or Graphviz.",
)
@click.option("as_json", "--json", is_flag=True, help="The same as --format json.")
def networks(
    book_file: str | None,
    wanted: tuple[str, ...],
    why: bool,
    quiet: bool,
    format_: str | None,
    as_json: bool,
    documents: DocumentOptions,
) -> int:
    """Join network names with network IDs.

    App lists contain the name of an app's network, the addresses of its Machines contain the ID.
    Contradictions are shown below the table, each with the places that disagree. Unusable input is
    skipped and reported on standard error.

    Examples:
      $ fdaa networks --apps apps.json --machines web=machines-web.json --machines status.json
      $ fdaa networks --apps apps.json --machines machines/ --book networks.json
      $ fdaa networks --book networks.json --format dot | dot -Tsvg > networks.svg

    Where documents come from:
      App list   curl -H "Authorization: Bearer $TOKEN" "$URL/v1/apps?org_slug=ORG"; or --org ORG
      Machines   the platform's command-line tool, exported as JSON; or dig +short TXT in a Machine
      Addresses  the platform's command-line tool, exported as JSON
      Recipe     docs/documents.md, "Get the documents"

    Exit status: 0 done, 1 a contradiction or no such network, 2 unusable input.
    """
    if as_json and format_ not in (None, "json"):
        raise click.UsageError(f"--json and --format {format_} cannot be combined")
    if not (documents or book_file):
        raise click.UsageError("give documents (--apps, --org, --machines, --addresses) or --book")
    book = open_book(book_file, missing_ok=bool(documents))
    inputs = read_inputs(documents, book)
    joined = inputs.joined
    kept = book is None or not documents or _learn(book, inputs)
    rows, missing = _chosen(joined, wanted) if wanted else (joined.networks, False)
    contradictions = _about(joined, rows) if wanted else joined.contradictions
    if quiet:
        report_contradictions(contradictions)
    elif as_json or format_ == "json":
        sys.stdout.writelines(_as_json(rows, why=why))
        sys.stdout.writelines(remarks_as_json(inputs, contradictions))
    elif format_ in ("mermaid", "dot"):
        report_contradictions(contradictions)
        draw = dot if format_ == "dot" else mermaid
        sys.stdout.write(draw(joined, rows if wanted else None))
    else:
        sys.stdout.writelines(_as_table(rows, why=why))
        for contradiction in contradictions:
            lines = describe_contradiction(contradiction).splitlines()
            sys.stdout.writelines(("\n", *map(output.indented, lines)))
    status = status_of(inputs, NO if contradictions or missing else YES)
    if not joined.networks:
        complain("no networks found in these documents")
    return status if kept else WRONG


def _learn(book: Book, inputs: Inputs) -> bool:
    """Keep the documents' facts in the book, and return whether it could be written."""
    facts = [*NetworkMap(inputs.documents).bindings()]
    try:
        new = Book.load(book.file, missing_ok=True).add(facts)
        if new:  # known facts need no lock, and no permission to write
            with Book.edit(book.file) as locked:
                new = locked.add(facts)
    except BookError as error:
        complain(str(error))  # and the documents are still shown
        return isinstance(error, BookConflictError)  # whose contradictions are shown, too
    if new:
        names = ", ".join(f"{inline(fact.name)} {fact.network_id}" for fact in new)
        complain(f"learned {output.counted(len(new), 'network')}: {names}")
    return True


# --- --only ---------------------------------------------------------------------------------------


def _chosen(joined: NetworkMap, wanted: Collection[str]) -> tuple[Sequence[Network], bool]:
    """Return the requested networks, and whether one of them is missing."""
    chosen: dict[Network, None] = {}
    missing = False
    for text in wanted:
        row = joined.by_name(text) if is_name(text) else joined.by_id(text)
        if row is None:
            missing = True
            names = (str(network.name) for network in joined.networks if network.name is not None)
            hint = did_you_mean(text, names)
            complain(f"network {quote(text)} is not in these documents{hint}")
        else:
            chosen[row] = None
    return list(chosen), missing


def _about(joined: NetworkMap, rows: Sequence[Network]) -> list[Contradiction]:
    """Return the contradictions about one of these networks."""
    names = {row.name for row in rows} - {None}
    ids = {row.network_id for row in rows} - {None}
    apps = {app for row in rows for app in row.apps}

    def is_about(fact: Fact) -> bool:
        return fact.name in names or fact.network_id in ids or fact.app in apps

    return [found for found in joined.contradictions if any(map(is_about, found.facts))]


# --- what is shown --------------------------------------------------------------------------------


def _as_json(rows: Sequence[Network], *, why: bool) -> Iterator[str]:
    for row in rows:
        fields = row.to_dict()
        if why:
            fields["origins"] = row.fact.to_dict()["origins"]
        yield output.json_line(fields)


def _as_table(rows: Sequence[Network], *, why: bool) -> Iterator[str]:
    lines: list[tuple[str, ...] | str] = []
    for row in rows:
        id_, prefix = "?", "?"
        if row.network_id is not None:
            id_, prefix = str(row.network_id), str(row.network_id.prefix)
        machines = "-" if row.machines is None else str(row.machines)
        lines.append((inline(row.name), id_, prefix, machines, list_apps(row.apps)))
        if row.requires is not None:
            lines.append(
                f"  to complete it: {_REQUIRED[row.requires].format(one=_one_of(row.apps))}"
            )
        if why:
            lines.append(f"  known from: {describe_origins(row.fact.origins)}")
    yield from output.table(lines, ("network", "ID", "prefix", "Machines", "apps"))


def _one_of(apps: tuple[str, ...]) -> str:
    if not apps:
        return "an app on it"
    return list_apps(apps) if len(apps) == 1 else f"one of its apps ({list_apps(apps)})"


_REQUIRED = {
    Requirement.MACHINE_LIST: "a Machine list of {one} (--machines)",
    Requirement.MACHINE_WITH_ADDRESS: "a Machine of {one} that has an address; there is none yet",
    Requirement.APP_LIST: "an app list that has {one} (--apps)",
    Requirement.APP_OF_MACHINE_LIST: "the app of this Machine list (--machines APP=FILE), "
    "and an app list (--apps)",
    Requirement.MACHINE_LIST_ON_IT: "a Machine list of an app on it (--machines APP=FILE), "
    "and an app list (--apps)",
    Requirement.AGREEMENT: "documents that agree about it; see below where they do not",
}
