"""Addresses with their places: in a text, and in a file of any size."""

# Without `annotations` from `__future__`: annotations of public names must be objects.
import os
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from io import BufferedIOBase, RawIOBase
from typing import IO, TypeVar

from fdaa._values.address import Address, Prefix
from fdaa._values.checks import wrong_type
from fdaa.scan._blocks import Place, read_blocks
from fdaa.scan._expression import find_matches, judge
from fdaa.scan._given_files import name_of_path, opened_path
from fdaa.scan._once import Once

Result = TypeVar("Result")


# A frozen dataclass takes 0.4 us to create and a named tuple 0.24, of the 1.9 us of a match. Values
# by name would take 0.15 more.
@dataclass(frozen=True, slots=True)
class Match:
    """An address or a network in a text.

    Args:
        value: an `Address`; or a `Prefix`, for a network (`fdaa:0:18::/48`) or a part of one. Both
            have a `network_id`.
        start, end: where its text begins and ends; in characters of a `str`, in bytes of `bytes`.

    >>> match = next(find_addresses("from [fdaa:0:18::3]:53"))
    >>> match
    Match(value=Address('fdaa:0:18::3'), start=6, end=18)
    >>> match.value.network_id
    NetworkID('0:18')
    """

    value: Address | Prefix
    start: int
    end: int


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


def find_addresses(text: str | bytes) -> Iterator[Match]:
    r"""Find the private addresses in a text (specification, section 2.3), from left to right.

    Every match parses. A port, a zone, brackets and punctuation are left out, and so is the prefix
    length of a link after an address (`fdaa:0:18::2/64`). A prefix of /48 or longer is reported as
    a `Prefix`, a shorter one is skipped. A text that continues like an address but is not one is
    skipped as a whole.

    Args:
        text: `str` or `bytes`. In bytes that are not UTF-8, the ASCII characters are read.

    Raises:
        TypeError: `text` is neither.

    >>> log = "listening on [fdaa:0:18::2]:22 (DNS: [FDAA::3]:53), route fdaa:0:18::/48"
    >>> [match.value for match in find_addresses(log)]
    [Address('fdaa:0:18::2'), Address('fdaa::3'), Prefix('fdaa:0:18::/48')]
    >>> list(find_addresses(b"2001:db8:fdaa::1 fdaa::1::2 fdaa::1g fdaa::/16"))
    []
    """
    if isinstance(text, str):
        return _in_text(text.encode(errors="surrogatepass"), text.isascii())
    if isinstance(text, bytes):
        return _in_text(text, is_counted=True)
    raise wrong_type(text, "text", "str or bytes")


def _in_text(data: bytes, is_counted: bool) -> Iterator[Match]:
    for start, (value, length) in search(data, is_counted, Once(judge)):
        yield Match(value, start, start + length)


def search(
    data: bytes, is_counted: bool, table: Once[Result | None]
) -> Iterator[tuple[int, Result]]:
    """Yield where each match begins, and what a table has for it.

    Args:
        data: a text, as UTF-8.
        is_counted: whether its characters are its bytes; else they are counted.
        table: has None for a run that is not a match.
    """
    lower = b"\n" + data.lower()
    before = 0
    start = 0
    for run in find_matches(lower, 1, len(lower)):
        result = table[run.group()]
        if result is None:
            continue
        at = run.start() - 1
        if is_counted:
            start = at
        else:
            start += len(data[before:at].decode(errors="surrogatepass"))
            before = at
        yield start, result


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
