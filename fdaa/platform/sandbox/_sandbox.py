"""`Sandbox`: the server in a thread of its own, for Python."""

import secrets
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from fdaa._values.checks import check_type, text_of
from fdaa._values.errors import ArgumentError
from fdaa._values.text import HIGHEST_PORT
from fdaa.platform._http import checked_url
from fdaa.platform.sandbox._api import Api
from fdaa.platform.sandbox._servers import Servers, listen, url_of
from fdaa.platform.sandbox._state import Machine, SandboxError, State

Result = TypeVar("Result")


class Sandbox:
    """A platform to test against, from `start` to `stop`, or inside `with`; it keeps nothing.

    Args:
        host: the address to listen on.
        port: the port; 0 is any free one.
        certificate: the files of a certificate and its key, for https.
        oidc_issuer: `{oidc_issuer}` of the specification, where relying parties cannot reach
            `{base_url}/oidc`: a URL that leads there.

    Raises:
        fdaa.ArgumentError: `port` is out of range, or `oidc_issuer` is not a URL.
        SandboxError: from all other methods and properties: the sandbox is not running.

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
        if oidc_issuer is not None:
            checked_url(oidc_issuer, "oidc_issuer", allow_plain_http=True)
        self._host = text_of(host, "host")
        self._port = port
        self._certificate = certificate
        self._oidc_issuer = oidc_issuer
        self._api: Api | None = None
        self._portal: BlockingPortal | None = None
        self._started = ExitStack()

    def start(self) -> Self:
        """Start the server in a thread.

        Raises:
            SandboxError: the address or the certificate cannot be used, or this sandbox is already
                running.
        """
        if self._api is not None:
            raise SandboxError("this sandbox is already running")
        with ExitStack() as stack:
            directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="fdaa-"))
            portal = stack.enter_context(start_blocking_portal(name="fdaa sandbox"))
            servers = Servers()
            stack.callback(portal.call, servers.aclose)
            self._api = portal.call(self._serve, servers, Path(directory))
            stack.callback(portal.call, self._api.faults.end)
            self._portal = portal
            self._started = stack.pop_all()
        return self

    async def _serve(self, servers: Servers, directory: Path) -> Api:
        listener = listen(self._host, self._port)
        scheme = "http"
        if self._certificate is not None:
            scheme = "https"
        base_url = url_of(self._host, listener.getsockname()[1], scheme)
        api = Api(
            State(directory),
            servers,
            token=f"sandbox-{secrets.token_urlsafe(32)}",
            base_url=base_url,
            oidc_issuer=(self._oidc_issuer or f"{base_url}/oidc").rstrip("/"),
        )
        servers.serve(listener, api.http_app(), certificate=self._certificate)
        return api

    def stop(self) -> None:
        """Stop the server, and delete everything."""
        self._api = None
        self._started.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def base_url(self) -> str:
        """The base URL of the API, `{base_url}` of the specification."""
        return self._running.base_url

    @property
    def token(self) -> str:
        """The API token that the sandbox accepts."""
        return self._running.token

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
        org = text_of(org, "org")
        self._call(self._running.state.ensure_organization, org)
        return self._running.issuer(org)

    def create_app(self, name: str, *, org: str, network: str | None = None) -> None:
        """Create an app, as a client does: its organization is created, too.

        Raises:
            InvalidArgumentError: a name breaks a rule, or is taken.
        """
        if network is None:
            network = "default"
        create = self._running.state.create_app
        network = text_of(network, "network")
        self._call(create, text_of(name, "name"), text_of(org, "org"), network)

    def start_machine(self, app: str) -> Machine:
        """Start a Machine of an app.

        Raises:
            SandboxError: there is no such app, or its socket cannot be opened.
        """
        return self._call(self._running.start_machine, text_of(app, "app"))

    def destroy_machine(self, machine: Machine) -> None:
        """Destroy a Machine: its socket is closed.

        Raises:
            SandboxError: there is no such Machine.
        """
        check_type(machine, "machine", Machine)
        self._call(self._running.destroy_machine, machine)

    def rotate_key(self, org: str) -> None:
        """Sign an organization's tokens with a new key.

        The old keys stay published for 15 minutes, until all tokens that they signed have expired.

        Raises:
            SandboxError: there is no such organization.
        """
        self._call(self._running.state.add_key, text_of(org, "org"))

    def inject_fault(self, fault: str, *, count: int = 1, seconds: float = 1) -> None:
        """Make the next tokens, or the next responses, fail.

        Args:
            fault: a `Fault` or its text.
            count: how many tokens or responses fail.
            seconds: the `Retry-After` of a rate limit, or how long a response is delayed.

        Raises:
            TypeError: an argument has another type.
            InvalidArgumentError: there is no such fault, or a number is out of range.
        """
        check_type(count, "count", int)
        check_type(seconds, "seconds", int, float)
        self._call(self._running.faults.add, fault, count, seconds)

    def _call(self, function: Callable[..., Result], *args: Any) -> Result:
        """Call a function in the thread of the server, which alone reads and writes the state."""
        assert self._portal is not None  # noqa: S101 - `_running` has been read
        return self._portal.call(partial(function, *args))

    @property
    def _running(self) -> Api:
        if self._api is None:
            raise SandboxError("the sandbox is not running; call start(), or use `with`")
        return self._api
