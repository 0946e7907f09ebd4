"""Requests and answers of the API, as values: made and read by pure functions.

Sections 4.1 to 4.3 of the specification. What it does not show is read leniently, and nothing is
sent that it does not have.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote as escape

from fdaa import _json, networks
from fdaa.network_name import NetworkName
from fdaa.platform._errors import ArgumentError, ResponseError, UnexpectedAnswerError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fdaa.networks import App, Document

MAX_LIST = 64 * 1024 * 1024  # bytes of a list, unpacked
MAX_OTHER = 256 * 1024  # of every other answer, and of keys
MAX_ERROR = 64 * 1024  # of what is said of an error; more is cut off
_MAX_MESSAGE = 300  # characters of an error's message
_MAX_ESCAPED = 32 * 1024  # characters of a name in a URL; httpx2 takes 64 KiB in all

_RETRIED = frozenset((429, 502, 503, 504))
_PAUSES = (0.25, 0.5, 1.0)  # seconds before each retry, where the answer names none


class Request(NamedTuple):
    """What is sent: `path` is escaped, and relative to the base URL."""

    method: str
    path: str
    body: bytes | None = None
    max_bytes: int = MAX_OTHER
    changes: bool = False  # whether it creates or destroys something

    @property
    def call(self) -> str:
        """What errors and places name it."""
        return f"{self.method} {self.path}"


class Answer(NamedTuple):
    """What came: `body` is unpacked, and cut where it is longer than the request allows."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    whole: bool


class Broken(NamedTuple):
    """No whole answer came: the reason, None where the time was over; was the request sent?"""

    reason: str | None
    was_sent: bool


class AppList(NamedTuple):
    """The apps of an organization.

    Attributes:
        apps: each with its network's name.
        total_apps: how many there are, as the platform says; None where it does not.
        document: the same list for `fdaa.networks.NetworkMap`, with what could not be used.
    """

    apps: tuple[App, ...]
    total_apps: int | None
    document: Document


class Created(NamedTuple):
    """An app that was created: `id` is None where no answer has it, `network` as it was given."""

    name: str
    id: str | None
    network: NetworkName | None


# --- requests -------------------------------------------------------------------------------------


def list_apps(org: str) -> Request:
    """Return the request for an organization's apps (section 4.3)."""
    return Request("GET", f"/v1/apps?org_slug={_escaped(org, 'org')}", None, MAX_LIST)


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
        raise ArgumentError(f"{what} is empty")
    try:
        # A segment of dots alone would be taken for "this" or "the one above".
        escaped = "%2E" * len(text) if set(text) == {"."} else escape(text, safe="")
    except UnicodeEncodeError:
        raise ArgumentError(f"{what} is not Unicode text") from None
    if len(escaped) > _MAX_ESCAPED:
        raise ArgumentError(f"{what} is too long for a URL")
    return escaped


# --- answers --------------------------------------------------------------------------------------


def read_apps(request: Request, answer: Answer) -> AppList:
    """Return the list in an answer; what cannot be used is in its document's `problems`.

    Raises:
        UnexpectedAnswerError: it is no such list, or not a whole one.
    """
    try:
        document = networks.parse_app_list(read_json(request, answer), request.call)
    except networks.DocumentError as error:
        raise UnexpectedAnswerError(request.call, "", error.reason) from None
    return AppList(document.apps, document.total, document)


def read_json(request: Request, answer: Answer) -> object:
    """Return what the JSON in an answer holds.

    Raises:
        UnexpectedAnswerError: it is not JSON, or has a key twice in one object.
    """
    try:
        return _json.load(_json.decode(answer.body))
    except _json.JSONError as error:
        raise UnexpectedAnswerError(request.call, "", str(error)) from None


