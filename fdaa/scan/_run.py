"""A whole scan: names and options in; pieces of output, counts or failures out."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from itertools import accumulate, repeat
from math import ceil
from typing import TYPE_CHECKING, TypeAlias

from fdaa.scan import _report as report
from fdaa.scan import _workers as workers
from fdaa.scan._blocks import BLOCK, read_blocks
from fdaa.scan._count import Count
from fdaa.scan._matches import Once
from fdaa.scan._report import EVERYTHING, Filter, Piece
from fdaa.scan._sources import (
    PACKED_BLOCK,
    STANDARD_INPUT,
    Failure,
    Opened,
    Source,
    open_source,
    sources,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from fdaa.scan._blocks import Block
    from fdaa.scan._pseudonyms import Pseudonyms
    from fdaa.scan._report import NameOf
    from fdaa.scan._sources import Text
    from fdaa.scan._workers import Part

    Render: TypeAlias = Callable[..., Iterator[Piece]]  # takes blocks, and `line`

# Two processes are faster than one from here on, with room to spare.
_WORTH_WORKERS = 64 * 1024 * 1024
# Parts: a line so long is read here, piece by piece, as what a worker sends is as long.
_LONG = 4


class Show(StrEnum):
    """What is printed of a file.

    Matches, JSON records, whole lines; all text with IDs, with pseudonyms, or with the addresses
    again; or the names of files that have a match, of which no more is read.
    """

    MATCHES = "matches"
    RECORDS = "records"
    LINES = "lines"
    ANNOTATED = "annotated"
    PSEUDONYMIZED = "pseudonymized"
    REVEALED = "revealed"
    FILES = "files"


_PRINTS_TEXT = (Show.LINES, Show.ANNOTATED, Show.PSEUDONYMIZED, Show.REVEALED)


@dataclass(frozen=True, slots=True)
class Options:
    """What a scan is asked for, besides the names.

    Args:
        show: what is printed.
        keep: which addresses.
        numbered: whether matches and lines have the number of their line in front.
        with_name: whether they have the name of their file in front.
        name_of: gives the names of networks, which are printed then.
        pseudonyms: hide or reveal addresses; needed for `PSEUDONYMIZED` and `REVEALED`.
        recursive: whether directories are read.
        jobs: worker processes for a regular file; None for one a core where that is worth it.
        output: the file that pieces are written to, which is not read.
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

    def __post_init__(self) -> None:
        hides = self.show in (Show.PSEUDONYMIZED, Show.REVEALED)
        if hides != (self.pseudonyms is not None):
            raise ValueError("pseudonyms go with PSEUDONYMIZED and REVEALED")


@dataclass(frozen=True, slots=True)
class Converted:
    """A file in UTF-16, of which text is printed: as UTF-8."""

    name: str


Event: TypeAlias = Piece | Failure | Converted


def scan(names: Iterable[str], options: Options | None = None) -> Scan:
    r"""Scan files, and give what is printed of them in pieces, as they are read.

    Args:
        names: of files; `-` is standard input. With `recursive` also of directories.
        options: what is printed.

    >>> import pathlib, tempfile
    >>> log = pathlib.Path(tempfile.mkdtemp(), "log")
    >>> _ = log.write_text("boot\npeer fdaa:0:18::2 refused\n")
    >>> for event in scan([str(log), "missing"], Options(Show.ANNOTATED)):
    ...     print(event.data if isinstance(event, Piece) else event)
    b'boot\npeer fdaa:0:18::2 [0:18] refused\n'
    Failure(name='missing', error=FileNotFoundError(2, 'No such file or directory'))
    """
    return Scan(names, options or Options())


def count(names: Iterable[str], options: Options | None = None) -> Count:
    r"""Count the networks in files; `failures` of the result has what could not be read.

    >>> import pathlib, tempfile
    >>> log = pathlib.Path(tempfile.mkdtemp(), "log")
    >>> _ = log.write_text("fdaa:0:18::2 fdaa:0:18::3 fdaa::3\n" * 2)
    >>> for network in count([str(log)]).networks():
    ...     print(network.network_id, network.matches, network.addresses)
    0:18 4 2
    0:0 2 1
    """
    options = options or Options()
    total = Count(options.keep)
    for event in Scan(names, options, total):
        if isinstance(event, Failure):
            total.failures.append(event)
    return total


