"""Scans files and prints what is asked for; without click, which takes longer to load than this."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from fdaa import _bits as layout
from fdaa.cli import _render as output
from fdaa.cli._files import STANDARD_INPUT, open_source, walk
from fdaa.cli._progress import WORTH_A_BAR, Progress, can_show_progress
from fdaa.cli._streams import NO, WRONG, YES, CommandError, complain, printable, raw_output
from fdaa.scan import _report as scan_output
from fdaa.scan._report import EVERYTHING, Filter
from fdaa.scan._rules import read_blocks
from fdaa.scan._scratch import ScratchError
from fdaa.scan._sources import Watched, is_packed, unpacked

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterator

    from fdaa.address import Address
    from fdaa.cli._files import Source
    from fdaa.networks._book import Book
    from fdaa.scan._count import Count, Place
    from fdaa.scan._report import Output

# Two processes are faster than one from here on, with room to spare.
WORTH_WORKERS = 64 * 1024 * 1024


def scan_files(
    names: tuple[str, ...],
    *,
    numbered: bool = False,
    with_name: bool | None = None,
    as_json: bool = False,
    count: bool = False,
    lines: bool = False,
    annotate: bool = False,
    other: Callable[[Address], Address] | None = None,
    keep: Filter = EVERYTHING,
    book: Book | None = None,
    recursive: bool = False,
    jobs: int | None = None,
    no_progress: bool = False,
) -> int:
    """Scan files as the options of `fdaa scan` say, which have the same names.

    Args:
        names: of the files.
        other: what gives the other address to replace one with, if that is wanted.
        keep: which addresses are kept.
        book: tells the names of networks.

    Returns:
        The exit status.
    """
    name_of = None if book is None else book.name_of
    named = len(names) > 1 or recursive if with_name is None else with_name

    def rendering(name: str) -> _Rendering:
        front = os.fsencode(name) if named else None
        if as_json:
            record = partial(scan_output.records, name=output.as_input(name))
            return _Rendering(partial(record, keep=keep, name_of=name_of), True)
        if annotate:
            return _Rendering(partial(scan_output.annotate, keep=keep, name_of=name_of), False)
        if other is not None:
            return _Rendering(partial(scan_output.replace, other=other), False)
        if lines:
            show = partial(scan_output.lines, keep=keep)
        else:
            show = partial(scan_output.matches, keep=keep, name_of=name_of)
        return _Rendering(partial(show, name=front, numbered=numbered), numbered)

    counted = None
    if count:
        from fdaa.scan._count import Count

        counted = Count(keep)
    run = _Run(rendering, counted, jobs)
    # glibc returns large pieces of memory to the system, and gets the next block's anew, which is
    # a tenth of the time; it keeps them once a larger one was returned. This one is never touched.
    bytes(16 * 1024 * 1024)
    run.read(names, recursive, progress=not no_progress and can_show_progress())
    if counted is not None:
        _print_counts(counted, as_json, book)
        run.found = bool(counted)
    return WRONG if run.failed else YES if run.found else NO


class _Rendering(NamedTuple):
    """A function of `fdaa.scan._report` with its options, and whether it counts lines."""

    render: Callable[..., Output]
    numbered: bool


class _Run:
    """Reads files, prints what is asked for, and notes what happened.

    Args:
        rendering: what is printed of the file of a name.
        counted: what counts instead, if anything.
        jobs: how many workers; None for as many as it is worth.
    """

    def __init__(
        self, rendering: Callable[[str], _Rendering], counted: Count | None, jobs: int | None
    ) -> None:
        self.found = False
        self.failed = False
        self._rendering = rendering
        self._counted = counted
        self._jobs = jobs
        self._watch: Callable[[int], None] | None = None
        self._write = raw_output()

    def read(self, names: tuple[str, ...], recursive: bool, *, progress: bool) -> None:
        """Read files, and directories with `recursive`; with a bar where that is worth it."""
        files = walk(names, recursive, self._fail)
        if progress:
            known = list(files)
            total = sum(map(_size, known))
            progress = total > WORTH_A_BAR
            files = iter(known)
        if progress:
            with Progress(total) as bar:
                self._watch = bar.advance
                self._read_all(files)
        else:
            self._read_all(files)
        self._write(b"")  # what a terminal has of a character that is cut off

    def _read_all(self, names: Iterator[str]) -> None:
        for name in names:
            try:
                source = open_source(name)
            except OSError as error:
                self._fail(name, error)
            else:
                with source.file:
                    self._read_one(source)

    def _fail(self, name: str, error: OSError) -> None:
        name = "standard input" if name == STANDARD_INPUT else name
        hint = ", and --recursive is not given" if isinstance(error, IsADirectoryError) else ""
        complain(f"{name}: {error.strerror or error}{hint}")
        self.failed = True

    def _read_one(self, source: Source) -> None:
        # Who follows a stream waits for each piece; of a file that is there already many are
        # written at once, which saves a twentieth of the time.
        room = 0 if source.size is None else _WRITTEN_AT_ONCE
        held: list[bytes] = []
        size = 0

        def write() -> None:
            data = b"".join(held)
            held.clear()
            self._write(data)

        pieces = self._pieces(source)
        try:
            while True:
                # Reading and writing take turns, and each has its own errors.
                try:
                    piece = next(pieces)
                except StopIteration as end:
                    self.found = self.found or end.value
                    return
                except OSError as error:
                    write()
                    self._fail(source.name, error)
                    return
                except MemoryError:
                    write()
                    self._fail(source.name, OSError("there is not enough memory to read it"))
                    return
                except ScratchError as error:
                    raise CommandError(str(error)) from None
                held.append(piece)
                size += len(piece)
                if size > room:
                    write()
                    size = 0
        finally:
            if held:
                write()

    def _pieces(self, source: Source) -> Output:
        raw: io.RawIOBase = Watched(source.file, self._watch) if self._watch else source.file
        jobs = self._workers(source)
        file = unpacked(raw)
        if jobs > 1 and not is_packed(file):
            return (yield from self._pieces_of_workers(source, jobs))
        if self._counted is not None:
            self._counted.read(read_blocks(file), source.name)
            return False
        render, _ = self._rendering(source.name)
        return (yield from render(read_blocks(file)))

    def _pieces_of_workers(self, source: Source, jobs: int) -> Output:
        from fdaa.scan import _workers as scan_jobs

        path = source.name
        if source.name == STANDARD_INPUT:
            path = _STANDARD_INPUT_PATH
            source.file.seek(0, os.SEEK_END)  # as if it were read here: a second - finds nothing
        if self._counted is not None:
            keep = self._counted.keep
            counted = scan_jobs.count(path, source.name, jobs, keep, watch=self._watch)
            self._counted.add(counted)
            return False
        render, numbered = self._rendering(source.name)
        return (
            yield from scan_jobs.output(path, render, jobs, numbered=numbered, watch=self._watch)
        )

    def _workers(self, source: Source) -> int:
        """Return how many processes read a source: more than one only if it can be cut up."""
        if source.size is None:
            return 1
        if source.name == STANDARD_INPUT and (source.file.tell() or not _can_be_opened_again()):
            return 1
        if self._jobs is None and source.size <= WORTH_WORKERS:
            return 1
        return (self._jobs or _cores()) if hasattr(os, "fork") else 1


_WRITTEN_AT_ONCE = 256 * 1024

# Opened again, the file has an offset of its own.
_STANDARD_INPUT_PATH = "/proc/self/fd/0"


def _can_be_opened_again() -> bool:
    """Whether standard input has a name; whoever opened it may have had other rights than this."""
    try:
        os.close(os.open(_STANDARD_INPUT_PATH, os.O_RDONLY))
    except OSError:
        return False
    return True


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _size(name: str) -> int:
    """Return the bytes of a file, 0 if that cannot be known before it is read."""
    try:
        return os.fstat(0).st_size if name == STANDARD_INPUT else os.stat(name).st_size  # noqa: PTH116
    except OSError:
        return 0


def _print_counts(counted: Count, as_json: bool, book: Book | None) -> None:
    head = ("NETWORK", "MATCHES", "ADDRESSES", "FIRST", "LAST")
    rows = []
    for each in counted.networks():
        name = None if book is None else book.name_of(each.network_id)
        if as_json:
            fields = {
                "network_id": str(each.network_id),
                "network_id_int": int(each.network_id),
                "prefix": f"{each.network_id.address()}/{layout.NETWORK_PREFIX_LENGTH}",
                "matches": each.matches,
                "addresses": each.addresses,
                "first": _place_fields(each.first),
                "last": _place_fields(each.last),
            }
            if book is not None:
                fields[output.NETWORK_NAME] = name
            sys.stdout.write(output.json_line(fields))
        else:
            network = f"{each.network_id} {name}" if name else str(each.network_id)
            numbers = (str(each.matches), str(each.addresses))
            rows.append((network, *numbers, _place(each.first), _place(each.last)))
    sys.stdout.writelines(output.table(rows, head))


def _place(place: Place) -> str:
    return printable(f"{place.file}:{place.line}")


def _place_fields(place: Place) -> dict[str, str | int]:
    return {"file": output.as_input(place.file), "line": place.line}
