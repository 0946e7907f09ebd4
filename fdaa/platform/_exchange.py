"""A request out, an answer in: no exception, no cookie and no more than the request allows.

A GET is sent again where that may help, until the deadline. Everything else is sent once.
"""

from __future__ import annotations

import logging
import time
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any

import anyio
import httpx2

from fdaa import __version__
from fdaa.platform._messages import MAX_ERROR, Answer, Broken, pause_before_retry

if TYPE_CHECKING:
    from fdaa.platform._messages import Request

_LOG = logging.getLogger("fdaa.platform")
_HEADERS = {
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
    "User-Agent": f"fdaa/{__version__}",
}


def settings() -> dict[str, Any]:
    """Return what every client of ours is made with: nothing kept, nothing from the environment."""
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))
    return {"cookies": no_cookies, "headers": _HEADERS, "trust_env": False}


def exchange(http: httpx2.Client, request: Request, url: str, timeout: float) -> Answer | Broken:
    """Send a request, again if need be, and return what came of it.

    Args:
        http: a client whose transport is a `DeadlineTransport`.
        request: what to send.
        url: where to.
        timeout: seconds until the answer must be whole.
    """
    deadline = time.monotonic() + timeout
    attempt = 1
    while True:
        outcome = _send(http, request, url, deadline)
        pause = _pause(request, outcome, attempt, deadline)
        if pause is None:
            return outcome
        time.sleep(pause)
        attempt += 1


async def exchange_async(
    http: httpx2.AsyncClient, request: Request, url: str, timeout: float
) -> Answer | Broken:
    """Send a request, again if need be: `exchange` for asynchronous code, on any transport."""
    deadline = time.monotonic() + timeout
    attempt = 1
    while True:
        outcome = await _send_async(http, request, url, deadline)
        pause = _pause(request, outcome, attempt, deadline)
        if pause is None:
            return outcome
        await anyio.sleep(pause)
        attempt += 1


def _pause(
    request: Request, outcome: Answer | Broken, attempt: int, deadline: float
) -> float | None:
    pause = pause_before_retry(request, outcome, attempt, deadline - time.monotonic())
    if pause is not None:
        what = f"status {outcome.status}" if isinstance(outcome, Answer) else "no whole answer"
        _LOG.info("%s: %s, trying again in %.3g seconds", request.call, what, pause)
    return pause


def _send(http: httpx2.Client, request: Request, url: str, deadline: float) -> Answer | Broken:
    sent: list[str] = []

    def trace(event: str, details: dict[str, Any]) -> None:
        if _is_sending(event, details):
            sent.append(event)

    try:
        with http.stream(**_arguments(request, url), **_limits(deadline, trace)) as response:
            limit = _limit(request, response)
            body = bytearray()
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > limit:
                    break
            return _answer(response, body, limit)
    except (httpx2.RequestError, OSError) as error:
        return _broken(error, bool(sent))


async def _send_async(
    http: httpx2.AsyncClient, request: Request, url: str, deadline: float
) -> Answer | Broken:
    sent: list[str] = []

    async def trace(event: str, details: dict[str, Any]) -> None:
        if _is_sending(event, details):
            sent.append(event)

    try:
        with anyio.fail_after(max(0.0, deadline - time.monotonic())):
            async with http.stream(**_arguments(request, url), **_limits(None, trace)) as response:
                limit = _limit(request, response)
                body = bytearray()
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > limit:
                        break
                return _answer(response, body, limit)
    except (httpx2.RequestError, OSError) as error:
        return _broken(error, bool(sent))


def _is_sending(event: str, details: dict[str, Any]) -> bool:
    """Whether the next bytes are of our request, and not of one that a proxy opens a tunnel for."""
    is_start = event.endswith(".send_request_headers.started")  # an event of httpcore2
    return is_start and details["request"].method != b"CONNECT"


def _arguments(request: Request, url: str) -> dict[str, Any]:
    headers = None if request.body is None else {"Content-Type": "application/json"}
    return {
        "method": request.method,
        "url": url,
        "content": request.body,
        "headers": headers,
    }


def _limits(deadline: float | None, trace: object) -> dict[str, Any]:
    # The wait for a free connection is the pool's, which knows no deadlines.
    pool = None if deadline is None else max(0.0, deadline - time.monotonic())
    timeout = httpx2.Timeout(deadline, pool=pool)
    return {"extensions": {"timeout": timeout.as_dict(), "trace": trace}}


def _limit(request: Request, response: httpx2.Response) -> int:
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("", "identity", "gzip"):
        raise httpx2.DecodingError("the answer is packed in a way that was not asked for")
    return request.max_bytes if response.is_success else MAX_ERROR


def _answer(response: httpx2.Response, body: bytearray, limit: int) -> Answer:
    whole = len(body) <= limit
    return Answer(response.status_code, response.headers, bytes(body[:limit]), whole)


def _broken(error: Exception, sent: bool) -> Broken:
    if isinstance(error, (httpx2.TimeoutException, TimeoutError)):
        return Broken(None, sent)
    if isinstance(error, httpx2.ProxyError):
        return Broken(f"the proxy refuses the connection: {error}", sent)
    # anyio's errors have no text.
    return Broken(str(error) or f"the connection broke ({type(error).__name__})", sent)
