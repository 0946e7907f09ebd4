"""The identity of a Machine: tokens from the local socket (specification, sections 4.4 and 2.4)."""

from __future__ import annotations

import os
import re
import socket
from functools import partial
from typing import Any

import httpx2
from anyio.to_thread import run_sync

from fdaa import _json
from fdaa._escapes import quote
from fdaa.platform._claims import UnverifiedClaims, read_object, split
from fdaa.platform._errors import NoIdentityError, UnreachableError
from fdaa.platform._exchange import exchange
from fdaa.platform._messages import Request
from fdaa.platform._secret import Secret
from fdaa.platform._settings import checked_timeout
from fdaa.platform._transport import open_client

SOCKET = "/.platform/api"
_ORIGIN = httpx2.URL("http://localhost")
_WRAPPERS = ("token", "value", "id_token")
# Text in an error that looks like a token; the JSON in it may be indented.
_TOKEN = re.compile(r"(?:eyJ|(?<![\w-])[\w-]{16,}+\.[\w-]{16,}+\.)[\w.-]*", re.ASCII)
_redact = partial(_TOKEN.sub, "[redacted]")


class Token(Secret):
    """An identity token as received, not verified.

    Its `repr` is `<Token sub=... exp=...>`, and it is not pickled.

    Args:
        text: the token.

    Raises:
        TypeError: it is not `str`.
        ValueError: it is not a JSON Web Token.
    """

    __slots__ = ("_claims",)

    def __init__(self, text: str) -> None:
        self._claims = UnverifiedClaims.from_payload(read_object(split(text).payload, "payload"))
        super().__init__(text, "a token")

    def claims(self) -> UnverifiedClaims:
        """Return the token's claims."""
        return self._claims

    def __repr__(self) -> str:
        return f"<Token sub={quote(self._claims.sub or '')} exp={self._claims.exp}>"


class _Identity:
    """The base of both identity classes."""

    def __init__(self, socket: str | os.PathLike[str] = SOCKET, timeout: float = 10.0) -> None:
        self.socket = os.fsdecode(socket)
        self.timeout = checked_timeout(timeout)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.socket}>"

    def _get(self, audience: str | None) -> Token:
        if not isinstance(audience, str | None):
            raise TypeError(f"the audience must be str, not {type(audience).__name__}")
        if audience == "":
            raise ValueError("the audience is empty; leave it out for the platform's default")
        fields = {} if audience is None else {"aud": audience}
        read = partial(_read_token, audience)
        request: Request[Token] = Request("POST", "/v1/tokens/oidc", read, fields, redact=_redact)
        try:
            with socket.socket(socket.AF_UNIX) as probe:
                probe.setblocking(False)
                probe.connect(self.socket)  # httpcore2 leaves its socket open where it cannot
            with open_client(_ORIGIN, uds=self.socket) as http:
                return exchange(http, request, self.timeout)
        except (OSError, UnreachableError) as error:
            raise self._unreachable(request.call, error) from None

    def _unreachable(self, call: str, error: OSError | UnreachableError) -> UnreachableError:
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            reason = (
                f"there is no identity socket {quote(self.socket)}; it exists only inside Machines"
            )
            return NoIdentityError(call, reason)
        reason = error.strerror or str(error) if isinstance(error, OSError) else error.reason
        if not os.access(self.socket, os.W_OK):
            reason += "; on the platform, only root can use it"
        return UnreachableError(call, f"socket {quote(self.socket)}: {reason}")


class MachineIdentity(_Identity):
    """The identity endpoint of the Machine that this runs in.

    Args:
        socket: the path of its Unix socket.
        timeout: seconds for one call.

    Raises:
        TypeError: an argument has another type.
        ValueError: an argument cannot be used.

    >>> MachineIdentity("/nowhere").token("https://vault.example")
    Traceback (most recent call last):
        ...
    fdaa.platform.NoIdentityError: POST /v1/tokens/oidc: there is no identity socket '/nowhere'; \
it exists only inside Machines
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
        return self._get(audience)


class AsyncMachineIdentity(_Identity):
    """`MachineIdentity` for asynchronous code: the same arguments, and `token` is a coroutine."""

    async def token(self, audience: str | None = None) -> Token:
        """Return a new token; see `MachineIdentity.token`."""
        return await run_sync(self._get, audience, abandon_on_cancel=True)


def _read_token(audience: str | None, request: Request[Token], body: bytes) -> Token:
    """Return the token in a response: bare, a JSON string, or in an object with one known name.

    Raises:
        InvalidResponseError: it is something else, which is not quoted, as it may be secret.
    """
    try:
        token = Token(_unwrapped(body))
    except (TypeError, ValueError, _json.JSONError):
        token = None
    if token is None:  # and not in the context of an error that contains the text
        reason = "must be a token: bare, a JSON string, or an object with exactly one of"
        raise request.invalid("", f"{reason} {', '.join(map(repr, _WRAPPERS))}")
    if audience is not None and token.claims().aud != audience:
        raise request.invalid("aud", f"must be the requested audience, {quote(audience)}")
    return token


def _unwrapped(body: bytes) -> str:
    """Return the text of a token, or a value that is not text."""
    text = body.strip().decode(errors="replace")
    if text[:1] not in ('"', "{"):
        return text
    value: Any = _json.load(_json.decode(body))
    if isinstance(value, dict):
        found = [value[name] for name in _WRAPPERS if name in value]
        value = found[0] if len(found) == 1 else None
    return value  # type: ignore[no-any-return]
