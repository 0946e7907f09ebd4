"""`fdaa name`: may a network be called this?"""

from __future__ import annotations

import sys

import click

from fdaa.cli import _render as output
from fdaa.cli._streams import NO, YES, complain
from fdaa.errors import NetworkNameError, quote
from fdaa.network_name import NetworkName, risks


@click.command(
    epilog="""\b
Example:
  $ fdaa name customer-17 17-customers

Exit status: 0 all names are valid, 1 one is not."""
)
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("quiet", "-q", "--quiet", is_flag=True, help="Print nothing: the status answers.")
@click.option("as_json", "--json", is_flag=True, help="Print a JSON object for each name.")
def name(names: tuple[str, ...], quiet: bool, as_json: bool) -> int:
    """Tell whether networks may have these names, and if not, why.

    A valid name that is likely to cause trouble gets a warning on standard error.
    """
    status = YES
    for text in names:
        error: NetworkNameError | None = None
        warnings: list[str] = []
        try:
            warnings = risks(NetworkName(text))
        except NetworkNameError as refusal:
            error = refusal
            status = NO
        if quiet:
            continue
        for warning in warnings:
            complain(f"warning: {quote(text)}: {warning}")
        if as_json:
            fields = {
                "name": output.as_input(text),
                "valid": error is None,
                "error": error.reason if error else None,
                "at": error.at if error else None,
                "warnings": warnings,
            }
            sys.stdout.write(output.json_line(fields))
        else:
            where = "" if error is None or error.at is None else f", at index {error.at}"
            verdict = f"invalid: {error.reason}{where}" if error else "valid"
            sys.stdout.write(f"{quote(text)}: {verdict}\n")
    return status
