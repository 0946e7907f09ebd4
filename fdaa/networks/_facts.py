"""The facts in all documents, by app, Machine and address, and their contradictions.

Nothing is joined here. No conclusions are drawn from an app on which documents disagree.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from fdaa.errors import NetworkNameError
from fdaa.network_name import NetworkName
from fdaa.networks._model import (
    AllocatedAddress,
    App,
    Contradiction,
    DocumentKind,
    Fact,
    Machine,
    Problem,
    Rule,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fdaa.address import Address, NetworkID
    from fdaa.networks._model import Document

HolderRow: TypeAlias = Machine | AllocatedAddress  # shows who has an address


@dataclass(slots=True)
class AppFacts:
    """The facts about one app; of equal ones, the first."""

    rows: dict[str, App] = field(default_factory=dict)  # network -> row of an app list
    machine_on: dict[NetworkID, Machine] = field(default_factory=dict)
    has_machine_list: bool = False  # with all of its Machines
    unaddressed: list[str] = field(default_factory=list)  # Machines without an address
    allocated: list[AllocatedAddress] = field(default_factory=list)
    public: dict[str, None] = field(default_factory=dict)  # addresses, in their order
    doubts: list[Rule] = field(default_factory=list)  # the rules that it breaks

    @property
    def network_id(self) -> NetworkID | None:
        """The ID in the addresses of its Machines, or None where that is not certain."""
        return None if self.doubts else next(iter(self.machine_on), None)

    @property
    def has_no_machine(self) -> bool:
        """Whether its Machine list, or an app list, shows that it has no Machine."""
        if self.machine_on or self.unaddressed:
            return False
        return self.has_machine_list or any(row.machine_count == 0 for row in self.rows.values())


_NOTHING = AppFacts()


class Facts:
    """The facts in documents.

    Attributes:
        apps: the facts about each app that a document names; `app` also accepts other apps.
        machines: the rows of each Machine, by its identifier.
        holders: the rows that show the holder of each address.
        machines_on: the Machine at each address of a network, by its ID.
        apps_on: the apps that have a Machine on a network, by its ID.
        listed: the apps that are listed on a network, by its name.
        all_apps_listed: whether app lists have all apps, with their networks.
        disputed: the rule that the rows about an address break, by address.
        contradictions, problems, left_out, allocated: as `NetworkMap` has them.
    """

    def __init__(self, documents: list[Document]) -> None:
        self.apps: defaultdict[str, AppFacts] = defaultdict(AppFacts)
        self.machines: defaultdict[str, list[Machine]] = defaultdict(list)
        self.holders: defaultdict[Address, list[HolderRow]] = defaultdict(list)
        self.machines_on: defaultdict[NetworkID, dict[Address, Machine]] = defaultdict(dict)
        self.apps_on: defaultdict[NetworkID, list[str]] = defaultdict(list)
        self.listed: dict[NetworkName, list[str]] = {}
        self.disputed: dict[Address, Rule] = {}
        self.allocated: list[AllocatedAddress] = []
        self.contradictions: list[Contradiction] = []
        self.problems: list[Problem] = []
        self.left_out = 0
        for document in documents:
            self._add(document)
        allocated = [row for document in documents for row in document.allocated]
        for row in sorted(allocated, key=lambda row: row.app is None):
            self._add_allocated(row)
        lists = [document for document in documents if _has_networks(document)]
        self.all_apps_listed = bool(lists) and all(document.is_whole for document in lists)
        self._compare_apps()
        self._compare_holders()
        self._check_names()

    def app(self, name: str | None) -> AppFacts:
        """Return the facts about an app; none where no document lists it."""
        return _NOTHING if name is None else self.apps.get(name, _NOTHING)

    def has_all_addresses(self, app: str) -> bool:
        """Whether a document lists all Machines of an app, each with an address."""
        facts = self.app(app)
        return facts.has_machine_list and all(
            any(row.address is not None for row in self.machines[id_]) for id_ in facts.unaddressed
        )

    def may_be_allocated(self, address: Address) -> bool:
        """Whether documents disagree about who has an address, and one shows an allocation."""
        holders = self.holders[address] if address in self.disputed else ()
        return any(isinstance(row, AllocatedAddress) for row in holders)

    def _add(self, document: Document) -> None:
        self.problems += document.problems
        self.left_out += document.left_out
        if document.app is not None:
            facts = self.apps[document.app]
            facts.public.update(dict.fromkeys(document.public))
            if document.kind is DocumentKind.MACHINE_LIST and document.is_whole:
                facts.has_machine_list = True
        for app in document.apps:
            rows = self.apps[app.name].rows
            if app.network is not None:
                rows.setdefault(app.network, app)
        for machine in document.machines:
            self._add_machine(machine)

    def _add_allocated(self, allocated: AllocatedAddress) -> None:
        """Add an address once for an app; without an app, only if no other list has it."""
        holders = self.holders[allocated.address]
        if all(isinstance(row, Machine) or allocated.app not in (row.app, None) for row in holders):
            self.allocated.append(allocated)
            if allocated.app is not None:
                self.apps[allocated.app].allocated.append(allocated)
        holders.append(allocated)

    def _add_machine(self, machine: Machine) -> None:
        address = machine.address
        facts = None if machine.app is None else self.apps[machine.app]
        self.machines[machine.id].append(machine)
        if address is not None:
            network_id = address.network_id
            self.machines_on[network_id].setdefault(address, machine)
            self.holders[address].append(machine)
            if facts is not None and network_id not in facts.machine_on:
                facts.machine_on[network_id] = machine
                self.apps_on[network_id].append(str(machine.app))
        elif facts is not None:
            facts.unaddressed.append(machine.id)

    # --- where they disagree ----------------------------------------------------------------------

    def _compare_apps(self) -> None:
        for app, facts in self.apps.items():
            if len(facts.rows) > 1:
                self._contradict(Rule.APP_LISTED_TWICE, facts.rows.values(), [app])
            if len(facts.machine_on) > 1:
                self._contradict(Rule.APP_ON_TWO_NETWORKS, facts.machine_on.values(), [app])

    def _compare_holders(self) -> None:
        for address, rows in self.holders.items():
            if len(rows) == 1:
                continue
            by_app: dict[str, HolderRow] = {}
            by_holder: dict[str | None, HolderRow] = {}  # an allocation under None
            for row in rows:
                if row.app is not None:
                    by_app.setdefault(row.app, row)
                by_holder.setdefault(row.id if isinstance(row, Machine) else None, row)
            apps = [row.app for row in rows if isinstance(row, Machine) and row.app is not None]
            if len(by_app) > 1:
                self.disputed[address] = Rule.ADDRESS_OF_TWO_APPS
                self._contradict(Rule.ADDRESS_OF_TWO_APPS, by_app.values(), apps)
            elif len(by_holder) > 1:
                self.disputed[address] = Rule.ADDRESS_HELD_TWICE
                self._contradict(Rule.ADDRESS_HELD_TWICE, by_holder.values(), apps)

    def _check_names(self) -> None:
        listed: defaultdict[str, list[App]] = defaultdict(list)
        for facts in self.apps.values():
            for network, row in facts.rows.items():
                listed[network].append(row)
        for network, rows in listed.items():
            apps = [row.name for row in rows]
            try:
                self.listed[NetworkName(network)] = apps
            except NetworkNameError:
                self._contradict(Rule.NAME_BREAKS_RULES, rows, apps)

    def _contradict(self, rule: Rule, rows: Iterable[App | HolderRow], apps: list[str]) -> None:
        """Keep contradictory rows, and the apps from which nothing follows."""
        self.contradictions.append(Contradiction(rule, tuple(map(fact_of, rows))))
        for app in apps:
            self.apps[app].doubts.append(rule)


def _has_networks(document: Document) -> bool:
    """Return whether a document is a list of apps with their networks."""
    is_list = document.kind is DocumentKind.APP_LIST and document.is_list
    return is_list and any(app.network is not None for app in document.apps)


def fact_of(*rows: App | HolderRow) -> Fact:
    """Return the fact that rows give together: an app's row in a list and a Machine of it."""
    name = network_id = app = address = None
    for row in rows:
        app = row.name if isinstance(row, App) else row.app
        if not isinstance(row, Machine):
            name = row.network
        if not isinstance(row, App):
            network_id = row.network_id
            address = None if row.address is None else str(row.address)
    return Fact(name, network_id, app, address, tuple(row.origin for row in rows))
