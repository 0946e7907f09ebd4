"""Who a Machine is: tokens from the local socket (specification, sections 4.4 and 2.4)."""

from __future__ import annotations

import json
import os
import re
import socket
from pathlib import Path
from typing import NoReturn

import httpx2
from anyio.to_thread import run_sync

from fdaa import _json
from fdaa.errors import quote
from fdaa.platform._claims import FormError, UnverifiedClaims, read_object, split
from fdaa.platform._errors import InvalidResponseError, NoIdentityError, UnreachableError
from fdaa.platform._exchange import exchange, settings
from fdaa.platform._messages import Request, Response
from fdaa.platform._settings import checked_timeout, tls_for
from fdaa.platform._transport import DeadlineTransport

SOCKET = "/.platform/api"
_ORIGIN = "http://localhost"
_WRAPPERS = ("token", "value", "id_token")
# What looks like a token in the text of an error; the JSON in it may be indented.
_TOKEN = re.compile(r"(?:eyJ|(?<![\w-])[\w-]{16,}+\.[\w-]{16,}+\.)[\w.-]*", re.ASCII)


class Token:
    """An identity token as it came; no one has verified it.

    Its `repr` is `<Token sub=... exp=...>`, and it is not pickled.

    Args:
        text: the token.

    Raises:
        TypeError: it is not `str`.
        ValueError: it is not a JSON Web Token.
    """

    __slots__ = ("_claims", "_text")

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a token must be str, not {type(text).__name__}")
        try:
            _, payload, _ = split(text)
            self._claims = UnverifiedClaims.from_payload(read_object(payload, "payload"))
        except FormError as error:
            reason = str(error)
        else:
            self._text = text
            return
        raise ValueError(f"not a JSON Web Token: {reason}")

    def reveal(self) -> str:
        """Return the token's text: until it expires, it is as good as the Machine itself."""
        return self._text

    def claims(self) -> UnverifiedClaims:
        """Return the token's claims."""
        return self._claims

    def __repr__(self) -> str:
        return f"<Token sub={quote(self._claims.sub or '')} exp={self._claims.exp}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a token is not pickled")


class _Identity:
    """All but sending the request."""

    def __init__(self, socket: str | os.PathLike[str] = SOCKET, timeout: float = 10.0) -> None:
        self.socket = os.fsdecode(socket)
        if not self.socket or "\0" in self.socket:
            raise ValueError("the socket must be a path")
        self.timeout = checked_timeout(timeout)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.socket}>"

    def _request(self, audience: str | None) -> Request:
        """Return the request for a token, which can be sent: the socket accepts connections."""
        if not isinstance(audience, str | None):
            raise TypeError(f"the audience must be str, not {type(audience).__name__}")
        if audience == "":
            raise ValueError("the audience is empty; leave it out for the platform's default")
        fields = {} if audience is None else {"aud": audience}
        request = Request("POST", "/v1/tokens/oidc", json.dumps(fields).encode())
        self._check_socket(request.call)
        return request

    def _check_socket(self, call: str) -> None:
        """Connect, as httpx2 leaves its socket open where it cannot connect.

        Raises:
            NoIdentityError: there is no socket.
            UnreachableError: it does not accept connections.
        """
        try:
            Path(self.socket).stat()
            with socket.socket(socket.AF_UNIX) as probe:
                probe.setblocking(False)
                probe.connect(self.socket)
        except (FileNotFoundError, NotADirectoryError):
            reason = f"there is no identity socket {quote(self.socket)}; it is inside Machines only"
            raise NoIdentityError(call, reason) from None
        except OSError as error:
            raise self._unreachable(call, error.strerror or str(error)) from None

    def _unreachable(self, call: str, reason: str) -> UnreachableError:
        reason = f"socket {quote(self.socket)}: {reason}"
        if not os.access(self.socket, os.W_OK):
            reason += "; the platform lets only root use it"
        return UnreachableError(call, reason)


class MachineIdentity(_Identity):
    """The identity endpoint of the Machine that this runs in.

    Args:
        socket: the path of its Unix socket.
        timeout: seconds for one call.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument cannot be used.

    >>> MachineIdentity("/nowhere").token("https://vault.example")
    Traceback (most recent call last):
        ...
    fdaa.platform.NoIdentityError: POST /v1/tokens/oidc: there is no identity socket '/nowhere'; \
it is inside Machines only
    """

    def token(self, audience: str | None = None) -> Token:
        """Return a new token; tokens are not cached: some services accept each only once.

        Args:
            audience: the token's `aud`; without it, the platform's default (section 2.4).

        Raises:
            NoIdentityError: there is no such socket: this is not a Machine.
            PlatformError: the endpoint did not respond with a token for this audience.
            ValueError: the audience is empty.
        """
        request = self._request(audience)
        transport = DeadlineTransport(uds=self.socket, verify=tls_for(httpx2.URL(_ORIGIN)))
        try:
            with httpx2.Client(transport=transport, **settings()) as http:
                url = _ORIGIN + request.path
                response = exchange(http, request, url, self.timeout, _redact)
        except UnreachableError as error:
            raise self._unreachable(error.call, error.reason) from None
        return _read_token(request, response, audience)


class AsyncMachineIdentity(_Identity):
    """`MachineIdentity` for asynchronous code: the same arguments, and `token` is a coroutine."""

    async def token(self, audience: str | None = None) -> Token:
        """Return a new token; see `MachineIdentity.token`."""
        identity = MachineIdentity(self.socket, self.timeout)
        return await run_sync(identity.token, audience, abandon_on_cancel=True)


def _redact(text: str) -> str:
    return _TOKEN.sub("[redacted]", text)


def _read_token(request: Request, response: Response, audience: str | None) -> Token:
    """Return the token in a response: bare, a JSON string, or in an object with one known name.

    Raises:
        InvalidResponseError: it is something else, which is not quoted, as it may be secret.
    """
    text = response.body.strip().decode(errors="replace")
    if text[:1] in ('"', "{"):
        text = _unwrapped(request, response.body)
    try:
        token = Token(text)
    except ValueError:
        token = None
    if token is None:  # and not in the context of an error that knows the text
        raise InvalidResponseError(request.call, "", "must be a JSON Web Token")
    if audience is not None and token.claims().aud != audience:
        reason = f"must be the requested audience, {quote(audience)}"
        raise InvalidResponseError(request.call, "aud", reason)
    return token


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
    reason = "must be a token, or an object with exactly one of 'token', 'value', 'id_token'"
    raise InvalidResponseError(request.call, "", reason)
