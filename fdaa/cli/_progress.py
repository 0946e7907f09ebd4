"""A progress bar for long reading, also where worker processes do it."""

from __future__ import annotations

import os
import signal
import sys
from struct import Struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType, TracebackType

WORTH_A_BAR = 32 * 1024 * 1024
_EVERY = 0.1  # seconds

_COUNT = Struct(">Q")


class Progress:
    """A bar on standard error while something reads.

    What has been read is told through a pipe, so that a forked worker can tell it too: a write of
    eight bytes is never mixed with another. A timer looks into the pipe; a thread would not do, as
    a process with threads must not fork.

    Args:
        total: how many bytes there are to read.
    """

    def __init__(self, total: int) -> None:
        import click  # not at the top: who scans logs does not wait for it

        self._bar = click.progressbar(length=total, file=sys.stderr)
        self._told, self._tell = os.pipe()
        os.set_blocking(self._told, False)

    def __enter__(self) -> Progress:
        self._bar.__enter__()
        signal.signal(signal.SIGALRM, self._show)
        signal.setitimer(signal.ITIMER_REAL, _EVERY, _EVERY)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._show()
        self._bar.__exit__(kind, error, traceback)
        os.close(self._tell)
        os.close(self._told)

    def advance(self, count: int) -> None:
        """Tell that so many bytes more have been read; from any process."""
        os.write(self._tell, _COUNT.pack(count))

    def _show(self, _signal: int = 0, _frame: FrameType | None = None) -> None:
        try:
            while told := os.read(self._told, _COUNT.size * 512):
                self._bar.update(sum(count for (count,) in _COUNT.iter_unpack(told)))
        except BlockingIOError:  # it is empty
            pass


def can_show_progress() -> bool:
    """Tell whether somebody sees the bar, and the results do not scroll it away."""
    return hasattr(signal, "setitimer") and sys.stderr.isatty() and not sys.stdout.isatty()
