"""`fdaa token`: a new identity token of the Machine that this runs on."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fdaa.cli import _platform as live
from fdaa.cli._exit_status import YES, CommandError
from fdaa.cli._render import json_line, table
from fdaa.errors import printable, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.platform import Claims, Token, UnverifiedClaims


@click.command(
    epilog="""\b
Examples:
  $ fdaa token --aud https://vault.example --output /run/token
  $ fdaa token --aud A | fdaa verify --issuer https://oidc.example/acme --aud A

Exit status: 0 done, 2 there is no token to be had."""
)
@click.option(
    "audience", "--aud", metavar="AUDIENCE", help="For whom it is. Default: the platform's."
)
@click.option("claims", "--claims", is_flag=True, help="Print what it says, and not the token.")
@click.option(
    "output", "--output", metavar="FILE", help="Write it to FILE, which only you can read."
)
@live.socket_option
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object.")
def token(
    audience: str | None, claims: bool, output: str | None, socket: str, as_json: bool
) -> int:
    """Print a new identity token of this Machine.

    Whoever has the token can pass for this Machine until it expires. What --claims prints was not
    verified.
    """
    made = get_token(socket, audience)
    if claims:
        text = json_line(made.claims().to_json()) if as_json else "".join(show(made.claims()))
    else:
        text = json_line({"token": made.reveal()}) if as_json else f"{made.reveal()}\n"
    if output is None or output == "-":
        sys.stdout.write(text)
    else:
        _write(output, text)
    return YES


def get_token(socket: str, audience: str | None = None) -> Token:
    """Return a new token.

    Raises:
        CommandError: there is none to be had.
    """
    with live.calling("an identity token") as library:
        made: Token = library.MachineIdentity(socket).token(audience)
    return made


def show(claims: Claims | UnverifiedClaims) -> Iterator[str]:
    """Yield the lines that tell a person what a token says."""
    told = claims.to_json().items()
    yield from table((printable(name), printable(str(value))) for name, value in told)


def _write(file: str, text: str) -> None:
    """Write a secret: the whole of it, for its owner alone, or nothing.

    Raises:
        CommandError: it cannot be written.
    """
    path = Path(file)
    try:
        if path.exists() and not path.is_file():
            raise CommandError(f"{quote(file)} is there and is not a file")
        descriptor, temporary = tempfile.mkstemp(prefix=".fdaa-", dir=path.parent)  # mode 0600
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file has such a name"
        raise CommandError(f"{quote(file)} cannot be written: {reason}") from None
