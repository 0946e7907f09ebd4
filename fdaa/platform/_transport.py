"""The connections of a client: no cookie, no variable of the environment, one deadline for a call.

A timeout of httpx2 limits each read, so a response that arrives byte by byte may never end. In the
synchronous client, the timeouts of a request are the *moment* at which the call ends (of
`time.monotonic`), and each step on the network gets what is left until then. (`pool` is not:
waiting for a connection is one step.) httpx2 has no argument for that, so the transports here make
the pool of connections themselves, with httpcore2, whose errors they raise. In the asynchronous
client, the call itself is cancelled at its deadline.
"""

from __future__ import annotations

import socket
import time
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any

import anyio
import httpcore2
import httpx2

from fdaa import __version__
from fdaa.platform._settings import proxy_for, tls_for

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Callable, Iterator

    Authorize = Callable[[httpx2.Request], httpx2.Request]

MAX_CONNECTIONS = 100  # of one client; further calls wait for one
_MAX_IDLE_CONNECTIONS = 20
_IDLE_SECONDS = 5.0

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


def open_client(
    url: httpx2.URL,
    *,
    authorize: Authorize | None = None,
    socket_path: str | None = None,
    keep_connections: bool = True,
) -> httpx2.Client:
    """Return a client for a base URL; the timeouts of its requests are deadlines.

    Args:
        url: relative URLs of requests come after it.
        authorize: adds credentials to a request.
        socket_path: a Unix socket to connect to.
        keep_connections: whether a connection may serve several requests.

    Raises:
        fdaa.ArgumentError: the proxy or the certificates of the environment cannot be used.
    """
    options = _pool_options(url, socket_path, keep_connections)
    pool = httpcore2.ConnectionPool(network_backend=_DeadlineBackend(), **options)
    transport = _Transport(pool)
    return httpx2.Client(base_url=url, auth=authorize, transport=transport, **_SETTINGS)


def open_async_client(
    url: httpx2.URL,
    *,
    authorize: Authorize | None = None,
    socket_path: str | None = None,
    keep_connections: bool = True,
) -> httpx2.AsyncClient:
    """Return an asynchronous client, as `open_client` does; the caller keeps the deadline."""
    options = _pool_options(url, socket_path, keep_connections)
    pool = httpcore2.AsyncConnectionPool(network_backend=_AsyncBackend(), **options)
    transport = _AsyncTransport(pool)
    return httpx2.AsyncClient(base_url=url, auth=authorize, transport=transport, **_SETTINGS)


def _pool_options(
    url: httpx2.URL, socket_path: str | None, keep_connections: bool
) -> dict[str, Any]:
    most_idle = _MAX_IDLE_CONNECTIONS if keep_connections else 0
    return {
        "ssl_context": tls_for(url),
        "proxy": _proxy(url),
        "max_connections": MAX_CONNECTIONS,
        "max_keepalive_connections": most_idle,
        "keepalive_expiry": _IDLE_SECONDS,
        "uds": socket_path,
    }


def _proxy(url: httpx2.URL) -> httpcore2.Proxy | None:
    address = proxy_for(url)
    if address is None:
        return None
    proxy = httpx2.Proxy(address)
    tls = tls_for(proxy.url) if proxy.url.scheme == "https" else None
    return httpcore2.Proxy(
        _core_url(proxy.url),
        auth=proxy.raw_auth,
        ssl_context=tls,
    )


# --- between httpx2 and httpcore2 -----------------------------------------------------------------


def _core_url(url: httpx2.URL) -> httpcore2.URL:
    return httpcore2.URL(
        scheme=url.raw_scheme,
        host=url.raw_host,
        port=url.port,
        target=url.raw_path,
    )


def _core_request(request: httpx2.Request) -> httpcore2.Request:
    return httpcore2.Request(
        method=request.method,
        url=_core_url(request.url),
        headers=request.headers.raw,
        content=request.stream,
        extensions=request.extensions,
    )


