"""A request out, a response in: no cookie, no redirect, one deadline, and a bounded body."""

from __future__ import annotations

import logging
import os
import ssl
import time
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any

import anyio
import httpx2

from fdaa import __version__
from fdaa.platform._errors import (
    IN_DOUBT,
    InvalidResponseError,
    PlatformError,
    PoolTimeoutError,
    ResponseError,
    UnreachableError,
    request_id,
)
from fdaa.platform._messages import MAX_ERROR, Response, response_error
from fdaa.platform._retry import pause_before_retry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fdaa.platform._messages import Request

_LOG = logging.getLogger("fdaa.platform")
_HEADERS = {
    "Accept": "application/json",
    "Accept-Encoding": "identity",  # a compressed body that is cut off can look complete
    "User-Agent": f"fdaa/{__version__}",
}


def settings() -> dict[str, Any]:
    """Return what every client of ours is made with: nothing kept, nothing from the environment."""
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))
    return {"cookies": no_cookies, "headers": _HEADERS, "trust_env": False}


def exchange(
    http: httpx2.Client,
    request: Request,
    url: str,
    timeout: float,
    redact: Callable[[str], str] = str,
) -> Response:
    """Send a request, again where that may help, and return the response.

    Args:
        http: a client whose transport is a `DeadlineTransport`.
        request: what to send.
        url: where to.
        timeout: seconds until the response must be complete.
        redact: cuts secrets from texts of the server.

    Raises:
        PlatformError: there was no response of success in that time.
    """
    call = _Call(request, url, timeout, redact)
    while True:
        with call.attempt():
            with http.stream(**call.arguments(call.deadline, call.trace)) as stream:
                limit, body = call.limit(stream), bytearray()
                for chunk in stream.iter_raw():
                    body += chunk
                    if len(body) > limit:
                        break
            return call.response(stream, bytes(body))
        time.sleep(call.pause)


async def exchange_async(
    http: httpx2.AsyncClient,
    request: Request,
    url: str,
    timeout: float,
    redact: Callable[[str], str] = str,
) -> Response:
    """Send a request and return the response: `exchange`, on any asynchronous transport."""
    call = _Call(request, url, timeout, redact)
    while True:
        with call.attempt():
            with anyio.fail_after(call.left()):
                async with http.stream(**call.arguments(None, call.trace_async)) as stream:
                    limit, body = call.limit(stream), bytearray()
                    async for chunk in stream.aiter_raw():
                        body += chunk
                        if len(body) > limit:
                            break
            return call.response(stream, bytes(body))
        await anyio.sleep(call.pause)


