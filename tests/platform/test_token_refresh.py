"""`fdaa token --output FILE --refresh`: a file that always has a token that is valid."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from command import COMMAND, environ, invoke
from hostile_server import HostileServer, Received, answer
from token_issuer import AUDIENCE, Issuer

from fdaa.platform import Token

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator
    from pathlib import Path

with Issuer() as ISSUER:
    pass  # it has ended


def issue(connection: socket.socket, _: Received) -> None:
    """Issue a token that lives for two seconds."""
    now = int(time.time())
    answer(connection, 200, ISSUER.token(iat=now, exp=now + 2).encode())


@contextmanager
def refreshing(
    directory: Path, *command: str, **variables: str
) -> Iterator[subprocess.Popen[bytes]]:
    """Run the command until the block ends."""
    options = ("--output", "token", "--refresh", "--socket", "api", "--aud", AUDIENCE)
    process = subprocess.Popen(
        [*COMMAND, "token", *options, *command],
        cwd=directory,
        env=environ(**variables),
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def wait_for_another(file: Path, token: str | None = None) -> str:
    """Return the token in a file, when it is another one."""
    while True:
        try:
            found = Token(file.read_text()).reveal()
        except FileNotFoundError:
            found = token
        if found not in (None, token):
            return found
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_file_is_renewed_until_a_signal_ends_it(tmp_path: Path, number: int) -> None:
    with HostileServer(issue, path=str(tmp_path / "api")), refreshing(tmp_path) as process:
        first = wait_for_another(tmp_path / "token")
        assert (tmp_path / "token").stat().st_mode % 0o1000 == 0o600
        second = wait_for_another(tmp_path / "token", first)
        assert Token(first).claims().jti != Token(second).claims().jti
        process.send_signal(number)
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == b""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["api", "token"]


READS_TWO = """
import sys, time
first = second = open("token").read()
while second == first:
    time.sleep(0.02)
    second = open("token").read()
sys.exit(7)
"""


def test_a_command_runs_meanwhile_and_its_status_is_the_status(tmp_path: Path) -> None:
    with (
        HostileServer(issue, path=str(tmp_path / "api")),
        refreshing(tmp_path, "--", sys.executable, "-c", READS_TWO) as process,
    ):
        assert process.wait(timeout=60) == 7


def test_sigterm_ends_the_command(tmp_path: Path) -> None:
    script = "trap 'touch ended; exit 3' TERM; touch started; while :; do sleep 0.05; done"
    with (
        HostileServer(issue, path=str(tmp_path / "api")),
        refreshing(tmp_path, "--", "sh", "-c", script) as process,
    ):
        while not (tmp_path / "started").exists():
            time.sleep(0.02)
        process.terminate()
        assert process.wait(timeout=30) == 3
    assert (tmp_path / "ended").exists()


def test_while_the_socket_is_away_the_old_token_stays_and_it_is_retried(tmp_path: Path) -> None:
    path = tmp_path / "api"
    with HostileServer(issue, path=str(path)), refreshing(tmp_path) as process:
        first = wait_for_another(tmp_path / "token")
        path.rename(tmp_path / "away")
        message = process.stderr.readline().decode()
        assert "there is no identity socket 'api'" in message
        assert "retrying in 1 seconds" in message
        kept = (tmp_path / "token").read_text()
        (tmp_path / "away").rename(path)
        assert wait_for_another(tmp_path / "token", kept) != first


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
        assert b"the token has no iat and exp" in process.stderr.read()


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
