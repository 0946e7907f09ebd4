"""The facts in all documents, by app, by Machine and by address; and where they disagree.

Nothing is joined here. An app that documents disagree about is doubtful: nothing follows from it.
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
    from collections.abc import Collection, Iterable

    from fdaa.address import Address, NetworkID
    from fdaa.networks._model import Document

HolderRow: TypeAlias = Machine | AllocatedAddress  # shows who has an address


@dataclass(slots=True)
class AppFacts:
    """The facts about one app; of equal ones, the first."""

    rows: dict[str, App] = field(default_factory=dict)  # network -> row of an app list
    machine_on: dict[NetworkID, Machine] = field(default_factory=dict)
    has_machine_list: bool = False  # with all of its Machines
    # Few apps have one of these; a list for each app would slow the garbage collector.
    unaddressed: Collection[str] = ()  # Machines without an address
    allocated: Collection[AllocatedAddress] = ()
    public: Collection[str] = ()
    doubts: Collection[Rule] = ()  # the rules that it breaks

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

    `contradictions`, `problems`, `left_out` and `allocated` are as `NetworkMap` has them.
    """

    def __init__(self, documents: list[Document]) -> None:
        self._apps: defaultdict[str, AppFacts] = defaultdict(AppFacts)
        self.machines: dict[str, list[Machine]] = {}  # by identifier, each row
        self.holders: dict[Address, list[HolderRow]] = {}
        self.machines_on: dict[NetworkID, dict[Address, Machine]] = {}  # the first at each address
        self.listed: dict[NetworkName, list[str]] = {}  # network -> its apps
        self.all_apps_listed = False  # with their networks; no page or row of a list is missing
        self.disputed: dict[Address, Rule] = {}
        self.allocated: list[AllocatedAddress] = []
        self.contradictions: list[Contradiction] = []
        self.problems: list[Problem] = []
        self.left_out = 0
        self._take_in(documents)
        self._compare_apps()
        self._compare_holders()
        self._check_names()

    @property
    def app_names(self) -> Collection[str]:
        """The apps that a document names."""
        return self._apps.keys()

    def app(self, name: str) -> AppFacts:
        """Return the facts about an app; none where no document lists it."""
        return self._apps.get(name, _NOTHING)

    def has_all_addresses(self, app: str) -> bool:
        """Whether a document lists all Machines of an app, each with an address."""
        known = self.app(app)
        return known.has_machine_list and all(
            any(row.address is not None for row in self.machines[id_]) for id_ in known.unaddressed
        )

    # --- taking documents in ----------------------------------------------------------------------

    def _take_in(self, documents: list[Document]) -> None:
        whole = _whole_lists(documents)
        public: dict[str, dict[str, None]] = {}  # app -> addresses, in their order
        unaddressed: dict[str, list[str]] = {}
        lists = [document for document in documents if _has_networks(document)]
        self.all_apps_listed = bool(lists) and all(
            not document.left_out and (not document.is_page or document.total in whole)
            for document in lists
        )
        for document in documents:
            # The last problem of a page says that others are missing; here it is known if they are.
            is_whole = document.is_page and document.total in whole
            self.problems += document.problems[: -1 if is_whole else None]
            self.left_out += document.left_out
            if document.app is not None:
                known = self._apps[document.app]
                if document.public:
                    public.setdefault(document.app, {}).update(dict.fromkeys(document.public))
                if document.kind in _MACHINE_LISTS and document.is_list and not document.left_out:
                    known.has_machine_list = True
            for app in document.apps:
                rows = self._apps[app.name].rows
                if app.network is not None:
                    rows.setdefault(app.network, app)
            for machine in document.machines:
                self._take_machine(machine, unaddressed)
            for allocated in document.allocated:
                self.holders.setdefault(allocated.address, []).append(allocated)
        self._take_allocated(documents)
        for name, addresses in public.items():
            self._apps[name].public = addresses
        for name, ids in unaddressed.items():
            self._apps[name].unaddressed = ids

    def _take_machine(self, machine: Machine, unaddressed: dict[str, list[str]]) -> None:
        address = machine.address
        known = None if machine.app is None else self._apps[machine.app]
        self.machines.setdefault(machine.id, []).append(machine)
        if address is not None:
            network_id = address.network_id
            self.machines_on.setdefault(network_id, {}).setdefault(address, machine)
            self.holders.setdefault(address, []).append(machine)
            if known is not None:
                known.machine_on.setdefault(network_id, machine)
        elif machine.app is not None:
            unaddressed.setdefault(machine.app, []).append(machine.id)

    def _take_allocated(self, documents: list[Document]) -> None:
        """Keep each allocation once; drop one without an app if another row has the app."""
        allocated = [row for document in documents for row in document.allocated]
        with_app = {row.address for row in allocated if row.app is not None}
        once: dict[tuple[Address, str | None], AllocatedAddress] = {}
        for row in allocated:
            if row.app is not None or row.address not in with_app:
                once.setdefault((row.address, row.app), row)
        self.allocated = list(once.values())
        of_app: dict[str, list[AllocatedAddress]] = {}
        for row in self.allocated:
            if row.app is not None:
                of_app.setdefault(row.app, []).append(row)
        for app, rows in of_app.items():
            self._apps[app].allocated = rows

    # --- where they disagree ----------------------------------------------------------------------

    def _compare_apps(self) -> None:
        for rule in (Rule.APP_LISTED_TWICE, Rule.APP_ON_TWO_NETWORKS):
            for app, known in self._apps.items():
                listed = rule is Rule.APP_LISTED_TWICE
                if len(rows := known.rows if listed else known.machine_on) > 1:
                    self._contradict(rule, rows.values(), app)

    def _compare_holders(self) -> None:
        for address, holders in self.holders.items():
            if len(holders) > 1 and (dispute := _dispute(holders)):
                rule, rows = dispute
                self.disputed[address] = rule
                apps = (row.app for row in holders if isinstance(row, Machine))
                self._contradict(rule, rows, *filter(None, apps))

    def _check_names(self) -> None:
        listed: dict[str, list[App]] = {}
        for known in self._apps.values():
            for network, row in known.rows.items():
                listed.setdefault(network, []).append(row)
        for network, rows in listed.items():
            apps = [row.name for row in rows]
            try:
                self.listed[NetworkName.parse(network)] = apps
            except NetworkNameError:
                self._contradict(Rule.NAME_BREAKS_RULES, rows, *apps)

    def _contradict(self, rule: Rule, rows: Iterable[App | HolderRow], *apps: str) -> None:
        """Keep rows that cannot all be true, and the apps of which nothing follows."""
        self.contradictions.append(Contradiction(rule, tuple(map(fact_of, rows))))
        for app in apps:
            self._apps[app].doubts = {*self._apps[app].doubts, rule}


