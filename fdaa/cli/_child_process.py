"""Waiting for signals, and running a command of the user."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fdaa._escapes import quote
from fdaa.cli._exit_status import CommandError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_ENDS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
_OTHERS = ("SIGUSR1", "SIGUSR2", "SIGALRM")  # they would end this program without the command
ENDS = tuple(number for number in signal.Signals if number.name in _ENDS)  # Windows has two of them
_FORWARDED = tuple(number for number in signal.Signals if number.name in _ENDS + _OTHERS)
_PATIENCE = 10.0  # seconds that a command has to end after SIGTERM, if this program fails


@contextmanager
def received(numbers: Iterable[int]) -> Iterator[socket.socket]:
    """Yield a socket from which the numbers of received signals are read, one byte each.

    Signals that are ignored from the start, by nohup or in the background, stay ignored. Python's
    own ways to wait miss a signal that arrives in the instant before they begin.
    """
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    with ours, theirs:
        signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        for number in numbers:
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, lambda *_: None)
        try:
            yield ours
        finally:
            signal.set_wakeup_fd(-1)


def arriving(signals: socket.socket) -> Iterator[bytes]:
    """Yield the numbers of signals as they arrive on a socket of `received`, forever."""
    while True:
        yield signals.recv(64)


def run_command(
    command: tuple[str, ...],
    variables: Mapping[str, str],
    events: Callable[[socket.socket], Iterable[bytes]] = arriving,
) -> int:
    """Run a command with extra environment variables until it exits, and forward signals to it.

    Ctrl-C in a terminal reaches the command without this program, so it is not forwarded: many
    programs take a second one as an order to give up at once.

    Args:
        command: the program and its arguments.
        variables: the variables added to this process's environment.
        events: yields the numbers of signals as they arrive on a socket, forever; it may do other
            work meanwhile. If it fails, the command is ended.

    Returns:
        Its exit status, as a shell shows it.

    Raises:
        CommandError: it cannot be run.
    """
    # Without this the command's end is not noticed: a parent may have ignored or blocked it.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
    with received((*_FORWARDED, signal.SIGCHLD)) as signals:
        process = _started(command, variables)
        try:
            for numbers in events(signals):
                _forward(numbers, process)
                if process.poll() is not None:
                    break
        except BaseException:
            _end(process)
            raise
    if process.returncode < 0:
        return 128 - process.returncode
    return process.returncode


def _started(command: tuple[str, ...], variables: Mapping[str, str]) -> subprocess.Popen[bytes]:
    environment = {**os.environ, **variables}
    try:
        return subprocess.Popen(command, env=environment)  # noqa: S603 - the user's own
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CommandError(f"{quote(command[0])} cannot be run: {reason}") from None


def _forward(numbers: bytes, process: subprocess.Popen[bytes]) -> None:
    for number in numbers:
        if number == signal.SIGCHLD:
            continue
        is_of_the_keyboard = number in (signal.SIGINT, signal.SIGQUIT)
        if is_of_the_keyboard and _is_in_the_foreground():
            continue
        process.send_signal(number)


def _is_in_the_foreground() -> bool:
    """Whether a terminal sends the signals of its keyboard to this process and its command."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY)
    except OSError:  # this process has no terminal
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:  # the terminal has gone
        return False
    finally:
        os.close(terminal)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command, so that it does not run on without this program."""
    process.terminate()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
