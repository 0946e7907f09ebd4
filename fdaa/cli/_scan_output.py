"""Writes the output of a scan: its pieces, progress bar, failures and counts."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from fdaa._support.escapes import as_unicode, printable
from fdaa._values.address import NetworkID
from fdaa._values.id_text import id_fields
from fdaa.cli._layout import command_line, counted
from fdaa.cli._records import NETWORK_NAME, NO_RECORDS, Records
from fdaa.cli._statuses import INTERRUPTED, NO, WRONG, YES
from fdaa.cli._streams import complain, raw_output, write_error
from fdaa.scan import find_addresses
from fdaa.scan._count import Count
from fdaa.scan._pieces import MarkKind, Piece
from fdaa.scan._run import Converted, FalseMark, Scan
from fdaa.scan._sources import STANDARD_INPUT, Failure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fdaa.networks import Book
    from fdaa.scan import NetworkCount
    from fdaa.scan._run import Options

# The colours of grep.
_COLOURS = {
    MarkKind.FILE: b"\x1b[35m",
    MarkKind.LINE_NUMBER: b"\x1b[32m",
    MarkKind.SEPARATOR: b"\x1b[36m",
    MarkKind.MATCH: b"\x1b[1;31m",
}
_NO_COLOUR = b"\x1b[0m"
_SHOWN_PLACES = 5
_FALSE_MARK = "it begins with the mark of UTF-16 but is not UTF-16; searched as bytes"


def write(run: Scan, *, bar: bool, quiet: bool, strict: bool, records: Records = NO_RECORDS) -> int:
    """Write the output of a scan, and return the exit status.

    Args:
        run: the scan.
        bar: whether to show the progress, where standard error is a terminal.
        quiet: stop at the first match, and write nothing.
        strict: whether a place that was left unchanged is an error.
        records: which fields of the records to write, if not all.
    """
    has_bar = bar and sys.stderr is not None and sys.stderr.isatty()
    progress = Progress(run.total if has_bar else 0)
    writer = _Writer(progress, records)
    try:
        with closing(iter(run)) as events:
            for event in events:
                if isinstance(event, Failure):
                    writer.fail(event)
                elif isinstance(event, Converted):
                    writer.note(event.name, "UTF-16, printed as UTF-8")
                elif isinstance(event, FalseMark):
                    writer.note(event.name, _FALSE_MARK)
                elif quiet and event.found:
                    return YES
                elif not quiet:
                    writer.write(event)
                progress.show(run.done)
    except KeyboardInterrupt:
        progress.clear()
        raise
    writer.end()
    if writer.has_failed or (writer.unchanged and strict):
        return WRONG
    return YES if writer.has_found else NO


class _Writer:
    """Writes pieces, and notes between them.

    Attributes:
        has_found: whether a piece has a match.
        has_failed: whether a file could not be read.
        unchanged: how many places were left unchanged.
    """

    def __init__(self, progress: Progress, records: Records) -> None:
        self.has_found = False
        self.has_failed = False
        self.unchanged = 0
        self._places: dict[str, None] = {}  # the first that were left unchanged, each once
        self._progress = progress
        self._records = records
        self._write = raw_output()
        self._in_line = False

    def write(self, piece: Piece) -> None:
        self.has_found = self.has_found or piece.found
        self.unchanged += len(piece.unchanged)
        if len(self._places) <= _SHOWN_PLACES:
            self._places |= dict.fromkeys(piece.unchanged)
        if self._records.fields:
            piece = Piece(self._fields(piece.data))
        if piece.data:
            self._write_data(piece)

    def _fields(self, data: bytes) -> bytes:
        """Return the lines with the wanted fields of records."""
        lines = [self._records.line(json.loads(record)) for record in data.splitlines()]
        return "".join(lines).encode()

    def _write_data(self, piece: Piece) -> None:
        at = 0
        for mark in piece.marks:
            self._write(piece.data[at : mark.start])
            sys.stdout.buffer.write(_COLOURS[mark.kind])
            self._write(piece.data[mark.start : mark.end])
            sys.stdout.buffer.write(_NO_COLOUR)
            at = mark.end
        self._write(piece.data[at:])
        sys.stdout.buffer.flush()  # a reader who follows a stream waits for each piece
        self._in_line = not piece.data.endswith(b"\n")

    def fail(self, failure: Failure) -> None:
        self.has_failed = True
        name = failure.name
        error = failure.error
        hint = ""
        if isinstance(error, IsADirectoryError):
            hint = "; use --recursive"
        elif isinstance(error, FileNotFoundError) and any(find_addresses(name)):
            hint = f"; to read the text itself: {command_line('explain', name)}"
        if self._in_line:
            self._write_data(Piece(b"\n"))
        self.note(name, f"{error.strerror or error}{hint}")

    def note(self, name: str, text: str) -> None:
        sys.stdout.buffer.flush()
        self._progress.clear()
        source = "standard input" if name == STANDARD_INPUT else name
        complain(f"{source}: {text}")

    def end(self) -> None:
        """End the output, and report the places that were left unchanged."""
        self._write(b"")  # the rest of a character that is cut off
        self._progress.end()
        if self.unchanged:
            shown = list(self._places)[:_SHOWN_PLACES]
            if len(self._places) > _SHOWN_PLACES:
                shown.append("...")
            places = counted(self.unchanged, "place")
            complain(f"{places} left unchanged, which may be addresses: {', '.join(shown)}")


def output_file() -> os.stat_result | None:
    """Return the file that standard output is, if it is one."""
    try:
        return os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):
        return None


# --- what was counted ----------------------------------------------------------------------------


def write_counts(
    names: Iterable[str], options: Options, book: Book | None, *, bar: bool, records: Records
) -> int:
    """Print how often each network occurs, and return the exit status.

    After Ctrl-C, what was counted before is printed.

    Args:
        names, options: as in `Scan`.
        book: the names of the networks, if a book is given.
        bar: as in `write`.
        records: --json or --field, in place of the table.
    """
    total = Count(options.keep)
    try:
        status = write(Scan(names, options, total), bar=bar, quiet=False, strict=False)
    except KeyboardInterrupt:
        status = INTERRUPTED
        write_error("")  # ends the line in which the terminal shows ^C
    _print_counts(total, book, records)
    if status == INTERRUPTED:
        sys.stdout.flush()
        if total.place is None:
            complain("interrupted before anything was read")
        else:
            file, line = total.place
            complain(f"interrupted at {file}:{line}; only what was read before is counted")
    if status == NO and total.network_ids:
        return YES
    return status


def _print_counts(total: Count, book: Book | None, records: Records) -> None:
    """Print the counts line by line, as there may be a million networks."""
    line = ""
    for row in total.networks():
        if records:
            records.write(_fields(row, book))
            continue
        if not line:
            line = _line_format(total, row, book)
            sys.stdout.write(line.format("network", "ID", "matches", "addresses", "first"))
        name = _name(row.network_id, book)
        place = printable(f"{row.file}:{row.line}")
        sys.stdout.write(line.format(name, row.network_id, row.matches, row.addresses, place))


def _line_format(total: Count, first: NetworkCount, book: Book | None) -> str:
    """Return the format of the table's lines; the first row has the largest numbers.

    Without a book, it has no column for the names.
    """
    network_ids = list(map(NetworkID, total.network_ids))
    ids = max(len(str(network_id)) for network_id in network_ids)
    matches = max(len(str(first.matches)), len("matches"))
    numbers = f"{{1!s:{ids}}}  {{2:<{matches}}}  {{3:<9}}  {{4}}\n"
    if book is None:
        return numbers
    names = max(len(_name(network_id, book)) for network_id in network_ids)
    return f"{{0:{max(names, len('network'))}}}  {numbers}"


def _name(network_id: NetworkID, book: Book | None) -> str:
    name = None if book is None else book.name_of(network_id)
    return name or "-"


def _fields(row: NetworkCount, book: Book | None) -> dict[str, object]:
    fields: dict[str, object] = {
        **id_fields(row.network_id),
        "prefix": str(row.network_id.prefix),
        "matches": row.matches,
        "addresses": row.addresses,
        "first": {"file": as_unicode(row.file), "line": row.line},
    }
    if book is not None:
        fields[NETWORK_NAME] = book.name_of(row.network_id)
    return fields


# --- progress -------------------------------------------------------------------------------------

_WORTH_A_BAR = 32 * 1024 * 1024


class Progress:
    """A bar on standard error; none for a short read, or if the terminal is gone.

    It changes only its own line of the terminal, so it may end at any time; click's bar
    hides the cursor.

    Args:
        total: how many bytes there are to read; 0 for no bar.
    """

    def __init__(self, total: int) -> None:
        self._total = total if total > _WORTH_A_BAR else 0
        self._percent = -1

    def show(self, done: int) -> None:
        """Redraw the bar if it has grown.

        Args:
            done: how many bytes have been read.
        """
        percent = 100 * min(done, self._total) // self._total if self._total else -1
        if percent > self._percent:
            self._percent = percent
            self._write(f"\r[{'#' * (percent * 2 // 5):40}] {percent:3}%")

    def end(self) -> None:
        """Draw the bar a last time, and free its line."""
        self.show(self._total)
        self.clear()

    def clear(self) -> None:
        """Free the line for other output."""
        self._write("\r" + " " * 47 + "\r")

    def _write(self, text: str) -> None:
        if self._total:
            try:
                print(text, end="", file=sys.stderr, flush=True)
            except OSError:
                self._total = 0
