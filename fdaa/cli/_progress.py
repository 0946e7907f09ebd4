"""A progress bar for long reading, written between two blocks."""

from __future__ import annotations

import sys

_WORTH_A_BAR = 32 * 1024 * 1024


class Progress:
    """A bar on standard error; none for a short reading, or where the terminal has gone away.

    It changes nothing of the terminal but its own line, so it may end at any time; click's bar
    hides the cursor.

    Args:
        total: how many bytes there are to read; 0 for no bar.
    """

    def __init__(self, total: int) -> None:
        self._total = total if total > _WORTH_A_BAR else 0
        self._percent = -1

    def show(self, done: int) -> None:
        """Draw the bar where it has become longer.

        Args:
            done: how many bytes have been read.
        """
        percent = 100 * min(done, self._total) // self._total if self._total else -1
        if percent > self._percent:
            self._percent = percent
            self._write(f"\r[{'#' * (percent * 2 // 5):40}] {percent:3}%")

    def end(self) -> None:
        """Draw the bar a last time, and give its line to what comes next."""
        self.show(self._total)
        self.clear()

    def clear(self) -> None:
        """Give the line to what comes next."""
        self._write("\r" + " " * 47 + "\r")

    def _write(self, text: str) -> None:
        if self._total:
            try:
                print(text, end="", file=sys.stderr, flush=True)
            except OSError:
                self._total = 0
