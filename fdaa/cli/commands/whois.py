"""`fdaa whois`: which Machine, app and network has this address?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.address import Address
from fdaa.cli import _render as output
from fdaa.cli._book_names import did_you_mean, open_book
from fdaa.cli._document_options import (
    document_options,
    read_inputs,
    report_contradictions_exist,
    status_of,
)
from fdaa.cli._exit_status import NO, UNKNOWN, WRONG, YES
from fdaa.cli._options import book_option, quiet_option
from fdaa.cli._pasted_text import read_pasted, split_ports
from fdaa.cli._streams import Complaints, complain, inline
from fdaa.cli._verdict_text import describe_holding, list_apps
from fdaa.errors import AddressError
from fdaa.networks import DocumentKind, find_holder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.cli._document_options import DocumentOptions, Inputs
    from fdaa.cli._pasted_text import Pasted
    from fdaa.networks import Holder, NetworkMap


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
    --book, this requires an app list, and the Machine lists of all apps that may be on its network.

    Examples:
      $ fdaa whois fdaa:2:45b:a7b:174:db43:d3c6:2 --apps apps.json --machines web=web.json
      $ fdaa whois fdaa:2:45b::9 --machines web=web.json --book networks.json

    Exit status: 0 found, 1 an address is stale, 2 invalid input, 3 an address has no known app.
    """
    inputs = read_inputs(documents, open_book(book_file))
    complaints = Complaints(quiet=False)
    wanted: dict[Address, None] = {}  # each once, in the order of the input
    for pasted in read_pasted(asked):
        wanted.update(dict.fromkeys(_addresses_in(pasted, inputs.joined, complaints)))
    complaints.finish()
    found = [find_holder(address, inputs.joined) for address in wanted]
    if as_json and not quiet:
        sys.stdout.writelines(output.json_line(holder.to_dict()) for holder in found)
    elif not quiet:
        head = ("address", "network", "ID", "app", "Machine")
        sys.stdout.writelines(output.table(_rows(found), head))
        sys.stdout.writelines(map(output.paragraph, _hints(found, inputs)))
    sys.stdout.flush()  # the answers first
    status = status_of(inputs, _status(found), quiet=quiet)
    if not quiet:
        report_contradictions_exist(inputs)
    if complaints.count:
        return WRONG
    return status


def _addresses_in(pasted: Pasted, joined: NetworkMap, complaints: Complaints) -> Iterator[Address]:
    """Yield the addresses in a text, or those of the Machine that it names; report its error."""
    text = pasted.text.strip()
    rows = joined.machines.get(text, ())
    of_machine = [row.address for row in rows if row.address is not None]
    yield from of_machine
    error = pasted.error
    if of_machine:
        error = None
    outside = pasted.line > 0
    for entry in split_ports(pasted.text, pasted.found, joined.addresses, outside=outside):
        if isinstance(entry, Address):
            yield entry
        else:
            error = AddressError(pasted.text, f"{entry} is a network, not an address")
    if rows and not of_machine:
        error = AddressError(text, "this Machine has no address yet")
    if error is None:
        return
    complaints.add(error, pasted.where)
    hint = did_you_mean(text, joined.machines)
    if hint and not rows and not outside:
        complain(f"{inline(text)} is not a Machine in these documents{hint}")


def _status(found: list[Holder]) -> int:
    status = YES
    for holder in found:
        if holder.holding == "stale":
            return NO
        if holder.app is None:
            status = UNKNOWN
    return status


def _rows(found: list[Holder]) -> Iterator[tuple[str, ...] | str]:
    for holder in found:
        yield (
            str(holder.address),
            inline(holder.network),
            str(holder.address.network_id),
            inline(holder.app),
            inline(holder.machine),
        )
        remark = describe_holding(holder)
        if remark is not None:
            yield f"  {remark}"


def _hints(found: list[Holder], inputs: Inputs) -> Iterator[str]:
    """Yield what to add, for all addresses of which the app is not known."""
    with_list = set()
    for document in inputs.documents:
        if document.kind is DocumentKind.ADDRESS_LIST:
            with_list.add(document.app)
    without_list = sorted(app for app in inputs.joined.apps if app not in with_list)
    holdings = {(holder.holding, holder.app is not None) for holder in found}
    if without_list and ("stale", False) in holdings:
        apps = list_apps(tuple(without_list))
        yield f"A stale address may be allocated to an app: add the lists of {apps} (--addresses)"
    if ("unknown", False) in holdings:
        yield "To find an unknown address, add Machine lists; `fdaa networks --help` shows how"
