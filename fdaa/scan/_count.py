"""How often the networks occur in files: matches, distinct addresses, first and last place.

Only the networks are kept in memory, about a kilobyte each. The distinct addresses go to a
temporary file when they are many, and lines are counted for the few places that are asked for.
"""

from __future__ import annotations

import heapq
from collections import Counter
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from fdaa import _bits as layout
from fdaa.scan._report import EVERYTHING, Filter
from fdaa.scan._scratch import Scratch
from fdaa.scan._verdicts import Verdicts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.address import Address, NetworkID
    from fdaa.scan._rules import Block

# How much is counted together: the more, the fewer places to look up; the less, the less memory.
# `Verdicts` should still have the runs of two groups, as they are asked for once more.
_BLOCKS_TOGETHER = 32
_RUNS_TOGETHER = 8192
# Distinct addresses in memory: 12 MB of them.
_DISTINCT = 100_000
_SENT_TOGETHER = 4096


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
    >>> from fdaa.scan._rules import read_blocks
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

        Where reading fails, what was read before is counted.

        Args:
            blocks: the file, or a part of it.
            name: of the file.
            line: the number of the first line.
        """
        verdicts: Verdicts[NetworkID | None] = Verdicts(self._render, None)
        first_line = line
        before = _Group([], set())
        seen: list[_Seen] = []
        together = 0
        try:
            for block in blocks:
                networks = verdicts.read(block)
                seen.append(_Seen(block, line, networks))
                together += len(networks)
                if len(seen) >= _BLOCKS_TOGETHER or together >= _RUNS_TOGETHER:
                    before = self._count(seen, before, verdicts, name)
                    seen, together = [], 0
                line += block.newlines()
        finally:  # what was read counts, also where no more can be
            last = self._count(seen, before, verdicts, name)
            self._note_last(last, set(), verdicts, name)
        return line - first_line

    def _count(
        self,
        seen: list[_Seen],
        before: _Group,
        verdicts: Verdicts[NetworkID | None],
        name: str,
    ) -> _Group:
        """Count the networks of some blocks, and note what is known now of places."""
        matches = Counter(chain.from_iterable(each.networks for each in seen))
        self._matches.update(matches)
        group = _Group(seen, {id_ for id_ in matches if id_ is not None})
        # One by one: `-` would go through all that is known.
        new = {id_ for id_ in group.networks if id_ not in self._places}
        for id_, line in group.lines(new, verdicts):
            place = Place(name, line)
            self._places[id_] = place, place
        self._note_last(before, group.networks, verdicts, name)
        return group

    def _note_last(
        self,
        group: _Group,
        behind: set[NetworkID],
        verdicts: Verdicts[NetworkID | None],
        name: str,
    ) -> None:
        """Note the last places of those networks in a group that are not among those behind it."""
        for id_, line in group.lines(group.networks - behind, verdicts, last=True):
            self._places[id_] = self._places[id_][0], Place(name, line)

    def _render(self, address: Address) -> NetworkID | None:
        if not self.keep.keeps(address):
            return None
        self._distinct.add(address.packed)
        return address.network_id

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
        self.add_addresses(other._distinct)

    def add_addresses(self, packed: Iterable[bytes]) -> None:
        """Add addresses to the distinct ones."""
        for each in packed:
            self._distinct.add(each)

    def addresses(self) -> Iterator[bytes]:
        """Yield the distinct addresses, many at a time: packed, one behind the other."""
        distinct = iter(self._distinct)
        while piece := b"".join(islice(distinct, _SENT_TOGETHER)):
            yield piece

    def __bool__(self) -> bool:
        """Whether anything was counted."""
        return bool(self._places)

    def networks(self) -> list[NetworkCount]:
        """Return the networks, the one with most matches first, equal ones by their IDs."""
        distinct = self._distinct.by_network()
        counts = [
            NetworkCount(id_, self._matches[id_], distinct[id_], first, last)
            for id_, (first, last) in self._places.items()
        ]
        return sorted(counts, key=lambda count: (-count.matches, count.network_id))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle it without its addresses, which may be more than memory holds."""
        return _restore, (self.keep, self._matches, self._places)


def _restore(
    keep: Filter,
    matches: Counter[NetworkID | None],
    places: dict[NetworkID, tuple[Place, Place]],
) -> Count:
    count = Count(keep)
    count._matches, count._places = matches, places
    return count


class _Seen(NamedTuple):
    """A block, the line that it begins in, and the networks in it."""

    block: Block
    line: int
    networks: list[NetworkID | None]


class _Group(NamedTuple):
    """Blocks that were counted together, and the networks in them."""

    seen: list[_Seen]
    networks: set[NetworkID]

    def lines(
        self,
        wanted: set[NetworkID],
        verdicts: Verdicts[NetworkID | None],
        *,
        last: bool = False,
    ) -> Iterator[tuple[NetworkID, int]]:
        """Yield the line on which each of the wanted networks, all of the group's, stands first.

        Args:
            wanted: the networks.
            verdicts: those by which the group was counted.
            last: whether the last line is asked for instead.
        """
        step = -1 if last else 1
        for block, line, networks in self.seen[::step]:
            if not wanted:
                return
            if wanted.isdisjoint(networks):
                continue
            ids, lines = verdicts.read_numbered(block, line)
            line_of = dict(zip(ids[::-step], lines[: len(ids)][::-step], strict=True))
            here = wanted.intersection(line_of)
            yield from ((id_, line_of[id_]) for id_ in here)
            wanted = wanted - here


class _Distinct:
    """A set of packed addresses: in memory, and sorted in a temporary file when there are many."""

    def __init__(self) -> None:
        self._memory: set[bytes] = set()
        self._file: Scratch | None = None
        self._runs: list[tuple[int, int]] = []  # where they begin and end in the file

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, packed: bytes) -> None:
        self._memory.add(packed)
        if len(self._memory) >= _DISTINCT:
            if self._file is None:
                self._file = Scratch()
            run = b"".join(sorted(self._memory))
            begin = self._file.append(run)
            self._runs.append((begin, begin + len(run)))
            self._memory.clear()

    def __iter__(self) -> Iterator[bytes]:
        """Yield each address once, in order."""
        runs = [self._run(begin, end) for begin, end in self._runs]
        return (packed for packed, _ in groupby(heapq.merge(*runs, sorted(self._memory))))

    def _run(self, begin: int, end: int) -> Iterator[bytes]:
        assert self._file is not None  # noqa: S101 - a run is in the file
        size = layout.ADDRESS_BYTES
        while begin < end:
            piece = self._file.read(begin, min(1024 * size, end - begin))
            begin += len(piece)
            yield from cut(piece)

    def by_network(self) -> Counter[int]:
        """Return how many addresses each network has."""
        return Counter(network_id for _, network_id in map(layout.unpack_head, self))


def cut(packed: bytes) -> Iterator[bytes]:
    """Yield the addresses in bytes that are nothing but packed addresses."""
    size = layout.ADDRESS_BYTES
    return (packed[at : at + size] for at in range(0, len(packed), size))
