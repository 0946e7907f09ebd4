"""Standard input, opened in one way for the library and the command."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO


def standard_input() -> TextIO:
    """Return standard input; a read of its file waits for input, as from a blocking file.

    Raises:
        OSError: it is closed.
    """
    if sys.stdin is None:
        raise OSError("it is closed")
    with suppress(OSError, AttributeError):  # it is not a file, or the system cannot
        os.set_blocking(sys.stdin.fileno(), True)
    return sys.stdin
