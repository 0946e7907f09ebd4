"""A request out, retries, a response in: no cookie, no redirect, one deadline, a bounded body."""

from __future__ import annotations

import logging
import os
import ssl
import time
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import httpcore2
import httpx2

from fdaa.platform import _errors as errors
from fdaa.platform._messages import MAX_OTHER, Request, Response, Result, response_error
from fdaa.platform._retry import pause_before_retry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fdaa.platform._deadline import Deadline

_LOG = logging.getLogger("fdaa.platform")

# The errors of an attempt, after which another one may follow.
_FAILURES = (
    errors.ResponseError,
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    httpcore2.TimeoutException,
    httpx2.InvalidURL,
    OSError,
    UnicodeError,  # of the name of a host
)


def exchange(http: httpx2.Client, request: Request[Result], deadline: Deadline) -> Result:
    """Send a request, with retries, and return the result read from its response.

    Args:
        http: a client of `open_client`.
        request: what to send.
        deadline: when the result must be complete.

    Raises:
        PlatformError: there was no successful response in that time.
    """
    number = 0
    while True:
        number += 1
        attempt = _Attempt(http, request, deadline, number)
        try:
            response = _receive(http, attempt)
            return request.read(response)
        except _FAILURES as error:
            pause = attempt.pause_after(error)
        except BaseException as error:
            attempt.note_doubt(error)
            raise
        time.sleep(pause)


async def exchange_async(
    http: httpx2.AsyncClient, request: Request[Result], deadline: Deadline
) -> Result:
    """Send a request and return what is read from the response, as `exchange` does."""
    number = 0
    while True:
        number += 1
        attempt = _Attempt(http, request, deadline, number)
        try:
            with anyio.fail_after(deadline.left()):
                response = await _receive_async(http, attempt)
            return await _read_async(request, response)
        except _FAILURES as error:
            pause = attempt.pause_after(error)
        except BaseException as error:
            attempt.note_doubt(error)
            raise
        await anyio.sleep(pause)


def _receive(http: httpx2.Client, attempt: _Attempt) -> Response:
    """Send a request, and return the response to it."""
    deadline = attempt.deadline
    # httpcore2 gives a connection nothing but its timeouts: so they are the moment of the end, as
    # `_transport` reads them. That of the pool, where it waits itself, is in seconds.
    timeouts = httpx2.Timeout(deadline.moment, pool=deadline.left())
    body = bytearray()
    with http.stream(**attempt.arguments(timeouts, attempt.trace)) as response:
        for chunk in response.iter_raw():
            body += chunk
            if len(body) > attempt.request.max_bytes:
                break
    return attempt.checked(response, bytes(body))


async def _receive_async(http: httpx2.AsyncClient, attempt: _Attempt) -> Response:
    """Send a request, and return the response to it; the caller keeps the deadline."""
    timeouts = httpx2.Timeout(None)
    body = bytearray()
    async with http.stream(**attempt.arguments(timeouts, attempt.trace_async)) as response:
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > attempt.request.max_bytes:
                break
    return attempt.checked(response, bytes(body))


async def _read_async(request: Request[Result], response: Response) -> Result:
    """Return the result read from a response; a long list would hold up the event loop."""
    if len(response.body) <= MAX_OTHER:
        return request.read(response)
    return await anyio.to_thread.run_sync(request.read, response, abandon_on_cancel=True)


