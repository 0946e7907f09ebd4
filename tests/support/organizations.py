"""Messy organizations to draw, and the writer of their documents, in every shape of the product.

What documents say of one is incomplete and contradictory (`messy_organization`). True ones are in
`fdaa.strategies`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypothesis import settings
from slow_documents import Given, InBook
from slow_reach import Oracle

from fdaa import Address, NetworkID, NetworkName
from fdaa.networks import Document, DocumentKind, NetworkMap, parse_document

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from typing import TypeAlias

End: TypeAlias = Address | NetworkID | NetworkName | str  # what a verdict is asked about

# The fast profile makes a third of its examples of whole organizations, which are costly to draw.
_default = settings.default or settings()
_examples = _default.max_examples
if _examples < 100:
    _examples //= 3
fewer = settings(max_examples=_examples)


def parse(value: Any, app: str | None = None, file: str = "f") -> Document:
    """Parse a document, given as its bytes or as a JSON value; an empty list is a Machine list."""
    data = value
    if not isinstance(value, bytes):
        data = json.dumps(value).encode()
    document = parse_document(data, file=file, app=app)
    if document.kind is DocumentKind.EMPTY_LIST:
        return replace(document, kind=DocumentKind.MACHINE_LIST)
    return document


# --- the writer -----------------------------------------------------------------------------------


class Writer:
    """Writes documents in shapes that it draws; `SHAPES` of the product has a row for each.

    Args:
        choose: what it draws from.
    """

    def __init__(self, choose: random.Random) -> None:
        self._choose = choose

    def _often(self, chance: float) -> bool:
        return self._choose.random() < chance

    def _cased(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row with its keys in another case."""
        case = self._choose.choice((str, str.lower, str.title, str.upper))
        return {case(key): value for key, value in row.items()}

    # --- app lists --------------------------------------------------------------------------------

    def app_lists(
        self, rows: list[tuple[str, str]], counts: dict[str, int] | None = None
    ) -> list[Given]:
        """Return app lists of apps with their networks, and with numbers of Machines.

        A messy one has all of the apps, some or none.
        """
        rows = self._choose.sample(rows, len(rows))
        if self._often(0.15):
            return []
        if self._often(0.25):
            rows = rows[: self._choose.randint(0, len(rows))]
        parts = [rows]
        if self._often(0.25):
            cut = self._choose.randint(0, len(rows))
            parts = [rows[:cut], rows[cut:]]
        return [self.app_list(part, counts) for part in parts]

    def app_list(self, rows: list[tuple[str, str]], counts: dict[str, int] | None = None) -> Given:
        """Return an app list; one of an old tool names no network."""
        shape = self._choose.choice(("api", "api", "tool", "tool", "old tool", "alone"))
        if shape == "alone" and len(rows) == 1:
            app, network = rows[0]
            row = self._app_row(app, network, counts, {"Status": "deployed"})
            return Given(row, None, "app-list", "app list of the command-line tool")
        written: list[Any] = []
        for app, network in rows:
            if shape == "old tool":
                written.append(self._cased({"Name": app, "Network": "", "Status": "x"}))
            else:
                written.append(self._app_row(app, network, counts))
        if written and self._often(0.05):
            written.append(self._choose.choice(({"Name": 5, "Network": "blue"}, {"Network": "x"})))
        if shape == "api":
            return self._api_list(written)
        return Given(written, None, "app-list", "app list of the command-line tool")

    def _api_list(self, written: list[Any]) -> Given:
        value: dict[str, Any] = {self._choose.choice(("apps", "Apps")): written or None}
        if self._often(0.7):
            total = len(written)
            value["total_apps"] = total
            if self._often(0.1):
                value["total_apps"] = self._choose.choice((total + 1, total - 1, str(total)))
        return Given(value, None, "app-list", "app list of the API")

    def _app_row(
        self,
        app: str,
        network: str,
        counts: dict[str, int] | None,
        extra: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        row: dict[str, Any] = {"name": app, "network": network, "new": [1, {}], **(extra or {})}
        if network == "default" and self._often(0.5):
            row["network"] = self._choose.choice(("", None))
        if self._often(0.03):
            row["network"] = INVALID_NAME
        if counts is not None and self._often(0.3):
            count = counts[app]
            row["machine_count"] = self._choose.choice((count, count, count, str(count), 0))
        return self._cased(row)

    # --- Machine lists ----------------------------------------------------------------------------

    def machine_list(
        self, app: str, machines: list[tuple[str, Address]], network: str = ""
    ) -> Given:
        """Return a Machine list of an app, whose network a status document may name."""
        rows: list[Any] = [{"id": id_, "private_ip": str(each)} for id_, each in machines]
        if rows and self._often(0.1):
            rows.pop()
        shape = self._choose.choice(("list", "list", "status", "instances", "one"))
        if shape == "instances" and rows:
            entries = [f"instance={row['id']},app={app},ip={row['private_ip']}" for row in rows]
            return Given(";".join(entries), None, "machine-list", "instance list")
        if shape == "one" and rows:
            return Given(rows[0], app, "machine-list", "Machine list")
        if self._often(0.15):
            rows.append({"id": self._choose.choice(("m7", "m8")), "state": "created"})
        self.add_states(rows)
        if rows and self._often(0.05):
            rows.append({"id": "m10", "private_ip": "fdaa::g"})
        rows = [self._cased(row) for row in rows]
        if shape == "status":
            status: dict[str, Any] = {"Name": app, "Machines": rows}
            if self._often(0.5):
                status["Network"] = self._choose.choice((network, ""))
            return Given(self._cased(status), None, "machine-list", "status document")
        if self._often(0.1):
            return Given(rows, None, "machine-list", "Machine list")
        return Given(rows, app, "machine-list", "Machine list")

    def add_states(self, rows: list[Any]) -> None:
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

    def address_list(self, app: str, allocated: Sequence[tuple[Address, str | None]]) -> Given:
        """Return the address list of an app, each address with the name of its clients' network."""
        rows: list[Any] = []
        for each, name in allocated:
            row: dict[str, Any] = {"Address": str(each)}
            if name is not None and self._often(0.4):
                row["Network"] = {"Name": name}
            rows.append(row)
        if self._often(0.2):
            rows.append({"Address": "2001:db8::1"})
        owner: str | None = app
        if self._often(0.1):
            owner = None
        shape = self._choose.choice(("tool", "api", "texts"))
        if shape == "texts":
            texts = [row["Address"] for row in rows]
            return Given(texts, owner, "address-list", "addresses as texts")
        if shape == "api":
            ips = []
            for row in rows:
                ip = {"ip": row["Address"]}
                if "Network" in row:
                    ip["network"] = row["Network"]
                ips.append(ip)
            return Given({"ips": ips}, owner, "address-list", "address list with `ips`")
        rows = [self._cased(row) for row in rows]
        return Given(rows, owner, "address-list", "address list of the command-line tool")


def as_document(given: Given) -> Document:
    """Parse a document; an empty list is of the kind that its option takes."""
    text = given.value
    if not isinstance(text, str):
        text = json.dumps(text)
    document = parse_document(text, file="f", app=given.app)
    if document.kind is DocumentKind.EMPTY_LIST:
        return replace(document, kind=DocumentKind(given.option))
    return document


# --- messy organizations --------------------------------------------------------------------------

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
        lines = {
            row.name: {"network_id": str(row.network_id), "app": row.app, "address": row.address}
            for row in self.book
        }
        text = json.dumps({"fdaa_networks": 1, "networks": lines})
        saved = parse_document(text, file="networks.json")
        return NetworkMap([*map(as_document, self.given), saved])


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
        self._writer = Writer(choose)
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

    # --- what is true, mostly ---------------------------------------------------------------------

    def app_lists(self) -> list[Given]:
        counts = {app: len(machines) for app, machines in self._machines.items()}
        return self._writer.app_lists(list(self._network_of.items()), counts)

    def machine_lists(self) -> list[Given]:
        """Return a Machine list of most apps; one may be of an app that no app list has."""
        given = []
        for app in self._apps:
            if self._often(0.7):
                network = self._network_of[app]
                given.append(self._writer.machine_list(app, self._machines[app], network))
        if self._often(0.15):
            rows = [("m9", address(self._choose))] * self._choose.randrange(2)
            given.append(self._writer.machine_list("ghost", rows))
        return given

    def address_lists(self) -> list[Given]:
        """Return the address lists of most apps that have such addresses, or of all apps."""
        names = {network_id: name for name, network_id in self._id_of.items()}
        given = []
        has_all = self._often(0.4)
        for app in self._apps:
            chance = 0.15  # of an empty list
            if self._allocated[app]:
                chance = 0.7
            if has_all:
                chance = 1
            if self._often(chance):
                rows = [(each, names[int(each.network_id)]) for each in self._allocated[app]]
                given.append(self._writer.address_list(app, rows))
        return given

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
            self._writer.add_states([row])
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
