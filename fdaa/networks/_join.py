"""Networks by name and by ID: the two halves that few documents hold together, joined.

The app list has the *name* of an app's network (specification, section 4.3); the address of one of
its Machines has that network's *ID* (section 2.3). An address that is allocated for cross-network
access has neither: its ID is the network that the requests come from.

Where documents contradict each other nothing is concluded from what they disagree about: the
contradiction is kept, with its evidence, and the networks in it stay incomplete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa.address import NetworkID
from fdaa.network_name import NetworkName
from fdaa.networks._argument_types import list_of
from fdaa.networks._model import (
    AllocatedAddress,
    Contradiction,
    Document,
    Evidence,
    Machine,
    Need,
    Network,
    Rule,
)
from fdaa.networks._statements import Statements, evidence_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.address import Address


class NetworkMap:
    """The join of documents, and of a book where there is one.

    Args:
        documents: what `read_document` and `parse_document` return, in any order.
        known: facts from elsewhere, as a book has them: each with a name and an ID.

    Raises:
        TypeError: one of them is something else.

    Attributes:
        networks: a row for each network, by name, then by ID those without one.
        contradictions: what cannot all be true.
        problems: what the documents had that could not be used.
        left_out: how many rows that were.
        allocated: the addresses allocated for cross-network access, each once for an app.
        statements: what the documents state by app, by Machine and by address, before it is joined.

    >>> from fdaa.networks import parse_document
    >>> apps = parse_document(b'{"apps": [{"name": "web", "network": "blue"}]}', "apps.json")
    >>> machines = b'[{"id": "1", "private_ip": "fdaa:2:45b::3"}]'
    >>> joined = NetworkMap([apps, parse_document(machines, "web.json", app="web")])
    >>> print(joined.by_name("blue").network_id, joined.by_id("2:45b").name)
    2:45b blue
    """

    def __init__(self, documents: Iterable[Document] = (), known: Iterable[Evidence] = ()) -> None:
        statements = self.statements = Statements(list_of(Document, documents, "NetworkMap"))
        self.contradictions = statements.contradictions
        self.problems = statements.problems
        self.left_out = statements.left_out
        self.allocated = statements.allocated
        join = _Join(statements, list_of(Evidence, known, "NetworkMap"))
        named, nameless = join.named_rows(), join.nameless_rows()
        self.networks: tuple[Network, ...] = (*named, *nameless)
        self._by_name = {str(row.name): row for row in named}
        self._by_id = {id_: row for row in self.networks if (id_ := row.network_id) is not None}
        self.contradictions += join.contradictions()
        self.contradictions += self._for_own_network()

    # --- look-ups ---------------------------------------------------------------------------------

    def by_name(self, name: str) -> Network | None:
        """Return the network of this name, or None."""
        return self._by_name.get(name)

    def by_id(self, network_id: int | str) -> Network | None:
        """Return the network with this ID, or None.

        Args:
            network_id: in any form that `NetworkID` takes.

        Raises:
            NetworkIDError: it is no network ID.
        """
        return self._by_id.get(NetworkID(network_id))

    def of_app(self, app: str) -> Network | None:
        """Return the network that an app is on, or None where it is not known for certain."""
        if app in self.statements.doubts:
            return None
        if listings := self.statements.listings.get(app):
            return self.by_name(next(iter(listings)))
        network_id = self.id_of_app(app)
        return None if network_id is None else self._by_id.get(network_id)

    def id_of_app(self, app: str) -> NetworkID | None:
        """Return the ID in the addresses of an app's Machines, or None where that is not known."""
        places = self.statements.places.get(app, {})
        return None if app in self.statements.doubts else next(iter(places), None)

    def may_be_allocated(self, address: Address) -> bool:
        """Whether documents disagree about who has this address, one of them by an allocation."""
        holders = self.statements.at_address[address] if address in self.statements.disputed else ()
        return any(isinstance(each, AllocatedAddress) for each in holders)

    def holder_at(self, address: Address) -> Machine | AllocatedAddress | None:
        """Return the Machine or the app that has this address; None where that is not certain."""
        holders = self.statements.at_address.get(address)
        if holders is None or address in self.statements.disputed:
            return None
        # They agree; one of them may also have the app.
        return next((each for each in holders if each.app is not None), holders[0])

    def has_all_addresses(self, app: str) -> bool:
        """Whether a document lists all Machines of an app, each with an address."""
        statements = self.statements
        unknown = statements.without_address.get(app, set()) - statements.addresses_of.keys()
        return app in statements.machines_listed and not unknown

    def has_no_machine(self, app: str) -> bool:
        """Whether an app's Machine list, or an app list, tells that it has no Machine."""
        statements = self.statements
        if app in statements.places or app in statements.without_address:
            return False
        counts = {row.machine_count for row in statements.listings.get(app, {}).values()}
        return app in statements.machines_listed or 0 in counts

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
        # If they had the same name, the ID would be known.
        return None if own is None or own.name is None or served.name is None else False

    def facts(self) -> Iterator[Evidence]:
        """Yield each name with its ID, where nothing contradicts it: what a book keeps."""
        for row in self.networks:
            if row.name is not None and row.network_id is not None:
                yield row.evidence

    def _for_own_network(self) -> Iterator[Contradiction]:
        """Yield the addresses for cross-network access that serve their app's own network."""
        for allocated in self.allocated:
            app = allocated.app
            if app is None or not self.serves_own(allocated):
                continue
            listings = list(self.statements.listings.get(app, {}).values())[:1]
            machines = list(self.statements.places.get(app, {}).values())[:1]
            evidence = [evidence_of(allocated), evidence_of(*listings, *machines)]
            own = self.of_app(app)
            if not machines and own is not None:  # another app on the same network tells the ID
                evidence.append(own.evidence)
            yield Contradiction(Rule.ADDRESS_FOR_OWN_NETWORK, tuple(evidence))


