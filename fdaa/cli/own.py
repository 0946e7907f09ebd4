"""`fdaa self`: the address of the Machine that this runs on."""

from __future__ import annotations

import os
import sys

import click

from fdaa.cli import output
from fdaa.cli.process import YES
from fdaa.cli.same import compare
from fdaa.errors import AddressError
from fdaa.membership import PRIVATE_IP_VARIABLE, own_address


@click.command(
    "self",
    epilog="""\b
Examples:
  $ fdaa self
  $ fdaa self fdaa:2:45b::3

Exit status: 0 done or on my network, 1 on another, 2 an address is missing or wrong.""",
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
def own(address: str | None, variable: str, quiet: bool, as_json: bool) -> int:
    """Decode this Machine's own address, or compare another.

    With ADDRESS it tells whether that is on this Machine's network, as `fdaa same` does.
    """
    try:
        mine = own_address(variable=variable)
    except AddressError as error:
        raise click.ClickException(
            error.reason if variable not in os.environ else f"{variable}: {error}"
        ) from None
    if address is not None:
        return compare((str(mine), address), quiet, as_json)
    if not quiet:
        fields = output.record(mine)
        sys.stdout.write(output.json_line(fields) if as_json else output.describe(mine))
    return YES
