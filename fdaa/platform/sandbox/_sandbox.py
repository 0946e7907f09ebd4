"""`Sandbox`: the server in a thread of its own, for Python."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Self

from anyio.from_thread import start_blocking_portal

from fdaa.platform._settings import checked_url
from fdaa.platform.sandbox._faults import Fault
from fdaa.platform.sandbox._server import SandboxError, Server
from fdaa.platform.sandbox._state import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from fdaa.platform.sandbox._service import Machine

    Result = TypeVar("Result")


class Sandbox:
    """A platform to test against, from `start` to `stop`, or inside `with`.

    Args:
        state: a directory that keeps everything, for your user only; without one, everything is
            deleted at the end.
        host: the address to listen on.
        port: the port. 0 is the port that the state had last, or any free one.
        certificate: the files of a certificate and its key, for https.
        oidc_issuer: `{oidc_issuer}` of the specification, where relying parties cannot reach
            `{base_url}/oidc`: a URL that leads there.

    Raises:
        ValueError: `host` is no IP address, `port` is out of range, or `oidc_issuer` is no URL.

    >>> with Sandbox() as sandbox:
    ...     sandbox.base_url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self,
        state: str | os.PathLike[str] | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        certificate: tuple[str, str] | None = None,
        oidc_issuer: str | None = None,
    ) -> None:
        if not 0 <= port <= 65535:
            raise ValueError("port must be 0 to 65535")
        if state is not None and not os.fspath(state):
            raise ValueError("the state directory has no name")
        if oidc_issuer is not None:
            checked_url(oidc_issuer, "the issuer", allow_plain_http=True)
        self._state = state
        self._host = str(ip_address(host))
        self._port = port
        self._certificate = certificate
        self._oidc_issuer = oidc_issuer
        self._server: Server | None = None
        self._started = ExitStack()

    def start(self) -> Self:
        """Start the server in a thread.

        Raises:
            SandboxError: the directory, the address or the certificate cannot be used, or this
                sandbox is running already.
        """
        if self._server is not None:
            raise SandboxError("this sandbox is running already")
        with ExitStack() as stack:
            directory = self._state
            if directory is None:
                directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="fdaa-"))
            self._portal = stack.enter_context(start_blocking_portal(name="fdaa sandbox"))
            path = Path(directory).absolute()
            server = Server(path, self._host, self._port, self._certificate, self._oidc_issuer)
            self._server = stack.enter_context(self._portal.wrap_async_context_manager(server))
            self._started = stack.pop_all()
        return self

    def stop(self) -> None:
        """Stop the server; without a state directory, delete everything."""
        self._server = None
        self._started.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def base_url(self) -> str:
        """The base URL of the API, `{base_url}` of the specification."""
        return self._running.service.base_url

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
        return {
            "FDAA_API_URL": self.base_url,
            "FDAA_API_TOKEN": self.token,
            "FDAA_OIDC_ISSUER": self._running.service.oidc_issuer,
        }

    def issuer(self, org: str) -> str:
        """Return the issuer of an organization, which is created if need be."""
        self._call(lambda server: server.state.need_organization(org))
        return self._running.service.issuer(org)

    def machine(self, app: str) -> Machine:
        """Start a Machine of an app.

        Raises:
            SandboxError: there is no such app.
        """
        return self._call(lambda server: server.service.start_machine(app))

    def destroy_machine(self, machine: Machine) -> None:
        """Destroy a Machine: its socket is closed, and its app has one less.

        Raises:
            SandboxError: it is destroyed already.
        """
        self._call(lambda server: server.service.destroy_machine(machine.id))

    def rotate_key(self, org: str, *, after: float = 60, withdraw: bool = False) -> None:
        """Publish a new key for an organization's tokens, and sign with it later.

        The old keys are published until all tokens that they signed have expired.

        Args:
            org: the organization.
            after: seconds until the new key signs, so that relying parties fetch it first.
            withdraw: stop publishing the old keys and sign with the new one at once, as after a
                leak.

        Raises:
            SandboxError: there is no such organization.
            ValueError: `after` is negative, or more than a day.
        """
        self._call(lambda server: server.service.rotate_key(org, after=after, withdraw=withdraw))

    def inject_fault(self, fault: Fault | str, count: int = 1, seconds: float = 1) -> None:
        """Let the next tokens, or the next responses, fail.

        Args:
            fault: what goes wrong.
            count: with how many tokens or responses.
            seconds: the `Retry-After` of a rate limit, or how long a response is delayed.

        Raises:
            ValueError: there is no such fault, or a number is out of range.
        """
        fault = Fault(fault)
        self._call(lambda server: server.service.faults.add(fault, count, seconds))

    @property
    def _running(self) -> Server:
        if self._server is None:
            raise SandboxError("the sandbox is not running; call start(), or use `with`")
        return self._server

    def _call(self, operation: Callable[[Server], Result]) -> Result:
        """Run an operation in the server's thread, which alone has the state."""
        try:
            return self._portal.call(operation, self._running)
        except RefusedError as error:
            raise SandboxError(str(error)) from None
