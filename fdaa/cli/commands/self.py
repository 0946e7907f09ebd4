"""`fdaa self`: the address of the Machine that this runs on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli import _render as output
from fdaa.cli._book_names import name_of, open_book
from fdaa.cli._options import book_option
from fdaa.cli._streams import YES, CommandError
from fdaa.cli.commands.same import compare
from fdaa.errors import PRIVATE_IP_VARIABLE, AddressError, OwnAddressNotSetError
from fdaa.membership import own_address

if TYPE_CHECKING:
    from fdaa.address import Address


@click.command(
    "self",
    epilog="""\b
Examples:
  $ fdaa self
  $ fdaa self fdaa:2:45b::3

Exit status: 0 done, or ADDRESS is on this Machine's network; 1 it is on another; 2 an address is
wrong, or the variable is not set.""",
)
@click.argument("address", required=False)
@click.option(
    "variable",
    "--env",
    metavar="NAME",
    default=PRIVATE_IP_VARIABLE,
    show_default=True,
    help="The environment variable that holds the Machine's address.",
)
@click.option("quiet", "-q", "--quiet", is_flag=True, help="Print nothing: the status answers.")
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object.")
@book_option
def own(
    address: str | None, variable: str, quiet: bool, as_json: bool, book_file: str | None
) -> int:
    """Decode this Machine's own address.

    With ADDRESS, tell whether that is on this Machine's network, as `fdaa same` does.
    """
    mine = this_machine(variable)
    book = open_book(book_file)
    if address is not None:
        return compare((str(mine), address), quiet, as_json, book)
    if not quiet:
        fields: dict[str, str | int | None] = {**output.record(mine)}
        if book is not None:
            fields[output.NETWORK_NAME] = name_of(mine, book)
        sys.stdout.write(output.json_line(fields) if as_json else output.describe(mine, book))
    return YES


def this_machine(variable: str = PRIVATE_IP_VARIABLE) -> Address:
    """Return the address of the Machine that the command runs on.

    Raises:
        CommandError: the variable is not set, or holds no private address.
    """
    try:
        return own_address(variable=variable)
    except OwnAddressNotSetError as error:
        raise CommandError(str(error)) from None
    except AddressError as error:
        raise CommandError(f"{variable}: {error}") from None
