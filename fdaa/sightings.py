"""Machines seen, and addresses allocated: whose each address is, and on which networks apps are."""

from __future__ import annotations

from collections import Counter
from functools import cached_property, partial
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from fdaa.records import AllocatedAddress, Machine

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from fdaa.records import Document, Machines

Holder: TypeAlias = Machine | AllocatedAddress


class Seen(NamedTuple):
    """Where a Machine stands in a table; of most of them nobody asks for the record."""

    table: Machines
    at: int

    @property
    def machine(self) -> Machine:
        """The record."""
        return self.table[self.at]


# As Seen(...) does, in a third of the time.
_new_seen: Callable[[tuple[Machines, int]], Seen] = partial(tuple.__new__, Seen)


class Sightings:
    """What the addresses in documents tell.

    Most often no address stands in two rows, which sets and counters of C tell; then no record is
    made before it is asked for. Where one does, rows are gone through one by one.

    Attributes:
        counts: network ID -> how many Machine addresses of it were seen.
        places: app -> the network ID of the first of its Machines.
        first: app -> where that Machine stands.
        split: app whose Machines are on several networks -> network ID -> the first one there.
        shared: address of several apps -> app -> the record that says so.
        allocated: the addresses allocated for cross-network access.
    """

    def __init__(self, documents: list[Document]) -> None:
        self._tables: list[Machines] = [each.machines for each in documents if each.machines]
        self.allocated = list(chain.from_iterable(map(attrgetter("addresses"), documents)))
        self.places: dict[str, int] = {}
        self.first: dict[str, Seen] = {}
        self.split: dict[str, dict[int, Machine]] = {}
        self.shared: dict[bytes, dict[str, Holder]] = {}
        self._find_places()
        if self._has_repeated():
            self.counts = self._take_one_by_one()
        else:
            # As a dict: a Counter would count what is only asked for.
            ids = chain.from_iterable(table.network_ids for table in self._tables)
            self.counts = dict(Counter(ids))

    def _has_repeated(self) -> bool:
        """Tell whether an address stands in two rows."""
        packed = [table.packed for table in self._tables]
        packed.append([each.packed for each in self.allocated])
        return len(set(chain.from_iterable(packed))) < sum(map(len, packed))

    def _find_places(self) -> None:
        places, first = self.places, self.first
        for table in self._tables:
            app, ids = table.document.app, table.network_ids
            if table.apps is None:
                if app is None:
                    continue
                if app not in places and ids.count(ids[0]) == len(ids):
                    places[app] = ids[0]
                    first[app] = _new_seen((table, 0))
                    continue
            for at, network_id in enumerate(ids):
                name = app if table.apps is None else table.apps[at]
                if name is not None and places.setdefault(name, network_id) != network_id:
                    machine = first[name].machine
                    others = self.split.setdefault(name, {machine.network_id: machine})
                    others.setdefault(network_id, table[at])
                elif name is not None:
                    first.setdefault(name, Seen(table, at))

    def _take_one_by_one(self) -> dict[int, int]:
        """Find who has each address, and return how many Machine addresses each network has."""
        holders: dict[bytes, Holder] = {}
        self.holders = holders
        counts: dict[int, int] = {}
        for machine in chain.from_iterable(self._tables):
            holder = holders.setdefault(machine.packed, machine)
            if holder is machine:
                counts[machine.network_id] = counts.get(machine.network_id, 0) + 1
            else:
                self._share(holder, machine)
        # Last, so that an address which is a Machine's too counts as one, whatever came first.
        for allocated in self.allocated:
            holder = holders.setdefault(allocated.packed, allocated)
            if holder is not allocated:
                self._share(holder, allocated)
        return counts

    def _share(self, holder: Holder, other: Holder) -> None:
        """Keep the record that tells more, and both where they name two apps."""
        if other.app is None:
            return
        if holder.app is None:
            if type(holder) is type(other):
                self.holders[other.packed] = other
        elif holder.app != other.app:
            holders = self.shared.setdefault(other.packed, {holder.app: holder})
            holders.setdefault(other.app, other)

    @cached_property
    def holders(self) -> dict[bytes, Holder]:
        """Who has each address, where no address stands in two rows."""
        records: chain[Holder] = chain(chain.from_iterable(self._tables), self.allocated)
        return {record.packed: record for record in records}

    @cached_property
    def by_machine(self) -> dict[str, list[Machine]]:
        """The Machines by their identifier, one for each address."""
        machines: dict[str, list[Machine]] = {}
        for holder in self.holders.values():
            if isinstance(holder, Machine):
                machines.setdefault(holder.id, []).append(holder)
        return machines

    def first_on(self, network_ids: Collection[int]) -> dict[int, Seen]:
        """Return where the first Machine seen on each of these networks stands."""
        wanted = set(network_ids)
        first: dict[int, Seen] = {}
        for table in self._tables:
            for at, network_id in enumerate(table.network_ids):
                if network_id in wanted:
                    wanted.remove(network_id)
                    first[network_id] = _new_seen((table, at))
        return first
