"""Runs a scan: names in, bytes out, and what could not be read on standard error."""

from __future__ import annotations

import io
import os
import sys
from contextlib import closing, suppress
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from fdaa.cli._count_table import print_counts
from fdaa.cli._exit_status import NO, WRONG, YES
from fdaa.cli._progress import Progress
from fdaa.cli._render import as_input, counted, uses_colour
from fdaa.cli._streams import complain, raw_output
from fdaa.scan import _report as report
from fdaa.scan import _workers as workers
from fdaa.scan._blocks import BLOCK, read_blocks
from fdaa.scan._count import Count
from fdaa.scan._matches import Once
from fdaa.scan._report import Piece
from fdaa.scan._sources import (
    PACKED_BLOCK,
    STANDARD_INPUT,
    Opened,
    Source,
    Unreadable,
    open_source,
    sources,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from fdaa.networks import Book
    from fdaa.scan import Pseudonyms
    from fdaa.scan._report import Filter

# Two processes are faster than one from here on, with room to spare.
WORTH_WORKERS = 64 * 1024 * 1024
_MATCH_BEGINS, _MATCH_ENDS = b"\x1b[1;31m", b"\x1b[0m"
_SHOWN_PLACES = 5


class Kind(StrEnum):
    """What is printed."""

    MATCHES = "matches"
    RECORDS = "records"
    COUNT = "count"
    LINES = "lines"
    ANNOTATED = "annotated"
    PSEUDONYMIZED = "pseudonymized"
    REVEALED = "revealed"
    FILES = "files"
    NOTHING = "nothing"


_TEXT_KINDS = (Kind.LINES, Kind.ANNOTATED, Kind.PSEUDONYMIZED, Kind.REVEALED)


class Options(NamedTuple):
    """What `fdaa scan` is asked for, besides the names."""

    kind: Kind
    numbered: bool
    with_name: bool
    as_json: bool
    keep: Filter
    book: Book | None
    pseudonyms: Pseudonyms | None
    strict: bool
    jobs: int | None


def scan_files(names: tuple[str, ...], options: Options, *, recursive: bool, progress: bool) -> int:
    """Scan files, and directories with `recursive`; return the exit status."""
    run = _Run(options)
    run.read(names, recursive=recursive, progress=progress)
    if options.kind is Kind.COUNT:
        print_counts(run.count, options.book, as_json=options.as_json)
        run.found = bool(run.count.network_ids)
    if options.kind is Kind.NOTHING and run.found:
        return YES
    left = run.unchanged
    if left:
        places = run.first_unchanged[:_SHOWN_PLACES]
        places += ["..."] * (len(run.first_unchanged) > _SHOWN_PLACES)
        complain(f"left {counted(left, 'place')} with 'fdaa' unchanged: {', '.join(places)}")
    if run.failed or (left and options.strict):
        return WRONG
    return YES if run.found else NO


def _renderer(options: Options, name: str) -> Callable[..., Iterator[Piece]]:
    """Return what makes the output for a file of this name from its blocks."""
    front = os.fsencode(name) + b":" if options.with_name else b""
    keep, book, pseudonyms = options.keep, options.book, options.pseudonyms
    name_of = None if book is None else book.name_of
    if pseudonyms is not None:
        reveals = options.kind is Kind.REVEALED
        table = report.replacements(pseudonyms.reveal if reveals else pseudonyms.hide)
        return partial(report.replace, table)
    if options.kind is Kind.RECORDS:
        return partial(report.records, report.match_fields(keep, name_of=name_of), as_input(name))
    if options.kind is Kind.ANNOTATED:
        return partial(report.annotate, report.labels(keep, name_of=name_of))
    if options.kind is Kind.LINES:
        numbered, mark = options.numbered, uses_colour()
        return partial(report.lines, Once(keep.judge), front=front, numbered=numbered, mark=mark)
    if options.numbered:
        table_of_lines = report.match_lines(keep, name_of=name_of)
        return partial(report.numbered_matches, table_of_lines, front)
    return partial(report.matches, report.match_lines(keep, front=front, name_of=name_of))


class _Watched(io.RawIOBase):
    """A file whose reading moves a bar."""

    def __init__(self, file: io.RawIOBase, progress: Progress) -> None:
        self._file = file
        self._progress = progress

    # Python gives it a memoryview; typeshed says any buffer.
    def readinto(self, buffer: memoryview) -> int | None:  # type: ignore[override]
        count = self._file.readinto(buffer)
        self._progress.advance(count or 0)
        return count


class _Run:
    """Reads files, prints what is asked for, and notes what happened."""

    def __init__(self, options: Options) -> None:
        self.found = False
        self.failed = False
        self.count = Count(options.keep)
        self.unchanged = 0
        self.first_unchanged: list[str] = []
        self._options = options
        self._write = raw_output()
        self._last = b""  # of what was written
        self._progress = Progress(0)

    def read(self, names: tuple[str, ...], *, recursive: bool, progress: bool) -> None:
        """Read what has these names; with a bar where that is worth it."""
        found: Iterable[Source | Unreadable] = sources(names, recursive=recursive)
        if progress:
            found = list(found)
            total = sum(_size(source.name) for source in found)
            self._progress = Progress(total)
        for source in found:
            if isinstance(source, Unreadable):
                self._fail(source.name, source.error)
            else:
                self._read_one(source)
            if self.found and self._options.kind is Kind.NOTHING:
                break
        self._write(b"")  # what a terminal has of a character that is cut off
        self._progress.show()
        self._progress.clear()

    def _fail(self, name: str, error: OSError) -> None:
        hint = "; --recursive reads it" if isinstance(error, IsADirectoryError) else ""
        self._progress.clear()
        complain(f"{_shown(name)}: {error.strerror or error}{hint}")
        self.failed = True

    def _read_one(self, source: Source) -> None:
        try:
            opened = open_source(source, _output_file())
        except OSError as error:
            self._fail(source.name, error)
            return
        if opened is None:
            return
        with opened.file, closing(self._pieces(opened)) as pieces:
            for piece in pieces:
                self._take(piece, opened)
        sys.stdout.buffer.flush()

    def _take(self, piece: Piece, opened: Opened) -> None:
        self.found = self.found or piece.found
        unchanged = piece.unchanged if self._options.kind is Kind.PSEUDONYMIZED else ()
        self.unchanged += len(unchanged)
        for line in unchanged:
            place = f"{opened.name}:{line}"
            if len(self.first_unchanged) <= _SHOWN_PLACES and place not in self.first_unchanged:
                self.first_unchanged.append(place)
        if not piece.data:
            return
        if piece.is_match:
            sys.stdout.buffer.write(_MATCH_BEGINS)
        self._write(piece.data)
        if piece.is_match:
            sys.stdout.buffer.write(_MATCH_ENDS)
        self._last = piece.data[-1:]
        if opened.size is None:  # who follows a stream waits for each piece
            sys.stdout.buffer.flush()

    def _pieces(self, opened: Opened) -> Generator[Piece, None, None]:
        """Yield what is printed of a file; of `found` alone, no more is read than tells it."""
        pieces = self._all_pieces(opened)
        try:  # of reading only: an error of writing is raised where the pieces are taken
            if self._options.kind not in (Kind.FILES, Kind.NOTHING):
                yield from pieces
            elif any(piece.found for piece in pieces):
                is_name = self._options.kind is Kind.FILES
                yield Piece(os.fsencode(opened.name) + b"\n" if is_name else b"")
        except (OSError, MemoryError) as error:
            if self._last not in (b"", b"\n"):
                self._write(b"\n")
                self._last = b"\n"
            sys.stdout.buffer.flush()
            if isinstance(error, MemoryError):
                error = OSError("there is not enough memory to read it")
            self._fail(opened.name, error)

    def _all_pieces(self, opened: Opened) -> Generator[Piece, None, None]:
        begin = opened.file.tell() if opened.size is not None else 0
        text = text_of(_Watched(opened.file, self._progress))
        if text.is_utf16 and self._options.kind in _TEXT_KINDS:
            self._progress.clear()
            complain(f"{_shown(opened.name)}: UTF-16, printed as UTF-8")
        self.count.begin_file(opened.name)
        jobs = 1 if text.is_packed or text.is_utf16 else self._jobs(opened)
        if jobs > 1 and opened.size is not None:
            whole = workers.Part(begin, opened.size)
            with suppress(workers.NoWorkersError):
                yield from self._pieces_of_workers(opened, whole, jobs)
                opened.file.seek(0, os.SEEK_END)  # as if it were read here
                return
        blocks = read_blocks(text.file, PACKED_BLOCK if text.is_packed else BLOCK)
        if self._options.kind is Kind.COUNT:
            for block in blocks:
                self.count.read(block)
        else:
            yield from _renderer(self._options, opened.name)(blocks, line=1)

    def _pieces_of_workers(self, opened: Opened, whole: workers.Part, jobs: int) -> Iterator[Piece]:
        descriptor = opened.file.fileno()
        if self._options.kind is Kind.COUNT:
            with closing(workers.count(descriptor, whole, self._options.keep, jobs)) as parts:
                for counted, size in parts:
                    self.count.add(counted)
                    self._progress.advance(size)
            return
        render = _renderer(self._options, opened.name)
        tells_lines = self._options.kind in (Kind.RECORDS, Kind.PSEUDONYMIZED)
        numbered = self._options.numbered or tells_lines
        output = workers.output(descriptor, whole, render, jobs, numbered=numbered)
        with closing(output) as answers:
            for pieces, size in answers:
                yield from pieces
                self._progress.advance(size)

    def _jobs(self, opened: Opened) -> int:
        if not (hasattr(os, "fork") and opened.size):  # files in /proc have a size of 0
            return 1
        if self._options.jobs is not None:
            return self._options.jobs
        if opened.size <= WORTH_WORKERS:
            return 1
        return min(workers.cores(), workers.MOST)


def _shown(name: str) -> str:
    return "standard input" if name == STANDARD_INPUT else name


def _output_file() -> os.stat_result | None:
    """Return what standard output is, if it is a file."""
    try:
        return os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):
        return None


def _size(name: str) -> int:
    """Return the bytes of a file, 0 if that cannot be known before it is read."""
    try:
        return os.stat(0 if name == STANDARD_INPUT else name).st_size  # noqa: PTH116 - a name
    except OSError:
        return 0
