"""What a scan prints: each function a generator, from blocks to pieces of output.

Nothing here waits for more input than a block, or keeps more than one; a line that must be kept
whole goes to a temporary file when it is long. Each takes a table (a cache of what is printed for
a text, for all files and parts), the blocks, and the number of the first line.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from fdaa._id_text import id_fields
from fdaa.scan._matches import Once, Place
from fdaa.scan._rules import LEFT, RIGHT, find_matches, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from tempfile import SpooledTemporaryFile

    from fdaa.address import Address, NetworkID
    from fdaa.scan._blocks import Block
    from fdaa.scan._rules import Found

    # Returns a network's name, if it is known.
    NameOf: TypeAlias = Callable[[NetworkID], str | None]

# How much of a line is kept in memory until an address is found on it.
_HELD = 1024 * 1024
_PIECE = 64 * 1024
# In any case, and with percent escapes for the letters.
_FDAA = re.compile(rb"(?:f|%66)(?:d|%64)(?:a|%61){2}")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of output.

    Args:
        data: what must be written.
        found: whether there was an address or network that the filter keeps.
        marks: where the texts of matches stand in `data`, for whole lines.
        unchanged: places, `file:line`, with `fdaa` in them that pseudonyms leave as they are.
    """

    data: bytes
    found: bool = True
    marks: tuple[tuple[int, int], ...] = ()
    unchanged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Filter:
    """Which addresses and networks are wanted.

    Args:
        network_ids: those on one of these networks; or all, if there are none.
        invert: the others.
    """

    network_ids: frozenset[int] = frozenset()
    invert: bool = False

    def judge(self, run: bytes) -> Found | None:
        """Return what a run, in any case, begins with, where that is wanted."""
        found = judge(run.lower())
        if found is None or not self.network_ids:
            return found
        is_on_one = found.address.network_id in self.network_ids
        return found if is_on_one != self.invert else None


EVERYTHING = Filter()


# --- matches --------------------------------------------------------------------------------------


def match_lines(
    keep: Filter = EVERYTHING, *, front: bytes = b"", name_of: NameOf | None = None
) -> Once[bytes]:
    """Return the table of what `matches` prints.

    Args:
        keep: which addresses.
        front: stands in front of each line; the file's name and a colon.
        name_of: returns the names of networks.
    """

    def line(run: bytes) -> bytes:
        found = keep.judge(run)
        if found is None:
            return b""
        network_id = found.address.network_id
        name = "" if name_of is None else f"\t{name_of(network_id) or ''}"
        return front + f"{found}\t{network_id}{name}\n".encode()

    return Once(line)


def matches(table: Once[bytes], blocks: Iterable[Block], line: int) -> Iterator[Piece]:  # noqa: ARG001
    """Yield `address<TAB>network` lines; with names, a tab and the network's name after it."""
    for block in blocks:
        data = b"".join(map(table.__getitem__, block.runs()))
        yield Piece(data, bool(data))


def numbered_matches(
    table: Once[bytes], front: bytes, blocks: Iterable[Block], line: int
) -> Iterator[Piece]:
    """Yield what `matches` does, with `front`, the line's number and a colon before it."""
    return _placed(table, blocks, line, lambda place: b"%b%d:" % (front, place.line))


def _placed(
    table: Once[bytes], blocks: Iterable[Block], line: int, before: Callable[[Place], bytes]
) -> Iterator[Piece]:
    """Yield what the table has for each match, after what `before` makes of its place."""
    place = Place(line)
    for block in blocks:
        pieces: list[bytes] = []
        for match in block.matches():
            start, end = match.span()
            if text := table[block.raw[start:end]]:
                place.go_to(block, start)
                pieces += before(place), text
        place.go_to(block, block.end)
        yield Piece(b"".join(pieces), bool(pieces))


def match_fields(keep: Filter = EVERYTHING, *, name_of: NameOf | None = None) -> Once[bytes]:
    """Return the table of what `records` prints after the place; the arguments are as above."""

    def fields(raw: bytes) -> bytes:
        found = keep.judge(raw)
        if found is None:
            return b""
        network_id = found.address.network_id
        values: dict[str, str | int | None] = {
            "text": raw[: found.length].decode(),
            "address": str(found.address),
            "prefix_length": found.prefix_length,
            **id_fields(network_id),
        }
        if name_of is not None:
            values["network_name"] = name_of(network_id)
        return json.dumps(values)[1:].encode() + b"\n"

    return Once(fields)


def records(table: Once[bytes], file: str, blocks: Iterable[Block], line: int) -> Iterator[Piece]:
    """Yield a JSON object on a line for each match, with its place in the file of this name."""
    # Only the place differs between matches that read the same: the rest is made once for them.
    shown = file.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    begin = json.dumps({"file": shown})[:-1].replace("%", "%%").encode()
    begin += b', "line": %d, "column": %d, '
    return _placed(table, blocks, line, lambda place: begin % (place.line, place.column))


# --- whole lines ----------------------------------------------------------------------------------


def lines(
    table: Once[Found | None],
    blocks: Iterable[Block],
    line: int,
    *,
    front: bytes = b"",
    numbered: bool = False,
) -> Iterator[Piece]:
    r"""Yield the lines with an address or network, whole; a last one without a `\n` gets one.

    Args:
        table: what each run begins with, where it is wanted: `Once(keep.judge)`.
        blocks: the input.
        line: the number of the first line.
        front: stands in front of each line; the file's name and a colon.
        numbered: whether the line's number and a colon follow.
    """
    from tempfile import SpooledTemporaryFile  # late: a third of the time that all else takes

    with SpooledTemporaryFile(_HELD) as held:
        reader = _LineReader(table, Place(line), held, front, numbered)
        for block in blocks:
            yield from reader.pieces(block)
        if reader.printing:
            yield Piece(b"\n")


