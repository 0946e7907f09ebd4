"""What all documents say together: by app, by Machine, by address; and where they disagree.

Nothing is joined here. An app that documents disagree about is doubtful: nothing follows from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fdaa.errors import NetworkNameError
from fdaa.network_name import NetworkName
from fdaa.networks._model import (
    AllocatedAddress,
    App,
    Contradiction,
    DocumentKind,
    Evidence,
    Machine,
    Problem,
    Rule,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fdaa.address import Address, NetworkID
    from fdaa.networks._model import Document

    Dispute: TypeAlias = tuple[Rule, tuple["AddressRecord", ...]]

AddressRecord: TypeAlias = Machine | AllocatedAddress  # says who has an address


class Statements:
    """What documents state; where several state the same, the first that does.

    `contradictions`, `problems`, `left_out` and `allocated` are as `NetworkMap` has them.
    """

    def __init__(self, documents: list[Document]) -> None:
        self.apps: dict[str, App] = {}  # app -> its row in an app list
        self.listed: dict[str, list[str]] = {}  # network that keeps the name rules -> its apps
        self.names: dict[str, NetworkName] = {}  # the same networks
        self.also_listed: dict[str, dict[str, App]] = {}  # app listed twice -> network -> row
        self.named: set[str] = set()  # the apps that a document names
        self.machines_listed: set[str] = set()  # the apps of which all Machines are listed
        self.places: dict[str, dict[NetworkID, Machine]] = {}  # app -> where its Machines are
        self.first_on: dict[NetworkID, Machine] = {}
        self.counts: dict[NetworkID, int] = {}  # addresses of Machines
        self.machines: dict[str, dict[Address, Machine]] = {}  # identifier -> one for each address
        self.unaddressed: dict[str, set[str | None]] = {}  # identifier -> the apps it is listed for
        self.at_address: dict[Address, list[AddressRecord]] = {}
        self.disputed: dict[Address, Dispute] = {}
        self.allocated: list[AllocatedAddress] = []
        self.public: dict[str, dict[str, None]] = {}  # app -> addresses, in their order
        self.doubts: dict[str, set[Rule]] = {}  # app -> the rules that it breaks
        self.contradictions: list[Contradiction] = []
        self.problems: list[Problem] = []
        self.left_out = 0
        self._take_in(documents)
        self._compare_apps()
        self._compare_holders()
        self._check_names()

    def listing(self, app: str, network: str) -> App:
        """Return the row that lists an app on a network."""
        return self.also_listed.get(app, {}).get(network) or self.apps[app]

    # --- taking documents in ----------------------------------------------------------------------

    def _take_in(self, documents: list[Document]) -> None:
        whole = _whole_lists(documents)
        for document in documents:
            # The problem of a page is the last one; that the other pages are there is known now.
            self.problems += document.problems[: -1 if document.total in whole else None]
            self.left_out += document.left_out
            if document.app is not None:
                self.named.add(document.app)
                if _lists_all_machines(document):
                    self.machines_listed.add(document.app)
                self.public.setdefault(document.app, {}).update(dict.fromkeys(document.public))
            for app in document.apps:
                self._take_app(app)
            for machine in document.machines:
                self._take_machine(machine)
            for allocated in document.allocated:
                self.at_address.setdefault(allocated.address, []).append(allocated)
        self._take_allocated(documents)

    def _take_app(self, app: App) -> None:
        self.named.add(app.name)
        if app.network is None:
            return
        first = self.apps.setdefault(app.name, app)
        if first is app:
            self.listed.setdefault(app.network, []).append(app.name)
        elif first.network is not None and first.network != app.network:
            listings = self.also_listed.setdefault(app.name, {first.network: first})
            if app.network not in listings:
                listings[app.network] = app
                self.listed.setdefault(app.network, []).append(app.name)

    def _take_machine(self, machine: Machine) -> None:
        app, address = machine.app, machine.address
        if app is not None:
            self.named.add(app)
        if address is None:
            self.unaddressed.setdefault(machine.id, set()).add(app)
            return
        network_id = address.network_id
        self.first_on.setdefault(network_id, machine)
        its = self.machines.setdefault(machine.id, {})
        its.setdefault(address, machine)
        if app is not None:
            self.places.setdefault(app, {}).setdefault(network_id, machine)
            its[address] = machine
        self.at_address.setdefault(address, []).append(machine)

    def _take_allocated(self, documents: list[Document]) -> None:
        """Keep each allocation once; drop one without an app if another row has the app."""
        allocated = [each for document in documents for each in document.allocated]
        with_app = {each.address for each in allocated if each.app is not None}
        once: dict[tuple[Address, str | None], AllocatedAddress] = {}
        for each in allocated:
            if each.app is not None or each.address not in with_app:
                once.setdefault((each.address, each.app), each)
        self.allocated = list(once.values())

    # --- where they disagree ----------------------------------------------------------------------

    def _compare_apps(self) -> None:
        for app, listings in self.also_listed.items():
            self._contradict(Rule.APP_LISTED_TWICE, listings.values())
            self._doubt(app, Rule.APP_LISTED_TWICE)
        for app, places in self.places.items():
            if len(places) > 1:
                self._contradict(Rule.APP_ON_TWO_NETWORKS, places.values())
                self._doubt(app, Rule.APP_ON_TWO_NETWORKS)

    def _compare_holders(self) -> None:
        for address, holders in self.at_address.items():
            if any(isinstance(each, Machine) for each in holders):
                network_id = address.network_id
                self.counts[network_id] = self.counts.get(network_id, 0) + 1
            dispute = _dispute(holders) if len(holders) > 1 else None
            if dispute is not None:
                self.disputed[address] = dispute
                self._contradict(*dispute)
                for each in holders:
                    if isinstance(each, Machine) and each.app is not None:
                        self._doubt(each.app, dispute[0])

    def _check_names(self) -> None:
        for name, apps in list(self.listed.items()):
            try:
                self.names[name] = NetworkName.parse(name)
            except NetworkNameError:
                del self.listed[name]
                rows = [self.listing(app, name) for app in apps]
                self._contradict(Rule.NAME_BREAKS_RULES, rows)
                for app in apps:
                    self._doubt(app, Rule.NAME_BREAKS_RULES)

    def _contradict(self, rule: Rule, records: Iterable[App | AddressRecord]) -> None:
        self.contradictions.append(Contradiction(rule, tuple(map(evidence_of, records))))

    def _doubt(self, app: str, rule: Rule) -> None:
        self.doubts.setdefault(app, set()).add(rule)


def evidence_of(*records: App | AddressRecord) -> Evidence:
    """Return what records say together: an app's row in a list and a Machine of it, or one."""
    name = network_id = app = address = None
    for each in records:
        if isinstance(each, App):
            name, app = each.network, each.name
        else:
            app = each.app
            network_id = each.network_id
            address = None if each.address is None else str(each.address)
    return Evidence(name, network_id, app, address, tuple(each.origin for each in records))


