"""What a scan prints: each function a generator, from blocks to pieces of output.

Nothing here waits for more input than a block, or keeps more than one; a line that must be kept
whole goes to a temporary file when it is long. Each takes a table of what there is to say about a
text, which serves for all files and parts, the blocks, and the number of the first line.
"""

from __future__ import annotations

import json
import re
from contextlib import closing
from tempfile import SpooledTemporaryFile, gettempdir
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from fdaa._bits import NETWORK_PREFIX_LENGTH
from fdaa.address import Address
from fdaa.scan._matches import Lines, Once
from fdaa.scan._rules import LEFT, RIGHT, RUN, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from fdaa.address import NetworkID
    from fdaa.scan._blocks import Block
    from fdaa.scan._rules import Found

    # Tells a network's name, if it is known.
    NameOf: TypeAlias = Callable[[NetworkID], str | None]

# How much of a line is kept in memory until an address is found on it.
_HELD = 1024 * 1024
_PIECE = 64 * 1024
# In any case, and with percent escapes for the letters.
_LEFT_OUT = re.compile(rb"(?:f|%66)(?:d|%64)(?:a|%61){2}")


class Piece(NamedTuple):
    """A piece of output.

    Args:
        data: what is to be written.
        found: whether there was an address or network that the filter keeps.
        is_match: whether `data` is the text of one, to be coloured.
        unchanged: the lines of places with `fdaa` in them that `replace` left as they are.
    """

    data: bytes
    found: bool
    is_match: bool = False
    unchanged: tuple[int, ...] = ()


class Filter(NamedTuple):
    """Which addresses and networks are wanted.

    Args:
        network_ids: those on one of these networks; or all, if there are none.
        invert: the others.
    """

    network_ids: frozenset[int] = frozenset()
    invert: bool = False

    def keeps(self, found: Found | None) -> bool:
        """Tell whether what was found, if anything, is wanted."""
        if found is None or not self.network_ids:
            return found is not None
        return (found.address.network_id in self.network_ids) != self.invert


EVERYTHING = Filter()


# --- matches --------------------------------------------------------------------------------------


def match_lines(
    keep: Filter = EVERYTHING, *, front: bytes = b"", name_of: NameOf | None = None
) -> Once[bytes]:
    """Return the table of what `matches` prints.

    Args:
        keep: which addresses.
        front: stands in front of each line; the file's name and a colon.
        name_of: tells the names of networks.
    """

    def line(run: bytes) -> bytes:
        found = judge(run)
        if found is None or not keep.keeps(found):
            return b""
        network_id = found.address.network_id
        name = "" if name_of is None else f"\t{name_of(network_id) or ''}"
        return front + f"{found}\t{network_id}{name}\n".encode()

    return Once(line)


def matches(table: Once[bytes], blocks: Iterable[Block], line: int = 1) -> Iterator[Piece]:  # noqa: ARG001
    """Yield `address<TAB>network` lines; with names, a tab and the network's name behind."""
    for block in blocks:
        data = b"".join(map(table.__getitem__, block.runs()))
        yield Piece(data, bool(data))


def numbered_matches(
    table: Once[bytes], front: bytes, blocks: Iterable[Block], line: int = 1
) -> Iterator[Piece]:
    """Yield what `matches` does, with `front`, the line's number and a colon before it."""
    for block in blocks:
        pieces = []
        at = block.begin
        for match in block.matches():
            text = table[match.group()]
            if text:
                start = match.start()
                line += block.line_feeds(at, start)
                at = start
                pieces.append(b"%b%d:%b" % (front, line, text))
        line += block.line_feeds(at, block.end)
        yield Piece(b"".join(pieces), bool(pieces))


def match_fields(keep: Filter = EVERYTHING, *, name_of: NameOf | None = None) -> Once[bytes]:
    """Return the table of what `records` prints behind the place; the arguments are as above."""

    def fields(raw: bytes) -> bytes:
        found = judge(raw.lower())
        if found is None or not keep.keeps(found):
            return b""
        network_id = found.address.network_id
        values: dict[str, str | int | None] = {
            "text": raw[: found.length].decode("ascii"),
            "address": str(found.address),
            "prefix_length": found.prefix_length,
            "network_id": str(network_id),
            "network_id_int": int(network_id),
        }
        if name_of is not None:
            values["network_name"] = name_of(network_id)
        return json.dumps(values)[1:].encode() + b"\n"

    return Once(fields)


