"""`fdaa networks`: names and IDs of networks, joined from documents."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import inline, quote
from fdaa._support.suggestions import did_you_mean
from fdaa._support.tables import table
from fdaa._values.address import NetworkID
from fdaa._values.ends import NETWORK
from fdaa._values.hosts import is_name
from fdaa.cli._documents import (
    Documents,
    contradiction_lines,
    documents_options,
    lacking,
    needs_documents,
)
from fdaa.cli._output import FILE, NO, YES, CommandError, Output, complain, note, output_options
from fdaa.cli.commands.decode import holders_table
from fdaa.explain._decoded import HOLDER_FIELDS, decode
from fdaa.explain._document_words import describe_apps, explain_completion
from fdaa.networks import mermaid, save_networks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.explain import Decoded, Missing
    from fdaa.networks import Contradiction, Network, NetworkMap, Unused
    from fdaa.networks._saved import SaveResult


@click.command()
@click.argument("wanted", metavar="[APP|NETWORK]...", nargs=-1)
@documents_options
@click.option("--addresses", is_flag=True, help="Show addresses, and who has them.")
@click.option("--why", is_flag=True, help="Show where each name and ID was read.")
@click.option(
    "--format", "as_format", type=click.Choice(["mermaid"]), help="Print a Mermaid diagram."
)
@click.option(
    "--save",
    metavar="FILE",
    type=FILE,
    help="Add names and IDs to FILE, for --documents.",
)
@output_options(
    "kind",
    "network_name",
    "network_id",
    "network_id_int",
    "prefix",
    "apps",
    "machine_count",
    "origins",
    "address",
    *HOLDER_FIELDS[1:-1],
)
def networks(
    wanted: tuple[str, ...],
    addresses: bool,
    why: bool,
    as_format: str | None,
    save: str | None,
    documents: Documents,
    output: Output,
) -> int:
    """Join network names with network IDs.

    Names come from app lists, IDs from addresses of Machines. APP or NETWORK selects networks.
    Contradictions follow the table. A document is recognized by its content; the file name of a
    Machine or address list must name its app.

    Exit status: 0 done, 1 a contradiction, or no such network.

    Files:
      apps.json            curl -H "Authorization: Bearer $TOKEN" "$URL/v1/apps?org_slug=ORG"
      machines-APP.json    the platform's command-line tool, exported as JSON; or machines/APP.json
      addresses-APP.json   the same tool; or addresses/APP.json
      instances.txt        dig +short TXT in a Machine: the Machines of all apps
      networks.json        fdaa networks --save networks.json

    Examples:
      $ fdaa networks -d apps.json -d machines-web.json
      $ FDAA_DOCUMENTS=documents/:networks.json fdaa networks --addresses
      $ fdaa networks -d documents/ --save networks.json
      $ fdaa networks customer-17 -d documents/ --format mermaid > networks.mmd
    """
    needs_documents(documents)
    if save == "-":
        raise click.UsageError("--save needs the name of a file")
    if as_format is not None and (addresses or not output.is_text):
        raise click.UsageError("--format cannot be combined with --addresses, --json or --field")
    saved = None
    if save is not None:
        saved = _save(save, documents)
        documents.joined = saved.networks  # with what FILE has
    joined = documents.joined
    rows = list(joined.networks)
    contradictions = list(joined.contradictions)
    status = YES
    if wanted:
        rows, status = _chosen(joined, wanted)
        contradictions = _about(joined, rows)
    if contradictions or (saved is not None and saved.disputed):
        status = NO
    below = contradiction_lines(contradictions)
    remarks: list[Contradiction | Unused] = []
    remarks.extend(contradictions)
    remarks.extend(documents.unused)
    is_table = output.is_text and as_format is None
    if addresses:
        answers, text = _addresses(joined, rows)
    else:
        answers = [_record(row, why=why) for row in rows]
        text = _table(rows, joined, why=why)
    if is_table:
        text = chain(text, below)
    elif as_format is not None:
        text = iter(mermaid(joined, rows).splitlines())
    output.show(answers, text, remarks)
    sys.stdout.flush()  # the results first
    if not (is_table or output.as_json or output.quiet):
        for line in below:
            complain(line)
    if saved is not None:
        _report(saved, inline(save))
    if not rows and not wanted and not documents.is_incomplete:
        note("no networks found in these documents")
    return documents.status(status)


# --- what is asked for ----------------------------------------------------------------------------


def _chosen(joined: NetworkMap, wanted: tuple[str, ...]) -> tuple[list[Network], int]:
    """Return the networks of the apps, names and IDs that are given; and the status."""
    found: dict[int, Network] = {}
    status = YES
    for text in wanted:
        rows = _rows_of(text, joined)
        if not rows:
            status = NO
            hint = did_you_mean(text, list(joined.apps) + list(joined.names))
            note(f"{quote(text)} is neither an app nor a network in these documents{hint}")
        for row in rows:
            found[id(row)] = row
    return list(found.values()), status


def _rows_of(text: str, joined: NetworkMap) -> list[Network]:
    """Return the networks that a text names: an app's, and the one of this name or ID.

    Raises:
        NetworkIDError: it is neither a name nor an ID.
    """
    name = text.removeprefix(NETWORK)
    row = joined.by_name(name) if is_name(name) else joined.by_id(NetworkID(name))
    rows = []
    if row is not None:
        rows.append(row)
    if name == text:  # not `network:NAME`
        rows.extend(each for each in joined.networks if text in each.apps)
    return rows


def _about(joined: NetworkMap, rows: list[Network]) -> list[Contradiction]:
    """Return the contradictions about one of these networks."""
    parts: set[object] = set()
    for row in rows:
        parts.update({row.name, row.network_id}, row.apps)
    parts.discard(None)
    found: dict[Contradiction, None] = {}
    for contradiction in joined.contradictions:
        for fact in contradiction.facts:
            if parts & {fact.name, fact.network_id, fact.app}:
                found[contradiction] = None
    return list(found)


# --- what is printed ------------------------------------------------------------------------------


def _record(row: Network, *, why: bool) -> dict[str, object]:
    record = row.to_dict()
    if why:
        record["origins"] = row.fact.to_dict()["origins"]
    return record


def _table(rows: list[Network], joined: NetworkMap, *, why: bool) -> Iterator[str]:
    lines: list[tuple[str, ...] | str] = []
    missing: list[Missing] = []
    for row in rows:
        network_id = prefix = "?"
        if row.network_id is not None:
            network_id = str(row.network_id)
            prefix = str(row.network_id.prefix)
        machines = "-"
        if row.machine_count is not None:
            machines = str(row.machine_count)
        lines.append((inline(row.name), network_id, prefix, machines, describe_apps(row.apps)))
        remark = explain_completion(row, joined)
        if remark is not None:
            missing.extend(remark.missing)
            lines.append(f"  to complete it: {remark}")
        if why:
            lines.append(f"  known from: {row.fact.known_from}")
    yield from table(lines, ("network", "ID", "prefix", "Machines", "apps"))
    yield from lacking(missing)


def _addresses(
    joined: NetworkMap, rows: list[Network]
) -> tuple[list[dict[str, object]], Iterator[str]]:
    """Return the holders of the addresses on these networks, as records and as a table."""
    found: list[Decoded] = []
    shown = {row.network_id for row in rows}
    for address in sorted(joined.addresses):
        if address.network_id in shown:
            found.extend(decode(address, joined))
    records = [each.holder.to_dict() for each in found if each.holder is not None]
    return records, holders_table(Counter(found))


def _save(file: str, documents: Documents) -> SaveResult:
    """Save the networks.

    Raises:
        FileError: the file is of another kind.
        CommandError: it cannot be read or written.
    """
    try:
        return save_networks(file, documents.read)
    except OSError as error:
        raise CommandError(f"{inline(file)}: {error.strerror or error}") from None


def _report(saved: SaveResult, file: str) -> None:
    """Report what is new in the file, and what was left out."""
    for entry in saved.added:
        note(f"{file}: added {entry.name} ({entry.network_id})")
    if not saved.added:
        note(f"{file}: nothing new")
    for row in saved.disputed:
        complain(f"{file}: not saved, as documents disagree: {inline(row.name)}")
