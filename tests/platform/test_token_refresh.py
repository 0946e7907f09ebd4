"""`fdaa token --output FILE --refresh`: a file that always has a token that is valid."""

from __future__ import annotations

import queue
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from command import COMMAND, environ, invoke
from hostile_server import HostileServer, Received, answer
from secrets_seen import asked_for
from token_issuer import AUDIENCE, Issuer

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator
    from pathlib import Path

with Issuer() as ISSUER:
    pass  # it has ended


class Endpoint(HostileServer):
    """An identity socket whose tokens live for two seconds; a test can wait for the next one."""

    def __init__(self, directory: Path) -> None:
        super().__init__(self._issue, path=str(directory / "api"))
        self._issued: queue.Queue[str] = queue.Queue()

    def _issue(self, connection: socket.socket, _: Received) -> None:
        now = int(time.time())
        token = ISSUER.token(iat=now, exp=now + 2)
        self._issued.put(token)
        answer(connection, 200, token.encode())

    def next_token(self) -> str:
        return self._issued.get(timeout=30)


@contextmanager
def refreshing(directory: Path, *command: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run the command until the block ends."""
    options = ("--output", "token", "--refresh", "--socket", "api", "--aud", AUDIENCE)
    process = subprocess.Popen(
        [*COMMAND, "token", *options, *command],
        cwd=directory,
        env=environ(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def test_the_file_is_renewed_until_a_signal_ends_it(tmp_path: Path) -> None:
    """A signal that arrives during a renewal is served after it."""
    with Endpoint(tmp_path) as endpoint, refreshing(tmp_path) as process:
        first, second = endpoint.next_token(), endpoint.next_token()
        process.terminate()
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == b""
    assert first != second == (tmp_path / "token").read_text()
    assert (tmp_path / "token").stat().st_mode % 0o1000 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["api", "token"]


def test_a_command_runs_meanwhile_and_its_status_is_the_status(tmp_path: Path) -> None:
    command = ("--", "sh", "-c", "cat token; read line; exit 7")
    with Endpoint(tmp_path) as endpoint, refreshing(tmp_path, *command) as process:
        first, second = endpoint.next_token(), endpoint.next_token()
        process.stdin.close()
        assert process.wait(timeout=60) == 7
        assert asked_for(process.stdout.read()).decode() == first
    assert (tmp_path / "token").read_text() == second


WAITS = """
import signal, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
print("started", flush=True)
signal.pause()
"""


def test_sigterm_ends_the_command(tmp_path: Path) -> None:
    command = ("--", sys.executable, "-c", WAITS)
    with Endpoint(tmp_path), refreshing(tmp_path, *command) as process:
        assert process.stdout.readline() == b"started\n"
        process.terminate()
        assert process.wait(timeout=30) == 3


@pytest.mark.slow
def test_while_the_socket_is_away_the_old_token_stays_and_it_is_retried(tmp_path: Path) -> None:
    path, away = tmp_path / "api", tmp_path / "away"
    with Endpoint(tmp_path) as endpoint, refreshing(tmp_path, "--", "cat") as process:
        first = endpoint.next_token()
        process.stdin.write(b"started\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"started\n"  # so the file is written
        path.rename(away)
        message = process.stderr.readline().decode()
        assert "there is no identity socket 'api'" in message
        assert "retrying in 1 seconds" in message
        assert (tmp_path / "token").read_text() == first
        away.rename(path)
        second = endpoint.next_token()
        process.stdin.close()
        assert process.wait(timeout=30) == 0
    assert (tmp_path / "token").read_text() == second


def test_without_a_first_token_nothing_is_started(tmp_path: Path) -> None:
    with refreshing(tmp_path, "--", "touch", "started") as process:
        assert process.wait(timeout=30) == 2
        assert b"there is no identity socket" in process.stderr.read()
    assert list(tmp_path.iterdir()) == []


def test_a_token_of_unknown_life_is_refused(tmp_path: Path) -> None:
    def script(connection: socket.socket, _: Received) -> None:
        answer(connection, 200, ISSUER.token(exp=None).encode())

    with (
        HostileServer(script, path=str(tmp_path / "api")),
        refreshing(tmp_path) as process,
    ):
        assert process.wait(timeout=30) == 2
        assert b"the token lacks iat or exp" in process.stderr.read()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--refresh",),
        ("--refresh", "--output", "-"),
        ("--refresh", "--output", "f", "--json"),
        ("--refresh", "--output", "f", "--claims"),
        ("--output", "f", "--", "true"),
    ],
)
def test_options_that_do_not_go_together_are_a_usage_error(arguments: tuple[str, ...]) -> None:
    done = invoke("token", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--refresh" in done.stderr