class _Transport(httpx2.BaseTransport):
    """Sends requests over the connections of a pool."""

    def __init__(self, pool: httpcore2.ConnectionPool) -> None:
        self._pool = pool

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        response = self._pool.handle_request(_core_request(request))
        return httpx2.Response(
            response.status,
            headers=response.headers,
            stream=_Body(response),
        )

    def close(self) -> None:
        self._pool.close()


class _Body(httpx2.SyncByteStream):
    """The body of a response, as it arrives."""

    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        return self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


class _AsyncTransport(httpx2.AsyncBaseTransport):
    """`_Transport` for asynchronous code."""

    def __init__(self, pool: httpcore2.AsyncConnectionPool) -> None:
        self._pool = pool

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._pool.handle_async_request(_core_request(request))
        return httpx2.Response(
            response.status,
            headers=response.headers,
            stream=_AsyncBody(response),
        )

    async def aclose(self) -> None:
        await self._pool.aclose()


class _AsyncBody(httpx2.AsyncByteStream):
    """The body of a response, as it arrives."""

    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._response.aiter_stream()

    async def aclose(self) -> None:
        await self._response.aclose()


# --- timeouts that are deadlines ------------------------------------------------------------------


class _DeadlineBackend(httpcore2.SyncBackend):
    """Connects, and takes every timeout as a deadline."""

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *more: Any, **options: Any
    ) -> httpcore2.NetworkStream:
        # Each address gets the time that is left, not the whole time.
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore2.ConnectError(error) from error
        addresses = dict.fromkeys(str(row[4][0]) for row in found)
        for address in addresses:
            try:
                stream = super().connect_tcp(address, port, _left(timeout), *more, **options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                return _DeadlineStream(stream)
        raise failure  # of the last one; a lookup without an address is an error of its own

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, *_: Any, **__: Any
    ) -> httpcore2.NetworkStream:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.settimeout(_left(timeout))
            connection.connect(path)
        except OSError as error:
            connection.close()  # httpcore2 would leave it open
            if isinstance(error, TimeoutError):
                raise httpcore2.ConnectTimeout(error) from error
            raise httpcore2.ConnectError(error) from error
        return _DeadlineStream(_UnixStream(connection))


class _UnixStream(httpcore2.NetworkStream):
    """A connection to a Unix socket."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._connection.settimeout(timeout)
        try:
            return self._connection.recv(max_bytes)
        except TimeoutError as error:
            raise httpcore2.ReadTimeout(error) from error
        except OSError as error:
            raise httpcore2.ReadError(error) from error

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._connection.settimeout(timeout)
        try:
            self._connection.sendall(buffer)
        except TimeoutError as error:
            raise httpcore2.WriteTimeout(error) from error
        except OSError as error:
            raise httpcore2.WriteError(error) from error

    def close(self) -> None:
        self._connection.close()

    def get_extra_info(self, info: str) -> Any:  # noqa: ARG002
        return None  # only a pool that keeps connections reads it


class _DeadlineStream(httpcore2.NetworkStream):
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
        stream = self._stream.start_tls(ssl_context, server_hostname, _left(timeout))
        return _DeadlineStream(stream)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(deadline: float | None) -> float:
    left = (deadline or 0.0) - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the deadline has passed")
    return left


# --- calls that are cancelled ---------------------------------------------------------------------


class _AsyncBackend(httpcore2.AnyIOBackend):
    """Connects; httpcore2 leaves a connection open whose TLS handshake is cancelled."""

    async def connect_tcp(self, *target: Any, **options: Any) -> httpcore2.AsyncNetworkStream:
        stream = await super().connect_tcp(*target, **options)
        return _AsyncStream(stream)


class _AsyncStream(httpcore2.AsyncNetworkStream):
    """A connection that is closed when its TLS handshake is cancelled."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream) -> None:
        self._stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        try:
            stream = await self._stream.start_tls(ssl_context, server_hostname, timeout)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self._stream.aclose()
            raise
        return _AsyncStream(stream)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
