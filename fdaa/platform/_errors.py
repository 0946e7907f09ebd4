"""Every error of the live platform.

    Exception
    └── PlatformError               .may_have_happened
        ├── UnreachableError        no whole answer came: no connection, a broken one, too late
        │   └── NoIdentityError     no identity socket here: this is no Machine
        ├── ResponseError           the platform says no   .status .message .code .request_id
        └── UnexpectedAnswerError   an answer that cannot be used   .place .reason

    ValueError
    └── fdaa.InputError
        ├── ArgumentError           an argument or a setting; nothing was sent
        └── TokenRefusedError       a token that fails checks   .failures

No message has a secret in it: texts from outside are redacted before an error is made of them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from fdaa.errors import InputError


class PlatformError(Exception):
    """A call that the platform did not answer with success.

    Attributes:
        may_have_happened: whether a creation or a deletion may be done all the same.
    """

    __module__ = "fdaa.platform"
    may_have_happened = False


class UnreachableError(PlatformError):
    """No whole answer came.

    Args:
        call: what was called: `POST /v1/apps`.
        reason: what was in the way.
        may_have_happened: True where the request was, or may have been, sent before that.
    """

    __module__ = "fdaa.platform"

    def __init__(self, call: str, reason: str, may_have_happened: bool = False) -> None:
        super().__init__(call, reason, may_have_happened)
        self.call = call
        self.reason = reason
        self.may_have_happened = may_have_happened

    def __str__(self) -> str:
        return f"{self.call}: {self.reason}{_doubt(self.may_have_happened)}"


class NoIdentityError(UnreachableError):
    """There is no identity socket: this does not run inside a Machine."""

    __module__ = "fdaa.platform"


class ResponseError(PlatformError):
    """The platform answered with an error, or with a redirect, which is never followed.

    Args:
        call: what was called.
        status: the HTTP status.
        message: what the answer says, in one line; empty where it says nothing.
        code: the platform's own code for it, if the answer has one.
        request_id: what identifies the call to the platform's support, if the answer has it.
        may_have_happened: whether the status leaves open that a creation or deletion is done.
    """

    __module__ = "fdaa.platform"

    def __init__(
        self,
        call: str,
        status: int,
        message: str,
        code: str | None = None,
        request_id: str | None = None,
        may_have_happened: bool = False,
    ) -> None:
        super().__init__(call, status, message, code, request_id, may_have_happened)
        self.call = call
        self.status = status
        self.message = message
        self.code = code
        self.request_id = request_id
        self.may_have_happened = may_have_happened

    def __str__(self) -> str:
        said = f": {self.message}" if self.message else ""
        known = ", ".join(filter(None, (self.code, self.request_id and f"id {self.request_id}")))
        about = f" ({known})" if known else ""
        return f"{self.call}: status {self.status}{said}{about}{_doubt(self.may_have_happened)}"


class UnexpectedAnswerError(PlatformError):
    """An answer of success that cannot be used.

    Args:
        call: what was called.
        place: where in the body; empty for all of it.
        reason: what is wrong there.
        may_have_happened: True for a creation or a deletion, which was answered with success.
    """

    __module__ = "fdaa.platform"

    def __init__(self, call: str, place: str, reason: str, may_have_happened: bool = False) -> None:
        super().__init__(call, place, reason, may_have_happened)
        self.call = call
        self.place = place
        self.reason = reason
        self.may_have_happened = may_have_happened

    def __str__(self) -> str:
        where = f" {self.place}:" if self.place else ""
        return f"{self.call}: unexpected answer:{where} {self.reason}" + _doubt(
            self.may_have_happened
        )


def _doubt(may_have_happened: bool) -> str:
    return "; it may have happened all the same" if may_have_happened else ""


class ArgumentError(InputError):
    """An argument or a setting that cannot be used; nothing was sent.

    Its text is never kept, as it may be a secret: `.text` is empty.
    """

    __module__ = "fdaa.platform"

    def __init__(self, reason: str) -> None:
        super().__init__("", reason)
        self.args = (reason,)

    def __str__(self) -> str:
        return self.reason


class Check(StrEnum):
    """What a token is checked for; a failure names one of these."""

    FORM = "form"
    HEADER = "header"
    KEY = "key"
    SIGNATURE = "signature"
    PAYLOAD = "payload"
    CLAIM = "claim"


class Failure(NamedTuple):
    """A check that a token failed.

    Attributes:
        check: which kind of check.
        claim: the claim, or the field of the header, that is wrong; None for the whole.
        expected: what would be right.
        got: what is there; None where the token's signature does not hold, so that nothing of
            what it claims is repeated.
    """

    check: Check
    claim: str | None
    expected: str
    got: str | None

    def __str__(self) -> str:
        said = "" if self.got is None else f", got {self.got}"
        return f"{self.claim or self.check}: expected {self.expected}{said}"


class TokenRefusedError(InputError):
    """A token that is not to be trusted.

    Args:
        failures: every check that it failed. The token's text is not kept: `.text` is empty.
    """

    __module__ = "fdaa.platform"

    def __init__(self, failures: tuple[Failure, ...]) -> None:
        super().__init__("", "; ".join(map(str, failures)))
        self.args = (failures,)
        self.failures = failures

    def __str__(self) -> str:
        return f"the token is refused: {self.reason}"
