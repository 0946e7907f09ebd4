"""`fdaa token`: a new identity token of the Machine that this runs on."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fdaa._escapes import printable
from fdaa.cli import _platform as live
from fdaa.cli._child_process import ENDS, received, run_command
from fdaa.cli._exit_status import YES, CommandError
from fdaa.cli._options import complete_file
from fdaa.cli._render import json_line, table
from fdaa.cli._streams import complain

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator

    from fdaa.platform import Claims, Token, UnverifiedClaims

    Renew = Callable[[], float]  # returns the seconds until the next time

_LONGEST_PAUSE = 60.0  # seconds between two attempts to renew a token


@click.command()
@click.option("audience", "--aud", metavar="AUDIENCE", help="Audience. Default: the platform's.")
@click.option("--claims", is_flag=True, help="Print the claims instead of the token.")
@click.option(
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write it to FILE, readable by you only.",
)
@click.option("--refresh", is_flag=True, help="Renew FILE at half the token's lifetime.")
@live.socket_option
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object.")
@click.argument("command", metavar="[-- COMMAND...]", nargs=-1)
def token(
    audience: str | None,
    claims: bool,
    output: str | None,
    refresh: bool,
    socket: str,
    as_json: bool,
    command: tuple[str, ...],
) -> int:
    """Print a new identity token of this Machine.

    Anyone who has the token can impersonate this Machine until it expires. --claims prints the
    claims unverified. On a terminal the token ends in a line feed; in a pipe or a file it does not,
    as SDKs send a file as it is.

    With --refresh, COMMAND runs while FILE is kept fresh; without COMMAND, SIGTERM ends it.

    Examples:
      $ fdaa token --aud https://vault.example --output /run/token
      $ fdaa token --aud A --output /run/token --refresh -- python app.py
      $ fdaa token --aud A | fdaa verify --issuer https://oidc.example/acme --aud A

    Exit status: 0 done, 2 no token could be obtained; with COMMAND, that of COMMAND.
    """
    if refresh:
        if output in (None, "-") or claims or as_json:
            raise click.UsageError("--refresh requires --output FILE, without --claims or --json")
        return _refresh(partial(_renew, Path(output or ""), socket, audience), command)
    if command:
        raise click.UsageError("COMMAND requires --refresh")
    made = get_token(socket, audience)
    if claims:
        text = json_line(made.claims().to_dict()) if as_json else "".join(show(made.claims()))
    else:
        text = json_line({"token": made.reveal()}) if as_json else made.reveal()
    if output not in (None, "-"):
        live.write_secret(Path(output), text)
    else:
        sys.stdout.write(text if claims or as_json or not sys.stdout.isatty() else f"{text}\n")
    return YES


def get_token(socket: str, audience: str | None = None) -> Token:
    """Return a new token.

    Raises:
        CommandError: no token could be obtained.
    """
    with live.calling("an identity token") as library:
        made: Token = library.MachineIdentity(socket).token(audience)
    return made


def show(claims: Claims | UnverifiedClaims) -> Iterator[str]:
    """Yield the lines that show a person the claims of a token."""
    rows = claims.to_dict().items()
    yield from table((printable(name), printable(str(value))) for name, value in rows)


def _renew(path: Path, socket: str, audience: str | None) -> float:
    """Write a new token, and return the seconds until half its lifetime is over.

    Raises:
        CommandError: no token could be obtained or written.
    """
    made = get_token(socket, audience)
    claims = made.claims()
    if claims.exp is None or claims.iat is None:
        raise CommandError("the token lacks iat or exp: its lifetime is unknown")
    live.write_secret(path, made.reveal())
    return max((claims.exp - claims.iat) / 2, 1.0)


def _refresh(renew: Renew, command: tuple[str, ...]) -> int:
    seconds = renew()
    if not command:
        with received(ENDS) as signals:
            next(_signals(signals, renew, seconds))
        return YES
    return run_command(command, {}, lambda signals: _signals(signals, renew, seconds))


def _signals(signals: socket.socket, renew: Renew, seconds: float) -> Iterator[bytes]:
    """Yield the signals that arrive, forever; meanwhile renew the token when it is due."""
    pause = 1.0
    while True:
        due = time.monotonic() + seconds
        while (left := due - time.monotonic()) > 0:
            signals.settimeout(left)
            with suppress(TimeoutError):
                yield signals.recv(64)
        try:
            seconds, pause = renew(), 1.0
        except CommandError as error:
            complain(f"{error}; retrying in {pause:g} seconds")
            seconds, pause = pause, min(2 * pause, _LONGEST_PAUSE)
