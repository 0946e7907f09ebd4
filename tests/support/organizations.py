"""Messy organizations to draw: what documents say of one is incomplete and contradictory.

`tests/support/true_worlds.py` has true ones.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import settings

from fdaa import Address, NetworkID, NetworkName
from fdaa.networks import Document, DocumentKind, parse_document

if TYPE_CHECKING:
    import random
    from typing import TypeAlias

End: TypeAlias = Address | NetworkID | NetworkName | str  # what a verdict is asked about

# The fast profile makes a third of its examples of whole organizations, which are costly to draw.
_default = settings.default or settings()
_examples = _default.max_examples
if _examples < 100:
    _examples //= 3
fewer = settings(max_examples=_examples)


def parse(
    value: Any,
    app: str | None = None,
    file: str = "f",
    kind: DocumentKind = DocumentKind.MACHINE_LIST,
) -> Document:
    """Parse a document, given as its bytes or as a JSON value; `kind` is that of an empty list."""
    data = value
    if not isinstance(value, bytes):
        data = json.dumps(value).encode()
    return parse_document(data, file=file, app=app, kind=kind)


# Few of each, so that documents speak of the same things.
APPS = ("web", "api", "db", "old")
NAMES = ("blue", "red", "default")
IDS = (0x2045B, 0x70000, 0x1, 0x0)
RESTS = range(3, 9)
INVALID_NAME = "9 lives"


def messy_organization(choose: random.Random) -> list[Document]:
    """Draw an organization, leave out some of what documents say of it, and add lies."""
    drawn = _Organization(choose)
    documents = [*drawn.app_lists(), *drawn.machine_lists(), *drawn.address_lists()]
    for _ in range(choose.choice((0, 0, 1, 1, 2, 3))):
        documents.append(drawn.lie())
    if drawn.often(0.4):
        documents.append(drawn.saved())
    choose.shuffle(documents)
    return documents


def end(choose: random.Random) -> End:
    """Draw an address, an app, a Machine, a network ID or a network name."""
    kind = choose.randrange(8)
    if kind < 3:
        return address(choose)
    if kind < 5:
        return choose.choice((*APPS, "ghost", "nobody", "blue"))
    if kind == 5:
        return f"m{choose.randrange(12)}"
    if kind == 6:
        return NetworkID(choose.choice(IDS))
    return NetworkName(choose.choice((*NAMES, "green")))


def address(choose: random.Random) -> Address:
    """Draw one of a few addresses."""
    return Address.build(NetworkID(choose.choice(IDS)), choose.choice(RESTS))


class _Organization:
    """What is true of an organization, and documents that say it or something else."""

    def __init__(self, choose: random.Random) -> None:
        self._choose = choose
        ids = choose.sample(IDS, len(NAMES))
        if 0 in ids and self.often(0.7):  # an organization with ID 0 is the exception
            ids = choose.sample(IDS[:3], len(NAMES))
        self._id_of = dict(zip(NAMES, ids, strict=True))
        apps = choose.sample(APPS, choose.randint(1, len(APPS)))
        self._network_of = {app: choose.choice(NAMES) for app in apps}
        self._machines: dict[str, list[dict[str, Any]]] = {app: [] for app in apps}
        self._allocated: dict[str, list[dict[str, Any]]] = {app: [] for app in apps}
        self._taken: list[Address] = []
        for app in apps:
            for _ in range(choose.choice((0, 1, 1, 2))):
                machine = {"id": f"m{len(self._taken) + 1}"}
                if self._take("private_ip", machine, self._network_of[app]):
                    self._machines[app].append(machine)
            clients = choose.choice(NAMES)
            row = {"network": {"name": clients}}
            if self.often(0.4) and self._take("ip", row, clients):
                self._allocated[app].append(row)

    def often(self, chance: float) -> bool:
        return self._choose.random() < chance

    def _take(self, key: str, row: dict[str, Any], network: str) -> bool:
        """Add an address to a row, unless it is taken."""
        drawn = Address.build(NetworkID(self._id_of[network]), self._choose.choice(RESTS))
        row[key] = str(drawn)
        if drawn in self._taken:
            return False
        self._taken.append(drawn)
        return True

    # --- what is true, mostly ---------------------------------------------------------------------

    def app_lists(self) -> list[Document]:
        """Return app lists of all apps, some or none; one of an old tool names no network."""
        choose = self._choose
        rows: list[Any] = [self._app_row(app) for app in self._network_of]
        if self.often(0.15):
            return []
        if self.often(0.1):
            return [parse(rows[0], kind=DocumentKind.APP_LIST)]  # one app alone
        if self.often(0.15):
            old = [{"Name": app, "Network": "", "Status": "x"} for app in self._network_of]
            return [parse(old)]
        if self.often(0.25):
            rows = choose.sample(rows, choose.randint(0, len(rows)))
        if self.often(0.05):
            rows.append({"name": 5, "network": "blue"})
        if self.often(0.3):
            return [parse(rows, kind=DocumentKind.APP_LIST)]
        value: dict[str, Any] = {"apps": rows}
        if self.often(0.7):
            value["total_apps"] = len(rows) + choose.choice((0,) * 10 + (1, -1))
        return [parse(value)]

    def _app_row(self, app: str) -> dict[str, Any]:
        row: dict[str, Any] = {"name": app, "network": self._network_of[app]}
        if row["network"] == "default" and self.often(0.5):
            row["network"] = self._choose.choice(("", None))
        if self.often(0.03):
            row["network"] = INVALID_NAME
        if self.often(0.3):
            count = len(self._machines[app])
            row["machine_count"] = self._choose.choice((count, count, count, 0))
        return row

    def machine_lists(self) -> list[Document]:
        """Return a Machine list of most apps; one may be of an app that no app list has."""
        documents = []
        for app, machines in self._machines.items():
            if self.often(0.7):
                documents.append(self._machine_list(app, machines))
        if self.often(0.15):
            rows = [{"id": "m9", "private_ip": str(address(self._choose))}]
            documents.append(self._machine_list("ghost", rows * self._choose.randrange(2)))
        return documents

    def _machine_list(self, app: str, machines: list[dict[str, Any]]) -> Document:
        rows = [dict(row) for row in machines]
        if rows and self.often(0.1):
            rows.pop()
        if rows and self.often(0.1):
            return parse(rows[0], app)  # one Machine alone
        if self.often(0.15):
            rows.append({"id": self._choose.choice(("m7", "m8")), "state": "created"})
        self._add_states(rows)
        if rows and self.often(0.05):
            rows.append({"id": "m10", "private_ip": "fdaa::g"})
        if self.often(0.1):
            return parse(rows)
        if self.often(0.2):
            network = self._choose.choice((self._network_of.get(app, ""), "", ""))
            return parse({"Name": app, "Network": network, "Machines": rows})
        return parse(rows, app)

    def _add_states(self, rows: list[dict[str, Any]]) -> None:
        """Add states to most lists; in some, no Machine is started."""
        states: tuple[str | None, ...] = ("started", "started", "started", "stopped", None)
        if self.often(0.3):
            states = ("stopped", "stopped", "suspended")
        if self.often(0.4):
            return
        for row in rows:
            row.setdefault("state", self._choose.choice(states))

    def address_lists(self) -> list[Document]:
        """Return the address lists of most apps that have such addresses, or of all apps."""
        documents = []
        has_all = self.often(0.4)
        for app, allocated in self._allocated.items():
            chance = 0.15  # of an empty list
            if allocated:
                chance = 0.7
            if has_all or self.often(chance):
                rows: list[Any] = list(allocated)
                if self.often(0.6):
                    rows = [row["ip"] for row in rows]  # without the names of networks
                owner = self._choose.choice((app,) * 9 + (None,))
                documents.append(parse({"ips": rows}, owner))
        return documents

    # --- lies, and what was saved -----------------------------------------------------------------

    def lie(self) -> Document:
        """Return a document that may contradict the others."""
        choose = self._choose
        app = choose.choice((*APPS, "ghost"))
        owner = choose.choice((app, app, None))
        drawn = str(address(choose))
        if self._taken and self.often(0.5):
            drawn = str(choose.choice(self._taken))
        kind = choose.randrange(4)
        if kind == 0:
            return parse([{"Name": app, "Network": choose.choice((*NAMES, INVALID_NAME))}])
        if kind == 1:
            rows = [{"id": choose.choice(("m1", "m2", "m3", "m11", "web")), "private_ip": drawn}]
            self._add_states(rows)
            return parse(rows, owner)
        if kind == 2:
            return parse([{"Address": drawn}], owner)
        network = {"Name": choose.choice((*NAMES, "green", INVALID_NAME, ""))}
        return parse([{"Address": drawn, "Network": network}], owner)

    def saved(self) -> Document:
        """Return what was saved earlier: some of it true, some not."""
        choose = self._choose
        lines: dict[str, object] = {}
        has_lie = self.often(0.2)
        for name, number in self._id_of.items():
            network_id = NetworkID(number)
            if has_lie and not lines:
                network_id = NetworkID(0x99)
            if self.often(0.5):
                continue
            app = choose.choice((*APPS, "gone", None))
            learned = None
            if app is not None and self.often(0.7):
                learned = str(Address.build(network_id, choose.choice(RESTS)))
            lines[name] = {"network_id": str(network_id), "app": app, "address": learned}
        return parse({"fdaa_networks": 1, "networks": lines})
