"""`fdaa token --refresh -- COMMAND`: an interrupt, from a terminal and from elsewhere."""

from __future__ import annotations

import os
import pty
import signal
import sys
from typing import TYPE_CHECKING

from token_endpoint import Endpoint, refreshing

if TYPE_CHECKING:
    from pathlib import Path

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
