"""The listeners of one sandbox, on one event loop: HTTP on loopback, a Unix socket a Machine."""

from __future__ import annotations

import asyncio
import fcntl
import os
import secrets
import socket
import sqlite3
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import TYPE_CHECKING

import uvicorn

from fdaa.platform.sandbox._answers import Replies
from fdaa.platform.sandbox._api import http_app, machine_app
from fdaa.platform.sandbox._service import Service
from fdaa.platform.sandbox._state import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from starlette.applications import Starlette

    from fdaa.platform.sandbox._answers import Answers
    from fdaa.platform.sandbox._state import MachineRecord

_LOOPBACK = "127.0.0.1"
_SOCKET_PATH_LIMIT = 103  # bytes, without the NUL at the end; Linux takes 107, macOS 103
_HIGHEST_NUMBER = "9999999"  # of a Machine whose socket's path must be short enough


class SandboxError(Exception):
    """The sandbox cannot do this; its text says why."""

    __module__ = "fdaa.platform.sandbox"


class Server:
    """What serves one state directory. Only one server at a time has it.

    Raises:
        SandboxError: the directory, the port or a socket's path cannot be used.
    """

    def __init__(
        self, directory: Path, port: int, answers: Answers, certificate: tuple[str, str] | None
    ) -> None:
        self._sockets = directory / "sockets"
        self._listeners: dict[int, uvicorn.Server] = {}  # 0 is the API, others are Machines
        self._serving: set[asyncio.Task[None]] = set()
        self._directory = directory
        with ExitStack() as stack, _told(directory):
            self.state = _open_state(directory, stack)
            last_port = int(self.state.setting("port") or 0)
            self._http = stack.enter_context(_loopback_socket(port, last_port))
            port = self._http.getsockname()[1]
            self.state.keep_setting("port", str(port))
            self.token = self.state.setting("token") or f"sandbox-{secrets.token_urlsafe(32)}"
            self.state.keep_setting("token", self.token)
            base_url = f"{'https' if certificate else 'http'}://{_LOOPBACK}:{port}"
            self.service = Service(self.state, Replies(answers), base_url, self)
            self._config = _config(http_app(self.service, self.token), certificate)
            self._opened = stack.pop_all()

    async def start(self) -> None:
        """Listen: on loopback, and for each Machine of the state."""
        self._serve(0, self._http, self._config)
        with _told(self._directory):
            for record in self.state.machines():
                self.open(record)

    async def stop(self) -> None:
        """Stop all listeners and close the state, which another server can have then."""
        for listener in self._listeners.values():
            listener.should_exit = True
        await asyncio.gather(*self._serving)
        self._opened.close()

    def open(self, record: MachineRecord) -> str:
        """Listen on a Machine's socket and return its path."""
        path = self._sockets / str(record.number)
        path.unlink(missing_ok=True)  # left behind by a kill
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
    lock = os.open(directory / "lock", os.O_CREAT | os.O_RDWR, 0o600)
    stack.callback(os.close, lock)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    (directory / "sockets").mkdir(mode=0o700, exist_ok=True)
    (directory / "sockets").chmod(0o700)
    return stack.enter_context(closing(State(directory / "state.sqlite")))


@contextmanager
def _told(directory: Path) -> Iterator[None]:
    """Tell why a state directory cannot be used."""
    try:
        yield
    except BlockingIOError:
        raise SandboxError(f"another sandbox uses the state directory {directory}") from None
    except (OSError, sqlite3.Error) as error:
        raise SandboxError(f"the state directory {directory} cannot be used: {error}") from None


def _loopback_socket(port: int, last_port: int) -> socket.socket:
    """Listen on a port; 0 is the port of last time if it is free, else any free one."""
    if port == 0 and last_port:
        with suppress(SandboxError):
            return _loopback_socket(last_port, 0)
    # With the protocol named, asyncio turns Nagle's delay off: 40 ms less an answer.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_LOOPBACK, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        raise SandboxError(f"port {port} cannot be used: {error}") from None
    return listener