def _dispute(holders: list[AddressRecord]) -> Dispute | None:
    """Return what cannot all be true of those who have one address."""
    by_app: dict[str, AddressRecord] = {}
    by_holder: dict[str | None, AddressRecord] = {}  # an allocation under None
    for each in holders:
        if each.app is not None:
            by_app.setdefault(each.app, each)
        by_holder.setdefault(each.id if isinstance(each, Machine) else None, each)
    if len(by_app) > 1:
        return Rule.ADDRESS_OF_TWO_APPS, tuple(by_app.values())
    if len(by_holder) > 1:
        return Rule.ADDRESS_HELD_TWICE, tuple(by_holder.values())
    return None


def _lists_all_machines(document: Document) -> bool:
    """Tell whether a document that is about one app lists all of its Machines."""
    is_other = document.kind in (DocumentKind.ADDRESS_LIST, DocumentKind.APP_LIST)
    return document.is_list and not document.left_out and not is_other


def _whole_lists(documents: list[Document]) -> set[int | None]:
    """Return the totals of app lists, each a page, that are there with all their pages."""
    whole: set[int | None] = set()
    for total in {document.total for document in documents if document.total is not None}:
        pages = [document for document in documents if document.total == total]
        names = {app.name for document in pages for app in document.apps}
        if len(names) + sum(document.left_out for document in pages) == total:
            whole.add(total)
    return whole