class _Call:
    """One call: how it is sent, how far it came, and whether to send it again."""

    def __init__(
        self, request: Request, url: str, timeout: float, redact: Callable[[str], str]
    ) -> None:
        self._request, self._url, self._timeout, self._redact = request, url, timeout, redact
        self._attempts = 0
        self.deadline = time.monotonic() + timeout
        self.pause = 0.0  # seconds before the next attempt

    def left(self) -> float:
        """Return the seconds until the deadline."""
        return max(0.0, self.deadline - time.monotonic())

    def arguments(self, deadline: float | None, trace: object) -> dict[str, Any]:
        """Return the arguments of httpx2's `stream`."""
        pool = None if deadline is None else self.left()
        timeout = httpx2.Timeout(deadline, pool=pool).as_dict()
        body = self._request.body
        return {
            "method": self._request.method,
            "url": self._url,
            "content": body,
            "headers": None if body is None else {"Content-Type": "application/json"},
            "extensions": {"timeout": timeout, "trace": trace},
        }

    def trace(self, event: str, details: dict[str, Any]) -> None:
        """Note how far an attempt came; a proxy's CONNECT is not our request."""
        self._has_connection = True
        is_start = event.endswith(".send_request_headers.started")  # an event of httpcore2
        self._sent |= is_start and details["request"].method != b"CONNECT"

    async def trace_async(self, event: str, details: dict[str, Any]) -> None:
        """Note how far an attempt came."""
        self.trace(event, details)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Send once: swallow a failure after which the request must be sent again.

        Raises:
            PlatformError: it must not be sent again.
        """
        self._attempts += 1
        self._started = time.monotonic()
        self._has_connection = self._sent = False
        try:
            yield
        except ResponseError as error:
            self._wait_or_raise(error, error.status, error.retry_after)
        except (httpx2.RequestError, OSError, UnicodeError) as error:  # the last: of a host's name
            failure = self._failure(error)
            _LOG.debug("%s, after %.3f s", failure, time.monotonic() - self._started)
            if not isinstance(failure, UnreachableError) or not _may_pass(error):
                raise failure from None
            self._wait_or_raise(failure, None, None)
        except BaseException as error:
            if self._sent and self._request.changes and not isinstance(error, Exception):
                error.add_note(f"{self._request.call}: {IN_DOUBT}")  # Ctrl-C, or a cancelled task
            raise

    def _wait_or_raise(
        self, failure: PlatformError, status: int | None, asked: float | None
    ) -> None:
        method, left = self._request.method, self.left()
        pause = pause_before_retry(method, status, asked, self._attempts, left)
        if pause is None:
            raise failure from None
        self.pause = pause
        _LOG.info("%s; retrying in %.3g seconds", failure, pause)

    def _failure(self, error: Exception) -> PlatformError:
        call, in_doubt = self._request.call, self._sent and self._request.changes
        if isinstance(error, httpx2.TimeoutException | TimeoutError):
            if not self._has_connection:
                reason = f"all connections were busy for {self._timeout:g} seconds"
                return PoolTimeoutError(call, f"{reason}; nothing was sent")
            reason = f"no complete response within {round(self._timeout, 2):g} seconds"
            return UnreachableError(call, reason, in_doubt)
        reason = self._redact(_reason(error))
        if isinstance(error, httpx2.RemoteProtocolError) and not _was_closed(error):
            return InvalidResponseError(call, "", f"not HTTP: {reason}", in_doubt)
        return UnreachableError(call, reason, in_doubt)

    def limit(self, stream: httpx2.Response) -> int:
        """Return how many bytes of the body to read."""
        return self._request.max_bytes if stream.is_success else MAX_ERROR

    def response(self, stream: httpx2.Response, body: bytes) -> Response:
        """Return the response, whose body was read to its end or the limit.

        Raises:
            ResponseError: its status is not of success.
            InvalidResponseError: it is too long, or compressed.
        """
        encoding = stream.headers.get("content-encoding", "identity").strip().lower()
        is_plain = encoding in ("", "identity")
        content = body if is_plain else b""
        response = Response(stream.status_code, stream.headers, content, self._redact)
        if _LOG.isEnabledFor(logging.DEBUG):
            id_ = self._redact(request_id(stream.headers) or "none")
            seconds = time.monotonic() - self._started
            line = "%s: status %d in %.3f s, request ID %r"
            _LOG.debug(line, self._request.call, response.status, seconds, id_)
        if not stream.is_success:
            raise response_error(self._request, response)
        reason = None
        if not is_plain:
            shown = self._redact(stream.headers["content-encoding"])[:40]
            reason = f"unsupported Content-Encoding {shown!a}"
        elif len(body) > self._request.max_bytes:
            reason = f"longer than {self._request.max_bytes // 1024} KiB"
        if reason is not None:
            raise InvalidResponseError(self._request.call, "", reason, self._request.changes)
        return response


def _may_pass(error: Exception) -> bool:
    """Whether a failure is not the same each time."""
    is_connection = isinstance(error, httpx2.NetworkError | httpx2.RemoteProtocolError)
    return is_connection and not isinstance(_os_error(error), ssl.SSLCertVerificationError)


def _was_closed(error: httpx2.RemoteProtocolError) -> bool:
    """Whether the server closed the connection too early; httpx2 has no error of its own for it."""
    return "disconnected" in str(error) or "closed connection" in str(error)


def _reason(error: Exception) -> str:
    if isinstance(error, httpx2.ProxyError):
        return f"the proxy refused the connection: {error}"
    if isinstance(error, UnicodeError):
        return "this is not the name of a host"
    cause = _os_error(error)
    if isinstance(cause, ConnectionError) and cause.errno:
        return os.strerror(cause.errno)  # asyncio has a text of its own
    reason = str(error) if cause is None else cause.strerror or str(cause)
    return reason or f"the connection broke ({type(error).__name__})"


def _os_error(error: Exception) -> OSError | None:
    """Return the error of the operating system that httpcore2 made its own of."""
    below = error.__cause__
    found = below.args[0] if below is not None and below.args else None
    while isinstance(found, BaseException) and found.__cause__ is not None:
        found = found.__cause__
        if isinstance(found, BaseExceptionGroup):  # of each address; show the first
            found = found.exceptions[0]
    return found if isinstance(found, OSError) else None
