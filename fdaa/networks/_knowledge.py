"""What is known from documents, for the modules of this room.

Rows by app, Machine and address -> what they disagree about -> names and IDs joined. `NetworkMap`
has the questions of users; docs/rules-networks.md states the rules.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from fdaa._values.errors import NetworkNameError
from fdaa._values.network_name import NetworkName
from fdaa.networks._model import (
    Contradiction,
    CrossNetworkAddress,
    DocumentKind,
    Fact,
    KnownNetwork,
    ListedApp,
    ListedMachine,
    Network,
    Rule,
    is_started,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from ipaddress import IPv4Address, IPv6Address

    from fdaa._values.address import Address, NetworkID
    from fdaa.networks._model import Document, SavedNetwork, Unused

HolderRow: TypeAlias = ListedMachine | CrossNetworkAddress  # shows who has an address


_UNKNOWN = KnownNetwork()


class AppFacts:
    """What documents say about one app."""

    # There is one for each app: what most apps do not have is no collection of its own.
    def __init__(self) -> None:
        self.is_listed = False  # in an app list, or in a status document with its network
        self.listings: dict[str, ListedApp] = {}  # by its network as written, the first row
        self.counts: frozenset[int] = frozenset()  # of its Machines, in app lists
        self.rows: list[ListedMachine] = []  # with or without an address
        self.has_machine_list = False  # a list has all of them
        self.has_address_list = False
        self.allocated: Sequence[CrossNetworkAddress] = ()
        self.public: tuple[IPv4Address | IPv6Address, ...] = ()
        self.rules: frozenset[Rule] = frozenset()  # which the facts about it break
        self.on: dict[NetworkID, ListedMachine] = {}  # a Machine of it on each network
        self.network = _UNKNOWN  # unless documents disagree about it

    @property
    def is_disputed(self) -> bool:
        """Whether documents disagree about its network."""
        return not self.rules.isdisjoint((Rule.APP_LISTED_TWICE, Rule.APP_ON_TWO_NETWORKS))

    @property
    def has_no_machine(self) -> bool:
        """Whether a Machine list or an app list shows that it has no Machine, and none has one."""
        if self.rows or any(self.counts):
            return False
        return self.has_machine_list or 0 in self.counts


_NOTHING = AppFacts()


class AppNetwork(NamedTuple):
    """The network of an app, as far as it is known.

    Args:
        network: its name and ID; both None where they are not known, or disputed.
        saved: what was saved of it, if the lists do not have it.
        disputed_by: the rules that documents break about it.
    """

    network: KnownNetwork
    saved: SavedNetwork | None = None
    disputed_by: tuple[Rule, ...] = ()


class Knowledge:
    """Documents, joined.

    Args:
        documents: the documents.

    Attributes:
        networks, contradictions, unused, left_out: as `NetworkMap` has them.
    """

    def __init__(self, documents: list[Document]) -> None:
        self.apps: defaultdict[str, AppFacts] = defaultdict(AppFacts)  # `app` accepts others, too
        self.machines: dict[str, list[ListedMachine]] = {}  # the rows of each identifier
        self.holders: defaultdict[Address, list[HolderRow]] = defaultdict(list)
        self.machines_on: defaultdict[NetworkID, dict[Address, ListedMachine]] = defaultdict(dict)
        self.apps_on: defaultdict[NetworkID, set[str]] = defaultdict(set)  # with a Machine on it
        self.allocations: list[CrossNetworkAddress] = []  # all rows
        self.allocated: list[CrossNetworkAddress] = []  # each address once for an app
        self.all_apps_listed = _has_all_apps(documents)
        self.saved: dict[tuple[str, NetworkID], SavedNetwork] = {}  # by name and ID
        self.saved_of: defaultdict[str, list[SavedNetwork]] = defaultdict(list)  # by app
        self.saved_with: dict[Address, SavedNetwork] = {}  # by the address that had the ID
        self.unused: list[Unused] = []
        self.left_out = 0
        self.contradictions: list[Contradiction] = []
        self.disputed: dict[Address, Rule] = {}  # the rule that the rows about an address break
        self._searched: dict[Network, tuple[str, ...]] = {}  # the apps that may be on it
        self._names: dict[str, NetworkName | None] = {}  # as written -> None if not a name
        for document in documents:
            self._add(document)
        self._add_allocations()
        self._find_disputes()
        self.networks = tuple(_Join(self).networks())
        self.by_name: dict[str, Network] = {}
        self.by_id: dict[NetworkID, Network] = {}
        for row in self.networks:
            if row.name is not None:
                self.by_name[row.name] = row
            if row.network_id is not None:
                self.by_id[row.network_id] = row

    # --- the rows of documents --------------------------------------------------------------------

    def _add(self, document: Document) -> None:
        self.unused += document.unused
        self.left_out += document.left_out
        for saved in document.saved:
            self._add_saved(saved)
        if document.app is not None:
            app = self.apps[document.app]
            app.public = tuple(dict.fromkeys((*app.public, *document.public)))
            if document.is_whole:
                app.has_machine_list |= document.kind is DocumentKind.MACHINE_LIST
                app.has_address_list |= document.kind is DocumentKind.ADDRESS_LIST
        for listing in document.apps:
            app = self.apps[listing.name]
            app.is_listed = True
            if listing.network_name is not None:
                app.listings.setdefault(listing.network_name, listing)
            if listing.machine_count is not None:
                app.counts |= {listing.machine_count}
        for machine in document.machines:
            self.machines.setdefault(machine.id, []).append(machine)
            address = machine.address
            network_id = machine.network_id
            if address is not None and network_id is not None:
                self.machines_on[network_id].setdefault(address, machine)
                self.holders[address].append(machine)
            if machine.app is not None:
                self.apps[machine.app].rows.append(machine)
                if network_id is not None:
                    self.apps_on[network_id].add(machine.app)
        self.allocations += document.allocated

    def _add_saved(self, saved: SavedNetwork) -> None:
        if (saved.name, saved.network_id) in self.saved:
            return
        self.saved[saved.name, saved.network_id] = saved
        if saved.app is not None:
            self.saved_of[saved.app].append(saved)
        if saved.address is not None:
            self.saved_with.setdefault(saved.address, saved)

    def _add_allocations(self) -> None:
        """Add each address once for an app; without an app, only if no other list has it."""
        self.allocations.sort(key=lambda row: row.app is None)
        apps_of: defaultdict[Address, set[str | None]] = defaultdict(set)
        for row in self.allocations:
            self.holders[row.address].append(row)
            apps = apps_of[row.address]
            if row.app not in apps and not (row.app is None and apps):
                self.allocated.append(row)
                if row.app is not None:
                    app = self.apps[row.app]
                    app.allocated = (*app.allocated, row)
            apps.add(row.app)

    # --- questions about them ---------------------------------------------------------------------

    def app(self, name: str | None) -> AppFacts:
        """Return the facts about an app; none where no document names it."""
        if name is None:
            return _NOTHING
        return self.apps.get(name, _NOTHING)

    def without_address_list(self) -> tuple[str, ...]:
        """Return the apps whose address lists are not given, sorted."""
        return tuple(sorted(app for app in self.apps if not self.apps[app].has_address_list))

    def has_all_addresses(self, app: str) -> bool:
        """Whether a document lists all Machines of an app, and some document each address."""
        facts = self.app(app)
        if not facts.has_machine_list:
            return False
        for machine in facts.rows:
            rows = self.machines[machine.id]
            if not any(row.address is not None for row in rows if row.app in (app, None)):
                return False
        return True

    def state_of(self, machine_id: str) -> str | None:
        """Return the state of a Machine; None where no document has it, or documents differ."""
        states = {row.state for row in self.machines.get(machine_id, ())} - {None}
        if len(states) != 1:
            return None
        return states.pop()

    def states_without_started(self, app: str) -> tuple[str, ...]:
        """Return the states of all Machines of an app if none is started, sorted; else nothing."""
        facts = self.app(app)
        machine_ids = {machine.id for machine in facts.rows}
        if not facts.has_machine_list or max(facts.counts, default=0) > len(machine_ids):
            return ()  # it may have other Machines
        states: set[str] = set()
        for machine_id in machine_ids:
            state = self.state_of(machine_id)
            if state is None or is_started(state):
                return ()
            states.add(state)
        return tuple(sorted(states))

    def is_allocated(self, address: Address | None) -> bool:
        """Whether a document lists an address as a cross-network address."""
        if address is None:
            return False
        return any(isinstance(row, CrossNetworkAddress) for row in self.holders.get(address, ()))

    def shows_network(self, address: Address) -> bool:
        """Whether an address shows the network of its app: it is not disputed, or all the same."""
        rule = self.disputed.get(address)
        if rule is None:
            return True
        return rule is Rule.ADDRESS_HELD_TWICE and not self.is_allocated(address)

    def holder(self, address: Address) -> HolderRow | Rule | None:
        """Return the Machine or the app that has this address; the rule that its rows break."""
        if address in self.disputed:
            return self.disputed[address]
        rows = self.holders.get(address, [])
        for row in rows:
            if row.app is not None:  # they agree
                return row
        return next(iter(rows), None)

    def network_name(self, text: str | None) -> NetworkName | None:
        """Return a network name as written, or None where it is none that can be used."""
        if text is None:
            return None
        if text not in self._names:
            self._names[text] = None
            with suppress(NetworkNameError):  # its document reports it
                self._names[text] = NetworkName(text)
        return self._names[text]

    # --- what they disagree about -----------------------------------------------------------------

    def _find_disputes(self) -> None:
        for address, rows in self.holders.items():
            if len(rows) > 1:
                self._compare_holders(address, rows)
        for machines in self.machines.values():
            if len(machines) > 1:
                by_app = _by_app(machines)
                if len(by_app) > 1:
                    self._contradict(Rule.MACHINE_OF_TWO_APPS, by_app.values(), by_app)
        for name, app in self.apps.items():
            for machine in app.rows:
                if machine.address is not None and self.shows_network(machine.address):
                    app.on.setdefault(machine.address.network_id, machine)
            if len(app.listings) > 1:
                self._contradict(Rule.APP_LISTED_TWICE, app.listings.values(), [name])
            if len(app.on) > 1:
                self._contradict(Rule.APP_ON_TWO_NETWORKS, app.on.values(), [name])
            if not app.is_disputed:
                written = next(iter(app.listings), None)
                app.network = KnownNetwork(
                    name=self.network_name(written), network_id=next(iter(app.on), None)
                )

    def _compare_holders(self, address: Address, rows: list[HolderRow]) -> None:
        """Compare who has an address: two apps, two Machines, or a Machine and an allocation."""
        by_app = _by_app(rows)
        by_holder: dict[str | None, HolderRow] = {}  # an allocation under None
        apps = []
        for row in rows:
            if isinstance(row, ListedMachine):
                by_holder.setdefault(row.id, row)
                if row.app is not None:
                    apps.append(row.app)
            else:
                by_holder.setdefault(None, row)
        if len(by_app) > 1:
            self.disputed[address] = Rule.ADDRESS_OF_TWO_APPS
            self._contradict(Rule.ADDRESS_OF_TWO_APPS, by_app.values(), apps)
        elif len(by_holder) > 1:
            self.disputed[address] = Rule.ADDRESS_HELD_TWICE
            self._contradict(Rule.ADDRESS_HELD_TWICE, by_holder.values(), apps)

    def _contradict(
        self, rule: Rule, rows: Iterable[ListedApp | HolderRow], apps: Iterable[str]
    ) -> None:
        self.contradictions.append(Contradiction(rule, facts=tuple(map(fact_of, rows))))
        for app in apps:
            self.apps[app].rules |= {rule}

    # --- the networks of apps ---------------------------------------------------------------------

    def network_of(self, app: str) -> Network | None:
        """Return the row of the network that documents put an app on, or None."""
        known = self.app(app).network
        if known.name is not None:
            return self.by_name[known.name]
        if known.network_id is not None:
            return self.by_id[known.network_id]
        return None

    def app_network(self, app: str) -> AppNetwork:
        """Return the network that an app is on, where that is from, and whether it is disputed.

        Where lists disagree about it, what was saved does not decide. An app that was saved on two
        networks is disputed: an app stays on its network (specification, 2.1, rule 1).
        """
        facts = self.app(app)
        if facts.is_disputed:
            return AppNetwork(KnownNetwork(), disputed_by=tuple(sorted(facts.rules)))
        row = self.network_of(app)
        if row is not None:
            return AppNetwork(completed(facts.network, row))
        saved = self.saved_of.get(app, ())
        if len(saved) > 1:
            return AppNetwork(KnownNetwork(), disputed_by=(Rule.APP_ON_TWO_NETWORKS,))
        for each in saved:
            return AppNetwork(KnownNetwork(name=each.name, network_id=each.network_id), each)
        return AppNetwork(KnownNetwork())

    def only_saved(self, row: Network) -> SavedNetwork | None:
        """Return what was saved of a network, if no list shows its name and its ID together."""
        if row.name is None or row.network_id is None:
            return None
        saved = self.saved.get((row.name, row.network_id))
        if saved is None or saved != row.fact:
            return None
        return saved

    def served_network(self, row: CrossNetworkAddress) -> KnownNetwork:
        """Return the network whose clients a cross-network address serves."""
        return completed(KnownNetwork(network_id=row.network_id), self.by_id.get(row.network_id))

    def own_network(self, row: CrossNetworkAddress) -> KnownNetwork:
        """Return the network that the app of a cross-network address is on itself."""
        if row.app is None:
            return KnownNetwork()
        return self.app_network(row.app).network

    # --- which apps may be on a network, and which lists may have an address of it ----------------

    def may_be_on(self, app: str, network: Network | KnownNetwork) -> bool:
        """Return whether an app may be on a network.

        It may be unless an app list has it, no contradiction is about it or its network, and that
        network has another ID, or another name where the ID is not known.
        """
        row = self.network_of(app)
        facts = self.app(app)
        if row is None or row.disputed_by or facts.rules or not facts.is_listed:
            return True
        return compare(row, network) is not False

    def possible(self, network: Network | KnownNetwork) -> Iterator[str]:
        """Yield the apps in documents that may be on a network."""
        for app in self.apps:
            if self.may_be_on(app, network):
                yield app

    def looked_at(self, app: str | None, network: Network) -> tuple[str, ...]:
        """Return the apps whose lists show that an address, which no list has, is stale.

        It is empty if the address may not be stale.

        Args:
            app: the app that had the address when it was saved, if it was.
            network: the network in the address.
        """
        if self.may_be_allocated(app, network):
            return ()
        if app is not None and self.may_be_on(app, network):
            if not self.has_all_addresses(app):
                return ()
            return (app,)
        if not network.apps or not self.all_apps_listed:
            return ()
        if network not in self._searched:  # once, and not for each address of a log
            apps = tuple(sorted(self.possible(network)))
            if not all(map(self.has_all_addresses, apps)):
                apps = ()
            self._searched[network] = apps
        return self._searched[network]

    def may_be_allocated(self, app: str | None, network: Network | None) -> bool:
        """Return whether an address that no list has may be allocated: lists are missing.

        Any app may have a cross-network address for the clients of any network.
        """
        if app is None or network is None or not self.may_be_on(app, network):
            return not self.all_apps_listed or bool(self.without_address_list())
        return not self.app(app).has_address_list

    def has_no_app(self, network: Network) -> bool:
        """Return whether no app can be on a network, as documents show where each of them is."""
        if not self.all_apps_listed or network.machine_count:
            return False
        return next(self.possible(network), None) is None


class _Join:
    """Names and IDs of networks, joined.

    Few documents contain both: the app list has the *name* of an app's network (specification,
    section 4.3); the address of one of its Machines has its *ID* (section 2.3). A cross-network
    address has the ID of the clients' network, and in newer tools also its name. Saved networks
    have both. A name and an ID are joined if the name has no other ID, and the ID no other name.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        # The IDs of each name, and the names of each ID, with what shows the pair.
        self._ids_of: defaultdict[NetworkName, dict[NetworkID, Fact]] = defaultdict(dict)
        self._names_of: defaultdict[NetworkID, dict[NetworkName, Fact]] = defaultdict(dict)
        self._listed: defaultdict[NetworkName, list[str]] = defaultdict(list)  # apps
        for app, about in knowledge.apps.items():
            for name in filter(None, map(knowledge.network_name, about.listings)):
                self._listed[name].append(app)
            known = about.network
            if known.name is not None and known.network_id is not None:
                fact = fact_of(about.listings[known.name], about.on[known.network_id])
                self._pair(known.name, known.network_id, fact)
        for row in knowledge.allocations:
            clients = knowledge.network_name(row.network_name)
            if clients is not None and row.address not in knowledge.disputed:
                self._pair(clients, row.network_id, fact_of(row))
        for saved in knowledge.saved.values():
            self._pair(saved.name, saved.network_id, saved)
        self._add_contradictions(Rule.NAME_HAS_TWO_IDS, self._ids_of.values())
        self._add_contradictions(Rule.ID_HAS_TWO_NAMES, self._names_of.values())

    def _pair(self, name: NetworkName, network_id: NetworkID, fact: Fact) -> None:
        self._ids_of[name].setdefault(network_id, fact)
        self._names_of[network_id].setdefault(name, fact)

    def _add_contradictions(self, rule: Rule, pairs: Iterable[Mapping[Any, Fact]]) -> None:
        for facts in pairs:
            if len(facts) > 1:
                found = Contradiction(rule, facts=tuple(facts.values()))
                self._knowledge.contradictions.append(found)

    def _broken(self, names: Iterable[NetworkName]) -> tuple[Rule, ...]:
        """Return the rules that documents break about some names."""
        rules = set()
        for name in names:
            ids = self._ids_of.get(name, {})
            if len(ids) > 1:
                rules.add(Rule.NAME_HAS_TWO_IDS)
            for network_id in ids:
                if len(self._names_of[network_id]) > 1:
                    rules.add(Rule.ID_HAS_TWO_NAMES)
        return tuple(sorted(rules))

    def networks(self) -> Iterator[Network]:
        """Yield a row for each network: by name, then those without a name, by ID."""
        knowledge = self._knowledge
        # What shows each ID. What shows more goes last, as the last one stays.
        shown: dict[NetworkID, HolderRow | Fact] = {}
        for network_id, names in self._names_of.items():
            shown[network_id] = next(iter(names.values()))
        for allocation in reversed(knowledge.allocated):
            shown[allocation.network_id] = allocation
        for network_id, machines in knowledge.machines_on.items():
            shown[network_id] = next(iter(machines.values()))
        for name in sorted(self._listed.keys() | self._ids_of.keys()):
            row = self._named(name)
            yield row
            if row.network_id is not None:
                del shown[row.network_id]
        for network_id in sorted(shown):
            fact = shown[network_id]
            if not isinstance(fact, Fact):
                fact = fact_of(fact)
            yield Network(
                name=None,
                network_id=network_id,
                apps=tuple(sorted(knowledge.apps_on.get(network_id, ()))),
                machine_count=self._count_on(network_id),
                fact=fact,
                disputed_by=self._broken(self._names_of.get(network_id, ())),
            )

    def _named(self, name: NetworkName) -> Network:
        listed = self._listed.get(name, [])
        broken = self._broken([name])
        network_id = None
        if not broken:
            network_id = next(iter(self._ids_of.get(name, ())), None)
        apps = set(listed)
        machine_count = None
        if network_id is not None:
            apps |= self._knowledge.apps_on.get(network_id, set())
            machine_count = self._count_on(network_id)
        if machine_count is None and listed and all(map(self._has_none, listed)):
            machine_count = 0
        if listed and network_id is None:
            fact = fact_of(self._knowledge.apps[listed[0]].listings[name])
        else:
            fact = next(iter(self._ids_of[name].values()))
        return Network(
            name=name,
            network_id=network_id,
            apps=tuple(sorted(apps)),
            machine_count=machine_count,
            fact=fact,
            disputed_by=broken,
        )

    def _count_on(self, network_id: NetworkID) -> int | None:
        return len(self._knowledge.machines_on.get(network_id, ())) or None

    def _has_none(self, app: str) -> bool:
        """Whether the Machine list of an app is complete, and has no Machine."""
        facts = self._knowledge.apps[app]
        return facts.has_machine_list and not facts.rows


