"""Who a Machine is: tokens from the local socket (specification, sections 4.4 and 2.4)."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import NoReturn

import httpx2

from fdaa import _json
from fdaa.errors import quote
from fdaa.platform import _messages as messages
from fdaa.platform._claims import FormError, UnverifiedClaims, read_object, split
from fdaa.platform._errors import (
    ArgumentError,
    NoIdentityError,
    UnexpectedAnswerError,
    UnreachableError,
)
from fdaa.platform._exchange import exchange, settings
from fdaa.platform._messages import Answer, Broken, Request
from fdaa.platform._settings import checked_timeout
from fdaa.platform._transport import DeadlineTransport

SOCKET = "/.platform/api"
_WRAPPERS = ("token", "value", "id_token")
# What looks like one in the text of an error; the JSON in it may be indented.
_TOKEN = re.compile(r"(?:eyJ|(?<![\w-])[\w-]{16,}+\.[\w-]{16,}+\.)[\w.-]*", re.ASCII)


class Token:
    """An identity token, as it came: nobody has verified it.

    It shows itself as `<Token sub=... exp=...>` and is not pickled.

    Args:
        text: the token.

    Raises:
        ArgumentError: it is no JSON Web Token.
    """

    __module__ = "fdaa.platform"
    __slots__ = ("_claims", "_text")

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a token must be str, not {type(text).__name__}")
        try:
            _, payload, _ = split(text)
            self._claims = UnverifiedClaims.from_payload(read_object(payload))
        except FormError as error:
            reason = str(error)
        else:
            self._text = text
            return
        raise ArgumentError(f"it is not a JSON Web Token: expected {reason}")

    def reveal(self) -> str:
        """Return the token's text; whoever has it is the Machine, until it expires."""
        return self._text

    def claims(self) -> UnverifiedClaims:
        """Return what the token says."""
        return self._claims

    def __repr__(self) -> str:
        return f"<Token sub={quote(self._claims.sub or '')} exp={self._claims.exp}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a token is not pickled")


class MachineIdentity:
    """The endpoint that tells a Machine who it is; there is one inside each Machine.

    Args:
        socket: the path of its Unix socket.
        timeout: seconds that one call may take in all.

    >>> MachineIdentity("/nowhere").token("https://vault.example")
    Traceback (most recent call last):
        ...
    fdaa.platform.NoIdentityError: POST /v1/tokens/oidc: there is no identity socket '/nowhere'; \
it is inside Machines only
    """

    __module__ = "fdaa.platform"

    def __init__(self, socket: str | os.PathLike[str] = SOCKET, timeout: float = 10.0) -> None:
        self.socket = os.fsdecode(socket)
        if not self.socket or "\0" in self.socket:
            raise ArgumentError("the socket's path must be a path")
        self.timeout = checked_timeout(timeout)

    def __repr__(self) -> str:
        return f"<MachineIdentity {self.socket}>"

    def token(self, audience: str | None = None) -> Token:
        """Return a new token; none is kept, as some who take them take each one once.

        Args:
            audience: for whom it is; without one, the platform's default (section 2.4).

        Raises:
            NoIdentityError: there is no such socket: this is no Machine.
            PlatformError: the endpoint did not answer with a token for this audience.
            ArgumentError: the audience is empty, or no Unicode text.
        """
        if not isinstance(audience, str | None):
            raise TypeError(f"the audience must be str, not {type(audience).__name__}")
        if audience == "":
            raise ArgumentError("the audience is empty; leave it out for the platform's own")
        fields = {} if audience is None else {"aud": audience}
        try:
            body = json.dumps(fields, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ArgumentError("the audience is not Unicode text") from None
        request = Request("POST", "/v1/tokens/oidc", body)
        self._check_socket(request)
        transport = DeadlineTransport(uds=self.socket)
        with httpx2.Client(transport=transport, **settings()) as http:
            outcome = exchange(http, request, f"http://localhost{request.path}", self.timeout)
        if isinstance(outcome, Broken):
            raise self._unreachable(request, outcome)
        messages.check(request, outcome, lambda text: _TOKEN.sub("[redacted]", text))
        token = _read_token(request, outcome)
        if audience is not None and token.claims().aud != audience:
            reason = f"expected the audience that was asked for, {quote(audience)}"
            raise UnexpectedAnswerError(request.call, "aud", reason)
        return token

    def _check_socket(self, request: Request) -> None:
        try:
            Path(self.socket).stat()
        except (FileNotFoundError, NotADirectoryError):
            reason = f"there is no identity socket {quote(self.socket)}; it is inside Machines only"
            raise NoIdentityError(request.call, reason) from None
        except OSError:
            pass  # connecting says what is wrong

    def _unreachable(self, request: Request, outcome: Broken) -> UnreachableError:
        reason = outcome.reason or f"no whole answer within {self.timeout:g} seconds"
        if not os.access(self.socket, os.W_OK):
            reason += "; the platform lets only root use it"
        return UnreachableError(request.call, f"socket {quote(self.socket)}: {reason}")


def _read_token(request: Request, answer: Answer) -> Token:
    """Return the token in an answer: bare, a JSON string, or in an object with one known name.

    Raises:
        UnexpectedAnswerError: it is something else; the answer is not quoted, as it may be secret.
    """
    text = answer.body.strip().decode(errors="replace")
    if text[:1] in ('"', "{"):
        text = _unwrapped(request, answer.body)
    try:
        return Token(text)
    except ArgumentError:
        pass
    raise UnexpectedAnswerError(request.call, "", "expected a JSON Web Token")


def _unwrapped(request: Request, body: bytes) -> str:
    try:
        value = _json.load(_json.decode(body))
    except _json.JSONError:
        value = None
    if isinstance(value, dict):
        found = [value[name] for name in _WRAPPERS if name in value]
        value = found[0] if len(found) == 1 else None
    if isinstance(value, str):
        return value
    reason = "expected a token, or an object with exactly one of 'token', 'value', 'id_token'"
    raise UnexpectedAnswerError(request.call, "", reason)
