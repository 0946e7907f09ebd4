"""The identity of a Machine: tokens from the local socket (specification, sections 4.4 and 2.4)."""

import os
import re
import stat
from functools import partial
from typing import Any

import httpx2

from fdaa._support import strict_json
from fdaa._support.escapes import quote
from fdaa._values.checks import text_of
from fdaa._values.errors import ArgumentError
from fdaa.platform._claim_forms import shown
from fdaa.platform._claims import UnverifiedClaims
from fdaa.platform._deadline import Deadline
from fdaa.platform._errors import NoIdentityError, UnreachableError
from fdaa.platform._exchange import exchange, exchange_async
from fdaa.platform._messages import Request, Response
from fdaa.platform._secret import Secret
from fdaa.platform._settings import checked_timeout
from fdaa.platform._token_text import read_object, split
from fdaa.platform._transport import open_async_client, open_client

SOCKET = "/.platform/api"
_PATH = "/v1/tokens/oidc"
_CALL = f"POST {_PATH}"
_ORIGIN = httpx2.URL("http://localhost")
_WRAPPERS = ("token", "value", "id_token")
# Text in an error that looks like a token; the JSON in it may be indented.
_TOKEN = re.compile(
    r"""
    (?:
        eyJ                                           # the {" of a header
    |
        (?<! [\w-] ) [\w-]{16,}+ \. [\w-]{16,}+ \.    # two parts of a token
    )
    [\w.-]*
    """,
    re.ASCII | re.VERBOSE,
)
_redact = partial(_TOKEN.sub, "[redacted]")


class Token(Secret):
    """An identity token as received, not verified.

    Its `repr` is `<Token sub=... exp=...>`, and it is not pickled.

    Args:
        text: the token.

    Raises:
        TypeError: it is not `str`.
        TokenRefusedError: it is not a JSON Web Token.
    """

    __slots__ = ("_claims",)

    def __init__(self, text: str) -> None:
        payload = read_object(split(text).payload, "payload")
        self._claims = UnverifiedClaims.from_payload(payload)
        super().__init__(text, "a token")

    def claims(self) -> UnverifiedClaims:
        """Return the token's claims."""
        return self._claims

    def __repr__(self) -> str:
        claims = self._claims
        subject = quote(claims.sub or "")
        return f"<Token sub={subject} exp={claims.exp}>"


class _Identity:
    """The base of both identity classes."""

    def __init__(self, *, socket: str | os.PathLike[str] = SOCKET, timeout: float = 10.0) -> None:
        self.socket: str = str.__str__(os.fsdecode(socket))
        if "\0" in self.socket:
            raise ArgumentError("socket has a NUL character, which no path has")
        self.timeout: float = checked_timeout(timeout)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.socket}>"

    def _check_socket(self) -> None:
        """Raise an error if there is no such socket: then nothing is retried."""
        if not stat.S_ISSOCK(os.stat(self.socket).st_mode):  # noqa: PTH116 - it is text
            raise UnreachableError(_CALL, reason="this is not a socket")

    def _unreachable(self, error: OSError | UnreachableError) -> UnreachableError:
        """Return the error that says what is wrong with the socket."""
        name = quote(self.socket)
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            reason = f"there is no identity socket {name}; it exists only inside Machines"
            return NoIdentityError(_CALL, reason=reason)
        if isinstance(error, UnreachableError):
            reason = error.reason
        else:
            reason = error.strerror or str(error)
        if not os.access(self.socket, os.W_OK):
            reason += "; on the platform, only root can use it (assumed)"
        return UnreachableError(_CALL, reason=f"socket {name}: {reason}")


class MachineIdentity(_Identity):
    """The identity endpoint of the Machine that this runs in.

    Args:
        socket: the path of its Unix socket.
        timeout: seconds for one call.

    Raises:
        TypeError: an argument has another type.
        fdaa.ArgumentError: an argument cannot be used.

    >>> MachineIdentity(socket="/nowhere").token(aud="https://vault.example")
    Traceback (most recent call last):
        ...
    fdaa.platform.NoIdentityError: POST /v1/tokens/oidc: there is no identity socket '/nowhere'; \
it exists only inside Machines
    """

    def token(self, *, aud: str | None = None) -> Token:
        """Return a new token; tokens are not cached: some services accept each only once.

        Args:
            aud: the token's audience; without it, the platform's default (section 2.4).

        Raises:
            NoIdentityError: there is no such socket: this is not a Machine.
            PlatformError: the endpoint did not respond with a token for this audience.
            fdaa.ArgumentError: the audience is empty.
        """
        request = _token_request(aud)
        try:
            self._check_socket()
            with open_client(_ORIGIN, socket_path=self.socket, keep_connections=False) as http:
                return exchange(http, request, Deadline(self.timeout))
        except (OSError, UnreachableError) as error:
            raise self._unreachable(error) from None


class AsyncMachineIdentity(_Identity):
    """`MachineIdentity` for asynchronous code: the same arguments, and `token` is a coroutine."""

    async def token(self, *, aud: str | None = None) -> Token:
        """Return a new token; see `MachineIdentity.token`."""
        request = _token_request(aud)
        try:
            self._check_socket()
            async with open_async_client(
                _ORIGIN, socket_path=self.socket, keep_connections=False
            ) as http:
                return await exchange_async(http, request, Deadline(self.timeout))
        except (OSError, UnreachableError) as error:
            raise self._unreachable(error) from None


def _token_request(aud: str | None) -> Request[Token]:
    """Return the request for a token (section 4.4)."""
    fields = {}
    if aud is not None:
        aud = text_of(aud, "aud")
        if not aud:
            raise ArgumentError("aud is empty; leave it out for the platform's default")
        fields["aud"] = aud
    read = partial(_read_token, aud)
    return Request("POST", _PATH, read, fields, redact=_redact)


def _read_token(aud: str | None, response: Response) -> Token:
    """Return the token in a response: bare, a JSON string, or in an object with one known name.

    Raises:
        InvalidResponseError: it is something else, which is not quoted, as it may be secret.
    """
    try:
        token = Token(_unwrapped(response.body))
    except (TypeError, ValueError, strict_json.JSONError):
        token = None
    if token is None:  # and not in the context of an error that contains the text
        names = ", ".join(map(repr, _WRAPPERS))
        forms = f"bare, a JSON string, or an object with exactly one of {names}"
        raise response.invalid("", f"must be a token: {forms}")
    if aud is not None and token.claims().aud != aud:
        got = shown(token.claims().aud) or "nothing"
        raise response.invalid("aud", f"must be the requested audience, {quote(aud)}, got {got}")
    return token


def _unwrapped(body: bytes) -> str:
    """Return the text of a token, or a value that is not text."""
    text = body.strip().decode(errors="replace")
    if text[:1] not in ('"', "{"):
        return text
    value: Any = strict_json.load(strict_json.decode(body))
    if isinstance(value, dict):
        found = [value[name] for name in _WRAPPERS if name in value]
        value = found[0] if len(found) == 1 else None
    return value  # type: ignore[no-any-return]
