r"""Addresses in running text: a regular expression proposes, `Address` decides.

Every `fdaa:` in the text, in any case, is judged alone, by the 64 bytes before it and by what
follows it up to the first byte that no address, port or word has. So the answer does not depend on
what was found before, nor on how the input was cut into blocks.

    peer=[FDAA:0:18::3]:53
          ^^^^^                 proposed
         ^                      left edge: no word, and no group of another address
               ^^^^^            the rest of the run: hex digits, colons, a dotted quad
                    ^           right edge: no word goes on, no colon and group go on

An address in Latin-1 text and in its bytes is the same one: no byte above 127 counts as a letter.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from fdaa.address import Address
from fdaa.errors import AddressError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# Blocks of 256 KiB and more fall to half the speed: each is a fresh mapping of memory.
BLOCK = 128 * 1024
# How far an edge is looked for. Behind the start: more than a run of an address, a port and a word.
LEFT = 64
RIGHT = 96

_WORD = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
_HEX = b"0123456789abcdef"
_MAX_PORT = 65535
# Letters that are replaced one by one: those that are at most one of so many bytes of a sample.
_RARE = 32
_SAMPLE = 512

# What follows `fdaa:`. The longest run that can hold an address has 46 bytes: eight groups of four
# digits, a port, a colon. One byte more is taken, so that a longer run cannot look like a good one.
# The letter at the end says that a word goes on. The empty choice, in place of a `?` behind all, is
# for speed.
RUN = (
    rb"[0-9a-fA-F:]{1,42}(?:[g-zG-Z_]"
    rb"|\.[0-9]{1,3}(?:\.[0-9]{1,3}){2}(?![0-9g-zG-Z_])[0-9a-fA-F:]{0,8}[g-zG-Z_]?|)"
)
# It starts with the literal: a class there (`[fF]`) makes the search six times as slow. So the
# letters of `fdaa` are in lower case in what is searched, see `_folded`.
_EVERY = re.compile(rb"fdaa:(?=[0-9a-fA-F:])")
TAIL = re.compile(RUN)
# The end of a terminal escape (ECMA-48; raw, or as JSON writes it), a JSON or a percent escape. The
# class at the start is what makes the search fast here: there is no literal.
_ECMA_48 = rb"(?:\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])"
_ESCAPE = re.compile(
    rb"[\x1b\\%](?:(?<=\x1b)"
    + _ECMA_48
    + rb"|(?<=\\)u001b"
    + _ECMA_48
    + rb"|(?<=\\)[bfnrt]|(?<=\\)u[0-9a-f]{4}|(?<=%)[0-9a-f]{2})\Z"
)


class Match(NamedTuple):
    """An address in a text.

    Args:
        address: the address.
        start, end: where its text begins and ends; in characters of a `str`, in bytes of `bytes`.

    >>> next(find_addresses("from [fdaa::3]:53"))
    Match(address=Address.parse('fdaa::3'), start=6, end=13)
    """

    address: Address
    start: int
    end: int


Match.__module__ = "fdaa"


class FileMatch(NamedTuple):
    r"""An address in a file.

    Args:
        address: the address.
        start, end: where its text begins and ends, in bytes from where the reading began.
        line: the number of its line, from 1. A line ends in `\n`, and in nothing else.
        column: the byte of the line that it begins at, from 1.
        text: the text as it stands in the file.
    """

    address: Address
    start: int
    end: int
    line: int
    column: int
    text: str


class ReadableInto(Protocol):
    """A binary file: raw, buffered, in memory or unpacking another."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Read into `buffer`; return how many bytes, 0 at the end."""


# --- the rules ------------------------------------------------------------------------------------


def judge(run: bytes) -> tuple[Address, int] | None:
    """Return the address that a run begins with, and how many bytes it takes.

    Args:
        run: `fdaa:`, in lower case, and what `RUN` takes behind it.

    >>> judge(b"fdaa::3:25565"), judge(b"fdaa::3:5432")
    ((Address.parse('fdaa::3'), 7), (Address.parse('fdaa::3:5432'), 12))
    >>> judge(b"fdaa::1::2"), judge(b"fdaa::1g")
    (None, None)
    """
    text = run.decode("ascii")
    word_goes_on = text[-1] in "ghijklmnopqrstuvwxyz_"
    if word_goes_on:
        text = text[:-1]
    dot = text.find(".")
    if dot >= 0:
        colon = text.find(":", dot)
        if _parse(text if colon < 0 else text[:colon]) is None:
            # No dotted quad: a dot and a port, or the end of a sentence.
            return _first(text[:dot], word_goes_on=False)
    return _first(text, word_goes_on=word_goes_on)


def judge_in(text: bytes) -> tuple[Address, int] | None:
    """Return the address that a text begins with, and how many bytes it takes.

    Args:
        text: `fdaa:`, and as much behind it as a run is long.
    """
    tail = TAIL.match(text, 5)
    return None if tail is None else judge(text[: tail.end()].lower())


