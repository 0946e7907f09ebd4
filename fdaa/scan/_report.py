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
from fdaa.scan._expression import RIGHT, find_with_colons, judge, judge_packed, judge_wide, text_of
from fdaa.scan._expression_parts import LEFT
from fdaa.scan._once import Once
from fdaa.scan._other_forms import decoded, encoded, is_encoded, is_other_form, spelled_like
from fdaa.scan._pieces import Front, Mark, MarkKind, Piece, mark_front
from fdaa.scan._possible import find_possible_starts

if TYPE_CHECKING:
    from fdaa.scan._expression import Reading

# Returns a network's name, if it is known.
NameOf: TypeAlias = Callable[[NetworkID], str | None]
# Takes the blocks of a file, or of a part of it, and the number of its first line.
Render: TypeAlias = Callable[[Iterable[Block], int], Iterator[Piece]]

_NETWORKS = 65536  # whose fields are kept, 30 MB at most
_LONGEST_LINE = 256 * 1024 * 1024  # the most that is kept until an address is found on it


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


def matches(keep: Filter, front: Front, name_of: NameOf | None) -> Render:
    """Print `address<TAB>network` lines; with names, a tab and the network's name after it.

    Args:
        keep: which addresses.
        front: stands in front of each line.
        name_of: returns the names of networks.
    """
    begin = b"" if front.numbered else front.text(0)

    def line(run: bytes) -> bytes:
        reading = judge_packed(run)
        if reading is None:
            return b""
        _, network_id = unpack_head(reading[0])
        if not keep.keeps(network_id):
            return b""
        name = "" if name_of is None else f"\t{name_of(NetworkID(network_id)) or ''}"
        return begin + f"{text_of(*reading)}\t{id_text(network_id)}{name}\n".encode()

    if front.numbered:
        return partial(_numbered, Once(line), front)
    return partial(_matches, Once(line))


def _matches(table: Once[bytes], blocks: Iterable[Block], _line: int) -> Iterator[Piece]:
    for block in blocks:
        data = b"".join(map(table.__getitem__, block.runs()))
        yield Piece(data, bool(data))


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


def records(file: str, keep: Filter, name_of: NameOf | None) -> Render:
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


def lines(keep: Filter, front: Front) -> Render:
    r"""Print the lines with a match, whole; a last one without a `\n` gets one.

    The arguments are those of `matches`.
    """
    return partial(_lines, Once(keep.judge), front)


def _lines(
    table: Once[Reading | None], front: Front, blocks: Iterable[Block], line: int
) -> Iterator[Piece]:
    place = Place(line)
    printing = False  # whether the unfinished line has a match
    held = bytearray()  # the start of a line longer than a block, until it has one
    for block in blocks:
        output = bytearray()
        has_found = False
        end = block.begin
        if printing:
            end = _end_of_line(block, end)
            output += block.raw[block.begin : end]
            printing = not output.endswith(b"\n")
        for match in block.matches():
            if table[match.group()] is None:
                continue
            has_found = True
            start = match.start()
            if start < end:
                continue  # its line is printed
            line_feed = block.raw.rfind(b"\n", end, start)  # -1 in the first line of the block
            begin = max(end, line_feed + 1)
            end = _end_of_line(block, start)
            place.go_to(block, begin)
            output += front.text(place.line)
            if begin == block.begin:
                output += held
            output += block.raw[begin:end]
            printing = not output.endswith(b"\n")
        last_line = block.raw.rfind(b"\n", block.begin, block.end) + 1
        if last_line:
            held.clear()
        if not printing:
            held += block.raw[max(last_line, block.begin) : block.end]
            if len(held) > _LONGEST_LINE:
                raise OSError("a line is longer than 256 MiB and cannot be printed whole")
        place.go_to(block, block.end)
        yield Piece(bytes(output), has_found)
    if printing:
        yield Piece(b"\n")


def _end_of_line(block: Block, at: int) -> int:
    """Return where the line at a place ends: after its line feed, or at the end of the block."""
    line_feed = block.raw.find(b"\n", at, block.end)
    if line_feed < 0:
        return block.end
    return line_feed + 1


# --- colours --------------------------------------------------------------------------------------


def with_marks(render: Render, keep: Filter, front: Front) -> Render:
    """Add marks to matches or whole lines."""
    return partial(_marked, render, keep, front)


def _marked(
    render: Render, keep: Filter, front: Front, blocks: Iterable[Block], line: int
) -> Iterator[Piece]:
    begins_a_line = True
    for piece in render(blocks, line):
        marks: list[Mark] = []
        at = 0
        for text in piece.data.split(b"\n"):
            searched = 0
            if text and begins_a_line:
                in_front = mark_front(front, text, at)
                if in_front:
                    searched = in_front[-1].end - at
                marks += in_front
            block = Block.whole(text[searched:])
            for match in block.matches():
                reading = keep.judge(match.group())
                if reading is not None:
                    start = at + searched + match.start() - 1
                    marks.append(Mark(start, start + reading[1], MarkKind.MATCH))
            at += len(text) + 1
            begins_a_line = True
        if piece.data:
            begins_a_line = piece.data.endswith(b"\n")
        yield piece._replace(marks=tuple(marks))


# --- all text -------------------------------------------------------------------------------------


def annotate(keep: Filter, name_of: NameOf | None) -> Render:
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
