"""Requests and responses of the API, as values: made and read by pure functions.

Sections 4.1 to 4.3 of the specification. Only fields that it shows are sent.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import quote as escape

import httpx2

from fdaa._support import strict_json
from fdaa._support.escapes import printable, quote
from fdaa._values.checks import text_of
from fdaa._values.errors import ArgumentError, NetworkNameError
from fdaa._values.network_name import NetworkName
from fdaa.platform import _errors as errors
from fdaa.platform._apps import PlatformApp

if TYPE_CHECKING:
    from collections.abc import Callable

    from fdaa.platform._deadline import Deadline

Result = TypeVar("Result")

MAX_LIST = 16 * 1024 * 1024  # bytes of a list
MAX_OTHER = 256 * 1024  # of every other response, and of keys
_MAX_ERROR = 64 * 1024  # of an error's body; more is not looked at
_MAX_MESSAGE = 300  # characters of an error's message
_ACCEPTED = 202
_PARTIAL_CONTENT = 206
_LOG = logging.getLogger("fdaa.platform")
# `{`, `[` and `,` of a response, at least one for each value: to parse one takes far longer than to
# send it, and nothing can interrupt the parser.
_MAX_MARKS = 1_000_000


@dataclass(frozen=True, slots=True)
class Request(Generic[Result]):
    """A request, and the function that reads the response to it.

    Args:
        method: the HTTP method.
        path: escaped, and relative to the base URL.
        read: returns the result of the request, from its successful response.
        fields: of the JSON object that is sent.
        max_bytes: the longest body of a response that is read.
        changes: whether it creates or destroys something.
        redact: cuts secrets from what messages quote of the response.
        host: the server, for the errors of a connection; empty if the path names it.
        shown: the path in messages, if it comes from outside.
    """

    method: str
    path: str
    read: Callable[[Response], Result]
    fields: dict[str, str] | None = None
    max_bytes: int = MAX_OTHER
    changes: bool = False
    redact: Callable[[str], str] = str
    host: str = ""
    shown: str = ""

    @property
    def call(self) -> str:
        """The method and the path, for errors and places."""
        return f"{self.method} {self.shown or self.path}"

    def invalid(self, place: str, reason: str) -> errors.InvalidResponseError:
        """Return the error for a successful response that cannot be used."""
        shown = self.redact(reason)
        return errors.InvalidResponseError(
            self.call, place=place, reason=shown, may_have_happened=self.changes
        )


@dataclass(frozen=True, slots=True)
class Response:
    """A response with a successful status.

    Args:
        request: the request that it is for.
        status: its status.
        is_html: whether it is a page for people, such as that of a login.
        body: its body.
        deadline: the moment at which it must have been read.
    """

    request: Request[Any]
    status: int
    is_html: bool
    body: bytes
    deadline: Deadline

    def invalid(self, place: str, reason: str) -> errors.InvalidResponseError:
        """Return the error for a response that cannot be used."""
        return self.request.invalid(place, reason)

    def read_object(self) -> dict[str, Any]:
        """Return the JSON object in the body.

        Raises:
            InvalidResponseError: there is none.
            TimeoutError: the deadline passed.
        """
        if self.status == _PARTIAL_CONTENT:
            raise self.invalid("", "status 206 is a part of a response, and no part was requested")
        marks = self.body.count(b"{") + self.body.count(b"[") + self.body.count(b",")
        if marks > _MAX_MARKS:
            raise self.invalid("", f"it has more than {_MAX_MARKS:,} commas and brackets")
        try:
            value = strict_json.load(strict_json.decode(self.body))
        except strict_json.JSONError as error:
            raise self.invalid("", str(error)) from None
        self.deadline.check()
        if not isinstance(value, dict):
            raise self.invalid("", "expected a JSON object")
        return value


# --- requests -------------------------------------------------------------------------------------


def list_path(org: str) -> str:
    """Return the path of an organization's list of apps (section 4.3)."""
    return f"/v1/apps?org_slug={_escaped(org, 'org')}"


def create_app(name: str, org: str, network: NetworkName | str | None) -> Request[PlatformApp]:
    """Return the request that creates an app (section 4.2).

    Raises:
        fdaa.NetworkNameError: the network's name breaks the rules of section 8.
    """
    _name_in_path(name)
    _escaped(org, "org")
    name = text_of(name, "name")
    fields = {"app_name": name, "org_slug": org}
    requested = PlatformApp(name)
    if network is not None:
        requested = PlatformApp(name, network=NetworkName(network))
        fields["network"] = str(requested.network)
    read = partial(_read_created, requested)
    return Request(
        "POST",
        "/v1/apps",
        read,
        fields,
        changes=True,
    )


def destroy_app(name: str) -> Request[None]:
    """Return the request that destroys an app (section 4.1)."""
    path = f"/v1/apps/{_name_in_path(name)}"
    return Request("DELETE", path, _read_destroyed, changes=True)


