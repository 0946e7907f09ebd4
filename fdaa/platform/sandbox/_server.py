"""The listeners of one sandbox, on one event loop: HTTP, and a Unix socket for each Machine."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import logging
import os
import secrets
import socket
import sqlite3
from contextlib import ExitStack, closing, contextmanager, suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Self

import uvicorn

from fdaa.errors import FdaaError, quote
from fdaa.platform.sandbox._api import http_app, machine_app
from fdaa.platform.sandbox._service import Service
from fdaa.platform.sandbox._state import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from ipaddress import IPv4Address, IPv6Address
    from pathlib import Path

    from starlette.applications import Starlette

    from fdaa.platform.sandbox._state import MachineRecord

_SOCKET_PATH_LIMIT = 103  # bytes, without the NUL at the end; Linux takes 107, macOS 103
_HIGHEST_NUMBER = "9999999"  # of a Machine whose socket's path must be short enough

_LOG = logging.getLogger("fdaa.platform.sandbox")


class SandboxError(FdaaError):
    """The sandbox cannot do this; the message says why."""

    __module__ = "fdaa.platform.sandbox"


class Server:
    """Serves one state directory, from `async with` to its end; one server at a time may.

    Args:
        directory: the state.
        host: the address to listen on.
        port: 0 is the port that the state had last if it is free, else any free one.
        certificate: the files of a certificate and its key, for https.
        oidc_issuer: the URL that leads to this server's `/oidc`, as relying parties reach it.

    Raises:
        SandboxError: on entry, when the directory, the address or a socket's path cannot be used.
    """

    def __init__(
        self,
        directory: Path,
        host: str,
        port: int,
        certificate: tuple[str, str] | None,
        oidc_issuer: str | None,
    ) -> None:
        self._directory = directory
        self._sockets = directory / "sockets"
        self._listeners: dict[int, uvicorn.Server] = {}  # 0 is the API, others are Machines
        self._serving: set[asyncio.Task[None]] = set()
        self._is_exhausted = False
        with ExitStack() as stack, _unusable(directory):
            self.state = _open_state(directory, stack)
            last_port = int(self.state.setting("port") or 0)
            address = ip_address(host)
            self._http = stack.enter_context(_listen(address, port, last_port))
            port = self._http.getsockname()[1]
            self.state.keep_setting("port", str(port))
            self.token = self.state.setting("token") or f"sandbox-{secrets.token_urlsafe(32)}"
            self.state.keep_setting("token", self.token)
            base_url = f"{'https' if certificate else 'http'}://{_reachable(address)}:{port}"
            oidc_issuer = (oidc_issuer or f"{base_url}/oidc").rstrip("/")
            self.service = Service(self.state, oidc_issuer, base_url, self)
            self._config = _config(http_app(self.service, self.token), certificate)
            self._opened = stack.pop_all()

    async def __aenter__(self) -> Self:
        asyncio.get_running_loop().set_exception_handler(self._report)
        self._serve(0, self._http, self._config)
        try:
            with _unusable(self._directory):
                for path in self._sockets.iterdir():  # of a sandbox that was killed
                    path.unlink()
                for record in self.state.machines():
                    self.open(record)
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        for listener in self._listeners.values():
            listener.should_exit = True
        await asyncio.gather(*self._serving)
        self._opened.close()  # another server can have the state now

    def open(self, record: MachineRecord) -> str:
        """Listen on a Machine's socket and return its path."""
        path = self._sockets / str(record.number)
        listener = socket.socket(socket.AF_UNIX)
        try:
            listener.bind(str(path))
            listener.listen()
        except OSError:
            listener.close()
            raise
        self._serve(record.number, listener, _config(machine_app(self.service, record.number)))
        return str(path)

    def close(self, records: Iterable[MachineRecord]) -> None:
        """Stop listening on the sockets of these Machines."""
        for record in records:
            (self._sockets / str(record.number)).unlink(missing_ok=True)
            if record.number in self._listeners:
                self._listeners.pop(record.number).should_exit = True

    def _serve(self, number: int, listener: socket.socket, config: uvicorn.Config) -> None:
        server = self._listeners[number] = uvicorn.Server(config)
        task = asyncio.get_running_loop().create_task(server.serve([listener]))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    def _report(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log what the event loop reports: asyncio has a traceback for each try to accept."""
        exception = context.get("exception")
        if isinstance(exception, OSError) and exception.errno in (errno.EMFILE, errno.ENFILE):
            if not self._is_exhausted:
                _LOG.error("no connection can be accepted: %s", exception.strerror)
            self._is_exhausted = True
        # It tries again a second later, even if the listener was closed meanwhile: a ValueError.
        elif not (self._is_exhausted and isinstance(exception, ValueError)):
            loop.default_exception_handler(context)


def _config(app: Starlette, certificate: tuple[str, str] | None = None) -> uvicorn.Config:
    file, key_file = certificate or (None, None)
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,  # logging is the user's
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        ssl_certfile=file,
        ssl_keyfile=key_file,
    )
    try:
        config.load()
    except OSError as error:
        raise SandboxError(f"the certificate {file} cannot be used: {error}") from None
    return config


def _open_state(directory: Path, stack: ExitStack) -> State:
    """Open a state directory for one server alone; `stack` closes it."""
    if len(os.fsencode(directory / "sockets" / _HIGHEST_NUMBER)) > _SOCKET_PATH_LIMIT:
        reason = f"Unix sockets in it would have paths of more than {_SOCKET_PATH_LIMIT} bytes"
        raise SandboxError(f"the state directory {directory} cannot be used: {reason}")
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    if directory.stat().st_mode % 0o100:
        reason = f"other users can enter it; run: chmod 700 {quote(str(directory))}"
        raise SandboxError(f"the state directory {directory} cannot be used: {reason}")
    lock = os.open(directory / "lock", os.O_CREAT | os.O_RDWR, 0o600)
    stack.callback(os.close, lock)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    (directory / "sockets").mkdir(mode=0o700, exist_ok=True)
    return stack.enter_context(closing(State(directory / "state.sqlite")))


@contextmanager
def _unusable(directory: Path) -> Iterator[None]:
    """Say why a state directory cannot be used."""
    try:
        yield
    except BlockingIOError:
        raise SandboxError(f"another sandbox uses the state directory {directory}") from None
    except (OSError, sqlite3.Error) as error:
        raise SandboxError(f"the state directory {directory} cannot be used: {error}") from None


def _listen(address: IPv4Address | IPv6Address, port: int, last_port: int) -> socket.socket:
    """Listen on a port; 0 is the port of last time if it is free, else any free one."""
    if port == 0 and last_port:
        with suppress(SandboxError):
            return _listen(address, last_port, 0)
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    # With the protocol named, asyncio turns Nagle's delay off: 40 ms less for each response.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((str(address), port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        raise SandboxError(f"{address} port {port} cannot be used: {error}") from None
    return listener


def _reachable(address: IPv4Address | IPv6Address) -> str:
    """Return the host for a URL: to listen on every address includes loopback."""
    if address.is_unspecified:
        return "[::1]" if address.version == 6 else "127.0.0.1"
    return f"[{address}]" if address.version == 6 else str(address)
