"""What a scan of bytes prints, however they are cut into blocks; and a log that has every shape."""

from __future__ import annotations

import io
from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest import mock

from hypothesis import strategies as st

# Private: the public face reads files, and the size of a block is its own matter.
from fdaa.scan import _blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.scan._report import Render
    from fdaa.scan.engine import Piece

LOG = (
    b"boot\n"
    b"a FDAA:0:18::3 b fdaa:2:45b::4\n"
    b"\x00\xff no address: 2001:db8:fdaa::1\n"
    b"fdaa:0:18::3:25565\r\n"
    b"[fdaa:0:18::9]:80 the last line has no end"
)


@contextmanager
def blocks_of(size: int) -> Iterator[None]:
    """Read so many bytes at a time."""
    with mock.patch.object(_blocks, "BLOCK", size):
        yield


def pieces(render: Render, data: bytes, size: int = 4096) -> list[Piece]:
    """Return the pieces that are printed of a text."""
    with blocks_of(size):
        return list(render(_blocks.read_blocks(io.BytesIO(data)), 1))


def output(render: Render, data: bytes, size: int = 4096) -> tuple[bytes, bool]:
    """Return what is printed of a text, and whether a match was found."""
    printed = pieces(render, data, size)
    return b"".join(piece.data for piece in printed), any(piece.found for piece in printed)


near_lines = st.lists(
    st.sampled_from(
        ("fdaa::1", "fdaa:0:18::2", "x", " ", "\n", "\n\n", "\r\n", "y" * 300, "cafe:fdaa::1")
    )
).map("".join)
