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
    from collections.abc import Callable, Iterable, Iterator

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
    printing = False  # the line that goes on
    with closing(SpooledTemporaryFile(_HELD)) as held:  # what there is of a line without a match
        for block in blocks:
            raw, at, counted = block.raw, block.begin, block.begin
            pieces: list[Piece] = []
            for match in block.matches():
                length = table[match.group()]
                if not length:
                    continue
                start = match.start()
                line_start = raw.rfind(b"\n", at, start) + 1
                if printing and line_start:
                    stop = raw.index(b"\n", at) + 1
                    pieces.append(Piece(raw[at:stop], True))
                    printing = False
                if not printing:
                    printing = True
                    line += block.line_feeds(counted, start) if numbered else 0
                    counted = start
                    pieces.append(Piece(front + (b"%d:" % line if numbered else b""), True))
                    if line_start:
                        at = line_start
                    elif held.tell():
                        yield from _together(pieces, mark)
                        pieces = []
                        yield from _read_all(held)
                    _forget(held)
                pieces.append(Piece(raw[at:start], True))
                pieces.append(Piece(raw[start : start + length], True, is_match=True))
                at = start + length
            if printing:
                stop = raw.find(b"\n", at, block.end) + 1
                pieces.append(Piece(raw[at : stop or block.end], True))
                at = stop or block.end
                printing = not stop
            line += block.line_feeds(counted, block.end) if numbered else 0
            yield from _together(pieces, mark)
            if not printing:
                line_start = raw.rfind(b"\n", at, block.end) + 1
                if line_start:
                    _forget(held)
                _keep(held, raw[line_start or at : block.end])
    if printing:
        yield Piece(b"\n", True)


def _together(pieces: list[Piece], mark: bool) -> Iterator[Piece]:
    if mark:
        yield from pieces
    elif pieces:
        yield Piece(b"".join(piece.data for piece in pieces), True)


def _read_all(held: SpooledTemporaryFile[bytes]) -> Iterator[Piece]:
    """Yield what was written, up to the place of writing; then forget it."""
    left = held.tell()
    held.seek(0)
    while left:
        data = held.read(min(left, _PIECE))
        left -= len(data)
        yield Piece(data, True)


def _forget(held: SpooledTemporaryFile[bytes]) -> None:
    held.seek(0)
    held.truncate()


def _keep(held: SpooledTemporaryFile[bytes], data: bytes) -> None:
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
