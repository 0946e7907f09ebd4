"""An oracle for `NetworkMap`: the rules of docs/rules-networks.md, one a function.

It takes the rows of documents, keeps no index, goes through all rows for each question, and uses no
rule of `fdaa.networks`.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from fdaa import Address, NetworkID, NetworkName, NetworkNameError
from fdaa.networks import DocumentKind

if TYPE_CHECKING:
    from fdaa.networks import Document

ON_TWO_NETWORKS = {"app-listed-twice", "app-on-two-networks"}


class Net(NamedTuple):
    """What is known of one network."""

    name: str | None = None
    network_id: NetworkID | None = None


class SlowMap:
    """What documents and saved networks show together."""

    def __init__(self, documents: list[Document]) -> None:
        self.documents = documents
        self.listings = list(chain.from_iterable(each.apps for each in documents))
        self.machines = list(chain.from_iterable(each.machines for each in documents))
        self.allocated = list(chain.from_iterable(each.allocated for each in documents))
        self.saved = list(chain.from_iterable(each.saved for each in documents))
        named = {each.app for each in documents} | {row.app for row in self.machines}
        self.apps = {app for app in named if app is not None} | {row.name for row in self.listings}
        self.with_machine_list = self._with_list(DocumentKind.MACHINE_LIST)
        self.with_address_list = self._with_list(DocumentKind.ADDRESS_LIST)
        app_lists = [
            each for each in documents if each.kind is DocumentKind.APP_LIST and each.is_list
        ]
        self.all_apps_are_listed = any(each.apps for each in app_lists) and all(
            each.is_whole for each in app_lists
        )

    def _with_list(self, kind: DocumentKind) -> set[str | None]:
        """The apps that have a complete list."""
        found = {each.app for each in self.documents if each.kind is kind and each.is_whole}
        return found - {None}

    # --- contradictions ---------------------------------------------------------------------------

    def is_allocated(self, address: Address) -> bool:
        return any(row.address == address for row in self.allocated)

    def address_rule(self, address: Address | None) -> str | None:
        """The rule that documents break about an address."""
        machines = [row for row in self.machines if row.address == address]
        apps = {row.app for row in machines}
        apps |= {row.app for row in self.allocated if row.address == address}
        if address is None:
            return None
        if len(apps - {None}) > 1:
            return "address-of-two-apps"
        if len({row.id for row in machines}) + self.is_allocated(address) > 1:
            return "address-held-twice"
        return None

    def is_unused(self, address: Address) -> bool:
        """A disputed address shows nothing; but two Machines of one app are on its network."""
        rule = self.address_rule(address)
        return rule == "address-of-two-apps" or (rule is not None and self.is_allocated(address))

    def is_of_two_apps(self, machine: str) -> bool:
        apps = {row.app for row in self.machines if row.id == machine}
        return len(apps - {None}) > 1

    def listed_names(self, app: str) -> set[str | None]:
        return {row.network_name for row in self.listings if row.name == app} - {None}

    def seen_ids(self, app: str) -> set[NetworkID]:
        found = set()
        for row in self.machines:
            if row.app == app and row.address is not None and not self.is_unused(row.address):
                found.add(row.address.network_id)
        return found

    def app_rules(self, app: str) -> set[str]:
        """The rules of the contradictions about an app."""
        rules = set()
        if len(self.listed_names(app)) > 1:
            rules.add("app-listed-twice")
        if len(self.seen_ids(app)) > 1:
            rules.add("app-on-two-networks")
        for row in self.machines:
            rule = self.address_rule(row.address)
            if row.app == app and rule is not None:
                rules.add(rule)
            if row.app == app and self.is_of_two_apps(row.id):
                rules.add("machine-of-two-apps")
        return rules

    def name_rules(self, net: Net) -> set[str]:
        """The rules of the contradictions about a network."""
        rules = set()
        for name, network_id in self.pairs:
            if name == net.name or network_id == net.network_id:
                if len([pair for pair in self.pairs if pair[0] == name]) > 1:
                    rules.add("name-has-two-ids")
                if len([pair for pair in self.pairs if pair[1] == network_id]) > 1:
                    rules.add("id-has-two-names")
        return rules

    def contradictions(self) -> list[str]:
        """The rule of each contradiction."""
        found: list[str] = []
        for app in self.apps:
            found.extend(self.app_rules(app) & ON_TWO_NETWORKS)
        found.extend(filter(None, map(self.address_rule, self.addresses())))
        for machine in {row.id for row in self.machines}:
            if self.is_of_two_apps(machine):
                found.append("machine-of-two-apps")
        for name in {pair[0] for pair in self.pairs}:
            if len([pair for pair in self.pairs if pair[0] == name]) > 1:
                found.append("name-has-two-ids")
        for network_id in {pair[1] for pair in self.pairs}:
            if len([pair for pair in self.pairs if pair[1] == network_id]) > 1:
                found.append("id-has-two-names")
        return sorted(found)

    # --- names and IDs ----------------------------------------------------------------------------

    def own_net(self, app: str) -> Net:
        """The one name of its network in lists, and the one ID in addresses of its Machines."""
        if self.app_rules(app) & ON_TWO_NETWORKS:
            return Net()
        names = [name for name in self.listed_names(app) if is_name(name)]
        return Net(next(iter(names), None), next(iter(self.seen_ids(app)), None))

    @cached_property
    def pairs(self) -> set[tuple[str, NetworkID]]:
        """All that shows a name with an ID: an app, a cross-network address, what was saved."""
        found = {(str(row.name), row.network_id) for row in self.saved}
        for name, network_id in map(self.own_net, self.apps):
            if name is not None and network_id is not None:
                found.add((name, network_id))
        for row in self.allocated:
            if is_name(row.network_name) and not self.is_unused(row.address):
                found.add((str(row.network_name), row.network_id))
        return found

    def completed(self, net: Net) -> Net:
        """Add what is joined to a name or an ID; what is disputed is joined to nothing."""
        for name, network_id in self.pairs:
            if not self.name_rules(Net(name, network_id)):
                if net.network_id is None and net.name == name:
                    return Net(name, network_id)
                if net.name is None and net.network_id == network_id:
                    return Net(name, network_id)
        return net

    def net_of_app(self, app: str) -> Net:
        return self.completed(self.own_net(app))

    def names(self) -> set[str]:
        """Each valid name that an app list, an address list or what was saved has."""
        names = {row.network_name for row in self.listings}
        return {name for name, _ in self.pairs} | {str(name) for name in names if is_name(name)}

    def addresses(self) -> set[Address]:
        """Each address that a list has."""
        found = {row.address for row in self.allocated}
        return found | {row.address for row in self.machines if row.address is not None}

    def rows(self) -> list[tuple[str | None, NetworkID | None, tuple[str, ...], int | None]]:
        """The rows of `fdaa networks`: name, ID, apps and Machines."""
        nets = [self.completed(Net(name)) for name in sorted(self.names())]
        ids = {address.network_id for address in self.addresses()}
        ids |= {network_id for _, network_id in self.pairs}
        by_id = [self.completed(Net(None, network_id)) for network_id in sorted(ids)]
        nets += [net for net in by_id if net.name is None]
        return [(*net, tuple(sorted(self.apps_on(net))), self.count(net)) for net in nets]

    def apps_on(self, net: Net) -> set[str]:
        """Each app that a document puts on a network, also where documents disagree."""
        found = set()
        for listed in self.listings:
            if net.name is not None and listed.network_name == net.name:
                found.add(listed.name)
        for row in self.machines:
            if row.app and row.address and row.address.network_id == net.network_id:
                found.add(row.app)
        return found

    def count(self, net: Net) -> int | None:
        """The addresses of Machines; 0 where the lists of all apps listed on it have no Machine."""
        seen = set()
        for row in self.machines:
            if row.address is not None and row.address.network_id == net.network_id:
                seen.add(row.address)
        if seen:
            return len(seen)
        listed = {row.name for row in self.listings if row.network_name == net.name}
        if net.name is None or not listed or not listed <= self.with_machine_list:
            return None
        if any(row.app in listed for row in self.machines):
            return None
        return 0


def is_name(text: str | None) -> bool:
    try:
        NetworkName(text or "")
    except NetworkNameError:
        return False
    return True
