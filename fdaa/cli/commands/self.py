"""`fdaa self`: the address of the Machine that this runs on."""

from __future__ import annotations

import sys

import click

from fdaa.cli import _render as output
from fdaa.cli._book_names import name_of, open_book
from fdaa.cli._machine import this_machine
from fdaa.cli._options import book_option
from fdaa.cli._streams import YES
from fdaa.cli.commands.same import compare
from fdaa.errors import PRIVATE_IP_VARIABLE


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