judge_again = lru_cache(maxsize=8192)(judge)


def _first(text: str, *, word_goes_on: bool) -> tuple[Address, int] | None:
    """Judge a run whose dots, if any, belong to a dotted quad: the whole of it, or without a port.

    A colon at its end is followed by neither a group nor a colon, so it may be left out.
    """
    whole = [] if word_goes_on else [text]
    if text.endswith(":"):
        whole.append(text[:-1])
    for candidate in whole:
        address = _parse(candidate)
        if address is not None:
            return address, len(candidate)
    for candidate in whole:
        head, _, port = candidate.rpartition(":")
        # The port must be one that cannot be a group, or stand where no group can.
        if 0 < len(port) <= 5 and port.isdecimal() and int(port) <= _MAX_PORT:
            full = "." in head or head.count(":") >= 7
            address = _parse(head) if full or len(port) == 5 else None
            if address is not None:
                return address, len(head)
    return None


def _parse(text: str) -> Address | None:
    try:
        return Address.parse(text)
    except AddressError:
        return None


def left_edge(text: bytes, start: int) -> bool:
    r"""Tell whether an address may begin at `start` of a text.

    Not inside a word, and not behind a group of another address and its colons. The last letter of
    an escape (`ESC[32m`, `\n`, `%5b`) belongs to no word.
    """
    before = text[max(0, start - LEFT) : start].lower()
    if not _is_edge(before):
        return False
    if not before.endswith(b":"):
        return True
    head = before.rstrip(b":")
    if not head:
        return len(before) < LEFT
    for digits in range(1, min(4, len(head)) + 1):
        if head[-digits] not in _HEX:
            return True
        if _is_edge(head[:-digits]):
            return False
    return True


def _is_edge(before: bytes) -> bool:
    return not before or before[-1] not in _WORD or _ESCAPE.search(before) is not None


