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
from fdaa.networks import AllocationWarning, check_allocations

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

    An address allocated to an app for cross-network access serves the clients of one network. A
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
            complain("no address in these documents is for cross-network access")
    unknown = AllocationWarning.UNKNOWN_NETWORK
    wrong = contradictions or any(checked.warning not in (None, unknown) for checked in found)
    unclear = any(checked.own is None or checked.warning is unknown for checked in found)
    return status_of(inputs, NO if wrong else UNKNOWN if unclear else YES)


def _rows(found: list[CheckedAllocation]) -> Iterator[tuple[str, ...] | str]:
    for checked in found:
        allocated, network, warning = checked.allocated, checked.network, checked.warning
        app = inline(allocated.app)
        yield str(allocated.address), app, inline(network.name), str(allocated.network_id)
        if warning is not None:
            yield "  " + _WARNINGS[warning].format(app=app)
        if allocated.app is None:
            yield "  unknown: whether that is its app's own network; use --addresses APP=FILE"
        elif checked.own is None:
            yield f"  unknown: whether {app} is on this network itself; add --machines {app}=FILE"


_WARNINGS = {
    AllocationWarning.OWN_NETWORK: "warning: {app} is on this network itself, and cannot be "
    "reached through this address from there; allocate one for the network of the clients",
    AllocationWarning.NO_APP_ON_NETWORK: "warning: no app in these documents is on this network; "
    "was the address allocated for the right one?",
    AllocationWarning.UNKNOWN_NETWORK: "unknown: which network this is; add an app list (--apps) "
    "and a Machine list of an app on it (--machines)",
}
