"""The rows of the platform's documents to records, one by one: a bad one never hides the next.

Keys are read in any case. An error says the place as the document writes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fdaa.address import Address
from fdaa.errors import AddressError, quote
from fdaa.network_name import DEFAULT_NETWORK
from fdaa.networks._model import AllocatedAddress, App, Document, Machine, Origin, Problem

if TYPE_CHECKING:
    from collections.abc import Callable
    from ipaddress import IPv4Address, IPv6Address

    from fdaa.networks._model import DocumentKind

MAX_PROBLEMS = 100  # of one document that are kept with their places; the others are counted

_SILENT = (
    "no app in it has a network, so the networks are unknown; use the answer of "
    "GET /v1/apps?org_slug=ORG, or the app list of a newer version of the tool"
)


class RowError(Exception):
    """A row that cannot be used: the key of the field that is wrong, and what is wrong with it."""

    def __init__(self, key: str, reason: str) -> None:
        self.key = key
        self.reason = reason


_NAMES = {bool: "true or false", int: "a number", float: "a number with a point", list: "an array"}


def named(value: object) -> str:
    """Say what a JSON value is, in JSON's words."""
    if value is None:
        return "null, or missing"
    if isinstance(value, str):
        return quote(value) if value else "empty"
    return _NAMES.get(type(value), "an object")


class Field(NamedTuple):
    """A field of an object: its key as the document writes it, and its value."""

    key: str
    value: object = None


def fields_of(row: object, wanted: frozenset[str]) -> dict[str, Field]:
    """Return the fields that are wanted, by their names in lower case.

    Raises:
        RowError: the row is no object, or has a field twice, in different case.
    """
    if not isinstance(row, dict):
        raise RowError("", f"it must be an object, not {named(row)}")
    found: dict[str, Field] = {}
    for key, value in row.items():
        name = key.lower()
        if name in wanted:
            if name in found:
                raise RowError(key, f"it is there as {quote(found[name].key)} too")
            found[name] = Field(key, value)
    return found


class Reading:
    """What was read of one document so far.

    Args:
        file, kind, app: as `Document` has them.
        where: the key of the array of rows; empty where the document is that array, and None where
            it is one row alone.
    """

    def __init__(
        self, file: str, kind: DocumentKind, app: str | None, where: str | None = ""
    ) -> None:
        self.file = file
        self.kind = kind
        self.app = app
        self.apps: list[App] = []
        self.machines: list[Machine] = []
        self.allocated: list[AllocatedAddress] = []
        self.public: list[str] = []
        self.total: int | None = None
        self.left_out = 0
        self._where = where
        self._problems: list[Problem] = []

    def each(self, rows: list[object], read: Callable[[Reading, str, object], None]) -> None:
        """Read each row, and keep why one cannot be used; `rows` is empty afterwards."""
        rows.reverse()
        for i in range(len(rows)):
            place = "" if self._where is None else f"{self._where}[{i}]"
            try:
                read(self, place, rows.pop())  # its record takes its place in memory
            except RowError as error:
                self.leave_out(place, error)

    def origin(self, place: str, key: str) -> Origin:
        """Return where the field of a row is."""
        return Origin(self.file, f"{place}.{key}" if place and key else place or key)

    def leave_out(self, place: str, error: RowError) -> None:
        """Count a row that cannot be used; of very many only the first ones are kept."""
        self.left_out += 1
        if self.left_out <= MAX_PROBLEMS:
            self.add_problem(self.origin(place, error.key).place, error.reason)

    def add_problem(self, place: str, reason: str) -> None:
        """Keep what is wrong at a place."""
        self._problems.append(Problem(self.file, place, reason))

    def document(self) -> Document:
        """Return what was read."""
        if (more := self.left_out - MAX_PROBLEMS) > 0:
            counted = Problem(self.file, "", f"{more} more rows cannot be used")
            self._problems.insert(MAX_PROBLEMS, counted)
        return Document(
            self.file,
            self.kind,
            self.app,
            tuple(self.apps),
            tuple(self.machines),
            tuple(self.allocated),
            tuple(self.public),
            tuple(self._problems),
            self.left_out,
            self.total,
        )


# --- one kind of row after the other --------------------------------------------------------------

