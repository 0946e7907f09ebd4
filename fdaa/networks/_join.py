"""Networks by name and by ID: the two halves that no document holds together, joined.

Only the app list tells an app's network *name* (specification, section 4.3); only the address of
one of its Machines tells that network's *ID* (section 2.3). An address that is allocated for
cross-network access tells neither: its ID is the network that the requests come from.

Where documents contradict each other nothing is concluded from what they disagree about: the
contradiction is kept, with its evidence, and the networks in it stay incomplete.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from fdaa.address import NetworkID
from fdaa.errors import NetworkNameError
from fdaa.network_name import NetworkName, are_names
from fdaa.networks import _evidence as rules
from fdaa.networks._collector import uncollected
from fdaa.networks._evidence import Contradiction, Evidence
from fdaa.networks._model import AllocatedAddress, App, Machine
from fdaa.networks._sightings import Seen, Sightings, by_app, by_holder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from fdaa.address import Address
    from fdaa.networks._evidence import Source
    from fdaa.networks._model import Document, Problem

    # What a fact is known from: an app's listing and a Machine of it, one of them, an address that
    # is allocated for the network's clients, or a book.
    _Claim: TypeAlias = tuple[App | Seen | AllocatedAddress | Evidence, ...]

# What would complete a network of which the name or the ID is not known.
NEEDS_MACHINES = "machine-list"  # a Machine list of one of its apps
NEEDS_ADDRESS = "machine-with-address"  # a Machine that has one; its apps' Machine lists have none
NEEDS_APPS = "app-list"  # an app list that has one of its apps
NEEDS_APP_OF_MACHINES = "app-of-machine-list"  # whose Machine list it was, and then the app list
NEEDS_MACHINES_ON_IT = "machine-list-on-it"  # a Machine list of an app on it, and an app list
NEEDS_AGREEMENT = "agreement"  # documents that do not contradict each other


class Network(NamedTuple):
    """One private network, as far as the documents tell.

    Args:
        name: its name, or None where no app list tells it.
        network_id: its ID, or None where no address of it was seen.
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
    def is_disputed(self) -> bool:
        """Whether documents disagree about its name or its ID."""
        return self.needs == NEEDS_AGREEMENT

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


# As Network(...) and NetworkID(...) do, in a third of the time; the IDs come from addresses, or
# from a book that checked them.
_new_network: Callable[[tuple[object, ...]], Network] = partial(tuple.__new__, Network)
_new_id: Callable[[int], NetworkID] = partial(int.__new__, NetworkID)
_new_name: Callable[[str], NetworkName] = partial(str.__new__, NetworkName)


