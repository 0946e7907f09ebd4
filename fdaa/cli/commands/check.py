"""`fdaa check`: which network does each cross-network address serve, and is that right?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli import _render as output
from fdaa.cli._book_names import open_book
from fdaa.cli._document_options import (
    describe_contradiction,
    document_options,
    read_inputs,
    remarks_as_json,
    status_of,
)
from fdaa.cli._exit_status import NO, UNKNOWN, YES
from fdaa.cli._options import book_option, quiet_option
from fdaa.cli._streams import complain, inline
from fdaa.cli._verdict_text import describe_allocation
from fdaa.networks import check_allocations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.cli._document_options import DocumentOptions
    from fdaa.networks import CheckedAllocation


@click.command()
@document_options
@book_option()
@quiet_option
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object for each address.")
def check(book_file: str | None, quiet: bool, as_json: bool, documents: DocumentOptions) -> int:
    """Show which network each cross-network address serves.

    A cross-network address is allocated to an app, and serves the clients of one network. A
    warning is printed if that is the app's own network, whose clients cannot use it, or a network
    that no listed app is on.

    Examples:
      $ fdaa check --apps apps.json --machines status.json --addresses web=ips-web.json
      $ fdaa check --apps apps.json --addresses web=ips-web.json -q || echo "warnings found"

    Exit status: 0 no warnings, 1 a warning or a contradiction, 2 invalid input, 3 unknown.
    """
    if not documents.addresses:
        raise click.UsageError("give the addresses allocated to an app: --addresses APP=FILE")
    inputs = read_inputs(documents, open_book(book_file))
    found = check_allocations(inputs.joined)
    contradictions = inputs.joined.contradictions
    if as_json and not quiet:
        sys.stdout.writelines(output.json_line(checked.to_dict()) for checked in found)
        sys.stdout.writelines(remarks_as_json(inputs, contradictions))
    elif not quiet:
        head = ("address", "app", "serves clients of", "ID")
        sys.stdout.writelines(output.table(_rows(found), head))
        for contradiction in contradictions:
            sys.stdout.write("\n" + describe_contradiction(contradiction))
        if not found:
            complain("no cross-network address in these documents")
    status = NO if contradictions else _status(found)
    return status_of(inputs, status, quiet=quiet)


def _status(found: list[CheckedAllocation]) -> int:
    warnings = {checked.warning for checked in found}
    if "own-network" in warnings or "no-app-on-network" in warnings:
        return NO
    if "unknown-network" in warnings or any(checked.own is None for checked in found):
        return UNKNOWN
    return YES


def _rows(found: list[CheckedAllocation]) -> Iterator[tuple[str, ...] | str]:
    for checked in found:
        allocated = checked.allocated
        yield (
            str(allocated.address),
            inline(allocated.app),
            inline(checked.network.name),
            str(allocated.network_id),
        )
        for remark in describe_allocation(checked):
            yield f"  {remark}"
