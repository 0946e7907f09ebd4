"""A running sandbox over HTTP: what the command uses of it."""

import re
import ssl
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx2

from fdaa._values.address import Address
from fdaa._values.checks import check_type, text_of
from fdaa.platform.sandbox._state import (
    INVALID_FIELD,
    InvalidArgumentError,
    Machine,
    SandboxError,
)

_OTHER_SERVER = "FDAA_API_URL is not a sandbox's"
# Errors by a response of another server.
_NOT_OURS = (
    ValueError,
    LookupError,
    TypeError,
    RecursionError,
)
_TOKEN = re.compile(r"sandbox-[\w-]+", re.ASCII)


class RemoteSandbox:
    """A running sandbox.

    Args:
        environ: has FDAA_API_URL and FDAA_API_TOKEN, and SSL_CERT_FILE for https.

    Raises:
        SandboxError: they are not set, or are not a sandbox's; from every method: the sandbox does
            not respond, or refuses.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        token = environ.get("FDAA_API_TOKEN", "")
        if not (environ.get("FDAA_API_URL") and _TOKEN.fullmatch(token)):
            reason = "FDAA_API_URL and FDAA_API_TOKEN must be set as `fdaa sandbox` prints them"
            raise SandboxError(reason)

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables for clients of this sandbox.

        `FDAA_OIDC_ISSUER` is `{oidc_issuer}` of the specification: followed by `/` and an
        organization's slug it is an issuer.
        """
        return self._environ

    @property
    def base_url(self) -> str:
        """The base URL of the API, `{base_url}` of the specification."""
        return self.environment["FDAA_API_URL"].rstrip("/")

    @property
    def token(self) -> str:
        """The API token that the sandbox accepts."""
        return self.environment["FDAA_API_TOKEN"]

    def start_machine(self, app: str) -> Machine:
        """Start a Machine of an app."""
        app = text_of(app, "app")
        response = self._send("POST", "/sandbox/machines", {"app_name": app})
        try:
            fields = response.json()
            id_ = fields["id"]
            address = Address(fields["address"])
            return Machine(id_, address=address, socket=fields["socket"])
        except _NOT_OURS:
            raise SandboxError(_OTHER_SERVER) from None

    def destroy_machine(self, machine: Machine) -> None:
        """Destroy a Machine: its socket is closed."""
        check_type(machine, "machine", Machine)
        id_ = quote(machine.id, safe="")
        self._send("DELETE", f"/sandbox/machines/{id_}")

    def rotate_key(self, org: str, *, after: float = 60, withdraw: bool = False) -> None:
        """Publish a new key for an organization's tokens, and sign with it later.

        The old keys are published until all tokens that they signed have expired.

        Args:
            org: the organization.
            after: seconds until the new key signs, so that relying parties fetch it first.
            withdraw: stop publishing the old keys and sign with the new one immediately, as after a
                leak.

        Raises:
            InvalidArgumentError: `after` is negative, or more than a day.
        """
        fields = {"org_slug": org, "after": after, "withdraw": withdraw}
        self._send("POST", "/sandbox/keys", fields)

    def inject_fault(self, fault: str, *, count: int = 1, seconds: float = 1) -> None:
        """Make the next tokens, or the next responses, fail.

        Args:
            fault: a `Fault` or its text.
            count: how many tokens or responses fail.
            seconds: the `Retry-After` of a rate limit, or how long a response is delayed.

        Raises:
            InvalidArgumentError: there is no such fault, or a number is out of range.
        """
        fields = {"fault": fault, "count": count, "seconds": seconds}
        self._send("POST", "/sandbox/faults", fields)

    def _send(
        self, method: str, path: str, fields: dict[str, Any] | None = None
    ) -> httpx2.Response:
        """Send a request, and return the response to it."""
        headers = {"Authorization": f"Bearer {self.token}"}
        url = self.base_url + path
        try:
            trusted = self._trusted()
            with httpx2.Client(headers=headers, verify=trusted, trust_env=False) as http:
                response = http.request(method, url, json=fields)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise SandboxError(f"no sandbox responds at FDAA_API_URL: {error}") from None
        if response.is_success:
            return response
        try:
            refusal = response.json()
            reason = str(refusal["error"])
            code = refusal["status"]
        except _NOT_OURS:
            raise SandboxError(_OTHER_SERVER) from None
        if code == INVALID_FIELD:
            raise InvalidArgumentError(reason)
        raise SandboxError(reason)

    def _trusted(self) -> ssl.SSLContext | bool:
        """Return what httpx2 verifies certificates with."""
        return httpx2.create_ssl_context()
