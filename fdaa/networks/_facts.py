"""The facts in all documents, by app, Machine and address, and where they contradict each other.

Only what is disputed is unused; docs/rules-networks.md has, for each rule, what that is. Names and
IDs are joined later, in `_join`.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from fdaa._errors import NetworkNameError
from fdaa._network_name import NetworkName
from fdaa.networks._assumptions import DOCUMENT_SHAPES, Assumed, fewer
from fdaa.networks._model import (
    Contradiction,
    CrossNetworkAddress,
    DocumentKind,
    Fact,
    ListedApp,
    ListedMachine,
    Rule,
    is_started,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Address, IPv6Address

    from fdaa._address import Address, NetworkID
    from fdaa.networks._model import Document, Unused

HolderRow: TypeAlias = ListedMachine | CrossNetworkAddress  # shows who has an address


@dataclass(slots=True)
class AppFacts:
    """The facts about one app; of equal ones, the first."""

    # In an app list, or by a status document with its network.
    is_listed: bool = False
    # Network as written -> row.
    listings: dict[str, ListedApp] = field(default_factory=dict)
    # Network as written -> the assumptions that this name rests on.
    listed_by: dict[str, Assumed] = field(default_factory=dict)
    # Of its Machines, according to app lists -> the assumptions that this number rests on.
    counts: dict[int, Assumed] = field(default_factory=dict)
    # Identifiers of its Machines in Machine lists, with or without an address.
    machines: dict[str, None] = field(default_factory=dict)
    # A Machine list has all of its Machines.
    has_machine_list: bool = False
    # An address list has all of its cross-network addresses.
    has_address_list: bool = False
    # Machines without an address.
    unaddressed: list[str] = field(default_factory=list)
    # Network ID -> a Machine whose address is used.
    machine_on: dict[NetworkID, ListedMachine] = field(default_factory=dict)
    allocated: list[CrossNetworkAddress] = field(default_factory=list)
    # Addresses, in their order.
    public: dict[IPv4Address | IPv6Address, None] = field(default_factory=dict)
    # The rules that facts about it break.
    doubts: list[Rule] = field(default_factory=list)
    # Of its network, in the lists.
    name: NetworkName | None = None
    # In the addresses of its Machines.
    network_id: NetworkID | None = None

    @property
    def name_assumed(self) -> Assumed:
        """The assumptions that the name of its network rests on."""
        if self.name is None:
            return ()
        return self.listed_by[self.name]

    @property
    def is_disputed(self) -> bool:
        """Whether documents disagree about its network."""
        return Rule.APP_LISTED_TWICE in self.doubts or Rule.APP_ON_TWO_NETWORKS in self.doubts

    @property
    def has_no_machine(self) -> bool:
        """Whether a Machine list or an app list shows that it has no Machine, and none has one."""
        if self.machines or any(self.counts):
            return False
        return self.has_machine_list or 0 in self.counts


_NOTHING = AppFacts()


class Facts:
    """The facts in documents.

    Attributes:
        apps: the facts about each app that a document names; `app` also accepts other apps.
        machines: the rows of each Machine, by its identifier.
        holders: the rows that show the holder of each address.
        machines_on: the Machine at each address of a network, by its ID.
        apps_on: the apps that a document puts on a network by the address of a Machine, by its ID.
        listed: the apps that are listed on a network, by its name.
        all_apps_listed: whether an app list has apps, and no app list lacks one.
        all_allocations_listed: whether all apps are listed, and the address list of each is given.
        disputed: the rule that the rows about an address break, by address.
        unused_addresses: the disputed addresses that show nothing about an app's network.
        allocations: all rows with a cross-network address.
        allocated: the cross-network addresses, each once per app.
        contradictions, unused, left_out: as `NetworkMap` has them.
    """

    def __init__(self, documents: list[Document]) -> None:
        self.apps: defaultdict[str, AppFacts] = defaultdict(AppFacts)
        self.machines: dict[str, list[ListedMachine]] = {}
        self.holders: defaultdict[Address, list[HolderRow]] = defaultdict(list)
        self.machines_on: defaultdict[NetworkID, dict[Address, ListedMachine]] = defaultdict(dict)
        self.apps_on: defaultdict[NetworkID, dict[str, None]] = defaultdict(dict)
        self.listed: dict[NetworkName, list[str]] = {}
        self.disputed: dict[Address, Rule] = {}
        self.unused_addresses: set[Address] = set()
        self.allocations: list[CrossNetworkAddress] = []
        self.allocated: list[CrossNetworkAddress] = []
        self.contradictions: list[Contradiction] = []
        self.unused: list[Unused] = []
        self.left_out = 0
        self._names: dict[str, NetworkName | None] = {}  # as written -> None if not a name
        for document in documents:
            self._add(document)
        self._add_allocations()
        self.all_apps_listed = _has_all_apps(documents)
        self._compare_holders()
        self._compare_apps_of_machines()
        self._leave_out_unused()
        self._settle_apps()
        self.all_allocations_listed = self.all_apps_listed and not self.without_address_list()

    def app(self, name: str | None) -> AppFacts:
        """Return the facts about an app; none where no document names it."""
        if name is None:
            return _NOTHING
        return self.apps.get(name, _NOTHING)

    def without_address_list(self) -> tuple[str, ...]:
        """Return the apps whose address lists are not given, sorted."""
        return tuple(sorted(app for app in self.apps if not self.apps[app].has_address_list))

    def has_all_addresses(self, app: str) -> bool:
        """Whether a document lists all Machines of an app, each with an address."""
        facts = self.app(app)
        if not facts.has_machine_list:
            return False
        return all(self._has_address(machine_id, app) for machine_id in facts.unaddressed)

    def _has_address(self, machine_id: str, app: str) -> bool:
        """Whether a document that does not put a Machine into another app has its address."""
        for row in self.machines[machine_id]:
            if row.address is not None and row.app in (app, None):
                return True
        return False

    def state_of(self, machine_id: str) -> str | None:
        """Return the state of a Machine; None where no document has it, or documents differ."""
        states = {row.state for row in self.machines.get(machine_id, ())}
        states.discard(None)
        if len(states) != 1:
            return None
        return states.pop()

    def states_without_started(self, app: str) -> tuple[str, ...]:
        """Return the states of all Machines of an app if none is started, sorted; else nothing."""
        facts = self.app(app)
        if not facts.has_machine_list or any(count > len(facts.machines) for count in facts.counts):
            return ()  # it may have other Machines
        states: set[str] = set()
        for machine_id in facts.machines:
            state = self.state_of(machine_id)
            if state is None or is_started(state):
                return ()
            states.add(state)
        return tuple(sorted(states))

    def may_be_allocated(self, address: Address) -> bool:
        """Whether documents disagree about who has an address, and one shows an allocation."""
        if address not in self.disputed:
            return False
        return _is_allocated(self.holders[address])

    def is_allocated(self, address: Address | None) -> bool:
        """Whether a document lists an address as a cross-network address."""
        if address is None:
            return False
        return _is_allocated(self.holders.get(address, []))

    def network_name(self, text: str | None) -> NetworkName | None:
        """Return the network name in a document, or None where there is none that can be used."""
        if text is None:
            return None
        if text not in self._names:
            self._names[text] = None
            with suppress(NetworkNameError):  # its document reports it
                self._names[text] = NetworkName(text)
        return self._names[text]

    # --- the rows ---------------------------------------------------------------------------------

    def _add(self, document: Document) -> None:
        self.unused += document.unused
        self.left_out += document.left_out
        if document.app is not None:
            facts = self.apps[document.app]
            facts.public.update(dict.fromkeys(document.public))
            if document.kind is DocumentKind.MACHINE_LIST and document.is_whole:
                facts.has_machine_list = True
            if document.kind is DocumentKind.ADDRESS_LIST and document.is_whole:
                facts.has_address_list = True
        for app in document.apps:
            self._add_listing(app)
        for machine in document.machines:
            self._add_machine(machine)
        self.allocations += document.allocated

    def _add_listing(self, app: ListedApp) -> None:
        facts = self.apps[app.name]
        facts.is_listed = True
        network = app.network_name
        count = app.machine_count
        if network is not None:
            facts.listings.setdefault(network, app)
            known = facts.listed_by.get(network, app.assumed)
            facts.listed_by[network] = fewer(known, app.assumed)
        if count is not None:
            shape = tuple(name for name in app.assumed if name == DOCUMENT_SHAPES)
            facts.counts[count] = fewer(facts.counts.get(count, shape), shape)

    def _add_machine(self, machine: ListedMachine) -> None:
        app = machine.app
        address = machine.address
        self.machines.setdefault(machine.id, []).append(machine)
        if app is not None:
            self.apps[app].machines[machine.id] = None
            if address is None:
                self.apps[app].unaddressed.append(machine.id)
        if address is None:
            return
        network_id = address.network_id
        self.machines_on[network_id].setdefault(address, machine)
        self.holders[address].append(machine)
        if app is not None:
            self._add_network_of(machine)
            self.apps_on[network_id][app] = None

    def _add_allocations(self) -> None:
        """Add each address once for an app; without an app, only if no other list has it."""
        self.allocations.sort(key=lambda row: row.app is None)
        apps_of: defaultdict[Address, set[str | None]] = defaultdict(set)
        for row in self.allocations:
            self.holders[row.address].append(row)
            apps = apps_of[row.address]
            is_known = row.app in apps or (row.app is None and bool(apps))
            apps.add(row.app)
            if is_known:
                continue
            self.allocated.append(row)
            if row.app is not None:
                self.apps[row.app].allocated.append(row)

    # --- where they disagree ----------------------------------------------------------------------

    def _compare_holders(self) -> None:
        for address, rows in self.holders.items():
            if len(rows) == 1:
                continue
            by_app: dict[str, HolderRow] = {}
            by_holder: dict[str | None, HolderRow] = {}  # an allocation under None
            for row in rows:
                holder = row.id if isinstance(row, ListedMachine) else None
                by_holder.setdefault(holder, row)
                if row.app is not None:
                    by_app.setdefault(row.app, row)
            if len(by_app) > 1:
                self._dispute(address, Rule.ADDRESS_OF_TWO_APPS, by_app.values())
                self.unused_addresses.add(address)
            elif len(by_holder) > 1:
                self._dispute(address, Rule.ADDRESS_HELD_TWICE, by_holder.values())
                if _is_allocated(rows):
                    self.unused_addresses.add(address)

    def _compare_apps_of_machines(self) -> None:
        for rows in self.machines.values():
            if len(rows) == 1:
                continue
            by_app: dict[str, HolderRow] = {}
            for row in rows:
                if row.app is not None:
                    by_app.setdefault(row.app, row)
            if len(by_app) > 1:
                self._contradict(Rule.MACHINE_OF_TWO_APPS, by_app.values())
                for app in by_app:
                    self.apps[app].doubts.append(Rule.MACHINE_OF_TWO_APPS)

    def _dispute(self, address: Address, rule: Rule, rows: Iterable[HolderRow]) -> None:
        self.disputed[address] = rule
        self._contradict(rule, rows)
        for row in self.holders[address]:
            if isinstance(row, ListedMachine) and row.app is not None:
                self.apps[row.app].doubts.append(rule)

    def _leave_out_unused(self) -> None:
        """Leave unused addresses out of what shows the network of their apps."""
        affected: set[str] = set()
        for address in self.unused_addresses:
            for holder in self.holders[address]:
                if holder.app is not None:
                    affected.add(holder.app)
        for app in affected:
            self.apps[app].machine_on = {}
        if not affected:
            return
        for rows in self.machines.values():
            for row in rows:
                is_used = row.address is not None and row.address not in self.unused_addresses
                if row.app in affected and is_used:
                    self._add_network_of(row)

    def _add_network_of(self, machine: ListedMachine) -> None:
        """Keep the first Machine of an app that has an address on a network."""
        if machine.app is not None and machine.network_id is not None:
            self.apps[machine.app].machine_on.setdefault(machine.network_id, machine)

    def _settle_apps(self) -> None:
        """Find the name and the ID of each app's network, unless documents disagree about it."""
        for app, facts in self.apps.items():
            names = []
            for text in facts.listings:
                name = self.network_name(text)
                names.append(name)
                if name is not None:
                    self.listed.setdefault(name, []).append(app)
            if len(facts.listings) > 1:
                facts.doubts.append(Rule.APP_LISTED_TWICE)
                self._contradict(Rule.APP_LISTED_TWICE, facts.listings.values())
            if len(facts.machine_on) > 1:
                facts.doubts.append(Rule.APP_ON_TWO_NETWORKS)
                self._contradict(Rule.APP_ON_TWO_NETWORKS, facts.machine_on.values())
            if not facts.is_disputed:
                facts.name = next(iter(names), None)
                facts.network_id = next(iter(facts.machine_on), None)

    def _contradict(self, rule: Rule, rows: Iterable[ListedApp | HolderRow]) -> None:
        facts = tuple(map(fact_of, rows))
        self.contradictions.append(Contradiction(rule, facts=facts))


def _is_allocated(rows: list[HolderRow]) -> bool:
    return any(isinstance(row, CrossNetworkAddress) for row in rows)


def _has_all_apps(documents: list[Document]) -> bool:
    """Return whether an app list has apps, and each app list has all of its rows."""
    has_apps = False
    for document in documents:
        if document.kind is not DocumentKind.APP_LIST or not document.is_list:
            continue
        if not document.is_whole:
            return False
        has_apps = has_apps or bool(document.apps)
    return has_apps


def fact_of(*rows: ListedApp | HolderRow) -> Fact:
    """Return the fact that rows give together: an app's row in a list and a Machine of it."""
    name = None
    network_id = None
    app = None
    address = None
    origins = []
    for row in rows:
        origins.append(row.origin)
        if not isinstance(row, ListedMachine):
            name = row.network_name
        if isinstance(row, ListedApp):
            app = row.name
            continue
        app = row.app
        network_id = row.network_id
        address = None
        if row.address is not None:
            address = row.address
    return Fact(name=name, network_id=network_id, app=app, address=address, origins=tuple(origins))
