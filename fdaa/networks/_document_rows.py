"""The rows of the platform's documents to records, one by one: a bad one never hides the next.

Keys are read in any case. An error says the place as the document writes it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from fdaa.address import Address
from fdaa.errors import AddressError, quote
from fdaa.network_name import DEFAULT_NETWORK
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


def json_kind(value: object) -> str:
    """Say what a JSON value is, in JSON's words."""
    if value is None:
        return "null or missing"
    if isinstance(value, str):
        return quote(value) if value else "empty"
    return _NAMES.get(type(value), "an object")


class Field(NamedTuple):
    """A field of an object: its key as the document writes it, and its value."""

    key: str
    value: object = None


def folded(key: str) -> str:
    """Return a key in lower case, by ASCII alone: the Kelvin sign is no `k`."""
    return key.lower() if key.isascii() else key


def fields_of(row: object, wanted: frozenset[str]) -> dict[str, Field]:
    """Return the fields that are wanted, by their names in lower case.

    Raises:
        RowError: the row is no object, or has a field twice, in different case.
    """
    if not isinstance(row, dict):
        raise RowError("", f"it must be an object, not {json_kind(row)}")
    found: dict[str, Field] = {}
    for key, value in row.items():
        name = key.lower() if key.isascii() else key  # `folded`, without a call for each key
        if name in wanted:
            if name in found:
                raise RowError(key, f"{quote(found[name].key)} is there too; keep one of them")
            found[name] = Field(key, value)
    return found


class At(NamedTuple):
    """Where a row is, and the app that its document is about."""

    file: str
    app: str | None
    place: str

    def origin(self, key: str) -> Origin:
        """Return where the field of a row is."""
        return Origin(self.file, f"{self.place}.{key}" if self.place and key else self.place or key)


def read_rows(
    file: str,
    kind: DocumentKind,
    app: str | None,
    rows: list[object],
    read: Callable[[object, At], App | Machine | AllocatedAddress | str],
    where: str | None = "",
) -> Document:
    """Return a document of rows, with the reasons why some cannot be used.

    Args:
        file: its name.
        kind: what it is.
        app: the app that all of it is about, or None.
        rows: the list is emptied while it is read, so that rows and records need not both fit into
            memory.
        read: returns the record of a row; a public address is a text.
        where: the key of the array of rows; empty where the document is that array, and None where
            it is one row alone.
    """
    records: list[App | Machine | AllocatedAddress | str] = []
    problems: list[Problem] = []
    left_out = 0
    rows.reverse()
    for i in range(len(rows)):
        at = At(file, app, "" if where is None else f"{where}[{i}]")
        try:
            records.append(read(rows.pop(), at))
        except RowError as error:
            left_out += 1
            if left_out <= MAX_PROBLEMS:
                problems.append(Problem(*at.origin(error.key), error.reason))
    if left_out > MAX_PROBLEMS:
        problems.append(Problem(file, "", f"{left_out - MAX_PROBLEMS} more rows cannot be used"))
    return Document(
        file,
        kind,
        app,
        apps=tuple(row for row in records if isinstance(row, App)),
        machines=tuple(row for row in records if isinstance(row, Machine)),
        allocated=tuple(row for row in records if isinstance(row, AllocatedAddress)),
        public=tuple(row for row in records if isinstance(row, str)),
        problems=tuple(problems),
        left_out=left_out,
    )


# --- one kind of row after the other --------------------------------------------------------------

_APP = frozenset(("name", "network", "id", "machine_count", "volume_count"))
_MACHINE = frozenset(("id", "private_ip"))
_ADDRESS = frozenset(("address", "ip", "type", "network"))


def read_apps(file: str, rows: list[object], where: str | None = "", *, is_api: bool) -> Document:
    """Return an app list with its rows.

    In the API's list a missing network is `default`. The command-line tool prints the default
    network as an empty text; its older versions print that for every app, as they never ask for it.
    """
    document = read_rows(file, DocumentKind.APP_LIST, None, rows, _read_app, where)
    if is_api or any(app.network is not None for app in document.apps):
        default = str(DEFAULT_NETWORK)
        apps = tuple(app._replace(network=app.network or default) for app in document.apps)
        return replace(document, apps=apps)
    return add_problem(document, "", _SILENT) if document.apps else document


def add_problem(document: Document, place: str, reason: str) -> Document:
    """Return a document with one more problem, of no row."""
    problem = Problem(document.file, place, reason)
    return replace(document, problems=(*document.problems, problem))


def _read_app(row: object, at: At) -> App:
    fields = fields_of(row, _APP)
    key, name = _text(fields, "name", "the app's name")
    field = fields.get("network", Field("network" if key.islower() else "Network"))
    id_ = fields.get("id", Field("")).value
    return App(
        name,
        network_name(field),
        at.origin(field.key),
        id_ if isinstance(id_, str) and id_ else None,
        _count(fields.get("machine_count")),
        _count(fields.get("volume_count")),
    )


def _count(field: Field | None) -> int | None:
    value = None if field is None else field.value
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def network_name(field: Field) -> str | None:
    """Return the network's name in a field, or None where it is missing or empty."""
    key, value = field
    if value is not None and not isinstance(value, str):
        raise RowError(key, f"it must be the network's name, not {json_kind(value)}")
    return value or None


def _text(fields: dict[str, Field], name: str, what: str) -> tuple[str, str]:
    """Return the key and the text of a field that must have one."""
    key, value = fields.get(name, Field(name))
    if not isinstance(value, str) or not value:
        raise RowError(key, f"it must be {what}, not {json_kind(value)}")
    return key, value


def read_machine(row: object, at: At) -> Machine:
    """Return a row of a Machine list; a Machine that is new has no address yet."""
    fields = fields_of(row, _MACHINE)
    _, id_ = _text(fields, "id", "the Machine's identifier")
    field = fields.get("private_ip", Field("private_ip"))
    address = None if field.value is None or field.value == "" else private_address(field)
    return Machine(id_, at.app, address, at.origin(field.key))


def private_address(field: Field) -> Address:
    """Return the private address in a field."""
    key, value = field
    if not isinstance(value, str):
        raise RowError(key, f"it must be an address, not {json_kind(value)}")
    try:
        return Address.parse(value)
    except AddressError as error:
        raise RowError(key, str(error)) from None


def read_address(row: object, at: At) -> AllocatedAddress | str:
    """Return a row of an address list: an object, or the address alone."""
    fields = fields_of(row, _ADDRESS) if isinstance(row, dict) else {"ip": Field("", row)}
    field = fields.get("address") or fields.get("ip") or Field("address")
    is_private = fields.get("type", Field("")).value == "private_v6"
    if not is_private and (ip := ip_of(field.value)) is not None and _is_public(ip):
        return str(ip)
    network = fields.get("network", Field("")).value  # newer tools: "Network": {"Name": ...}
    name = fields_of(network, _APP).get("name") if isinstance(network, dict) else None
    stated = name.value if name and isinstance(name.value, str) else None  # empty: not stated
    return AllocatedAddress(at.app, private_address(field), stated or None, at.origin(field.key))


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


def _is_public(ip: IPv4Address | IPv6Address) -> bool:
    return ip.version == 4 or ip.packed[0] in _GLOBAL_UNICAST
