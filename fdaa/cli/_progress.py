"""A progress bar for long reads, updated between blocks."""

from __future__ import annotations

import sys

_WORTH_A_BAR = 32 * 1024 * 1024


class Progress:
    """A bar on standard error; none for a short read, or if the terminal is gone.

    It changes only its own line of the terminal, so it may end at any time; click's bar
    hides the cursor.

    Args:
        total: how many bytes there are to read; 0 for no bar.
    """

    def __init__(self, total: int) -> None:
        self._total = total if total > _WORTH_A_BAR else 0
        self._percent = -1

    def show(self, done: int) -> None:
        """Redraw the bar if it has grown.

        Args:
            done: how many bytes have been read.
        """
        percent = 100 * min(done, self._total) // self._total if self._total else -1
        if percent > self._percent:
            self._percent = percent
            self._write(f"\r[{'#' * (percent * 2 // 5):40}] {percent:3}%")

    def end(self) -> None:
        """Draw the bar a last time, and free its line."""
        self.show(self._total)
        self.clear()

    def clear(self) -> None:
        """Free the line for other output."""
        self._write("\r" + " " * 47 + "\r")

    def _write(self, text: str) -> None:
        if self._total:
            try:
                print(text, end="", file=sys.stderr, flush=True)
            except OSError:
                self._total = 0