def _name_in_path(name: str) -> str:
    """Return the name of an app as one segment of a path.

    Raises:
        ArgumentError: it cannot be one. Servers and proxies read `%2E%2E` as `..` (RFC 3986,
            section 6.2.2.2), so there is no way to write these two.
    """
    if name in (".", ".."):
        raise ArgumentError(f"name must not be {name!r}: servers read it as a part of the path")
    return _escaped(name, "name")


def _escaped(text: str, label: str) -> str:
    """Return a text as one value of a query, whatever it contains."""
    text = text_of(text, label)
    if not text:
        raise ArgumentError(f"{label} is empty")
    try:
        return escape(text, safe="")
    except UnicodeEncodeError:
        raise ArgumentError(f"{label} is not valid Unicode") from None


# --- responses ------------------------------------------------------------------------------------


def _read_destroyed(response: Response) -> None:
    """Accept status 202 (section 4.1); another success only without an error, and it is logged.

    Raises:
        InvalidResponseError: it is an error, or a page for people.
    """
    status = response.status
    if status == _ACCEPTED:
        return
    if response.is_html:
        raise response.invalid("", f"a page in HTML, with status {status} in place of 202")
    message = _error_in(response.body)
    if message is not None:
        shown = one_line(response.request.redact(message))
        raise response.invalid("", f"an error, with status {status} in place of 202: {shown}")
    _LOG.warning("%s: status %d in place of 202; accepted", response.request.call, status)


def _read_created(requested: PlatformApp, response: Response) -> PlatformApp:
    """Return an app with the ID in the response to its creation: an object, or nothing.

    Raises:
        InvalidResponseError: it is something else, or is about another app or network.
    """
    if not response.body.strip():
        return requested
    value = response.read_object()
    if value.get("error"):
        raise response.invalid("error", "expected a created app")
    _compare(response, "name", requested.name, value.get("name"))
    network = requested.network
    if network is None:
        network = _created_network(response, value.get("network"))
    else:
        _compare(response, "network", network, value.get("network"))
    id_ = value.get("id")
    if not isinstance(id_, str) or not id_:
        id_ = None
    return PlatformApp(requested.name, id=id_, network=network)


def _compare(response: Response, field: str, sent: str, received: object) -> None:
    """Raise an InvalidResponseError if a field has another text than what was sent."""
    if not isinstance(received, str) or received in ("", sent):
        return
    got = quote(response.request.redact(received))
    raise response.invalid(field, f"expected {quote(sent)}, got {got}")


def _created_network(response: Response, received: object) -> NetworkName | None:
    """Return the network that the platform chose, if the response to a creation has it."""
    if not isinstance(received, str) or not received:
        return None
    try:
        return NetworkName(received)
    except NetworkNameError as error:
        raise response.invalid("network", f"not a network name: {error.reason}") from None


# --- errors ---------------------------------------------------------------------------------------


def response_error(
    request: Request[Any], response: httpx2.Response, body: bytes
) -> errors.ResponseError:
    """Return the error for a response whose status is not a success."""
    status = response.status_code
    redact = request.redact
    pairs = [(key, redact(value)) for key, value in response.headers.items()]
    headers = httpx2.Headers(pairs)
    message, code = _message_and_code(body[:_MAX_ERROR])
    if response.has_redirect_location:
        message = f"redirects are not followed (to {headers['location']})"
        code = None
    if code is not None:
        code = one_line(redact(code))
    is_client_error = 400 <= status < 500
    may_have_happened = request.changes and (status == 408 or not is_client_error)
    error = errors.error_class(status, code)
    return error(
        request.call,
        status=status,
        message=one_line(redact(message)),
        code=code,
        headers=headers,
        may_have_happened=may_have_happened,
    )


def _message_and_code(body: bytes) -> tuple[str, str | None]:
    """Return the message in an error's JSON, or its text, and the platform's code."""
    text = body.decode(errors="replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text, None
    if not isinstance(value, dict):
        return text, None
    message = _first_text(value, "error", "message")
    code = _first_text(value, "status", "code")
    return message or text, code


def _error_in(body: bytes) -> str | None:
    """Return the message of an error in JSON; None if there is no error."""
    try:
        value = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not (value.get("error") or value.get("errors")):
        return None
    message, _ = _message_and_code(body)
    return message


def _first_text(value: dict[str, object], *keys: str) -> str | None:
    for key in keys:
        found = value.get(key)
        if isinstance(found, str):
            return found
    return None


def one_line(text: str) -> str:
    """Return a text from outside as one line that a terminal can show."""
    words = " ".join(text.split())
    shown = printable(words[: _MAX_MESSAGE + 1])
    if len(shown) <= _MAX_MESSAGE:
        return shown
    return f"{shown[:_MAX_MESSAGE]}..."
