"""`fdaa networks`: names and IDs of networks, joined from documents."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import inline, quote
from fdaa._support.suggestions import did_you_mean
from fdaa._values.address import NetworkID
from fdaa.cli import _layout as layout
from fdaa.cli._document_options import (
    contradiction_lines,
    document_options,
    read_inputs,
    report_contradictions,
    status_of,
    write_remarks,
)
from fdaa.cli._next import with_options
from fdaa.cli._options import book_option, complete_network, open_book, quiet_option, read_network
from fdaa.cli._records import Records, record_options
from fdaa.cli._statuses import NO, YES
from fdaa.cli._streams import note
from fdaa.explain._document_words import describe_apps, describe_origins, explain_completion
from fdaa.networks import Network, NetworkMap, mermaid
from fdaa.networks._completion import Completing, find_completion

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from fdaa.cli._document_options import DocumentOptions, Inputs
    from fdaa.networks import Contradiction

_FIELDS = (
    "kind",
    "network_name",
    "network_id",
    "network_id_int",
    "prefix",
    "apps",
    "machine_count",
    "origins",
)


@click.command()
@document_options
@book_option()
@click.option(
    "wanted",
    "--only",
    metavar="NETWORK",
    shell_complete=complete_network,
    multiple=True,
    help="Show only this network, by name or ID. Repeatable.",
)
@click.option("--why", is_flag=True, help="Show where each name and ID was read.")
@quiet_option
@click.option(
    "format_",
    "--format",
    type=click.Choice(("table", "mermaid")),
    help="A table (the default), or a picture for Mermaid.",
)
@record_options(*_FIELDS)
def networks(
    book_file: str | None,
    wanted: tuple[str, ...],
    why: bool,
    quiet: bool,
    format_: str | None,
    records: Records,
    documents: DocumentOptions,
) -> int:
    """Join network names with network IDs.

    App lists contain the names, and the addresses of Machines the IDs. Contradictions are printed
    below the table. `fdaa book learn` keeps the result.

    Examples:
      $ fdaa networks --apps apps.json --machines web=machines-web.json
      $ fdaa networks --book networks.json --format mermaid > networks.mmd

    Where documents come from:
      App list   curl -H "Authorization: Bearer $TOKEN" "$URL/v1/apps?org_slug=ORG"; or --org ORG
      Machines   the platform's command-line tool, exported as JSON; or dig +short TXT in a Machine
      Addresses  the same tool

    Exit status: 0 done, 1 a contradiction or no such network.
    """
    if records and format_ is not None:
        raise click.UsageError("--format cannot be combined with --json or --field")
    if not (documents or book_file):
        raise click.UsageError("give documents (--apps, --org, --machines, --addresses) or --book")
    inputs = read_inputs(documents, open_book(book_file))
    chosen = _Chosen(inputs.joined, wanted)
    if not quiet:
        _print(chosen, inputs, why, format_, records)
    status = NO if chosen.contradictions or chosen.is_missing else YES
    status = status_of(inputs, status, quiet=quiet)
    if not inputs.joined.networks and not inputs.unusable:
        note("no networks found in these documents")
    return status


def _print(
    chosen: _Chosen, inputs: Inputs, why: bool, format_: str | None, records: Records
) -> None:
    if records:
        for row in chosen.rows:
            records.write(_record(row, why=why))
        write_remarks(records, inputs, chosen.contradictions)
    elif format_ == "mermaid":
        report_contradictions(chosen.contradictions, inputs)
        sys.stdout.write(mermaid(inputs.joined, chosen.rows))
    else:
        sys.stdout.writelines(_as_table(chosen.rows, inputs, why=why))
        for contradiction in chosen.contradictions:
            sys.stdout.write("\n")
            sys.stdout.writelines(map(layout.indented, contradiction_lines(contradiction, inputs)))


# --- --only ---------------------------------------------------------------------------------------


class _Chosen:
    """The networks to show: those that --only names, or all.

    Args:
        joined: the documents and the book.
        wanted: the values of --only.
    """

    def __init__(self, joined: NetworkMap, wanted: Collection[str]) -> None:
        self.is_missing = False
        self.rows: Sequence[Network] = joined.networks
        self.contradictions = joined.contradictions
        if wanted:
            self.rows = self._named(joined, wanted)
            self.contradictions = tuple(_about(joined, self.rows))

    def _named(self, joined: NetworkMap, wanted: Collection[str]) -> list[Network]:
        found: list[Network] = []
        for text in wanted:
            network = read_network(text)
            if isinstance(network, NetworkID):
                row = joined.by_id(network)
            else:
                row = joined.by_name(network)
            if row is None:
                self.is_missing = True
                hint = did_you_mean(str(network), joined.names)
                note(f"network {quote(text)} is not in these documents{hint}")
            elif row not in found:
                found.append(row)
        return found


def _about(joined: NetworkMap, rows: Sequence[Network]) -> list[Contradiction]:
    """Return the contradictions about one of these networks."""
    names: set[str | None] = set()
    ids: set[NetworkID | None] = set()
    apps: set[str | None] = set()
    for row in rows:
        names.add(row.name)
        ids.add(row.network_id)
        apps.update(row.apps)
    names.discard(None)
    ids.discard(None)
    found = []
    for contradiction in joined.contradictions:
        for fact in contradiction.facts:
            if fact.name in names or fact.network_id in ids or fact.app in apps:
                found.append(contradiction)
                break
    return found


# --- what is shown --------------------------------------------------------------------------------


def _record(row: Network, *, why: bool) -> dict[str, object]:
    fields = row.to_dict()
    if why:
        fields["origins"] = row.fact.to_dict()["origins"]
    return fields


def _as_table(rows: Sequence[Network], inputs: Inputs, *, why: bool) -> Iterator[str]:
    lines: list[tuple[str, ...] | str] = []
    for row in rows:
        id_ = "?"
        prefix = "?"
        if row.network_id is not None:
            id_ = str(row.network_id)
            prefix = str(row.network_id.prefix)
        machines = str(row.machine_count) if row.machine_count is not None else "-"
        lines.append((inline(row.name), id_, prefix, machines, describe_apps(row.apps)))
        completion = find_completion(row, inputs.joined)
        if completion is not None:
            remark = explain_completion(completion)
            completing = with_options(remark.text, remark.missing)
            if completion.by is Completing.AGREEMENT:
                completing += " (see below)"
            lines.append(f"  to complete it: {completing}")
        if why:
            lines.append(f"  known from: {describe_origins(row.fact.origins)}")
    yield from layout.table(lines, ("network", "ID", "prefix", "Machines", "apps"))
