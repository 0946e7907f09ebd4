"""Documents of one organization that are incomplete and contradict each other, in every shape."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from slow_documents import Given, InBook
from slow_reach import Oracle

from fdaa import Address, NetworkID, NetworkName
from fdaa.networks import Book, Document, DocumentKind, Fact, NetworkMap, parse_document

if TYPE_CHECKING:
    import random
    from typing import TypeAlias

End: TypeAlias = Address | NetworkID | NetworkName | str  # what a verdict is asked about

# Few of each, so that documents speak of the same things.
APPS = ("web", "api", "db", "old")
NAMES = ("blue", "red", "default")
IDS = (0x2045B, 0x70000, 0x1, 0x0)
RESTS = range(3, 9)
INVALID_NAME = "9 lives"


@dataclass
class Messy:
    """An organization, as documents and a book show it."""

    given: list[Given]
    book: list[InBook]

    def oracle(self) -> Oracle:
        """Return the oracle for it."""
        oracle = Oracle(book=self.book)
        for given in self.given:
            oracle.read(given)
        return oracle

    def joined(self) -> NetworkMap:
        """Return what the library makes of it."""
        book = Book()
        for row in self.book:
            learned_at = None
            if row.address is not None:
                learned_at = Address(row.address)
            book.add(
                [Fact(name=row.name, network_id=row.network_id, app=row.app, address=learned_at)]
            )
        return NetworkMap(map(as_document, self.given), book)


def as_document(given: Given) -> Document:
    """Parse a document; an empty list is of the kind that its option takes."""
    text = given.value
    if not isinstance(text, str):
        text = json.dumps(text)
    document = parse_document(text, file="f", app=given.app)
    if document.kind is DocumentKind.EMPTY_LIST:
        return replace(document, kind=DocumentKind(given.option))
    return document


def messy_organization(choose: random.Random) -> Messy:
    """Draw an organization, leave out some of what documents say of it, and add lies."""
    maker = _Maker(choose)
    given = maker.app_lists()
    given += maker.machine_lists()
    given += maker.address_lists()
    for _ in range(choose.choice((0, 0, 1, 1, 2, 3))):
        given.append(maker.lie())
    choose.shuffle(given)
    return Messy(given, maker.book())


def questions(choose: random.Random) -> tuple[End, End]:
    """Draw a source and a target of each kind."""
    return end(choose), end(choose)


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


class _Maker:
    """What is true of an organization, and documents that say it."""

    def __init__(self, choose: random.Random) -> None:
        self._choose = choose
        ids = choose.sample(IDS, len(NAMES))
        if 0 in ids and self._often(0.7):  # an organization with ID 0 is the exception
            ids = choose.sample(IDS[:3], len(NAMES))
        self._id_of = dict(zip(NAMES, ids, strict=True))
        self._apps = choose.sample(APPS, choose.randint(1, len(APPS)))
        self._network_of = {app: choose.choice(NAMES) for app in self._apps}
        self._machines: dict[str, list[tuple[str, Address]]] = {app: [] for app in self._apps}
        self._allocated: dict[str, list[Address]] = {app: [] for app in self._apps}
        self._taken: set[Address] = set()
        number = 0
        for app in self._apps:
            for _ in range(choose.choice((0, 1, 1, 2))):
                number += 1
                self._add_machine(app, f"m{number}")
            if self._often(0.4):
                self._add_allocated(app)

    def _often(self, chance: float) -> bool:
        return self._choose.random() < chance

    def _add_machine(self, app: str, id_: str) -> None:
        network_id = NetworkID(self._id_of[self._network_of[app]])
        free = Address.build(network_id, self._choose.choice(RESTS))
        if free not in self._taken:
            self._taken.add(free)
            self._machines[app].append((id_, free))

    def _add_allocated(self, app: str) -> None:
        clients = self._id_of[self._choose.choice(NAMES)]
        free = Address.build(NetworkID(clients), self._choose.choice(RESTS))
        if free not in self._taken:
            self._taken.add(free)
            self._allocated[app].append(free)

    # --- app lists --------------------------------------------------------------------------------

    def app_lists(self) -> list[Given]:
        """Return app lists of all apps, of some, or none."""
        rows = list(self._network_of.items())
        self._choose.shuffle(rows)
        if self._often(0.15):
            return []
        if self._often(0.25):
            rows = rows[: self._choose.randint(0, len(rows))]
        if self._often(0.25):
            cut = self._choose.randint(0, len(rows))
            return [self._app_list(rows[:cut]), self._app_list(rows[cut:])]
        return [self._app_list(rows)]

    def _app_list(self, rows: list[tuple[str, str]]) -> Given:
        shape = self._choose.choice(("api", "api", "tool", "tool", "old tool", "alone"))
        if shape == "alone" and len(rows) == 1:
            app, network = rows[0]
            row = self._app_row(app, network, {"Status": "deployed"})
            return Given(row, None, "app-list")
        written: list[Any] = []
        for app, network in rows:
            if shape == "old tool":
                written.append(self._cased({"Name": app, "Network": "", "Status": "x"}))
            else:
                written.append(self._app_row(app, network))
        if written and self._often(0.05):
            written.append(self._choose.choice(({"Name": 5, "Network": "blue"}, {"Network": "x"})))
        if shape != "api":
            return Given(written, None, "app-list")
        value: dict[str, Any] = {self._choose.choice(("apps", "Apps")): written or None}
        if self._often(0.7):
            total = len(written)
            value["total_apps"] = total
            if self._often(0.1):
                value["total_apps"] = self._choose.choice((total + 1, total - 1, str(total)))
        return Given(value, None, "app-list")

    def _app_row(
        self, app: str, network: str, extra: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        row: dict[str, Any] = {"name": app, "network": network, **(extra or {})}
        if network == "default" and self._often(0.5):
            row["network"] = self._choose.choice(("", None))
        if self._often(0.03):
            row["network"] = INVALID_NAME
        if self._often(0.3):
            count = len(self._machines.get(app, ()))
            row["machine_count"] = self._choose.choice((count, count, count, str(count), 0))
        return self._cased(row)

    def _cased(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row with its keys in another case."""
        case = self._choose.choice((str, str.lower, str.title, str.upper))
        return {case(key): value for key, value in row.items()}

    # --- Machine lists ----------------------------------------------------------------------------

    def machine_lists(self) -> list[Given]:
        """Return a Machine list of most apps; one may be of an app that no app list has."""
        shown = [app for app in self._apps if self._often(0.7)]
        given = [self._machine_list(app, self._machines[app]) for app in shown]
        if self._often(0.15):
            rows = [("m9", address(self._choose))] * self._choose.randrange(2)
            given.append(self._machine_list("ghost", rows))
        return given

    def _machine_list(self, app: str, machines: list[tuple[str, Address]]) -> Given:
        rows: list[Any] = [{"id": id_, "private_ip": str(each)} for id_, each in machines]
        if rows and self._often(0.1):
            rows.pop()
        shape = self._choose.choice(("list", "list", "status", "instances", "one"))
        if shape == "instances" and rows:
            entries = [f"instance={row['id']},app={app},ip={row['private_ip']}" for row in rows]
            return Given(";".join(entries), None, "machine-list")
        if shape == "one" and rows:
            return Given(rows[0], app, "machine-list")
        if self._often(0.15):
            rows.append({"id": self._choose.choice(("m7", "m8")), "state": "created"})
        self._add_states(rows)
        if rows and self._often(0.05):
            rows.append({"id": "m10", "private_ip": "fdaa::g"})
        rows = [self._cased(row) for row in rows]
        if shape == "status":
            status: dict[str, Any] = {"Name": app, "Machines": rows}
            if self._often(0.5):
                status["Network"] = self._choose.choice((self._network_of.get(app, ""), ""))
            return Given(self._cased(status), None, "machine-list")
        if self._often(0.1):
            return Given(rows, None, "machine-list")
        return Given(rows, app, "machine-list")

    def _add_states(self, rows: list[Any]) -> None:
        """Add states to most lists; in some, no Machine is started."""
        states: tuple[object, ...] = ("started", "started", "started", "stopped", None, 5)
        if self._often(0.3):
            states = ("stopped", "stopped", "suspended")
        if self._often(0.4):
            return
        for row in rows:
            state = self._choose.choice(states)
            if state is not None:
                row.setdefault("state", state)

    # --- address lists ----------------------------------------------------------------------------

    def address_lists(self) -> list[Given]:
        """Return the address lists of most apps that have such addresses, or of all apps."""
        shown = []
        has_all = self._often(0.4)
        for app in self._apps:
            chance = 0.15  # of an empty list
            if self._allocated[app]:
                chance = 0.7
            if has_all:
                chance = 1
            if self._often(chance):
                shown.append(app)
        return [self._address_list(app, self._allocated[app]) for app in shown]

    def _address_list(self, app: str, allocated: list[Address]) -> Given:
        names = {network_id: name for name, network_id in self._id_of.items()}
        rows: list[Any] = []
        for each in allocated:
            row: dict[str, Any] = {"Address": str(each)}
            if self._often(0.4):
                row["Network"] = {"Name": names[int(each.network_id)]}
            rows.append(row)
        if self._often(0.2):
            rows.append({"Address": "2001:db8::1"})
        owner: str | None = app
        if self._often(0.1):
            owner = None
        shape = self._choose.choice(("tool", "api", "texts"))
        if shape == "texts":
            return Given([row["Address"] for row in rows], owner, "address-list")
        if shape == "api":
            ips = []
            for row in rows:
                ip = {"ip": row["Address"]}
                if "Network" in row:
                    ip["network"] = row["Network"]
                ips.append(ip)
            return Given({"ips": ips}, owner, "address-list")
        return Given([self._cased(row) for row in rows], owner, "address-list")

    # --- lies, and the book -----------------------------------------------------------------------

    def lie(self) -> Given:
        """Return a document that may contradict the others."""
        choose = self._choose
        app = choose.choice((*APPS, "ghost"))
        kind = choose.randrange(5)
        if kind == 0:
            network = choose.choice((*NAMES, INVALID_NAME))
            return Given([{"Name": app, "Network": network}], None, "app-list")
        if kind == 1:
            id_ = choose.choice(("m1", "m2", "m3", "m11", "web"))
            row = {"id": id_, "private_ip": str(self._known_address())}
            self._add_states([row])
            return Given([row], choose.choice((app, app, None)), "machine-list")
        if kind == 2:
            row = {"Address": str(self._known_address())}
            return Given([row], choose.choice((app, app, None)), "address-list")
        named = {
            "Address": str(self._known_address()),
            "Network": {"Name": choose.choice((*NAMES, "green", INVALID_NAME, ""))},
        }
        return Given([named], choose.choice((app, app, None)), "address-list")

    def _known_address(self) -> Address:
        if self._taken and self._often(0.5):
            return self._choose.choice(sorted(self._taken))
        return address(self._choose)

    def book(self) -> list[InBook]:
        """Return what a book learned earlier: some of it true, some not."""
        rows: list[InBook] = []
        if self._often(0.6):
            return rows
        for name, number in self._id_of.items():
            if self._often(0.5):
                continue
            network_id = NetworkID(number)
            if self._often(0.1):
                network_id = NetworkID(0x99)
            app = self._choose.choice((*APPS, "gone", None))
            learned = Address.build(network_id, self._choose.choice(RESTS))
            if app is not None and self._often(0.7):
                rows.append(InBook(name, network_id, app, str(learned)))
            else:
                rows.append(InBook(name, network_id, app, None))
        if len({row.network_id for row in rows}) < len(rows):
            return rows[:1]
        return rows
