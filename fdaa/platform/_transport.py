"""One deadline for a whole call.

A timeout of httpx2 limits each read, so a response that comes byte by byte never ends. Here the
timeouts of a request are the *moment* at which the call ends (of `time.monotonic`), and each step
on the network gets what is left until then. (`pool` is not: waiting for a connection is one step.)
"""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING, Any

import httpcore2
import httpx2

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable


class DeadlineTransport(httpx2.HTTPTransport):
    """The transport of httpx2, for requests whose timeouts are deadlines."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._pool._network_backend = _Backend()  # httpx2 has no argument for it


class _Backend(httpcore2.SyncBackend):
    """Connects, and takes every timeout as a deadline."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        # Each address gets what is left, not each the whole time.
        failure: Exception = httpcore2.ConnectError(f"{host} has no address")
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore2.ConnectError(error) from error
        for address in dict.fromkeys(str(row[4][0]) for row in found):
            try:
                stream = super().connect_tcp(
                    address, port, _left(timeout), local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                return _Stream(stream)
        raise failure

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        return _Stream(super().connect_unix_socket(path, _left(timeout), socket_options))


class _Stream(httpcore2.NetworkStream):
    """A connection on which every timeout is a deadline."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, _left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(deadline: float | None) -> float:
    assert deadline is not None  # noqa: S101 - every request of ours has one
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the time is over")
    return left
