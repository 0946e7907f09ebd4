"""The identity of a Machine: tokens from the local socket (specification, sections 4.4 and 2.4)."""

import json
import os
import re
import socket
from functools import partial

import httpx2

from fdaa import __version__
from fdaa._support.escapes import quote
from fdaa._values.checks import text_of
from fdaa._values.errors import ArgumentError
from fdaa.platform._errors import NoIdentityError, UnreachableError
from fdaa.platform._http import Call, checked_timeout, send
from fdaa.platform._threads import in_thread
from fdaa.platform._token import Token

SOCKET = "/.platform/api"
_WRAPPERS = ("token", "value", "id_token")
# In an error: what looks like a token, whose first part is the base64 of `{"`, or is long.
_TOKEN = re.compile(r"(?:eyJ|[\w-]{16,}+\.[\w-]{16,}+\.)[\w.-]*", re.ASCII)


class _Identity:
    """All but the call."""

    def __init__(self, *, socket: str | os.PathLike[str] = SOCKET, timeout: float = 10.0) -> None:
        self.socket: str = text_of(os.fsdecode(socket), "socket")
        self.timeout: float = checked_timeout(timeout)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.socket}>"

    def _token(self, aud: str | None) -> Token:
        if aud is not None and not text_of(aud, "aud"):
            raise ArgumentError("aud is empty; leave it out for the platform's default")
        fields = {}
        if aud is not None:
            fields["aud"] = aud
        call = Call(
            method="POST",
            url="/v1/tokens/oidc",
            fields=fields,
            redact=partial(_TOKEN.sub, "[redacted]"),
            place=f"socket {quote(self.socket)}",
        )
        self._check_socket(call)
        transport = httpx2.HTTPTransport(uds=self.socket, verify=False)
        headers = {"User-Agent": f"fdaa/{__version__}"}
        with httpx2.Client(
            transport=transport, base_url="http://localhost", headers=headers
        ) as http:
            response = send(http, call, self.timeout)
        token = _read_token(response.body)
        if token is None:  # and not in the context of an error that contains the text
            raise call.invalid("", f"must be a token, alone or in an object with {_WRAPPERS}")
        got = token.claims().aud or ""
        if aud is not None and aud != got:
            reason = f"must be the requested audience, {quote(aud)}, got {quote(got)}"
            raise call.invalid("aud", reason)
        return token

    def _check_socket(self, call: Call) -> None:
        """Connect and hang up: the error says more than that of the HTTP library, and at once."""
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(self.timeout)
                connection.connect(self.socket)
        except (FileNotFoundError, NotADirectoryError, ValueError, AttributeError):
            name = quote(self.socket)  # Windows has no AF_UNIX
            reason = f"there is no identity socket {name}; it exists only inside Machines"
            raise NoIdentityError(str(call), reason=reason) from None
        except OSError as error:
            reason = f"{call.place}: {error.strerror or error}"
            if isinstance(error, PermissionError):
                reason += "; on the platform, only root can use it"
            raise UnreachableError(str(call), reason=reason) from None


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
        return self._token(aud)


class AsyncMachineIdentity(_Identity):
    """`MachineIdentity` for asynchronous code: the same arguments, and `token` is a coroutine."""

    async def token(self, *, aud: str | None = None) -> Token:
        """Return a new token; see `MachineIdentity.token`."""
        return await in_thread(self._token, aud)


def _read_token(body: bytes) -> Token | None:
    """Return the token in a response: bare, a JSON string, or in an object with a known name."""
    text = body.strip().decode(errors="replace")
    try:
        if text.startswith(('"', "{")):
            value = json.loads(text)
            if isinstance(value, dict):
                (name,) = set(value).intersection(_WRAPPERS)
                value = value[name]
            text = value
        return Token(text)
    except (TypeError, ValueError, RecursionError):
        return None
