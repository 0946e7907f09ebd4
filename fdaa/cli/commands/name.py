"""`fdaa name`: is this a valid network name?"""

from __future__ import annotations

import sys

import click

from fdaa._escapes import quote
from fdaa.cli import _render as output
from fdaa.cli._exit_status import NO, YES
from fdaa.cli._options import quiet_option
from fdaa.cli._streams import caret_below, complain
from fdaa.errors import NetworkNameError
from fdaa.network_name import NetworkName, risks


@click.command()
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@quiet_option
@click.option("as_json", "--json", is_flag=True, help="Print a JSON object for each name.")
def name(names: tuple[str, ...], quiet: bool, as_json: bool) -> int:
    """Check whether names are valid network names.

    A valid name that is likely to cause trouble gets a warning on standard error.

    Example:
      $ fdaa name customer-17 17-customers

    Exit status: 0 all names are valid, 1 one is not.
    """
    status = YES
    for text in names:
        reason, at, warnings = None, None, []
        verdict = "valid"
        try:
            warnings = risks(NetworkName(text))
        except NetworkNameError as error:
            status = NO
            reason, at = error.reason, error.at
            verdict = f"invalid: {reason}" + ("" if at is None else "\n" + caret_below(text, at))
        if quiet:
            continue
        for warning in warnings:
            complain(f"warning: {quote(text)}: {warning}")
        fields = {
            "name": output.as_input(text),
            "valid": reason is None,
            "error": reason,
            "at": at,
            "warnings": warnings,
        }
        sys.stdout.write(output.json_line(fields) if as_json else f"{quote(text)}: {verdict}\n")
    return status
