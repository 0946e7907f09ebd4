"""Shared by the commands that use the live platform: their options, settings and errors.

`fdaa.platform` is an extra: only `load_platform` imports it, and says what is missing.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fdaa._support import atomic_files
from fdaa._support.escapes import quote
from fdaa.cli._input import standard_input
from fdaa.cli._output import FILE, UNKNOWN, WRONG, CommandError, complain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from types import ModuleType

    from fdaa.networks import Document
    from fdaa.platform import AppList, Client

    Connect = Callable[[str], AbstractContextManager[Client]]
    _Command = Callable[..., int]

ORG_VARIABLE = "FDAA_ORG"
_SOCKET_VARIABLE = "FDAA_IDENTITY_SOCKET"
_PLAIN_VARIABLE = "FDAA_ALLOW_PLAIN_HTTP"
# Argument of the library -> how a command names it. The variable is for `reach --org`, too.
_OPTION_OF = {
    "allow_plain_http=True": f"{_PLAIN_VARIABLE}=1",
    "base_url": "--api-url (FDAA_API_URL)",
    "max_lifetime": "--max-lifetime",
}
_MAX_SECRET = 64 * 1024  # bytes of a file with a token
_PATIENCE = 1.0  # seconds after which a command reports that it is waiting

socket_option = click.option(
    "--socket",
    metavar="PATH",
    type=FILE,
    envvar=_SOCKET_VARIABLE,
    default="/.platform/api",
    show_default=True,
    help=f"The Machine's identity socket.  [env: {_SOCKET_VARIABLE}]",
)


plain_http_option = click.option(
    "--allow-plain-http",
    is_flag=True,
    envvar=_PLAIN_VARIABLE,
    help=f"Allow plain http to another computer.  [env: {_PLAIN_VARIABLE}=1]",
)


def api_options(command: _Command) -> _Command:
    """Add the options for reaching the API; the command gets a function that makes a call."""

    @click.option(
        "--api-url",
        metavar="URL",
        envvar="FDAA_API_URL",
        help="Base URL of the API.  [env: FDAA_API_URL]",
    )
    @click.option(
        "--token-file",
        metavar="FILE",
        type=FILE,
        help="Read the API token from FILE.  [env: FDAA_API_TOKEN: the token itself]",
    )
    @plain_http_option
    @wraps(command)
    def with_client(
        api_url: str | None, token_file: str | None, allow_plain_http: bool, **others: object
    ) -> int:
        load_platform()
        token = os.environ.get("FDAA_API_TOKEN", "")
        if token_file is not None:
            token = read_secret(token_file)
        if not api_url:
            raise CommandError("give --api-url URL, or set FDAA_API_URL")
        if not token:
            raise CommandError("set FDAA_API_TOKEN, or give --token-file FILE")
        options = {"allow_plain_http": allow_plain_http}

        @contextmanager
        def connect(target: str) -> Iterator[Client]:
            with calling(target) as library, library.Client(api_url, token, **options) as client:
                yield client

        return command(connect=connect, **others)

    return with_client


def argument_message(error: ValueError) -> str:
    """Return the message about an argument of the library, which is an option here."""
    message = str(error)
    for argument, option in _OPTION_OF.items():
        message = message.replace(argument, option, 1)
    if message.startswith("issuer"):
        return f"--{message}"
    return message


def load_platform() -> ModuleType:
    """Return `fdaa.platform`, if its extra is installed."""
    try:
        from fdaa import platform
    except ModuleNotFoundError as error:
        raise CommandError(str(error)) from None
    return platform


@contextmanager
def calling(target: str) -> Iterator[ModuleType]:
    """Yield `fdaa.platform` for one call, whose result is `target`; its errors end the command.

    The status is 3 where a change may have been made.
    """
    library = load_platform()
    try:
        with waiting(target), closed_pipes_are_errors():
            yield library
    except library.PlatformError as error:
        status = UNKNOWN if error.may_have_happened else WRONG
        raise CommandError(str(error), status) from None
    except ValueError as error:  # an argument or a setting
        raise CommandError(argument_message(error)) from None
    except KeyboardInterrupt as error:
        notes = getattr(error, "__notes__", None)
        if notes:  # a change was sent
            raise CommandError(notes[0], UNKNOWN) from None
        raise


def app_list(org: str) -> Document:
    """Return the apps of an organization as a document; the settings are the environment's."""
    with calling("the list of apps") as library, library.Client.from_environment() as api:
        return apps(api, org).document


def apps(api: Client, org: str) -> AppList:
    """Return the apps of an organization; an incomplete list has a problem that says so."""
    try:
        return api.list_apps(org=org)
    except load_platform().IncompleteListError as error:
        incomplete: AppList = error.apps
        return incomplete


def read_secret(file: str, *, shows_name: bool = False) -> str:
    """Return the token in a file, or on standard input, without white space around it.

    An error contains the name only if `shows_name`: some users give the token in its place.
    """
    name = "the file with the token"
    if file == "-":
        name = "standard input"
    elif shows_name:
        name = quote(file)
    try:
        if file == "-":
            data = standard_input().read(_MAX_SECRET)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(_MAX_SECRET)
    except (OSError, ValueError) as error:
        raise CommandError(f"{name}: {_file_reason(error)}") from None
    if not data.isascii() or len(data) == _MAX_SECRET:
        raise CommandError(f"{name} is not a token: it is too long, or not ASCII")
    return data.decode().strip()


def write_secret(path: str, text: str) -> None:
    """Write a file with a secret: all of it, for this user alone, or nothing."""
    try:
        atomic_files.write_secret(path, text.encode())
    except (OSError, ValueError) as error:
        reason = _file_reason(error)
        raise CommandError(f"{quote(path)} cannot be written: {reason}") from None


def _file_reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or "this is not a valid file name"


@contextmanager
def waiting(target: str) -> Iterator[None]:
    """Report a call that takes longer than a second, and each retry; `target` is its result."""
    log = logging.getLogger("fdaa.platform")
    handler = _Printer(logging.INFO)
    timer = threading.Timer(_PATIENCE, complain, (f"waiting for {target}",))
    timer.daemon = True
    level = log.level
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        log.removeHandler(handler)
        log.setLevel(level)


@contextmanager
def closed_pipes_are_errors() -> Iterator[None]:
    """Let a closed connection be an error, where a closed standard output ends the process."""
    if not hasattr(signal, "SIGPIPE"):
        yield
        return
    before = signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGPIPE, before)


class _Printer(logging.Handler):
    """Prints the client's log on standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        complain(record.getMessage())
