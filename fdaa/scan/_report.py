"""The output of a scan: each public function returns a function from blocks to pieces of output.

Nothing here waits for more input than a block, or keeps more than one; a line that must be kept
whole goes to a temporary file when it is long. The output for a text is cached for a file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import IO, TYPE_CHECKING, NamedTuple, TypeAlias

from fdaa._support.escapes import as_unicode
from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.bits import unpack_head
from fdaa._values.id_text import id_fields, id_text
from fdaa.scan._blocks import Block, Place, count_lines
from fdaa.scan._encoded import decoded, encoded, is_encoded
from fdaa.scan._expression import RIGHT, find_with_colons, judge, judge_packed, judge_wide, text_of
from fdaa.scan._expression_parts import LEFT
from fdaa.scan._once import Once
from fdaa.scan._other_forms import is_other_form, spelled_like
from fdaa.scan._pieces import NOTHING, Front, MarkKind, Output, Piece
from fdaa.scan._possible import LONGEST_HEAD, find_possible_starts

if TYPE_CHECKING:
    from fdaa.scan._expression import Reading

# Returns a network's name, if it is known.
NameOf: TypeAlias = Callable[[NetworkID], str | None]
# Takes the blocks of a file, or of a part of it, and the number of its first line.
Render: TypeAlias = Callable[[Iterable[Block], int], Iterator[Piece]]

# How much of a line is kept in memory until an address is found on it.
_HELD = 1024 * 1024
_PIECE = 64 * 1024
_NETWORKS = 65536  # whose fields are kept, 30 MB at most


class Filter(NamedTuple):
    """Which addresses and networks are kept.

    Args:
        network_ids: those on one of these networks; or all, if there are none.
        invert: the others.
    """

    network_ids: frozenset[int] = frozenset()
    invert: bool = False

    def judge(self, run: bytes) -> Reading | None:
        """Return what a run, in any case, begins with, if it is kept."""
        reading = judge(run.lower())
        if reading is None:
            return None
        value, _ = reading
        if not self.keeps(int(value.network_id)):
            return None
        return reading

    def keeps(self, network_id: int) -> bool:
        """Return whether what is on a network is kept."""
        if not self.network_ids:
            return True
        return (network_id in self.network_ids) != self.invert


EVERYTHING = Filter()


# --- matches --------------------------------------------------------------------------------------


def matches(
    keep: Filter = EVERYTHING,
    front: Front = NOTHING,
    *,
    name_of: NameOf | None = None,
    marked: bool = False,
) -> Render:
    """Print `address<TAB>network` lines; with names, a tab and the network's name after it.

    Args:
        keep: which addresses.
        front: stands in front of each line.
        name_of: returns the names of networks.
        marked: whether pieces have marks.
    """
    begin = front.text(0) if not marked and not front.numbered else b""

    def line(run: bytes) -> bytes:
        reading = judge_packed(run)
        if reading is None:
            return b""
        _, network_id = unpack_head(reading[0])
        if not keep.keeps(network_id):
            return b""
        name = "" if name_of is None else f"\t{name_of(NetworkID(network_id)) or ''}"
        return begin + f"{text_of(*reading)}\t{id_text(network_id)}{name}\n".encode()

    if marked:
        return partial(_marked_matches, Once(line), front)
    if front.numbered:
        return partial(_numbered, Once(line), front)
    return partial(_matches, Once(line))


def _matches(table: Once[bytes], blocks: Iterable[Block], _line: int) -> Iterator[Piece]:
    for block in blocks:
        data = b"".join(map(table.__getitem__, block.runs()))
        yield Piece(data, bool(data))


def _marked_matches(
    table: Once[bytes], front: Front, blocks: Iterable[Block], line: int
) -> Iterator[Piece]:
    place = Place(line)
    for block in blocks:
        output = Output(marked=True)
        for match in block.matches():
            text = table[match.group()]
            if text:
                place.go_to(block, match.start())
                output.add_front(front, place.line)
                address, tab, rest = text.partition(b"\t")
                output.add(address, MarkKind.MATCH)
                output.data += tab + rest
        place.go_to(block, block.end)
        yield output.piece(found=bool(output.data))


def _numbered(
    table: Once[bytes], front: Front, blocks: Iterable[Block], line: int
) -> Iterator[Piece]:
    for block in blocks:
        pieces: list[bytes] = []
        counted = block.begin
        for match in block.matches():
            text = table[match.group()]
            if text:
                start = match.start()
                line += block.raw.count(b"\n", counted, start)
                counted = start
                pieces.append(front.text(line))
                pieces.append(text)
        line += count_lines(block.raw[counted : block.end])
        yield Piece(b"".join(pieces), bool(pieces))


def records(file: str, keep: Filter = EVERYTHING, *, name_of: NameOf | None = None) -> Render:
    """Print a JSON object on a line for each match, with its place in the file of this name."""

    def network_fields(prefix: Prefix) -> str:
        network_id = prefix.network_id
        values = {**id_fields(network_id), "prefix": str(prefix)}
        if name_of is not None:
            values["network_name"] = name_of(network_id)
        return json.dumps(values)[1:]

    @lru_cache(_NETWORKS)  # a log has more addresses than networks
    def fields_of_id(network_id: NetworkID) -> str:
        return network_fields(network_id.prefix)

    def fields(raw: bytes) -> bytes:
        reading = keep.judge(raw)
        if reading is None:
            return b""
        value, length = reading
        values: dict[str, str | None] = {
            "text": raw[:length].decode(),
            "kind": "address",
            "address": str(value),
        }
        if isinstance(value, Prefix):
            values["kind"] = "prefix"
            values["address"] = None
            of_network = network_fields(value)
        else:
            of_network = fields_of_id(value.network_id)
        return f"{json.dumps(values)[1:-1]}, {of_network}\n".encode()

    # Only the place differs between matches that read the same: the rest is made once for them.
    begin = json.dumps({"file": as_unicode(file)})[:-1].replace("%", "%%").encode()
    begin += b', "line": %d, "column": %d, %b'
    return partial(_records, Once(fields), begin)


def _records(
    table: Once[bytes], begin: bytes, blocks: Iterable[Block], line: int
) -> Iterator[Piece]:
    place = Place(line)
    for block in blocks:
        pieces: list[bytes] = []
        for match in block.matches():
            start, end = match.span()
            text = table[block.raw[start:end]]
            if text:
                line_number, column = place.go_to(block, start)
                pieces.append(begin % (line_number, column, text))
        place.go_to(block, block.end)
        yield Piece(b"".join(pieces), bool(pieces))


# --- whole lines ----------------------------------------------------------------------------------


def lines(keep: Filter = EVERYTHING, front: Front = NOTHING, *, marked: bool = False) -> Render:
    r"""Print the lines with a match, whole; a last one without a `\n` gets one.

    The arguments are those of `matches`.
    """
    return partial(_lines, Once(keep.judge), front, marked)


def _lines(
    table: Once[Reading | None], front: Front, marked: bool, blocks: Iterable[Block], line: int
) -> Iterator[Piece]:
    from tempfile import SpooledTemporaryFile  # late: a third of the remaining import time

    place = Place(line)
    printing = False  # whether the unfinished line has a match
    with SpooledTemporaryFile(_HELD) as held:  # the start of a line without one
        for block in blocks:
            output = Output(marked=marked)
            has_found = False
            for begin, end, found in _printed_lines(table, block, printing):
                is_first = begin == block.begin
                if not (is_first and printing):
                    place.go_to(block, begin)
                    output.add_front(front, place.line)
                if is_first and not printing:  # what it has in earlier blocks was held
                    yield output.piece(found=True)
                    yield from _content(held)
                    output = Output(marked=marked)
                output.add_line(block, begin, end, found)
                if found:
                    has_found = True
                printing = not output.data.endswith(b"\n")
            if not printing:
                _hold(held, block)
            place.go_to(block, block.end)
            yield output.piece(found=has_found)
        if printing:
            yield Piece(b"\n")


def _hold(held: IO[bytes], block: Block) -> None:
    """Add a block to the start of a line; a line feed in it starts another line."""
    begin = block.begin
    last = block.raw.rfind(b"\n", begin, block.end)
    if last >= 0:
        held.seek(0)
        held.truncate()
        begin = last + 1
    held.write(block.raw[begin : block.end])


def _content(held: IO[bytes]) -> Iterator[Piece]:
    held.seek(0)
    while text := held.read(_PIECE):
        yield Piece(text)


def _printed_lines(
    table: Once[Reading | None], block: Block, printing: bool
) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """Yield where each line that is printed begins and ends in a block, and its matches.

    Args:
        table: the match at the start of each run, if it is kept.
        block: where to look.
        printing: whether its first line is printed in any case.
    """
    raw = block.raw
    begin = block.begin
    end = _end_of_line(block, begin) if printing else begin
    found: list[tuple[int, int]] = []
    for match in block.matches():
        reading = table[match.group()]
        if reading is None:
            continue
        _, length = reading
        start = match.start()
        if start >= end:
            if begin < end:
                yield begin, end, found
            line_feed = raw.rfind(b"\n", end, start)  # -1 in the first line of the block
            begin = max(end, line_feed + 1)
            end = _end_of_line(block, start)
            found = []
        found.append((start, start + length))
    if begin < end:
        yield begin, end, found


def _end_of_line(block: Block, at: int) -> int:
    """Return where the line at a place ends: after its line feed, or at the end of the block."""
    line_feed = block.raw.find(b"\n", at, block.end)
    if line_feed < 0:
        return block.end
    return line_feed + 1


# --- all text -------------------------------------------------------------------------------------


def annotate(keep: Filter = EVERYTHING, *, name_of: NameOf | None = None) -> Render:
    """Print the input with ` [2:45b]`, its network ID, after each match; and the known name."""

    def label(text: bytes) -> tuple[int, bytes]:
        reading = keep.judge(text)
        if reading is None:
            return 0, b""
        value, length = reading
        words = str(value.network_id)
        if name_of is not None:
            name = name_of(value.network_id)
            if name is not None:
                words = f"{words} {name}"
        return length, f" [{words}]".encode()

    return partial(_labelled, Once(label))


def _labelled(
    table: Once[tuple[int, bytes]], blocks: Iterable[Block], _line: int
) -> Iterator[Piece]:
    for block in blocks:
        pieces: list[bytes] = []
        at = block.begin
        for match in block.matches():
            length, label = table[match.group()]
            if length:
                end = match.start() + length
                pieces.append(block.raw[at:end])
                pieces.append(label)
                at = end
        data = b"".join(pieces) + block.raw[at : block.end]
        yield Piece(data, bool(pieces))


def replace(other: Callable[[Address], Address], file: str | None = None) -> Render:
    """Print the input with each address and each prefix replaced by another.

    Args:
        other: returns the replacement; a method of `Pseudonyms`.
        file: its name, in the places that are left unchanged; None to omit them.
    """

    def new(text: bytes) -> tuple[int, bytes]:
        reading = judge_wide(text)
        if reading is None:
            return 0, b""
        value, length = reading
        if isinstance(value, Prefix):
            prefix = Prefix.build(other(value.address), value.length)
            return length, _spelled(str(prefix), text)
        if is_other_form(text):
            return length, spelled_like(text, other(value))
        return length, _spelled(str(other(value)), text)

    return partial(_replaced, Once(new), file)


def _spelled(value: str, run: bytes) -> bytes:
    """Return the text of an address or a prefix, with percent escapes if a run has them."""
    if is_encoded(run):
        return encoded(value.encode(), run)
    return value.encode()


def _replaced(
    table: Once[tuple[int, bytes]], file: str | None, blocks: Iterable[Block], line: int
) -> Iterator[Piece]:
    """Yield the input with other text in place of each match.

    Args:
        table: the length of each match, 0 for none, and the text in its place.
        file: as in `replace`.
        blocks, line: the input, and the number of its first line.
    """
    unchanged = _Unchanged(line)
    for block in blocks:
        pieces: list[bytes] = []
        replaced: list[tuple[int, int]] = []
        at = block.begin
        for match in block.matches(wide=True):
            length, text = table[match.group()]
            if length:
                start = match.start()
                pieces.append(block.raw[at:start])
                at = start + length
                pieces.append(_fitting(text, block, start, at))
                replaced.append((start, at))
        data = b"".join(pieces) + block.raw[at : block.end]
        places: tuple[str, ...] = ()
        if file is not None:
            unchanged.add(block, replaced)
            places = tuple(f"{file}:{line}" for line in unchanged.lines(LONGEST_HEAD))
        yield Piece(data, bool(pieces), unchanged=places)
    places = tuple(f"{file}:{line}" for line in unchanged.lines())
    if places:
        yield Piece(b"", found=False, unchanged=places)


class _Unchanged:
    """Finds what could be an address and was not replaced, also where two blocks meet.

    Args:
        line: the number of the first line.
    """

    def __init__(self, line: int) -> None:
        self._line = line  # of `_begin`
        self._text = b"\n"  # in lower case; what has been searched is kept as context
        self._begin = 1  # of the part that has not been searched
        self._replaced: list[tuple[int, int]] = []  # in `_text`

    def add(self, block: Block, replaced: list[tuple[int, int]]) -> None:
        """Add a block, and where it was replaced."""
        shift = len(self._text) - block.begin
        self._text += block.lower[block.begin : block.end]
        self._replaced.extend((start + shift, end + shift) for start, end in replaced)

    def lines(self, undecided: int = 0) -> Iterator[int]:
        """Yield the lines of such places, but not of those that begin in the last bytes.

        Args:
            undecided: how many bytes at the end are left for later, as more bytes decide them. To
                search so many bytes takes as long as to search a few, so it waits for as many.
        """
        text = self._text
        end = len(text) - undecided
        if end - self._begin < undecided:
            return
        number = 0  # of the first replaced place that ends later
        for start in find_possible_starts(text, self._begin, len(text)):
            if start >= end:
                break
            while number < len(self._replaced) and self._replaced[number][1] <= start:
                number += 1
            is_replaced = number < len(self._replaced) and self._replaced[number][0] <= start
            if not is_replaced:
                self._go_to(start)
                yield self._line
        self._go_to(end)
        kept = max(0, end - LEFT)
        self._text = text[kept:]
        self._begin -= kept
        self._replaced = [
            (start - kept, stop - kept) for start, stop in self._replaced if stop > end
        ]

    def _go_to(self, at: int) -> None:
        self._line += self._text.count(b"\n", self._begin, at)
        self._begin = at


def _fitting(text: bytes, block: Block, start: int, end: int) -> bytes:
    """Return the text of an address as it is read back in this place.

    With "::" in it, it could take in a port that follows, or a dot and a number. Nearly all
    pseudonyms have eight groups.
    """
    has_eight_groups = b"::" not in text and b"%" not in text
    if has_eight_groups:
        return text
    lower = text.lower()
    if is_other_form(lower):
        return text
    before = block.lower[max(0, start - LEFT) : start]
    here = before + lower + block.lower[end : end + RIGHT]
    match = next(find_with_colons(here, len(before), len(here), wide=True), None)
    plain = decoded(lower)
    address, slash, length = plain.partition(b"/")
    if match is not None and match.start() == len(before):
        reading = judge_wide(match.group())
        if reading is not None:
            read = decoded(match.group()[: reading[1]])
            if read in (address, plain):
                return text
    exploded = Address(address.decode()).exploded
    return _spelled(exploded + (slash + length).decode(), lower)
