"""`fdaa same`: are these addresses on one network?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.address import Address
from fdaa.cli import _render as output
from fdaa.cli._book_names import name_of, open_book
from fdaa.cli._machine import SELF, this_machine
from fdaa.cli._options import book_option
from fdaa.cli._pasted import one_address
from fdaa.cli._streams import NO, WRONG, YES, complain, inline
from fdaa.errors import AddressError
from fdaa.membership import same_network

if TYPE_CHECKING:
    from fdaa.networks import Book

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
@click.option("quiet", "-q", "--quiet", is_flag=True, help="Print nothing: the status answers.")
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object.")
@book_option
def same(addresses: tuple[str, ...], quiet: bool, as_json: bool, book_file: str | None) -> int:
    """Tell whether addresses are on the same network.

    An address may be pasted with brackets, a port, a zone or a prefix length; what is left out is
    said on standard error. self is this Machine's own address.

    This compares what the addresses say and authenticates nobody. A different network does not
    mean a different organization.
    """
    if len(addresses) < 2:
        raise click.UsageError("give two addresses or more")
    return compare(addresses, quiet, as_json, open_book(book_file))


def compare(texts: tuple[str, ...], quiet: bool, as_json: bool, book: Book | None = None) -> int:
    """Compare addresses, print the verdict unless `quiet`, and return the exit status."""
    parsed = [_parse(text) for text in texts]
    addresses = [each for each in parsed if isinstance(each, Address)]
    wrong = [each for each in parsed if isinstance(each, AddressError)]
    for error in wrong:
        complain(str(error))
    verdict = None if wrong else same_network(*addresses)
    if as_json and not quiet:
        records = [_row(text, each, book) for text, each in zip(texts, parsed, strict=True)]
        sys.stdout.write(output.json_line({"same": verdict, "addresses": records}))
    elif verdict is not None and not quiet:
        rows = ((str(each.network_id), *_named(each, book), str(each)) for each in addresses)
        sys.stdout.writelines(output.table(rows))
        sys.stdout.write("same network\n" if verdict else f"different networks\n{_WAYS_AROUND}")
        if not verdict and any(address.network_id == 0 for address in addresses):
            sys.stdout.write(_SERVICE_ADDRESS)
    return WRONG if verdict is None else YES if verdict else NO


def _parse(text: str) -> Address | AddressError:
    try:
        return this_machine() if text == SELF else one_address(text)
    except AddressError as error:
        return error


def _named(address: Address, book: Book | None) -> tuple[str, ...]:
    return () if book is None else (inline(name_of(address, book) or "?"),)


def _row(
    text: str, parsed: Address | AddressError, book: Book | None
) -> dict[str, str | int | None]:
    if isinstance(parsed, AddressError):
        return {"input": output.as_input(text), "error": parsed.reason, "at": parsed.at}
    fields = output.record(parsed)
    row: dict[str, str | int | None] = {"input": output.as_input(text)}
    row.update((key, fields[key]) for key in ("address", "network_id", "network_id_int"))
    if book is not None:
        row[output.NETWORK_NAME] = name_of(parsed, book)
    return row