def records(
    table: Once[bytes], file: str, blocks: Iterable[Block], line: int = 1
) -> Iterator[Piece]:
    """Yield a JSON object on a line for each match, with its place in the file of this name."""
    # Only the place differs between matches that read the same: the rest is made once for them.
    begin = json.dumps({"file": file})[:-1].replace("%", "%%").encode()
    begin += b', "line": %d, "column": %d, '
    lines = Lines(line)
    for block in blocks:
        pieces = []
        at = block.begin
        for match in block.matches():
            start, end = match.span()
            rest = table[block.raw[start:end]]
            if rest:
                lines.pass_over(block, at, start)
                at = start
                column = block.offset + start - lines.start + 1
                pieces.append(begin % (lines.line, column) + rest)
        lines.pass_over(block, at, block.end)
        yield Piece(b"".join(pieces), bool(pieces))


# --- whole lines ----------------------------------------------------------------------------------


def kept_lengths(keep: Filter = EVERYTHING) -> Once[int]:
    """Return the table of how long the match at the start of a run is; 0 if it is not wanted."""

    def length(run: bytes) -> int:
        found = judge(run)
        return 0 if found is None or not keep.keeps(found) else found.length

    return Once(length)


def lines(
    table: Once[int],
    blocks: Iterable[Block],
    line: int = 1,
    *,
    front: bytes = b"",
    numbered: bool = False,
    mark: bool = False,
) -> Iterator[Piece]:
    r"""Yield the lines with an address or network, whole; a last one without a `\n` gets one.

    Args:
        table: of `kept_lengths`.
        blocks: the input.
        line: the number of the first line.
        front: stands in front of each line; the file's name and a colon.
        numbered: whether the line's number and a colon follow.
        mark: whether matches are pieces of their own.
    """
    with closing(SpooledTemporaryFile(_HELD)) as held:
        reader = _LineReader(table, held, line, front, numbered)
        for block in blocks:
            yield from reader.pieces(block) if mark else _together(reader.pieces(block))
        if reader.printing:
            yield Piece(b"\n", True)


class _LineReader:
    """Goes through blocks, and holds what there is of a line until a match is met.

    Attributes:
        printing: whether the line that goes on has a match, and so is printed.
    """

    def __init__(
        self,
        table: Once[int],
        held: SpooledTemporaryFile[bytes],
        line: int,
        front: bytes,
        numbered: bool,
    ) -> None:
        self.printing = False
        self._table = table
        self._held = held
        self._line = line
        self._front = front
        self._numbered = numbered
        self._counted = 0  # up to where in a block its lines are counted

    def pieces(self, block: Block) -> Iterator[Piece]:
        raw, at = block.raw, block.begin
        self._counted = at
        for match in block.matches():
            length = self._table[match.group()]
            if length:
                start = match.start()
                at = yield from self._begin_line(block, at, start)
                yield Piece(raw[at:start], True)
                yield Piece(raw[start : start + length], True, is_match=True)
                at = start + length
        if self.printing:
            stop = raw.find(b"\n", at, block.end) + 1 or block.end
            yield Piece(raw[at:stop], True)
            self.printing = raw[stop - 1 : stop] != b"\n"
            at = stop
        if not self.printing:
            line_start = raw.rfind(b"\n", at, block.end) + 1
            if line_start:
                _forget(self._held)
            _hold(self._held, raw[line_start or at : block.end])
        self._count(block, block.end)

    def _begin_line(self, block: Block, at: int, start: int) -> Generator[Piece, None, int]:
        """Yield what stands before the line of a match; return from where on it is not printed."""
        line_start = block.raw.rfind(b"\n", at, start) + 1
        if self.printing:
            if not line_start:
                return at
            yield Piece(block.raw[at : block.raw.index(b"\n", at) + 1], True)
        self.printing = True
        self._count(block, start)
        yield Piece(self._front + (b"%d:" % self._line if self._numbered else b""), True)
        if not line_start:
            yield from _read_all(self._held)
        _forget(self._held)
        return line_start or at

    def _count(self, block: Block, end: int) -> None:
        if self._numbered:
            self._line += block.line_feeds(self._counted, end)
            self._counted = end


