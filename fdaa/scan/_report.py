"""The output of a scan: each public function returns a function from blocks to pieces of output.

Nothing here waits for more input than a block, or keeps more than one, but for the start of a long
line that may have to be printed. The output for a text is cached for a file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

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
from fdaa.scan._possible import find_possible_starts

if TYPE_CHECKING:
    from fdaa.scan._expression import Reading

# Returns a network's name, if it is known.
NameOf: TypeAlias = Callable[[NetworkID], str | None]
# Takes the blocks of a file, or of a part of it, and the number of its first line.
Render: TypeAlias = Callable[[Iterable[Block], int], Iterator[Piece]]

_LONGEST_LINE = 256 * 1024 * 1024  # the most that is kept until an address is found on it
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
    place = Place(line)
    printing = False  # whether the unfinished line has a match
    held = bytearray()  # the start of a line longer than a block, until it has one
    for block in blocks:
        output = Output(marked=marked)
        has_found = False
        for begin, end, found in _printed_lines(table, block, printing):
            is_first = begin == block.begin
            if not (is_first and printing):
                place.go_to(block, begin)
                output.add_front(front, place.line)
            if is_first and not printing:
                output.data += held
            output.add_line(block, begin, end, found)
            if found:
                has_found = True
            printing = not output.data.endswith(b"\n")
        last_line = block.raw.rfind(b"\n", block.begin, block.end) + 1
        if last_line:
            held.clear()
        if not printing:
            held += block.raw[max(last_line, block.begin) : block.end]
            if len(held) > _LONGEST_LINE:
                raise OSError("a line is longer than 256 MiB and cannot be printed whole")
        place.go_to(block, block.end)
        yield output.piece(found=has_found)
    if printing:
        yield Piece(b"\n")


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
            lines = _unchanged_lines(block, replaced, line)
            places = tuple(f"{file}:{number}" for number in lines)
            line += count_lines(block.raw[block.begin : block.end])
        yield Piece(data, bool(pieces), unchanged=places)


def _unchanged_lines(block: Block, replaced: list[tuple[int, int]], line: int) -> Iterator[int]:
    """Yield the line of each text that could be an address and was not replaced."""
    at = block.begin
    places = iter(replaced)
    begin = end = 0
    for start in find_possible_starts(block.lower, block.begin, len(block.lower)):
        if start >= block.end:
            break
        while end <= start:
            begin, end = next(places, (len(block.lower), len(block.lower) + 1))
        if start < begin:
            line += block.raw.count(b"\n", at, start)
            at = start
            yield line


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
    match = next(find_with_colons(here, len(before), len(here), True), None)
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
