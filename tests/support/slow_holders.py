"""An oracle for `find_holder` and `check_allocations`: docs/rules-reach.md, a rule a function.

It goes through all rows for each question, and uses nothing of `fdaa.networks`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from slow_documents import Allocated, InBook, Machine
from slow_networks import Net, SlowMap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fdaa import Address, NetworkID


class Held(NamedTuple):
    holding: str
    machine: str | None
    state: str | None
    app: str | None
    network: str | None
    looked_at: frozenset[str]


class Served(NamedTuple):
    app: str | None
    address: Address
    network: str | None
    own: bool | None
    warning: str | None


class SlowHolders(SlowMap):
    """Answers who has an address, and what cross-network addresses serve."""

    # --- docs/reach.md: the app of an address -----------------------------------------------------

    def holder(self, address: Address) -> Held:
        network_id = address.network_id
        name = self.name_of(network_id)
        none: frozenset[str] = frozenset()
        if self.is_disputed(address):
            return Held("contradiction", None, None, None, name, none)
        rows = self.holders(address)
        if rows:
            app = first_app(rows)
            if isinstance(rows[0], Machine):
                return Held("machine", rows[0].id, self.state(rows[0].id), app, name, none)
            return Held("cross-network-address", None, None, app, name, none)
        in_book = [row for row in self.book if row.address == str(address)]
        if not in_book and network_id == 0:
            return Held("service", None, None, None, name, none)
        app = first_app(in_book)
        searched = self.searched_for(network_id, app)
        has_all = all(self.has_all_addresses(each) for each in searched)
        if searched and has_all and not self.may_be_allocated(address):
            return Held("stale", None, None, app, name, frozenset(searched))
        if app is not None:
            return Held("saved", None, None, app, name, none)
        return Held("unknown", None, None, None, name, none)

    def searched_for(self, network_id: NetworkID, app: str | None) -> set[str]:
        """The apps that may have an address: the one that the book names, or all apps."""
        if app is not None and self.may_be_on(app, network_id):
            return {app}
        net = Net(self.name_of(network_id), network_id)
        if self.all_apps_are_listed() and self.apps_on(net):
            return {each for each in self.apps if self.may_be_on(each, network_id)}
        return set()

    def may_be_allocated(self, address: Address) -> bool:
        """An address list that could have it is not given: of the book's app, or of any app."""
        app = first_app([row for row in self.book if row.address == str(address)])
        if app is not None and self.may_be_on(app, address.network_id):
            return app not in self.with_address_list
        return not (self.all_apps_are_listed() and self.apps <= self.with_address_list)

    def may_be_on(self, app: str, network_id: NetworkID) -> bool:
        """Unless an app list has it, no contradiction is about it, and its network differs."""
        net = self.net_of_app(app)
        if app not in {row.app for row in self.listings}:
            return True
        if self.app_rules(app) or self.name_rules(net):
            return True
        if net.network_id is not None:
            return net.network_id == network_id
        name = self.name_of(network_id)
        return net.name is None or name is None or net.name == name

    def may_be_on_net(self, app: str, net: Net) -> bool:
        """The same, for a network that may be known by its name only."""
        own = self.net_of_app(app)
        if app not in {row.app for row in self.listings}:
            return True
        if self.app_rules(app) or self.name_rules(own):
            return True
        if own.network_id is not None and net.network_id is not None:
            return own.network_id == net.network_id
        return own.name is None or net.name is None or own.name == net.name

    def has_app_too(self, address: Address) -> bool:
        """Whether an address list that names its app has the address, too."""
        return any(row.address == address and row.app is not None for row in self.allocated)

    def has_all_addresses(self, app: str) -> bool:
        """A Machine list is complete, and no Machine in it is without an address."""
        if app not in self.with_machine_list:
            return False
        for row in self.machines:
            if row.app == app and row.address is None:
                others = [other for other in self.machines if other.id == row.id]
                if not any(other.address and other.app in (app, None) for other in others):
                    return False
        return True

    # --- docs/reach.md: what cross-network addresses serve ----------------------------------------

    def allocations(self) -> set[Served]:
        """Each address once for an app; without an app where no other list has it."""
        with_app = {row.address for row in self.allocated if row.app is not None}
        found = set()
        for row in self.allocated:
            if row.app is not None or row.address not in with_app:
                found.add(self.served(row))
        return found

    def served(self, row: Allocated) -> Served:
        net = self.completed(Net(None, row.address.network_id))
        own: bool | None = None
        if row.app is not None:
            own = self.serves_own(row.app, net)
        warning: str | None = None
        if own:
            warning = "own-network"
        elif self.apps_on(net):
            warning = None
        elif self.has_no_app(net):
            warning = "no-app-on-network"
        elif net.name is None:
            warning = "unknown-network"
        return Served(row.app, row.address, net.name, own, warning)

    def serves_own(self, app: str, net: Net) -> bool | None:
        """By the app's own ID, else by the one of its name, else by their names; else the book."""
        own = self.net_of_app(app)
        if own == Net(None, None) and not self.network_is_disputed(app):
            own = self.net_in_book(app)
        if own.network_id is not None:
            return own.network_id == net.network_id
        if own.name is not None and net.name is not None:
            return own.name == net.name
        return None

    def net_in_book(self, app: str) -> Net:
        """The network that the book learned from an app, unless it learned two."""
        entries = [row for row in self.book if row.app == app]
        if len(entries) != 1:
            return Net(None, None)
        return Net(entries[0].name, entries[0].network_id)

    def has_no_app(self, net: Net) -> bool:
        """All apps are listed, none may be on it, and no Machine has its ID."""
        if net.network_id is None or not self.all_apps_are_listed():
            return False
        if any(self.may_be_on(app, net.network_id) for app in self.apps):
            return False
        machines = {row.address for row in self.machines if row.address is not None}
        return all(address.network_id != net.network_id for address in machines)

    def state(self, id_: str) -> str | None:
        """The state of a Machine, where documents agree about it."""
        states = {row.state for row in self.machines if row.id == id_ and row.state is not None}
        if len(states) == 1:
            return states.pop()
        return None


def first_app(rows: Sequence[Machine | Allocated | InBook]) -> str | None:
    for row in rows:
        if row.app is not None:
            return row.app
    return None
