"""Temporary files, whose errors are not taken for those of the files that are read."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class ScratchError(Exception):
    """A temporary file cannot be made, written or read; says where it is, and why."""


class Scratch:
    """A temporary file that is written at its end and read anywhere; it goes when it is closed."""

    def __init__(self) -> None:
        from tempfile import TemporaryFile  # not at the top: it is seldom needed

        with _told_apart():
            # Without a buffer: what could not be written would be tried again when it is closed.
            self._file = TemporaryFile(buffering=0)  # noqa: SIM115 - closed by close
        self._end = 0

    def append(self, data: bytes | bytearray) -> int:
        """Write at the end, and return where that was.

        Raises:
            ScratchError: there is no room for it.
        """
        begin = self._end
        view = memoryview(data)
        with _told_apart():
            self._file.seek(begin)
            while view:
                view = view[self._file.write(view) :]
        self._end += len(data)
        return begin

    def read(self, at: int, size: int) -> bytes:
        """Return so many bytes from there, fewer where the file ends.

        Raises:
            ScratchError: it cannot be read.
        """
        with _told_apart():
            self._file.seek(at)
            return self._file.read(size)

    def close(self) -> None:
        """Give the room back."""
        self._file.close()


@contextmanager
def _told_apart() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        import tempfile

        directory = tempfile.gettempdir() if tempfile.tempdir else "the temporary directory"
        raise ScratchError(f"a temporary file in {directory}: {error.strerror or error}") from None
