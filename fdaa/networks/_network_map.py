"""`NetworkMap`: what documents and a book show together."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address
from types import MappingProxyType

from fdaa._address import Address, NetworkID
from fdaa._checks import check_type, text_of
from fdaa.networks._assumptions import COMPLETE_DOCUMENTS
from fdaa.networks._book import Book
from fdaa.networks._facts import Facts
from fdaa.networks._findings import KnownNetwork, Reason, SilentApp
from fdaa.networks._join import Join
from fdaa.networks._model import (
    Contradiction,
    CrossNetworkAddress,
    Document,
    Fact,
    ListedMachine,
    Network,
    Rule,
    Unused,
)
from fdaa.networks._whereabouts import AppNetwork, Whereabouts, find_app_network


class NetworkMap:
    """The join of documents, and of a book if one is given.

    Where documents disagree, their facts are a contradiction, and no conclusion is drawn from
    them; docs/rules-networks.md has the rules.

    Args:
        documents: documents from `read_document` and `parse_document`, in any order.
        book: its names and IDs are joined, too.

    Raises:
        TypeError: one of them is something else.

    Attributes:
        networks: a row for each network, sorted by name; those without a name follow, by ID.
        contradictions: facts that cannot all be true.
        unused: everything in the documents that was not used, each with its kind: rows and values
            that are wrong, network names that break the rules, and what a list without its app
            shows about the app.
        left_out: the number of rows that could not be used.
        book: the book; empty if none was given.

    >>> from fdaa.networks import parse_document
    >>> apps = parse_document('{"apps": [{"name": "web", "network": "blue"}]}', file="apps.json")
    >>> machines = '[{"id": "1", "private_ip": "fdaa:2:45b::3"}]'
    >>> joined = NetworkMap([apps, parse_document(machines, file="web.json", app="web")])
    >>> print(joined.by_name("blue").network_id, joined.by_id("2:45b").name)
    2:45b blue
    """

    def __init__(self, documents: Iterable[Document] = (), book: Book | None = None) -> None:
        check_type(documents, "documents", Iterable)
        documents = list(documents)
        for document in documents:
            check_type(document, "each of documents", Document)
        if book is None:
            book = Book()
        check_type(book, "book", Book)
        self.book: Book = book
        self._facts = Facts(documents)
        join = Join(self._facts, self.book)
        self.networks: tuple[Network, ...] = tuple(join.rows())
        self._by_name: dict[str, Network] = {}
        self._by_id: dict[NetworkID, Network] = {}
        for row in self.networks:
            if row.name is not None:
                self._by_name[row.name] = row
            if row.network_id is not None:
                self._by_id[row.network_id] = row
        contradictions = [*self._facts.contradictions, *join.contradictions()]
        self.contradictions: tuple[Contradiction, ...] = tuple(contradictions)
        self.unused: tuple[Unused, ...] = tuple(self._facts.unused)
        self.left_out: int = self._facts.left_out

    def __repr__(self) -> str:
        networks = f"{len(self.networks)} networks, {len(self.contradictions)} contradictions"
        return f"<NetworkMap {networks}, {len(self.apps)} apps, {len(self.addresses)} addresses>"

    # --- the content of the documents -------------------------------------------------------------

    @property
    def names(self) -> Collection[str]:
        """The names of all networks in the documents and the book."""
        return self._by_name.keys()

    @property
    def apps(self) -> Collection[str]:
        """The names of all apps in the documents."""
        return self._facts.apps.keys()

    @property
    def machines(self) -> Mapping[str, Sequence[ListedMachine]]:
        """The rows of each Machine in the documents, by its identifier."""
        return MappingProxyType(self._facts.machines)

    @property
    def addresses(self) -> Collection[Address]:
        """All addresses of Machines, and all cross-network addresses, in the documents."""
        return self._facts.holders.keys()

    # --- lookups ----------------------------------------------------------------------------------

    def by_name(self, name: str) -> Network | None:
        """Return the network of this name, or None."""
        name = text_of(name, "name")
        return self._by_name.get(name)

    def by_id(self, network_id: NetworkID | int | str) -> Network | None:
        """Return the network with this ID, or None.

        Args:
            network_id: in any form that `NetworkID` accepts.

        Raises:
            NetworkIDError: it is not a network ID.
        """
        return self._by_id.get(NetworkID(network_id))

    def known_network(self, app: str) -> KnownNetwork:
        """Return the network that an app is on, by documents or by the book, as `reach` uses it.

        It has neither name nor ID where they are not known, or where documents disagree.

        >>> from fdaa.networks import parse_document
        >>> apps = parse_document('[{"Name": "web", "Network": "blue"}]', file="apps.json")
        >>> print(NetworkMap([apps]).known_network("web").name)
        blue
        """
        app = text_of(app, "app")
        return self._app_network(app).network.known

    def is_disputed(self, app: str) -> bool:
        """Return whether documents, or two entries of the book, disagree about an app's network.

        >>> from fdaa.networks import parse_document
        >>> rows = '[{"Name": "web", "Network": "blue"}, {"Name": "web", "Network": "red"}]'
        >>> NetworkMap([parse_document(rows, file="apps.json")]).is_disputed("web")
        True
        """
        app = text_of(app, "app")
        return bool(self._app_network(app).disputed_by)

    def addresses_of(self, app: str) -> tuple[Address, ...]:
        """Return the addresses of an app: those of its Machines, then its cross-network addresses.

        >>> from fdaa.networks import parse_document
        >>> machines = '[{"id": "148e1", "private_ip": "fdaa:2:45b::3"}]'
        >>> networks = NetworkMap([parse_document(machines, file="web.json", app="web")])
        >>> networks.addresses_of("web")
        (Address('fdaa:2:45b::3'),)
        """
        app = text_of(app, "app")
        facts = self._facts.app(app)
        found: dict[Address, None] = {}
        for machine_id in facts.machines:
            for row in self._facts.machines[machine_id]:
                if row.app == app and row.address is not None:
                    found[row.address] = None
        for allocated in facts.allocated:
            found[allocated.address] = None
        return tuple(found)

    def state_of(self, machine_id: str) -> str | None:
        """Return the state of a Machine; None where no document has it, or documents differ.

        A Machine in any other state than `started` is assumed not to respond.

        >>> from fdaa.networks import parse_document
        >>> machines = parse_document('[{"id": "148e1", "state": "stopped"}]', file="web.json")
        >>> NetworkMap([machines]).state_of("148e1")
        'stopped'
        """
        machine_id = text_of(machine_id, "machine_id")
        return self._facts.state_of(machine_id)

    def bindings(self) -> Iterator[Fact]:
        """Yield each name with its ID, unless it is contradicted: the facts for a book.

        An app that has a cross-network address for a network is not on that network, so a fact that
        comes from the address is without the app.
        """
        for row in self.networks:
            if row.name is None or row.network_id is None:
                continue
            if self._facts.is_allocated(row.fact.address):
                yield replace(row.fact, app=None)
            else:
                yield row.fact

    # --- for the modules beside this one ----------------------------------------------------------

    @cached_property
    def _whereabouts(self) -> Whereabouts:
        return Whereabouts(self._facts, self._row_of_app)

    def _row_of_app(self, app: str) -> Network | None:
        """Return the row of the network that documents put an app on, or None."""
        facts = self._facts.app(app)
        if facts.name is not None:
            return self._by_name[facts.name]
        if facts.network_id is not None:
            return self._by_id[facts.network_id]
        return None

    def _app_network(self, app: str) -> AppNetwork:
        """Return the network that an app is on, where that is from, and whether it is disputed."""
        return find_app_network(app, self._facts.app(app), self._row_of_app(app), self.book)

    def _row_at(self, address: Address) -> ListedMachine | CrossNetworkAddress | Rule | None:
        """Return the Machine or the app that has this address; the rule that its rows break."""
        rule = self._facts.disputed.get(address)
        if rule is not None:
            return rule
        holders = self._facts.holders.get(address, [])
        for row in holders:  # they agree; one of them may also have the app
            if row.app is not None:
                return row
        return next(iter(holders), None)

    def _rule_about_allocation(self, address: Address) -> Rule | None:
        """Return the rule that documents break about who has an address, if one allocates it."""
        if not self._facts.may_be_allocated(address):
            return None
        return self._facts.disputed[address]

    @property
    def _allocated(self) -> list[CrossNetworkAddress]:
        """The cross-network addresses, each once per app."""
        return self._facts.allocated

    def _public_addresses_of(self, app: str | None) -> tuple[IPv4Address | IPv6Address, ...]:
        return tuple(self._facts.app(app).public)

    def _silence_of(self, app: str) -> SilentApp | None:
        """Return why none of an app's Machines can respond, or None where one may."""
        facts = self._facts.app(app)
        if facts.has_no_machine:
            assumed = facts.counts.get(0, (COMPLETE_DOCUMENTS,))
            return SilentApp(Reason.NO_MACHINE, app=app, assumptions=assumed)
        states = self._facts.states_without_started(app)
        if states:
            return SilentApp(Reason.NO_STARTED_MACHINE, app=app, states=states)
        return None
