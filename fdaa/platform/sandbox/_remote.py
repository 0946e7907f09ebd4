"""A sandbox in another process, found through its variables: for `fdaa sandbox run` and others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx2

from fdaa.address import Address
from fdaa.platform.sandbox._faults import Fault
from fdaa.platform.sandbox._server import SandboxError
from fdaa.platform.sandbox._service import Machine

if TYPE_CHECKING:
    from collections.abc import Mapping

_TOKEN = re.compile(r"sandbox-[\w-]+", re.ASCII)


class RemoteSandbox:
    """A running sandbox.

    Args:
        environ: has FDAA_API_URL and FDAA_API_TOKEN, and SSL_CERT_FILE for https.

    Raises:
        SandboxError: they are not set, or are not a sandbox's; here, and in every method: the
            sandbox does not respond, or refuses.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._url = environ.get("FDAA_API_URL", "").rstrip("/")
        self._token = environ.get("FDAA_API_TOKEN", "")
        if not (self._url and self._token):
            reason = "FDAA_API_URL and FDAA_API_TOKEN must be set, as `fdaa sandbox` prints them"
            raise SandboxError(reason)
        if not _TOKEN.fullmatch(self._token):
            raise SandboxError("FDAA_API_TOKEN is not the token of a sandbox")

    def machine(self, app: str) -> Machine:
        """Start a Machine of an app."""
        fields = self._send("POST", "/sandbox/machines", {"app_name": app})
        try:
            return Machine(fields["id"], Address.parse(fields["address"]), fields["socket"])
        except LookupError:
            raise SandboxError("FDAA_API_URL is not a sandbox's: no Machine") from None

    def destroy_machine(self, machine: Machine) -> None:
        """Destroy a Machine."""
        self._send("DELETE", f"/sandbox/machines/{quote(machine.id, safe='')}")

    def rotate_key(self, org: str, *, after: float = 60, withdraw: bool = False) -> None:
        """Publish a new key for an organization's tokens; see `Sandbox.rotate_key`."""
        fields = {"org_slug": org, "after": after, "withdraw": withdraw}
        self._send("POST", "/sandbox/keys", fields)

    def inject_fault(self, fault: Fault | str, count: int = 1, seconds: float = 1) -> None:
        """Let the next tokens, or the next responses, fail; see `Sandbox.inject_fault`."""
        fields = {"fault": Fault(fault), "count": count, "seconds": seconds}
        self._send("POST", "/sandbox/faults", fields)

    def _send(self, method: str, path: str, fields: dict[str, Any] | None = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._token}"}
        try:
            trusted = httpx2.create_ssl_context()  # with SSL_CERT_FILE
            with httpx2.Client(headers=headers, verify=trusted, trust_env=False) as http:
                response = http.request(method, self._url + path, json=fields)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise SandboxError(f"no sandbox responds at FDAA_API_URL: {error}") from None
        try:
            received: dict[str, Any] = response.json() if response.content else {}
            reason = None if response.is_success else str(received["error"])
        except (ValueError, LookupError, TypeError, RecursionError):
            reason = f"status {response.status_code}; FDAA_API_URL is not a sandbox's"
        if reason is not None:
            raise SandboxError(reason)
        return received
