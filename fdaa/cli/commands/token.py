"""`fdaa token`: a new identity token of the Machine that this runs on."""

from __future__ import annotations

import sys
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import printable
from fdaa.cli import _platform as live
from fdaa.cli._child_process import ENDS, Renewal, received, run_command, store
from fdaa.cli._options import FILE
from fdaa.cli._records import Records, record_options
from fdaa.cli._statuses import YES, CommandError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.platform import Claims, Token, UnverifiedClaims


@click.command()
@click.option(
    "audience", "--aud", metavar="AUDIENCE", help="Audience. Default: a URL of the platform."
)
@click.option("--claims", is_flag=True, help="Print the claims instead, not verified.")
@click.option(
    "--output",
    metavar="FILE",
    type=FILE,
    help="Write it to FILE, readable by you only.",
)
@click.option("--refresh", is_flag=True, help="Renew FILE at half the token's lifetime.")
@live.socket_option
@record_options()
@click.argument("command", metavar="[-- COMMAND...]", nargs=-1)
def token(
    audience: str | None,
    claims: bool,
    output: str | None,
    refresh: bool,
    socket: str,
    records: Records,
    command: tuple[str, ...],
) -> int:
    """Print a new identity token of this Machine.

    Anyone who has the token can impersonate this Machine until it expires. A line feed follows it
    on a terminal only: SDKs send a file unchanged.

    With --refresh, COMMAND runs while FILE is kept fresh. Without COMMAND, SIGTERM ends it.

    Examples:
      $ fdaa token --aud https://vault.example --output /run/token
      $ fdaa token --aud A --output /run/token --refresh -- python app.py

    Exit status: 0 done, 2 no token could be obtained; with COMMAND, its status.
    """
    if refresh:
        if output in (None, "-") or claims or records:
            reason = "--refresh requires --output FILE, without --claims, --json or --field"
            raise click.UsageError(reason)
        return _refresh(Path(output or ""), socket, audience, command)
    if command:
        raise click.UsageError("COMMAND requires --refresh")
    made = get_token(socket, audience)
    if records:
        fields = made.claims().to_dict() if claims else {"token": made.reveal()}
        text = records.line(fields)
    elif claims:
        text = "".join(show_claims(made.claims()))
    else:
        text = made.reveal()
    if output not in (None, "-"):
        live.write_secret(Path(output), text)
        return YES
    if not claims and not records and sys.stdout.isatty():
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


def show_claims(claims: Claims | UnverifiedClaims) -> Iterator[str]:
    """Yield the lines that show a person the claims of a token."""
    standard = {claim.name for claim in fields(claims)}
    values = claims.to_dict()
    width = max(map(len, values), default=0)
    for name, value in values.items():
        line = f"{printable(name):{width}}  {printable(str(value))}"
        if name in standard and name in claims.other:
            line += "  (unexpected form)"
        yield line + "\n"


def _refresh(path: Path, socket: str, audience: str | None, command: tuple[str, ...]) -> int:
    """Keep the token in a file fresh until COMMAND exits, or without one until a signal."""
    seconds = store(path, get_token(socket, audience))
    live.ignore_closed_pipes()  # a server that closes its connection must not end this
    renewal = Renewal(path, partial(_renewed, socket, audience), seconds)
    if command:
        return run_command(command, {}, renewal.events)
    with received(ENDS) as signals:
        next(renewal.events(signals))
    return YES


def _renewed(socket: str, audience: str | None) -> Token:
    """Return a new token, as `get_token` does, but in any thread.

    Raises:
        CommandError: no token could be obtained.
    """
    library = live.load_platform()
    try:
        made: Token = library.MachineIdentity(socket=socket).token(aud=audience)
    except library.PlatformError as error:
        raise CommandError(str(error)) from None
    return made
