"""An oracle for `NetworkMap`: the rules of docs/rules-networks.md, one a function.

It takes the rows of documents, goes through many of them for each question, and uses no rule of
`fdaa.networks`.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import filterfalse
from typing import TYPE_CHECKING, Any, NamedTuple

from fdaa import Address, NetworkID, NetworkName, NetworkNameError
from fdaa.networks import DocumentKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fdaa.networks import Document

ON_TWO_NETWORKS = {"app-listed-twice", "app-on-two-networks"}


class Net(NamedTuple):
    """What is known of one network."""

    name: str | None = None
    network_id: NetworkID | None = None


class SlowMap:
    """What documents and saved networks show together."""

    def __init__(self, documents: list[Document]) -> None:
        self.listings: list[Any] = []
        self.machines: list[Any] = []
        self.allocated: list[Any] = []
        self.saved: list[Any] = []
        self.with_machine_list: set[str] = set()  # a complete one
        self.with_address_list: set[str] = set()
        app_lists: list[Document] = []
        for document in documents:
            self.listings += document.apps
            self.machines += document.machines
            self.allocated += document.allocated
            self.saved += document.saved
            if document.kind is DocumentKind.APP_LIST and document.is_list:
                app_lists.append(document)
            if document.app is not None and document.is_whole:
                if document.kind is DocumentKind.MACHINE_LIST:
                    self.with_machine_list.add(document.app)
                if document.kind is DocumentKind.ADDRESS_LIST:
                    self.with_address_list.add(document.app)
        self.apps = values(documents, "app") | values(self.listings, "name")
        self.apps |= values(self.machines, "app")
        has_apps = any(each.apps for each in app_lists)
        self.all_apps_are_listed = has_apps and values(app_lists, "is_whole") == {True}
        self.addresses = values(self.machines, "address") | values(self.allocated, "address")
        self.listings_of = grouped(self.listings, "name")
        self.machines_of = grouped(self.machines, "app")
        self.machines_at = grouped(self.machines, "address")
        self.machines_on = grouped(self.machines, "network_id")
        self.machines_with_id = grouped(self.machines, "id")
        self.allocated_at = grouped(self.allocated, "address")
        self.pairs = self.all_pairs()
        self.pairs_by_name = grouped(self.pairs, "name")
        self.pairs_by_id = grouped(self.pairs, "network_id")
        # Each valid name that an app list, an address list or what was saved has.
        self.names = values(self.pairs, "name")
        self.names.update(filter(is_name, values(self.listings, "network_name")))

    # --- contradictions ---------------------------------------------------------------------------

    def address_rule(self, address: Address | None) -> str | None:
        """The rule that documents break about an address."""
        if address is None:
            return None
        machines = self.machines_at[address]
        allocated = self.allocated_at[address]
        if len(values([*machines, *allocated], "app")) > 1:
            return "address-of-two-apps"
        if len(values(machines, "id")) + bool(allocated) > 1:
            return "address-held-twice"
        return None

    def is_unused(self, address: Address) -> bool:
        """A disputed address shows nothing; but two Machines of one app are on its network."""
        rule = self.address_rule(address)
        if rule == "address-held-twice":
            return bool(self.allocated_at[address])
        return rule is not None

    def is_of_two_apps(self, machine: str) -> bool:
        return len(values(self.machines_with_id[machine], "app")) > 1

    def listed_names(self, app: str) -> set[str]:
        return values(self.listings_of[app], "network_name")

    def seen_ids(self, app: str) -> set[NetworkID]:
        addresses = values(self.machines_of[app], "address")
        return values(filterfalse(self.is_unused, addresses), "network_id")

    def app_rules(self, app: str) -> set[str]:
        """The rules of the contradictions about an app."""
        rules = set()
        if len(self.listed_names(app)) > 1:
            rules.add("app-listed-twice")
        if len(self.seen_ids(app)) > 1:
            rules.add("app-on-two-networks")
        for row in self.machines_of[app]:
            rule = self.address_rule(row.address)
            if rule is not None:
                rules.add(rule)
            if self.is_of_two_apps(row.id):
                rules.add("machine-of-two-apps")
        return rules

    def name_rules(self, net: Net) -> set[str]:
        """The rules of the contradictions about a network."""
        rules = set()
        for pair in self.pairs:
            if pair.name == net.name or pair.network_id == net.network_id:
                if len(self.pairs_by_name[pair.name]) > 1:
                    rules.add("name-has-two-ids")
                if len(self.pairs_by_id[pair.network_id]) > 1:
                    rules.add("id-has-two-names")
        return rules

    def contradictions(self) -> list[str]:
        """The rule of each contradiction."""
        found: list[str] = []
        for app in self.apps:
            found.extend(self.app_rules(app) & ON_TWO_NETWORKS)
        found.extend(filter(None, map(self.address_rule, self.addresses)))
        of_two = list(filter(self.is_of_two_apps, values(self.machines, "id")))
        found += ["machine-of-two-apps"] * len(of_two)
        for pairs in self.pairs_by_name.values():
            found += ["name-has-two-ids"] * (len(pairs) > 1)
        for pairs in self.pairs_by_id.values():
            found += ["id-has-two-names"] * (len(pairs) > 1)
        return sorted(found)

    # --- names and IDs ----------------------------------------------------------------------------

    def own_net(self, app: str) -> Net:
        """The one name of its network in lists, and the one ID in addresses of its Machines."""
        if self.app_rules(app) & ON_TWO_NETWORKS:
            return Net()
        names = filter(is_name, self.listed_names(app))
        return Net(next(names, None), next(iter(self.seen_ids(app)), None))

    def all_pairs(self) -> set[Net]:
        """All that shows a name with an ID: an app, a cross-network address, what was saved."""
        found = set(map(self.own_net, self.apps))
        for saved in self.saved:
            found.add(Net(str(saved.name), saved.network_id))
        for row in self.allocated:
            if is_name(row.network_name) and not self.is_unused(row.address):
                found.add(Net(row.network_name, row.network_id))
        return {pair for pair in found if None not in pair}

    def completed(self, net: Net) -> Net:
        """Add what is joined to a name or an ID; what is disputed is joined to nothing."""
        for pair in self.pairs:
            if not self.name_rules(pair):
                if net.network_id is None and net.name == pair.name:
                    return pair
                if net.name is None and net.network_id == pair.network_id:
                    return pair
        return net

    def net_of_app(self, app: str) -> Net:
        return self.completed(self.own_net(app))

    def rows(self) -> list[tuple[str | None, NetworkID | None, tuple[str, ...], int | None]]:
        """The rows of `fdaa networks`: name, ID, apps and Machines."""
        nets = list(map(self.completed, map(Net, sorted(self.names))))
        ids = values(self.addresses, "network_id") | values(self.pairs, "network_id")
        for network_id in sorted(ids):
            net = self.completed(Net(None, network_id))
            if net.name is None:
                nets.append(net)
        return [(*net, tuple(sorted(self.apps_on(net))), self.count(net)) for net in nets]

    def apps_on(self, net: Net) -> set[str]:
        """Each app that a document puts on a network, also where documents disagree."""
        found = self.listed_on(net)
        if net.network_id is not None:
            found |= values(self.machines_on[net.network_id], "app")
        return found

    def listed_on(self, net: Net) -> set[str]:
        if net.name is None:
            return set()
        return {row.name for row in self.listings if row.network_name == net.name}

    def count(self, net: Net) -> int | None:
        """The addresses of Machines; 0 where the lists of all apps listed on it have no Machine."""
        seen = values(self.machines_on[net.network_id], "address")
        listed = self.listed_on(net)
        has_lists = bool(listed) and listed <= self.with_machine_list
        if seen or (has_lists and not any(self.machines_of[app] for app in listed)):
            return len(seen)
        return None


def values(rows: Iterable[Any], field: str) -> set[Any]:
    """The different values of a field in some rows, without None."""
    return {getattr(row, field) for row in rows} - {None}


def grouped(rows: Iterable[Any], field: str) -> defaultdict[Any, list[Any]]:
    """Rows by the value of a field."""
    found: defaultdict[Any, list[Any]] = defaultdict(list)
    for row in rows:
        found[getattr(row, field)].append(row)
    return found


def is_name(text: str | None) -> bool:
    try:
        NetworkName(text or "")
    except NetworkNameError:
        return False
    return True
