"""What a scan of standard input prints, in whatever pieces it comes; and a log of every shape."""

from __future__ import annotations

import io
import os
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from unittest import mock

from hypothesis import strategies as st

from fdaa.scan import Pseudonyms
from fdaa.scan._pieces import Piece
from fdaa.scan._run import Scan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.scan._run import Options

LOG = (
    b"boot\n"
    b"a FDAA:0:18::3 b fdaa:2:45b::4\n"
    b"\x00\xff no address: 2001:db8:fdaa::1\n"
    b"fdaa:0:18::3:25565\r\n"
    b"[fdaa:0:18::9]:80 the last line has no end"
)
PSEUDONYMS = Pseudonyms(b"key")  # one for all tests: a key takes a tenth of a second
PACKET = 4096  # the most that a pipe keeps together (PIPE_BUF)

near_lines = st.lists(
    st.sampled_from(
        ("fdaa::1", "fdaa:0:18::2", "x", " ", "\n", "\n\n", "\r\n", "y" * 300, "cafe:fdaa::1")
    )
).map("".join)


class SlowFile(io.RawIOBase):
    """A file of which each read gets so many bytes at most."""

    def __init__(self, data: bytes, size: int) -> None:
        self._file = io.BytesIO(data)
        self._size = size

    def readinto(self, buffer: Any) -> int:
        return self._file.readinto(buffer[: self._size])


@contextmanager
def standard_input(data: bytes, size: int = PACKET) -> Iterator[None]:
    """Put a text into standard input, of which each read gets so many bytes.

    Where a pipe has no packets, a read may get more.
    """
    if hasattr(os, "O_DIRECT"):
        ours, theirs = os.pipe2(os.O_DIRECT)
    else:
        ours, theirs = os.pipe()
    writer = threading.Thread(target=_write, args=(theirs, data, size))
    writer.start()
    try:
        with os.fdopen(ours) as stdin, mock.patch.object(sys, "stdin", stdin):
            yield
    finally:
        writer.join()


def _write(pipe: int, data: bytes, size: int) -> None:
    with suppress(BrokenPipeError), os.fdopen(pipe, "wb", buffering=0) as file:
        for begin in range(0, len(data), size):
            file.write(data[begin : begin + size])


def pieces(options: Options, data: bytes, size: int = PACKET) -> list[Piece]:
    """Return the pieces that are printed of a text, which comes so many bytes at a time."""
    printed = []
    with standard_input(data, size):
        for event in Scan(["-"], options):
            assert isinstance(event, Piece)
            printed.append(event)
    return printed


def output(options: Options, data: bytes, size: int = PACKET) -> tuple[bytes, bool]:
    """Return what is printed of a text, and whether a match was found."""
    printed = pieces(options, data, size)
    return b"".join(piece.data for piece in printed), any(piece.found for piece in printed)
