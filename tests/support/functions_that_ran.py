"""What mutmut needs to know of tests whose workers run the code that it changes."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class FunctionsThatRan(set[str]):
    """A set that forked processes add to as well: mutmut's own sees this process only."""

    def __init__(self) -> None:
        super().__init__()
        self._process = os.getpid()
        self._reader, self._writer = os.pipe()  # no file: a test may forbid files to grow
        os.set_blocking(self._reader, False)

    def add(self, name: str) -> None:
        if name not in self:
            super().add(name)
            if os.getpid() != self._process:
                os.write(self._writer, f"{name}\n".encode())

    def __iter__(self) -> Iterator[str]:
        self.update(self._told_by_others())
        return super().__iter__()

    def clear(self) -> None:
        super().clear()
        self._told_by_others()

    def _told_by_others(self) -> list[str]:
        told = b""
        with suppress(BlockingIOError):  # no more is there
            while True:
                told += os.read(self._reader, 65536)
        return told.decode().split()
