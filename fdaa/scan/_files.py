"""The addresses in files of any size: each with its place, or counted by network."""

# Without `annotations` from `__future__`: annotations of public names must be objects.
import os
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from io import BufferedIOBase, RawIOBase
from typing import IO, Any, TypeAlias

from fdaa._values.address import Address, Prefix
from fdaa._values.checks import check_type, text_of, wrong_type
from fdaa.scan._blocks import Place, read_blocks
from fdaa.scan._count import Count, NetworkCount
from fdaa.scan._expression import judge
from fdaa.scan._matches import value_fields
from fdaa.scan._once import Once
from fdaa.scan._run import Options, Scan
from fdaa.scan._sources import STANDARD_INPUT, Failure, open_source

File: TypeAlias = str | os.PathLike[str] | IO[bytes] | BufferedIOBase | RawIOBase


@dataclass(frozen=True, slots=True)
class FileMatch:
    r"""An address or a network in a file.

    Args:
        value: as in `Match`.
        start, end: where its text begins and ends, in bytes from where the reading began.
        line: the number of its line, from 1. Only `\n` ends a line.
        column: the byte of the line that it begins at, from 1.
        text: the text as it stands in the file.
    """

    value: Address | Prefix
    _: KW_ONLY
    start: int
    end: int
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        """Return the canonical text of the value."""
        return str(self.value)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of a line of `fdaa scan --json`, without the file."""
        place = {"line": self.line, "column": self.column, "text": self.text}
        return {**place, **value_fields(self.value)}


def find_in_file(file: "File") -> Iterator[FileMatch]:
    r"""Find the private addresses in a file, as `find_addresses` does, with their lines.

    An address is yielded as soon as the byte after it has been read; no read waits for more bytes
    than are available. Memory does not grow with the length of the file or of its lines.

    Args:
        file: a path, whose file is decompressed and converted as by `count`; or a file that is open
            for reading bytes, with `readinto`, which is read as it is: what `open(name, "rb")` and
            `gzip.open` return, `sys.stdin.buffer`, `io.BytesIO`.

    Raises:
        OSError: the file cannot be read, or not to its end; for a path, `.filename` is its name.
            A BlockingIOError, if it is in non-blocking mode and has no data yet.
        TypeError: the file is neither, or open for text.

    >>> import io
    >>> log = io.BytesIO(b"boot\nown address fdaa:0:18::3\n")
    >>> for match in find_in_file(log):
    ...     print(match.value, match.line, match.column)
    fdaa:0:18::3 2 13
    """
    if isinstance(file, str | os.PathLike):
        return _in_path(_name_of_path(file, "file"))
    return _in_open_file(file)


def _in_path(name: str) -> Iterator[FileMatch]:
    try:
        with open_source(name) as source:
            yield from _in_open_file(source.text)
    except OSError as error:
        error.filename = name
        raise


def _in_open_file(file: object) -> Iterator[FileMatch]:
    readings = Once(judge)
    place = Place()
    for block in read_blocks(file):
        for run in block.matches():
            reading = readings[run.group()]
            if reading is None:
                continue
            value, length = reading
            begin = run.start()
            end = begin + length
            line, column = place.go_to(block, begin)
            yield FileMatch(
                value,
                start=block.offset + begin,
                end=block.offset + end,
                line=line,
                column=column,
                text=block.raw[begin:end].decode(),
            )
        place.go_to(block, block.end)


def count(files: Iterable["File"], *, jobs: int = 1) -> list[NetworkCount]:
    r"""Count the private addresses in files by network, those with most matches first.

    Files compressed with gzip, bzip2 or xz are decompressed, and UTF-16 with a byte order mark is
    converted. The memory grows with the number of distinct addresses.

    Args:
        files: paths; or files that are open for reading bytes, as `sys.stdin.buffer`, which are
            read as they are.
        jobs: worker processes for a regular file with a path, where the system can fork.

    Raises:
        OSError: a file cannot be read, or not to its end; for a path, `.filename` is its name.
        TypeError: `files` is one file, or has something else in it.

    >>> import pathlib, tempfile
    >>> log = pathlib.Path(tempfile.mkdtemp(), "log")
    >>> _ = log.write_text("fdaa:0:18::2 fdaa:0:18::3 fdaa::3\n" * 2)
    >>> for network in count([log]):
    ...     print(network.network_id, network.matches, network.addresses)
    0:18 4 2
    0:0 2 1
    """
    # An open file is an iterable of its lines.
    if isinstance(files, str | bytes | os.PathLike) or hasattr(files, "readinto"):
        raise wrong_type(files, "files", "a list of files", "use count([file])")
    check_type(files, "files", Iterable)
    check_type(jobs, "jobs", int)
    total = Count()
    for file in files:
        if isinstance(file, str | os.PathLike):
            for event in Scan([_name_of_path(file, "each of files")], Options(jobs=jobs), total):
                if isinstance(event, Failure):
                    event.error.filename = event.name
                    raise event.error
        else:
            total.begin_file(_name_of_open_file(file))
            for block in read_blocks(file):
                total.read(block)
    return list(total.networks())


def _name_of_path(path: str | os.PathLike[str], argument: str) -> str:
    """Return the name of a file.

    In a program, `-` is a file as any other: standard input is `sys.stdin.buffer`.
    """
    name = text_of(os.fspath(path), argument)
    if name == STANDARD_INPUT:
        return f"./{name}"
    return name


def _name_of_open_file(file: object) -> str:
    """Return the name of an open file, for its places."""
    name = getattr(file, "name", None)
    if isinstance(name, str):
        return name
    return "stream"  # a descriptor is no name
