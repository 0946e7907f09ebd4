"""How often the networks occur in files: matches, distinct addresses, first and last place.

Only the networks are kept in memory. The distinct addresses go to a temporary file when they are
many, and lines are counted for the few places that are asked for.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from itertools import groupby
from typing import IO, TYPE_CHECKING, NamedTuple

from fdaa import layout
from fdaa.address import NetworkID
from fdaa.scan_output import EVERYTHING, Filter
from fdaa.scan_verdicts import Verdicts, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.address import Address
    from fdaa.scan import Block

# Blocks whose lines are not yet counted. A network that is seen again within so many costs nothing.
_RECENT = 64
# Distinct addresses in memory: 12 MB of them.
_DISTINCT = 100_000


class Place(NamedTuple):
    """Where an address stands: a file's name, and a line from 1."""

    file: str
    line: int


class NetworkCount(NamedTuple):
    """What was counted for one network."""

    network_id: NetworkID
    matches: int
    addresses: int
    first: Place
    last: Place


class Count:
    r"""The networks of all files that are read into it.

    Args:
        keep: which addresses are counted.

    >>> import io
    >>> from fdaa.scan import read_blocks
    >>> count = Count()
    >>> count.read(read_blocks(io.BytesIO(b"fdaa::3\nfdaa::3 fdaa:0:18::3\n")), "log")
    2
    >>> for network in count.networks():
    ...     print(network.network_id, network.matches, network.addresses, network.last)
    0:0 2 1 Place(file='log', line=2)
    0:18 1 1 Place(file='log', line=2)
    """

    def __init__(self, keep: Filter = EVERYTHING) -> None:
        self.keep = keep
        self._matches: Counter[NetworkID | None] = Counter()
        self._places: dict[NetworkID, tuple[Place, Place]] = {}
        self._distinct = _Distinct()

    def read(self, blocks: Iterable[Block], name: str, line: int = 1) -> int:
        r"""Count a file, and return how many `\n` it has.

        Args:
            blocks: the file, or a part of it.
            name: of the file.
            line: the number of the first line.
        """
        verdicts: Verdicts[NetworkID | None] = Verdicts(self._render, None)
        recent: deque[_Seen] = deque()
        last_block: dict[NetworkID, int] = {}
        first_line = line
        for number, block in enumerate(blocks):
            ids, between = verdicts.read(block)
            self._matches.update(ids)
            last_or_none = dict(zip(ids, range(len(ids)), strict=True))
            last = {id_: index for id_, index in last_or_none.items() if id_ is not None}
            new = {id_: ids.index(id_) for id_ in last if id_ not in self._places}
            seen = _Seen(number, line, block, verdicts, last)
            if new:
                lines = lines_of(between, line)
                for id_, index in new.items():
                    place = Place(name, lines[index])
                    self._places[id_] = place, place
            last_block.update(dict.fromkeys(last, number))
            recent.append(seen)
            if len(recent) > _RECENT:
                self._settle(recent.popleft(), name, last_block)
            line += block.low.count(b"\n", block.begin, block.end)
        for seen in recent:
            self._settle(seen, name, last_block)
        return line - first_line

    def _render(self, address: Address) -> NetworkID | None:
        if not self.keep.keeps(address):
            return None
        self._distinct.add(address.packed)
        return address.network_id

    def _settle(self, seen: _Seen, name: str, last_block: dict[NetworkID, int]) -> None:
        """Note the places in a block of those networks that were not seen behind it."""
        ids = [id_ for id_ in seen.last if last_block[id_] == seen.number]
        if ids:
            lines = lines_of(seen.verdicts.read(seen.block)[1], seen.line)
            for id_ in ids:
                self._places[id_] = self._places[id_][0], Place(name, lines[seen.last[id_]])

    def add(self, other: Count, lines: int = 0) -> None:
        """Add what was counted behind all this.

        Args:
            other: the count of a later part or file.
            lines: how many lines of the same file stand before that part.
        """
        self._matches.update(other._matches)
        for id_, places in other._places.items():
            first, last = (Place(file, line + lines) for file, line in places)
            self._places[id_] = self._places.get(id_, (first, last))[0], last
        for packed in other._distinct:
            self._distinct.add(packed)

    def networks(self) -> list[NetworkCount]:
        """Return the networks, the one with most matches first, equal ones by their IDs."""
        distinct = self._distinct.by_network()
        counts = [
            NetworkCount(id_, self._matches[id_], distinct[id_], first, last)
            for id_, (first, last) in self._places.items()
        ]
        return sorted(counts, key=lambda count: (-count.matches, count.network_id))

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.keep, self._matches, self._places, list(self._distinct))


def _restore(
    keep: Filter,
    matches: Counter[NetworkID | None],
    places: dict[NetworkID, tuple[Place, Place]],
    distinct: list[bytes],
) -> Count:
    count = Count(keep)
    count._matches, count._places = matches, places
    for packed in distinct:
        count._distinct.add(packed)
    return count


class _Seen(NamedTuple):
    """A block of which it is known where each network comes last, but not on which line."""

    number: int
    line: int
    block: Block
    verdicts: Verdicts[NetworkID | None]
    last: dict[NetworkID, int]


class _Distinct:
    """A set of packed addresses: in memory, and sorted in a temporary file when there are many."""

    def __init__(self) -> None:
        self._memory: set[bytes] = set()
        self._file: IO[bytes] | None = None
        self._runs: list[tuple[int, int]] = []  # where they begin and end in the file

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, packed: bytes) -> None:
        self._memory.add(packed)
        if len(self._memory) >= _DISTINCT:
            if self._file is None:
                from tempfile import TemporaryFile

                self._file = TemporaryFile()  # noqa: SIM115 - closed in __del__
            begin = self._file.seek(0, 2)
            self._file.writelines(sorted(self._memory))
            self._runs.append((begin, self._file.tell()))
            self._memory.clear()

    def __iter__(self) -> Iterator[bytes]:
        """Yield each address once, in order."""
        runs = [self._run(begin, end) for begin, end in self._runs]
        return (packed for packed, _ in groupby(heapq.merge(*runs, sorted(self._memory))))

    def _run(self, begin: int, end: int) -> Iterator[bytes]:
        assert self._file is not None  # noqa: S101 - a run is in the file
        size = layout.ADDRESS_BYTES
        while begin < end:
            self._file.seek(begin)
            piece = self._file.read(min(1024 * size, end - begin))
            begin += len(piece)
            yield from (piece[at : at + size] for at in range(0, len(piece), size))

    def by_network(self) -> Counter[NetworkID]:
        """Return how many addresses each network has."""
        return Counter(NetworkID(layout.unpack_head(packed)[1]) for packed in self)
