"""Addresses with their places in a file of any size."""

# Without `annotations` from `__future__`: annotations of public names must be objects.
import os
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from io import BufferedIOBase, RawIOBase
from typing import IO, Any

from fdaa._values.address import Address, Prefix
from fdaa.scan._blocks import Place, read_blocks
from fdaa.scan._expression import judge
from fdaa.scan._given_files import name_of_path, opened_path
from fdaa.scan._matches import value_fields
from fdaa.scan._once import Once


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


def find_in_file(
    file: str | os.PathLike[str] | IO[bytes] | BufferedIOBase | RawIOBase,
) -> Iterator[FileMatch]:
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
        return _in_path(name_of_path(file, "file"))
    return _in_open_file(file)


def _in_path(name: str) -> Iterator[FileMatch]:
    with opened_path(name) as text:
        yield from _in_open_file(text)


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