class _Attempt:
    """One attempt of a call: how far it came, and what follows a failure.

    Args:
        http: the client that sends it.
        request: what is sent.
        deadline: the end of the call.
        number: 1 for the first attempt.
    """

    def __init__(
        self,
        http: httpx2.Client | httpx2.AsyncClient,
        request: Request[Any],
        deadline: Deadline,
        number: int,
    ) -> None:
        if http.is_closed:
            raise errors.PlatformError("the client is closed")
        self.request = request
        self.deadline = deadline
        self._number = number
        self._started = time.monotonic()
        self._has_connection = False
        self._is_sent = False
        self._is_received = False

    def arguments(self, timeouts: httpx2.Timeout, trace: object) -> dict[str, Any]:
        """Return the arguments of httpx2's `stream`."""
        return {
            "method": self.request.method,
            "url": self.request.path,
            "json": self.request.fields,
            "extensions": {"timeout": timeouts.as_dict(), "trace": trace},
        }

    def trace(self, event: str, details: Mapping[str, Any]) -> None:
        """Note how far the attempt came, by the events of httpcore2."""
        self._has_connection = True
        if event.endswith(".send_request_headers.started"):
            is_for_the_proxy = details["request"].method == b"CONNECT"
            self._is_sent = self._is_sent or not is_for_the_proxy

    async def trace_async(self, event: str, details: Mapping[str, Any]) -> None:
        """Note how far the attempt came."""
        self.trace(event, details)

    def checked(self, response: httpx2.Response, body: bytes) -> Response:
        """Return a response, whose body was read to its end or the limit.

        Raises:
            ResponseError: its status is not a success.
            InvalidResponseError: it is too long, or compressed.
        """
        self._is_received = True
        request = self.request
        self._log(response)
        encoding = response.headers.get("content-encoding", "").strip()
        is_plain = encoding.lower() in ("", "identity")
        if not response.is_success:
            readable = body if is_plain else b""
            raise response_error(request, response, readable)
        if not is_plain:
            shown = request.redact(encoding)[:40]
            raise request.invalid("", f"unsupported Content-Encoding {shown!a}")
        longest = request.max_bytes
        if len(body) > longest:
            raise request.invalid("", f"longer than {longest // 1024} KiB")
        is_html = _is_html(response.headers.get("content-type", ""), body)
        return Response(request, response.status_code, is_html, body, self.deadline)

    def _log(self, response: httpx2.Response) -> None:
        if not _LOG.isEnabledFor(logging.DEBUG):
            return
        id_ = errors.request_id(response.headers) or "none"
        _LOG.debug(
            "%s: status %d in %.3f s, request ID %r",
            self.request.call,
            response.status_code,
            self._seconds(),
            self.request.redact(id_),
        )

    def _seconds(self) -> float:
        return time.monotonic() - self._started

    def pause_after(self, error: Exception) -> float:
        """Return the seconds to wait after a failure, before the request is sent again.

        Raises:
            PlatformError: it must not be sent again.
        """
        pause = None
        if isinstance(error, errors.ResponseError):
            failure: errors.PlatformError = error
            pause = self._pause(error.status, error.retry_after)
        else:
            failure = self._failure(error)
            _LOG.debug("%s, after %.3f s", failure, self._seconds())
            if _may_pass(error):
                pause = self._pause(None, None)
        if pause is None:
            raise failure from None
        _LOG.info("%s; retrying in %.3g seconds", failure, pause)
        return pause

    def _pause(self, status: int | None, asked: float | None) -> float | None:
        left = self.deadline.left()
        changes = self.request.changes
        return pause_before_retry(status, asked, self._number, left, changes=changes)

    def note_doubt(self, error: BaseException) -> None:
        """Add to Ctrl-C, or a cancellation, that the change may have been made."""
        if self._is_in_doubt and not isinstance(error, Exception):
            error.add_note(f"{self.request.call}: {errors.IN_DOUBT}")

    @property
    def _is_in_doubt(self) -> bool:
        return self._is_sent and self.request.changes

    def _failure(self, error: Exception) -> errors.PlatformError:
        """Return the error for an attempt without a response that can be read."""
        call = self.request.call
        if isinstance(error, httpcore2.TimeoutException | TimeoutError):
            return self._timeout_failure()
        reason = self.request.redact(_reason(error))
        if not self._is_sent and self.request.host:
            reason = f"{self.request.host}: {reason}"
        if isinstance(error, httpcore2.RemoteProtocolError) and not _was_closed(error):
            return errors.InvalidResponseError(
                call, place="", reason=f"not HTTP: {reason}", may_have_happened=self._is_in_doubt
            )
        return errors.UnreachableError(call, reason=reason, may_have_happened=self._is_in_doubt)

    def _timeout_failure(self) -> errors.UnreachableError:
        call = self.request.call
        seconds = f"{round(self.deadline.seconds, 2):g} seconds"
        if not self._has_connection:
            reason = f"all connections were busy for {seconds}; nothing was sent"
            return errors.PoolTimeoutError(call, reason=reason)
        if self._is_received:
            reason = f"the response could not be read within {seconds}"
        else:
            reason = f"no complete response within {seconds}"
        return errors.UnreachableError(call, reason=reason, may_have_happened=self._is_in_doubt)


def _is_html(content_type: str, body: bytes) -> bool:
    """Whether a response is a page in HTML, by its type or by its first character."""
    text = body.strip()
    is_so_called = content_type.lower().startswith("text/html")
    return text.startswith(b"<") or (is_so_called and text != b"")


def _may_pass(error: Exception) -> bool:
    """Whether a failure may be temporary."""
    if isinstance(error, httpcore2.RemoteProtocolError):
        return _was_closed(error)
    if isinstance(_os_error(error), ssl.SSLCertVerificationError | PermissionError):
        return False
    return isinstance(error, httpcore2.NetworkError)


def _was_closed(error: httpcore2.RemoteProtocolError) -> bool:
    """Whether the server closed the connection too early; there is no separate error for that."""
    text = str(error)
    return "disconnected" in text or "closed connection" in text


def _reason(error: Exception) -> str:
    if isinstance(error, httpcore2.ProxyError):
        return f"the proxy refused the connection: {error}"
    if isinstance(error, UnicodeError):
        return "this is not a valid host name"
    cause = _os_error(error)
    if isinstance(cause, ConnectionError) and cause.errno:
        return os.strerror(cause.errno)  # asyncio has a text of its own
    if cause is not None:
        return cause.strerror or str(cause)
    return str(error) or f"the connection broke ({type(error).__name__})"


def _os_error(error: Exception) -> OSError | None:
    """Return the operating system's error that httpcore2 wrapped."""
    if isinstance(error, OSError):
        return error
    found = error.args[0] if error.args else None
    while isinstance(found, BaseException) and found.__cause__ is not None:
        found = found.__cause__
        if isinstance(found, BaseExceptionGroup):  # of each address; show the first
            found = found.exceptions[0]
    if isinstance(found, OSError):
        return found
    return None
