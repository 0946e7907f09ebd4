"""A request out, a response in: no cookie, no redirect, one deadline, and a bounded body."""

from __future__ import annotations

import logging
import os
import ssl
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import httpx2

from fdaa.platform import _errors as errors
from fdaa.platform._messages import Request, Result, response_error
from fdaa.platform._retry import pause_before_retry

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOG = logging.getLogger("fdaa.platform")
# UnicodeError: of the name of a host.
_FAILURES = (httpx2.RequestError, httpx2.InvalidURL, OSError, UnicodeError)
_IN_A_THREAD = 1024 * 1024  # bytes from which on reading a response would block an event loop


def exchange(http: httpx2.Client, request: Request[Result], timeout: float) -> Result:
    """Send a request, with retries, and return the result read from its response.

    Args:
        http: a client of `open_client`.
        request: what to send.
        timeout: seconds until the response must be complete.

    Raises:
        PlatformError: there was no successful response in that time.
    """
    call = _Call(http, request, timeout)
    while True:
        with call.attempt():
            with http.stream(**call.arguments(call.deadline, call.trace)) as response:
                body = bytearray()
                for chunk in response.iter_raw():
                    body += chunk
                    if len(body) > request.max_bytes:
                        break
            return request.read(request, call.checked(response, bytes(body)))
        time.sleep(call.pause)


async def exchange_async(
    http: httpx2.AsyncClient, request: Request[Result], timeout: float
) -> Result:
    """Send a request and return what is read from the response, as `exchange` does."""
    call = _Call(http, request, timeout)
    while True:
        with call.attempt():
            with anyio.fail_after(call.left()):
                async with http.stream(**call.arguments(None, call.trace_async)) as response:
                    body = bytearray()
                    async for chunk in response.aiter_raw():
                        body += chunk
                        if len(body) > request.max_bytes:
                            break
            data = call.checked(response, bytes(body))
            if len(data) < _IN_A_THREAD:
                return request.read(request, data)
            return await anyio.to_thread.run_sync(request.read, request, data)
        await anyio.sleep(call.pause)


class _Call:
    """One call: its sending, its progress and its retries."""

    def __init__(
        self, http: httpx2.Client | httpx2.AsyncClient, request: Request[Any], timeout: float
    ) -> None:
        if http.is_closed:
            raise errors.ClientClosedError("the client is closed")
        self._request, self._timeout = request, timeout
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
        return {
            "method": self._request.method,
            "url": self._request.path,
            "json": self._request.fields,
            "extensions": {"timeout": timeout, "trace": trace},
        }

    def trace(self, event: str, details: dict[str, Any]) -> None:
        """Note how far an attempt got; a proxy's CONNECT is not our request."""
        self._has_connection = True
        is_start = event.endswith(".send_request_headers.started")  # an event of httpcore2
        self._sent |= is_start and details["request"].method != b"CONNECT"

    async def trace_async(self, event: str, details: dict[str, Any]) -> None:
        """Note how far an attempt got."""
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
        failure: errors.PlatformError
        status = asked = None
        try:
            yield
            return
        except errors.ResponseError as error:
            failure, may_pass, status, asked = error, True, error.status, error.retry_after
        except _FAILURES as error:
            failure, may_pass = self._failure(error), _may_pass(error)
            _LOG.debug("%s, after %.3f s", failure, time.monotonic() - self._started)
        except BaseException as error:
            if self._sent and self._request.changes and not isinstance(error, Exception):
                error.add_note(f"{self._request.call}: {errors.IN_DOUBT}")  # Ctrl-C, or cancelled
            raise
        pause = pause_before_retry(self._request.method, status, asked, self._attempts, self.left())
        if pause is None or not may_pass:
            raise failure from None
        self.pause = pause
        _LOG.info("%s; retrying in %.3g seconds", failure, pause)

    def _failure(self, error: Exception) -> errors.PlatformError:
        call, in_doubt = self._request.call, self._sent and self._request.changes
        if isinstance(error, httpx2.TimeoutException | TimeoutError):
            if not self._has_connection:
                reason = f"all connections were busy for {self._timeout:g} seconds"
                return errors.PoolTimeoutError(call, f"{reason}; nothing was sent")
            reason = f"no complete response within {round(self._timeout, 2):g} seconds"
            return errors.UnreachableError(call, reason, in_doubt)
        reason = self._request.redact(_reason(error))
        if isinstance(error, httpx2.RemoteProtocolError) and not _was_closed(error):
            return errors.InvalidResponseError(call, "", f"not HTTP: {reason}", in_doubt)
        return errors.UnreachableError(call, reason, in_doubt)

    def checked(self, response: httpx2.Response, body: bytes) -> bytes:
        """Return the body of a response, which was read to its end or the limit.

        Raises:
            ResponseError: its status is not a success.
            InvalidResponseError: it is too long, or compressed.
        """
        redact, encoding = self._request.redact, response.headers.get("content-encoding", "")
        is_plain = encoding.strip().lower() in ("", "identity")
        if _LOG.isEnabledFor(logging.DEBUG):
            id_ = redact(errors.request_id(response.headers) or "none")
            seconds = time.monotonic() - self._started
            line = "%s: status %d in %.3f s, request ID %r"
            _LOG.debug(line, self._request.call, response.status_code, seconds, id_)
        if not response.is_success:
            raise response_error(self._request, response, body if is_plain else b"")
        if not is_plain:
            shown = redact(encoding)[:40]
            raise self._request.invalid("", f"unsupported Content-Encoding {shown!a}")
        if len(body) > self._request.max_bytes:
            raise self._request.invalid("", f"longer than {self._request.max_bytes // 1024} KiB")
        return body


def _may_pass(error: Exception) -> bool:
    """Whether a failure may be temporary."""
    if isinstance(error, httpx2.RemoteProtocolError):
        return _was_closed(error)
    is_certificate = isinstance(_os_error(error), ssl.SSLCertVerificationError)
    return isinstance(error, httpx2.NetworkError) and not is_certificate


def _was_closed(error: httpx2.RemoteProtocolError) -> bool:
    """Whether the server closed the connection too early; httpx2 has no separate error for that."""
    return "disconnected" in str(error) or "closed connection" in str(error)


def _reason(error: Exception) -> str:
    if isinstance(error, httpx2.ProxyError):
        return f"the proxy refused the connection: {error}"
    if isinstance(error, UnicodeError):
        return "this is not a valid host name"
    cause = _os_error(error)
    if isinstance(cause, ConnectionError) and cause.errno:
        return os.strerror(cause.errno)  # asyncio has a text of its own
    reason = str(error) if cause is None else cause.strerror or str(cause)
    return reason or f"the connection broke ({type(error).__name__})"


def _os_error(error: Exception) -> OSError | None:
    """Return the operating system's error that httpcore2 wrapped."""
    below = error.__cause__
    found = below.args[0] if below is not None and below.args else None
    while isinstance(found, BaseException) and found.__cause__ is not None:
        found = found.__cause__
        if isinstance(found, BaseExceptionGroup):  # of each address; show the first
            found = found.exceptions[0]
    return found if isinstance(found, OSError) else None