def _together(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield fewer and larger pieces."""
    data: list[bytes] = []
    for piece in pieces:
        data.append(piece.data)
        if len(piece.data) >= _PIECE:
            yield Piece(b"".join(data), True)
            data.clear()
    if data:
        yield Piece(b"".join(data), True)


def _read_all(held: SpooledTemporaryFile[bytes]) -> Iterator[Piece]:
    left = held.tell()
    held.seek(0)
    while left:
        data = held.read(min(left, _PIECE))
        left -= len(data)
        yield Piece(data, True)


def _forget(held: SpooledTemporaryFile[bytes]) -> None:
    held.seek(0)
    held.truncate()


def _hold(held: SpooledTemporaryFile[bytes], data: bytes) -> None:
    try:
        held.write(data)
    except OSError as error:  # not of the file that is read
        reason = f"a long line does not fit into {gettempdir()}: {error.strerror}"
        raise OSError(reason) from error


# --- all text -------------------------------------------------------------------------------------


def labels(keep: Filter = EVERYTHING, *, name_of: NameOf | None = None) -> Once[tuple[int, bytes]]:
    """Return the table of how long matches are, and what `annotate` puts behind them."""

    def label(run: bytes) -> tuple[int, bytes]:
        found = judge(run)
        if found is None or not keep.keeps(found):
            return 0, b""
        network_id = found.address.network_id
        name = None if name_of is None else name_of(network_id)
        text = str(network_id) if name is None else f"{network_id} {name}"
        return found.length, f" [{text}]".encode()

    return Once(label)


def annotate(
    table: Once[tuple[int, bytes]],
    blocks: Iterable[Block],
    line: int = 1,  # noqa: ARG001
) -> Iterator[Piece]:
    """Yield the input with ` [2:45b]`, its network ID, behind each match; and the known name."""
    for block in blocks:
        pieces: list[bytes] = []
        at = block.begin
        for match in block.matches():
            length, text = table[match.group()]
            if length:
                end = match.start() + length
                pieces += block.raw[at:end], text
                at = end
        found = bool(pieces)
        pieces.append(block.raw[at : block.end])
        yield Piece(b"".join(pieces), found)


def replacements(
    address: Callable[[Address], Address], network: Callable[[NetworkID], NetworkID]
) -> Once[tuple[int, Found | None]]:
    """Return the table of how long matches are, and what stands in their place.

    Args:
        address: gives the other address; a method of `Pseudonyms`.
        network: gives the other network for a /48.
    """

    def new(run: bytes) -> tuple[int, Found | None]:
        found = judge(run)
        if found is None:
            return 0, None
        if found.prefix_length == NETWORK_PREFIX_LENGTH:
            other = Address.build(network(found.address.network_id))
        else:
            other = address(found.address)
        return found.length, found._replace(address=other)

    return Once(new)


def replace(
    table: Once[tuple[int, Found | None]], blocks: Iterable[Block], line: int = 1
) -> Iterator[Piece]:
    """Yield the input with another address in place of each, and a network's /48 for another's."""
    for block in blocks:
        pieces: list[bytes] = []
        unchanged: list[int] = []
        at = counted = block.begin
        for match in block.matches():
            length, replacement = table[match.group()]
            if replacement is None:
                continue
            start = match.start()
            for place in _left_out(block, at, start):
                line += block.line_feeds(counted, place)
                counted = place
                unchanged.append(line)
            pieces += block.raw[at:start], _fitting(replacement, block, start, start + length)
            at = start + length
        for place in _left_out(block, at, block.end):
            line += block.line_feeds(counted, place)
            counted = place
            unchanged.append(line)
        line += block.line_feeds(counted, block.end)
        found = bool(pieces)
        pieces.append(block.raw[at : block.end])
        yield Piece(b"".join(pieces), found, unchanged=tuple(unchanged))


def _left_out(block: Block, begin: int, end: int) -> Iterator[int]:
    """Yield where a place with `fdaa` in it begins, between two replaced texts."""
    for match in _LEFT_OUT.finditer(block.lower, begin):
        if match.start() >= end:
            return
        yield match.start()


def _fitting(new: Found, block: Block, start: int, end: int) -> bytes:
    """Return the text of an address that reads as it in this place.

    With "::" in it, it could take in a port that follows, or a dot and a number.
    """
    text = str(new).encode()
    before = block.lower[max(0, start - LEFT) : start]
    match = RUN.match(before + text + block.lower[end : end + RIGHT], len(before))
    found = judge(match.group()) if match else None
    end_of_address = len(str(new.address))
    if (
        found is not None
        and found.address == new.address
        and (found.prefix_length is not None or found.length == end_of_address)
    ):
        return text
    return new.address.exploded.encode() + text[end_of_address:]
