"""`fdaa token --output FILE --refresh`: a file that always has a token that is valid."""

from __future__ import annotations

import os
import pty
import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest
from hostile_server import HostileServer, Received, answer
from token_endpoint import ISSUER, Endpoint, refreshing

if TYPE_CHECKING:
    import socket
    from pathlib import Path

pytestmark = pytest.mark.slow


def test_the_file_is_renewed_until_a_signal_ends_it(tmp_path: Path) -> None:
    with Endpoint(tmp_path) as endpoint, refreshing(tmp_path) as process:
        endpoint.next_token()
        endpoint.next_token()
        endpoint.next_token()  # the second is in the file now
        process.terminate()
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == b""
    assert (tmp_path / "token").read_text() in endpoint.issued[1:]
    assert (tmp_path / "token").stat().st_mode % 0o1000 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["api", "token"]


# --- a renewal that hangs -------------------------------------------------------------------------

# A request without a response ends after ten seconds, with a message; a program that waits for it
# shows the message before it ends.


def test_a_signal_ends_it_while_a_renewal_hangs(tmp_path: Path) -> None:
    with Endpoint(tmp_path, hanging=2) as endpoint, refreshing(tmp_path) as process:
        first = endpoint.next_token()
        endpoint.next_token()
        process.terminate()
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == b""
    assert (tmp_path / "token").read_text() == first


def test_a_signal_reaches_the_command_while_a_renewal_hangs(tmp_path: Path) -> None:
    command = ("--", sys.executable, "-c", WAITS)
    with Endpoint(tmp_path, hanging=2) as endpoint, refreshing(tmp_path, *command) as process:
        assert process.stdout.readline() == b"started\n"
        endpoint.next_token()
        endpoint.next_token()
        process.terminate()
        assert process.wait(timeout=30) == 3
        assert process.stderr.read() == b""


def test_the_end_of_the_command_is_seen_while_a_renewal_hangs(tmp_path: Path) -> None:
    with Endpoint(tmp_path, hanging=2) as endpoint, refreshing(tmp_path, "--", "cat") as process:
        first = endpoint.next_token()
        endpoint.next_token()
        process.stdin.close()
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == b""
    assert (tmp_path / "token").read_text() == first


def test_a_renewal_that_hangs_ends_and_is_retried(tmp_path: Path) -> None:
    with Endpoint(tmp_path, hanging=2) as endpoint, refreshing(tmp_path) as process:
        endpoint.next_token()
        endpoint.next_token()
        message = process.stderr.readline().decode()
        endpoint.next_token()
        endpoint.next_token()
        process.terminate()
        assert process.wait(timeout=30) == 0
    assert "no complete response within 10 seconds; retrying in 1 seconds" in message
    assert (tmp_path / "token").read_text() in endpoint.issued[2:]


# Loaded by Python at its start: the end of the program, held until its threads have ended.
LINGERS = """
import atexit, threading
@atexit.register
def linger():
    print("ending", flush=True)
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(30)
"""


def test_a_response_that_comes_too_late_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(LINGERS)
    with (
        Endpoint(tmp_path, hanging=2) as endpoint,
        refreshing(tmp_path, PYTHONPATH=str(tmp_path)) as process,
    ):
        first = endpoint.next_token()
        endpoint.next_token()
        process.terminate()
        assert process.stdout.readline() == b"ending\n"
        endpoint.resume()
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == b""
    assert (tmp_path / "token").read_text() == first


# --- a program that fails -------------------------------------------------------------------------


# Loaded by Python at its start: what no test can bring about otherwise.
NO_THREAD = """
import threading
def start(self):
    raise RuntimeError("can't start new thread")
threading.Thread.start = start
"""
FAILS = """
import select
from pathlib import Path
real = select.select
def failing(*args):
    if Path("fails").exists():
        raise MemoryError
    return real(*args)
select.select = failing
"""


def test_where_no_thread_can_be_started_it_is_retried(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_THREAD)
    with (
        Endpoint(tmp_path),
        refreshing(tmp_path, "--", "cat", PYTHONPATH=str(tmp_path)) as process,
    ):
        message = process.stderr.readline()
        process.stdin.close()
        assert process.wait(timeout=30) == 0
    assert message == b"fdaa: can't start new thread; retrying in 1 seconds\n"


