"""Writes what a scan gives: its pieces, its bar, and what could not be read."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from fdaa.cli._exit_status import NO, WRONG, YES
from fdaa.cli._render import counted, uses_colour
from fdaa.cli._streams import complain, raw_output
from fdaa.errors import quote
from fdaa.scan import STANDARD_INPUT, Converted, Failure, Piece, find_addresses

if TYPE_CHECKING:
    from fdaa.cli._progress import Progress
    from fdaa.scan import Scan

_MATCH_BEGINS, _MATCH_ENDS = b"\x1b[1;31m", b"\x1b[0m"
_SHOWN_PLACES = 5


def write(run: Scan, progress: Progress, *, quiet: bool = False, strict: bool = False) -> int:
    """Write what a scan gives, and return the exit status.

    Args:
        run: the scan.
        progress: its bar.
        quiet: stop at the first match, and write nothing.
        strict: whether a place that was left unchanged is an error.
    """
    writer = _Writer(progress)
    with closing(iter(run)) as events:
        for event in events:
            if isinstance(event, Failure):
                writer.fail(event)
            elif isinstance(event, Converted):
                writer.say(f"{_shown(event.name)}: UTF-16, printed as UTF-8")
            elif quiet and event.found:
                return YES
            elif not quiet:
                writer.write(event)
            progress.show(run.done)
    writer.end()
    if writer.unchanged:
        places = writer.first_unchanged[:_SHOWN_PLACES]
        places += ["..."] * (len(writer.first_unchanged) > _SHOWN_PLACES)
        left = counted(writer.unchanged, "place")
        complain(f"left {left} with 'fdaa' unchanged: {', '.join(places)}")
    if writer.failed or (writer.unchanged and strict):
        return WRONG
    return YES if writer.found else NO


class _Writer:
    """Writes pieces, and notes what happened."""

    def __init__(self, progress: Progress) -> None:
        self.found = self.failed = False
        self.unchanged = 0
        self.first_unchanged: list[str] = []
        self._progress = progress
        self._write = raw_output()
        self._has_colour = uses_colour()
        self._last = b""  # of what was written

    def write(self, piece: Piece) -> None:
        self.found = self.found or piece.found
        self.unchanged += len(piece.unchanged)
        for place in piece.unchanged:
            if len(self.first_unchanged) <= _SHOWN_PLACES and place not in self.first_unchanged:
                self.first_unchanged.append(place)
        if not piece.data:
            return
        at = 0
        for start, end in piece.marks if self._has_colour else ():
            self._write(piece.data[at:start])
            sys.stdout.buffer.write(_MATCH_BEGINS)
            self._write(piece.data[start:end])
            sys.stdout.buffer.write(_MATCH_ENDS)
            at = end
        self._write(piece.data[at:])
        sys.stdout.buffer.flush()  # a reader who follows a stream waits for each piece
        self._last = piece.data[-1:]

    def fail(self, failure: Failure) -> None:
        self.failed = True
        name, error = failure.name, failure.error
        hint = ""
        if isinstance(error, IsADirectoryError):
            hint = "; --recursive reads it"
        elif isinstance(error, FileNotFoundError) and any(find_addresses(name)):
            hint = f"; to read an address: fdaa decode {quote(name)}"
        if self._last not in (b"", b"\n"):
            self._write(b"\n")
            self._last = b"\n"
        self.say(f"{_shown(name)}: {error.strerror or error}{hint}")

    def say(self, message: str) -> None:
        sys.stdout.buffer.flush()
        self._progress.clear()
        complain(message)

    def end(self) -> None:
        self._write(b"")  # what a terminal has of a character that is cut off
        self._progress.end()


def _shown(name: str) -> str:
    return "standard input" if name == STANDARD_INPUT else name


def output_file() -> os.stat_result | None:
    """Return what standard output is, if it is a file."""
    try:
        return os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):
        return None
