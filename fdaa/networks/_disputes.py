"""Where the facts in documents contradict each other, and what is still used.

All that is not disputed is used; docs/rules-networks.md shows for each rule what is disputed.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fdaa.networks._facts import fact_of
from fdaa.networks._model import Contradiction, ListedMachine, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fdaa._values.address import Address, NetworkID
    from fdaa._values.network_name import NetworkName
    from fdaa.networks._assumptions import Assumed
    from fdaa.networks._facts import AppFacts, Facts, HolderRow
    from fdaa.networks._model import ListedApp


class Disputes:
    """The things that documents disagree about.

    Args:
        facts: the content of the documents.

    Attributes:
        contradictions: the facts that cannot all be true, but those about names and IDs.
        of_address: the rule that the rows about an address break, by address.
        unused_addresses: the addresses that show nothing about an app's network.
        of_app: the rules that the facts about an app break, by app.
        machine_on: app -> network ID -> a Machine of the app whose address shows that ID.
        names: the name of each app's network, unless its network is disputed.
        ids: the ID of each app's network, unless its network is disputed.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.contradictions: list[Contradiction] = []
        self.of_address: dict[Address, Rule] = {}
        self.unused_addresses: set[Address] = set()
        self.of_app: defaultdict[str, list[Rule]] = defaultdict(list)
        self.machine_on: dict[str, dict[NetworkID, ListedMachine]] = {}
        self.names: dict[str, NetworkName] = {}
        self.ids: dict[str, NetworkID] = {}
        for address, rows in facts.holders.items():
            if len(rows) > 1:
                self._compare_holders(address, rows)
        for machines in facts.machines.values():
            if len(machines) > 1:
                self._compare_apps(machines)
        for app, about in facts.apps.items():
            self.machine_on[app] = self._machines_of_networks(about)
            self._compare_networks(app, about)

    def is_about_network(self, app: str) -> bool:
        """Whether documents disagree about the network of an app."""
        rules = self.of_app.get(app, ())
        return Rule.APP_LISTED_TWICE in rules or Rule.APP_ON_TWO_NETWORKS in rules

    def of_allocation(self, address: Address) -> Rule | None:
        """Return the rule that documents break about who has an address, if one allocates it."""
        if not self._facts.is_allocated(address):
            return None
        return self.of_address.get(address)

    def name_assumed(self, app: str) -> Assumed:
        """Return the assumptions that the name of an app's network rests on."""
        name = self.names.get(app)
        if name is None:
            return ()
        return self._facts.app(app).listed_by[name]

    def _compare_holders(self, address: Address, rows: list[HolderRow]) -> None:
        """Compare who has an address: two apps, two Machines, or a Machine and an allocation."""
        by_app = _by_app(rows)
        by_holder: dict[str | None, HolderRow] = {}  # an allocation under None
        for row in rows:
            holder = row.id if isinstance(row, ListedMachine) else None
            by_holder.setdefault(holder, row)
        if len(by_app) > 1:
            self._dispute(address, Rule.ADDRESS_OF_TWO_APPS, by_app.values())
            self.unused_addresses.add(address)
        elif len(by_holder) > 1:
            self._dispute(address, Rule.ADDRESS_HELD_TWICE, by_holder.values())
            if self._facts.is_allocated(address):
                self.unused_addresses.add(address)

    def _dispute(self, address: Address, rule: Rule, rows: Iterable[HolderRow]) -> None:
        self.of_address[address] = rule
        self._contradict(rule, rows)
        for row in self._facts.holders[address]:
            if isinstance(row, ListedMachine) and row.app is not None:
                self.of_app[row.app].append(rule)

    def _compare_apps(self, rows: list[ListedMachine]) -> None:
        """Compare the apps that a Machine belongs to."""
        by_app = _by_app(rows)
        if len(by_app) > 1:
            self._contradict(Rule.MACHINE_OF_TWO_APPS, by_app.values())
            for app in by_app:
                self.of_app[app].append(Rule.MACHINE_OF_TWO_APPS)

    def _machines_of_networks(self, about: AppFacts) -> dict[NetworkID, ListedMachine]:
        """Return the first Machine of an app on each network, by the addresses that are used."""
        found: dict[NetworkID, ListedMachine] = {}
        for machine in about.addressed:
            if machine.address is not None and machine.address not in self.unused_addresses:
                found.setdefault(machine.address.network_id, machine)
        return found

    def _compare_networks(self, app: str, about: AppFacts) -> None:
        """Find the name and the ID of an app's network, unless documents disagree about it."""
        machines = self.machine_on[app]
        if len(about.listings) > 1:
            self.of_app[app].append(Rule.APP_LISTED_TWICE)
            self._contradict(Rule.APP_LISTED_TWICE, about.listings.values())
        if len(machines) > 1:
            self.of_app[app].append(Rule.APP_ON_TWO_NETWORKS)
            self._contradict(Rule.APP_ON_TWO_NETWORKS, machines.values())
        if self.is_about_network(app):
            return
        for text in about.listings:
            name = self._facts.network_name(text)
            if name is not None:
                self.names[app] = name
        for network_id in machines:
            self.ids[app] = network_id

    def _contradict(self, rule: Rule, rows: Iterable[ListedApp | HolderRow]) -> None:
        self.contradictions.append(Contradiction(rule, facts=tuple(map(fact_of, rows))))


def _by_app(rows: Iterable[HolderRow]) -> dict[str, HolderRow]:
    """Return the first row of each app; a row may name none."""
    found: dict[str, HolderRow] = {}
    for row in rows:
        if row.app is not None:
            found.setdefault(row.app, row)
    return found
