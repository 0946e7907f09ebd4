"""From the rows of the platform's documents to records; a bad row does not stop the others."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, TypeAlias

from fdaa._support.escapes import quote
from fdaa._support.json_kinds import KINDS
from fdaa._values.address import Address
from fdaa._values.errors import AddressError, NetworkNameError
from fdaa._values.network_name import NetworkName
from fdaa.networks._model import (
    CrossNetworkAddress,
    Document,
    DocumentKind,
    ListedApp,
    ListedMachine,
    Origin,
    Unused,
    UnusedKind,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    _Public: TypeAlias = IPv4Address | IPv6Address
    _Record: TypeAlias = ListedApp | ListedMachine | CrossNetworkAddress | _Public

MAX_UNUSED = 100  # of one document that are kept with their places; the others are counted


class RowError(Exception):
    """A row that cannot be used, and why; it stays inside `parse_document`."""

    def __init__(self, origin: Origin, reason: str) -> None:
        super().__init__(origin, reason)
        self.reason = f"{origin.place}: {reason}"
        self.unused = Unused(file=origin.file, place=origin.place, reason=reason)


def json_kind(value: object) -> str:
    """Describe a JSON value in JSON's words."""
    if value is None:
        return "null or missing"
    if value == "":
        return "empty"
    if isinstance(value, str):
        return quote(value)
    if type(value) is int and value < 0:
        return "a negative number"
    return KINDS[type(value)]


class Rows:
    """The rows of one document, as records, and what could not be used.

    Args:
        file: its name, for errors and origins.
        app: the app that all of it is about, or None.
    """

    def __init__(self, file: str, app: str | None = None) -> None:
        self.file = file
        self.app = app
        self._apps: list[ListedApp] = []
        self._machines: list[ListedMachine] = []
        self._allocated: list[CrossNetworkAddress] = []
        self._public: list[_Public] = []
        self._unused: list[Unused] = []
        self._more_unused = 0
        self._left_out = 0
        self._names: set[str] = set()  # of networks, which were checked

    def read(
        self,
        values: list[object],
        read: Callable[[Rows, object, str], _Record],
        where: str | None = "",
    ) -> None:
        """Add the record of each row, and the reasons why some cannot be used.

        Args:
            values: the rows. The list is emptied while it is read, so that rows and records are not
                in memory together.
            read: returns the record of a row, which is given with its place in the document.
            where: the key of the array of rows; empty if the document is that array, None if it is
                a single row.
        """
        values.reverse()
        for number in range(len(values)):
            place = "" if where is None else f"{where}[{number}]"
            value = values.pop()
            try:
                pair = _public_pair(value) if read is read_address else []
                if pair:
                    self._public += pair
                else:
                    self._keep(read(self, value, place))
            except RowError as error:
                self._left_out += 1
                self.add_unused(error.unused)

    def _keep(self, record: _Record) -> None:
        if isinstance(record, ListedMachine):
            self._machines.append(record)
        elif isinstance(record, ListedApp):
            self._apps.append(record)
        elif isinstance(record, CrossNetworkAddress):
            self._allocated.append(record)
        else:
            self._public.append(record)

    def add_unused(self, unused: Unused) -> None:
        """Keep what was not used, or count it where there is much."""
        if len(self._unused) < MAX_UNUSED:
            self._unused.append(unused)
        else:
            self._more_unused += 1

    def check_network_name(self, name: str | None, origin: Origin) -> None:
        """Report a name that breaks the rules, once; its row stays."""
        if name is None or name in self._names:
            return
        self._names.add(name)
        try:
            NetworkName(name)
        except NetworkNameError as error:
            reason = f"{quote(name)} is not a network name, so it is not used: {error.reason}"
            self.add_unused(
                Unused(
                    file=origin.file,
                    place=origin.place,
                    reason=reason,
                    what=UnusedKind.NETWORK_NAME,
                )
            )

    def document(self, kind: DocumentKind, *, is_list: bool = True) -> Document:
        """Return the document of all rows."""
        unused = self._unused
        if self._more_unused:
            reason = f"{self._more_unused} more rows or values cannot be used"
            unused = [*unused, Unused(file=self.file, place="", reason=reason)]
        return Document(
            file=self.file,
            kind=kind,
            app=self.app,
            apps=tuple(self._apps),
            machines=tuple(self._machines),
            allocated=tuple(self._allocated),
            public=tuple(self._public),
            unused=tuple(unused),
            left_out=self._left_out,
            is_list=is_list,
        )


# All keys that are read; other keys are ignored, whatever their case.
_OF_APPS = {"name", "network", "id", "machine_count", "volume_count"}
_OF_MACHINES_AND_ADDRESSES = {"private_ip", "address", "ip", "instance", "app", "region", "state"}
_OF_DOCUMENTS = {"total_apps", "apps", "machines", "ips"}
_FIELDS = _OF_APPS | _OF_MACHINES_AND_ADDRESSES | _OF_DOCUMENTS


