"""Organizations that are true, the documents about them, and what the specification says of them.

`World` reads the specification alone: its sections 1, 2.1 to 2.3, and the networking rules 1 and 3.
It knows no documents, and no rule of `fdaa.networks`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from fdaa import Address, NetworkID, NetworkName
from fdaa.networks import Document, DocumentKind, parse_document

if TYPE_CHECKING:
    import random

End: TypeAlias = Address | NetworkID | NetworkName | str  # a text is an app or a Machine

APPS = ("web", "api", "db", "jobs", "mail")
NAMES = ("default", "blue", "red")
IDS = (0x2045B, 0x70000, 0x1, 0x90000, 0x0)  # more than names: some are no network's
RESTS = range(3, 12)


@dataclass
class World:
    """Networks, the apps on them, their Machines, and their cross-network addresses.

    Args:
        ids: the ID of each network (2.2).
        network_of: the network of each app (2.1, rule 1).
        machines: the address of each Machine, by app and identifier.
        allocated: the app of each cross-network address; its ID is the one of the network whose
            name was given (2.3, rule 4; Networking rules, 3).
    """

    ids: dict[str, NetworkID]
    network_of: dict[str, str]
    machines: dict[str, dict[str, Address]] = field(default_factory=dict)
    allocated: dict[Address, str] = field(default_factory=dict)

    # --- the specification ------------------------------------------------------------------------

    def permits(self, source: End, target: End) -> bool | None:
        """Whether the source may reach the target; None where nobody is at the source."""
        start = self.network_at(source)
        if start is None:
            return None
        if isinstance(target, Address):
            return self._permits_address(start, target)
        end = self.network_at(target)
        if end is None:
            return None
        if start == end:  # section 1
            return True
        if target in self.network_of:
            return self._is_exposed(str(target), start)
        if isinstance(target, NetworkID | NetworkName):
            apps = [app for app in self.network_of if self.id_of(app) == end]
            return any(self._is_exposed(app, start) for app in apps)
        return False  # a Machine: networking rule 1

    def on_one_network(self, source: End, target: End) -> bool | None:
        """Whether both are on one network: an address allocated to an app is on the app's."""
        start = self.network_at(source)
        end = self.network_at(target)
        if isinstance(target, Address):
            end = target.network_id
            if target in self.allocated:
                end = self.id_of(self.allocated[target])
        if start is None or end is None:
            return None
        return start == end

    def may_respond(self, source: End, target: End) -> bool:
        """Whether a Machine may respond to a permitted request: at a Machine, an app, a network."""
        start = self.network_at(source)
        if isinstance(target, Address):
            app = self.allocated.get(target, self.machine_at(target))
            return app is not None and self.has_machine(app)
        if target in self.network_of:
            return self.has_machine(str(target))
        end = self.network_at(target)
        if not isinstance(target, NetworkID | NetworkName) or start is None or start == end:
            return True
        apps = [app for app in self.network_of if self.id_of(app) == end]
        return any(self._is_exposed(app, start) and self.has_machine(app) for app in apps)

    def _permits_address(self, start: NetworkID, target: Address) -> bool:
        if target in self.allocated:  # networking rule 3
            is_own = self.id_of(self.allocated[target]) == start
            return target.network_id == start and not is_own
        return target.network_id == start  # a Machine's, or nobody's: 2.3, rule 3

    def _is_exposed(self, app: str, start: NetworkID) -> bool:
        """Whether an app has a private address for a network (networking rule 3)."""
        for address, its in self.allocated.items():
            if its == app and address.network_id == start:
                return self.id_of(app) != start
        return False

    def id_of(self, app: str) -> NetworkID:
        """The ID of the network that an app is on."""
        return self.ids[self.network_of[app]]

    def network_at(self, end: End) -> NetworkID | None:
        """The network of an end; None where it is nobody's, or receives requests only."""
        if isinstance(end, NetworkName):
            return self.ids[str(end)]
        if isinstance(end, NetworkID):
            return end
        if isinstance(end, Address):
            if self.machine_at(end) is None:
                return None
            return end.network_id
        for app, machines in self.machines.items():
            if end == app or end in machines:
                return self.id_of(app)
        return None

    def machine_at(self, address: Address) -> str | None:
        """The app whose Machine has an address."""
        for app, machines in self.machines.items():
            if address in machines.values():
                return app
        return None

    def has_machine(self, app: str) -> bool:
        return bool(self.machines.get(app))


