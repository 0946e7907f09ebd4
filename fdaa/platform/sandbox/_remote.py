"""A sandbox in another process, as its variables tell: what `fdaa sandbox run` asks of it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from fdaa.address import Address
from fdaa.platform import (
    ArgumentError,
    Client,
    PlatformError,
    ResponseError,
    UnexpectedAnswerError,
    UnreachableError,
)
from fdaa.platform._messages import Request, read_nothing
from fdaa.platform.sandbox._server import SandboxError
from fdaa.platform.sandbox._service import Machine

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    from fdaa.platform._messages import Answer

    Result = TypeVar("Result")


class RemoteSandbox:
    """A running sandbox.

    Args:
        environ: where FDAA_API_URL and FDAA_API_TOKEN stand.

    Raises:
        SandboxError: they are not set, or are not of a sandbox; here, and in every method, that it
            does not answer, or why it refuses.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._url, self._token = (environ.get(f"FDAA_API_{each}", "") for each in ("URL", "TOKEN"))
        if not (self._url and self._token):
            reason = "FDAA_API_URL and FDAA_API_TOKEN must be set, as `fdaa sandbox` prints them"
            raise SandboxError(reason)
        if not re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/?", self._url):
            raise SandboxError("FDAA_API_URL is not the URL of a sandbox, http://127.0.0.1:PORT")

    def machine(self, app: str) -> Machine:
        """Start a Machine of an app."""
        return self._send("POST", "/sandbox/machines", {"app_name": app}, _read_machine)

    def destroy_machine(self, machine: Machine) -> None:
        """Destroy a Machine."""
        self._send("DELETE", f"/sandbox/machines/{quote(machine.id, safe='')}", None, read_nothing)

    def rotate_key(self, org: str, *, withdraw: bool = False) -> None:
        """Sign an organization's tokens with a new key from now on."""
        old_keys = "withdraw" if withdraw else "keep"
        fields = {"org_slug": org, "old_keys": old_keys}
        self._send("POST", "/sandbox/keys", fields, read_nothing)

    def _send(
        self, method: str, path: str, fields: object, read: Callable[[Request, Answer], Result]
    ) -> Result:
        body = None if fields is None else json.dumps(fields).encode()
        try:
            with Client(self._url, self._token) as client:
                return client._call(Request(method, path, body), read)
        except UnreachableError as error:
            raise SandboxError(f"no sandbox answers at FDAA_API_URL: {error.reason}") from None
        except ResponseError as error:
            raise SandboxError(error.message or str(error)) from None
        except (PlatformError, ArgumentError) as error:
            raise SandboxError(str(error)) from None


def _read_machine(request: Request, answer: Answer) -> Machine:
    """Return the Machine in an answer.

    Raises:
        UnexpectedAnswerError: there is none.
    """
    try:
        made = json.loads(answer.body)
        return Machine(str(made["id"]), Address.parse(made["address"]), str(made["socket"]))
    except (ValueError, LookupError, TypeError, RecursionError):
        raise UnexpectedAnswerError(request.call, "", "expected a Machine of a sandbox") from None
