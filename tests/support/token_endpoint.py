"""Keeping the token in a file fresh, for tests: an identity socket, and the command."""

from __future__ import annotations

import queue
import subprocess
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from command import COMMAND, environ
from hostile_server import HostileServer, Received, answer
from piped import Piped
from token_issuer import AUDIENCE, Issuer

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator
    from pathlib import Path

with Issuer() as ISSUER:
    pass  # it has ended


class Endpoint(HostileServer):
    """An identity socket whose tokens live for two seconds, unless a test says otherwise.

    Args:
        directory: where its socket is.
        lifetime: of its tokens, in seconds.
        age: of its tokens when they are issued, in seconds.
        hanging: the number of a request that gets no response before `resume`; the first is 1.
    """

    def __init__(
        self, directory: Path, lifetime: int = 2, hanging: int | None = None, age: int = 0
    ) -> None:
        super().__init__(self._issue, path=str(directory / "api"))
        self._lifetime = lifetime
        self._age = age
        self._hanging = hanging
        self._arrived: queue.Queue[str] = queue.Queue()
        self._resumed = threading.Event()
        self.issued: list[str] = []

    def _issue(self, connection: socket.socket, _: Received) -> None:
        issued_at = int(time.time()) - self._age
        token = ISSUER.token(iat=issued_at, exp=issued_at + self._lifetime)
        self.issued.append(token)
        number = len(self.issued)
        self._arrived.put(token)
        if number == self._hanging:
            self._resumed.wait(60)
        answer(connection, 200, token.encode())

    def __exit__(self, *error: object) -> None:
        self.resume()
        super().__exit__(*error)

    def next_token(self) -> str:
        """Return the next token, when it has been requested."""
        return self._arrived.get(timeout=30)

    def resume(self) -> None:
        """Answer the request that hangs."""
        self._resumed.set()


@contextmanager
def refreshing(
    directory: Path,
    *command: str,
    before: tuple[str, ...] = (),
    stdin: int = subprocess.PIPE,
    **variables: str,
) -> Iterator[Piped[bytes]]:
    """Run the command until the block ends.

    Args:
        directory: where it runs.
        command: what it runs meanwhile.
        before: the words before the command.
        stdin: its standard input.
        variables: the variables added to its environment.
    """
    options = ("--output", "token", "--refresh", "--socket", "api", "--aud", AUDIENCE)
    process: Piped[bytes] = Piped(
        [*before, *COMMAND, "token", *options, *command],
        cwd=directory,
        env=environ(variables),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=not before,  # not the terminal in which the tests run
    )
    with process:
        try:
            yield process
        finally:
            process.kill()
