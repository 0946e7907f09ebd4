"""A progress bar for long reading, written between two blocks."""

from __future__ import annotations

import sys
import time

_WORTH_A_BAR = 32 * 1024 * 1024
_EVERY = 0.1  # seconds
_WIDTH = 40


class Progress:
    """A bar on standard error; none for a short reading, or where the terminal has gone away.

    It changes nothing of the terminal but its own line, so it may end at any time.

    Args:
        total: how many bytes there are to read; 0 for no bar.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._next = time.monotonic() + _EVERY
        self._can_write = total > _WORTH_A_BAR

    def show(self, done: int) -> None:
        """Draw the bar, ten times a second.

        Args:
            done: how many bytes have been read.
        """
        now = time.monotonic() if self._can_write else 0.0
        if now >= self._next:
            self._next = now + _EVERY
            self._draw(done)

    def end(self) -> None:
        """Draw the bar a last time, and give its line to what comes next."""
        self._draw(self._total)
        self.clear()

    def _draw(self, done: int) -> None:
        if self._can_write:
            part = min(1.0, done / self._total)
            self._write(f"\r[{'#' * int(part * _WIDTH):{_WIDTH}}] {part:4.0%}")

    def clear(self) -> None:
        """Give the line to what comes next."""
        self._write("\r" + " " * (_WIDTH + 7) + "\r")

    def _write(self, text: str) -> None:
        if self._can_write:
            try:
                sys.stderr.write(text)
                sys.stderr.flush()
            except OSError:
                self._can_write = False
