"""Addresses with their places: in a text, in many texts, and in a file of any size."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from fdaa._bits import unpack_head
from fdaa.scan._blocks import BLOCK, read_blocks
from fdaa.scan._rules import find_matches, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fdaa.address import Address
    from fdaa.scan._blocks import Block, ReadableInto

Value = TypeVar("Value")


# Tuples: a frozen dataclass takes 0.75 us to create, these take 0.25 of the 1.5 us of a match.
class Match(NamedTuple):
    """An address or a network in a text.

    Args:
        address: the address; for a network, its first one.
        start, end: where its text begins and ends; in characters of a `str`, in bytes of `bytes`.
        prefix_length: 48 to 127 for the prefix of a network (`fdaa:0:18::/48`); `start` to `end`
            includes the length. None for an address.

    >>> next(find_addresses("from [fdaa::3]:53")).end
    13
    """

    address: Address
    start: int
    end: int
    prefix_length: int | None = None


class FileMatch(NamedTuple):
    r"""An address or a network in a file.

    Args:
        address: the address; for a network, its first one.
        start, end: where its text begins and ends, in bytes from where the reading began.
        line: the number of its line, from 1. Only `\n` ends a line.
        column: the byte of the line that it begins at, from 1.
        text: the text as it stands in the file.
        prefix_length: as in `Match`.
    """

    address: Address
    start: int
    end: int
    line: int
    column: int
    text: str
    prefix_length: int | None = None


class Once(dict[bytes, Value], Generic[Value]):
    """A cache of a function's results for the texts of matches, because most texts repeat."""

    LIMIT = 131_072  # about 40 MB; with more addresses it is emptied and refilled
    LONGEST = 64  # bytes of a text that is kept; few longer ones are addresses

    def __init__(self, function: Callable[[bytes], Value]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, text: bytes) -> Value:
        if len(self) >= self.LIMIT:
            self.clear()
        value = self._function(text)
        if len(text) <= self.LONGEST:
            self[text] = value
        return value


class Place:
    """The position of a reader.

    Attributes:
        line: the number of the line, from 1.
        column: the byte of the line, from 1.
    """

    def __init__(self, line: int = 1) -> None:
        self.line = line
        self._at = self._line_start = 0  # in bytes from where the reading began

    @property
    def column(self) -> int:
        return self._at - self._line_start + 1

    def go_to(self, block: Block, at: int) -> None:
        """Advance to a place in a block."""
        begin, self._at = self._at - block.offset, block.offset + at
        newest = block.raw.rfind(b"\n", begin, at)
        if newest >= 0:
            self.line += block.raw.count(b"\n", begin, at)
            self._line_start = block.offset + newest + 1


def find_addresses(text: str | bytes) -> Iterator[Match]:
    r"""Find the private addresses in a text (specification, section 2.3), from left to right.

    Every match parses. A port, a zone, brackets and punctuation are left out, and so is the prefix
    length of a link after an address (`fdaa:0:18::2/64`). A prefix of /48 or longer is reported as
    a network, a shorter one is skipped. A text that continues like an address but is not one is
    skipped as a whole.

    Args:
        text: `str` or `bytes`. In bytes that are not UTF-8, the ASCII characters are read.

    Raises:
        TypeError: `text` is neither.

    >>> log = "listening on [fdaa:0:18::2]:22 (DNS: [FDAA::3]:53), route fdaa:0:18::/48"
    >>> [(str(match.address), match.prefix_length) for match in find_addresses(log)]
    [('fdaa:0:18::2', None), ('fdaa::3', None), ('fdaa:0:18::', 48)]
    >>> list(find_addresses(b"2001:db8:fdaa::1 fdaa::1::2 fdaa::1g fdaa::/16"))
    []
    """
    if isinstance(text, str):
        return _in_text(text.encode(errors="surrogatepass"), text.isascii())
    if isinstance(text, bytes):
        return _in_text(text, is_counted=True)
    raise TypeError(f"the text must be str or bytes, not {type(text).__name__}")


def _in_text(data: bytes, is_counted: bool) -> Iterator[Match]:
    for start, (address, length, prefix_length) in _search(data, is_counted, Once(judge)):
        yield Match(address, start, start + length, prefix_length)


