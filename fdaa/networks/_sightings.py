"""Machines seen, and addresses allocated: whose each address is, and on which networks apps are."""

from __future__ import annotations

from collections import Counter
from functools import cached_property, partial
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from fdaa.networks._model import AllocatedAddress, Machine

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from fdaa.networks._model import Document, Machines

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
    made before it is asked for. Those that do are compared, each with all that is said of it.

    Attributes:
        counts: network ID -> how many Machine addresses of it were seen.
        places: app -> the network ID of the first of its Machines.
        first: app -> where that Machine stands.
        split: app whose Machines are on several networks -> network ID -> the first one there.
        disputed: address -> all that is said of it, where that cannot all be true.
        allocated: the addresses allocated for cross-network access, each once for an app.
    """

    def __init__(self, documents: list[Document]) -> None:
        self._tables: list[Machines] = [each.machines for each in documents if each.machines]
        self.allocated = list(chain.from_iterable(map(attrgetter("addresses"), documents)))
        self.places: dict[str, int] = {}
        self.first: dict[str, Seen] = {}
        self.split: dict[str, dict[int, Machine]] = {}
        self._find_places()
        self._repeated = self._find_repeated()
        self.disputed = {
            packed: records for packed, records in self._repeated.items() if _are_at_odds(records)
        }
        self.counts = self._count()
        if self._repeated:
            self.allocated = self._each_once()

    def _find_repeated(self) -> dict[bytes, list[Holder]]:
        """Return what stands in several rows, by its address."""
        packed = [table.packed for table in self._tables]
        packed.append([each.packed for each in self.allocated])
        if len(set(chain.from_iterable(packed))) == sum(map(len, packed)):
            return {}
        counts = Counter(chain.from_iterable(packed))
        repeated: dict[bytes, list[Holder]] = {p: [] for p, n in counts.items() if n > 1}
        for table in self._tables:
            for at, each in enumerate(table.packed):
                if each in repeated:
                    repeated[each].append(table[at])
        for allocated in self.allocated:
            if allocated.packed in repeated:
                repeated[allocated.packed].append(allocated)
        return repeated

    def _count(self) -> dict[int, int]:
        counts = Counter(chain.from_iterable(table.network_ids for table in self._tables))
        for records in self._repeated.values():
            machines = sum(isinstance(record, Machine) for record in records)
            if machines > 1:
                counts[records[0].network_id] -= machines - 1
        return dict(counts)

    def _each_once(self) -> list[AllocatedAddress]:
        told = {each.packed for each in self.allocated if each.app is not None}
        once: dict[tuple[bytes, str | None], AllocatedAddress] = {}
        for each in self.allocated:
            if each.app is not None or each.packed not in told:
                once.setdefault((each.packed, each.app), each)
        return list(once.values())

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

    @cached_property
    def holders(self) -> dict[bytes, Holder]:
        """Who has each address that nothing is disputed about."""
        records: chain[Holder] = chain(chain.from_iterable(self._tables), self.allocated)
        holders = {record.packed: record for record in records}
        for packed, same in self._repeated.items():
            if packed in self.disputed:
                del holders[packed]
            else:  # they say the same; one of them may also say whose it is
                holders[packed] = next((each for each in same if each.app is not None), same[0])
        return holders

    @cached_property
    def by_machine(self) -> dict[str, list[Machine]]:
        """The Machines by their identifier, one for each address."""
        machines: dict[str, dict[bytes, Machine]] = {}
        for machine in chain.from_iterable(self._tables):
            its = machines.setdefault(machine.id, {})
            if machine.app is not None or machine.packed not in its:
                its[machine.packed] = machine
        return {id_: list(its.values()) for id_, its in machines.items()}

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


def _are_at_odds(records: list[Holder]) -> bool:
    """Whether what is said of one address cannot all be true."""
    return len(by_app(records)) > 1 or len(by_holder(records)) > 1


def by_app(records: list[Holder]) -> dict[str, Holder]:
    """Return the first record of each app."""
    first: dict[str, Holder] = {}
    for record in records:
        if record.app is not None:
            first.setdefault(record.app, record)
    return first


def by_holder(records: list[Holder]) -> dict[str | None, Holder]:
    """Return the first record of each Machine, and of an allocation under None."""
    first: dict[str | None, Holder] = {}
    for record in records:
        first.setdefault(record.id if isinstance(record, Machine) else None, record)
    return first
