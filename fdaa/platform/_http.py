"""One call over HTTP: its connections, its deadline, its retries, and its errors.

httpx2 does the rest: connections, TLS, proxies of the environment. It follows no redirect.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import time
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

import httpx2

from fdaa import __version__
from fdaa._support.escapes import printable
from fdaa._values.checks import check_type, text_of
from fdaa._values.errors import ArgumentError
from fdaa.platform import _errors as errors

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_BODY = 16 * 1024 * 1024  # bytes
_MAX_MESSAGE = 300  # characters of an error's message
_MAX_TIMEOUT = 86_400  # seconds
_PAUSES = (0.25, 0.5, 1.0)  # seconds before each retry, unless the response asks for more
_TEMPORARY = frozenset((502, 503, 504))
_NOT_SENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
    httpx2.InvalidURL,
    UnicodeError,  # of the name of a host
)
_LOG = logging.getLogger("fdaa.platform")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request, and what its errors need to know.

    Args:
        method: the HTTP method.
        url: escaped, and relative to the base URL.
        fields: of the JSON object that is sent.
        changes: whether it creates or destroys something.
        redact: cuts secrets from what messages quote of the response.
    """

    method: str
    url: str
    fields: dict[str, str] | None = None
    changes: bool = False
    redact: Callable[[str], str] = str

    def __str__(self) -> str:
        return f"{self.method} {self.url}"

    def invalid(self, place: str, reason: str) -> errors.InvalidResponseError:
        """Return the error for a successful response that cannot be used."""
        reason = self.redact(reason)
        return errors.InvalidResponseError(
            str(self), place=place, reason=reason, may_have_happened=self.changes
        )

    def read_object(self, body: bytes) -> dict[str, Any]:
        """Return the JSON object in a body.

        Raises:
            InvalidResponseError: there is none.
        """
        try:
            value = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise self.invalid("", f"not JSON: {error}") from None
        if not isinstance(value, dict):
            raise self.invalid("", "expected a JSON object")
        return value