def proposals(folded: bytes, begin: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield the runs, in lower case, that start in `begin:end` of a text at a good left edge.

    This is the definition; `scan_verdicts` finds the same ones faster.
    """
    for match in _EVERY.finditer(folded, begin):
        start = match.start()
        if start >= end:
            return
        if start == 0 or folded[start - 1] not in _WORD + b":" or left_edge(folded, start):
            tail = TAIL.match(folded, start + 5)
            assert tail is not None  # noqa: S101 - the look-ahead has seen its first byte
            yield start, b"fdaa:" + tail.group().lower()


# --- a text ---------------------------------------------------------------------------------------


def find_addresses(text: str | bytes) -> Iterator[Match]:
    r"""Find the private addresses in a text (specification, section 2.3), from left to right.

    Whatever is reported parses. A port, a zone, a prefix length, brackets and the stops of a
    sentence are left out; a text that goes on like an address but is none is left out as a whole.

    Args:
        text: any text; `str`, or `bytes` in any encoding that keeps ASCII.

    Raises:
        TypeError: `text` is neither.

    >>> log = "listening on [fdaa:0:18::2]:22 (DNS: [FDAA::3]:53)"
    >>> [str(match.address) for match in find_addresses(log)]
    ['fdaa:0:18::2', 'fdaa::3']
    >>> list(find_addresses(b"2001:db8:fdaa::1 fdaa::1::2 fdaa::1g"))
    []
    """
    if isinstance(text, str):
        # One byte a character, so that offsets stay; what Latin-1 has not is no letter here either.
        return _matches(len(text), lambda i, j: text[i:j].encode("latin-1", "replace"))
    if isinstance(text, bytes):
        return _matches(len(text), lambda i, j: text[i:j])
    raise TypeError(f"addresses are found in str or bytes, not in {type(text).__name__}")


def _matches(length: int, cut: Callable[[int, int], bytes]) -> Iterator[Match]:
    at = 0

    def readinto(buffer: memoryview) -> int:
        nonlocal at
        piece = cut(at, at + len(buffer))
        buffer[: len(piece)] = piece
        at += len(piece)
        return len(piece)

    for block in _blocks(readinto, min(length, BLOCK) or 1):
        for start, end, address in block.found():
            yield Match(address, block.offset + start, block.offset + end)


def find_in_file(file: ReadableInto, *, block: int = BLOCK) -> Iterator[FileMatch]:
    r"""Find the private addresses in a binary file, as `find_addresses` does, with their lines.

    What is there is read and answered: an address is yielded as soon as the byte behind it has been
    read. The memory taken depends on `block` alone, however long the file or its lines.

    Args:
        file: open for reading bytes.
        block: how many bytes to read at once; the answer does not depend on it.

    Raises:
        TypeError: the file is open for text.
        ValueError: `block` is less than 1.

    >>> import io
    >>> log = io.BytesIO(b"boot\nown address fdaa:0:18::3\n")
    >>> [(str(m.address), m.line, m.column) for m in find_in_file(log)]
    [('fdaa:0:18::3', 2, 13)]
    """
    return located(read_blocks(file, block))


def located(blocks: Iterable[Block], line: int = 1) -> Iterator[FileMatch]:
    """Yield what is found in the blocks of a file, or of a part that begins with line `line`."""
    line_start = 0  # in bytes from where the reading began
    for block in blocks:
        at = block.begin
        for start, end, address in (*block.found(), (block.end, block.end, None)):
            newlines = block.raw.count(b"\n", at, start)
            if newlines:
                line += newlines
                line_start = block.offset + block.raw.rindex(b"\n", at, start) + 1
            at = start
            if address is not None:
                text = block.raw[start:end].decode("ascii")
                begin = block.offset + start
                column = begin - line_start + 1
                yield FileMatch(address, begin, block.offset + end, line, column, text)


# --- blocks ---------------------------------------------------------------------------------------


class Block:
    """A piece of input: what starts in `begin:end` is judged here, the bytes around are context.

    `raw` is the reader's buffer: it holds the block until the next one is asked for.

    Args:
        raw: the bytes as they are.
        folded: the bytes with at least the letters F, D and A in lower case.
        begin, end: the part that is this block's.
        offset: of `raw[0]`, in bytes from where the reading began.
        whole: whether no run reaches across `begin` or `end`.
    """

    __slots__ = ("begin", "end", "folded", "offset", "raw", "whole")

    def __init__(
        self, raw: bytearray, folded: bytes, begin: int, end: int, offset: int, whole: bool
    ) -> None:
        self.raw = raw
        self.folded = folded
        self.begin = begin
        self.end = end
        self.offset = offset
        self.whole = whole

    def newlines(self) -> int:
        r"""Return how many `\n` it has."""
        # Behind `end` there is none: only what a run may go on with waits there.
        return newlines(self.folded) - self.folded.count(b"\n", 0, self.begin)

    def found(self) -> Iterator[tuple[int, int, Address]]:
        """Yield start, end and address of what is found; the indices are those of `raw`."""
        for start, run in proposals(self.folded, self.begin, self.end):
            judged = judge_again(run)
            if judged is not None:
                yield start, start + judged[1], judged[0]


def read_blocks(file: ReadableInto, size: int = BLOCK) -> Iterator[Block]:
    """Read a binary file block by block; each read takes what is there and waits for no more."""
    if size < 1:
        raise ValueError(f"a block has at least one byte, not {size}")
    readinto = getattr(file, "readinto1", None) or getattr(file, "readinto", None)
    if readinto is None:
        raise TypeError(f"a file open for reading bytes is needed, not {type(file).__name__}")
    return _blocks(readinto, size)


def _blocks(readinto: Callable[[memoryview], int | None], size: int) -> Iterator[Block]:
    buffer = bytearray(LEFT + RIGHT + size)
    view = memoryview(buffer)
    begin = filled = offset = 0
    whole_begin = True
    while True:
        count = readinto(view[filled : filled + size])
        if count is None:
            raise BlockingIOError("the file is in non-blocking mode, and has no bytes yet")
        filled += count
        text = bytes(view[:filled])
        end, whole_end = _decided(text, begin) if count else (filled, True)
        if begin < end:
            yield Block(buffer, _folded(text), begin, end, offset, whole_begin and whole_end)
            whole_begin = whole_end
        if not count:
            return
        keep = max(0, end - LEFT)
        view[: filled - keep] = buffer[keep:filled]
        begin, filled, offset = end - keep, filled - keep, offset + keep


def _decided(text: bytes, begin: int) -> tuple[int, bool]:
    """Return up to where nothing depends on bytes to come, and whether no run reaches across."""
    tail = text[max(begin, len(text) - RIGHT) :]
    undecided = len(tail) - len(tail.rstrip(_WORD + b":."))
    return len(text) - undecided, undecided < RIGHT


def _folded(text: bytes) -> bytes:
    """Return a text with at least the letters F, D and A in lower case.

    Most logs are in lower case. Where these three are few in upper case, to replace them takes a
    seventh of the time that `lower` takes. Where a block does not go on as it begins, each letter
    costs 4 ns, and the answer is the same.
    """
    sample = text[:_SAMPLE]
    if sample.count(b"F") + sample.count(b"D") + sample.count(b"A") > _SAMPLE // _RARE:
        return text.lower()
    return text.replace(b"F", b"f").replace(b"D", b"d").replace(b"A", b"a")


def newlines(text: bytes | bytearray) -> int:
    r"""Return how many `\n` a text has.

    Where lines are longer than 32 bytes, what is left without them tells it in half the time that
    `count` takes, which compares byte by byte.
    """
    few = len(text) // 32
    count = len(text) - len(text.replace(b"\n", b"", few))
    return count if count < few else text.count(b"\n")
