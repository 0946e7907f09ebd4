"""`fdaa reach`: can SOURCE reach TARGET, and if not, what now?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa._values.address import Address
from fdaa._values.ends import AddressPort, App
from fdaa._values.hosts import Host
from fdaa.cli import _layout as layout
from fdaa.cli._arguments import read_end
from fdaa.cli._document_options import (
    complete_end,
    document_options,
    read_inputs,
    report_contradictions_exist,
    status_of,
)
from fdaa.cli._next import command_for, verdict_with_options
from fdaa.cli._options import book_option, open_book, quiet_option
from fdaa.cli._records import VERDICT_FIELDS, Records, record_options
from fdaa.cli._statuses import STATUS_OF
from fdaa.explain import ProbeStep, explain_verdict
from fdaa.networks import reach as judge
from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa._values.ends import End
    from fdaa.cli._document_options import DocumentOptions

_FIELDS = (
    "kind",
    "source",
    "target",
    *VERDICT_FIELDS,
    "incomplete",
)


@click.command()
@click.argument("source", shell_complete=complete_end)
@click.argument("target", shell_complete=complete_end, required=False)
@document_options
@book_option()
@click.option(
    "--permitted",
    is_flag=True,
    help="Show what the configuration permits, even if nothing runs now.",
)
@click.option("--why", is_flag=True, help="Show what each sentence is based on.")
@quiet_option
@record_options(*_FIELDS)
def reach(
    source: str,
    target: str | None,
    book_file: str | None,
    permitted: bool,
    why: bool,
    quiet: bool,
    records: Records,
    documents: DocumentOptions,
) -> int:
    """Show whether SOURCE can reach TARGET, and what to do if not.

    SOURCE and TARGET are each an address, an app or its host (web, web.internal:8080), a Machine's
    identifier or host, a network ID (2:45b), a network name (network:customer-17), or self: this
    Machine. The verdict does not show whether anything is listening. If a part of a document cannot
    be used, the verdict says so, and the status is 2.

    Examples:
      $ fdaa reach web reports --apps apps.json --machines instances.txt
      $ fdaa reach network:customer-17 2:224b --book networks.json -q || echo "not reachable"

    Exit status: 0 reachable, 1 not reachable, 3 unknown.
    """
    if target is None:
        raise click.UsageError("Missing argument 'TARGET'. For a line: fdaa 'TEXT'.")
    inputs = read_inputs(documents, open_book(book_file))
    joined = inputs.joined
    own = read_this_computer()
    start = read_end(source, own, joined)
    end = read_end(target, own, joined)
    verdict = judge(start, end, joined)
    answer = verdict.permitted if permitted else verdict.reachable
    status = status_of(inputs, STATUS_OF[answer], quiet=quiet)
    if quiet:
        return status
    is_incomplete = bool(inputs.errors)
    explained = explain_verdict(verdict, joined, is_incomplete=is_incomplete)
    if records:
        records.write({**explained.to_dict(), "incomplete": is_incomplete})
    else:
        shown = verdict_with_options(explained).lines(basis=why, permission=permitted)
        sys.stdout.writelines(map(layout.indented, shown))
        if verdict.reachable and start == own.address:
            if verdict.via:  # a name of another network does not resolve here
                end = verdict.via[0]
            sys.stdout.writelines(_next_command(end, documents.words(book_file)))
    sys.stdout.flush()  # the verdict first
    report_contradictions_exist(inputs)
    return status


def _next_command(end: End, documents: list[str]) -> Iterator[str]:
    """Yield the command that tries a connection from this Machine to a target."""
    match end:
        case AddressPort(address):
            step = ProbeStep(address, port=end.port)
        case Address():
            step = ProbeStep(end, port=None)
        case App(name):
            step = ProbeStep(Host(f"{name}.internal"), port=None)
        case Host():
            step = ProbeStep(end, port=end.port)
        case _:
            return
    command = layout.shell_line(command_for(step, documents, port="PORT"))
    yield layout.command("  next:", command)
