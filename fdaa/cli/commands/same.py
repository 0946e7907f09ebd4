"""`fdaa same`: are these addresses on one network?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.address import Address
from fdaa.cli import _render as output
from fdaa.cli._book_names import open_book
from fdaa.cli._exit_status import NO, WRONG, YES
from fdaa.cli._options import book_option, quiet_option
from fdaa.cli._pasted_text import one_address
from fdaa.cli._streams import complain, inline
from fdaa.errors import AddressError
from fdaa.membership import same_network

if TYPE_CHECKING:
    from fdaa.networks import Book

_FIELDS = ("input", "address", "network_id", "network_id_int", output.NETWORK_NAME)

# Specification, "Networking rules", 1 to 4.
_WAYS_AROUND = """\
Apps on different networks cannot communicate privately unless configured. Ways around: a public IP
address, a private address allocated to the target for the other network, or platform-replay.
"""

# A resolver that Machines on every network use; comparing its ID says little about it.
_SERVICE_ADDRESS = """\
Network ID 0 is no custom network: addresses like fdaa::3 are services of the platform.
"""


@click.command(
    epilog="""\b
Examples:
  $ fdaa same fdaa:2:45b:a7b:174:db43:d3c6:2 FDAA:2:045B::3
  $ fdaa same self fdaa:2:45b::3

Exit status: 0 the same network, 1 different networks, 2 an input is not a private address."""
)
@click.argument("addresses", metavar="ADDRESS ADDRESS...", nargs=-1)
@quiet_option
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object.")
@book_option()
def same(addresses: tuple[str, ...], quiet: bool, as_json: bool, book_file: str | None) -> int:
    """Tell whether addresses are on the same network.

    An address may be pasted with brackets, a port, a zone or a prefix length; what is left out is
    said on standard error. self is this Machine's own address.

    This compares what the addresses say and authenticates nobody. A different network does not
    mean a different organization.
    """
    if len(addresses) < 2:
        raise click.UsageError("give two addresses or more")
    book = open_book(book_file)
    found = [_address_or_error(text) for text in addresses]
    read = [each for each in found if isinstance(each, Address)]
    for each in found:
        if isinstance(each, AddressError):
            complain(str(each))
    verdict = same_network(*read) if len(read) == len(found) else None
    if as_json and not quiet:
        rows = [_row(text, each, book) for text, each in zip(addresses, found, strict=True)]
        sys.stdout.write(output.json_line({"same": verdict, "addresses": rows}))
    elif verdict is not None and not quiet:
        sys.stdout.writelines(output.table(_cells(each, book) for each in read))
        sys.stdout.write("same network\n" if verdict else f"different networks\n{_WAYS_AROUND}")
        if not verdict and any(address.network_id == 0 for address in read):
            sys.stdout.write(_SERVICE_ADDRESS)
    return WRONG if verdict is None else YES if verdict else NO


def _address_or_error(text: str) -> Address | AddressError:
    try:
        return one_address(text)
    except AddressError as error:
        return error


def _cells(address: Address, book: Book | None) -> tuple[str, ...]:
    name = () if book is None else (inline(book.name_of(address.network_id)),)
    return str(address.network_id), *name, str(address)


def _row(text: str, found: Address | AddressError, book: Book | None) -> dict[str, object]:
    if isinstance(found, AddressError):
        return {**output.refusal(found)}
    fields = {"input": output.as_input(text), **output.record(found, book)}
    return {name: fields[name] for name in _FIELDS if name in fields}
