"""How often each network occurs: texts are counted, and networks are made of them at the end.

The memory is that of the distinct texts, about 150 bytes each.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from fdaa.address import NetworkID
from fdaa.scan._report import EVERYTHING, Filter
from fdaa.scan._rules import judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fdaa.scan._blocks import Block
    from fdaa.scan._rules import Found

    Judge = Callable[[bytes], Found | None]


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
        judge: that of the rules, or a table of what it said.

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

    def __init__(self, keep: Filter = EVERYTHING, judge: Judge = judge) -> None:
        self.first: dict[int, tuple[str, int]] = {}  # plain, as there may be a million
        self._keep = keep
        self._judge = judge
        self._taken = 0  # of `first`
        self._texts: Counter[bytes] = Counter()
        self._networks: dict[bytes, int] = {}  # of the texts that are kept
        self._addresses: Counter[int] = Counter()
        self._others: set[bytes] = set()  # addresses met first in another form than RFC 5952's

    def read(self, blocks: Iterable[Block], name: str) -> int:
        """Count a file, or a part of one, and return how many line feeds it has.

        Where reading fails, what was read before is counted.
        """
        lines = 0
        for block in blocks:
            before = len(self._texts)
            self._texts.update(block.runs())
            new = self._meet(len(self._texts) - before)
            if new:
                self._note_first(block, name, lines + 1, new)
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
        before = len(self._texts)
        self._texts.update(part.texts)
        self._meet(len(self._texts) - before)
        for network_id, (file, line) in part.first.items():
            if network_id not in self.first:
                self.first[network_id] = file, line + lines

    def _meet(self, new: int) -> dict[bytes, int]:
        """Look at the newest texts; return those of networks that were not met before."""
        networks = {}
        for text in islice(reversed(self._texts), new):
            found = None if text in self._networks else self._judge(text)
            if found is None or not self._keep.keeps(found):
                continue
            network_id = self._networks[text] = int(found.address.network_id)
            if network_id not in self.first:
                networks[text] = network_id
            if found.prefix_length is None:
                self._count_address(network_id, text, str(found.address).encode())
        return networks

    def _count_address(self, network_id: int, text: bytes, canonical: bytes) -> None:
        if canonical in self._others or (canonical != text and canonical in self._texts):
            return  # counted already, or where that text is looked at
        self._addresses[network_id] += 1
        if canonical != text:
            self._others.add(canonical)

    def _note_first(self, block: Block, name: str, line: int, new: dict[bytes, int]) -> None:
        """Note where the networks of texts are first met, which is in this block."""
        at = block.begin
        for match in block.matches():
            network_id = new.get(match.group(), -1)
            if network_id >= 0 and network_id not in self.first:
                line += block.line_feeds(at, match.start())
                at = match.start()
                self.first[network_id] = name, line

    def networks(self) -> Iterator[NetworkCount]:
        """Yield the networks, those with most matches first."""
        matches: Counter[int] = Counter()
        for text, network_id in self._networks.items():
            matches[network_id] += self._texts[text]
        for network_id in sorted(sorted(matches), key=matches.__getitem__, reverse=True):
            numbers = matches[network_id], self._addresses[network_id]
            yield NetworkCount(NetworkID(network_id), *numbers, Place(*self.first[network_id]))
