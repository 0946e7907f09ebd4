"""From the rows of the platform's documents to records; a bad row does not stop the others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from fdaa._escapes import quote
from fdaa.address import Address
from fdaa.errors import AddressError
from fdaa.network_name import DEFAULT_NETWORK
from fdaa.networks._errors import DocumentError
from fdaa.networks._model import (
    AllocatedAddress,
    App,
    Document,
    DocumentKind,
    Machine,
    Origin,
    Problem,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from ipaddress import IPv4Address, IPv6Address

    _T = TypeVar("_T", str, int)
    _Record: TypeAlias = App | Machine | AllocatedAddress | str  # a public address is a text

MAX_PROBLEMS = 100  # of one document that are kept with their places; the others are counted

_NO_NETWORKS = (
    "no app in it has a network, so the networks are unknown; use the response to "
    "GET /v1/apps?org_slug=ORG, or the app list of a newer version of the tool"
)


class RowError(DocumentError):
    """A row that cannot be used, and why."""

    def __init__(self, origin: Origin, reason: str) -> None:
        super().__init__(origin.file, f"{origin.place}: {reason}")
        self.problem = Problem(*origin, reason)


_NAMES = {bool: "true or false", int: "a number", float: "a fractional number", list: "an array"}


def json_kind(value: object) -> str:
    """Describe a JSON value in JSON's words."""
    if value is None:
        return "null or missing"
    if isinstance(value, str):
        return quote(value) if value else "empty"
    return _NAMES.get(type(value), "an object")


# All keys that are read; other keys are ignored, whatever their case.
_FIELDS = {"name", "network", "id", "machine_count", "volume_count"}  # of an app
_FIELDS |= {"private_ip", "address", "ip", "instance", "app", "region"}  # of Machines, addresses
_FIELDS |= {"total_apps", "apps", "machines", "ips"}  # of a document


class Row:
    """An object of a document, its keys in any case.

    Args:
        value: the parsed JSON.
        file: the name of the document, for errors and origins.
        place: its place in the document; errors and origins add the key as the document has it.

    Raises:
        RowError: it is not an object, or has a field in two keys that differ only in case.
    """

    __slots__ = ("_file", "_keys", "_place", "_value")

    def __init__(self, value: object, file: str, place: str = "") -> None:
        self._file, self._place = file, place
        if not isinstance(value, dict):
            raise RowError(Origin(file, place), f"it must be an object, not {json_kind(value)}")
        self._value = value
        self._keys = {key.lower(): key for key in value}
        if len(self._keys) < len(value):
            for key in value:
                if key.lower() in _FIELDS and self.key(key.lower()) != key:
                    reason = f"{quote(key)} is present, too; keep one of them"
                    raise RowError(self.origin(key.lower()), reason)

    def __contains__(self, name: str) -> bool:
        return name in self._keys

    def key(self, name: str) -> str:
        """Return a field's key as the document has it."""
        key: str = self._keys.get(name, name)
        return key

    def get(self, name: str) -> object:
        """Return the value of a field, or None."""
        return self._value.get(self.key(name))

    def get_if(self, kind: type[_T], name: str) -> _T | None:
        """Return the value of a field if it is of this type, else None."""
        value = self.get(name)
        return value if isinstance(value, kind) and not isinstance(value, bool) else None

    def origin(self, name: str) -> Origin:
        """Return the place of a field."""
        return Origin(self._file, f"{self._place}.{self.key(name)}".strip("."))

    def error(self, name: str, expected: str) -> RowError:
        """Return the error of a field with an invalid value."""
        reason = f"it must be {expected}, not {json_kind(self.get(name))}"
        return RowError(self.origin(name), reason)

    def text(self, name: str, expected: str) -> str:
        """Return a required text."""
        value = self.get(name)
        if not isinstance(value, str) or not value:
            raise self.error(name, expected)
        return value

    def network(self) -> str | None:
        """Return the network's name, or None where it is missing or empty."""
        value = self.get("network")
        if value is not None and not isinstance(value, str):
            raise self.error("network", "the network's name")
        return value or None

    def address(self, name: str) -> Address:
        """Return a private address."""
        try:
            return Address(self.text(name, "an address"))
        except AddressError as error:
            raise RowError(self.origin(name), str(error)) from None