_APP = frozenset(("name", "network", "machine_count"))
_MACHINE = frozenset(("id", "private_ip"))
_ADDRESS = frozenset(("address", "ip", "type", "network"))


def read_apps(reading: Reading, rows: list[object], *, is_api: bool) -> None:
    """Read the rows of an app list.

    In the API's list a missing network is `default`. The command-line tool prints the default
    network as an empty text; its older versions print that for every app, as they never ask for it.
    """
    reading.each(rows, _read_app)
    if is_api or any(app.network is not None for app in reading.apps):
        default = str(DEFAULT_NETWORK)
        reading.apps = [app._replace(network=app.network or default) for app in reading.apps]
    elif reading.apps:
        reading.add_problem("", _SILENT)


def _read_app(reading: Reading, place: str, row: object) -> None:
    fields = fields_of(row, _APP)
    key, name = _text(fields, "name", "the app's name")
    field = fields.get("network", Field("network" if key.islower() else "Network"))
    count = fields.get("machine_count", Field("")).value
    number = count if isinstance(count, int) and not isinstance(count, bool) else None
    origin = reading.origin(place, field.key)
    reading.apps.append(App(name, network_name(field), origin, number))


def network_name(field: Field) -> str | None:
    """Return the network's name in a field, or None where it is missing or empty."""
    key, value = field
    if value is not None and not isinstance(value, str):
        raise RowError(key, f"it must be the network's name, not {named(value)}")
    return value or None


def _text(fields: dict[str, Field], name: str, what: str) -> tuple[str, str]:
    """Return the key and the text of a field that must have one."""
    key, value = fields.get(name, Field(name))
    if not isinstance(value, str) or not value:
        raise RowError(key, f"it must be {what}, not {named(value)}")
    return key, value


def read_machine(reading: Reading, place: str, row: object) -> None:
    """Read a row of a Machine list; a Machine that is new has no address yet."""
    fields = fields_of(row, _MACHINE)
    _, id_ = _text(fields, "id", "the Machine's identifier")
    field = fields.get("private_ip", Field("private_ip"))
    address = None if field.value is None or field.value == "" else private_address(field)
    reading.machines.append(Machine(id_, reading.app, address, reading.origin(place, field.key)))


def private_address(field: Field) -> Address:
    """Return the private address in a field."""
    key, value = field
    if not isinstance(value, str):
        raise RowError(key, f"it must be an address, not {named(value)}")
    try:
        return Address.parse(value)
    except AddressError as error:
        raise RowError(key, str(error)) from None


def read_address(reading: Reading, place: str, row: object) -> None:
    """Read a row of an address list: an object, or the address alone."""
    fields = {"ip": Field("", row)} if isinstance(row, str) else fields_of(row, _ADDRESS)
    field = fields.get("address") or fields.get("ip") or Field("address")
    is_private = fields.get("type", Field("")).value == "private_v6"
    if not is_private and (ip := ip_of(field.value)) is not None and _is_public(ip):
        reading.public.append(str(field.value))
        return
    address, origin = private_address(field), reading.origin(place, field.key)
    network = fields.get("network", Field("")).value  # newer tools: "Network": {"Name": ...}
    name = fields_of(network, _APP).get("name") if isinstance(network, dict) else None
    stated = name.value if name and isinstance(name.value, str) else None
    reading.allocated.append(AllocatedAddress(reading.app, address, stated, origin))


def ip_of(value: object) -> IPv4Address | IPv6Address | None:
    """Return the IP address in a text, of any kind and without a zone, or None."""
    import ipaddress  # late, as in the core: address lists only need it, and it takes a while

    if not isinstance(value, str) or "%" in value:
        return None
    try:
        return ipaddress.ip_address(value)
    except ValueError:
        return None


_GLOBAL_UNICAST = range(0x20, 0x40)  # the first byte in 2000::/3 (RFC 4291, section 2.4)
_OF_EXAMPLES = ("192.0.2.", "198.51.100.", "203.0.113.")  # RFC 5737: as public ones in documents


def _is_public(ip: IPv4Address | IPv6Address) -> bool:
    if ip.version == 6:
        return ip.packed[0] in _GLOBAL_UNICAST
    return (ip.is_global and not ip.is_multicast) or str(ip).startswith(_OF_EXAMPLES)
