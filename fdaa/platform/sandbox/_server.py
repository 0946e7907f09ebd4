"""The listeners of one sandbox, on one event loop: HTTP on loopback, a Unix socket a Machine."""

from __future__ import annotations

import asyncio
import fcntl
import os
import secrets
import socket
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import uvicorn

from fdaa.platform.sandbox._answers import Replies
from fdaa.platform.sandbox._api import Service, http_app, machine_app
from fdaa.platform.sandbox._state import State

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from starlette.applications import Starlette

    from fdaa.address import Address
    from fdaa.platform.sandbox._answers import Answers
    from fdaa.platform.sandbox._state import MachineRecord

_LOOPBACK = "127.0.0.1"
_SOCKET_PATH_LIMIT = 103  # bytes, without the NUL at the end; Linux takes 107, macOS 103
IDENTITY_SOCKET_VARIABLE = "FDAA_IDENTITY_SOCKET"


class SandboxError(Exception):
    """The sandbox cannot do this; its text says why."""


@dataclass(frozen=True)
class Machine:
    """A Machine of the sandbox.

    Args:
        id: its identifier.
        address: its private address (specification, section 2.3).
        socket: the path of its identity socket, in place of `/.platform/api` (section 4.4).
    """

    id: str
    address: Address
    socket: str

    @property
    def environment(self) -> dict[str, str]:
        """The variables that a process inside the Machine has."""
        return {
            "PLATFORM_PRIVATE_IP": str(self.address),
            IDENTITY_SOCKET_VARIABLE: self.socket,
        }


class Server:
    """What serves one state directory. Only one server at a time has it.

    Raises:
        SandboxError: the directory, the port or a socket's path cannot be used.
    """

    def __init__(
        self, directory: Path, port: int, answers: Answers, certificate: tuple[str, str] | None
    ) -> None:
        self._certificate = certificate
        self._sockets = directory / "sockets"
        self._listeners: dict[int, uvicorn.Server] = {}  # 0 is the API, others are Machines
        self._serving: set[asyncio.Task[None]] = set()
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = _locked(directory / "lock")
            self._sockets.mkdir(mode=0o700, exist_ok=True)
            self._sockets.chmod(0o700)
            self.state = State(directory / "state.sqlite")
        except (OSError, sqlite3.Error) as error:
            raise SandboxError(f"the state directory {directory} cannot be used: {error}") from None
        self._http = _loopback_socket(port, int(self.state.setting("port") or 0))
        port = self._http.getsockname()[1]
        self.state.keep_setting("port", str(port))
        self.token = self.state.setting("token") or f"sandbox-{secrets.token_urlsafe(32)}"
        self.state.keep_setting("token", self.token)
        scheme = "https" if certificate else "http"
        base_url = f"{scheme}://{_LOOPBACK}:{port}"
        self.service = Service(self.state, Replies(answers), base_url, self)

    async def start(self) -> None:
        """Listen: on loopback, and for each Machine of the state."""
        certificate, key = self._certificate or (None, None)
        app = http_app(self.service, self.token)
        self._serve(0, self._http, _config(app, certificate, key))
        for record in self.state.machines():
            self.open_socket(record)

    async def stop(self) -> None:
        """Stop all listeners and close the state."""
        for listener in self._listeners.values():
            listener.should_exit = True
        await asyncio.gather(*self._serving)
        self.close()

    def close(self) -> None:
        """Close the state, and let another server have it."""
        self._http.close()
        self.state.close()
        os.close(self._lock)

    def open_socket(self, record: MachineRecord) -> str:
        """Listen on a Machine's socket and return its path."""
        path = self._sockets / str(record.number)
        if len(os.fsencode(path)) > _SOCKET_PATH_LIMIT:
            raise SandboxError(
                f"the path of the socket {path} is longer than {_SOCKET_PATH_LIMIT} bytes; "
                "choose a state directory with a shorter path"
            )
        path.unlink(missing_ok=True)  # left behind by a kill
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen()
        self._serve(record.number, listener, _config(machine_app(self.service, record.number)))
        return str(path)

    def close_sockets(self, records: Iterable[MachineRecord]) -> None:
        """Stop listening on the sockets of these Machines."""
        for record in records:
            (self._sockets / str(record.number)).unlink(missing_ok=True)
            if record.number in self._listeners:
                self._listeners.pop(record.number).should_exit = True

    def machine(self, record: MachineRecord, path: str) -> Machine:
        """Return what a user sees of a Machine."""
        return Machine(record.id, record.address, path)

    def _serve(self, number: int, listener: socket.socket, config: uvicorn.Config) -> None:
        server = self._listeners[number] = uvicorn.Server(config)
        task = asyncio.get_running_loop().create_task(server.serve([listener]))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)


def _config(
    app: Starlette, certificate: str | None = None, key: str | None = None
) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,  # logging is the user's
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )


def _locked(file: Path) -> int:
    """Open a file that only one process has at a time."""
    descriptor = os.open(file, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise SandboxError(f"another sandbox uses the state directory {file.parent}") from None
    return descriptor


def _loopback_socket(port: int, last_port: int) -> socket.socket:
    """Listen on a port; 0 is the port of last time if it is free, else any free one."""
    if port == 0 and last_port:
        with suppress(SandboxError):
            return _loopback_socket(last_port, 0)
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_LOOPBACK, port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise SandboxError(f"port {port} cannot be used: {error.strerror}") from None
    return listener
