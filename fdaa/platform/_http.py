"""One call over HTTP: its connections, its deadline, its retries, and its errors.

httpx2 does the rest: connections, TLS, proxies of the environment. It follows no redirect.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import re
import time
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

import httpx2

from fdaa import __version__
from fdaa._support.escapes import printable
from fdaa._values.checks import check_type, text_of
from fdaa._values.errors import ArgumentError
from fdaa._values.text import HIGHEST_PORT
from fdaa.platform import _errors as errors

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable

MAX_BODY = 16 * 1024 * 1024  # bytes
_MAX_MESSAGE = 300  # characters of an error's message
_MAX_TIMEOUT = 86_400  # seconds
_PAUSES = (0.25, 0.5, 1.0)  # seconds before each retry, unless the response asks for more
_TEMPORARY = frozenset((502, 503, 504))
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
# After these errors nothing was sent, so nothing was changed.
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
# How the library describes a connection that was closed, in its error for what is not HTTP.
_CLOSED = re.compile("disconnected|peer closed")
_LOG = logging.getLogger("fdaa.platform")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request, and what its errors need to know."""

    method: str
    url: str  # escaped, and relative to the base URL
    fields: dict[str, str] | None = None  # of the JSON object that is sent
    changes: bool = False  # whether it creates or destroys something
    redact: Callable[[str], str] = str  # cuts secrets from what messages quote of the response
    place: str = ""  # what it connects to, for messages; by default the host and the port

    def __str__(self) -> str:
        return f"{self.method} {printable(self.url)}"

    def invalid(self, place: str, reason: str) -> errors.InvalidResponseError:
        """Return the error for a successful response that cannot be used."""
        return errors.InvalidResponseError(
            str(self),
            place=place,
            reason=self.redact(reason),
            may_have_happened=self.changes,
        )

    def read_object(self, body: bytes) -> dict[str, Any]:
        """Return the JSON object in a body, or raise the error that there is none."""
        value = _json(body)
        if not isinstance(value, dict):
            raise self.invalid("", "expected a JSON object")
        return value


@dataclass(frozen=True, slots=True)
class Response:
    """A complete response."""

    status: int
    headers: httpx2.Headers
    body: bytes

    @property
    def is_success(self) -> bool:
        """Whether the status is a success."""
        return 200 <= self.status < 300

    @property
    def error(self) -> str:
        """The error or the page in HTML that it contains, whatever its status; empty if none."""
        start = self.body[:100].lstrip()
        if not start:
            return ""
        if start.startswith(b"<") or "html" in self.headers.get("content-type", ""):
            return "a page in HTML"
        value = _json(self.body)
        if not isinstance(value, dict) or not (value.get("error") or value.get("errors")):
            return ""
        return f"an error: {_first_text(value, 'error', 'message') or 'without a message'}"


