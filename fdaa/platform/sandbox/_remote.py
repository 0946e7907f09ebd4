"""A sandbox in another process, as its variables tell: what `fdaa sandbox run` asks of it."""

from __future__ import annotations

import http.client
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from fdaa.address import Address
from fdaa.platform.sandbox._server import SandboxError
from fdaa.platform.sandbox._service import Machine

if TYPE_CHECKING:
    from collections.abc import Mapping

_TIMEOUT = 10  # seconds


class RemoteSandbox:
    """A running sandbox.

    Args:
        environ: where FDAA_API_URL and FDAA_API_TOKEN stand.

    Raises:
        SandboxError: they are not set, or are not of a sandbox; here, and in every method, that it
            does not answer, or why it refuses.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        base_url = environ.get("FDAA_API_URL", "")
        self._token = environ.get("FDAA_API_TOKEN", "")
        if not (base_url and self._token):
            reason = "FDAA_API_URL and FDAA_API_TOKEN must be set, as `fdaa sandbox` prints them"
            raise SandboxError(reason)
        try:
            parts = urlsplit(base_url)
            self._host, self._port = parts.hostname, parts.port
        except ValueError:
            self._host = None
        if self._host != "127.0.0.1" or not base_url.startswith("http:"):
            raise SandboxError("FDAA_API_URL is not the URL of a sandbox, http://127.0.0.1:PORT")

    def machine(self, app: str) -> Machine:
        """Start a Machine of an app."""
        made = json.loads(self._send("POST", "/sandbox/machines", {"app_name": app}))
        return Machine(made["id"], Address.parse(made["address"]), made["socket"])

    def destroy_machine(self, machine: Machine) -> None:
        """Destroy a Machine."""
        self._send("DELETE", f"/sandbox/machines/{quote(machine.id, safe='')}")

    def rotate_key(self, org: str, *, withdraw: bool = False) -> None:
        """Sign an organization's tokens with a new key from now on."""
        old_keys = "withdraw" if withdraw else "keep"
        self._send("POST", "/sandbox/keys", {"org_slug": org, "old_keys": old_keys})

    def _send(self, method: str, path: str, body: object = None) -> bytes:
        connection = http.client.HTTPConnection(self._host or "", self._port, timeout=_TIMEOUT)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, json.dumps(body) if body else None, headers)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise SandboxError(f"no sandbox answers at FDAA_API_URL: {error}") from None
        finally:
            connection.close()
        if answer.status >= 300:
            raise SandboxError(_message(content) or f"the sandbox answered {answer.status}")
        return content


def _message(content: bytes) -> str:
    """Return the text of an error in the usual answers, else the whole text."""
    text = content.decode("utf-8", "backslashreplace")
    try:
        fields: Any = json.loads(text)
        return str(fields["error"])
    except (ValueError, LookupError, TypeError):
        return text
