"""How often each network occurs: texts are counted, and networks are made of them at the end.

The memory is that of the distinct texts, about 200 bytes each, and as much again for each network.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from fdaa._bits import ADDRESS_BYTES, NETWORK_BYTES, unpack_head
from fdaa.address import NetworkID
from fdaa.scan._report import EVERYTHING, Filter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.scan._blocks import Block


class NetworkCount(NamedTuple):
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

    >>> import io
    >>> from fdaa.scan._blocks import read_blocks
    >>> count = Count()
    >>> count.begin_file("log")
    >>> count.read(read_blocks(io.BytesIO(b"fdaa::3\nfdaa::3 fdaa:0:18::3\n")))
    >>> for network in count.networks():
    ...     print(network.network_id, network.matches, network.addresses, network.line)
    0:0 2 1 1
    0:18 1 1 2
    """

    def __init__(self, keep: Filter = EVERYTHING) -> None:
        self._keep = keep
        self._texts: Counter[bytes] = Counter()
        self._kept: dict[bytes, bytes] = {}  # text -> its address, or its /48 without the zeros
        # Lines are counted through all files, so that a place is one number.
        self._first: dict[int, int] = {}
        self._lines = 0
        self._files: list[tuple[int, str]] = []  # the lines before each, and its name

    def begin_file(self, name: str) -> None:
        """Tell that what is read next is of another file."""
        self._files.append((self._lines, name))
        self._lines += 1  # its last line may have no line feed

    def read(self, blocks: Iterable[Block]) -> None:
        """Count a file, or a part of one; where reading fails, what was read before is counted."""
        new: dict[bytes, int] = {}
        for block in blocks:
            # Texts alone are found fastest; where new networks come, places are needed as well.
            matches = [*block.matches()] if new else []
            runs = [match.group() for match in matches] if new else block.runs()
            new = self._add(runs)
            if new:
                matches = matches or [*block.matches()]
                line, at, number = self._lines, block.begin, 0
                for text, network_id in new.items():  # in order
                    number = runs.index(text, number)
                    start = matches[number].start()
                    line += block.raw.count(b"\n", at, start)
                    at = start
                    self._first[network_id] = line
            self._lines += block.raw.count(b"\n", block.begin, block.end)

    def add(self, part: Count) -> None:
        """Add what was counted in the next part of a file, by a count of its own."""
        self._texts.update(part._texts)
        self._kept.update(part._kept)
        for network_id, line in part._first.items():
            self._first.setdefault(network_id, self._lines + line)
        self._lines += part._lines

    def _add(self, texts: Iterable[bytes]) -> dict[bytes, int]:
        """Count texts; return the first one of each network that was not met before, in order."""
        before = len(self._texts)
        self._texts.update(texts)
        first: dict[int, bytes] = {}
        newest = [*islice(reversed(self._texts), len(self._texts) - before)]
        for text in reversed(newest):
            found = self._keep.judge(text)
            if found is not None:
                packed = found.address.packed
                is_address = found.prefix_length is None
                self._kept[text] = packed if is_address else packed[NETWORK_BYTES]
                network_id = unpack_head(packed)[1]
                if network_id not in self._first:
                    first.setdefault(network_id, text)
        return {text: network_id for network_id, text in first.items()}

    @property
    def network_ids(self) -> Iterable[int]:
        """The IDs of the networks that were met."""
        return self._first.keys()

    def networks(self) -> Iterator[NetworkCount]:
        """Yield the networks, those with most matches first."""
        matches, addresses = dict.fromkeys(self._first, 0), dict.fromkeys(self._first, 0)
        for packed in {*self._kept.values()}:
            addresses[unpack_head(packed)[1]] += len(packed) == ADDRESS_BYTES
        for text, packed in self._kept.items():
            matches[unpack_head(packed)[1]] += self._texts[text]
        for network_id in sorted(sorted(matches), key=matches.__getitem__, reverse=True):
            line = self._first[network_id]
            lines_before, file = self._files[bisect_left(self._files, (line,)) - 1]
            numbers = matches[network_id], addresses[network_id]
            yield NetworkCount(NetworkID(network_id), *numbers, file, line - lines_before)