def open_http(url: httpx2.URL, *, token: str | None = None) -> httpx2.Client:
    """Return a client for one origin. It uses a proxy for https alone."""
    headers = {"Accept": "application/json", "User-Agent": f"fdaa/{__version__}"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    tls: ssl.SSLContext | bool = False  # without https, all certificates would be read for nothing
    try:
        if url.scheme == "https":
            tls = httpx2.create_ssl_context()  # reads SSL_CERT_FILE, also without `trust_env`
        return httpx2.Client(
            base_url=url,
            headers=headers,
            verify=tls,
            trust_env=url.scheme == "https" and not _is_loopback(url),
        )
    except ImportError:
        reason = "the SOCKS proxy of the environment needs the package socksio"
    except (OSError, ValueError, httpx2.InvalidURL):
        reason = "the proxy or the certificates (SSL_CERT_FILE) of the environment cannot be used"
    raise ArgumentError(reason)  # outside of the handler: its error may have a password


def send(http: httpx2.Client, call: Call, seconds: float) -> Response:
    """Send a request, with retries, and return a successful response.

    After 429 nothing happened, so every request is sent again until the deadline. Otherwise only
    one that changes nothing is, three times.

    Each step may take what is left of the seconds: to connect, to send, to wait for the next bytes.

    Raises:
        PlatformError: there was no successful response in that time.
    """
    if http.is_closed:
        raise errors.PlatformError("the client is closed")
    deadline = time.monotonic() + seconds
    for attempt in count():
        failure: errors.PlatformError
        asked = 0.0
        try:
            response = _receive(http, call, deadline)
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
            failure = _failure(http, call, error, seconds)
            is_temporary = isinstance(failure, errors.UnreachableError) and _is_temporary(error)
        except BaseException as error:
            if call.changes and not isinstance(error, Exception):  # Ctrl-C
                error.add_note(f"{call}: {errors.IN_DOUBT}")
            raise
        else:
            if response.is_success:
                return response
            failure = refused = response_error(call, response)
            is_temporary = response.status in _TEMPORARY
            asked = refused.retry_after or 0.0
        may_repeat = is_temporary and not call.changes and attempt < len(_PAUSES)
        if not (may_repeat or isinstance(failure, errors.RateLimitError)):
            raise failure
        pause = max(_PAUSES[min(attempt, len(_PAUSES) - 1)], asked)
        if time.monotonic() + pause + _PAUSES[0] > deadline:  # too little would be left
            raise failure
        _LOG.info("%s; retrying in %.3g s", failure, pause)
        time.sleep(pause)
    raise AssertionError  # `count` has no end


def _receive(http: httpx2.Client, call: Call, deadline: float) -> Response:
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
    return Response(response.status_code, response.headers, bytes(body))


def _is_temporary(error: Exception) -> bool:
    """Whether the same request may succeed a moment later."""
    if "CERTIFICATE" in str(error):
        return False
    return isinstance(error, httpx2.NetworkError | httpx2.RemoteProtocolError)


def _failure(
    http: httpx2.Client, call: Call, error: Exception, seconds: float
) -> errors.PlatformError:
    """Return the error for a request without a complete response."""
    text = str(error)
    if isinstance(error, httpx2.RemoteProtocolError) and not _CLOSED.search(text):
        return call.invalid("", f"not HTTP: {text}")
    is_sent = not isinstance(error, _NOT_SENT)
    cause = _cause(error)
    reason = call.redact((cause and cause.strerror) or text or type(error).__name__)
    if isinstance(error, httpx2.PoolTimeout):
        reason = f"all connections were busy for {seconds:g} seconds; nothing was sent"
    elif isinstance(error, httpx2.TimeoutException):
        reason = f"no complete response within {seconds:g} seconds"
    elif isinstance(error, httpx2.ConnectError | UnicodeError):
        if isinstance(error, UnicodeError):
            reason = "this is not a valid name of a host"
        place = call.place or http.base_url.netloc.decode()
        reason = f"{place}: {reason}"
    return errors.UnreachableError(
        str(call), reason=reason, may_have_happened=call.changes and is_sent
    )


def _cause(error: Exception) -> OSError | None:
    """Return the error of the operating system, which is an argument of httpcore2's error."""
    for argument in getattr(error.__cause__, "args", ()):
        if isinstance(argument, OSError):
            return argument
    return None


def response_error(call: Call, response: Response) -> errors.ResponseError:
    """Return the error for a response whose status is not a success."""
    message = response.body.decode(errors="replace")
    code = None
    value = _json(response.body)
    if isinstance(value, dict):
        message = _first_text(value, "error", "message") or message
        code = _first_text(value, "status", "code")
    if response.status in _REDIRECTS and "location" in response.headers:
        message = f"redirects are not followed (to {response.headers['location']})"
    headers = httpx2.Headers()
    for name, text in response.headers.items():
        headers[name] = call.redact(text)
    is_refusal = 400 <= response.status < 500 and response.status != 408
    kind = errors.BY_STATUS.get(response.status, errors.ResponseError)
    if code == "name_taken":
        kind = errors.ConflictError
    return kind(
        str(call),
        status=response.status,
        message=_one_line(call.redact(message)),
        code=code and _one_line(call.redact(code)),
        headers=headers,
        may_have_happened=call.changes and not is_refusal,
    )


def _json(body: bytes) -> object:
    """Return the JSON value of a body; None if it is something else."""
    try:
        return json.loads(body, strict=False)  # messages may have control characters
    except (ValueError, RecursionError):
        return None


def _first_text(value: dict[str, object], *keys: str) -> str | None:
    for key in keys:
        text = value.get(key)
        if isinstance(text, str):
            return text
    return None


def _one_line(text: str) -> str:
    """Return a text from outside as one line that a terminal can show."""
    shown = printable(" ".join(text.split())[: _MAX_MESSAGE + 1])
    if len(shown) <= _MAX_MESSAGE:
        return shown
    return f"{shown[:_MAX_MESSAGE]}..."


# --- settings -------------------------------------------------------------------------------------


def checked_url(text: str, argument: str, *, allow_plain_http: bool) -> httpx2.URL:
    """Return a URL; its text is in no message, because it may be or contain a token."""
    check_type(allow_plain_http, "allow_plain_http", bool)  # "no" and "0" would be yes
    try:
        url = httpx2.URL(text_of(text, argument))
    except httpx2.InvalidURL:
        url = httpx2.URL()
    is_url = url.scheme in ("http", "https") and url.host and text.isprintable()
    if not is_url or "\\" in text or (url.port or 0) > HIGHEST_PORT:
        raise ArgumentError(f"{argument} must be a URL like https://api.example")
    if "@" in text or "?" in text or "#" in text:
        raise ArgumentError(f"{argument} must have no user information, query or fragment")
    if url.scheme == "http" and not (allow_plain_http or _is_loopback(url)):
        reason = "plain http is only for a loopback address"
        raise ArgumentError(f"{argument}: {reason}; use https, or allow_plain_http=True")
    return url


def _is_loopback(url: httpx2.URL) -> bool:
    try:
        return ipaddress.ip_address(url.host).is_loopback
    except ValueError:
        return url.host == "localhost"


def checked_timeout(seconds: float) -> float:
    """Return the time limit of a call, if it can be used."""
    check_type(seconds, "timeout", int, float)
    if not 0 < seconds <= _MAX_TIMEOUT:
        raise ArgumentError(f"timeout must be above 0 and at most {_MAX_TIMEOUT} seconds")
    return float(seconds)
