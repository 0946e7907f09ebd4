"""`fdaa token`: a new identity token of the Machine that this runs on."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import printable
from fdaa.cli import _platform as live
from fdaa.cli._output import FILE, YES, CommandError, complain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.platform import Claims, Token, UnverifiedClaims

_LONGEST_PAUSE = 3600.0  # seconds between two tokens
_LONGEST_RETRY = 60.0  # seconds between two attempts


@click.command()
@click.option(
    "audience", "--aud", metavar="AUDIENCE", help="Audience. Default: a URL of the platform."
)
@click.option("--claims", is_flag=True, help="Print the claims instead as JSON, not verified.")
@click.option("--output", metavar="FILE", type=FILE, help="Write it to FILE, readable by you only.")
@click.option("--refresh", is_flag=True, help="Renew FILE at half the token's lifetime.")
@live.socket_option
def token(
    audience: str | None, claims: bool, output: str | None, refresh: bool, socket: str
) -> int:
    """Print a new identity token of this Machine.

    Anyone who has the token can impersonate this Machine until it expires. A line feed follows it
    on a terminal only: SDKs send a file unchanged. With --refresh, SIGTERM or Ctrl-C ends it.

    Examples:
      $ fdaa token --aud https://vault.example --output /run/token
      $ fdaa token --aud A --output /run/token --refresh & python app.py
    """
    if refresh:
        if output in (None, "-") or claims:
            raise click.UsageError("--refresh requires --output FILE, without --claims")
        _refresh(Path(output or ""), socket, audience)
    made = get_token(socket, audience)
    text = json.dumps(made.claims().to_dict()) + "\n" if claims else made.reveal()
    if output not in (None, "-"):
        live.write_secret(Path(output or ""), text)
        return YES
    sys.stdout.write(text + ("\n" if not claims and sys.stdout.isatty() else ""))
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
        is_unexpected = name in standard and name in claims.other
        form = "  (unexpected form)" if is_unexpected else ""
        yield f"{printable(name):{width}}  {printable(str(value))}{form}"


def _refresh(path: Path, socket: str, audience: str | None) -> None:
    """Keep the token in a file fresh until a signal; only the first failure ends it."""
    pause = _store(path, get_token(socket, audience))
    retry = 1.0
    while True:
        _sleep(pause)
        try:
            pause = _store(path, get_token(socket, audience))
            retry = 1.0
        except CommandError as error:
            complain(f"{error}; retrying in {retry:g} seconds")
            pause, retry = retry, min(2 * retry, _LONGEST_RETRY)


def _sleep(seconds: float) -> None:
    """Sleep by the wall clock: a Machine may be suspended meanwhile."""
    until = time.time() + seconds
    while time.time() < until:
        time.sleep(min(1.0, max(0.0, until - time.time())))


def _store(path: Path, token: Token) -> float:
    """Write a token to a file, and return the seconds until it must be renewed.

    That is half its lifetime, or half of what is left of it: it may have been issued earlier.

    Raises:
        CommandError: its lifetime is unknown, or it cannot be written.
    """
    claims = token.claims()
    if claims.exp is None or claims.iat is None:
        raise CommandError("the token lacks iat or exp: its lifetime is unknown")
    live.write_secret(path, token.reveal())
    left = min(claims.exp - int(time.time()), claims.exp - claims.iat, int(2 * _LONGEST_PAUSE))
    return max(1.0, left / 2)
