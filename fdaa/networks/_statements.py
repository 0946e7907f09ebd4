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

AddressRecord: TypeAlias = Machine | AllocatedAddress  # says who has an address


class Statements:
    """What documents state; where several state the same, the first that does.

    `contradictions`, `problems`, `left_out` and `allocated` are as `NetworkMap` has them.
    """

    def __init__(self, documents: list[Document]) -> None:
        self.listings: dict[str, dict[str, App]] = {}  # app -> network -> row in an app list
        self.listed: dict[NetworkName, list[str]] = {}  # network -> its apps
        self.app_names: set[str] = set()  # the apps that a document names
        self.all_apps_listed = False  # with their networks; no page or row of a list is missing
        self.machines_listed: set[str] = set()  # the apps of which all Machines are listed
        self.places: dict[str, dict[NetworkID, Machine]] = {}  # app -> where its Machines are
        self.machines_on: dict[NetworkID, dict[Address, Machine]] = {}  # the first at each address
        self.addresses_of: dict[str, list[Address]] = {}  # identifier of a Machine -> its addresses
        # Of Machines without an address: app -> their identifiers, and the other way round.
        self.without_address: dict[str | None, set[str]] = {}
        self.apps_of_unaddressed: dict[str, set[str | None]] = {}
        self.at_address: dict[Address, list[AddressRecord]] = {}
        self.disputed: dict[Address, Rule] = {}
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

    # --- taking documents in ----------------------------------------------------------------------

    def _take_in(self, documents: list[Document]) -> None:
        whole = _whole_lists(documents)
        lists = [each for each in documents if _tells_networks(each)]
        self.all_apps_listed = bool(lists) and all(
            not each.left_out and (not each.is_page or each.total in whole) for each in lists
        )
        for document in documents:
            # The last problem of a page says that others are missing; here it is known if they are.
            self.problems += document.problems[
                : -1 if document.is_page and document.total in whole else None
            ]
            self.left_out += document.left_out
            if document.app is not None:
                self.app_names.add(document.app)
                is_other = document.kind in (DocumentKind.ADDRESS_LIST, DocumentKind.APP_LIST)
                if document.is_list and not document.left_out and not is_other:
                    self.machines_listed.add(document.app)
                self.public.setdefault(document.app, {}).update(dict.fromkeys(document.public))
            for app in document.apps:
                self.app_names.add(app.name)
                if app.network is not None:
                    self.listings.setdefault(app.name, {}).setdefault(app.network, app)
            for machine in document.machines:
                self._take_machine(machine)
            for allocated in document.allocated:
                self.at_address.setdefault(allocated.address, []).append(allocated)
        self._take_allocated(documents)

    def _take_machine(self, machine: Machine) -> None:
        app, address = machine.app, machine.address
        if app is not None:
            self.app_names.add(app)
        if address is None:
            self.without_address.setdefault(app, set()).add(machine.id)
            self.apps_of_unaddressed.setdefault(machine.id, set()).add(app)
            return
        network_id = address.network_id
        self.machines_on.setdefault(network_id, {}).setdefault(address, machine)
        self.addresses_of.setdefault(machine.id, []).append(address)
        if app is not None:
            self.places.setdefault(app, {}).setdefault(network_id, machine)
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
        for app, listings in self.listings.items():
            if len(listings) > 1:
                self._contradict(Rule.APP_LISTED_TWICE, listings.values(), app)
        for app, places in self.places.items():
            if len(places) > 1:
                self._contradict(Rule.APP_ON_TWO_NETWORKS, places.values(), app)

    def _compare_holders(self) -> None:
        for address, holders in self.at_address.items():
            if len(holders) > 1 and (dispute := _dispute(holders)):
                rule, records = dispute
                self.disputed[address] = rule
                apps = (each.app for each in holders if isinstance(each, Machine))
                self._contradict(rule, records, *filter(None, apps))

    def _check_names(self) -> None:
        listed: dict[str, list[App]] = {}
        for listings in self.listings.values():
            for network, row in listings.items():
                listed.setdefault(network, []).append(row)
        for network, rows in listed.items():
            apps = [row.name for row in rows]
            try:
                self.listed[NetworkName.parse(network)] = apps
            except NetworkNameError:
                self._contradict(Rule.NAME_BREAKS_RULES, rows, *apps)

    def _contradict(self, rule: Rule, records: Iterable[App | AddressRecord], *apps: str) -> None:
        """Keep records that cannot all be true, and the apps of which nothing follows."""
        self.contradictions.append(Contradiction(rule, tuple(map(evidence_of, records))))
        for app in apps:
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


def _dispute(holders: list[AddressRecord]) -> tuple[Rule, Iterable[AddressRecord]] | None:
    """Return what cannot all be true of those who have one address."""
    by_app: dict[str, AddressRecord] = {}
    by_holder: dict[str | None, AddressRecord] = {}  # an allocation under None
    for each in holders:
        if each.app is not None:
            by_app.setdefault(each.app, each)
        by_holder.setdefault(each.id if isinstance(each, Machine) else None, each)
    if len(by_app) > 1:
        return Rule.ADDRESS_OF_TWO_APPS, by_app.values()
    if len(by_holder) > 1:
        return Rule.ADDRESS_HELD_TWICE, by_holder.values()
    return None


def _tells_networks(document: Document) -> bool:
    """Tell whether a document is a list of apps with their networks."""
    is_list = document.kind is DocumentKind.APP_LIST and document.is_list
    return is_list and any(app.network is not None for app in document.apps)


def _whole_lists(documents: list[Document]) -> set[int | None]:
    """Return the totals of app lists, each a page, that are there with all their pages."""
    whole: set[int | None] = set()
    for total in {document.total for document in documents if document.is_page}:
        pages = [document for document in documents if document.is_page and document.total == total]
        names = {app.name for document in pages for app in document.apps}
        if len(names) + sum(document.left_out for document in pages) == total:
            whole.add(total)
    return whole
