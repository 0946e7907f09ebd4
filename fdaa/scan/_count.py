"""How often each network occurs: texts are counted, and networks are made of them at the end.

The memory is that of the distinct texts, about 150 bytes each, and about 300 for each network.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fdaa._bits import ADDRESS_BYTES, NETWORK_BYTES, unpack_head
from fdaa.address import NetworkID
from fdaa.scan._report import EVERYTHING, Filter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.scan._blocks import Block
    from fdaa.scan._sources import Failure

_REST = slice(NETWORK_BYTES.stop, ADDRESS_BYTES)
_REST_BYTES = _REST.stop - _REST.start
_RECORD = ADDRESS_BYTES + 1  # and whether it is a prefix
# Texts that are no addresses: so many are remembered, for as long as they are short.
_REFUSED = 65_536
_SHORT = 64


@dataclass(frozen=True, slots=True)
class NetworkCount:
    """What was counted for one network.

    Args:
        network_id: its ID.
        matches: how many of its addresses and prefixes were found.
        addresses: how many distinct addresses among them.
        file, line: where the first one stands.
    """

    network_id: NetworkID
    matches: int
    addresses: int
    file: str
    line: int


class Count:
    r"""The networks of all files that are read into it.

    Args:
        keep: which addresses are counted.

    Attributes:
        failures: what could not be read.

    >>> import io
    >>> from fdaa.scan._blocks import read_blocks
    >>> count = Count()
    >>> count.begin_file("log")
    >>> for block in read_blocks(io.BytesIO(b"fdaa::3\nfdaa::3 fdaa:0:18::3\n")):
    ...     count.read(block)
    >>> for network in count.networks():
    ...     print(network.network_id, network.matches, network.addresses, network.line)
    0:0 2 1 1
    0:18 1 1 2
    """

    def __init__(self, keep: Filter = EVERYTHING) -> None:
        self.failures: list[Failure] = []
        self._keep = keep
        self._texts: Counter[bytes] = Counter()
        self._records = bytearray()  # what each text is, in the same order
        self._refused: set[bytes] = set()
        # Lines are counted through all files, so that a place is one number.
        self._first: dict[int, int] = {}
        self._lines = 0
        self._files: list[tuple[int, str]] = []  # the lines before each, and its name

    def begin_file(self, name: str) -> None:
        """Say that what is read next is of another file."""
        self._files.append((self._lines, name))
        self._lines += 1  # its last line may have no line feed

    def read(self, block: Block) -> None:
        """Count the next block of a file."""
        # Texts alone are found fastest; where new networks come, places are needed as well.
        runs = block.runs()
        if new := self._add(runs):
            line, at, number = self._lines, block.begin, 0
            matches = [*block.matches()]
            for text, network_id in new.items():  # in order
                number = runs.index(text, number)
                start = matches[number].start()
                line += block.raw.count(b"\n", at, start)
                at = start
                self._first[network_id] = line
        self._lines += block.raw.count(b"\n", block.begin, block.end)

    def add(self, part: Count) -> None:
        """Add what was counted in the next part of a file, by a count of its own."""
        records = memoryview(part._records)
        for number, (text, count) in enumerate(part._texts.items()):
            if text not in self._texts:
                self._records += records[number * _RECORD : (number + 1) * _RECORD]
            self._texts[text] += count
        for network_id, line in part._first.items():
            self._first.setdefault(network_id, self._lines + line)
        self._lines += part._lines

    def _add(self, texts: list[bytes]) -> dict[bytes, int]:
        """Count texts; return the first one of each network that was not met before, in order."""
        before = len(self._texts)
        self._texts.update(texts)
        first: dict[int, bytes] = {}
        new = [self._texts.popitem() for _ in range(len(self._texts) - before)]
        for text, count in reversed(new):  # those that are no addresses do not come back
            found = None if text in self._refused else self._keep.judge(text)
            if found is None:
                self._refuse(text)
                continue
            self._texts[text] = count
            packed = found.address.packed
            self._records += packed
            self._records.append(found.prefix_length is not None)
            network_id = unpack_head(packed)[1]
            if network_id not in self._first:
                first.setdefault(network_id, text)
        return {text: network_id for network_id, text in first.items()}

    def _refuse(self, text: bytes) -> None:
        if len(self._refused) >= _REFUSED:
            self._refused.clear()
        if len(text) <= _SHORT:
            self._refused.add(text)

    @property
    def network_ids(self) -> Iterable[int]:
        """The IDs of the networks that were met."""
        return self._first.keys()

    def networks(self) -> Iterator[NetworkCount]:
        """Yield the networks, those with most matches first."""
        matches = dict.fromkeys(self._first, 0)
        rests: dict[int, bytearray] = {}
        for number, count in enumerate(self._texts.values()):
            record = bytes(self._records[number * _RECORD : (number + 1) * _RECORD])
            network_id = unpack_head(record)[1]
            matches[network_id] += count
            if not record[-1]:
                rests.setdefault(network_id, bytearray()).extend(record[_REST])
        for network_id in sorted(sorted(matches), key=matches.__getitem__, reverse=True):
            line = self._first[network_id]
            lines_before, file = self._files[bisect_left(self._files, (line,)) - 1]
            addresses = len(_pieces(rests.get(network_id, b"")))
            yield NetworkCount(
                NetworkID(network_id), matches[network_id], addresses, file, line - lines_before
            )


def _pieces(rests: bytes | bytearray) -> set[bytes]:
    """Return the distinct rests of those that are written one after another."""
    return {bytes(rests[at : at + _REST_BYTES]) for at in range(0, len(rests), _REST_BYTES)}
