"""A command of the user: run until it ends, with its signals, and with a token kept fresh."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import threading
import time
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from fdaa._support.clock import now
from fdaa._support.escapes import quote
from fdaa.cli import _platform as live
from fdaa.cli._statuses import CommandError
from fdaa.cli._streams import complain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from fdaa.platform import Token

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
        with Path("/dev/tty").open("rb") as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:  # this process has no terminal, or it has gone
        return False


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command, so that it does not run on without this program."""
    process.terminate()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


# --- a token in a file ----------------------------------------------------------------------------

_LONGEST_PAUSE = 3600.0  # seconds between two tokens
_LONGEST_RETRY = 60.0  # seconds between two attempts
# Seconds between two looks at the clock: a process that sleeps does not notice that its Machine was
# suspended meanwhile.
_LOOK = 1.0


class Renewal:
    """Keeps the token in a file fresh.

    A request for a token may hang, so it runs in a thread; `events` never waits for it.

    Args:
        path: the file, which has a token.
        get: returns a new token, or raises a CommandError.
        seconds: the time until the token in the file must be renewed.
    """

    def __init__(self, path: Path, get: Callable[[], Token], seconds: float) -> None:
        self._path = path
        self._get = get
        self._due = now() + seconds
        self._retry = 1.0  # seconds until the next attempt, after a failure
        self._request: Future[Token] | None = None

    def events(self, signals: socket.socket) -> Iterator[bytes]:
        """Yield the signals that arrive, forever; meanwhile renew the token when it is due.

        Args:
            signals: a socket from which their numbers are read, one byte each.
        """
        finished, wake = socket.socketpair()
        with finished, wake:
            while True:
                ready, _, _ = select.select([signals, finished], [], [], self._pause())
                if signals in ready:
                    yield signals.recv(64)
                if finished in ready:
                    finished.recv(1)
                    self._finish()
                elif self._request is None and now() >= self._due:
                    self._begin(wake)

    def _pause(self) -> float | None:
        """Return the seconds until the clock must be looked at; None while a request runs."""
        if self._request is not None:
            return None
        left = self._due - now()
        return min(max(0.0, left), _LOOK)

    def _begin(self, wake: socket.socket) -> None:
        """Request a token in a thread, which does not keep this process from its end."""
        request: Future[Token] = Future()

        def run() -> None:
            try:
                request.set_result(self._get())
            except BaseException as error:
                request.set_exception(error)
            with suppress(OSError):  # `events` has ended, and this program is about to
                wake.send(b"\0")

        try:
            threading.Thread(target=run, daemon=True).start()
        except RuntimeError as error:  # the container's limit of processes
            self._postpone(str(error))
        else:
            self._request = request

    def _finish(self) -> None:
        """Write the token that a request returned; after a failure the old one stays."""
        request = self._request
        self._request = None
        if request is None:
            return
        try:
            token = request.result()
            seconds = store(self._path, token)
        except CommandError as error:
            self._postpone(str(error))
        else:
            self._due = now() + seconds
            self._retry = 1.0

    def _postpone(self, reason: str) -> None:
        complain(f"{reason}; retrying in {self._retry:g} seconds")
        self._due = now() + self._retry
        self._retry = min(2 * self._retry, _LONGEST_RETRY)


def store(path: Path, token: Token) -> float:
    """Write a token to a file, and return the seconds until it must be renewed.

    That is half its lifetime, or half of what is left of it: it may have been issued earlier.

    Raises:
        CommandError: its lifetime is unknown, or it cannot be written.
    """
    claims = token.claims()
    if claims.exp is None or claims.iat is None:
        raise CommandError("the token lacks iat or exp: its lifetime is unknown")
    live.write_secret(path, token.reveal())
    left = claims.exp - int(time.time())
    lifetime = min(left, claims.exp - claims.iat)  # an int of any size
    if lifetime > 2 * _LONGEST_PAUSE:
        return _LONGEST_PAUSE
    if lifetime < 2:
        return 1.0
    return lifetime / 2
