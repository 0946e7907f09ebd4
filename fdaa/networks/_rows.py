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
    from collections.abc import Callable, Iterable
    from ipaddress import IPv4Address, IPv6Address

    from fdaa.networks._model import DocumentKind

MAX_PROBLEMS = 100  # of one document that are kept with their places; the others are counted

_SILENT = (
    "no app in it has a network, so the networks are unknown; use the answer of "
    "GET /v1/apps?org_slug=ORG, or the app list of a newer version of the tool"
)


class RowError(Exception):
    """A row that cannot be used; what is said of it is put together only where it is kept."""

    def __init__(self, field: str, what: str | AddressError, *value: object) -> None:
        self.field = field
        self._what = what
        self._value = value

    def reason(self) -> str:
        """Return what is wrong with the field."""
        return f"{self._what}" + "".join(f", not {named(value)}" for value in self._value)


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
    value: object


def fields_of(row: object, wanted: frozenset[str]) -> dict[str, Field]:
    """Return the fields that are wanted, by their names in lower case.

    Raises:
        RowError: the row is no object, or has a field twice, in different case.
    """
    if not isinstance(row, dict):
        raise RowError("", "it must be an object", row)
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
        self._where = where
        self.left_out = 0
        self._problems: list[Problem] = []

    def each(self, rows: Iterable[object], read: Callable[[Reading, str, object], None]) -> None:
        """Read each row, and keep why one cannot be used."""
        for i, row in enumerate(rows):
            place = "" if self._where is None else f"{self._where}[{i}]"
            try:
                read(self, place, row)
            except RowError as error:
                self.leave_out(place, error)

    def origin(self, place: str, field: str) -> Origin:
        """Return where the field of a row is."""
        return Origin(self.file, f"{place}.{field}" if place and field else place or field)

    def leave_out(self, place: str, error: RowError) -> None:
        """Count a row that cannot be used; of very many only the first ones are kept."""
        self.left_out += 1
        if self.left_out <= MAX_PROBLEMS:
            self.add_problem(self.origin(place, error.field).place, error.reason())

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
    missing = Field("network" if key.islower() else "Network", None)
    field, network = fields.get("network", missing)
    if network is not None and not isinstance(network, str):
        raise RowError(field, "it must be the network's name", network)
    count = fields.get("machine_count", Field("", None)).value
    number = count if isinstance(count, int) and not isinstance(count, bool) else None
    reading.apps.append(App(name, network or None, reading.origin(place, field), number))


def _text(fields: dict[str, Field], name: str, what: str) -> tuple[str, str]:
    """Return the key and the text of a field that must have one."""
    key, value = fields.get(name, (name, None))
    if not isinstance(value, str) or not value:
        raise RowError(key, f"it must be {what}", value)
    return key, value


def read_status_network(reading: Reading, app: str, field: Field) -> None:
    """Read the network's name in a status document, where newer tools write it."""
    if isinstance(field.value, str) and field.value:
        reading.apps.append(App(app, field.value, reading.origin("", field.key)))
    elif field.value is not None and field.value != "":
        reason = f"it must be the network's name, not {named(field.value)}"
        reading.add_problem(field.key, reason)


def read_machine(reading: Reading, place: str, row: object) -> None:
    """Read a row of a Machine list; a Machine that is new has no address yet."""
    fields = fields_of(row, _MACHINE)
    _, id_ = _text(fields, "id", "the Machine's identifier")
    key, value = fields.get("private_ip", ("private_ip", None))
    address = None if value is None or value == "" else private_address(value, key)
    reading.machines.append(Machine(id_, reading.app, address, reading.origin(place, key)))


def private_address(value: object, key: str) -> Address:
    """Return the private address in a field.

    Raises:
        RowError: it is none.
    """
    if not isinstance(value, str):
        raise RowError(key, "it must be an address", value)
    try:
        return Address.parse(value)
    except AddressError as error:
        raise RowError(key, error) from None


def read_address(reading: Reading, place: str, row: object) -> None:
    """Read a row of an address list: an object, or the address alone."""
    fields = {"ip": Field("", row)} if isinstance(row, str) else fields_of(row, _ADDRESS)
    key, value = fields.get("address") or fields.get("ip") or Field("address", None)
    try:
        address = private_address(value, key)
    except RowError:
        is_private = "type" in fields and fields["type"].value == "private_v6"
        ip = ip_of(value)
        if is_private or ip is None:
            raise
        if not _is_public(ip):
            what = "it must be a public address, or a private one of fdaa::/16"
            raise RowError(key, what, value) from None
        reading.public.append(str(value))
        return
    origin = reading.origin(place, key)
    reading.allocated.append(AllocatedAddress(reading.app, address, _stated(fields), origin))


def _stated(fields: dict[str, Field]) -> str | None:
    """Return the network's name beside an address: `"Network": {"Name": ...}` in newer tools."""
    network = fields["network"].value if "network" in fields else None
    for key, value in network.items() if isinstance(network, dict) else ():
        if key.lower() == "name" and isinstance(value, str):
            return value
    return None


_OF_IPS = frozenset("0123456789abcdefABCDEF:.")
_LONGEST_IP = 45


def ip_of(value: object) -> IPv4Address | IPv6Address | None:
    """Return the IP address in a text, of any kind and without a zone, or None."""
    import ipaddress  # late, as in the core: address lists only need it, and it takes a while

    if not isinstance(value, str) or len(value) > _LONGEST_IP or not _OF_IPS.issuperset(value):
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