def open_http(url: httpx2.URL, *, token: str | None = None) -> httpx2.Client:
    """Return a client for a base URL; this computer itself is reached without a proxy.

    Raises:
        fdaa.ArgumentError: the proxy or the certificates of the environment cannot be used.
    """
    headers = {"Accept": "application/json", "User-Agent": f"fdaa/{__version__}"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    try:
        tls = httpx2.create_ssl_context()  # reads SSL_CERT_FILE, also without `trust_env`
        return httpx2.Client(
            base_url=url, headers=headers, verify=tls, trust_env=not _is_loopback(url)
        )
    except (OSError, ValueError, httpx2.InvalidURL):
        reason = "the proxy or the certificates (SSL_CERT_FILE) of the environment cannot be used"
        raise ArgumentError(reason) from None


def send(http: httpx2.Client, call: Call, deadline: float) -> tuple[int, bytes]:
    """Send a request, with retries, and return the status and the body of a successful response.

    After 429 nothing happened, so every request is sent again until the deadline. Otherwise only
    one that changes nothing is, three times.

    Args:
        http: sends it.
        call: what to send.
        deadline: the end of the call, on the clock of `time.monotonic`.

    Raises:
        PlatformError: there was no successful response in that time.
    """
    began = time.monotonic()
    if http.is_closed:
        raise errors.PlatformError("the client is closed")
    for attempt in count():
        failure: errors.UnreachableError | errors.ResponseError
        asked = None
        try:
            response, body = _receive(http, call, deadline)
            if response.is_success:
                return response.status_code, body
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
            failure = _unreachable(call, error, deadline - began)
            if isinstance(error, httpx2.ConnectError):
                failure.reason = f"{http.base_url.netloc.decode()}: {failure.reason}"
            is_temporary = isinstance(error, httpx2.NetworkError | httpx2.RemoteProtocolError)
            is_temporary = is_temporary and "CERTIFICATE" not in str(error)
        except BaseException as error:
            if call.changes and not isinstance(error, Exception):  # Ctrl-C
                error.add_note(f"{call}: {errors.IN_DOUBT}")
            raise
        else:
            failure = response_error(call, response, body)
            is_temporary = response.status_code in _TEMPORARY
            asked = failure.retry_after
        is_limited = isinstance(failure, errors.RateLimitError)
        may_repeat = is_temporary and not call.changes and attempt < len(_PAUSES)
        pause = max(_PAUSES[min(attempt, len(_PAUSES) - 1)], asked or 0)
        is_late = time.monotonic() + pause + _PAUSES[0] > deadline
        if is_late or not (is_limited or may_repeat):
            raise failure from None
        _LOG.info("%s; retrying in %.3g seconds", failure, pause)
        time.sleep(pause)
    raise AssertionError


def _receive(http: httpx2.Client, call: Call, deadline: float) -> tuple[httpx2.Response, bytes]:
    """Send a request once, and return the response with its body."""
    left = max(deadline - time.monotonic(), 0.001)
    body = bytearray()
    with http.stream(call.method, call.url, json=call.fields, timeout=left) as response:
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > MAX_BODY:
                raise call.invalid("", f"longer than {MAX_BODY // 1024} KiB")
            if time.monotonic() > deadline:
                raise httpx2.ReadTimeout("the deadline has passed")
    return response, bytes(body)


def _unreachable(call: Call, error: Exception, seconds: float) -> errors.UnreachableError:
    """Return the error for a request without a complete response."""
    in_doubt = call.changes and not isinstance(error, _NOT_SENT)
    kind = errors.UnreachableError
    reason = call.redact(str(error)) or type(error).__name__
    if isinstance(error, httpx2.PoolTimeout):
        kind = errors.PoolTimeoutError
        reason = f"all connections were busy for {seconds:.2g} seconds; nothing was sent"
    elif isinstance(error, httpx2.TimeoutException):
        reason = f"no complete response within {round(seconds, 2):g} seconds"
    return kind(str(call), reason=reason, may_have_happened=in_doubt)


def response_error(call: Call, response: httpx2.Response, body: bytes) -> errors.ResponseError:
    """Return the error for a response whose status is not a success."""
    status = response.status_code
    message = body.decode(errors="replace")
    code = None
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        message = _first_text(value, "error", "message") or message
        code = _first_text(value, "status", "code")
    if response.has_redirect_location:
        message = f"redirects are not followed (to {response.headers['location']})"
    pairs = [(name, call.redact(text)) for name, text in response.headers.items()]
    return errors.error_class(status, code)(
        str(call),
        status=status,
        message=_one_line(call.redact(message)),
        code=code and _one_line(call.redact(code)),
        headers=httpx2.Headers(pairs),
        may_have_happened=call.changes and not (400 <= status < 500 and status != 408),
    )


def _first_text(value: dict[str, object], *keys: str) -> str | None:
    return next((text for key in keys if isinstance(text := value.get(key), str)), None)


def _one_line(text: str) -> str:
    """Return a text from outside as one line that a terminal can show."""
    shown = printable(" ".join(text.split())[: _MAX_MESSAGE + 1])
    return shown if len(shown) <= _MAX_MESSAGE else f"{shown[:_MAX_MESSAGE]}..."


# --- settings -------------------------------------------------------------------------------------


def checked_url(text: str, argument: str, *, allow_plain_http: bool | None) -> httpx2.URL:
    """Return a URL; its text is in no message, because it may be or contain a token.

    Args:
        text: the URL.
        argument: its name, for errors.
        allow_plain_http: whether it may be http; None for http to this computer alone.

    Raises:
        fdaa.ArgumentError: it cannot be used.
    """
    try:
        url = httpx2.URL(text_of(text, argument))
    except httpx2.InvalidURL:
        url = httpx2.URL()
    if url.scheme not in ("http", "https") or not url.host or not text.isprintable():
        raise ArgumentError(f"{argument} must be a URL like https://api.example")
    if url.userinfo or url.query or url.fragment:
        raise ArgumentError(f"{argument} must have no user information, query or fragment")
    if allow_plain_http is None:
        allow_plain_http = _is_loopback(url)
    if url.scheme == "http" and not allow_plain_http:
        allowed = "only for a loopback address" if argument == "base_url" else "only for tests"
        raise errors.PlainHTTPError(argument, reason=f"plain http is {allowed}")
    return url


def _is_loopback(url: httpx2.URL) -> bool:
    try:
        return ipaddress.ip_address(url.host).is_loopback
    except ValueError:
        return url.host == "localhost"


def checked_timeout(seconds: float) -> float:
    """Return the time limit of a call.

    Raises:
        fdaa.ArgumentError: it is not above 0, or longer than a day.
    """
    check_type(seconds, "timeout", int, float)
    if not 0 < seconds <= _MAX_TIMEOUT:
        raise ArgumentError(f"timeout must be above 0 and at most {_MAX_TIMEOUT} seconds")
    return float(seconds)
