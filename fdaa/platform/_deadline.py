"""The moment at which a call ends."""

from __future__ import annotations

import time


class Deadline:
    """The moment at which a call ends, whatever it is doing then.

    Args:
        seconds: from now on.

    Attributes:
        seconds: the whole time that was allowed.
        moment: on the clock of `time.monotonic`.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.moment = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds until then, at least 0."""
        return max(0.0, self.moment - time.monotonic())

    def check(self) -> None:
        """Raise a TimeoutError if the moment has passed."""
        if time.monotonic() >= self.moment:
            raise TimeoutError