class NetworkMap:
    """The join of documents, and of a book where there is one.

    Args:
        documents: what `read_document` returned, in any order. Many are best read by a generator,
            here, where Python's garbage collector rests meanwhile.
        known: facts from elsewhere, as a book has them: each with a name and an ID.

    Attributes:
        networks: a row for each network, by name, then by ID those without one.
        contradictions: what cannot all be true.
        problems: what the documents had that could not be used.
        left_out: how many rows that were.

    >>> from fdaa.networks._documents import parse_document
    >>> apps = parse_document(b'{"apps": [{"name": "web", "network": "blue"}]}', "apps.json")
    >>> machines = b'[{"id": "1", "private_ip": "fdaa:2:45b::3"}]'
    >>> joined = NetworkMap([apps, parse_document(machines, "web.json", app="web")])
    >>> joined.by_name("blue").network_id, joined.by_id(0x2045b).name
    (NetworkID.parse('2:45b'), NetworkName.parse('blue'))
    """

    @uncollected
    def __init__(self, documents: Iterable[Document] = (), known: Iterable[Evidence] = ()) -> None:
        self.contradictions: list[Contradiction] = []
        self.problems: list[Problem] = []
        self.left_out = 0
        self._public: dict[str, list[str]] = {}
        self._apps: dict[str, App] = {}  # as first listed
        self._doubts: dict[str, set[str]] = {}  # app -> rules: nothing follows from these apps
        documents = list(documents)
        self._sightings = Sightings(documents)
        self.allocated: list[AllocatedAddress] = self._sightings.allocated
        self._named: set[str] = set()  # apps that a document is about
        self._machines_listed: set[str] = set()  # those of which it lists the Machines
        self._unaddressed: dict[str, set[str | None]] = {}  # Machine -> whose list it stands in
        self._twice = self._take_in(documents)
        self._report()
        self._join(known)
        self._check_allocated()

    # --- look-ups ---------------------------------------------------------------------------------

    def by_name(self, name: str) -> Network | None:
        """Return the network of this name, or None."""
        return self._by_name.get(name)

    def by_id(self, network_id: int) -> Network | None:
        """Return the network with this ID, or None."""
        return self._by_id.get(network_id)

    def of_app(self, app: str) -> Network | None:
        """Return the network that an app is on, or None where it is not known for certain."""
        if app in self._doubts:
            return None
        listed = self._apps.get(app)
        if listed is not None:
            return self._by_name.get(listed.network)
        network_id = self._sightings.places.get(app)
        return None if network_id is None else self._by_id.get(network_id)

    def id_of_app(self, app: str) -> NetworkID | None:
        """Return the ID in the addresses of an app's Machines, or None where that is not known."""
        network_id = None if app in self._doubts else self._sightings.places.get(app)
        return None if network_id is None else NetworkID(network_id)

    def has_app(self, app: str) -> bool:
        """Whether a document names this app."""
        return app in self._apps or app in self._sightings.places or app in self._named

    @property
    def has_app_list(self) -> bool:
        """Whether a document lists apps with their networks."""
        return bool(self._apps)

    def doubts_of(self, app: str) -> list[str]:
        """Return the rules of `fdaa.networks._evidence` that what documents say about an app breaks."""
        return sorted(self._doubts.get(app, ()))

    def may_be_allocated(self, address: Address) -> bool:
        """Whether documents disagree about who has this address, an allocation among the claims."""
        records = self._sightings.disputed.get(address.packed, ())
        return any(isinstance(record, AllocatedAddress) for record in records)

    def doubts_at(self, address: Address) -> list[str]:
        """Return the rules that what documents say about who has this address breaks."""
        return [rule for rule, _ in self._disputes(address.packed)]

    def machine_at(self, address: Address) -> Machine | None:
        """Return the Machine that has this address, or None."""
        holder = self._sightings.holders.get(address.packed)
        return holder if isinstance(holder, Machine) else None

    def allocation_at(self, address: Address) -> AllocatedAddress | None:
        """Return what this address is allocated to for cross-network access, or None."""
        holder = self._sightings.holders.get(address.packed)
        return holder if isinstance(holder, AllocatedAddress) else None

    def machines(self, machine_id: str) -> list[Machine]:
        """Return the Machines with this identifier, one for each address of it."""
        return self._sightings.by_machine.get(machine_id, [])

    def apps_of_unaddressed(self, machine_id: str) -> set[str | None]:
        """Return whose a Machine without an address is; None where its list does not say."""
        return self._unaddressed.get(machine_id, set())

    def allocated_to(self, app: str) -> list[AllocatedAddress]:
        """Return the addresses allocated to an app for cross-network access."""
        return [each for each in self.allocated if each.app == app]

    def serves_own(self, allocated: AllocatedAddress) -> bool | None:
        """Whether an allocated address serves its app's own network, or None where not known."""
        app = allocated.app
        if app is None:
            return None
        own, network_id = self.of_app(app), self.id_of_app(app)
        if network_id is None and own is not None:
            network_id = own.network_id
        if network_id is not None:
            return network_id == allocated.network_id
        served = self._by_id[allocated.network_id]
        # Had they the same name, it would have told the ID.
        return None if own is None or own.name is None or served.name is None else False

    def public_addresses(self, app: str) -> list[str]:
        """Return the public addresses of an app, as far as address lists have them."""
        return self._public.get(app, [])

    # --- taking documents in ----------------------------------------------------------------------

    def _take_in(self, documents: list[Document]) -> dict[str, dict[str, App]]:
        """Return the apps that are listed on several networks, by name and network."""
        apps = self._apps
        twice: dict[str, dict[str, App]] = {}
        whole: dict[int | None, bool] = {}  # total of an app list -> whether all of it is there
        for document in documents:
            if document.problems:
                total = document.total
                if total is not None and total not in whole:
                    whole[total] = _has_all_pages(total, documents)
                # That the total is another is the last one that was found.
                its = document.problems[:-1] if whole.get(total) else document.problems
                self.problems += its
                self.left_out += document.left_out
            for app in document.apps:
                first = apps.setdefault(app.name, app)
                if first is not app and first.network != app.network:
                    listings = twice.setdefault(app.name, {first.network: first})
                    listings.setdefault(app.network, app)
            if document.app is not None:
                self._named.add(document.app)
                if document.kind != "address-list":
                    self._machines_listed.add(document.app)
            for machine in document.unaddressed:
                self._unaddressed.setdefault(machine, set()).add(document.app)
            if document.public and document.app is not None:
                known = self._public.setdefault(document.app, [])
                known += [address for address in document.public if address not in known]
        return twice

    def _report(self) -> None:
        """Make contradictions of what was found, and doubt the apps that are in them."""
        for app, listings in self._twice.items():
            self._contradict(rules.APP_LISTED_TWICE, listings.values())
            self._doubt(app, rules.APP_LISTED_TWICE)
        for app, machines in self._sightings.split.items():
            self._contradict(rules.APP_ON_TWO_NETWORKS, machines.values())
            self._doubt(app, rules.APP_ON_TWO_NETWORKS)
        for packed, records in self._sightings.disputed.items():
            for rule, at_odds in self._disputes(packed):
                self._contradict(rule, at_odds)
                for record in records:
                    if isinstance(record, Machine) and record.app is not None:
                        self._doubt(record.app, rule)

    def _disputes(
        self, packed: bytes
    ) -> Iterator[tuple[str, Iterable[Machine | AllocatedAddress]]]:
        records = self._sightings.disputed.get(packed, [])
        apps, holders = by_app(records), by_holder(records)
        if len(apps) > 1:
            yield rules.ADDRESS_OF_TWO_APPS, apps.values()
        elif len(holders) > 1:
            yield rules.ADDRESS_HELD_TWICE, holders.values()

    def _contradict(self, rule: str, records: Iterable[App | Machine | AllocatedAddress]) -> None:
        self.contradictions.append(Contradiction(rule, tuple(map(_evidence, records))))

    def _doubt(self, app: str, rule: str) -> None:
        self._doubts.setdefault(app, set()).add(rule)

    # --- joining ----------------------------------------------------------------------------------

    def _join(self, known: Iterable[Evidence]) -> None:
        listed: dict[str, list[str]] = {}
        for listing in self._apps.values():
            listed.setdefault(listing.network, []).append(listing.name)
        for app, listings in self._twice.items():
            for name in listings:
                if name != self._apps[app].network:
                    listed.setdefault(name, []).append(app)
        names = self._check_names(listed)
        claims: dict[tuple[str, int], _Claim] = {}
        for fact in known:
            if fact.name is not None and fact.network_id is not None:
                names.setdefault(fact.name, NetworkName.parse(fact.name))
                claims.setdefault((fact.name, fact.network_id), (fact,))
        places, first, doubtful = self._sightings.places, self._sightings.first, self._doubts
        if places:
            for name, apps in listed.items():
                for app in apps:
                    id_ = places.get(app)
                    if id_ is not None and app not in doubtful:
                        claim = name, id_
                        if claim not in claims:
                            claims[claim] = self._apps[app], first[app]
        self._make_rows(names, listed, claims, *self._find_bound(claims))

    def _listing(self, app: str, network: str) -> App:
        """Return the row that lists an app on a network."""
        return self._twice.get(app, {}).get(network) or self._apps[app]

    def _check_names(self, listed: dict[str, list[str]]) -> dict[str, NetworkName]:
        """Return the names that keep the rules; take out, report and doubt the others."""
        if are_names(listed):
            return dict(zip(listed, map(_new_name, listed), strict=True))
        names: dict[str, NetworkName] = {}
        for name, apps in list(listed.items()):
            try:
                names[name] = NetworkName.parse(name)
            except NetworkNameError:
                del listed[name]
                for app in apps:
                    self._doubt(app, rules.NAME_BREAKS_RULES)
                self._contradict(
                    rules.NAME_BREAKS_RULES, [self._listing(app, name) for app in apps]
                )
        return names

    def _find_bound(
        self, claims: dict[tuple[str, int], _Claim]
    ) -> tuple[dict[str, int], dict[str, dict[int, _Claim]]]:
        """Return name to ID where nothing contradicts it; and the other names' claims, reported."""
        bound: dict[str, int] = {}
        named: dict[int, str] = {}
        odd: set[str] = set()
        for name, network_id in claims:
            other = named.setdefault(network_id, name)
            if other != name:
                odd.update((name, other))
            if bound.setdefault(name, network_id) != network_id:
                odd.add(name)
        disputed: dict[str, dict[int, _Claim]] = {}
        if odd:
            on_id: dict[int, dict[str, _Claim]] = {}
            for (name, network_id), claim in claims.items():
                if name in odd:
                    disputed.setdefault(name, {})[network_id] = claim
                    on_id.setdefault(network_id, {})[name] = claim
                    bound.pop(name, None)
            for rule, contrary in (
                (rules.NAME_HAS_TWO_IDS, disputed.values()),
                (rules.ID_HAS_TWO_NAMES, on_id.values()),
            ):
                for each in contrary:
                    if len(each) > 1:
                        facts = tuple(_evidence(*claim) for claim in each.values())
                        self.contradictions.append(Contradiction(rule, facts))
        return bound, disputed

    def _make_rows(
        self,
        names: dict[str, NetworkName],
        listed: dict[str, list[str]],
        claims: dict[tuple[str, int], _Claim],
        bound: dict[str, int],
        disputed: dict[str, dict[int, _Claim]],
    ) -> None:
        sightings, counts, doubtful = self._sightings, self._sightings.counts, self._doubts.keys()
        # The apps seen on an ID whose name they are not listed with: mostly none.
        on_id: dict[int, list[str]] = {}
        if disputed or doubtful or not sightings.places.keys() <= self._apps.keys():
            for app, id_ in sightings.places.items():
                listing = self._apps.get(app)
                if listing is None or bound.get(listing.network) != id_:
                    on_id.setdefault(id_, []).append(app)
        for app, others in sightings.split.items():
            for network_id in others.keys() - {sightings.places[app]}:
                on_id.setdefault(network_id, []).append(app)
        by_name: dict[str, Network] = {}
        by_id: dict[int, Network] = {}
        on_it: Sequence[str]
        needs: str | None
        with_machines = self._machines_listed
        for name in sorted(names):
            on_it = listed.get(name, ())
            own = bound.get(name)
            if own is None:
                told_by = (
                    (self._listing(on_it[0], name),)
                    if on_it
                    else next(iter(disputed[name].values()))
                )
                if name in disputed or (doubtful and not doubtful.isdisjoint(on_it)):
                    needs = NEEDS_AGREEMENT
                elif with_machines and with_machines.issuperset(on_it):
                    needs = NEEDS_ADDRESS
                else:
                    needs = NEEDS_MACHINES
                row = _new_network((names[name], None, tuple(sorted(on_it)), 0, told_by, needs))
            else:
                told_by = claims[name, own]
                if own in on_id:
                    on_it = [*{*on_it, *on_id[own]}]
                number, count = _new_id(own), counts.get(own, 0)
                apps = tuple(sorted(on_it))
                row = by_id[own] = _new_network((names[name], number, apps, count, told_by, None))
            by_name[name] = row
        disputed_ids = {id_: claim for ids in disputed.values() for id_, claim in ids.items()}
        served = {each.network_id: each for each in reversed(self.allocated)}
        nameless = {*counts, *disputed_ids, *served} - by_id.keys()
        seen = sightings.first_on(nameless) if nameless else {}
        without_name: list[Network] = []
        for id_ in sorted(nameless):
            on_it = on_id.get(id_, ())
            told_by = (seen[id_],) if id_ in seen else disputed_ids.get(id_) or (served[id_],)
            if id_ in disputed_ids or not doubtful.isdisjoint(on_it):
                needs = NEEDS_AGREEMENT
            elif id_ in seen:
                needs = NEEDS_APPS if on_it else NEEDS_APP_OF_MACHINES
            else:
                needs = NEEDS_MACHINES_ON_IT
            number, count = _new_id(id_), counts.get(id_, 0)
            row = _new_network((None, number, tuple(sorted(on_it)), count, told_by, needs))
            by_id[id_] = row
            without_name.append(row)
        self._by_name, self._by_id = by_name, by_id
        self.networks: tuple[Network, ...] = (*by_name.values(), *without_name)

    def _check_allocated(self) -> None:
        """Report addresses for cross-network access that name their app's own network."""
        for allocated in self.allocated:
            app = allocated.app
            if app is not None and self.serves_own(allocated):
                own = self.of_app(app)
                told_by: _Claim = (self._apps[app],) if app in self._apps else ()
                evidence = [_evidence(allocated)]
                if app in self._sightings.places:
                    evidence.append(_evidence(*told_by, self._sightings.first[app]))
                elif own is not None:  # an app on the same network tells its ID
                    evidence += _evidence(*told_by), _evidence(*own.told_by)
                rule = rules.ADDRESS_FOR_OWN_NETWORK
                self.contradictions.append(Contradiction(rule, tuple(evidence)))

    # --- what follows -----------------------------------------------------------------------------

    def facts(self) -> Iterator[Evidence]:
        """Yield each name with its ID, where nothing contradicts it: what a book keeps."""
        for row in self.networks:
            if row.name is not None and row.network_id is not None:
                yield _evidence(*row.told_by)


def _has_all_pages(total: int, documents: list[Document]) -> bool:
    """Whether the app lists of so many rows, each a page, have that many together."""
    pages = [document for document in documents if document.total == total]
    names = {app.name for document in pages for app in document.apps}
    return len(names) + sum(document.left_out for document in pages) == total


def _evidence(*told_by: App | Machine | Seen | AllocatedAddress | Evidence) -> Evidence:
    """Return what records say together: an app's listing and its Machine, or one of them."""
    name = network_id = app = address = None
    records = [each.machine if isinstance(each, Seen) else each for each in told_by]
    for each in records:
        if isinstance(each, Evidence):
            return each
        if isinstance(each, App):
            name, app = each.network, each.name
        else:
            network_id, address = each.address.network_id, str(each.address)
            app = each.app
    sources = tuple(each.source for each in records if not isinstance(each, Evidence))
    return Evidence(name, network_id, app, address, sources)
