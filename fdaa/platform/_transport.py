"""One deadline for a whole call.

A timeout of httpx2 limits each read, so a response that arrives byte by byte may never end. Here
the timeouts of a request are the *moment* at which the call ends (of `time.monotonic`), and each
step on the network gets what is left until then. (`pool` is not: waiting for a connection is one
step.)
"""

from __future__ import annotations

import socket
import time
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any

import httpcore2
import httpx2

from fdaa import __version__
from fdaa.platform._settings import proxy_for, tls_for

if TYPE_CHECKING:
    import ssl

# The options of every client: it keeps nothing, and reads no variables itself.
_SETTINGS: dict[str, Any] = {
    "cookies": CookieJar(DefaultCookiePolicy(allowed_domains=())),
    "headers": {
        "Accept": "application/json",
        "Accept-Encoding": "identity",  # a compressed body that is cut off can look complete
        "User-Agent": f"fdaa/{__version__}",
    },
    "trust_env": False,
}


def open_client(url: httpx2.URL, auth: Any = None, **options: Any) -> httpx2.Client:
    """Return a client for a base URL; the timeouts of its requests are deadlines.

    Args:
        url: relative URLs of requests come after it.
        auth: adds credentials to a request.
        options: of the transport: `limits`, or the path of a Unix socket as `uds`.

    Raises:
        ValueError: the proxy or the certificates of the environment cannot be used.
    """
    transport = httpx2.HTTPTransport(verify=tls_for(url), proxy=proxy_for(url), **options)
    transport._pool._network_backend = _Backend()  # httpx2 has no argument for it
    return httpx2.Client(base_url=url, auth=auth, transport=transport, **_SETTINGS)


def open_async_client(url: httpx2.URL, auth: Any = None, **options: Any) -> httpx2.AsyncClient:
    """Return an asynchronous client, as `open_client` does; its timeouts are those of httpx2."""
    transport = httpx2.AsyncHTTPTransport(verify=tls_for(url), proxy=proxy_for(url), **options)
    return httpx2.AsyncClient(base_url=url, auth=auth, transport=transport, **_SETTINGS)


class _Backend(httpcore2.SyncBackend):
    """Connects, and takes every timeout as a deadline."""

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *more: Any, **options: Any
    ) -> httpcore2.NetworkStream:
        # Each address gets the time that is left, not the whole time.
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore2.ConnectError(error) from error
        for address in dict.fromkeys(str(row[4][0]) for row in found):
            try:
                return _Stream(super().connect_tcp(address, port, _left(timeout), *more, **options))
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure  # of the last one; a lookup without an address is an error of its own

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, *more: Any, **options: Any
    ) -> httpcore2.NetworkStream:
        return _Stream(super().connect_unix_socket(path, _left(timeout), *more, **options))


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
    left = (deadline or 0.0) - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the deadline has passed")
    return left
