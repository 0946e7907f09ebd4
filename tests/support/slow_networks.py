"""An oracle for `NetworkMap`: the rules of docs/rules-networks.md, one a function.

It keeps no index, goes through all rows for each question, and uses nothing of `fdaa.networks`.
"""

from __future__ import annotations

from typing import NamedTuple

from slow_documents import Allocated, Machine, Rows

from fdaa import Address, NetworkID, NetworkName, NetworkNameError


class Net(NamedTuple):
    """What is known of one network."""

    name: str | None
    network_id: NetworkID | None


class SlowMap(Rows):
    """What documents and a book show together."""

    # --- docs/rules-networks.md: contradictions ---------------------------------------------------

    def holders(self, address: Address) -> list[Machine | Allocated]:
        rows: list[Machine | Allocated] = []
        rows += [row for row in self.machines if row.address == address]
        rows += [row for row in self.allocated if row.address == address]
        return rows

    def of_two_apps(self, address: Address) -> bool:
        """Rule address-of-two-apps: documents list an address for two apps."""
        apps = {row.app for row in self.holders(address)}
        return len(apps - {None}) > 1

    def held_twice(self, address: Address) -> bool:
        """Rule address-held-twice: two Machines have it, or one has, and it is allocated, too."""
        machines = {row.id for row in self.machines if row.address == address}
        if self.is_allocated(address):
            return len(machines) > 0
        return len(machines) > 1

    def is_allocated(self, address: Address) -> bool:
        return any(row.address == address for row in self.allocated)

    def is_disputed(self, address: Address) -> bool:
        return self.of_two_apps(address) or self.held_twice(address)

    def is_unused(self, address: Address) -> bool:
        """A disputed address shows nothing; but two Machines of one app are on its network."""
        if self.of_two_apps(address):
            return True
        return self.held_twice(address) and self.is_allocated(address)

    def listed_names(self, app: str) -> set[str]:
        found = set()
        for row in self.listings:
            if row.app == app and row.network is not None:
                found.add(row.network)
        return found

    def seen_ids(self, app: str) -> set[NetworkID]:
        found = set()
        for row in self.machines:
            if row.app == app and row.address is not None and not self.is_unused(row.address):
                found.add(row.address.network_id)
        return found

    def app_rules(self, app: str) -> set[str]:
        """The rules that facts about an app break."""
        rules = set()
        if len(self.listed_names(app)) > 1:
            rules.add("app-listed-twice")
        if len(self.seen_ids(app)) > 1:
            rules.add("app-on-two-networks")
        for row in self.machines:
            if row.app != app or row.address is None:
                continue
            if self.of_two_apps(row.address):
                rules.add("address-of-two-apps")
            elif self.held_twice(row.address):
                rules.add("address-held-twice")
        if any(row.app == app and self.is_of_two_apps(row.id) for row in self.machines):
            rules.add("machine-of-two-apps")
        return rules

    def is_of_two_apps(self, id_: str) -> bool:
        """Rule machine-of-two-apps: documents list a Machine for two apps."""
        apps = {row.app for row in self.machines if row.id == id_}
        return len(apps - {None}) > 1

    def network_is_disputed(self, app: str) -> bool:
        return not self.app_rules(app).isdisjoint({"app-listed-twice", "app-on-two-networks"})

    def own_name(self, app: str) -> str | None:
        """The network's name in the lists, if it is one name and follows the rules for names."""
        names = self.listed_names(app)
        if self.network_is_disputed(app) or not names or not is_name(min(names)):
            return None
        return min(names)

    def own_id(self, app: str) -> NetworkID | None:
        """The ID in the addresses of its Machines, if it is one ID."""
        ids = self.seen_ids(app)
        if self.network_is_disputed(app) or not ids:
            return None
        return min(ids)

    # --- docs/rules-networks.md: names and IDs ----------------------------------------------------

    def pairs(self) -> set[tuple[str, NetworkID]]:
        """All that shows a name with an ID: an app, a cross-network address, the book."""
        found = {(row.name, row.network_id) for row in self.book}
        for app in self.apps:
            name = self.own_name(app)
            network_id = self.own_id(app)
            if name is not None and network_id is not None:
                found.add((name, network_id))
        for row in self.allocated:
            if row.name is not None and is_name(row.name) and not self.is_unused(row.address):
                found.add((row.name, row.address.network_id))
        return found

    def name_rules(self, net: Net) -> set[str]:
        """The rules that the pairs with this name, or with this ID, break."""
        pairs = self.pairs()
        rules = set()
        for name, network_id in pairs:
            if name != net.name and network_id != net.network_id:
                continue
            if len(ids_of(name, pairs)) > 1:
                rules.add("name-has-two-ids")
            if len(names_of(network_id, pairs)) > 1:
                rules.add("id-has-two-names")
        return rules

    def joined(self) -> set[tuple[str, NetworkID]]:
        """The pairs of which the name has no other ID, and the ID no other name."""
        return {pair for pair in self.pairs() if not self.name_rules(Net(*pair))}

    def id_of(self, name: str | None) -> NetworkID | None:
        for its, network_id in self.joined():
            if its == name:
                return network_id
        return None

    def name_of(self, network_id: NetworkID | None) -> str | None:
        for name, its in self.joined():
            if its == network_id:
                return name
        return None

    def net_of_app(self, app: str) -> Net:
        """What an app has itself; the other half comes from the join."""
        return self.completed(Net(self.own_name(app), self.own_id(app)))

    def completed(self, net: Net) -> Net:
        if net.network_id is None:
            return Net(net.name, self.id_of(net.name))
        if net.name is None:
            return Net(self.name_of(net.network_id), net.network_id)
        return net

    def rows(self) -> list[tuple[str | None, NetworkID | None, tuple[str, ...], int | None]]:
        """The rows of `fdaa networks`: name, ID, apps and Machines."""
        nets = [Net(name, self.id_of(name)) for name in sorted(self.names())]
        for network_id in sorted(self.ids()):
            if self.name_of(network_id) is None:
                nets.append(Net(None, network_id))
        rows = []
        for net in nets:
            apps = tuple(sorted(self.apps_on(net)))
            rows.append((net.name, net.network_id, apps, self.count(net)))
        return rows

    def names(self) -> set[str]:
        """Each valid name that an app list, an address list or the book has."""
        found = {name for name, _ in self.pairs()}
        for row in self.listings:
            if row.network is not None and is_name(row.network):
                found.add(row.network)
        return found

    def ids(self) -> set[NetworkID]:
        """Each ID that an address or the book has."""
        found = {network_id for _, network_id in self.pairs()}
        for address in self.addresses():
            found.add(address.network_id)
        return found

    def addresses(self) -> set[Address]:
        """Each address that a document has."""
        found = {row.address for row in self.allocated}
        for row in self.machines:
            if row.address is not None:
                found.add(row.address)
        return found

    def apps_on(self, net: Net) -> set[str]:
        """Each app that a document puts on a network, also where documents disagree."""
        found = set()
        if net.name is not None:
            found |= {row.app for row in self.listings if row.network == net.name}
        for row in self.machines:
            if row.address is None or row.app is None or net.network_id is None:
                continue
            if row.address.network_id == net.network_id:
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
        if net.name is None:
            return None
        listed = {row.app for row in self.listings if row.network == net.name}
        if not listed or not listed <= self.with_machine_list:
            return None
        if any(row.app in listed for row in self.machines):
            return None
        return 0

    def contradictions(self) -> list[str]:
        """The rule of each contradiction."""
        found: list[str] = []
        for app in self.apps:
            rules = self.app_rules(app)
            found.extend(rules & {"app-listed-twice", "app-on-two-networks"})
        for address in self.addresses():
            if self.of_two_apps(address):
                found.append("address-of-two-apps")
            elif self.held_twice(address):
                found.append("address-held-twice")
        found += ["machine-of-two-apps"] * sum(
            map(self.is_of_two_apps, {row.id for row in self.machines})
        )
        pairs = self.pairs()
        for name in {name for name, _ in pairs}:
            if len(ids_of(name, pairs)) > 1:
                found.append("name-has-two-ids")
        for network_id in {network_id for _, network_id in pairs}:
            if len(names_of(network_id, pairs)) > 1:
                found.append("id-has-two-names")
        return sorted(found)


def ids_of(name: str, pairs: set[tuple[str, NetworkID]]) -> set[NetworkID]:
    return {network_id for its, network_id in pairs if its == name}


def names_of(network_id: NetworkID, pairs: set[tuple[str, NetworkID]]) -> set[str]:
    return {name for name, its in pairs if its == network_id}


def is_name(text: str) -> bool:
    try:
        NetworkName(text)
    except NetworkNameError:
        return False
    return True