def _search(
    data: bytes, is_counted: bool, judged: Once[Value | None]
) -> Iterator[tuple[int, Value]]:
    """Yield where each match begins, and what `judged` has for its text.

    Args:
        data: the text, as UTF-8.
        is_counted: whether its characters are its bytes; else they are counted.
        judged: has None for what is not a match.
    """
    lower = b"\n" + data.lower()
    before = start = 0
    for run in find_matches(lower, 1, len(lower)):
        value = judged[run.group()]
        if value is not None:
            at = run.start() - 1
            if is_counted:
                start = at
            else:
                start += len(data[before:at].decode(errors="surrogatepass"))
                before = at
            yield start, value


def find_in_rows(rows: Iterable[str | None] | Iterable[bytes | None]) -> dict[str, list[Any]]:
    """Find the private addresses in many texts at once, as `find_addresses` does in each.

    A line feed is an edge of an address, as the ends of a text are. So one search is enough: to
    start one takes longer than to search most rows. Up to 131,072 texts of addresses, about 40 MB,
    are remembered between calls.

    Args:
        rows: the texts, all of one type; None is one without an address.

    Returns:
        The columns of a table with a row for each address: `row` (the index of its text), `address`
        (its canonical text), `network_id` (`int`), `start` and `prefix_length` as in `Match`.

    Raises:
        TypeError: `rows` is a text, or a row is something else.

    >>> find_in_rows(["from fdaa:0:18::2", "", "to fdaa::3"])["network_id"]
    [24, 0]
    """
    if isinstance(rows, str | bytes):
        raise TypeError("expected a list of texts, got one text")
    given = [*rows]
    line_feed: Any = b"\n" if any(isinstance(row, bytes) for row in given) else "\n"
    texts = [line_feed[:0] if row is None else row for row in given]
    joined = line_feed.join(texts)
    data = joined if isinstance(joined, bytes) else joined.encode(errors="surrogatepass")
    begins = [*accumulate((len(text) + 1 for text in texts), initial=0)]
    indices, starts, found = [], [], []
    for start, columns in _search(data, isinstance(joined, bytes) or joined.isascii(), _columns):
        index = bisect_right(begins, start) - 1
        indices.append(index)
        starts.append(start - begins[index])
        found.append(columns)
    return {
        "row": indices,
        "address": [address for address, _, _ in found],
        "network_id": [network_id for _, network_id, _ in found],
        "start": starts,
        "prefix_length": [prefix_length for _, _, prefix_length in found],
    }


def _columns_of(run: bytes) -> tuple[str, int, int | None] | None:
    found = judge(run)
    return found and (str(found.address), unpack_head(found.address.packed)[1], found.prefix_length)


# Kept between calls: engines pass a column in batches, and most addresses occur in many of them.
_columns = Once(_columns_of)


def find_in_file(file: ReadableInto, *, block: int = BLOCK) -> Iterator[FileMatch]:
    r"""Find the private addresses in a binary file, as `find_addresses` does, with their lines.

    An address is yielded as soon as the byte after it has been read; no read waits for more bytes
    than are available. Memory depends only on `block`, not on the length of the file or of its
    lines.

    Args:
        file: open for reading bytes.
        block: how many bytes to read at once; the result does not depend on it.

    Raises:
        BlockingIOError: the file is in non-blocking mode and has no data yet.
        TypeError: the file is open for text.
        ValueError: `block` is less than 1.

    >>> import io
    >>> log = io.BytesIO(b"boot\nown address fdaa:0:18::3\n")
    >>> [(str(m.address), m.line, m.column) for m in find_in_file(log)]
    [('fdaa:0:18::3', 2, 13)]
    """
    judged = Once(judge)
    place = Place()
    for piece in read_blocks(file, block):
        for run in piece.matches():
            found = judged[run.group()]
            if found is not None:
                address, length, prefix_length = found
                begin = run.start()
                text = piece.raw[begin : begin + length].decode()
                place.go_to(piece, begin)
                start, line, column = piece.offset + begin, place.line, place.column
                yield FileMatch(address, start, start + length, line, column, text, prefix_length)
        place.go_to(piece, piece.end)
