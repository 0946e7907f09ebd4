"""The pieces of the output of a scan, and the marks in them."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


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

    def __init__(self, file: bytes, *, numbered: bool) -> None:
        self.file = file
        self.numbered = numbered
        self._name = file + b":" if file else b""

    def text(self, line: int) -> bytes:
        """Return the text for a line of this number."""
        if self.numbered:
            return b"%b%d:" % (self._name, line)
        return self._name


def mark_front(front: Front, line: bytes, at: int) -> list[Mark]:
    """Return the marks in front of a match or a line of the output, which begins at a place."""
    marks: list[Mark] = []
    end = at
    if front.file:
        end += len(front.file)
        marks += [Mark(at, end, MarkKind.FILE), Mark(end, end + 1, MarkKind.SEPARATOR)]
        end += 1
    if front.numbered:
        colon = at + line.index(b":", end - at)
        marks += [Mark(end, colon, MarkKind.LINE_NUMBER)]
        marks += [Mark(colon, colon + 1, MarkKind.SEPARATOR)]
    return marks


def name_of_file(file: bytes, *, marked: bool) -> Piece:
    """Return the name of a file with a match, as a line."""
    marks: tuple[Mark, ...] = ()
    if marked:
        marks = (Mark(0, len(file), MarkKind.FILE),)
    return Piece(file + b"\n", marks=marks)
