"""The identity of a Machine: tokens from the local socket (specification, sections 4.4 and 2.4)."""

import json
import os
import re
import stat
import time
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import jwt

from fdaa import __version__
from fdaa._support.escapes import quote
from fdaa._values.checks import text_of, wrong_type
from fdaa._values.errors import ArgumentError
from fdaa.platform._claims import UnverifiedClaims
from fdaa.platform._client import in_thread
from fdaa.platform._errors import (
    FailedCheck,
    NoIdentityError,
    TokenRefusedError,
    UnreachableError,
)
from fdaa.platform._http import Call, checked_timeout, send
from fdaa.platform._secret import Secret

SOCKET = "/.platform/api"
MAX_TOKEN = 16 * 1024  # characters; the specification names no limit
_WRAPPERS = ("token", "value", "id_token")
# In an error: what looks like a token, whose first part is the base64 of `{"`, or is long.
_TOKEN = re.compile(r"(?:eyJ|[\w-]{16,}+\.[\w-]{16,}+\.)[\w.-]*", re.ASCII)


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
        self._claims = UnverifiedClaims.from_payload(parts_of(text)["payload"])
        super().__init__(text, "a token")

    def claims(self) -> UnverifiedClaims:
        """Return the token's claims."""
        return self._claims

    def __repr__(self) -> str:
        return f"<Token sub={quote(self._claims.sub or '')} exp={self._claims.exp}>"


def parts_of(text: str) -> dict[str, Any]:
    """Return the `header`, `payload` and `signature` of a token; nothing in them is verified.

    Raises:
        TokenRefusedError: it is not a JSON Web Token.
        TypeError: it is not `str`.
    """
    if not isinstance(text, str):
        hint = "use token.reveal()" if isinstance(text, Token) else ""
        raise wrong_type(text, "text", "str", hint)
    reason = "longer than 16 KiB"
    if len(text) <= MAX_TOKEN:
        try:
            return jwt.decode_complete(text, options={"verify_signature": False})
        except (jwt.PyJWTError, ValueError, RecursionError) as error:
            reason = f"not a JSON Web Token ({type(error).__name__})"
    raise TokenRefusedError((FailedCheck("token", reason=reason),))


class MachineIdentity:
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

    def __init__(self, *, socket: str | os.PathLike[str] = SOCKET, timeout: float = 10.0) -> None:
        self.socket: str = os.fsdecode(socket)
        self.timeout: float = checked_timeout(timeout)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.socket}>"

    def token(self, *, aud: str | None = None) -> Token:
        """Return a new token; tokens are not cached: some services accept each only once.

        Args:
            aud: the token's audience; without it, the platform's default (section 2.4).

        Raises:
            NoIdentityError: there is no such socket: this is not a Machine.
            PlatformError: the endpoint did not respond with a token for this audience.
            fdaa.ArgumentError: the audience is empty.
        """
        if aud is not None and not text_of(aud, "aud"):
            raise ArgumentError("aud is empty; leave it out for the platform's default")
        call = Call(
            method="POST",
            url="/v1/tokens/oidc",
            fields={} if aud is None else {"aud": aud},
            redact=partial(_TOKEN.sub, "[redacted]"),
        )
        self._check_socket(call)
        transport = httpx2.HTTPTransport(uds=self.socket, verify=False)
        headers = {"User-Agent": f"fdaa/{__version__}"}
        with httpx2.Client(
            transport=transport, base_url="http://localhost", headers=headers
        ) as http:
            _, body = send(http, call, time.monotonic() + self.timeout)
        token = _read_token(body)
        if token is None:  # and not in the context of an error that contains the text
            raise call.invalid("", f"must be a token, alone or in an object with {_WRAPPERS}")
        got = token.claims().aud
        if aud not in (None, got):
            raise call.invalid(
                "aud", f"must be the requested audience, {quote(aud)}, got {quote(got or '')}"
            )
        return token

    def _check_socket(self, call: Call) -> None:
        """Raise an error if there is no socket that this process can use."""
        name = quote(self.socket)
        try:
            is_socket = stat.S_ISSOCK(Path(self.socket).stat().st_mode)
        except (FileNotFoundError, NotADirectoryError, ValueError):
            reason = f"there is no identity socket {name}; it exists only inside Machines"
            raise NoIdentityError(str(call), reason=reason) from None
        except OSError as error:
            is_socket, reason = False, f"{error.strerror}; on the platform, only root can use it"
        else:
            reason = "this is not a socket"
            if is_socket and not os.access(self.socket, os.W_OK):
                is_socket, reason = False, "Permission denied; on the platform, use root"
        if not is_socket:
            raise UnreachableError(str(call), reason=f"socket {name}: {reason}")


class AsyncMachineIdentity(MachineIdentity):
    """`MachineIdentity` for asynchronous code: the same arguments, and `token` is a coroutine."""

    async def token(self, *, aud: str | None = None) -> Token:  # type: ignore[override]
        """Return a new token; see `MachineIdentity.token`."""
        return await in_thread(super().token, aud=aud)


def _read_token(body: bytes) -> Token | None:
    """Return the token in a response: bare, a JSON string, or in an object with a known name."""
    text = body.strip().decode(errors="replace")
    try:
        if text.startswith(('"', "{")):
            value = json.loads(text)
            if isinstance(value, dict):
                (value,) = (value[name] for name in _WRAPPERS if name in value)
            text = value
        return Token(text)
    except (TypeError, ValueError):
        return None