class Scan:
    """What is printed of files; iterating reads them.

    Args:
        names, options: as in `scan`.
        count: counts the matches, of which nothing is printed then.

    Attributes:
        done: how many bytes of `total` have been read.
    """

    def __init__(self, names: Iterable[str], options: Options, count: Count | None = None) -> None:
        self.done = 0
        self._options = options
        self._count = count
        self._sources: Iterable[Source | Failure] = sources(names, recursive=options.recursive)

    @cached_property
    def total(self) -> int:
        """The bytes of all files, as far as they are known; ask before the first piece."""
        self._sources = [*self._sources]
        return sum(_size(source.name) for source in self._sources)

    def __iter__(self) -> Generator[Event, None, None]:
        for source in self._sources:
            if isinstance(source, Failure):
                yield source
                continue
            try:
                opened = open_source(source, self._options.output)
            except OSError as error:
                yield Failure(source.name, error)
                continue
            if opened is not None:
                with opened.file:
                    try:
                        yield from self._of_file(opened)
                    except OSError as error:
                        yield Failure(opened.name, error)
                    except MemoryError:
                        yield Failure(opened.name, OSError("there is not enough memory to read it"))

    def _of_file(self, opened: Opened) -> Iterator[Event]:
        begin = opened.file.tell() if opened.size is not None else 0
        text = text_of(opened.file)
        if text.is_utf16 and self._count is None and self._options.show in _PRINTS_TEXT:
            yield Converted(opened.name)
        if self._count is not None:
            self._count.begin_file(opened.name)
        pieces = self._pieces(opened, text, begin)
        if self._options.show is not Show.FILES or self._count is not None:
            yield from pieces
            return
        for piece in pieces:
            if piece.found:
                yield Piece(os.fsencode(opened.name) + b"\n")
                return
            yield Piece(b"", found=False)

    def _pieces(self, opened: Opened, text: Text, begin: int) -> Iterator[Piece]:
        total = self._count
        render = _renderer(self._options, opened.name) if total is None else partial(_read, total)
        jobs = 1 if text.is_packed or text.is_utf16 else self._jobs(opened)
        if jobs > 1 and opened.size is not None:
            try:
                yield from self._by_workers(opened, workers.Part(begin, opened.size), render, jobs)
            except workers.NoWorkersError:
                pass  # nothing was read by them
            else:
                opened.file.seek(0, os.SEEK_END)  # as if it were read here
                return
        before = self.done - begin
        for piece in render(
            read_blocks(text.file, PACKED_BLOCK if text.is_packed else BLOCK), line=1
        ):
            if opened.size is not None:
                self.done = before + opened.file.tell()
            yield piece

    def _by_workers(
        self, opened: Opened, whole: Part, render: Render, jobs: int
    ) -> Iterator[Piece]:
        descriptor = opened.file.fileno()
        if self._count is not None:
            size = min(workers.COUNTED_PART, ceil((whole.end - whole.begin) / jobs))
            counted_parts = [*workers.parts(descriptor, whole, size)]
            count_part = partial(_count_of, descriptor, self._options.keep)
            with workers.in_order(count_part, counted_parts, jobs) as counts:
                for part, counted in zip(counted_parts, counts, strict=True):
                    self._count.add(counted)
                    self.done += part.end - part.begin
                    yield Piece(b"", found=False)
            return
        parts = [*workers.parts(descriptor, whole, workers.PART)]
        lines: Iterable[int] = repeat(1)
        if self._options.numbered or self._options.show in (Show.RECORDS, Show.PSEUDONYMIZED):
            with workers.in_order(partial(_line_feeds, descriptor), parts, jobs) as numbers:
                lines = [*accumulate(numbers, initial=1)]
        numbered = [*zip(parts, lines, strict=False)]
        longest = _LONG * workers.PART
        short = [(part, line) for part, line in numbered if part.end - part.begin <= longest]
        with workers.in_order(partial(_pieces_of, descriptor, render), short, jobs) as results:
            for part, line in numbered:
                if part.end - part.begin > longest:
                    yield from render(workers.read_part(descriptor, part), line=line)
                else:
                    yield from next(results)
                self.done += part.end - part.begin

    def _jobs(self, opened: Opened) -> int:
        if not (hasattr(os, "fork") and opened.size):  # files in /proc have a size of 0
            return 1
        if self._options.jobs is not None:
            return self._options.jobs
        if opened.size <= _WORTH_WORKERS:
            return 1
        return min(workers.cores(), workers.MOST_JOBS)


def _renderer(options: Options, name: str) -> Render:
    """Return what makes the output for a file of this name from its blocks."""
    front = os.fsencode(name) + b":" if options.with_name else b""
    keep, name_of = options.keep, options.name_of
    if options.pseudonyms is not None:
        pseudonyms = options.pseudonyms
        if options.show is Show.REVEALED:
            return partial(report.replace, report.replacements(pseudonyms.reveal), None)
        return partial(report.replace, report.replacements(pseudonyms.hide), name)
    if options.show is Show.RECORDS:
        return partial(report.records, report.match_fields(keep, name_of=name_of), name)
    if options.show is Show.ANNOTATED:
        return partial(report.annotate, report.labels(keep, name_of=name_of))
    if options.show is Show.LINES:
        table = Once(keep.judge)
        return partial(report.lines, table, front=front, numbered=options.numbered)
    if options.numbered:
        return partial(report.numbered_matches, report.match_lines(keep, name_of=name_of), front)
    return partial(report.matches, report.match_lines(keep, front=front, name_of=name_of))


def _read(total: Count, blocks: Iterable[Block], line: int) -> Iterator[Piece]:  # noqa: ARG001
    for block in blocks:
        total.read(block)
        yield Piece(b"", found=False)


# --- in a worker ----------------------------------------------------------------------------------


def _pieces_of(descriptor: int, render: Render, numbered: tuple[Part, int]) -> list[Piece]:
    part, line = numbered
    return [*render(workers.read_part(descriptor, part), line=line)]


def _line_feeds(descriptor: int, part: Part) -> int:
    blocks = workers.read_part(descriptor, part)
    return sum(block.raw.count(b"\n", block.begin, block.end) for block in blocks)


def _count_of(descriptor: int, keep: Filter, part: Part) -> Count:
    counted = Count(keep)
    for block in workers.read_part(descriptor, part):
        counted.read(block)
    return counted


def _size(name: str) -> int:
    """Return the bytes of a file, 0 if that cannot be known before it is read."""
    try:
        return os.stat(0 if name == STANDARD_INPUT else name).st_size  # noqa: PTH116 - a name
    except OSError:
        return 0