def true_world(choose: random.Random) -> World:
    """Draw an organization."""
    ids = dict(zip(NAMES, map(NetworkID, choose.sample(IDS, len(NAMES))), strict=True))
    apps = choose.sample(APPS, choose.randint(2, len(APPS)))
    world = World(ids, {app: choose.choice(NAMES) for app in apps})
    number = 0
    for app in apps:
        world.machines[app] = {}
        for _ in range(choose.choice((0, 1, 1, 2))):
            number += 1
            address = _free(choose, world, ids[world.network_of[app]])
            if address is not None:
                world.machines[app][f"m{number}"] = address
        for _ in range(choose.choice((0, 0, 1, 1, 2))):  # for its own network, too: a mistake
            address = _free(choose, world, ids[choose.choice(NAMES)])
            if address is not None:
                world.allocated[address] = app
    return world


def _free(choose: random.Random, world: World, network_id: NetworkID) -> Address | None:
    address = Address.build(network_id, choose.choice(RESTS))
    if address in world.allocated or world.machine_at(address) is not None:
        return None
    return address


def question(choose: random.Random, world: World) -> End:
    """Draw an end; some addresses and one network ID are nobody's."""
    match choose.randrange(5):
        case 0 | 1:
            return choose.choice(list(world.network_of))
        case 2:
            return some_address(choose, world)
        case 3:
            names = [name for machines in world.machines.values() for name in machines]
            return choose.choice(names or list(world.network_of))
    if choose.random() < 0.5:
        return NetworkID(choose.choice(IDS))
    return NetworkName(choose.choice(NAMES))


def some_address(choose: random.Random, world: World) -> Address:
    """Draw an address of the organization, or any."""
    known = list(world.allocated)
    for machines in world.machines.values():
        known.extend(machines.values())
    if known and choose.random() < 0.5:
        return choose.choice(known)
    return Address.build(NetworkID(choose.choice(IDS)), choose.choice(RESTS))


# --- what documents show --------------------------------------------------------------------------


def all_documents(choose: random.Random, world: World) -> list[Document]:
    """Return all documents of an organization: app lists, Machine lists, and address lists."""
    documents = app_lists(choose, world)
    for app in world.network_of:
        documents.append(_machine_list(choose, world, app))
        documents.append(_address_list(choose, world, app))
    choose.shuffle(documents)
    return documents


def app_lists(choose: random.Random, world: World) -> list[Document]:
    """Return an app list, and a page of it that says how many apps there are."""
    rows = [{"name": app, "network": name} for app, name in world.network_of.items()]
    for row in rows:
        if row["network"] == "default" and choose.random() < 0.3:
            row["network"] = ""
    lists = (rows, choose.sample(rows, choose.randint(0, len(rows))))
    return [_parsed({"total_apps": len(rows), "apps": part}) for part in lists]


def _machine_list(choose: random.Random, world: World, app: str) -> Document:
    machines = world.machines[app].items()
    rows: list[Any] = [{"id": id_, "private_ip": str(address)} for id_, address in machines]
    match choose.randrange(4):
        case 0 if rows:  # one Machine alone shows nothing about others
            return _parsed(rows[0], app)
        case 1:
            return _parsed({"Name": app, "Network": world.network_of[app], "Machines": rows})
    return _parsed(rows, app, DocumentKind.MACHINE_LIST)


def _address_list(choose: random.Random, world: World, app: str) -> Document:
    names = {number: name for name, number in world.ids.items()}
    rows: list[Any] = []
    for address, its in world.allocated.items():
        row: dict[str, Any] = {"Address": str(address)}
        if choose.random() < 0.5:
            row["Network"] = {"Name": names[address.network_id]}
        if its == app:
            rows.append(row)
    if rows and choose.random() < 0.15:  # one address alone shows nothing about others
        return _parsed(rows[0], app)
    if choose.random() < 0.3:
        return _parsed({"ips": [{"ip": row["Address"]} for row in rows]}, app)
    return _parsed(rows, app, DocumentKind.ADDRESS_LIST)


def _parsed(value: Any, app: str | None = None, kind: DocumentKind | None = None) -> Document:
    return parse_document(json.dumps(value), file="f", app=app, kind=kind)


def some_book(choose: random.Random, world: World) -> Document:
    """Return saved networks: they have some networks, with and without the app and its address."""
    lines: dict[str, object] = {}
    for name, number in world.ids.items():
        line: dict[str, object] = {"network_id": str(number)}
        for app, machines in world.machines.items():
            if world.network_of[app] == name and machines:
                address = choose.choice(list(machines.values()))
                line.update(app=app, address=choose.choice((str(address), None)))
        if choose.random() < 0.3:
            lines[name] = line
    return _parsed({"fdaa_networks": 1, "networks": lines})