def compare(first: KnownNetwork | Network, second: KnownNetwork | Network) -> bool | None:
    """Return whether two networks are one, by their IDs, else by their names; None if not known.

    The ID is in the address itself (specification, 2.3), whatever name documents have for it.
    """
    if first.network_id is not None and second.network_id is not None:
        return first.network_id == second.network_id
    if first.name is not None and second.name is not None:
        return first.name == second.name
    return None


def completed(known: KnownNetwork, row: Network | None) -> KnownNetwork:
    """Return a network with the name or the ID that a row joins to the other one."""
    if row is None:
        return known
    network_id = known.network_id
    if network_id is None:
        network_id = row.network_id
    return KnownNetwork(name=known.name or row.name, network_id=network_id)


def _has_all_apps(documents: list[Document]) -> bool:
    """Return whether an app list has apps, and each app list has all of its rows."""
    has_apps = False
    for document in documents:
        if document.kind is DocumentKind.APP_LIST and document.is_list:
            if not document.is_whole:
                return False
            has_apps = has_apps or bool(document.apps)
    return has_apps


def _by_app(rows: Iterable[HolderRow]) -> dict[str, HolderRow]:
    """Return the first row of each app; a row may name none."""
    found: dict[str, HolderRow] = {}
    for row in rows:
        if row.app is not None:
            found.setdefault(row.app, row)
    return found


def fact_of(*rows: ListedApp | HolderRow) -> Fact:
    """Return the fact that rows give together: an app's row in a list and a Machine of it."""
    name = network_id = app = address = None
    for row in rows:
        if not isinstance(row, ListedMachine):
            name = row.network_name
        if isinstance(row, ListedApp):
            app = row.name
        else:
            app = row.app
            network_id = row.network_id
            address = row.address
    origins = tuple(row.origin for row in rows)
    return Fact(name=name, network_id=network_id, app=app, address=address, origins=origins)
