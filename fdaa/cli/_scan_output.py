"""Writes the output of a scan: its pieces, progress bar, failures and counts."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from fdaa._escapes import printable, quote
from fdaa._id_text import id_fields
from fdaa.address import NetworkID
from fdaa.cli._exit_status import NO, WRONG, YES
from fdaa.cli._progress import Progress
from fdaa.cli._render import NETWORK_NAME, as_input, counted, json_line, uses_colour
from fdaa.cli._streams import complain, raw_output
from fdaa.scan import STANDARD_INPUT, Converted, Count, Failure, Piece, Scan, find_addresses

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fdaa.networks import Book
    from fdaa.scan import NetworkCount, Options

_MATCH_BEGINS, _MATCH_ENDS = b"\x1b[1;31m", b"\x1b[0m"
_SHOWN_PLACES = 5


def write(run: Scan, *, bar: bool, quiet: bool, strict: bool) -> int:
    """Write the output of a scan, and return the exit status.

    Args:
        run: the scan.
        bar: whether to show the progress, where standard error is a terminal.
        quiet: stop at the first match, and write nothing.
        strict: whether a place that was left unchanged is an error.
    """
    progress = Progress(run.total if bar and sys.stderr and sys.stderr.isatty() else 0)
    writer = _Writer(progress)
    found = failed = False
    unchanged = 0
    places: dict[str, None] = {}  # the first of them, each once
    with closing(iter(run)) as events:
        for event in events:
            if isinstance(event, Failure):
                failed = True
                writer.fail(event)
            elif isinstance(event, Converted):
                writer.note(event.name, "UTF-16, printed as UTF-8")
            elif quiet and event.found:
                return YES
            elif not quiet:
                found = found or event.found
                unchanged += len(event.unchanged)
                if len(places) <= _SHOWN_PLACES:
                    places |= dict.fromkeys(event.unchanged)
                writer.write(event)
            progress.show(run.done)
    writer.end()
    if unchanged:
        shown = [*places][:_SHOWN_PLACES] + ["..."] * (len(places) > _SHOWN_PLACES)
        complain(f"left {counted(unchanged, 'place')} with 'fdaa' unchanged: {', '.join(shown)}")
    if failed or (unchanged and strict):
        return WRONG
    return YES if found else NO


class _Writer:
    """Writes pieces, and notes between them."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._write = raw_output()
        self._has_colour = uses_colour()
        self._in_line = False

    def write(self, piece: Piece) -> None:
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
        self._in_line = not piece.data.endswith(b"\n")

    def fail(self, failure: Failure) -> None:
        name, error = failure.name, failure.error
        hint = ""
        if isinstance(error, IsADirectoryError):
            hint = "; use --recursive"
        elif isinstance(error, FileNotFoundError) and any(find_addresses(name)):
            hint = f"; to read an address: fdaa decode {quote(name)}"
        if self._in_line:
            self.write(Piece(b"\n"))
        self.note(name, f"{error.strerror or error}{hint}")

    def note(self, name: str, text: str) -> None:
        sys.stdout.buffer.flush()
        self._progress.clear()
        complain(f"{'standard input' if name == STANDARD_INPUT else name}: {text}")

    def end(self) -> None:
        self._write(b"")  # the rest of a character that is cut off
        self._progress.end()


def output_file() -> os.stat_result | None:
    """Return the file that standard output is, if it is one."""
    try:
        return os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):
        return None


# --- what was counted ----------------------------------------------------------------------------


def write_counts(
    names: Iterable[str], options: Options, book: Book | None, *, bar: bool, as_json: bool
) -> int:
    """Print how often each network occurs, and return the exit status.

    Args:
        names, options: as in `fdaa.scan.scan`.
        book: the names of the networks, if a book is given.
        bar: as in `write`.
        as_json: whether to print JSON Lines in place of a table.
    """
    total = Count(options.keep)
    status = write(Scan(names, options, total), bar=bar, quiet=False, strict=False)
    _print_counts(total, book, as_json)
    if status == WRONG or not total.network_ids:
        return status
    return YES


def _print_counts(total: Count, book: Book | None, as_json: bool) -> None:
    """Print the counts line by line, as there may be a million networks."""
    line = ""
    for row in total.networks():
        if as_json:
            sys.stdout.write(json_line(_fields(row, book)))
            continue
        if not line:
            line = _line_format(total, row, book)
            sys.stdout.write(line.format("NETWORK", "MATCHES", "ADDRESSES", "FIRST"))
        network = _with_name(row.network_id, book)
        place = printable(f"{row.file}:{row.line}")
        sys.stdout.write(line.format(network, row.matches, row.addresses, place))


def _line_format(total: Count, first: NetworkCount, book: Book | None) -> str:
    """Return the format of the table's lines; the first row has the largest numbers."""
    longest = max(len(_with_name(NetworkID(id_), book)) for id_ in total.network_ids)
    networks = max(longest, len("NETWORK"))
    matches = max(len(str(first.matches)), len("MATCHES"))
    return f"{{:{networks}}}  {{:<{matches}}}  {{:<9}}  {{}}\n"


def _with_name(network_id: NetworkID, book: Book | None) -> str:
    name = None if book is None else book.name_of(network_id)
    if name is None:
        return str(network_id)
    return f"{network_id} {name}"


def _fields(row: NetworkCount, book: Book | None) -> dict[str, object]:
    fields: dict[str, object] = {
        **id_fields(row.network_id),
        "prefix": str(row.network_id.prefix),
        "matches": row.matches,
        "addresses": row.addresses,
        "first": {"file": as_input(row.file), "line": row.line},
    }
    if book is not None:
        fields[NETWORK_NAME] = book.name_of(row.network_id)
    return fields
