"""What documents hold, as small values that know where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple, overload

from fdaa.address import Address
from fdaa.errors import quote
from fdaa.networks._evidence import Source

if TYPE_CHECKING:
    from collections.abc import Iterator


class Problem(NamedTuple):
    """Something in a document that could not be used, and where it stands."""

    file: str
    place: str
    reason: str

    def to_json(self) -> dict[str, object]:
        """Return the problem as what `json.dumps` takes."""
        return {"kind": "problem", "file": self.file, "place": self.place, "reason": self.reason}


class App(NamedTuple):
    """A row of an app list.

    Args:
        name: the app's name.
        network: its network's name as the document has it, `default` where it has none. Whether
            it keeps the name rules is not looked at here.
        document: where it stands.
        row: the row's index, from 0.
    """

    name: str
    network: str
    document: Document
    row: int

    @property
    def source(self) -> Source:
        """Where the network's name stands."""
        return self.document.source(self.row)


class Machine(NamedTuple):
    """A Machine that a document gives an address of.

    Args:
        id: the Machine's identifier.
        app: the app it belongs to, or None where neither the document nor the caller told.
        packed: its address, 16 bytes.
        network_id: the network ID in it, as a number.
        document: where it stands.
        row: the row's index, from 0.
    """

    id: str
    app: str | None
    packed: bytes
    network_id: int
    document: Document
    row: int

    @property
    def address(self) -> Address:
        """Its private address."""
        return Address.from_bytes(self.packed)

    @property
    def source(self) -> Source:
        """Where the address stands."""
        return self.document.source(self.row)


# As Machine(...) does, in half the time.
_new_machine = partial(tuple.__new__, Machine)


class Machines(Sequence[Machine]):
    """The Machines of a document, held by the column: records are made when they are asked for.

    Attributes:
        document: where they stand.
        ids, packed, network_ids, rows: what `Machine` has under these names, of each Machine; `row`
            in the last.
        apps: the app of each Machine, or None where the document is of one app.
    """

    __slots__ = ("apps", "document", "ids", "network_ids", "packed", "rows")

    def __init__(self, document: Document) -> None:
        self.document = document
        self.ids: Sequence[str] = []
        self.packed: Sequence[bytes] = []
        self.network_ids: Sequence[int] = []
        self.rows: Sequence[int] = []
        self.apps: list[str] | None = None

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, at: int) -> Machine: ...
    @overload
    def __getitem__(self, at: slice) -> list[Machine]: ...
    def __getitem__(self, at: int | slice) -> Machine | list[Machine]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        document = self.document
        app = document.app if self.apps is None else self.apps[at]
        ids, rows = self.ids, self.rows
        return _new_machine(
            (ids[at], app, self.packed[at], self.network_ids[at], document, rows[at])
        )

    def __iter__(self) -> Iterator[Machine]:
        document = self.document
        apps = repeat(document.app) if self.apps is None else self.apps
        return map(
            _new_machine,
            zip(  # the columns are of one length
                self.ids, apps, self.packed, self.network_ids, repeat(document), self.rows
            ),
        )


class AllocatedAddress(NamedTuple):
    """A private address that is allocated to an app for cross-network access.

    Its ID is the network that the requests come from; of the network that its app is on it says
    nothing (specification, Networking rules, 3).

    Args:
        app: the app it is allocated to, or None where the caller did not tell.
        packed: the address, 16 bytes.
        network_id: the network ID in it, as a number.
        stated: the network's name beside it, in documents of newer tools; shown, never relied on.
        document: where it stands.
        row: the row's index, from 0.
    """

    app: str | None
    packed: bytes
    network_id: int
    stated: str | None
    document: Document
    row: int

    @property
    def address(self) -> Address:
        """The address."""
        return Address.from_bytes(self.packed)

    @property
    def source(self) -> Source:
        """Where the address stands."""
        return self.document.source(self.row)


class Document:
    """What one document holds.

    Attributes:
        file: its name.
        kind: as the table in `fdaa.networks._documents` names it.
        app: the app that all of it is about, or None.
        field: the field of a row that its fact stands in.
        rows: how many rows it has, the ones left out among them.
        left_out: how many rows could not be used.
        apps, machines, addresses: its records.
        unaddressed: the identifiers of Machines that have no address yet.
        public: the public addresses in an address list.
        total: how many rows an app list says it has, where that is another number.
        problems: what could not be used.
    """

    __slots__ = (
        *("file", "kind", "app", "rows", "left_out", "apps", "machines", "addresses", "public"),
        *("problems", "_rows_at", "field", "total", "unaddressed"),
    )

    def __init__(self, file: str, kind: str, app: str | None, rows_at: str, field: str) -> None:
        self.file = file
        self.kind = kind
        self.app = app
        self.rows = 0
        self.total: int | None = None
        self.left_out = 0
        # Most documents hold one kind of record: the empty tuple is shared, a list would not be.
        self.apps: Sequence[App] = ()
        self.machines: Machines | tuple[()] = ()
        self.unaddressed: Sequence[str] = ()
        self.addresses: Sequence[AllocatedAddress] = ()
        self.public: Sequence[str] = ()
        self.problems: Sequence[Problem] = ()
        self._rows_at = rows_at
        self.field = field

    def source(self, row: int) -> Source:
        """Return where the fact in a row stands."""
        return Source(self.file, f"{self._rows_at}[{row}].{self.field}")

    def __repr__(self) -> str:
        return f"<Document {self.kind} {quote(self.file)}, {self.rows} rows>"

    def leave_out(self, row: int, field: str, reason: str) -> None:
        """Keep why a row cannot be used."""
        place = f"{self._rows_at}[{row}]" + (f".{field}" if field else "")
        self.report(place, reason)
        self.left_out += 1

    def report(self, place: str, reason: str) -> None:
        """Keep what is wrong at a place."""
        if not isinstance(self.problems, list):
            self.problems = []
        self.problems.append(Problem(self.file, place, reason))
