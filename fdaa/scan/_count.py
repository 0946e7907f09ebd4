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


class Count:
    r"""The networks of all files that are read into it.

    Args:
        keep: which addresses are counted.

    >>> import io
    >>> from fdaa.scan._blocks import read_blocks
    >>> count = Count()
    >>> count.read(read_blocks(io.BytesIO(b"fdaa::3\nfdaa::3 fdaa:0:18::3\n")), "log")
    >>> for network in count.networks():
    ...     print(network.network_id, network.matches, network.addresses, network.first.line)
    0:0 2 1 1
    0:18 1 1 2
    """

    def __init__(self, keep: Filter = EVERYTHING) -> None:
        self.texts: Counter[bytes] = Counter()
        self.first: dict[int, tuple[str, int]] = {}  # places; plain, as there may be a million
        self.lines = 0  # how many line feeds the last file, or part of one, had
        self._keep = keep

    def read(self, blocks: Iterable[Block], name: str) -> None:
        """Count a file, or a part of one; where reading fails, what was read before is counted."""
        self.lines = 0
        for block in blocks:
            distinct = len(self.texts)
            self.texts.update(block.runs())
            self._note_first(block, name, len(self.texts) - distinct)
            self.lines += block.line_feeds(block.begin, block.end)

    def _note_first(self, block: Block, name: str, new: int) -> None:
        """Note where the networks of the newest texts, which are in this block, are first met."""
        networks = {}
        for text in islice(reversed(self.texts), new):
            found = judge(text)
            if found is not None and self._keep.keeps(found):
                network_id = int(found.address.network_id)
                if network_id not in self.first:
                    networks[text] = network_id
        if not networks:
            return
        line, at = self.lines + 1, block.begin
        for match in block.matches():
            network_id = networks.get(match.group(), -1)
            if network_id >= 0 and network_id not in self.first:
                line += block.line_feeds(at, match.start())
                at = match.start()
                self.first[network_id] = name, line

    def add(self, other: Count, lines: int = 0) -> None:
        """Add what was counted behind all this.

        Args:
            other: the count of a later file, or part of this one.
            lines: how many lines of the same file stand before that part.
        """
        self.texts.update(other.texts)
        for network_id, (file, line) in other.first.items():
            if network_id not in self.first:
                self.first[network_id] = file, line + lines

    def networks(self) -> Iterator[NetworkCount]:
        """Yield the networks, those with most matches first; forget the texts."""
        matches: Counter[int] = Counter()
        addresses: Counter[int] = Counter()
        others: set[bytes] = set()  # addresses of which no text is as RFC 5952 writes it
        for text, count in self.texts.items():
            found = judge(text)
            if found is None or not self._keep.keeps(found):
                continue
            network_id = int(found.address.network_id)
            matches[network_id] += count
            if found.prefix_length is None:
                canonical = str(found.address).encode()
                if canonical == text or (canonical not in self.texts and canonical not in others):
                    addresses[network_id] += 1
                    if canonical != text:
                        others.add(canonical)
        self.texts.clear()
        others.clear()
        for network_id in sorted(sorted(matches), key=matches.__getitem__, reverse=True):
            numbers = matches[network_id], addresses[network_id]
            yield NetworkCount(NetworkID(network_id), *numbers, Place(*self.first[network_id]))
