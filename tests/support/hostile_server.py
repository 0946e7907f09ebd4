"""A small HTTP server over real sockets that does what a good one never would.

Each connection is given to a script: a function that has read the request and writes what it likes.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from http.client import parse_headers
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable
    from typing import Self


class Received(NamedTuple):
    method: str
    target: str
    headers: dict[str, str]  # names in lower case
    body: bytes


class HostileServer:
    """Serves in threads, from `with` to its end; `arrived` is set with each request.

    Args:
        script: called with each connection and the request that came on it.
        tls: for https.
        path: of a Unix socket, in place of a port on loopback.
    """

    def __init__(
        self,
        script: Callable[[socket.socket, Received], None],
        tls: ssl.SSLContext | None = None,
        path: str | None = None,
    ) -> None:
        self.received: list[Received] = []
        self.connections = 0
        self.arrived = threading.Event()
        self.stopped = threading.Event()
        self._script = script
        self._tls = tls
        self._open: list[socket.socket] = []
        if path is None:
            scheme = "https" if tls else "http"
            self._listener = socket.create_server(("127.0.0.1", 0))
            self.url = f"{scheme}://127.0.0.1:{self._listener.getsockname()[1]}"
        else:
            self.url = path
            self._listener = socket.socket(socket.AF_UNIX)
            self._listener.bind(path)
            self._listener.listen()
        self._threads = [threading.Thread(target=self._accept)]  # then one for each connection

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        with socket.socket(self._listener.family) as last:  # wakes `accept`
            last.connect(self._listener.getsockname())
        accepting, *serving = self._threads
        accepting.join()
        for connection in self._open:
            with suppress(OSError):  # it is closed
                socket.socket.shutdown(connection, socket.SHUT_RDWR)  # wakes `recv`
        for thread in serving:
            thread.join()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            if self.stopped.is_set():
                connection.close()
                return
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(connection,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(10)  # for a client that does not complete its handshake
        with suppress(OSError):
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
        self._open.append(connection)
        with suppress(OSError, ValueError), connection:  # ValueError: no request, but the end
            while not self.stopped.is_set():
                request = _read(connection)
                self.received.append(request)
                self.arrived.set()
                self._script(connection, request)


def _read(connection: socket.socket) -> Received:
    with connection.makefile("rb") as stream:
        method, target, _ = stream.readline().decode().split(" ")
        found = parse_headers(stream)
        headers = {name.lower(): value for name, value in found.items()}
        body = stream.read(int(headers.get("content-length", 0)))
        return Received(method, target, headers, body)


def answer(connection: socket.socket, status: int = 200, body: bytes = b"", *headers: str) -> None:
    """Write a well-formed answer."""
    lines = [f"HTTP/1.1 {status} Said", f"Content-Length: {len(body)}", *headers]
    connection.sendall("\r\n".join([*lines, "", ""]).encode() + body)


def answers(
    status: int = 200, body: bytes = b"", *headers: str
) -> Callable[[socket.socket, Received], None]:
    """Return a script that writes the same answer to every request."""
    return lambda connection, _: answer(connection, status, body, *headers)


def silent(_: socket.socket, __: Received) -> None:
    """Write nothing; the connection stays open until the other side closes it."""