_MACHINE_LISTS = (DocumentKind.MACHINE_LIST, DocumentKind.STATUS)


def fact_of(*rows: App | HolderRow) -> Fact:
    """Return the fact that rows give together: an app's row in a list and a Machine of it."""
    name = network_id = app = address = None
    for row in rows:
        if isinstance(row, App):
            name, app = row.network, row.name
            continue
        app, network_id = row.app, row.network_id
        address = None if row.address is None else str(row.address)
        if isinstance(row, AllocatedAddress):
            name = row.network
    return Fact(name, network_id, app, address, tuple(row.origin for row in rows))


def _dispute(holders: list[HolderRow]) -> tuple[Rule, Iterable[HolderRow]] | None:
    """Return the rule that rows about one address break, if they cannot all be true."""
    by_app: dict[str, HolderRow] = {}
    by_holder: dict[str | None, HolderRow] = {}  # an allocation under None
    for row in holders:
        if row.app is not None:
            by_app.setdefault(row.app, row)
        by_holder.setdefault(row.id if isinstance(row, Machine) else None, row)
    if len(by_app) > 1:
        return Rule.ADDRESS_OF_TWO_APPS, by_app.values()
    if len(by_holder) > 1:
        return Rule.ADDRESS_HELD_TWICE, by_holder.values()
    return None


def _has_networks(document: Document) -> bool:
    """Return whether a document is a list of apps with their networks."""
    is_list = document.kind is DocumentKind.APP_LIST and document.is_list
    return is_list and any(app.network is not None for app in document.apps)


def _whole_lists(documents: list[Document]) -> set[int | None]:
    """Return the totals of app lists, each in pages, that are there with all their pages."""
    whole: set[int | None] = set()
    for total in {document.total for document in documents if document.is_page}:
        pages = [document for document in documents if document.is_page and document.total == total]
        names = {app.name for document in pages for app in document.apps}
        if len(names) + sum(document.left_out for document in pages) == total:
            whole.add(total)
    return whole
