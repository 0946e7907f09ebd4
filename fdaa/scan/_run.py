"""A whole scan: names and options in; pieces of output, counts or failures out."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from itertools import accumulate, repeat
from math import ceil
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from fdaa.scan import _report as report
from fdaa.scan import _workers as workers
from fdaa.scan._blocks import read_blocks
from fdaa.scan._count import Count
from fdaa.scan._pieces import Front, Piece, name_of_file
from fdaa.scan._report import EVERYTHING, Filter
from fdaa.scan._sources import STANDARD_INPUT, Failure, find_files, open_source

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from fdaa.scan._pseudonyms import Pseudonyms
    from fdaa.scan._report import NameOf, Render
    from fdaa.scan._sources import Source
    from fdaa.scan._workers import Part

# Parts: a file with a line so long is read by one process, as what a worker sends is as long.
_LONG = 4


class Show(StrEnum):
    """The output for a file.

    Matches, JSON records, whole lines; all text with IDs, with pseudonyms, or with the original
    addresses; or the names of files with a match, which are read only up to it.
    """

    MATCHES = "matches"
    RECORDS = "records"
    LINES = "lines"
    ANNOTATED = "annotated"
    PSEUDONYMIZED = "pseudonymized"
    REVEALED = "revealed"
    FILES = "files"


_PRINTS_TEXT = (Show.LINES, Show.ANNOTATED, Show.PSEUDONYMIZED, Show.REVEALED)
_NOTHING = Piece(b"", found=False)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a scan.

    Args:
        show: the output.
        keep: the addresses to keep.
        numbered: whether matches and lines start with their line number.
        with_name: whether they start with the name of their file.
        name_of: returns the names of networks, to be printed.
        pseudonyms: pseudonymize or reveal addresses; needed for `PSEUDONYMIZED` and `REVEALED`.
        recursive: whether directories are read.
        jobs: worker processes for a regular file; None for one per core if the file is large
            enough.
        output: the file that pieces are written to, which is not read.
        marked: whether pieces have marks, for colours.
    """

    show: Show = Show.MATCHES
    keep: Filter = EVERYTHING
    numbered: bool = False
    with_name: bool = False
    name_of: NameOf | None = None
    pseudonyms: Pseudonyms | None = None
    recursive: bool = False
    jobs: int | None = 1
    output: os.stat_result | None = None
    marked: bool = False


class Converted(NamedTuple):
    """A file in UTF-16, whose text is printed as UTF-8."""

    name: str


Event: TypeAlias = Piece | Failure | Converted


class Scan:
    r"""The output for files, in pieces: iterating reads them.

    Args:
        names: file names; `-` is standard input. With `recursive`, also directories.
        options: the options.
        count: counts the matches, which are then not printed.

    Attributes:
        done: how many bytes of `total` have been read.

    >>> import pathlib, tempfile
    >>> log = pathlib.Path(tempfile.mkdtemp(), "log")
    >>> _ = log.write_text("boot\npeer fdaa:0:18::2 refused\n")
    >>> for event in Scan([str(log), "missing"], Options(Show.ANNOTATED)):
    ...     print(event.data if isinstance(event, Piece) else event)
    b'boot\npeer fdaa:0:18::2 [0:18] refused\n'
    Failure(name='missing', error=FileNotFoundError(2, 'No such file or directory'))
    """

    def __init__(
        self, names: Iterable[str], options: Options | None = None, count: Count | None = None
    ) -> None:
        options = options or Options()
        self.done: int = 0
        self._options = options
        self.count = count
        self._files: Iterable[str | Failure] = find_files(names, recursive=options.recursive)

    @cached_property
    def total(self) -> int:
        """The bytes of all files, as far as they are known; read this before the first piece."""
        self._files = list(self._files)
        size = 0
        for file in self._files:
            if isinstance(file, Failure):
                continue
            source: str | int = 0 if file == STANDARD_INPUT else file
            if os.path.isfile(source):
                size += os.path.getsize(source)
        return size

    def __iter__(self) -> Generator[Event, None, None]:
        for file in self._files:
            if isinstance(file, Failure):
                yield file
                continue
            try:
                yield from self._of_file(file)
            except OSError as error:
                yield Failure(file, error)
            except MemoryError:
                yield Failure(file, OSError("not enough memory to read it"))

    def _of_file(self, name: str) -> Iterator[Event]:
        with open_source(name, self._options.output) as source:
            before = self.done
            for event in self._events(name, source):
                self.done = before + source.position()
                yield event

    def _events(self, name: str, source: Source) -> Iterator[Event]:
        options = self._options
        jobs = self._jobs(source)
        if self.count is not None:
            self.count.begin_file(name)
            yield from _counted(source, self.count, options.keep, jobs)
            return
        if source.is_utf_16 and options.show in _PRINTS_TEXT:
            yield Converted(name)
        render = _renderer(options, name)
        if jobs > 1:
            pieces = _by_workers(source, options, render, jobs)
        else:
            pieces = render(read_blocks(source.text), 1)
        if options.show is Show.FILES:
            if any(piece.found for piece in pieces):
                yield name_of_file(_in_one_line(name), marked=options.marked)
            else:
                yield _NOTHING
        else:
            yield from pieces

    def _jobs(self, source: Source) -> int:
        is_plain = source.text is source.file and hasattr(os, "fork")
        # Files in /proc have a size of 0, and standard input may be at its end.
        if not is_plain or not source.size or source.position() == source.size:
            return 1
        if self._options.jobs is None:
            return workers.default_jobs(source.size)
        return self._options.jobs


