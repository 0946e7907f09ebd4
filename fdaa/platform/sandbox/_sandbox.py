"""`Sandbox`: the server in a thread of its own, for Python."""

import secrets
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, aclosing, asynccontextmanager, closing
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Self

from anyio.from_thread import start_blocking_portal

from fdaa._support.escapes import quote
from fdaa._values.checks import text_of
from fdaa._values.errors import ArgumentError
from fdaa._values.text import HIGHEST_PORT
from fdaa.platform._http import checked_url
from fdaa.platform.sandbox._api import Api
from fdaa.platform.sandbox._listeners import Listeners, listen, url_of
from fdaa.platform.sandbox._remote import RemoteSandbox
from fdaa.platform.sandbox._state import (
    InvalidArgumentError,
    RefusedError,
    SandboxError,
    State,
)


class Sandbox(RemoteSandbox):
    """A platform to test against, from `start` to `stop`, or inside `with`; it keeps nothing.

    Args:
        host: the address to listen on.
        port: the port; 0 is any free one.
        certificate: the files of a certificate and its key, for https.
        oidc_issuer: `{oidc_issuer}` of the specification, where relying parties cannot reach
            `{base_url}/oidc`: a URL that leads there.

    Raises:
        fdaa.ArgumentError: `host` is not an IP address, `port` is out of range, or `oidc_issuer` is
            not a URL.

    >>> with Sandbox() as sandbox:
    ...     sandbox.base_url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        certificate: tuple[str, str] | None = None,
        oidc_issuer: str | None = None,
    ) -> None:
        if not 0 <= port <= HIGHEST_PORT:
            raise ArgumentError(f"port must be 0 to {HIGHEST_PORT}")
        if certificate is not None and not all(certificate):
            raise ArgumentError("the name of the certificate or of its key is empty")
        if oidc_issuer is not None:
            checked_url(oidc_issuer, "oidc_issuer", allow_plain_http=True)
        self._address = _address(host)
        self._port = port
        self._certificate = certificate
        self._oidc_issuer = oidc_issuer
        self._api: Api | None = None
        self._started = ExitStack()

    def start(self) -> Self:
        """Start the server in a thread.

        Raises:
            SandboxError: the address or the certificate cannot be used, this
                sandbox is already running, or no thread can be started.
        """
        if self._api is not None:
            raise SandboxError("this sandbox is already running")
        with ExitStack() as stack:
            directory = stack.enter_context(tempfile.TemporaryDirectory())
            try:
                self._portal = stack.enter_context(start_blocking_portal(name="fdaa sandbox"))
            except RuntimeError as error:  # a limit of threads
                raise SandboxError(f"the sandbox cannot run: {error}") from None
            served = self._serve(Path(directory))
            self._api = stack.enter_context(self._portal.wrap_async_context_manager(served))
            self._started = stack.pop_all()
        return self

    @asynccontextmanager
    async def _serve(self, directory: Path) -> AsyncIterator[Api]:
        async with AsyncExitStack() as stack:
            state = State(directory)
            listener = stack.enter_context(closing(listen(self._address, self._port)))
            port = listener.getsockname()[1]
            token = f"sandbox-{secrets.token_urlsafe(32)}"
            base_url = url_of(self._address, port, is_https=self._certificate is not None)
            oidc_issuer = (self._oidc_issuer or f"{base_url}/oidc").rstrip("/")
            listeners = await stack.enter_async_context(aclosing(Listeners()))
            api = Api(state, listeners, token, base_url, oidc_issuer)
            listeners.serve(listener, api.http_app(), certificate=self._certificate)
            stack.callback(api.faults.end)
            yield api

    def stop(self) -> None:
        """Stop the server, and delete everything."""
        self._api = None
        self._started.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def environment(self) -> dict[str, str]:
        """The variables for clients of this sandbox.

        `FDAA_OIDC_ISSUER` is `{oidc_issuer}` of the specification: followed by `/` and an
        organization's slug it is an issuer.
        """
        api = self._running
        return {
            "FDAA_API_URL": api.base_url,
            "FDAA_API_TOKEN": api.token,
            "FDAA_OIDC_ISSUER": api.oidc_issuer,
        }

    def ensure_issuer(self, org: str) -> str:
        """Create an organization with its issuer, unless it exists; return the issuer's URL.

        Raises:
            InvalidArgumentError: this cannot be the slug of an organization.
        """
        api = self._running
        org = text_of(org, "org")
        try:
            self._portal.call(api.state.ensure_organization, org)
        except RefusedError as error:
            raise InvalidArgumentError(str(error)) from None
        return api.issuer(org)

    def _trusted(self) -> bool:
        """Trust any certificate: no one else can respond on a port of this process."""
        return False

    @property
    def _running(self) -> Api:
        if self._api is None:
            raise SandboxError("the sandbox is not running; call start(), or use `with`")
        return self._api


def _address(host: str) -> IPv4Address | IPv6Address:
    try:
        return ip_address(host)
    except ValueError:
        raise ArgumentError(f"host must be an IP address, not {quote(str(host))}") from None
