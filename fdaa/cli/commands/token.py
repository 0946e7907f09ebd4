"""`fdaa token`: a new identity token of the Machine that this runs on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli import _platform as live
from fdaa.cli._output import FILE, YES, Output, output_options

if TYPE_CHECKING:
    from fdaa.platform import Token


# The fields of --json: of the claims, or of the token.
_CLAIMS = (
    *("iss", "aud", "sub", "iat", "nbf", "exp", "jti", "app_id", "app_name", "org_id", "org_name"),
    *("machine_id", "machine_name", "machine_version", "image", "image_digest", "region"),
)


@click.command()
@click.option(
    "audience",
    "--aud",
    metavar="AUDIENCE",
    help="Set the audience.  [default: a URL of the platform]",
)
@click.option("--claims", is_flag=True, help="Print unverified claims.")
@click.option(
    "file",
    "--output",
    metavar="FILE",
    type=FILE,
    help="Write to FILE in one step, readable only by you.",
)
@live.socket_option
@output_options("token", *_CLAIMS)
def token(audience: str | None, claims: bool, file: str | None, socket: str, output: Output) -> int:
    """Print a new identity token of this Machine.

    Until it expires, anyone who has it can impersonate this Machine. A line feed follows only on a
    terminal. Requires the extra `platform`.

    Examples:
      $ fdaa token --aud https://vault.example --output /run/token
      $ fdaa token --claims --field iss
    """
    if claims and file is not None:
        raise click.UsageError("--claims and --output cannot be combined")
    made = get_token(socket, audience)
    if file not in (None, "-"):
        live.write_secret(str(file), made.reveal())
    elif claims:
        output.show([made.claims()], str(made.claims()).splitlines())
    elif output.is_text:
        sys.stdout.write(made.reveal() + "\n" * sys.stdout.isatty())
    else:
        output.show([{"token": made.reveal()}], [])
    return YES


def get_token(socket: str, audience: str | None = None) -> Token:
    """Return a new token."""
    with live.calling("an identity token") as library:
        made: Token = library.MachineIdentity(socket=socket).token(aud=audience)
    return made
