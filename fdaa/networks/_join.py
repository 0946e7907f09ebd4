"""Networks by name and by ID: few documents contain both, so they are joined.

The app list has the *name* of an app's network (specification, section 4.3); the address of one of
its Machines has that network's *ID* (section 2.3). An address that is allocated for cross-network
access has the ID of the network that the requests come from, and in newer tools also that network's
name.

No conclusions are drawn from facts that contradict each other: the contradiction is kept, with its
facts, and the networks in it stay incomplete.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fdaa.address import NetworkID
from fdaa.errors import NetworkNameError
from fdaa.network_name import NetworkName
from fdaa.networks._book import Book
from fdaa.networks._facts import Facts, fact_of
from fdaa.networks._model import (
    AllocatedAddress,
    Contradiction,
    Document,
    Fact,
    Machine,
    Network,
    Requirement,
    Rule,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.address import Address


class NetworkMap:
    """The join of documents, and of a book if one is given.

    Args:
        documents: documents from `read_document` and `parse_document`, in any order.
        book: its names and IDs are joined, too.

    Raises:
        TypeError: one of them is something else.

    Attributes:
        networks: a row for each network, sorted by name; those without a name follow, by ID.
        contradictions: facts that cannot all be true.
        problems: parts of documents that could not be used.
        left_out: the number of rows that could not be used.
        allocated: the addresses allocated for cross-network access, each once per app.
        facts: the content of the documents by app, by Machine and by address, before the join.
        book: the book; empty if none was given.

    >>> from fdaa.networks import parse_document
    >>> apps = parse_document('{"apps": [{"name": "web", "network": "blue"}]}', "apps.json")
    >>> machines = '[{"id": "1", "private_ip": "fdaa:2:45b::3"}]'
    >>> joined = NetworkMap([apps, parse_document(machines, "web.json", app="web")])
    >>> print(joined.by_name("blue").network_id, joined.by_id("2:45b").name)
    2:45b blue
    """

    def __init__(self, documents: Iterable[Document] = (), book: Book | None = None) -> None:
        documents = list(documents)
        for document in documents:
            if not isinstance(document, Document):
                raise TypeError(f"NetworkMap requires Documents, not {type(document).__name__}")
        self.book = Book() if book is None else book
        facts = self.facts = Facts(documents)
        self.contradictions = facts.contradictions
        self.problems = facts.problems
        self.left_out = facts.left_out
        self.allocated = facts.allocated
        join = _Join(facts, self.book)
        self.networks: tuple[Network, ...] = (*join.named_rows(), *join.nameless_rows())
        self._by_name: dict[str | None, Network] = {row.name: row for row in self.networks}
        self._by_id = {row.network_id: row for row in self.networks}
        self._searched: dict[NetworkID, tuple[str, ...]] = {}
        self.contradictions += join.contradictions()

    # --- look-ups ---------------------------------------------------------------------------------

    def by_name(self, name: str) -> Network | None:
        """Return the network of this name, or None."""
        return self._by_name.get(name)

    def by_id(self, network_id: NetworkID | int | str) -> Network | None:
        """Return the network with this ID, or None.

        Args:
            network_id: in any form that `NetworkID` accepts.

        Raises:
            NetworkIDError: it is not a network ID.
        """
        return self._by_id.get(NetworkID(network_id))

    def of_app(self, app: str) -> Network | None:
        """Return the network that an app is on, or None where it is not known for certain."""
        facts = self.facts.app(app)
        if facts.doubts:
            return None
        if facts.rows:
            return self.by_name(next(iter(facts.rows)))
        return None if facts.network_id is None else self._by_id.get(facts.network_id)

    def clients_of(self, app: str) -> tuple[Network, ...]:
        """Return the networks whose members can reach an app, as far as documents show it.

        They are its own, and those that the addresses allocated to it serve (specification,
        Networking rules, 1 and 3). It takes one pass for all apps; `reach` compares pairs.

        >>> from fdaa.networks import parse_document
        >>> apps = parse_document('{"apps": [{"name": "web", "network": "blue"}]}', "apps.json")
        >>> [str(network.name) for network in NetworkMap([apps]).clients_of("web")]
        ['blue']
        """
        own, disputed = self.of_app(app), self.facts.disputed
        rows = self.facts.app(app).allocated
        served = (self._by_id[row.network_id] for row in rows if row.address not in disputed)
        found = (*(() if own is None else (own,)), *served)
        # By identity, as the hash of a network is that of all its apps.
        return tuple({id(network): network for network in found}.values())

    def holder_at(self, address: Address) -> Machine | AllocatedAddress | None:
        """Return the Machine or the app that has this address; None where that is not certain."""
        holders = self.facts.holders.get(address)
        if holders is None or address in self.facts.disputed:
            return None
        # They agree; one of them may also have the app.
        return next((row for row in holders if row.app is not None), holders[0])

    def searched(self, network: Network) -> tuple[str, ...]:
        """Return the apps that could have an address on a network, if all their Machines are known.

        Returns:
            The apps on it, and those whose network is not known. It is empty where another
            app could be on it, and where the Machine list of one of them is missing or has Machines
            without an address: such an address could be theirs.
        """
        if network.network_id is None or not (network.apps and self.facts.all_apps_listed):
            return ()
        if network.network_id not in self._searched:  # once, and not for each address
            unknown = sorted(app for app in self.facts.apps if self.of_app(app) is None)
            apps = (*network.apps, *unknown)
            is_complete = all(map(self.facts.has_all_addresses, apps))
            self._searched[network.network_id] = apps if is_complete else ()
        return self._searched[network.network_id]

    def bindings(self) -> Iterator[Fact]:
        """Yield each name with its ID, unless it is contradicted: the facts for a book."""
        for row in self.networks:
            if row.name is not None and row.network_id is not None:
                yield row.fact


# --- the join -------------------------------------------------------------------------------------


class _Join:
    """Names and IDs that belong together, and the rows that follow.

    Args:
        facts: the content of the documents.
        book: names and IDs learned earlier; they come first.
    """

    def __init__(self, facts: Facts, book: Book) -> None:
        self._facts = facts
        self._ids_of: defaultdict[NetworkName, dict[NetworkID, Fact]] = defaultdict(dict)
        self._names_of: defaultdict[NetworkID, dict[NetworkName, Fact]] = defaultdict(dict)
        self._invalid: dict[str, Contradiction] = {}  # by the name that breaks the rules
        for fact in book.facts():
            self._bind(fact)
        for name, apps in facts.listed.items():
            for app in apps:
                of_app = facts.app(app)
                network_id = of_app.network_id
                if network_id is not None and network_id not in self._ids_of[name]:
                    self._bind(fact_of(of_app.rows[name], of_app.machine_on[network_id]))
        for allocated in facts.allocated:
            if allocated.address not in facts.disputed:
                self._bind(fact_of(allocated))
        self._bound: dict[NetworkName, NetworkID] = {
            name: network_id
            for name, ids in self._ids_of.items()
            for network_id in ids
            if len(ids) == len(self._names_of[network_id]) == 1
        }

    def _bind(self, fact: Fact) -> None:
        """Keep the first fact that has this name with this ID."""
        if fact.name is None or fact.network_id is None:
            return
        try:
            name = NetworkName(fact.name)
        except NetworkNameError:
            broken = Contradiction(Rule.NAME_BREAKS_RULES, (fact,))
            self._invalid.setdefault(fact.name, broken)
            return
        self._ids_of[name].setdefault(fact.network_id, fact)
        self._names_of[fact.network_id].setdefault(name, fact)

    def contradictions(self) -> Iterator[Contradiction]:
        """Yield the names that have two IDs, the IDs that have two names, and invalid names."""
        for rule, bound in (
            (Rule.NAME_HAS_TWO_IDS, self._ids_of.values()),
            (Rule.ID_HAS_TWO_NAMES, self._names_of.values()),
        ):
            for facts in bound:
                if len(facts) > 1:
                    yield Contradiction(rule, tuple(facts.values()))
        yield from self._invalid.values()

    def named_rows(self) -> Iterator[Network]:
        """Yield the rows of networks with a name, by name."""
        for name in sorted({*self._facts.listed, *self._ids_of}):
            yield self._named_row(name)

    def _named_row(self, name: NetworkName) -> Network:
        apps = self._facts.listed.get(name, [])
        of_apps = [self._facts.app(app) for app in apps]
        all_listed = bool(apps) and all(row.has_machine_list for row in of_apps)
        has_none = all_listed and not any(row.unaddressed for row in of_apps)
        machines, requires = (0 if has_none else None), None
        ids, network_id = self._ids_of.get(name), self._bound.get(name)
        if network_id is not None:
            machines = len(self._facts.machines_on.get(network_id, ())) or machines
            apps = [*{*apps, *self._facts.apps_on.get(network_id, ())}]
        elif ids or any(row.doubts for row in of_apps):
            machines, requires = None, Requirement.AGREEMENT
        else:
            requires = Requirement.MACHINE_WITH_ADDRESS if all_listed else Requirement.MACHINE_LIST
        if ids and (network_id is not None or not of_apps):
            fact = next(iter(ids.values()))
        else:
            fact = fact_of(of_apps[0].rows[name])
        return Network(name, network_id, tuple(sorted(apps)), machines, fact, requires)

    def nameless_rows(self) -> Iterator[Network]:
        """Yield the rows of networks that have no name for certain, by ID."""
        facts = {id_: next(iter(names.values())) for id_, names in self._names_of.items()}
        for allocated in self._facts.allocated:
            facts.setdefault(allocated.network_id, fact_of(allocated))
        for network_id, machines in self._facts.machines_on.items():
            facts[network_id] = fact_of(next(iter(machines.values())))
        for network_id in sorted(facts.keys() - self._bound.values()):
            yield self._nameless_row(network_id, facts[network_id])

    def _nameless_row(self, network_id: NetworkID, fact: Fact) -> Network:
        apps = self._facts.apps_on.get(network_id, [])
        machines = len(self._facts.machines_on.get(network_id, ())) or None
        if network_id in self._names_of or any(self._facts.app(app).doubts for app in apps):
            requires = Requirement.AGREEMENT
        elif machines is None:
            requires = Requirement.MACHINE_LIST_ON_IT
        else:
            requires = Requirement.APP_LIST if apps else Requirement.APP_OF_MACHINE_LIST
        return Network(None, network_id, tuple(sorted(apps)), machines, fact, requires)
