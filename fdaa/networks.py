"""Networks by name and by ID: the two halves that no document holds together, joined.

Only the app list tells an app's network *name* (specification, section 4.3); only the address of
one of its Machines tells that network's *ID* (section 2.3). An address that is allocated for
cross-network access tells neither: its ID is the network that the requests come from.

Where documents contradict each other nothing is concluded from what they disagree about: the
contradiction is kept, with its evidence, and the networks in it stay incomplete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fdaa import evidence as rules
from fdaa.address import NetworkID
from fdaa.errors import NetworkNameError
from fdaa.evidence import Contradiction, Evidence
from fdaa.network_name import NetworkName
from fdaa.records import AllocatedAddress, App, Machine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from fdaa.address import Address
    from fdaa.evidence import Source
    from fdaa.records import Document, Problem

    # What a fact is known from: an app's listing and a Machine of it, one of them, or a book.
    _Claim: TypeAlias = tuple[App | Machine | Evidence, ...]

# What would complete a network of which the name or the ID is not known.
NEEDS_MACHINES = "machine-list"  # a Machine list of one of its apps
NEEDS_APPS = "app-list"  # an app list that has one of its apps
NEEDS_APP_OF_MACHINES = "app-of-machine-list"  # whose Machine list it was, and then the app list
NEEDS_AGREEMENT = "agreement"  # documents that do not contradict each other


class Network(NamedTuple):
    """One private network, as far as the documents tell.

    Args:
        name: its name, or None where no app list tells it.
        network_id: its ID, or None where no Machine of it was seen.
        apps: the apps on it, sorted.
        machines: how many Machine addresses of it were seen.
        told_by: the records that its name and its ID are known from.
        needs: what would complete it (`NEEDS_...`), or None where nothing is missing.
    """

    name: NetworkName | None
    network_id: NetworkID | None
    apps: tuple[str, ...]
    machines: int
    told_by: _Claim
    needs: str | None

    @property
    def sources(self) -> tuple[Source, ...]:
        """The places that its name and its ID are known from."""
        return _evidence(*self.told_by).sources

    def to_json(self) -> dict[str, object]:
        """Return the network as what `json.dumps` takes."""
        known = self.network_id is not None
        return {
            "kind": "network",
            "name": self.name,
            "network_id": str(self.network_id) if known else None,
            "network_id_int": int(self.network_id) if self.network_id is not None else None,
            "prefix": f"{self.network_id.address()}/48" if self.network_id is not None else None,
            "apps": list(self.apps),
            "machines": self.machines,
        }


class NetworkMap:
    """The join of documents, and of a book where there is one.

    Args:
        documents: what `read_document` returned, in any order.
        known: facts from elsewhere, as a book has them: each with a name and an ID.

    Attributes:
        networks: a row for each network, by name, then by ID those without one.
        contradictions: what cannot all be true.
        problems: what the documents had that could not be used.
        left_out: how many rows that were.

    >>> from fdaa.documents import parse_document
    >>> apps = parse_document(b'{"apps": [{"name": "web", "network": "blue"}]}', "apps.json")
    >>> machines = b'[{"id": "1", "private_ip": "fdaa:2:45b::3"}]'
    >>> joined = NetworkMap([apps, parse_document(machines, "web.json", app="web")])
    >>> joined.by_name("blue").network_id, joined.by_id(0x2045b).name
    (NetworkID.parse('2:45b'), NetworkName.parse('blue'))
    """

    def __init__(self, documents: Iterable[Document] = (), known: Iterable[Evidence] = ()) -> None:
        self.contradictions: list[Contradiction] = []
        self.problems: list[Problem] = []
        self.left_out = 0
        self.allocated: list[AllocatedAddress] = []
        self._public: dict[str, list[str]] = {}
        self._apps: dict[str, App] = {}  # as first listed
        self._places: dict[str, Machine] = {}  # app -> the first of its Machines
        self._holders: dict[bytes, Machine | AllocatedAddress] = {}  # address -> who has it
        self._machine_ids: dict[str, list[Machine]] | None = None
        self._doubtful: set[str] = set()  # apps in contradictions: nothing follows from them
        self._counts: dict[int, int] = {}
        self._seen: dict[int, Machine] = {}  # network ID -> the first Machine of it
        self._take_in(documents)
        self._join(known)

    # --- look-ups ---------------------------------------------------------------------------------

    def by_name(self, name: str) -> Network | None:
        """Return the network of this name, or None."""
        return self._by_name.get(name)

    def by_id(self, network_id: int) -> Network | None:
        """Return the network with this ID, or None."""
        return self._by_id.get(network_id)

    def of_app(self, app: str) -> Network | None:
        """Return the network that an app is on, or None where it is not known for certain."""
        if app in self._doubtful:
            return None
        listed = self._apps.get(app)
        if listed is not None:
            return self._by_name.get(listed.network)
        machine = self._places.get(app)
        return None if machine is None else self._by_id.get(machine.network_id)

    def id_of_app(self, app: str) -> NetworkID | None:
        """Return the ID in the addresses of an app's Machines, or None where that is not known."""
        machine = None if app in self._doubtful else self._places.get(app)
        return None if machine is None else NetworkID(machine.network_id)

    def has_app(self, app: str) -> bool:
        """Whether a document names this app."""
        return app in self._apps or app in self._places or app in self._doubtful

    def is_doubtful(self, app: str) -> bool:
        """Whether documents contradict each other about this app."""
        return app in self._doubtful

    def machine_at(self, address: Address) -> Machine | None:
        """Return the Machine that has this address, or None."""
        holder = self._holders.get(address.packed)
        return holder if isinstance(holder, Machine) else None

    def allocation_at(self, address: Address) -> AllocatedAddress | None:
        """Return what this address is allocated to for cross-network access, or None."""
        holder = self._holders.get(address.packed)
        return holder if isinstance(holder, AllocatedAddress) else None

    def machines(self, machine_id: str) -> list[Machine]:
        """Return the Machines with this identifier, one for each address of it."""
        if self._machine_ids is None:
            self._machine_ids = {}
            for holder in self._holders.values():
                if isinstance(holder, Machine):
                    self._machine_ids.setdefault(holder.id, []).append(holder)
        return self._machine_ids.get(machine_id, [])

    def allocated_to(self, app: str) -> list[AllocatedAddress]:
        """Return the addresses allocated to an app for cross-network access."""
        return [each for each in self.allocated if each.app == app]

    def public_addresses(self, app: str) -> list[str]:
        """Return the public addresses of an app, as far as address lists have them."""
        return self._public.get(app, [])

    # --- taking documents in ----------------------------------------------------------------------

    def _take_in(self, documents: Iterable[Document]) -> None:
        twice: dict[str, dict[str, App]] = {}
        split: dict[str, dict[int, Machine]] = {}
        shared: dict[bytes, dict[str, Machine | AllocatedAddress]] = {}
        apps, places, holders = self._apps, self._places, self._holders
        counts, seen = self._counts, self._seen
        for document in documents:
            self.problems += document.problems
            self.left_out += document.left_out
            for app in document.apps:
                first = apps.setdefault(app.name, app)
                if first.network != app.network:
                    listings = twice.setdefault(app.name, {first.network: first})
                    listings.setdefault(app.network, app)
            for machine in document.machines:
                _, app_name, packed, network_id, _, _ = machine
                holder = holders.setdefault(packed, machine)
                if holder is machine:
                    if network_id in counts:
                        counts[network_id] += 1
                    else:
                        counts[network_id] = 1
                        seen[network_id] = machine
                else:
                    self._share(shared, holder, machine)
                if app_name is not None:
                    place = places.setdefault(app_name, machine)
                    if place is not machine and place.network_id != network_id:
                        others = split.setdefault(app_name, {place.network_id: place})
                        others.setdefault(network_id, machine)
            if document.public and document.app is not None:
                self._public.setdefault(document.app, []).extend(document.public)
            self.allocated += document.addresses
        # Last, so that an address which is a Machine's too counts as one, whatever came first.
        for allocated in self.allocated:
            holder = holders.setdefault(allocated.packed, allocated)
            if holder is not allocated:
                self._share(shared, holder, allocated)
        self._report(twice, split, shared)

    def _share(
        self,
        shared: dict[bytes, dict[str, Machine | AllocatedAddress]],
        holder: Machine | AllocatedAddress,
        other: Machine | AllocatedAddress,
    ) -> None:
        """Keep the record that tells more, and both where they name two apps."""
        if other.app is None:
            return
        if holder.app is None:
            if type(holder) is type(other):
                self._holders[other.packed] = other
        elif holder.app != other.app:
            holders = shared.setdefault(other.packed, {holder.app: holder})
            holders.setdefault(other.app, other)

    def _report(
        self,
        twice: dict[str, dict[str, App]],
        split: dict[str, dict[int, Machine]],
        shared: dict[bytes, dict[str, Machine | AllocatedAddress]],
    ) -> None:
        """Make contradictions of what was found, and doubt the apps that are in them."""
        report = self.contradictions.append
        for listings in twice.values():
            listed = tuple(_evidence(app) for app in listings.values())
            report(Contradiction(rules.APP_LISTED_TWICE, listed))
        for machines in split.values():
            found = tuple(_evidence(machine) for machine in machines.values())
            report(Contradiction(rules.APP_ON_TWO_NETWORKS, found))
        for holders in shared.values():
            held = tuple(_evidence(holder) for holder in holders.values())
            report(Contradiction(rules.ADDRESS_OF_TWO_APPS, held))
            self._doubtful.update(
                app for app, holder in holders.items() if isinstance(holder, Machine)
            )
        self._doubtful.update(twice, split)
        self._elsewhere = [(app, id_) for app, ids in split.items() for id_ in list(ids)[1:]]

    # --- joining ----------------------------------------------------------------------------------

    def _join(self, known: Iterable[Evidence]) -> None:
        names = self._check_names()
        claims: dict[str, dict[int, _Claim]] = {}
        for fact in known:
            if fact.name is not None and fact.network_id is not None:
                names.setdefault(fact.name, NetworkName.parse(fact.name))
                claims.setdefault(fact.name, {}).setdefault(fact.network_id, (fact,))
        on_name: dict[str, list[str]] = {}
        for app in self._apps.values():
            name = app.network
            if name not in names:
                continue
            on_name.setdefault(name, []).append(app.name)
            machine = self._places.get(app.name)
            if machine is not None and app.name not in self._doubtful:
                ids = claims.setdefault(name, {})
                if machine.network_id not in ids:
                    ids[machine.network_id] = (app, machine)
        self._make_rows(names, on_name, claims, self._find_bound(claims))

    def _check_names(self) -> dict[str, NetworkName]:
        """Return the names that keep the rules; report and doubt the others."""
        names: dict[str, NetworkName] = {}
        broken: dict[str, App] = {}
        for app in self._apps.values():
            if app.network not in names and app.network not in broken:
                try:
                    names[app.network] = NetworkName.parse(app.network)
                except NetworkNameError:
                    broken[app.network] = app
            if app.network in broken:
                self._doubtful.add(app.name)
        for app in broken.values():
            self.contradictions.append(Contradiction(rules.NAME_BREAKS_RULES, (_evidence(app),)))
        return names

    def _find_bound(self, claims: dict[str, dict[int, _Claim]]) -> dict[str, int]:
        """Return name to ID where nothing contradicts it; report the rest."""
        bound: dict[str, int] = {}
        claimed: dict[int, list[str]] = {}
        for name, ids in claims.items():
            for network_id in ids:
                claimed.setdefault(network_id, []).append(name)
            if len(ids) > 1:
                facts = tuple(_evidence(*claim) for claim in ids.values())
                self.contradictions.append(Contradiction(rules.NAME_HAS_TWO_IDS, facts))
            else:
                bound[name] = network_id
        for network_id, names in claimed.items():
            if len(names) > 1:
                facts = tuple(_evidence(*claims[name][network_id]) for name in names)
                self.contradictions.append(Contradiction(rules.ID_HAS_TWO_NAMES, facts))
                for name in names:
                    bound.pop(name, None)
        return bound

    def _make_rows(
        self,
        names: dict[str, NetworkName],
        on_name: dict[str, list[str]],
        claims: dict[str, dict[int, _Claim]],
        bound: dict[str, int],
    ) -> None:
        on_id: dict[int, list[str]] = {}
        for app, machine in self._places.items():
            on_id.setdefault(machine.network_id, []).append(app)
        for app, network_id in self._elsewhere:
            on_id.setdefault(network_id, []).append(app)
        self._by_name: dict[str, Network] = {}
        self._by_id: dict[int, Network] = {}
        for name in sorted(names):
            apps = on_name.get(name, [])
            id_ = bound.get(name)
            claim: _Claim = ()
            if id_ is not None:
                (claim,) = claims[name].values()
                apps = [*apps, *on_id.get(id_, ())]
                needs = None
            else:
                claim = (self._apps[apps[0]],) if apps else next(iter(claims[name].values()))
                disputed = name in claims or not self._doubtful.isdisjoint(apps)
                needs = NEEDS_AGREEMENT if disputed else NEEDS_MACHINES
            number = None if id_ is None else NetworkID(id_)
            machines = 0 if id_ is None else self._counts.get(id_, 0)
            on_it = tuple(sorted(set(apps)))
            row = Network(names[name], number, on_it, machines, claim, needs)
            self._by_name[name] = row
            if id_ is not None:
                self._by_id[id_] = row
        disputed_ids = {id_: claim for ids in claims.values() for id_, claim in ids.items()}
        for id_ in sorted({*self._counts, *disputed_ids} - self._by_id.keys()):
            apps = on_id.get(id_, [])
            if id_ in disputed_ids or not self._doubtful.isdisjoint(apps):
                needs = NEEDS_AGREEMENT
            else:
                needs = NEEDS_APPS if apps else NEEDS_APP_OF_MACHINES
            claim = (self._seen[id_],) if id_ in self._seen else disputed_ids[id_]
            on_it = tuple(sorted(set(apps)))
            count = self._counts.get(id_, 0)
            self._by_id[id_] = Network(None, NetworkID(id_), on_it, count, claim, needs)
        nameless = (row for row in self._by_id.values() if row.name is None)
        self.networks: tuple[Network, ...] = (*self._by_name.values(), *nameless)

    # --- what follows -----------------------------------------------------------------------------

    def facts(self) -> Iterator[Evidence]:
        """Yield each name with its ID, where nothing contradicts it: what a book keeps."""
        for row in self.networks:
            if row.name is not None and row.network_id is not None:
                yield _evidence(*row.told_by)


def _evidence(*told_by: App | Machine | AllocatedAddress | Evidence) -> Evidence:
    """Return what records say together: an app's listing and its Machine, or one of them."""
    name = network_id = app = address = None
    for each in told_by:
        if isinstance(each, Evidence):
            return each
        if isinstance(each, App):
            name, app = each.network, each.name
        else:
            network_id, address = each.address.network_id, str(each.address)
            app = each.app
    sources = tuple(each.source for each in told_by if not isinstance(each, Evidence))
    return Evidence(name, network_id, app, address, sources)
