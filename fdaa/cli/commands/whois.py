"""`fdaa whois`: which Machine, app and network has this address?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli import _render as output
from fdaa.cli._book_names import did_you_mean, open_book
from fdaa.cli._document_options import document_options, list_apps, read_inputs, status_of
from fdaa.cli._exit_status import NO, UNKNOWN, WRONG, YES
from fdaa.cli._options import book_option, quiet_option
from fdaa.cli._pasted_text import Prefix, read_pasted, split_ports
from fdaa.cli._streams import Complaints, complain, inline
from fdaa.errors import AddressError
from fdaa.networks import DocumentKind, Holding, find_holder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.address import Address
    from fdaa.cli._document_options import DocumentOptions, Inputs
    from fdaa.networks import Holder

_KNOWN = (Holding.MACHINE, Holding.ALLOCATED, Holding.BOOK)


@click.command()
@click.argument("asked", metavar="[TEXT|-]...", nargs=-1)
@document_options
@book_option()
@quiet_option
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object for each address.")
def whois(
    asked: tuple[str, ...],
    book_file: str | None,
    quiet: bool,
    as_json: bool,
    documents: DocumentOptions,
) -> int:
    """Show the Machine, app and network of each address in TEXT.

    TEXT is an address, the identifier of a Machine in the documents, or any text with addresses in
    it, such as a line of a log. Without an argument, or if one is -, each line of standard input
    is a TEXT.

    An address is stale if it is not in the Machine list of its app. Unless the app is in the
    --book, this requires the Machine lists of all apps on its network.

    Examples:
      $ fdaa whois fdaa:2:45b:a7b:174:db43:d3c6:2 --apps apps.json --machines web=web.json
      $ fdaa whois fdaa:2:45b::9 --machines web=web.json --book networks.json

    Exit status: 0 found, 1 an address is stale, 2 invalid input, 3 an address has no known app.
    """
    complaints = Complaints(quiet=False)
    wanted: dict[Address, None] = {}
    inputs = read_inputs(documents, open_book(book_file))
    machines, holders = inputs.joined.facts.machines, inputs.joined.facts.holders
    for pasted in read_pasted(asked):
        text = pasted.text.strip()
        addresses = [row.address for row in machines.get(text, ()) if row.address]
        wanted.update(dict.fromkeys(addresses))
        error = None if addresses else pasted.error
        outside = pasted.line > 0
        for entry in split_ports(pasted.text, pasted.found, holders, outside=outside):
            if isinstance(entry, Prefix):
                error = AddressError(pasted.text, f"{entry} is a network, not an address")
            else:
                wanted[entry] = None
        if text in machines and not addresses:
            error = AddressError(text, "this Machine has no address yet")
        if error is not None:
            complaints.add(error, pasted.where)
            hint = "" if text in machines else did_you_mean(text, machines)
            if hint and not pasted.line:
                complain(f"{inline(text)} is not a Machine in these documents{hint}")
    complaints.finish()
    found = [find_holder(address, inputs.joined) for address in wanted]
    if as_json and not quiet:
        sys.stdout.writelines(output.json_line(holder.to_dict()) for holder in found)
    elif not quiet:
        head = ("address", "network", "ID", "app", "Machine")
        sys.stdout.writelines(output.table(_rows(found), head))
        sys.stdout.writelines(map(output.paragraph, _hints(found, inputs)))
    holdings = {holder.holding for holder in found}
    status = NO if Holding.STALE in holdings else YES if holdings.issubset(_KNOWN) else UNKNOWN
    return status_of(inputs, WRONG if complaints.count else status)


def _rows(found: list[Holder]) -> Iterator[tuple[str, ...] | str]:
    for holder in found:
        network, app, machine = map(inline, (holder.network, holder.app, holder.machine))
        yield str(holder.address), network, str(holder.address.network_id), app, machine
        if holder.holding in _REMARKS:
            when = "" if holder.learned_on is None else f" on {inline(holder.learned_on[:10])}"
            had_it = f"; {app} had it when the book learned it{when}" if holder.app else ""
            words = {"looked_at": list_apps(holder.looked_at), "when": when, "else": had_it}
            yield "  " + _REMARKS[holder.holding].format_map(words)


def _hints(found: list[Holder], inputs: Inputs) -> Iterator[str]:
    """Yield what to add, for all addresses of which the app is not known."""
    lists = (row.app for row in inputs.documents if row.kind is DocumentKind.ADDRESS_LIST)
    unlisted = sorted(inputs.joined.facts.apps.keys() - lists)
    if unlisted and any(row.holding is Holding.STALE and not row.app for row in found):
        apps = list_apps(tuple(unlisted))
        yield f"A stale address may be allocated to an app: add the lists of {apps} (--addresses)"
    if any(row.holding is Holding.UNKNOWN for row in found):
        yield "To find an unknown address, add Machine lists; `fdaa networks --help` shows how"


_REMARKS = {
    Holding.ALLOCATED: "allocated to the app for clients on this network",
    Holding.BOOK: "the app had this address when the book learned it{when}",
    Holding.STALE: "stale: no Machine of {looked_at} has this address{else}",
    Holding.CONTRADICTION: "unknown: the documents disagree; `fdaa networks` shows how",
    Holding.SERVICE: "unknown: services of the platform have network ID 0",
    Holding.UNKNOWN: "unknown: not in any document or book",
}
