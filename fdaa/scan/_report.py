"""What is printed of a scan: each function a generator, from blocks to bytes.

Each yields what is to be written, block by block, and returns whether an address was found that the
filter keeps. Nothing here waits for more input than a block, or keeps more than one; a line that
must be kept whole goes to a temporary file when it is long.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from fdaa.scan._rules import RIGHT, judge_in, located
from fdaa.scan._scratch import Scratch
from fdaa.scan._verdicts import Verdicts

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from fdaa.address import Address, NetworkID
    from fdaa.scan._rules import Block

    Output = Generator[bytes, None, bool]
    # Tells a network's name, if it is known; a book's `name_of`.
    NameOf: TypeAlias = Callable[[NetworkID], str | None]

Last = TypeVar("Last")

# How much of a line is kept in memory until an address is found on it.
_HELD = 1024 * 1024
_PIECE = 64 * 1024


class Filter(NamedTuple):
    """Which addresses are wanted.

    Args:
        network_ids: those on one of these networks; or all, if there are none.
        invert: the others.

    >>> from fdaa import Address
    >>> Filter(frozenset({0x2045B})).keeps(Address.parse("fdaa:2:45b::3"))
    True
    """

    network_ids: frozenset[int] = frozenset()
    invert: bool = False

    def keeps(self, address: Address) -> bool:
        """Tell whether an address is wanted."""
        if not self.network_ids:
            return True
        return (address.network_id in self.network_ids) != self.invert


EVERYTHING = Filter()


def drain(output: Generator[bytes, None, Last], write: Callable[[bytes], object]) -> Last:
    """Write all that a generator yields, and return what it returns: whether there was a match."""
    try:
        while True:
            write(next(output))
    except StopIteration as end:
        last: Last = end.value
        return last


def matches(
    blocks: Iterable[Block],
    keep: Filter = EVERYTHING,
    *,
    name: bytes | None = None,
    numbered: bool = False,
    line: int = 1,
    name_of: NameOf | None = None,
) -> Output:
    r"""Yield a line `address<TAB>network` for each address, and with `name_of` a tab and its name.

    Args:
        blocks: the input.
        keep: which addresses.
        name: of the file, to stand in front; or None.
        numbered: whether the line's number stands in front, behind the name.
        line: the number of the first line.
        name_of: tells the names of networks.

    >>> import io
    >>> from fdaa.scan._rules import read_blocks
    >>> log = io.BytesIO(b"boot\nfrom [FDAA:0:18::3]:53\n")
    >>> list(matches(read_blocks(log), name=b"log", numbered=True))
    [b'log:2:fdaa:0:18::3\t0:18\n']
    """
    front = b"" if name is None else name + b":"
    verdicts = _texts(b"" if numbered else front, keep, name_of)
    found = False
    for block in blocks:
        if numbered:
            values, lines = verdicts.read_numbered(block, line)
            line = lines[-1]
            numbers = zip(lines, values, strict=False)
            values = [b"%b%d:%b" % (front, number, value) for number, value in numbers if value]
        else:
            values = verdicts.read(block)
        text = b"".join(values)
        if text:
            found = True
            yield text
    return found


@lru_cache(maxsize=1)  # for the next file, or the next part of this one
def _texts(front: bytes, keep: Filter, name_of: NameOf | None) -> Verdicts[bytes]:
    def render(address: Address) -> bytes:
        if not keep.keeps(address):
            return b""
        network_id = address.network_id
        name = "" if name_of is None else f"\t{name_of(network_id) or ''}"
        return front + f"{address}\t{network_id}{name}\n".encode()

    return Verdicts(render, b"")


def records(
    blocks: Iterable[Block],
    keep: Filter = EVERYTHING,
    *,
    name: str,
    line: int = 1,
    name_of: NameOf | None = None,
) -> Output:
    """Yield a JSON object on a line for each address: the same facts as `FileMatch`.

    Args:
        blocks: the input.
        keep: which addresses.
        name: of the file.
        line: the number of the first line.
        name_of: tells the names of networks.
    """
    import json  # not at the top: only this pays for it

    found = False
    for match in located(blocks, line):
        if keep.keeps(match.address):
            found = True
            record: dict[str, str | int | None] = {
                "file": name,
                "line": match.line,
                "column": match.column,
                "text": match.text,
                "address": str(match.address),
                "network_id": str(match.address.network_id),
                "network_id_int": int(match.address.network_id),
            }
            if name_of is not None:
                record["network_name"] = name_of(match.address.network_id)
            yield json.dumps(record).encode() + b"\n"
    return found


def lines(
    blocks: Iterable[Block],
    keep: Filter = EVERYTHING,
    *,
    name: bytes | None = None,
    numbered: bool = False,
    line: int = 1,
) -> Output:
    r"""Yield the lines on which there is an address, whole and unchanged.

    A last line without a `\n` gets one, as from grep. The arguments are those of `matches`.
    """
    front = b"" if name is None else name + b":"
    found = inside = False  # inside: of a line that is being printed
    held = _Held()
    for block in blocks:
        raw, at = block.raw, block.begin
        pieces: list[bytes | bytearray] = []
        starts = [start for start, _, address in block.found() if keep.keeps(address)]
        if inside:
            starts.insert(0, at)
        for start in starts:
            if start < at:
                continue  # the line is printed already
            if not inside:
                line += raw.count(b"\n", at, start)
                pieces.append(front + (b"%d:" % line if numbered else b""))
                begin = raw.rfind(b"\n", at, start) + 1
                if begin:
                    held.clear()
                    at = begin
                elif held:
                    yield b"".join(pieces)
                    pieces.clear()
                    yield from held.take()
                found = inside = True
            stop = raw.find(b"\n", start, block.end) + 1
            if stop:
                inside = False
                line += 1
            pieces.append(raw[at : stop or block.end])
            at = stop or block.end
        if pieces:
            yield b"".join(pieces)
        if not inside:
            begin = raw.rfind(b"\n", at, block.end) + 1
            if begin:
                line += raw.count(b"\n", at, block.end)
                held.clear()
            held.add(raw[begin or at : block.end])
    if inside:
        yield b"\n"
    return found


class _Held:
    """The bytes of a line so far: in memory, and behind 1 MiB in a temporary file."""

    def __init__(self) -> None:
        self._memory = bytearray()
        self._file: Scratch | None = None

    def __del__(self) -> None:
        self.clear()

    def __bool__(self) -> bool:
        return bool(self._memory) or self._file is not None

    def add(self, data: bytearray) -> None:
        self._memory += data
        if len(self._memory) > _HELD:
            if self._file is None:
                self._file = Scratch()
            self._file.append(self._memory)
            self._memory.clear()

    def clear(self) -> None:
        self._memory.clear()
        if self._file is not None:
            self._file.close()
            self._file = None

    def take(self) -> Iterator[bytes]:
        if self._file is not None:
            at = 0
            while piece := self._file.read(at, _PIECE):
                at += len(piece)
                yield piece
        yield bytes(self._memory)
        self.clear()


def annotate(
    blocks: Iterable[Block], keep: Filter = EVERYTHING, *, name_of: NameOf | None = None
) -> Output:
    """Yield the input with ` [2:45b]`, its network ID, behind each address; and the known name."""

    def mark(address: Address, text: bytes, _behind: bytes) -> bytes | None:
        if not keep.keeps(address):
            return None
        network_id = address.network_id
        name = None if name_of is None else name_of(network_id)
        label = str(network_id) if name is None else f"{network_id} {name}"
        return b"%b [%b]" % (text, label.encode())

    return _rewrite(blocks, mark)


def replace(blocks: Iterable[Block], other: Callable[[Address], Address]) -> Output:
    """Yield the input with another address in place of each.

    Args:
        blocks: the input.
        other: gives the other address; `Pseudonyms.hide` or `.reveal`.
    """
    again = lru_cache(maxsize=32768)(other)

    def write(address: Address, _text: bytes, behind: bytes) -> bytes:
        new = again(address)
        text = str(new).encode()
        # With "::" in it, it could take in a port, or a dot and a number.
        alone = judge_in(text + behind) == (new, len(text))
        return text if alone else new.exploded.encode()

    return _rewrite(blocks, write)


def _rewrite(
    blocks: Iterable[Block], change: Callable[[Address, bytes, bytes], bytes | None]
) -> Output:
    """Yield the input with each address as `change` gives it from the text and what is behind."""
    found = False
    done = 0  # in bytes from where the reading began
    for block in blocks:
        raw = block.raw
        at = max(block.begin, done - block.offset)
        pieces: list[bytes | bytearray] = []
        for start, end, address in block.found():
            behind = bytes(raw[end : min(end + RIGHT, len(block.folded))])
            text = change(address, bytes(raw[start:end]), behind)
            if text is not None:
                found = True
                pieces += raw[at:start], text
                at = end
        pieces.append(raw[at : block.end])
        done = block.offset + max(at, block.end)
        yield b"".join(pieces)
    return found
