"""Requests and responses of the API, as values: made and read by pure functions.

Sections 4.1 to 4.3 of the specification. Only fields that it shows are sent.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import quote as escape

import httpx2

from fdaa import _json
from fdaa._escapes import printable, quote
from fdaa.network_name import NetworkName
from fdaa.networks import DocumentError, parse_app_list
from fdaa.platform import _errors as errors
from fdaa.platform._apps import AppList, Created

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")

MAX_LIST = 16 * 1024 * 1024  # bytes of a list, unless the client is given another limit
MAX_OTHER = 256 * 1024  # of every other response, and of keys
_MAX_ERROR = 64 * 1024  # of an error's body; more is not looked at
_MAX_MESSAGE = 300  # characters of an error's message


@dataclass(frozen=True, slots=True)
class Request(Generic[Result]):
    """A request, and the function that reads the response to it.

    Args:
        method: the HTTP method.
        path: escaped, and relative to the base URL.
        read: returns the result of the request, from it and the body of the response.
        fields: of the JSON object that is sent.
        max_bytes: the longest body of a response that is read.
        changes: whether it creates or destroys something.
        redact: cuts secrets from what messages quote of the response.
    """

    method: str
    path: str
    read: Callable[[Request[Result], bytes], Result]
    fields: dict[str, str] | None = None
    max_bytes: int = MAX_OTHER
    changes: bool = False
    redact: Callable[[str], str] = str

    @property
    def call(self) -> str:
        """The method and the path, for errors and places."""
        return f"{self.method} {self.path}"

    def invalid(self, place: str, reason: str) -> errors.InvalidResponseError:
        """Return the error for a successful response that cannot be used."""
        return errors.InvalidResponseError(self.call, place, self.redact(reason), self.changes)


# --- requests -------------------------------------------------------------------------------------


def list_apps(org: str, max_bytes: int = MAX_LIST) -> Request[AppList]:
    """Return the request for an organization's apps (section 4.3)."""
    path = f"/v1/apps?org_slug={_escaped(org, 'org')}"
    return Request("GET", path, _read_apps, max_bytes=max_bytes)


def create_app(name: str, org: str, network: str | None) -> Request[Created]:
    """Return the request that creates an app (section 4.2).

    Raises:
        fdaa.NetworkNameError: the network's name breaks the rules of section 8.
    """
    _escaped(name, "app_name")
    _escaped(org, "org")
    fields = {"app_name": name, "org_slug": org}
    created = Created(name, None, None if network is None else NetworkName(network))
    if created.network is not None:
        fields["network"] = str(created.network)
    return Request("POST", "/v1/apps", partial(_read_created, created), fields, changes=True)


def destroy_app(name: str) -> Request[None]:
    """Return the request that destroys an app: any success status is accepted (section 4.1)."""
    path = f"/v1/apps/{_escaped(name, 'app_name')}"
    return Request("DELETE", path, lambda *_: None, changes=True)


def _escaped(text: str, label: str) -> str:
    """Return a text as one segment of a path, or one value of a query, whatever it contains."""
    if not isinstance(text, str):
        raise TypeError(f"{label} must be str, not {type(text).__name__}")
    if not text:
        raise ValueError(f"{label} is empty")
    try:
        # A segment of dots alone would mean "this" or "the parent".
        return "%2E" * len(text) if set(text) == {"."} else escape(text, safe="")
    except UnicodeEncodeError:
        raise ValueError(f"{label} is not valid Unicode") from None


# --- responses ------------------------------------------------------------------------------------


def _read_apps(request: Request[AppList], body: bytes) -> AppList:
    """Return the list in a response; unusable rows are in its document's `problems`.

    Raises:
        InvalidResponseError: it is not such a list.
        IncompleteListError: it has fewer apps than it counts.
    """
    try:
        document = parse_app_list(read_object(request, body), request.call)
    except DocumentError as error:
        raise request.invalid("", error.reason) from None
    apps = AppList(document)
    if apps.total is not None and apps.total > len(apps) + document.left_out:
        raise errors.IncompleteListError(request.call, apps)
    return apps


def is_listed(name: str, network: str | None, apps: AppList) -> bool:
    """Whether an app is in a list.

    Raises:
        OtherNetworkError: it is, and on another network than `network`.
    """
    for app in apps:
        if app.name == name:
            if network not in (None, app.network):
                raise errors.OtherNetworkError(app, str(network))
            return True
    return False


def read_object(request: Request[Result], body: bytes) -> dict[str, Any]:
    """Return the JSON object in a response.

    Raises:
        InvalidResponseError: there is none.
    """
    try:
        value = _json.load(_json.decode(body))
    except _json.JSONError as error:
        raise request.invalid("", str(error)) from None
    if not isinstance(value, dict):
        raise request.invalid("", "expected a JSON object")
    return value


def _read_created(expected: Created, request: Request[Created], body: bytes) -> Created:
    """Return an app with the ID in the response to its creation: an object, or nothing.

    Raises:
        InvalidResponseError: it is something else, or is about another app or network.
    """
    value = read_object(request, body) if body.strip() else {}
    if "error" in value:
        raise request.invalid("error", "expected a created app")
    for field, sent in (("name", expected.name), ("network", expected.network)):
        found = value.get(field)
        if sent is not None and isinstance(found, str) and found not in ("", sent):
            got = quote(request.redact(found))
            raise request.invalid(field, f"expected {quote(sent)}, got {got}")
    id_ = value.get("id")
    return replace(expected, id=id_ if isinstance(id_, str) and id_ else None)


# --- errors ---------------------------------------------------------------------------------------


def response_error(
    request: Request[Result], response: httpx2.Response, body: bytes
) -> errors.ResponseError:
    """Return the error for a response whose status is not a success."""
    status, redact, code = response.status_code, request.redact, None
    headers = httpx2.Headers([(key, redact(value)) for key, value in response.headers.items()])
    if response.has_redirect_location:
        message = f"redirects are not followed (to {headers['location']})"
    else:
        message, code = _message_and_code(body[:_MAX_ERROR])
    return errors.BY_STATUS.get(status, errors.ResponseError)(
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
    return _first_text(value, "error", "message") or text, _first_text(value, "status", "code")


def _first_text(value: dict[str, object], *keys: str) -> str | None:
    return next((found for key in keys if isinstance(found := value.get(key), str)), None)


def one_line(text: str) -> str:
    """Return a text from outside as one line that a terminal can show."""
    shown = printable(" ".join(text.split())[: _MAX_MESSAGE + 1])
    return shown if len(shown) <= _MAX_MESSAGE else shown[:_MAX_MESSAGE] + "..."
