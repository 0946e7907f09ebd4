"""A token in a file, renewed at half its lifetime, by a program that also waits for signals."""

from __future__ import annotations

import select
import socket
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING

from fdaa._clock import now
from fdaa.cli import _platform as live
from fdaa.cli._exit_status import CommandError
from fdaa.cli._streams import complain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fdaa.platform import Token

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
