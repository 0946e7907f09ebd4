"""`Sandbox`: the server in a thread of its own, for Python."""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Self

from fdaa.platform.sandbox._answers import Answers
from fdaa.platform.sandbox._server import SandboxError, Server
from fdaa.platform.sandbox._state import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from fdaa.platform.sandbox._service import Machine

    Result = TypeVar("Result")


class Sandbox:
    """A platform to test against, from `with` to its end.

    Args:
        state: a directory that keeps everything; without one, all is gone at the end.
        port: the port on loopback. 0 is the port that the state had last, or any free one.
        answers: how to answer what the specification leaves open.
        certificate: the files of a certificate and its key, for https.

    Raises:
        SandboxError: on entry, when the directory or the port cannot be used.

    >>> with Sandbox() as sandbox:
    ...     sandbox.base_url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self,
        state: str | os.PathLike[str] | None = None,
        *,
        port: int = 0,
        answers: Answers | str = Answers.USUAL,
        certificate: tuple[str, str] | None = None,
    ) -> None:
        self._state = state
        self._port = port
        self._answers = Answers(answers)
        self._certificate = certificate
        self._server: Server | None = None
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        if self._server is not None:
            raise SandboxError("this sandbox is running already")
        if self._state is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="fdaa-")
        directory = self._temporary.name if self._temporary else os.fspath(self._state or "")
        if not directory:
            raise SandboxError("the state directory has no name")
        started: Future[Server] = Future()
        self._thread = threading.Thread(
            target=self._run, args=(Path(directory).absolute(), started), name="fdaa sandbox"
        )
        self._thread.daemon = True  # the process ends even where `with` is never left
        self._thread.start()
        try:
            self._server = started.result()
        except BaseException:
            self._thread.join()
            self._remove()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._server = None
        self._remove()

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
        """The variables that tell clients of this sandbox.

        `FDAA_OIDC_ISSUER` is `{oidc_issuer}` of the specification: `/` and an organization's slug
        behind it make an issuer.
        """
        return {
            "FDAA_API_URL": self.base_url,
            "FDAA_API_TOKEN": self.token,
            "FDAA_OIDC_ISSUER": f"{self.base_url}/oidc",
        }

    def issuer(self, org: str) -> str:
        """Return the issuer of an organization, which comes into being if need be."""

        def issuer(server: Server) -> str:
            server.state.need_organization(org)
            return server.service.issuer(org)

        return self._call(issuer)

    def machine(self, app: str) -> Machine:
        """Start a Machine of an app.

        Raises:
            SandboxError: there is no such app.
        """
        return self._call(lambda server: server.service.start_machine(app))

    def destroy_machine(self, machine: Machine) -> None:
        """Destroy a Machine: its socket is closed, and its app has one less.

        Raises:
            SandboxError: it was destroyed before.
        """
        self._call(lambda server: server.service.destroy_machine(machine.id))

    def rotate_key(self, org: str, *, withdraw: bool = False) -> None:
        """Sign an organization's tokens with a new key from now on.

        Args:
            org: the organization.
            withdraw: stop publishing the old keys at once, as after a leak. Otherwise they are
                published for as long as a token that they signed is valid.
        """
        self._call(lambda server: server.service.rotate_key(org, withdraw=withdraw))

    @property
    def _running(self) -> Server:
        if self._server is None:
            raise SandboxError("the sandbox runs inside `with` only")
        return self._server

    def _call(self, operation: Callable[[Server], Result]) -> Result:
        """Run an operation in the server's thread, which alone has the state."""
        server = self._running

        async def run() -> Result:
            return operation(server)

        try:
            return asyncio.run_coroutine_threadsafe(run(), self._loop).result()
        except RefusedError as error:
            raise SandboxError(str(error)) from None

    def _run(self, directory: Path, started: Future[Server]) -> None:
        try:
            asyncio.run(self._serve(directory, started))
        except BaseException as error:
            if started.done():
                raise
            started.set_exception(error)

    async def _serve(self, directory: Path, started: Future[Server]) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        server = Server(directory, self._port, self._answers, self._certificate)
        try:
            await server.start()
            started.set_result(server)
            await self._stop.wait()
        finally:
            await server.stop()

    def _remove(self) -> None:
        if self._temporary:
            self._temporary.cleanup()
