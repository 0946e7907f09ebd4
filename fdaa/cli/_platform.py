"""What the commands have in common that talk to the live platform.

`fdaa.platform` is an extra: it is imported in `platform` alone, and what is missing is told.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote as escaped

import click

from fdaa.cli._exit_status import CommandError
from fdaa.cli._streams import complain, standard_input

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType
    from typing import Any, TypeVar

    from fdaa.networks import Document
    from fdaa.platform import Client

    Command = TypeVar("Command", bound=Callable[..., Any])

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows
    resource = None

ORG_VARIABLE = "FDAA_ORG"
SOCKET_VARIABLE = "FDAA_IDENTITY_SOCKET"
PLAIN_VARIABLE = "FDAA_ALLOW_PLAIN_HTTP"
_MAX_SECRET = 64 * 1024  # bytes of a file with a token
_PATIENCE = 1.0  # seconds after which somebody who waits is told for what

socket_option = click.option(
    "socket",
    "--socket",
    metavar="PATH",
    envvar=SOCKET_VARIABLE,
    default="/.platform/api",
    show_default=True,
    help=f"The Machine's identity socket; also the variable {SOCKET_VARIABLE}.",
)


def load_platform() -> ModuleType:
    """Return `fdaa.platform`; from now on a crash leaves no core file with a token in it.

    Raises:
        CommandError: its extra is not installed.
    """
    try:
        from fdaa import platform
    except ModuleNotFoundError as error:
        raise CommandError(str(error)) from None
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
    return platform


def api_options(command: Command) -> Command:
    """Add the options that say where the API is and how to get in."""
    url = click.option(
        "api_url",
        "--api-url",
        metavar="URL",
        envvar="FDAA_API_URL",
        help="Where the API is; also the variable FDAA_API_URL.",
    )
    token_file = click.option(
        "token_file",
        "--token-file",
        metavar="FILE",
        help="Read the API token from FILE, not from the variable FDAA_API_TOKEN.",
    )
    plain_http = click.option(
        "--allow-plain-http",
        is_flag=True,
        help=f"Allow http to another machine; also {PLAIN_VARIABLE}=1.",
    )
    return url(token_file(plain_http(command)))


def client(api_url: str | None, token_file: str | None, allow_plain_http: bool) -> Client:
    """Return a client of the API, as `api_options` say.

    Raises:
        CommandError: a setting is missing.
        FdaaError: a setting makes no sense.
    """
    library = load_platform()
    if not api_url:
        raise CommandError("give --api-url URL, or set FDAA_API_URL")
    token = os.environ.get("FDAA_API_TOKEN", "") if token_file is None else read_secret(token_file)
    if not token:
        raise CommandError("set FDAA_API_TOKEN, or give --token-file FILE")
    allowed = allow_plain_http or _plain_http_is_allowed()
    made: Client = library.Client(api_url, token, allow_plain_http=allowed)
    return made


def _plain_http_is_allowed() -> bool:
    return os.environ.get(PLAIN_VARIABLE) == "1"


def app_list(org: str) -> Document:
    """Return the apps of an organization as a document, as `--apps FILE` gives one.

    Where the API is comes from the environment alone.

    Raises:
        CommandError: they cannot be had; the text says why, and not where.
    """
    library = load_platform()
    try:
        made = library.Client.from_environment(allow_plain_http=_plain_http_is_allowed())
        with made as api, waiting("the list of apps"):
            document: Document = api.apps(org).document
    except (library.PlatformError, library.ArgumentError) as error:
        raise CommandError(str(error).removeprefix(f"{list_place(org)}: ")) from None
    return document


def list_place(org: str) -> str:
    """Return what a list of apps is called where its file's name would be."""
    return f"GET /v1/apps?org_slug={escaped(org, safe='', errors='surrogateescape')}"


def read_secret(file: str) -> str:
    """Return the token in a file, or on standard input, without the line feed at its end.

    Raises:
        CommandError: it cannot be read. Neither what is in it nor its name is repeated, as some
            give the token for its name.
    """
    name = "standard input" if file == "-" else "the file with the token"
    try:
        if file == "-":
            data = standard_input().read(_MAX_SECRET + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(_MAX_SECRET + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file has such a name"
        raise CommandError(f"{name}: {reason}") from None
    if len(data) > _MAX_SECRET:
        raise CommandError(f"{name} is too long for a token")
    try:
        return data.decode("ascii").strip()
    except UnicodeDecodeError:
        raise CommandError(f"{name} is not a token: it is not ASCII") from None


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Tell somebody who waits for longer than a second what for, and each time it is tried again.

    A server that goes away meanwhile is an error to be told, and does not end this process.

    Args:
        what: what is waited for.
    """
    log, handler = logging.getLogger("fdaa.platform"), _Tell(logging.INFO)
    timer = threading.Timer(_PATIENCE, complain, (f"waiting for {what}",))
    timer.daemon = True
    level = log.level
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    on_closed_pipe = _set_sigpipe(signal.SIG_IGN)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        _set_sigpipe(on_closed_pipe)
        log.removeHandler(handler)
        log.setLevel(level)


def _set_sigpipe(handler: Any) -> Any:
    """Set what SIGPIPE does, where there is one, and return what it did."""
    return signal.signal(signal.SIGPIPE, handler) if hasattr(signal, "SIGPIPE") else None


class _Tell(logging.Handler):
    """Says on standard error what the client logs."""

    def emit(self, record: logging.LogRecord) -> None:
        complain(record.getMessage())
