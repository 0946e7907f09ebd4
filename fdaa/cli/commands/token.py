"""`fdaa token`: a new identity token of the Machine that this runs on."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli import _platform as live
from fdaa.cli._output import FILE, YES

if TYPE_CHECKING:
    from fdaa.platform import Token


@click.command()
@click.option(
    "audience", "--aud", metavar="AUDIENCE", help="Audience. Default: a URL of the platform."
)
@click.option("--claims", is_flag=True, help="Print the claims instead as JSON, not verified.")
@click.option("--output", metavar="FILE", type=FILE, help="Write it to FILE, readable by you only.")
@live.socket_option
def token(audience: str | None, claims: bool, output: str | None, socket: str) -> int:
    """Print a new identity token of this Machine.

    Anyone who has the token can impersonate this Machine until it expires. A line feed follows it
    on a terminal only: SDKs send a file unchanged. FILE is replaced in one step.

    Examples:
      $ fdaa token --aud https://vault.example --output /run/token
      $ fdaa token --claims
    """
    made = get_token(socket, audience)
    text = made.reveal()
    if claims:
        text = json.dumps(made.claims().to_dict()) + "\n"
    if output not in (None, "-"):
        live.write_secret(str(output), text)
        return YES
    if sys.stdout.isatty() and not claims:
        text += "\n"
    sys.stdout.write(text)
    return YES


def get_token(socket: str, audience: str | None = None) -> Token:
    """Return a new token.

    Raises:
        CommandError: no token could be obtained.
    """
    with live.calling("an identity token") as library:
        made: Token = library.MachineIdentity(socket=socket).token(aud=audience)
    return made
