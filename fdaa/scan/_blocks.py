"""Input in bounded pieces: whole lines, and parts of longer lines with the context that they need.

The result does not depend on how the input is divided or arrives: no match crosses the end of a
block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fdaa._values.checks import wrong_type
from fdaa.scan._expression import PARTS, RIGHT, find_matches, find_runs
from fdaa.scan._expression_parts import LEFT

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

# From 128 KiB on a C library maps fresh memory for each block, which halves the speed.
BLOCK = 96 * 1024
# What was freed once, the GNU C library keeps for the next blocks: up to a twentieth faster.
_KEPT = 512 * 1024
_LINE_FEED = ord("\n")


def count_lines(data: bytes) -> int:
    """Return how many line feeds are in a text."""
    # Twice as fast as `count`, which looks at each byte: `replace` skips to the next line feed.
    return len(data) - len(data.replace(b"\n", b""))


class Block(NamedTuple):
    """A piece of input: `begin:end` is its own part, the rest is context.

    Args:
        raw: the bytes as they are.
        lower: the same in lower case, which is searched.
        begin, end: the part that is this block's.
        offset: of `raw[0]`, in bytes from where the reading began; -1 in the first block, which
            begins with a line feed that is not in the file.
    """

    raw: bytes
    lower: bytes
    begin: int
    end: int
    offset: int

    @classmethod
    def whole(cls, data: bytes) -> Block:
        """Return all of a text as one block."""
        raw = b"\n" + data
        return cls(raw, raw.lower(), 1, len(raw), -1)

    def runs(self) -> list[bytes]:
        """Return all runs in order, in lower case; `matches` gives their places."""
        return find_runs(self.lower, self.begin, self.end)

    def matches(self, *, wide: bool = False) -> Iterator[re.Match[bytes]]:
        """Return a match for each run that begins, and so ends, in this block."""
        return find_matches(self.lower, self.begin, self.end, wide=wide)


class Place:
    """The position of a reader.

    Attributes:
        line: the number of the line, from 1.
    """

    def __init__(self, line: int = 1) -> None:
        self.line = line
        self._at = 0  # in bytes from where the reading began
        self._line_start = 0

    def go_to(self, block: Block, at: int) -> tuple[int, int]:
        """Advance to a place in a block; return its line, and its byte in the line, from 1."""
        offset = block.offset
        begin = self._at - offset
        self._at = offset + at
        passed = block.raw.count(b"\n", begin, at)
        if passed:
            self.line += passed
            self._line_start = offset + block.raw.rfind(b"\n", begin, at) + 1
        return self.line, self._at - self._line_start + 1


def read_blocks(file: object) -> Iterator[Block]:
    """Read a binary file block by block; no read waits for more bytes than are available.

    A line is in one block, if that can hold it.

    Args:
        file: raw, buffered, in memory or decompressing another: an object with `readinto`.

    Raises:
        BlockingIOError: the file is in non-blocking mode and has nothing yet.
        OSError: it cannot be read; all that could be read has been yielded.
        TypeError: the file is open for text.
    """
    readinto = getattr(file, "readinto1", None) or getattr(file, "readinto", None)
    if readinto is None:
        raise wrong_type(file, "file", "open for reading bytes")
    bytearray(_KEPT)  # freed at once
    buffer = bytearray(LEFT + RIGHT + BLOCK)
    view = memoryview(buffer)
    buffer[:1] = b"\n"
    begin = 1
    filled = 1
    offset = -1
    while True:
        error: OSError | None = None
        try:
            count = readinto(view[filled:])
        except OSError as caught:  # raised after the bytes before it have been processed
            count = 0
            error = caught
        if count is None:
            raise BlockingIOError("the file is in non-blocking mode and has no data yet")
        end = buffer.rfind(b"\n", filled, filled + count) + 1
        filled += count
        if count and not end and filled < len(buffer):
            continue  # the line goes on
        raw = bytes(view[:filled])
        lower = raw.lower()
        if not count:
            end = filled
        elif not end:
            end = _decided(lower, begin)
        if begin < end:
            yield Block(raw, lower, begin, end, offset)
        if error is not None:
            raise error
        if not count:
            return
        keep = max(0, end - LEFT)
        if raw[end - 1] == _LINE_FEED:
            keep = end - 1
        buffer[: filled - keep] = raw[keep:]
        begin = end - keep
        filled -= keep
        offset += keep


def _decided(lower: bytes, begin: int) -> int:
    """Return where to cut a long line: later bytes do not change what is before."""
    end = len(lower) - RIGHT
    before_parts = len(lower[end:].rstrip(PARTS))
    if before_parts:
        return end + before_parts
    for match in find_matches(lower, begin, len(lower)):
        if match.start() >= end:
            break
        end = max(end, match.end())
    return end