def test_no_exception_leaves_the_command_behind(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(FAILS)
    command = ("--", "sh", "-c", "echo $$; exec sleep 60")
    with Endpoint(tmp_path), refreshing(tmp_path, *command, PYTHONPATH=str(tmp_path)) as process:
        number = int(process.stdout.readline())
        (tmp_path / "fails").touch()
        assert process.wait(timeout=30) != 0
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


# --- the lifetime ---------------------------------------------------------------------------------


@pytest.mark.parametrize("lifetime", [10**400, -(10**400)], ids=["huge", "negative"])
def test_a_lifetime_of_any_size_leaves_the_command_alone(tmp_path: Path, lifetime: int) -> None:
    with Endpoint(tmp_path, lifetime) as endpoint, refreshing(tmp_path, "--", "cat") as process:
        endpoint.next_token()
        process.stdin.write(b"still here\n")
        process.stdin.close()
        assert process.wait(timeout=30) == 0
        assert process.stdout.read() == b"still here\n"
        assert process.stderr.read() == b""
    assert (tmp_path / "token").read_text() in endpoint.issued


def test_a_token_that_was_issued_earlier_is_renewed_before_it_expires(tmp_path: Path) -> None:
    with Endpoint(tmp_path, 602, age=600) as endpoint, refreshing(tmp_path) as process:
        endpoint.next_token()
        endpoint.next_token()
        process.terminate()
        assert process.wait(timeout=30) == 0


# Loaded by Python at its start: a clock that the test sets, in place of CLOCK_BOOTTIME.
CLOCK = """
import time
from pathlib import Path
real = time.clock_gettime
def clock_gettime(clock):
    leap = Path("leap")
    seconds = float(leap.read_text()) if leap.exists() else 0
    return real(clock) + (seconds if clock == time.CLOCK_BOOTTIME else 0)
time.clock_gettime = clock_gettime
"""


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="no clock counts sleep here")
@pytest.mark.parametrize(
    ("lifetime", "slept"), [(600, 301), (10**400, 3601)], ids=["half", "an hour"]
)
def test_a_machine_that_was_suspended_renews_when_it_wakes(
    tmp_path: Path, lifetime: int, slept: int
) -> None:
    """A pause is at most an hour long."""
    (tmp_path / "sitecustomize.py").write_text(CLOCK)
    with (
        Endpoint(tmp_path, lifetime) as endpoint,
        refreshing(tmp_path, "--", "cat", PYTHONPATH=str(tmp_path)) as process,
    ):
        endpoint.next_token()
        process.stdin.write(b"started\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"started\n"
        (tmp_path / "leap.new").write_text(str(slept))
        (tmp_path / "leap.new").rename(tmp_path / "leap")
        endpoint.next_token()
        process.stdin.close()
        assert process.wait(timeout=30) == 0


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


def test_while_the_socket_is_away_the_old_token_stays_and_it_is_retried(tmp_path: Path) -> None:
    path = tmp_path / "api"
    away = tmp_path / "away"
    with Endpoint(tmp_path) as endpoint, refreshing(tmp_path, "--", "cat") as process:
        process.stdin.write(b"started\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"started\n"  # so the file is written
        path.rename(away)
        message = process.stderr.readline().decode()
        assert "there is no identity socket 'api'" in message
        assert "retrying in 1 seconds" in message
        before = len(endpoint.issued)
        assert (tmp_path / "token").read_text() == endpoint.issued[-1]
        away.rename(path)
        while len(endpoint.issued) < before + 2:
            endpoint.next_token()
        process.stdin.close()
        assert process.wait(timeout=30) == 0
    assert (tmp_path / "token").read_text() in endpoint.issued[before:]


def test_a_token_of_unknown_life_is_refused(tmp_path: Path) -> None:
    def script(connection: socket.socket, _: Received) -> None:
        answer(connection, 200, ISSUER.token(exp=None).encode())

    with (
        HostileServer(script, path=str(tmp_path / "api")),
        refreshing(tmp_path) as process,
    ):
        assert process.wait(timeout=30) == 2
        assert b"the token lacks iat or exp" in process.stderr.read()


# --- an interrupt, from a terminal and from elsewhere ---------------------------------------------

# Says how often it was interrupted.
COUNTS = """
import signal, sys
numbers = {signal.SIGINT, signal.SIGTERM}
signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
print("started", flush=True)
interrupts = 0
while signal.sigwait(numbers) == signal.SIGINT:
    interrupts += 1
    print("interrupted", flush=True)
sys.exit(interrupts)
"""


def test_an_interrupt_from_outside_a_terminal_reaches_the_command(tmp_path: Path) -> None:
    command = ("--", sys.executable, "-c", COUNTS)
    with Endpoint(tmp_path), refreshing(tmp_path, *command) as process:
        assert process.stdout.readline() == b"started\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == b"interrupted\n"
        process.terminate()
        assert process.wait(timeout=30) == 1


def test_ctrl_c_in_a_terminal_reaches_the_command_once(tmp_path: Path) -> None:
    command = ("--", sys.executable, "-c", COUNTS)
    keyboard, terminal = pty.openpty()
    with (
        Endpoint(tmp_path),
        refreshing(tmp_path, *command, before=("setsid", "--ctty"), stdin=terminal) as process,
    ):
        assert process.stdout.readline() == b"started\n"
        os.write(keyboard, b"\3")
        assert process.stdout.readline() == b"interrupted\n"
        process.terminate()
        assert process.wait(timeout=30) == 1
    os.close(keyboard)
    os.close(terminal)