def read_created(request: Request, answer: Answer) -> Created:
    """Return what an answer tells about an app that was created: an object, or nothing at all.

    Raises:
        UnexpectedAnswerError: it is something else, or tells of another app or network.
    """
    asked: dict[str, str] = json.loads(request.body or b"{}")
    network = NetworkName.parse(asked["network"]) if "network" in asked else None
    if not answer.body.strip():
        return Created(asked["app_name"], None, network)
    try:
        value = json.loads(answer.body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise UnexpectedAnswerError(
            request.call, "", "expected a JSON object, or nothing", may_have_happened=True
        )
    for field, mine in (("name", asked["app_name"]), ("network", network)):
        told = value.get(field)
        if mine is not None and isinstance(told, str) and told not in ("", mine):
            reason = f"asked for {mine!a}, and the answer says {_line(told)!a}"
            raise UnexpectedAnswerError(request.call, field, reason, may_have_happened=True)
    id_ = value.get("id")
    return Created(asked["app_name"], id_ if isinstance(id_, str) and id_ else None, network)


def read_nothing(request: Request, answer: Answer) -> None:
    """Read the answer to a deletion: any success will do (section 4.1 has 202, no content)."""


def check(request: Request, answer: Answer, redact: Callable[[str], str]) -> None:
    """Let an answer of success pass.

    Args:
        request: what was sent.
        answer: what came.
        redact: blacks out secrets that the answer repeats.

    Raises:
        ResponseError: its status is not one of success.
        UnexpectedAnswerError: it is longer than the request allows.
    """
    if 200 <= answer.status < 300:
        if not answer.whole:
            reason = f"it is longer than {request.max_bytes // 1024} KiB"
            raise UnexpectedAnswerError(request.call, "", reason, request.changes)
        return
    target = answer.headers.get("location")
    if 300 <= answer.status < 400 and target is not None:
        said, code = f"it redirects to {target}; a redirect is never followed", None
    else:
        said, code = _read_error(answer.body)
        if not answer.whole:
            said = said[:-_HALF]
    names = [name for name in answer.headers if name.lower().endswith("request-id")]
    raise ResponseError(
        request.call,
        answer.status,
        _line(redact(said)),
        code and _line(redact(code)),
        _line(redact(answer.headers[names[0]])) if names else None,
        request.changes and (answer.status == 408 or not 400 <= answer.status < 500),
    )


def pause_before_retry(
    request: Request, outcome: Answer | Broken, attempt: int, left: float
) -> float | None:
    """Return after how many seconds to send a request again, or None where it is not sent again.

    Args:
        request: only a GET is ever sent twice.
        outcome: what came of it.
        attempt: how often it was sent.
        left: seconds until the deadline.
    """
    if request.method != "GET" or attempt > len(_PAUSES):
        return None
    pause = _PAUSES[attempt - 1]
    if isinstance(outcome, Answer):
        if outcome.status not in _RETRIED:
            return None
        pause = max(pause, _retry_after(outcome.headers.get("retry-after", "")))
    return pause if pause < left else None


def _retry_after(value: str) -> float:
    """Return the seconds that a Retry-After header asks for (RFC 9110, section 10.2.3)."""
    if value.isascii() and value.isdecimal():
        return float(value[:9])
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return 0.0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - datetime.now(UTC)).total_seconds()


# --- the text of an error -------------------------------------------------------------------------

_MESSAGES = ("message", "detail", "title", "description", "reason")
_CODES = ("code", "status", "type")
_NESTED = ("error", "errors")
_TITLE = re.compile(r"<title>([^<]*)</title>", re.IGNORECASE)
# What a page has beside its text; a style or a script without an end goes on to the page's.
_MARKUP = re.compile(r"<(style|script)\b.*?(?:</\1>|\Z)|<[^<>]*>", re.IGNORECASE | re.DOTALL)
_HALF = 8192  # characters before a cut that are not shown: half a secret may stand there


def _read_error(body: bytes) -> tuple[str, str | None]:
    """Return the message and the code in an error's body: JSON of any shape, a page, or text."""
    text = body.decode(errors="replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        title = _TITLE.search(text)
        return (title[1] if title else _MARKUP.sub(" ", text)), None
    message = _find(value, _MESSAGES)
    code = _find(value, _CODES)
    return (text if message is None else message), (None if code == message else code)


def _find(value: object, keys: tuple[str, ...], depth: int = 4) -> str | None:
    """Return the first text under one of the keys, also inside of what is called an error."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict) and depth:
        inside = (_find(value.get(key), keys, depth - 1) for key in (*keys, *_NESTED))
        return next((text for text in inside if text is not None), None)
    return value if isinstance(value, str) else None


def _line(text: str) -> str:
    """Return a text from outside as one line that a terminal can show."""
    words = " ".join(text.split())[: _MAX_MESSAGE + 1]
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in words)
    return shown if len(shown) <= _MAX_MESSAGE else shown[:_MAX_MESSAGE] + "..."
