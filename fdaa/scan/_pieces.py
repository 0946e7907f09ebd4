"""The pieces of the output of a scan, and the marks in them."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fdaa.scan._blocks import Block


class MarkKind(StrEnum):
    """What stands at a mark."""

    FILE = "file"
    LINE_NUMBER = "line number"
    SEPARATOR = "separator"
    MATCH = "match"


class Mark(NamedTuple):
    """A part of the output that has a colour on a terminal.

    Args:
        start, end: where it begins and ends, in bytes of `Piece.data`.
        kind: what it is.
    """

    start: int
    end: int
    kind: MarkKind


class Piece(NamedTuple):
    """A piece of output.

    Args:
        data: what must be written.
        found: whether there was an address or network that the filter keeps.
        marks: parts of `data` in their order, if `Options.marked` is set: for matches, whole lines,
            and names of files.
        unchanged: places, `file:line`, that could be addresses and were not replaced.
    """

    data: bytes
    found: bool = True
    marks: tuple[Mark, ...] = ()
    unchanged: tuple[str, ...] = ()


class Front:
    """What stands in front of a match or a line.

    Args:
        file: the name of the file, before a colon; empty to omit it.
        numbered: whether the number of the line follows, before a colon.
    """

    def __init__(self, file: bytes = b"", *, numbered: bool = False) -> None:
        self.file = file
        self.numbered = numbered
        self._name = file + b":" if file else b""

    def text(self, line: int) -> bytes:
        """Return the text for a line of this number."""
        if self.numbered:
            return b"%b%d:" % (self._name, line)
        return self._name


NOTHING = Front()


class Output:
    """Output that is put together.

    Args:
        marked: whether to keep marks.
    """

    def __init__(self, *, marked: bool) -> None:
        self.data = bytearray()
        self._marks: list[Mark] = []
        self._marked = marked

    def add(self, text: bytes, kind: MarkKind) -> None:
        start = len(self.data)
        self.data += text
        if self._marked:
            self._marks.append(Mark(start, len(self.data), kind))

    def add_front(self, front: Front, line: int) -> None:
        if not self._marked:
            self.data += front.text(line)
            return
        if front.file:
            self.add(front.file, MarkKind.FILE)
            self.add(b":", MarkKind.SEPARATOR)
        if front.numbered:
            self.add(b"%d" % line, MarkKind.LINE_NUMBER)
            self.add(b":", MarkKind.SEPARATOR)

    def add_line(self, block: Block, begin: int, end: int, found: list[tuple[int, int]]) -> None:
        """Add a part of a block with these matches."""
        if self._marked:
            shift = len(self.data) - begin
            for start, stop in found:
                self._marks.append(Mark(start + shift, stop + shift, MarkKind.MATCH))
        self.data += block.raw[begin:end]

    def piece(self, *, found: bool) -> Piece:
        return Piece(bytes(self.data), found, tuple(self._marks))


def name_of_file(file: bytes, *, marked: bool) -> Piece:
    """Return the name of a file with a match, as a line."""
    output = Output(marked=marked)
    output.add(file, MarkKind.FILE)
    output.data += b"\n"
    return output.piece(found=True)
