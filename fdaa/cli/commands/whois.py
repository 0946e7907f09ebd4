"""`fdaa whois`: which Machine, app and network is this address of?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli import _render as output
from fdaa.cli._book_names import open_book
from fdaa.cli._documents import document_options, read_inputs, status_of
from fdaa.cli._options import book_option
from fdaa.cli._pasted import one_address
from fdaa.cli._streams import NO, UNKNOWN, WRONG, YES, complain, inline
from fdaa.errors import AddressError
from fdaa.networks import Holding, NetworkMap, find_holder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.address import Address
    from fdaa.networks import Holder

_STATUS = {
    Holding.STALE: NO,
    Holding.CONTRADICTION: UNKNOWN,
    Holding.SERVICE: UNKNOWN,
    Holding.UNKNOWN: UNKNOWN,
}  # of the others YES


@click.command(
    epilog="""\b
Examples:
  $ fdaa whois fdaa:2:45b:a7b:174:db43:d3c6:2 --apps apps.json --machines web=web.json
  $ fdaa whois fdaa:2:45b::9 --machines web=web.json --book networks.json

Exit status: 0 known, 1 an address is stale, 2 wrong input, 3 not known who has an address."""
)
@click.argument("addresses_asked", metavar="ADDRESS...", nargs=-1, required=True)
@document_options
@book_option
@click.option("quiet", "-q", "--quiet", is_flag=True, help="Print no answer; use the status.")
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object for each address.")
def whois(
    addresses_asked: tuple[str, ...],
    apps: tuple[str, ...],
    machines: tuple[str, ...],
    addresses: tuple[str, ...],
    org: str | None,
    book_file: str | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Show the Machine, app and network of each ADDRESS.

    An address is stale if its app's Machine list is there and does not have it. Without a --book
    that knows its app, the Machine lists of all apps on its network are needed for that.
    """
    asked = [_read(text) for text in addresses_asked]
    inputs = read_inputs(apps, machines, addresses, org)
    book = open_book(book_file)
    joined = NetworkMap(inputs.documents, book or ())
    found = [find_holder(each, joined, book) for each in asked if each is not None]
    if as_json and not quiet:
        sys.stdout.writelines(output.json_line(each.to_json()) for each in found)
    elif not quiet:
        head = ("address", "network", "ID", "app", "Machine")
        sys.stdout.writelines(output.table(_rows(found), head))
    statuses = {_STATUS.get(each.holding, YES) for each in found}
    status = NO if NO in statuses else max(statuses, default=YES)
    return status_of(inputs, joined, WRONG if None in asked else status)


def _read(text: str) -> Address | None:
    try:
        return one_address(text)
    except AddressError as error:  # the others are still shown
        complain(str(error))
        return None


def _rows(found: list[Holder]) -> Iterator[tuple[str, ...] | str]:
    for each in found:
        network = "?" if each.network is None else inline(each.network)
        app = "?" if each.app is None else inline(each.app)
        machine = "?" if each.machine is None else inline(each.machine)
        yield str(each.address), network, str(each.address.network_id), app, machine
        remark = _remark(each)
        if remark:
            yield f"  {remark}"


def _remark(holder: Holder) -> str:
    when = "" if holder.learned_on is None else f" on {inline(holder.learned_on[:10])}"
    looked_at = ", ".join(map(inline, holder.looked_at))
    had_it = f"; {inline(holder.app)} had it when the book learned it{when}" if holder.app else ""
    return {
        Holding.MACHINE: "",
        Holding.ALLOCATED: "allocated to the app for clients on this network",
        Holding.BOOK: f"the app had this address when the book learned it{when}",
        Holding.STALE: f"stale: no Machine of {looked_at} has this address{had_it}"
        + ("" if holder.app else " (or it is allocated to an app: add --addresses)"),
        Holding.CONTRADICTION: "unknown: the documents disagree; `fdaa networks` shows how",
        Holding.SERVICE: "unknown: services of the platform have network ID 0",
        Holding.UNKNOWN: "unknown: no document or book has this address",
    }[holder.holding]
