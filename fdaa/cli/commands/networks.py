"""`fdaa networks`: names and IDs of networks, joined from documents."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import as_unicode, inline, quote
from fdaa._support.suggestions import did_you_mean
from fdaa._values.address import NetworkID
from fdaa._values.ends import NETWORK
from fdaa._values.hosts import is_name
from fdaa.cli._documents import HOW_TO_GIVE, Documents, contradiction_lines, documents_options
from fdaa.cli._output import (
    FILE,
    NO,
    YES,
    CommandError,
    Output,
    complain,
    counted,
    note,
    output_options,
    table,
)
from fdaa.explain import decode
from fdaa.explain._decoded import HOLDER_FIELDS
from fdaa.explain._document_words import (
    describe_apps,
    describe_origins,
    explain_completion,
    explain_holder,
)
from fdaa.networks import FileError, mermaid, save_networks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.explain import Decoded
    from fdaa.networks import Contradiction, Network, NetworkMap

_FIELDS = (
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


@click.command()
@documents_options
@click.option(
    "wanted",
    "--only",
    metavar="NETWORK",
    multiple=True,
    help="Show only this network, by name or ID. Repeatable.",
)
@click.option("--addresses", is_flag=True, help="Show all addresses instead, with who has them.")
@click.option("--why", is_flag=True, help="Show where each name and ID was read.")
@click.option("--mermaid", "as_picture", is_flag=True, help="Print a picture for Mermaid.")
@click.option(
    "--save",
    metavar="FILE",
    type=FILE,
    help="Keep names and IDs in FILE, with what is in it already. FILE is a document, too.",
)
@output_options(*_FIELDS)
def networks(
    wanted: tuple[str, ...],
    addresses: bool,
    why: bool,
    as_picture: bool,
    save: str | None,
    documents: Documents,
    output: Output,
) -> int:
    """Join network names with network IDs.

    App lists contain the names, and the addresses of Machines the IDs. Contradictions are printed
    below the table. What a document is, its content decides. Machine and address lists do not name
    their app, so their files do: see below.

    Exit status: 0 done, 1 a contradiction or no such network.

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
      $ fdaa networks -d documents/ --only customer-17 --mermaid > networks.mmd
    """
    if not documents.given:
        raise click.UsageError(f"nothing to read. {HOW_TO_GIVE}")
    joined = documents.joined
    rows, status = _chosen(joined, wanted)
    contradictions = _about(joined, rows) if wanted else list(joined.contradictions)
    if addresses:
        ids = {row.network_id for row in rows}
        held = [a for a in sorted(joined.addresses) if not wanted or a.network_id in ids]
        holders = [decode(address, joined)[0] for address in held]
        output.show([each.holder for each in holders if each.holder], _address_table(holders))
    else:
        text = mermaid(joined, rows).splitlines() if as_picture else _table(rows, joined, why=why)
        records = [{**row.to_dict(), **(_origins(row) if why else {})} for row in rows]
        output.show(records, text, [*contradictions, *documents.unused])
    if not output.as_json and not output.quiet:
        sys.stdout.flush()
        for contradiction in contradictions:
            for line in contradiction_lines(contradiction):
                complain(line)
    if save is not None:
        status = _save(save, documents) or status
    if not rows and not documents.unusable and not wanted:
        note("no networks found in these documents")
    return documents.status(NO if contradictions else status, quiet=output.quiet)


def _chosen(joined: NetworkMap, wanted: tuple[str, ...]) -> tuple[list[Network], int]:
    """Return the networks that --only names, or all; and the status."""
    if not wanted:
        return list(joined.networks), YES
    found: dict[int, Network] = {}
    status = YES
    for text in wanted:
        name = text.removeprefix(NETWORK)
        row = joined.by_name(name) if is_name(name) else joined.by_id(NetworkID(name))
        if row is None:
            status = NO
            hint = did_you_mean(name, joined.names)
            note(f"network {quote(text)} is not in these documents{hint}")
        else:
            found[id(row)] = row
    return list(found.values()), status


def _about(joined: NetworkMap, rows: list[Network]) -> list[Contradiction]:
    """Return the contradictions about one of these networks."""
    about = {part for row in rows for part in (row.name, row.network_id, *row.apps)} - {None}
    return [
        each
        for each in joined.contradictions
        if any(about & {fact.name, fact.network_id, fact.app} for fact in each.facts)
    ]


def _origins(row: Network) -> dict[str, object]:
    return {"origins": row.fact.to_dict()["origins"]}


def _table(rows: list[Network], joined: NetworkMap, *, why: bool) -> Iterator[str]:
    lines: list[tuple[str, ...] | str] = []
    is_complete = True
    for row in rows:
        parts = ("?", "?") if row.network_id is None else (row.network_id, row.network_id.prefix)
        machines = "-" if row.machine_count is None else str(row.machine_count)
        lines.append((inline(row.name), *map(str, parts), machines, describe_apps(row.apps)))
        remark = explain_completion(row, joined)
        if remark is not None:
            is_complete = is_complete and not remark.missing
            lines.append(f"  to complete it: {remark}")
        if why:
            lines.append(f"  known from: {describe_origins(row.fact.origins)}")
    yield from table(lines, ("network", "ID", "prefix", "Machines", "apps"))
    if not is_complete:
        yield HOW_TO_GIVE


def _address_table(holders: list[Decoded]) -> Iterator[str]:
    rows: list[tuple[str, ...] | str] = []
    for each in holders:
        rows.append(each.cells())
        remark = None if each.holder is None else explain_holder(each.holder)
        if remark is not None:
            rows.append(f"  {remark}")
    return table(rows, ("address", "network", "ID", "app", "Machine"))


def _save(file: str, documents: Documents) -> int:
    """Save the networks that documents do not dispute."""
    try:
        saved = save_networks(file, documents.read)
    except FileError as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{quote(file)}: {error.strerror or error}") from None
    note(f"{as_unicode(file)}: {counted(len(saved.added), 'network')} added")
    for row in saved.disputed:
        complain(f"{as_unicode(file)}: not saved, as documents disagree: {inline(str(row))}")
    return NO if saved.disputed else YES
