"""One deadline for a whole call.

A timeout of httpx2 is a limit for each read, so an answer that comes byte by byte never ends. Here
the request's timeout is the *moment* at which the call ends (of `time.monotonic`), and each step on
the network gets what is left until then. Looking up a host's name is the operating system's, which
has limits of its own.
"""

from __future__ import annotations

import socket
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpcore2
import httpx2

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable, Iterator

_NAMES = (
    "ConnectError ConnectTimeout LocalProtocolError NetworkError PoolTimeout ProtocolError "
    "ProxyError ReadError ReadTimeout RemoteProtocolError TimeoutException UnsupportedProtocol "
    "WriteError WriteTimeout"
)
_ERRORS = {getattr(httpcore2, name): getattr(httpx2, name) for name in _NAMES.split()}


def _left(deadline: float | None) -> float:
    assert deadline is not None  # noqa: S101 - every request of ours has one
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the time is over")
    return left


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
            raise httpcore2.ConnectError(error) from None
        except UnicodeError:  # a part between two dots is empty, or longer than DNS has them
            raise httpcore2.ConnectError(f"{host} is not the name of a host") from None
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


class _Body(httpx2.SyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        with _as_httpx2():
            yield from self._stream

    def close(self) -> None:
        self._stream.close()


class DeadlineTransport(httpx2.BaseTransport):
    """The transport of httpx2 for requests whose timeout is a deadline.

    Args:
        ssl_context: for https; None where there is none.
        proxy: the proxy's URL.
        uds: the Unix socket to use in place of the network.
    """

    def __init__(
        self,
        ssl_context: ssl.SSLContext | None = None,
        proxy: str | None = None,
        uds: str | None = None,
    ) -> None:
        self._pool = httpcore2.ConnectionPool(
            ssl_context=ssl_context,
            proxy=None if proxy is None else _proxy(proxy),
            keepalive_expiry=5.0,
            uds=uds,
            network_backend=_Backend(),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request, and return the answer with its body still to come."""
        with _as_httpx2():
            response = self._pool.handle_request(
                httpcore2.Request(
                    request.method,
                    httpcore2.URL(
                        scheme=request.url.raw_scheme,
                        host=request.url.raw_host,
                        port=request.url.port,
                        target=request.url.raw_path,
                    ),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
        return httpx2.Response(
            response.status,
            headers=response.headers,
            stream=_Body(response.stream),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


@contextmanager
def _as_httpx2() -> Iterator[None]:
    try:
        yield
    except tuple(_ERRORS) as error:
        raise _ERRORS[type(error)](str(error)) from None


def _proxy(url: str) -> httpcore2.Proxy:
    read = httpx2.Proxy(url)  # it takes the user information out of the URL
    address = read.url
    return httpcore2.Proxy(
        httpcore2.URL(
            scheme=address.raw_scheme, host=address.raw_host, port=address.port, target=b"/"
        ),
        auth=read.raw_auth,
    )
