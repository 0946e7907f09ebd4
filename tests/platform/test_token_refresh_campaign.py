"""`fdaa token --refresh` beside an endpoint that does anything, ended at any moment."""

from __future__ import annotations

import queue
import random
import subprocess
import time
from typing import TYPE_CHECKING

import pytest
from client_calls import closed, reset
from command import COMMAND, environ
from hostile_server import HostileServer, Received, answer, answers
from piped import Piped
from token_issuer import AUDIENCE, Issuer

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from pathlib import Path

with Issuer() as ISSUER:
    pass  # it has ended


class Endpoint(HostileServer):
    """An identity socket: its first response is a token, each other one may be anything."""

    def __init__(self, path: str, choose: random.Random) -> None:
        super().__init__(self._respond, path=path)
        self.requests: queue.Queue[None] = queue.Queue()
        self.issued: list[str] = []
        self._choose = choose
        self._ways: list[Callable[..., None]] = [
            self._token,
            self._token,
            self._hang,
            self._huge,
            closed,
            reset,
        ]
        self._ways += [answers(500, b"broken"), answers(200, b"no token"), answers(200, b"{}")]

    def _respond(self, connection: socket.socket, request: Received) -> None:
        self.requests.put(None)
        way = self._token
        if self.issued:
            way = self._choose.choice(self._ways)
        way(connection, request)

    def _token(self, connection: socket.socket, _: Received, lifetime: int = 2) -> None:
        now = int(time.time())
        token = ISSUER.token(iat=now, exp=now + lifetime)
        self.issued.append(token)
        answer(connection, 200, token.encode())

    def _huge(self, connection: socket.socket, request: Received) -> None:
        self._token(connection, request, 10**400)

    def _hang(self, _: socket.socket, __: Received) -> None:
        self.stopped.wait(60)


@pytest.mark.campaign
@pytest.mark.parametrize("rounds", [40])
def test_it_ends_with_a_token_in_its_file_whatever_a_renewal_does(
    tmp_path: Path, rounds: int
) -> None:
    choose = random.Random(rounds)
    options = ("--output", "token", "--refresh", "--socket", "api", "--aud", AUDIENCE)
    for number in range(rounds):
        directory = tmp_path / str(number)
        directory.mkdir()
        with Endpoint(str(directory / "api"), choose) as endpoint:
            process: Piped[bytes] = Piped(
                [*COMMAND, "token", *options, "--", "cat"],
                cwd=directory,
                env=environ(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            with process:
                process.stdin.write(b"started\n")
                process.stdin.flush()
                assert process.stdout.readline() == b"started\n"
                endpoint.requests.get(timeout=30)
                if choose.random() < 0.8:
                    endpoint.requests.get(timeout=30)
                if choose.random() < 0.5:
                    process.terminate()
                    expected = 128 + 15
                else:
                    process.stdin.close()
                    expected = 0
                assert process.wait(timeout=60) == expected
        assert (directory / "token").read_text() in endpoint.issued
        assert sorted(path.name for path in directory.iterdir()) == ["api", "token"]