# --- the join -------------------------------------------------------------------------------------


class _Join:
    """Names and IDs that belong together, and the rows that follow.

    Args:
        statements: what the documents state.
        known: what a book says; it comes first.
    """

    def __init__(self, statements: Statements, known: list[Evidence]) -> None:
        self._statements = statements
        self._ids_of: dict[NetworkName, dict[NetworkID, Evidence]] = {}  # the first evidence
        self._names_of: dict[NetworkID, dict[NetworkName, Evidence]] = {}  # of each pair
        for fact in known:
            if fact.name is not None and fact.network_id is not None:
                self._bind(NetworkName.parse(fact.name), fact.network_id, fact)
        for name, apps in statements.listed.items():
            for app in apps:
                if app in statements.places and app not in statements.doubts:
                    ((network_id, machine),) = statements.places[app].items()
                    if network_id not in self._ids_of.get(name, ()):
                        fact = evidence_of(statements.listings[app][name], machine)
                        self._bind(name, network_id, fact)
        self._bound: dict[str, NetworkID] = {
            name: network_id
            for name, ids in self._ids_of.items()
            for network_id in ids
            if len(ids) == len(self._names_of[network_id]) == 1
        }
        self._apps_on = self._find_apps_on()

    def _bind(self, name: NetworkName, network_id: NetworkID, fact: Evidence) -> None:
        self._ids_of.setdefault(name, {}).setdefault(network_id, fact)
        self._names_of.setdefault(network_id, {}).setdefault(name, fact)

    def _find_apps_on(self) -> dict[NetworkID, list[str]]:
        """Return the apps that were seen on an ID whose name they are not listed with."""
        apps_on: dict[NetworkID, list[str]] = {}
        for app, places in self._statements.places.items():
            own = self._bound.get(next(iter(self._statements.listings.get(app, ())), ""))
            for network_id in places:
                if network_id != own:
                    apps_on.setdefault(network_id, []).append(app)
        return apps_on

    def contradictions(self) -> Iterator[Contradiction]:
        """Yield the names that have two IDs, and the IDs that have two names."""
        for ids in self._ids_of.values():
            if len(ids) > 1:
                yield Contradiction(Rule.NAME_HAS_TWO_IDS, tuple(ids.values()))
        for names in self._names_of.values():
            if len(names) > 1:
                yield Contradiction(Rule.ID_HAS_TWO_NAMES, tuple(names.values()))

    def named_rows(self) -> list[Network]:
        """Return the rows of networks with a name, by name."""
        return [self._named_row(name) for name in sorted({*self._statements.listed, *self._ids_of})]

    def _named_row(self, name: NetworkName) -> Network:
        statements = self._statements
        listed = statements.listed.get(name, [])
        all_listed = bool(listed) and statements.machines_listed.issuperset(listed)
        has_none = all_listed and statements.without_address.keys().isdisjoint(listed)
        machines, needs = (0 if has_none else None), None
        ids, network_id = self._ids_of.get(name), self._bound.get(name)
        if network_id is not None:
            machines = len(statements.machines_on.get(network_id, ())) or machines
            listed = [*{*listed, *self._apps_on.get(network_id, ())}]
        elif ids or not statements.doubts.keys().isdisjoint(listed):
            machines, needs = None, Need.AGREEMENT
        else:
            needs = Need.MACHINE_WITH_ADDRESS if all_listed else Need.MACHINE_LIST
        if ids and (network_id is not None or not listed):
            evidence = next(iter(ids.values()))
        else:
            evidence = evidence_of(statements.listings[listed[0]][name])
        return Network(name, network_id, tuple(sorted(listed)), machines, evidence, needs)

    def nameless_rows(self) -> list[Network]:
        """Return the rows of networks that have no name for certain, by ID."""
        told = {
            network_id: next(iter(names.values())) for network_id, names in self._names_of.items()
        }
        for allocated in self._statements.allocated:
            told.setdefault(allocated.network_id, evidence_of(allocated))
        for network_id, machines in self._statements.machines_on.items():
            told[network_id] = evidence_of(next(iter(machines.values())))
        ids = sorted(told.keys() - self._bound.values())
        return [self._nameless_row(network_id, told[network_id]) for network_id in ids]

    def _nameless_row(self, network_id: NetworkID, evidence: Evidence) -> Network:
        apps = self._apps_on.get(network_id, [])
        machines = len(self._statements.machines_on.get(network_id, ())) or None
        if network_id in self._names_of or not self._statements.doubts.keys().isdisjoint(apps):
            needs = Need.AGREEMENT
        elif machines is None:
            needs = Need.MACHINE_LIST_ON_IT
        else:
            needs = Need.APP_LIST if apps else Need.APP_OF_MACHINE_LIST
        return Network(None, network_id, tuple(sorted(apps)), machines, evidence, needs)
