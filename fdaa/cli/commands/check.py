"""`fdaa check`: whose requests does each address allocated for cross-network access take?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli import _render as output
from fdaa.cli._book_names import open_book
from fdaa.cli._documents import (
    describe_contradiction,
    document_options,
    read_inputs,
    remarks_as_json,
    status_of,
)
from fdaa.cli._options import book_option
from fdaa.cli._streams import NO, YES, complain, inline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.networks._allocations import Serving

_UNSURE = ": whether it serves its app's own network cannot be told"


@click.command(
    epilog="""\b
Example:
  $ fdaa check --apps apps.json --machines status.json --addresses web=ips-web.json

Exit status: 0 nothing to warn of, 1 a warning or a contradiction, 2 something could not be used."""
)
@document_options
@book_option
@click.option("as_json", "--json", is_flag=True, help="Print a JSON object a line.")
def check(
    apps: tuple[str, ...],
    machines: tuple[str, ...],
    addresses: tuple[str, ...],
    book_file: str | None,
    as_json: bool,
) -> int:
    """Tell whose requests the addresses for cross-network access take.

    An address allocated to an app for cross-network access serves the clients of one network. It
    warns where that is the app's own network, whose clients cannot use it, or a network that no
    app is known to be on.
    """
    if not addresses:
        raise click.UsageError("give the addresses allocated to an app: --addresses APP=FILE")
    from fdaa.networks._allocations import check as check_all
    from fdaa.networks._join import NetworkMap
    from fdaa.networks._model import Rule

    inputs = read_inputs(apps, machines, addresses)
    joined = NetworkMap(inputs.documents, open_book(book_file) or ())
    found = check_all(joined)
    # The warnings say that already.
    others = [each for each in joined.contradictions if each.rule != Rule.ADDRESS_FOR_OWN_NETWORK]
    if as_json:
        sys.stdout.writelines(output.json_line(each.to_json()) for each in found)
        sys.stdout.writelines(remarks_as_json(inputs, joined, others))
    else:
        head = ("address", "app", "serves clients of", "ID")
        sys.stdout.writelines(output.table(_rows(found), head))
        for contradiction in others:
            sys.stdout.write("\n" + describe_contradiction(contradiction))
        if not found:
            complain("no address in these documents is for cross-network access")
    wrong = others or any(each.warning for each in found)
    return status_of(inputs, joined, NO if wrong else YES)


def _rows(found: list[Serving]) -> Iterator[tuple[str, ...] | str]:
    for each in found:
        allocated, network, own, warning = each
        app = "?" if allocated.app is None else inline(allocated.app)
        name = "?" if network.name is None else inline(network.name)
        address = allocated.address
        yield str(address), app, name, str(address.network_id)
        if warning is not None:
            yield f"  warning: {_explained(each)}"
        if allocated.stated is not None and allocated.stated != network.name:
            yield f"  the document says network {inline(allocated.stated)}"
        if allocated.app is None:
            yield f"  which app it is allocated to was not told (--addresses APP=FILE){_UNSURE}"
        elif own is None:
            yield f"  the network that {app} itself is on is not known well enough{_UNSURE}"


def _explained(serving: Serving) -> str:
    from fdaa.networks._allocations import NO_APP_ON_NETWORK, OWN_NETWORK, UNKNOWN_NETWORK

    app = inline(serving.allocated.app or "the app")
    return {
        OWN_NETWORK: f"{app} is on this network itself, and is not reachable through this address "
        "from there; allocate it for the network that the clients are on",
        NO_APP_ON_NETWORK: "no app in these documents is on this network; was it allocated for "
        "the right one?",
        UNKNOWN_NETWORK: "which network this is cannot be told; Machine lists of more apps "
        "(--machines) or an app list (--apps) would",
    }[serving.warning or ""]