class Row:
    """An object of a document, its keys in any case.

    Args:
        rows: the document's rows; they get the problem of a field that is not required.
        value: the parsed JSON.
        place: its place in the document; errors and origins add the key as the document has it.

    Raises:
        RowError: it is not an object, or has a field in two keys that differ only in case.
    """

    __slots__ = ("_keys", "_place", "_rows", "_value")

    def __init__(self, rows: Rows, value: object, place: str = "") -> None:
        self._rows = rows
        self._place = place
        if not isinstance(value, dict):
            reason = f"it must be an object, not {json_kind(value)}"
            raise RowError(Origin(file=rows.file, place=place), reason)
        self._value = value
        self._keys = {key.lower(): key for key in value}
        if len(self._keys) < len(value):
            self._refuse_repeated()

    def _refuse_repeated(self) -> None:
        for key in self._value:
            field = key.lower()
            if field in _FIELDS and self.key(field) != key:
                reason = f"{quote(key)} is present, too; keep one of them"
                raise RowError(self.origin(field), reason)

    def __contains__(self, name: str) -> bool:
        return name in self._keys

    def key(self, name: str) -> str:
        """Return a field's key as the document has it."""
        key: str = self._keys.get(name, name)
        return key

    def get(self, name: str) -> object:
        """Return the value of a field, or None."""
        return self._value.get(self.key(name))

    def origin(self, name: str) -> Origin:
        """Return the place of a field."""
        return Origin(file=self._rows.file, place=f"{self._place}.{self.key(name)}".strip("."))

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

    def address(self, name: str) -> Address:
        """Return a required private address."""
        try:
            return Address(self.text(name, "an address"))
        except AddressError as error:
            raise RowError(self.origin(name), str(error)) from None

    def network(self) -> str | None:
        """Return the network's name, or None where it is missing, null or empty."""
        value = self.get("network")
        if value is not None and not isinstance(value, str):
            raise self.error("network", "the network's name")
        return value or None

    # A field that is not required does not cost the row.

    def optional_text(self, name: str, expected: str) -> str | None:
        """Return a text; None where it is missing, null or empty, or is a problem."""
        value = self.get(name)
        if value is None or isinstance(value, str):
            return value or None
        self._rows.add_unused(self.error(name, expected).unused)
        return None

    def optional_count(self, name: str) -> int | None:
        """Return a number of things; None where it is missing or null, or is a problem."""
        value = self.get(name)
        if value is None:
            return None
        if type(value) is int and value >= 0:  # True is an int too
            return value
        self._rows.add_unused(self.error(name, "a whole number").unused)
        return None


# --- one function for each kind of row ------------------------------------------------------------


def read_app(rows: Rows, value: object, place: str) -> ListedApp:
    """Return a row of an app list."""
    row = Row(rows, value, place)
    name = row.text("name", "the app's name")
    network = row.network()
    rows.check_network_name(network, row.origin("network"))
    return ListedApp(
        name,
        network_name=network,
        origin=row.origin("network"),
        id=row.optional_text("id", "the app's identifier"),
        machine_count=row.optional_count("machine_count"),
        volume_count=row.optional_count("volume_count"),
    )


def read_machine(rows: Rows, value: object, place: str) -> ListedMachine:
    """Return a row of a Machine list; a Machine that is new has no address yet."""
    row = Row(rows, value, place)
    address = None
    if row.get("private_ip") not in (None, ""):
        address = row.address("private_ip")
    id_ = row.text("id", "the Machine's identifier")
    state = row.optional_text("state", "the Machine's state")
    return ListedMachine(
        id_, app=rows.app, address=address, origin=row.origin("private_ip"), state=state
    )


def read_address(rows: Rows, value: object, place: str) -> CrossNetworkAddress | _Public:
    """Return a row of an address list: an object, or the address alone."""
    if not isinstance(value, dict):
        value = {"": value}
    row = Row(rows, value, place)
    name = "address"
    if "" in row:
        name = ""
    elif "address" not in row and "ip" in row:
        name = "ip"
    ip = ip_of(row.get(name))
    if ip is not None and (ip.version == 4 or ip.packed[0] in _GLOBAL_UNICAST):
        return ip
    address = row.address(name)
    return CrossNetworkAddress(
        app=rows.app,
        address=address,
        network_name=_clients_network(rows, row),
        origin=row.origin(name),
    )


def _public_pair(value: object) -> list[_Public]:
    """Return the public addresses of a row with a pair of them in place of `ip` (assumed)."""
    if not isinstance(value, dict) or value.get("ip") is not None:
        return []
    pair = value.get("ip_pair")
    if not isinstance(pair, dict):
        return []
    addresses = []
    for text in pair.values():
        ip = ip_of(text)
        if ip is None or not (ip.version == 4 or ip.packed[0] in _GLOBAL_UNICAST):
            return []
        addresses.append(ip)
    return addresses


def _clients_network(rows: Rows, row: Row) -> str | None:
    """Return the name in `"Network": {"Name": ...}` of newer tools, or None."""
    if row.get("network") is None:
        return None
    try:
        network = Row(rows, row.get("network"), row.origin("network").place)
    except RowError as error:
        rows.add_unused(error.unused)
        return None
    name = network.optional_text("name", "the network's name")
    rows.check_network_name(name, network.origin("name"))
    return name


_GLOBAL_UNICAST = range(0x20, 0x40)  # the first byte in 2000::/3 (RFC 4291, section 2.4)


def ip_of(value: object) -> _Public | None:
    """Return the IP address in a text, of any kind and without a zone, or None."""
    if not isinstance(value, str) or "%" in value:
        return None
    try:
        return ip_address(value)
    except ValueError:
        return None