def _renderer(options: Options, name: str) -> Render:
    """Return the function from blocks to output for a file of this name."""
    keep = options.keep
    name_of = options.name_of
    if options.pseudonyms is not None:
        if options.show is Show.REVEALED:
            return report.replace(options.pseudonyms.reveal)
        return report.replace(options.pseudonyms.pseudonymize, name)
    if options.show is Show.RECORDS:
        return report.records(name, keep, name_of)
    if options.show is Show.ANNOTATED:
        return report.annotate(keep, name_of)
    front = Front(_in_one_line(name) if options.with_name else b"", numbered=options.numbered)
    if options.show is Show.LINES:
        render = report.lines(keep, front)
    else:
        render = report.matches(keep, front, name_of)
    if options.marked:
        return report.with_marks(render, keep, front)
    return render


def _in_one_line(name: str) -> bytes:
    """Return the name of a file for the output; a line feed in it would begin another line."""
    return os.fsencode(name).replace(b"\n", rb"\n")


# --- with workers ---------------------------------------------------------------------------------


def _by_workers(source: Source, options: Options, render: Render, jobs: int) -> Iterator[Piece]:
    parts = list(workers.parts(source.file, workers.PART))
    longest = max((part.end - part.begin for part in parts), default=0)  # none at the end of a file
    if longest > _LONG * workers.PART:
        yield from render(read_blocks(source.text), 1)
        return
    lines: Iterable[int] = repeat(1)  # the number of the first line of each part
    if options.numbered or options.show in (Show.RECORDS, Show.PSEUDONYMIZED):
        numbers = workers.in_order(workers.Part.line_feeds, parts, jobs)
        lines = list(accumulate(numbers, initial=1))
    numbered = list(zip(parts, lines, strict=False))
    with closing(workers.in_order(partial(_pieces_of, render), numbered, jobs)) as results:
        for part, pieces in zip(parts, results, strict=True):
            source.file.seek(part.end)  # as if it were read here
            yield from pieces


def _pieces_of(render: Render, numbered: tuple[Part, int]) -> list[Piece]:
    part, line = numbered
    return list(render(part.blocks(), line))


def _counted(source: Source, total: Count, keep: Filter, jobs: int) -> Iterator[Piece]:
    """Count a file. After Ctrl-C, `total` has the counts of all that was read before."""
    if jobs > 1:
        yield from _counted_by_workers(source, total, keep, jobs)
        return
    for block in read_blocks(source.text):
        with workers.ctrl_c_later():
            total.read(block)
        yield _NOTHING


def _counted_by_workers(source: Source, total: Count, keep: Filter, jobs: int) -> Iterator[Piece]:
    """Count a file by parts. After Ctrl-C, `total` has the counts of whole parts."""
    size = min(workers.COUNTED_PART, ceil((source.size or 0) / jobs))
    parts = list(workers.parts(source.file, size))
    with closing(workers.in_order(partial(_count_of, keep), parts, jobs)) as counts:
        for part, counted in zip(parts, counts, strict=True):
            with workers.ctrl_c_later():
                total.add(counted)
            source.file.seek(part.end)
            yield _NOTHING


def _count_of(keep: Filter, part: Part) -> Count:
    counted = Count(keep)
    for block in part.blocks():
        counted.read(block)
    return counted
