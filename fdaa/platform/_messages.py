"""Requests and responses of the API, as values: made and read by pure functions.

Sections 4.1 to 4.3 of the specification. Only fields that it shows are sent.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote as escape

import httpx2

from fdaa import _json, networks
from fdaa.errors import printable, quote
from fdaa.network_name import NetworkName
from fdaa.platform._apps import AppList, Created
from fdaa.platform._errors import (
    BY_STATUS,
    IncompleteListError,
    InvalidResponseError,
    OtherNetworkError,
    ResponseError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_LIST = 16 * 1024 * 1024  # bytes of a list, unless the client is given another limit
MAX_OTHER = 256 * 1024  # of every other response, and of keys
MAX_ERROR = 64 * 1024  # of an error's body; more is not read
_MAX_MESSAGE = 300  # characters of an error's message
_MAX_ESCAPED = 32 * 1024  # characters of a name in a URL; httpx2 takes 64 KiB in all


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent: `path` is escaped, and relative to the base URL."""

    method: str
    path: str
    body: bytes | None = None
    max_bytes: int = MAX_OTHER  # of the response
    changes: bool = False  # whether it creates or destroys something

    @property
    def call(self) -> str:
        """The method and the path, for errors and places."""
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True)
class Response:
    """A response whose body was read to its end or its limit."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    redact: Callable[[str], str] = str  # cuts secrets from what messages quote of it


# --- requests -------------------------------------------------------------------------------------


def list_apps(org: str, max_bytes: int = MAX_LIST) -> Request:
    """Return the request for an organization's apps (section 4.3)."""
    return Request("GET", f"/v1/apps?org_slug={_escaped(org, 'org')}", None, max_bytes)


def create_app(name: str, org: str, network: str | None) -> Request:
    """Return the request that creates an app (section 4.2).

    Raises:
        fdaa.NetworkNameError: the network's name breaks the rules of section 8.
    """
    _escaped(name, "app_name")
    _escaped(org, "org")
    fields = {"app_name": name, "org_slug": org}
    if network is not None:
        fields["network"] = str(NetworkName.parse(network))
    return Request("POST", "/v1/apps", json.dumps(fields).encode(), changes=True)


def destroy_app(name: str) -> Request:
    """Return the request that destroys an app (section 4.1)."""
    return Request("DELETE", f"/v1/apps/{_escaped(name, 'app_name')}", changes=True)


def _escaped(text: str, what: str) -> str:
    """Return a text as one segment of a path, or one value of a query, whatever is in it."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be str, not {type(text).__name__}")
    if not text:
        raise ValueError(f"{what} is empty")
    try:
        # A segment of dots alone would be taken for "this" or "the one above".
        escaped = "%2E" * len(text) if set(text) == {"."} else escape(text, safe="")
    except UnicodeEncodeError:
        raise ValueError(f"{what} is not Unicode text") from None
    if len(escaped) > _MAX_ESCAPED:
        raise ValueError(f"{what} is too long for a URL")
    return escaped


# --- responses ------------------------------------------------------------------------------------


def read_apps(request: Request, response: Response) -> AppList:
    """Return the list in a response; what cannot be used is in its document's `problems`.

    Raises:
        InvalidResponseError: it is not such a list.
        IncompleteListError: it has fewer apps than it counts.
    """
    try:
        document = networks.parse_app_list(read_json(request, response), request.call)
    except networks.DocumentError as error:
        raise InvalidResponseError(request.call, "", response.redact(error.reason)) from None
    apps = AppList(document)
    if apps.total is not None and apps.total > len(apps) + document.left_out:
        raise IncompleteListError(request.call, apps)
    return apps


def is_listed(name: str, network: str | None, apps: AppList) -> bool:
    """Whether an app is in a list.

    Raises:
        OtherNetworkError: it is, and on another network than `network`.
    """
    for app in apps:
        if app.name == name:
            if network not in (None, app.network):
                raise OtherNetworkError(app, str(network))
            return True
    return False


def read_json(request: Request, response: Response) -> object:
    """Return what the JSON in a response holds.

    Raises:
        InvalidResponseError: it is not strict JSON.
    """
    try:
        return _json.load(_json.decode(response.body))
    except _json.JSONError as error:
        raise InvalidResponseError(
            request.call, "", response.redact(str(error)), request.changes
        ) from None


def read_created(request: Request, response: Response) -> Created:
    """Return what a response says of an app that was created: an object, or nothing.

    Raises:
        InvalidResponseError: it is something else, or is about another app or network.
    """
    asked: dict[str, str] = json.loads(request.body or b"{}")
    name = asked["app_name"]
    network = NetworkName.parse(asked["network"]) if "network" in asked else None
    value = read_json(request, response) if response.body.strip() else {}
    if not isinstance(value, dict):
        raise InvalidResponseError(request.call, "", "expected a JSON object, or nothing", True)
    if "error" in value:
        raise InvalidResponseError(request.call, "error", "expected a created app", True)
    for field, expected in (("name", name), ("network", network)):
        found = value.get(field)
        if expected is not None and isinstance(found, str) and found not in ("", expected):
            reason = f"expected {quote(str(expected))}, got {quote(response.redact(found))}"
            raise InvalidResponseError(request.call, field, reason, True)
    id_ = value.get("id")
    return Created(name, id_ if isinstance(id_, str) and id_ else None, network)


def read_nothing(request: Request, response: Response) -> None:
    """Read the response to a deletion: any success will do (section 4.1 has 202, no content)."""


# --- errors ---------------------------------------------------------------------------------------


def response_error(request: Request, response: Response) -> ResponseError:
    """Return the error for a response whose status is not of success."""
    status, redact, code = response.status, response.redact, None
    headers = httpx2.Headers([(key, redact(value)) for key, value in response.headers.items()])
    target = headers.get("location")
    if 300 <= status < 400 and target is not None:
        message = f"redirects are not followed (to {target})"
    else:
        message, code = _message_and_code(response.body)
    return BY_STATUS.get(status, ResponseError)(
        request.call,
        status,
        one_line(redact(message)),
        code and one_line(redact(code)),
        headers,
        request.changes and (status == 408 or not 400 <= status < 500),
    )


def _message_and_code(body: bytes) -> tuple[str, str | None]:
    """Return the message in an error's JSON, or its text, and the platform's code."""
    text = body.decode(errors="replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return text, None
    message = _first_text(value, "error", "message")
    return text if message is None else message, _first_text(value, "status", "code")


def _first_text(value: dict[str, object], *keys: str) -> str | None:
    return next((found for key in keys if isinstance(found := value.get(key), str)), None)


def one_line(text: str) -> str:
    """Return a text from outside as one line that a terminal can show."""
    shown = printable(" ".join(text.split())[: _MAX_MESSAGE + 1])
    return shown if len(shown) <= _MAX_MESSAGE else shown[:_MAX_MESSAGE] + "..."
