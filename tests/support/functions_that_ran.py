"""What mutmut needs to know of tests whose workers run the code that it changes."""

from __future__ import annotations

import os
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class FunctionsThatRan(set[str]):
    """A set that forked processes add to as well: mutmut's own sees this process only."""

    def __init__(self) -> None:
        super().__init__()
        self._file = TemporaryFile(buffering=0)  # noqa: SIM115 - open as long as the tests run

    def add(self, name: str) -> None:
        if name not in self:
            super().add(name)
            self._file.write(f"{name}\n".encode())  # at an end that all of them share

    def __iter__(self) -> Iterator[str]:
        size = os.fstat(self._file.fileno()).st_size
        return iter({*os.pread(self._file.fileno(), size, 0).decode().split()})

    def clear(self) -> None:
        super().clear()
        self._file.seek(0)
        self._file.truncate()
