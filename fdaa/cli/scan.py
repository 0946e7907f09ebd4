"""`fdaa scan`: the addresses in any text, and their networks."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from fdaa import layout
from fdaa.cli import output
from fdaa.cli.files import STANDARD_INPUT, open_source, walk
from fdaa.cli.naming import book_option, network_id_of, open_book
from fdaa.cli.own import this_machine
from fdaa.cli.process import NO, WRONG, YES, complain, printable, raw_output
from fdaa.cli.progress import WORTH_A_BAR, Progress, can_show_progress
from fdaa.scratch import ScratchError

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterator

    from fdaa.book import Book
    from fdaa.cli.files import Source
    from fdaa.scan_count import Count, Place
    from fdaa.scan_output import Output

# Two processes are faster than one from here on, with room to spare.
WORTH_WORKERS = 64 * 1024 * 1024


@click.command(
    epilog="""\b
Examples:
  $ journalctl | fdaa scan
  $ fdaa scan --count --recursive /var/log
  $ fdaa scan --network self --invert-match --lines app.log
  $ fdaa scan --pseudonymize app.log > public.log

Exit status: 0 an address was found, 1 none, 2 a file could not be read."""
)
@click.argument("names", metavar="[FILE|-]...", nargs=-1)
@click.option("numbered", "-n", "--line-number", is_flag=True, help="Print the line's number.")
@click.option(
    "with_name",
    "--with-filename/--no-filename",
    default=None,
    help="Print the file's name, or not.  [default: with several files]",
)
@click.option("as_json", "--json", is_flag=True, help="Print a JSON object a line.")
@click.option("count", "-c", "--count", is_flag=True, help="Print a table of the networks instead.")
@click.option("lines", "--lines", is_flag=True, help="Print the lines that hold an address, whole.")
@click.option(
    "annotate", "--annotate", is_flag=True, help="Print the whole text, IDs behind the addresses."
)
@click.option(
    "pseudonymize",
    "--pseudonymize",
    is_flag=True,
    help="Print the whole text, with other addresses for the real ones: the same one each time, "
    "and on one network if the real ones are.",
)
@click.option(
    "reveal", "--reveal", is_flag=True, help="Turn --pseudonymize with the same --key round."
)
@click.option(
    "--key",
    metavar="TEXT",
    envvar="FDAA_KEY",
    help="The secret of --pseudonymize, also read from FDAA_KEY; fresh and random if not given.",
)
@click.option(
    "networks",
    "--network",
    metavar="NETWORK",
    multiple=True,
    help="Keep the addresses on this network only: an ID in any form, a name in the book, or self.",
)
@click.option(
    "invert", "-v", "--invert-match", is_flag=True, help="With --network, keep the others."
)
@book_option
@click.option("recursive", "-r", "--recursive", is_flag=True, help="Read directories.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Worker processes for a regular file.  [default: one for each core over 64 MiB]",
)
@click.option("no_progress", "--no-progress", is_flag=True, help="Show no progress bar.")
def scan(
    names: tuple[str, ...],
    numbered: bool,
    with_name: bool | None,
    as_json: bool,
    count: bool,
    lines: bool,
    annotate: bool,
    pseudonymize: bool,
    reveal: bool,
    key: str | None,
    networks: tuple[str, ...],
    invert: bool,
    book_file: str | None,
    recursive: bool,
    jobs: int | None,
    no_progress: bool,
) -> int:
    """Find the private addresses in logs and any other text.

    Each is checked, and printed with its network: address, tab, network ID. Without FILE, or where
    it is -, standard input is read, and what comes is answered at once. Files packed by gzip, bzip2
    or xz are read as what is in them.
    """
    whole = annotate or pseudonymize or reveal
    if sum((annotate, pseudonymize, reveal, lines, count)) > 1 or (as_json and (whole or lines)):
        raise click.UsageError("these options print different things: choose one of them")
    if numbered and (whole or count):
        raise click.UsageError("--line-number goes with matches and with --lines")
    if key is not None and not (pseudonymize or reveal) and _is_typed("key"):
        raise click.UsageError("--key goes with --pseudonymize and --reveal")
    if networks and (pseudonymize or reveal):
        raise click.UsageError("--network does not go with --pseudonymize and --reveal")
    if invert and not networks:
        raise click.UsageError("--invert-match needs a --network")
    if key == "" or (reveal and key is None):
        raise click.UsageError("--reveal needs the --key" if reveal else "the --key is empty")
    from fdaa import scan_output

    book = open_book(book_file)
    name_of = None if book is None else book.name_of
    keep = scan_output.Filter(_network_ids(networks, book), invert)
    names = names or _no_names(recursive)
    named = len(names) > 1 or recursive if with_name is None else with_name

    def rendering(name: str) -> _Rendering:
        front = os.fsencode(name) if named else None
        if as_json:
            record = partial(scan_output.records, name=output.as_input(name))
            return _Rendering(partial(record, keep=keep, name_of=name_of), True)
        if annotate:
            return _Rendering(partial(scan_output.annotate, keep=keep, name_of=name_of), False)
        if pseudonymize or reveal:
            return _Rendering(partial(scan_output.replace, other=other), False)
        if lines:
            show = partial(scan_output.lines, keep=keep)
        else:
            show = partial(scan_output.matches, keep=keep, name_of=name_of)
        return _Rendering(partial(show, name=front, numbered=numbered), numbered)

    if pseudonymize or reveal:
        from fdaa.pseudonym import Pseudonyms

        pseudonyms = Pseudonyms(key.encode("utf-8", "surrogateescape") if key else _fresh_key())
        other = pseudonyms.reveal if reveal else pseudonyms.hide
    counted = None
    if count:
        from fdaa.scan_count import Count

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


def _is_typed(option: str) -> bool:
    """Whether an option was given in the call, and not by a variable."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def _fresh_key() -> bytes:
    return os.urandom(32)


def _no_names(recursive: bool) -> tuple[str, ...]:
    """Return what is read where no file is named: as grep, the directory or standard input."""
    if recursive:
        return (".",)
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("give a file, or text on standard input")
    return (STANDARD_INPUT,)


def _network_ids(networks: tuple[str, ...], book: Book | None) -> frozenset[int]:
    return frozenset(
        this_machine().network_id if network == "self" else network_id_of(network, book)
        for network in networks
    )


class _Rendering(NamedTuple):
    """A function of `fdaa.scan_output` with its options, and whether it counts lines."""

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
                    raise click.ClickException(str(error)) from None
                held.append(piece)
                size += len(piece)
                if size > room:
                    write()
                    size = 0
        finally:
            if held:
                write()

    def _pieces(self, source: Source) -> Output:
        from fdaa.scan import read_blocks
        from fdaa.scan_input import Watched, is_packed, unpacked

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
        from fdaa import scan_jobs

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
