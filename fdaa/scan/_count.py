"""How often each network occurs: texts are counted, and networks are made of them at the end.

The memory is that of the distinct texts, about 200 bytes each, and as much again for each network.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from fdaa._bits import unpack_head
from fdaa.address import NetworkID
from fdaa.scan._report import EVERYTHING, Filter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.scan._blocks import Block


class Place(NamedTuple):
    """Where a network is first met: a file's name, and a line from 1."""

    file: str
    line: int


class NetworkCount(NamedTuple):
    """What was counted for one network.

    Args:
        network_id: its ID.
        matches: how many of its addresses and prefixes were found.
        addresses: how many distinct addresses among them.
        first: where the first one stands.
    """

    network_id: NetworkID
    matches: int
    addresses: int
    first: Place


class PartCount(NamedTuple):
    """What was counted in a part of a file.

    Args:
        texts: how often each text occurs.
        first: where each network is first met: the file, and the line counted in the part.
        lines: how many line feeds the part has.
    """

    texts: Counter[bytes]
    first: dict[int, tuple[str, int]]
    lines: int


class Count:
    r"""The networks of all files that are read into it.

    Args:
        keep: which addresses are counted.

    >>> import io
    >>> from fdaa.scan._blocks import read_blocks
    >>> count = Count()
    >>> count.read(read_blocks(io.BytesIO(b"fdaa::3\nfdaa::3 fdaa:0:18::3\n")), "log")
    2
    >>> for network in count.networks():
    ...     print(network.network_id, network.matches, network.addresses, network.first.line)
    0:0 2 1 1
    0:18 1 1 2
    """

    def __init__(self, keep: Filter = EVERYTHING) -> None:
        self.first: dict[int, tuple[str, int]] = {}  # plain, as there may be a million
        self._keep = keep
        self._taken = 0  # of `first`
        self._texts: Counter[bytes] = Counter()
        self._networks: dict[bytes, int] = {}  # of the texts that are kept
        self._addresses: Counter[int] = Counter()
        self._rewritten: set[bytes] = set()  # addresses met first in another form than RFC 5952's

    def read(self, blocks: Iterable[Block], name: str) -> int:
        """Count a file, or a part of one, and return how many line feeds it has.

        Where reading fails, what was read before is counted.
        """
        lines = 0
        new: dict[bytes, int] = {}
        for block in blocks:
            # Texts alone are found fastest; where new networks come, places are needed as well.
            matches = [*block.matches()] if new else []
            runs = [match.group() for match in matches] if new else block.runs()
            new = self._add(runs)
            if new:
                matches = matches or [*block.matches()]
                line, at, number = lines + 1, block.begin, 0
                for text, network_id in new.items():  # in order
                    number = runs.index(text, number)
                    start = matches[number].start()
                    line += block.line_feeds(at, start)
                    at = start
                    self.first[network_id] = name, line
            lines += block.line_feeds(block.begin, block.end)
        return lines

    def take_part(self, lines: int) -> PartCount:
        """Return what was counted since this was last asked, and begin anew.

        What was found out about texts and networks stays known.
        """
        texts, self._texts = self._texts, Counter()
        new = len(self.first) - self._taken
        self._taken = len(self.first)
        return PartCount(texts, dict(islice(reversed(self.first.items()), new)), lines)

    def add(self, part: PartCount, lines: int) -> None:
        """Add what was counted in a later part of a file, before which there are so many lines."""
        self._add(part.texts)
        for network_id, (file, line) in part.first.items():
            if network_id not in self.first:
                self.first[network_id] = file, line + lines

    def _add(self, texts: Iterable[bytes]) -> dict[bytes, int]:
        """Count texts; return the first one of each network that was not met before, in order."""
        before = len(self._texts)
        self._texts.update(texts)
        newest = [*islice(reversed(self._texts), len(self._texts) - before)]
        first: dict[int, bytes] = {}
        for text in reversed(newest):
            found = None if text in self._networks else self._keep.judge(text)
            if found is not None:
                network_id = self._networks[text] = unpack_head(found.address.packed)[1]
                if found.prefix_length is None:
                    self._count_address(network_id, text, str(found.address).encode())
                if network_id not in self.first:
                    first.setdefault(network_id, text)
        return {text: network_id for network_id, text in first.items()}

    def _count_address(self, network_id: int, text: bytes, canonical: bytes) -> None:
        if canonical != text:
            if canonical in self._texts or canonical in self._rewritten:
                return  # counted there
            self._rewritten.add(canonical)
        elif text in self._rewritten:
            return
        self._addresses[network_id] += 1

    def networks(self) -> Iterator[NetworkCount]:
        """Yield the networks, those with most matches first."""
        matches: Counter[int] = Counter()
        for text, network_id in self._networks.items():
            matches[network_id] += self._texts[text]
        for network_id in sorted(sorted(matches), key=matches.__getitem__, reverse=True):
            numbers = matches[network_id], self._addresses[network_id]
            yield NetworkCount(NetworkID(network_id), *numbers, Place(*self.first[network_id]))