def read_rows(
    document: Document,
    rows: list[object],
    read: Callable[[object, Document, str], _Record],
    where: str | None = "",
) -> Document:
    """Return a document with the records of its rows, and the reasons why some cannot be used.

    Args:
        document: the part that is already read.
        rows: the list is emptied while it is read, so that rows and records are not in memory
            together.
        read: returns the record of a row, which is given with the document and its place in it.
        where: the key of the array of rows; empty if the document is that array, None if it is a
            single row.
    """
    records: list[_Record] = []
    problems: list[Problem] = []
    left_out = 0
    rows.reverse()
    for i in range(len(rows)):
        try:
            records.append(read(rows.pop(), document, "" if where is None else f"{where}[{i}]"))
        except RowError as error:
            left_out += 1
            if left_out <= MAX_PROBLEMS:
                problems.append(error.problem)
    if left_out > MAX_PROBLEMS:
        reason = f"{left_out - MAX_PROBLEMS} more rows cannot be used"
        problems.append(Problem(document.file, "", reason))
    return Document(
        document.file,
        document.kind,
        document.app,
        apps=tuple(row for row in records if isinstance(row, App)),
        machines=tuple(row for row in records if isinstance(row, Machine)),
        allocated=tuple(row for row in records if isinstance(row, AllocatedAddress)),
        public=tuple(row for row in records if isinstance(row, str)),
        problems=tuple(problems),
        left_out=left_out,
        is_list=where is not None,
    )


# --- one function for each kind of row ------------------------------------------------------------


def read_apps(
    file: str, app: str | None, rows: list[object], where: str | None = "", *, is_api: bool
) -> Document:
    """Return an app list with its rows.

    In the API's list a missing network is `default`. The command-line tool prints the default
    network as an empty text; its older versions print that for every app, because they do not
    request it.
    """
    refuse_app(app, file)
    document = read_rows(Document(file, DocumentKind.APP_LIST), rows, read_app, where)
    if is_api or any(app.network is not None for app in document.apps):
        default = str(DEFAULT_NETWORK)
        apps = tuple(app._replace(network=app.network or default) for app in document.apps)
        return replace(document, apps=apps)
    if not document.apps:
        return document
    return add_problem(document, Problem(file, "", _NO_NETWORKS))


def refuse_app(app: str | None, file: str) -> None:
    """Raise a DocumentError if a document that names its apps is given an app."""
    if app is not None:
        raise DocumentError(file, f"this file already names its apps; drop {quote(app)}")


def add_problem(document: Document, problem: Problem) -> Document:
    """Return a document with one more problem."""
    return replace(document, problems=(*document.problems, problem))


def read_app(value: object, document: Document, place: str) -> App:
    """Return a row of an app list, or the app of a status document."""
    row = Row(value, document.file, place)
    return App(
        row.text("name", "the app's name"),
        row.network(),
        row.origin("network"),
        row.get_if(str, "id") or None,
        row.get_if(int, "machine_count"),
        row.get_if(int, "volume_count"),
    )


def read_machine(value: object, document: Document, place: str) -> Machine:
    """Return a row of a Machine list; a Machine that is new has no address yet."""
    row = Row(value, document.file, place)
    is_new = row.get("private_ip") in (None, "")
    address = None if is_new else row.address("private_ip")
    id_ = row.text("id", "the Machine's identifier")
    return Machine(id_, document.app, address, row.origin("private_ip"))


def read_address(value: object, document: Document, place: str) -> AllocatedAddress | str:
    """Return a row of an address list: an object, or the address alone."""
    row = Row(value if isinstance(value, dict) else {"": value}, document.file, place)
    name = next((name for name in ("address", "ip", "") if name in row), "address")
    ip = ip_of(row.get(name))
    if ip is not None and (ip.version == 4 or ip.packed[0] in _GLOBAL_UNICAST):
        return str(ip)
    network = row.get("network")  # newer tools: "Network": {"Name": ...}
    called = Row(network, document.file).get_if(str, "name") if isinstance(network, dict) else None
    return AllocatedAddress(document.app, row.address(name), called or None, row.origin(name))


_GLOBAL_UNICAST = range(0x20, 0x40)  # the first byte in 2000::/3 (RFC 4291, section 2.4)


def ip_of(value: object) -> IPv4Address | IPv6Address | None:
    """Return the IP address in a text, of any kind and without a zone, or None."""
    import ipaddress  # late, as in the core: only address lists need it, and it is slow

    if not isinstance(value, str) or "%" in value:
        return None
    try:
        return ipaddress.ip_address(value)
    except ValueError:
        return None