@dataclass
class _LineReader:
    """Goes through blocks, and holds what there is of a line until a match is met.

    Attributes:
        printing: whether the line that goes on has a match, and so is printed.
    """

    table: Once[Found | None]
    place: Place
    held: SpooledTemporaryFile[bytes]
    front: bytes
    numbered: bool
    printing: bool = False

    def pieces(self, block: Block) -> Iterator[Piece]:
        raw, at = block.raw, block.begin
        data, marks = bytearray(), []
        for match in block.matches():
            found = self.table[match.group()]
            if found is None:
                continue
            start = match.start()
            line_start = raw.rfind(b"\n", at, start) + 1
            if self.printing and line_start:
                data += raw[at : raw.index(b"\n", at) + 1]
            if line_start or not self.printing:
                data += self._begin_line(block, start)
                if not line_start:
                    yield from self._held(bytes(data))
                    data.clear()
                at = line_start or at
            data += raw[at:start]
            at = start + found.length
            marks.append((len(data), len(data) + found.length))
            data += raw[start:at]
        if self.printing:
            stop = raw.find(b"\n", at, block.end) + 1
            data += raw[at : stop or block.end]
            self.printing = not stop
        if not self.printing:
            self._hold(raw, block.begin, block.end)
        if self.numbered:
            self.place.go_to(block, block.end)
        yield Piece(bytes(data), bool(marks), tuple(marks))

    def _begin_line(self, block: Block, start: int) -> bytes:
        self.printing = True
        if not self.numbered:
            return self.front
        self.place.go_to(block, start)
        return self.front + b"%d:" % self.place.line

    def _held(self, front: bytes) -> Iterator[Piece]:
        yield Piece(front)
        self.held.seek(0)
        while data := self.held.read(_PIECE):
            yield Piece(data)

    def _hold(self, raw: bytes, begin: int, end: int) -> None:
        """Keep what there is of the last line; forget the one before it."""
        line_start = raw.rfind(b"\n", begin, end) + 1
        if line_start:
            self.held.seek(0)
            self.held.truncate()
        try:
            self.held.write(raw[line_start or begin : end])
        except OSError as error:  # not of the file that is read
            from tempfile import gettempdir

            reason = f"a long line does not fit into {gettempdir()}: {error.strerror}"
            raise OSError(reason) from error


# --- all text -------------------------------------------------------------------------------------


def labels(keep: Filter = EVERYTHING, *, name_of: NameOf | None = None) -> Once[tuple[int, bytes]]:
    """Return the table of how long matches are, and what `annotate` puts after them."""

    def label(run: bytes) -> tuple[int, bytes]:
        found = keep.judge(run)
        if found is None:
            return 0, b""
        network_id = found.address.network_id
        name = None if name_of is None else name_of(network_id)
        text = str(network_id) if name is None else f"{network_id} {name}"
        return found.length, f" [{text}]".encode()

    return Once(label)


def annotate(
    table: Once[tuple[int, bytes]],
    blocks: Iterable[Block],
    line: int,  # noqa: ARG001
) -> Iterator[Piece]:
    """Yield the input with ` [2:45b]`, its network ID, after each match; and the known name."""
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


def replacements(other: Callable[[Address], Address]) -> Once[tuple[int, Found] | None]:
    """Return the table of how long matches are, and what stands in their place.

    Args:
        other: gives the other address, a prefix for one; a method of `Pseudonyms`.
    """

    def new(run: bytes) -> tuple[int, Found] | None:
        found = judge(run)
        return (
            None if found is None else (found.length, found._replace(address=other(found.address)))
        )

    return Once(new)


def replace(
    table: Once[tuple[int, Found] | None], file: str | None, blocks: Iterable[Block], line: int
) -> Iterator[Piece]:
    """Yield the input with another address in place of each, and another prefix for a prefix.

    Args:
        table: of `replacements`.
        file: its name, in the places that are left unchanged; None where those are not wanted.
        blocks: the input.
        line: the number of the first line.
    """
    place = Place(line)
    for block in blocks:
        left = set() if file is None else _places_of_fdaa(block)
        pieces: list[bytes] = []
        at = block.begin
        for match in block.matches():
            replaced = table[match.group()]
            if replaced is not None:
                length, replacement = replaced
                start, end = match.start(), match.start() + length
                pieces += block.raw[at:start], _fitting(replacement, block, start, end)
                left.difference_update(range(start, end))
                at = end
        unchanged = []
        for start in sorted(left):
            place.go_to(block, start)
            unchanged.append(f"{file}:{place.line}")
        place.go_to(block, block.end)
        found = bool(pieces)
        pieces.append(block.raw[at : block.end])
        yield Piece(b"".join(pieces), found, unchanged=tuple(unchanged))


def _places_of_fdaa(block: Block) -> set[int]:
    found = (match.start() for match in _FDAA.finditer(block.lower, block.begin))
    return {start for start in found if start < block.end}


def _fitting(new: Found, block: Block, start: int, end: int) -> bytes:
    """Return a text that is read back as this address in this place.

    With "::" in it, it could take in a port that follows, or a dot and a number.
    """
    text = str(new).encode()
    before = block.lower[max(0, start - LEFT) : start]
    here = before + text + block.lower[end : end + RIGHT]
    match = next(find_matches(here, len(before), len(here)), None)
    found = judge(match.group()) if match and match.start() == len(before) else None
    if found is not None and found.address == new.address:
        return text
    return new.address.exploded.encode() + text[len(str(new.address)) :]
