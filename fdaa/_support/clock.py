"""A clock for lifetimes: of tokens, and of keys that were fetched."""

from __future__ import annotations

import time


def now() -> float:
    """Return the seconds on a clock that goes on while a Machine is suspended, where there is one.

    `time.monotonic` stops there, so what expired during the sleep would look fresh after it.
    """
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()
