"""Every error of the live platform.

    fdaa.FdaaError
    ├── PlatformError                .may_have_happened
    │   ├── UnreachableError         no complete response   .call .reason
    │   │   └── NoIdentityError      no identity socket: this is not a Machine
    │   ├── ResponseError            an error   .status .message .code .request_id .retry_after
    │   │   ├── AccessDeniedError    401, 403
    │   │   ├── NotFoundError        404
    │   │   ├── ConflictError        409, or the name of an app is taken
    │   │   └── RateLimitError       429
    │   ├── InvalidResponseError     a response that cannot be used   .place .reason
    │   ├── IncompleteListError      a list without all of its apps   .apps
    │   ├── OtherNetworkError        the app exists on another network   .app .network
    │   └── CannotVerifyError        the key of a token is not known   .reason
    └── TokenRefusedError            a token that fails checks   .failures

No message has the token. Other wrong arguments are `TypeError` and `fdaa.ArgumentError`.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, asdict, dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from fdaa._support.escapes import printable
from fdaa._values.errors import FdaaError
from fdaa._values.network_name import NetworkName
from fdaa.platform._apps import AppList, PlatformApp

IN_DOUBT = "the change may still have been made"


def _reduced(error: Exception) -> tuple[Any, ...]:
    """Return an error for a pickle: `Exception` itself would forget its keyword arguments."""
    return Exception.__new__, (type(error), *error.args), vars(error)


class PlatformError(FdaaError):
    """A call to the platform failed.

    Attributes:
        call: the method and the path, such as `POST /v1/apps`; None if it is about no single call.
        may_have_happened: whether a creation or a deletion may have been made nevertheless.
    """

    call: str | None = None  # classes that require it say `field()`: this is no default of theirs
    may_have_happened: bool = False

    def __str__(self) -> str:
        text = self._text()
        if self.call is not None:
            text = f"{self.call}: {text}"
        if self.may_have_happened:
            text += f"; {IN_DOUBT}"
        return printable(text)

    def _text(self) -> str:
        """Return what happened; it may have control characters from outside."""
        return super().__str__()

    __reduce__ = _reduced


@dataclass(eq=False)
class UnreachableError(PlatformError):
    """No complete response; `reason` says what failed."""

    call: str = field()
    _: KW_ONLY
    reason: str
    may_have_happened: bool = False

    def _text(self) -> str:
        return self.reason


class NoIdentityError(UnreachableError):
    """There is no identity socket: this does not run inside a Machine."""


@dataclass(eq=False)
class ResponseError(PlatformError):
    """The platform responded with an error or a redirect; a redirect is never followed.

    Attributes:
        status: the HTTP status.
        message: the platform's message, on one line; may be empty.
        code: the platform's own code for the error, if it sent one.
        headers: of the response.
        request_id: identifies the call to the platform's support; None if there is none.
        retry_after: seconds until the call may succeed, from `Retry-After`; None if there is none.
    """

    call: str = field()
    _: KW_ONLY
    status: int
    message: str
    code: str | None
    headers: Mapping[str, str]
    may_have_happened: bool = False
    request_id: str | None = field(init=False)
    retry_after: float | None = field(init=False)

    def __post_init__(self) -> None:
        self.request_id = None
        for name, value in self.headers.items():
            if name.lower().endswith("request-id"):
                self.request_id = value
        self.retry_after = _retry_after(self.headers.get("retry-after", ""))

    def _text(self) -> str:
        text = f"status {self.status}"
        if self.message:
            text += f": {self.message}"
        if self.code:
            text += f" ({self.code})"
        if self.request_id:
            text += f" (id {self.request_id})"
        return text


def _retry_after(value: str) -> float | None:
    """Return the seconds that a `Retry-After` header asks for (RFC 9110, section 10.2.3)."""
    if value.isascii() and value.isdecimal():
        return float(value[:9])
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


class AccessDeniedError(ResponseError):
    """Status 401 or 403: the token is missing, wrong, or does not allow this call."""


class NotFoundError(ResponseError):
    """Status 404: there is no such app or organization."""


class ConflictError(ResponseError):
    """The call contradicts what exists: the name of an app is taken, or status 409."""


class RateLimitError(ResponseError):
    """Status 429: too many calls; nothing was changed."""


BY_STATUS: Mapping[int, type[ResponseError]] = {
    401: AccessDeniedError,
    403: AccessDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}


@dataclass(eq=False)
class InvalidResponseError(PlatformError):
    """A response that cannot be used.

    Attributes:
        place: where in the body; empty for all of it.
        reason: what is wrong there.
    """

    call: str = field()
    _: KW_ONLY
    place: str
    reason: str
    may_have_happened: bool = False

    def _text(self) -> str:
        if self.place:
            return f"invalid response: {self.place}: {self.reason}"
        return f"invalid response: {self.reason}"


@dataclass(eq=False)
class IncompleteListError(PlatformError):
    """A list, `apps`, that has fewer apps than the platform counts, which is `apps.total`."""

    call: str = field()
    _: KW_ONLY
    apps: AppList

    def _text(self) -> str:
        return f"incomplete list: {len(self.apps)} of {self.apps.total} apps"


@dataclass(eq=False)
class OtherNetworkError(PlatformError):
    """An app already exists, as `app` shows it, on another network than the requested `network`."""

    app: PlatformApp
    _: KW_ONLY
    network: NetworkName

    def _text(self) -> str:
        where = f"on network {self.app.network}, not {self.network}"
        return f"app {self.app.name} exists {where}; an app cannot change its network"


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """A check that a token failed.

    Attributes:
        claim: the wrong claim or header field; `token`, `header`, `payload` or `signature` if all
            of it is wrong.
        reason: the fault, or the expected value.
        got: the value in the token; None if it is missing. Unless the signature matches, only `iss`
            and `aud` are repeated.
    """

    claim: str
    _: KW_ONLY
    reason: str
    got: str | None = None

    def __str__(self) -> str:
        text = f"{self.claim}: {self.reason}"
        if self.got is None:
            return text
        return f"{text}, got {self.got}"

    def to_dict(self) -> dict[str, str | None]:
        """Return the check as a dictionary for `json.dumps`."""
        return asdict(self)


@dataclass(eq=False)
class CannotVerifyError(PlatformError):
    """The key that signed a token is not known: the token may be valid.

    The `reason` is the failure of the last fetch, or when the keys can be fetched again.
    """

    reason: str

    def _text(self) -> str:
        return f"the token cannot be verified: {self.reason}"


@dataclass(eq=False)
class TokenRefusedError(FdaaError, ValueError):
    """A token that failed verification: `failures` has every check; its text is not kept."""

    failures: tuple[FailedCheck, ...]

    __reduce__ = _reduced

    def __str__(self) -> str:
        return f"the token is refused: {'; '.join(map(str, self.failures))}"
