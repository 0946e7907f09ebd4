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
from fdaa.platform._claims import FormError, UnverifiedClaims, read_object, split
from fdaa.platform._errors import (
    InvalidResponseError,
    NoIdentityError,
    UnreachableError,
)
from fdaa.platform._exchange import exchange, settings
from fdaa.platform._messages import Request, Response
from fdaa.platform._settings import checked_timeout, tls_for
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
        ValueError: it is no JSON Web Token.
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
        raise ValueError(f"it is not a JSON Web Token: expected {reason}")

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
            raise ValueError("the socket's path must be a path")
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
            ValueError: the audience is empty, or no Unicode text.
        """
        if not isinstance(audience, str | None):
            raise TypeError(f"the audience must be str, not {type(audience).__name__}")
        if audience == "":
            raise ValueError("the audience is empty; leave it out for the platform's own")
        fields = {} if audience is None else {"aud": audience}
        try:
            body = json.dumps(fields, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("the audience is not Unicode text") from None
        request = Request("POST", "/v1/tokens/oidc", body)
        self._check_socket(request)
        url = httpx2.URL(f"http://localhost{request.path}")
        transport = DeadlineTransport(uds=self.socket, verify=tls_for(url))
        try:
            with httpx2.Client(transport=transport, **settings()) as http:
                response = exchange(http, request, str(url), self.timeout, _redact)
        except UnreachableError as error:
            raise self._explained(error) from None
        token = _read_token(request, response)
        if audience is not None and token.claims().aud != audience:
            reason = f"expected the audience that was asked for, {quote(audience)}"
            raise InvalidResponseError(request.call, "aud", reason)
        return token

    def _check_socket(self, request: Request) -> None:
        try:
            Path(self.socket).stat()
        except (FileNotFoundError, NotADirectoryError):
            reason = f"there is no identity socket {quote(self.socket)}; it is inside Machines only"
            raise NoIdentityError(request.call, reason) from None
        except OSError:
            pass  # connecting says what is wrong

    def _explained(self, error: UnreachableError) -> UnreachableError:
        reason = f"socket {quote(self.socket)}: {error.reason}"
        if not os.access(self.socket, os.W_OK):
            reason += "; the platform lets only root use it"
        return UnreachableError(error.call, reason)


def _redact(text: str) -> str:
    return _TOKEN.sub("[redacted]", text)


def _read_token(request: Request, response: Response) -> Token:
    """Return the token in an answer: bare, a JSON string, or in an object with one known name.

    Raises:
        InvalidResponseError: it is something else; the answer is not quoted, as it may be secret.
    """
    text = response.body.strip().decode(errors="replace")
    if text[:1] in ('"', "{"):
        text = _unwrapped(request, response.body)
    try:
        return Token(text)
    except ValueError:
        pass
    raise InvalidResponseError(request.call, "", "expected a JSON Web Token")


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
    raise InvalidResponseError(request.call, "", reason)
