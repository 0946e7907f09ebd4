"""The facts in all documents, by app, Machine and address: what they say, and nothing is judged.

`_disputes` has where they contradict each other. Names and IDs are joined later, in `_join`.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from fdaa._values.errors import NetworkNameError
from fdaa._values.network_name import NetworkName
from fdaa.networks._assumptions import DOCUMENT_SHAPES, Assumed, fewer
from fdaa.networks._model import (
    CrossNetworkAddress,
    DocumentKind,
    Fact,
    ListedApp,
    ListedMachine,
    is_started,
)

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

    from fdaa._values.address import Address, NetworkID
    from fdaa.networks._model import Document, Unused

HolderRow: TypeAlias = ListedMachine | CrossNetworkAddress  # shows who has an address


class AppFacts:
    """The facts about one app; of equal ones, the first.

    Attributes:
        is_listed: whether it is in an app list, or in a status document with its network.
        listings: its row in a list, by its network as written.
        listed_by: the assumptions that the name of its network rests on, by the name as written.
        counts: the numbers of its Machines in app lists, with the assumptions that each rests on.
        machines: the identifiers of its Machines in Machine lists, with or without an address.
        addressed: the rows of its Machines that have an address.
        unaddressed: the identifiers in rows without an address.
        has_machine_list: whether a Machine list has all of its Machines.
        has_address_list: whether an address list has all of its cross-network addresses.
        allocated: its cross-network addresses.
        public: its public addresses, in their order.
    """

    def __init__(self) -> None:
        self.is_listed = False
        self.listings: dict[str, ListedApp] = {}
        self.listed_by: dict[str, Assumed] = {}
        self.counts: dict[int, Assumed] = {}
        self.machines: dict[str, None] = {}
        self.addressed: list[ListedMachine] = []
        self.unaddressed: list[str] = []
        self.has_machine_list = False
        self.has_address_list = False
        self.allocated: list[CrossNetworkAddress] = []
        self.public: dict[IPv4Address | IPv6Address, None] = {}

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
        listed: the apps that are listed on a network, by its name.
        all_apps_listed: whether an app list has apps, and no app list lacks one.
        machines: the rows of each Machine, by its identifier.
        machines_on: the Machine at each address of a network, by its ID.
        apps_on: the apps that a document puts on a network by the address of a Machine, by its ID.
        holders: the rows that show the holder of each address.
        allocations: all rows with a cross-network address.
        allocated: the cross-network addresses, each once per app.
        unused, left_out: as `NetworkMap` has them.
    """

    def __init__(self, documents: list[Document]) -> None:
        self.apps: defaultdict[str, AppFacts] = defaultdict(AppFacts)
        self.listed: dict[NetworkName, list[str]] = {}
        self.all_apps_listed = _has_all_apps(documents)
        self.machines: dict[str, list[ListedMachine]] = {}
        self.machines_on: defaultdict[NetworkID, dict[Address, ListedMachine]] = defaultdict(dict)
        self.apps_on: defaultdict[NetworkID, dict[str, None]] = defaultdict(dict)
        self.holders: defaultdict[Address, list[HolderRow]] = defaultdict(list)
        self.allocations: list[CrossNetworkAddress] = []
        self.allocated: list[CrossNetworkAddress] = []
        self.unused: list[Unused] = []
        self.left_out = 0
        self._names: dict[str, NetworkName | None] = {}  # as written -> None if not a name
        for document in documents:
            self._add(document)
        self._add_allocations()
        for app, facts in self.apps.items():
            for text in facts.listings:
                name = self.network_name(text)
                if name is not None:
                    self.listed.setdefault(name, []).append(app)

    def app(self, name: str | None) -> AppFacts:
        """Return the facts about an app; none where no document names it."""
        if name is None:
            return _NOTHING
        return self.apps.get(name, _NOTHING)

    @property
    def all_allocations_listed(self) -> bool:
        """Whether all apps are listed, and the address list of each is given."""
        return self.all_apps_listed and not self.without_address_list()

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

    def is_allocated(self, address: Address | None) -> bool:
        """Whether a document lists an address as a cross-network address."""
        if address is None:
            return False
        return any(isinstance(row, CrossNetworkAddress) for row in self.holders.get(address, ()))

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
            else:
                self.apps[app].addressed.append(machine)
        if address is None:
            return
        network_id = address.network_id
        self.machines_on[network_id].setdefault(address, machine)
        self.holders[address].append(machine)
        if app is not None:
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
        address = row.address
    return Fact(name=name, network_id=network_id, app=app, address=address, origins=tuple(origins))
