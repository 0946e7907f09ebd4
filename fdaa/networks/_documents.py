"""The platform's documents to the model: app lists, Machine lists, allocated addresses.

| kind           | shape                                                                          |
|----------------|--------------------------------------------------------------------------------|
| `app-list`     | `{"total_apps", "apps": [{"name", "network"}]}`, `[{"Name", "Network"}]`, or one of these rows |
| `machine-list` | `[{"id", "private_ip"}]`, or one of these rows                                 |
| `status`       | `{"Name", "Network", "Machines": [{"id", "private_ip"}]}`                      |
| `instance-list`| `instance=...,app=...,ip=...;...` as text, or as TXT strings in quotes         |
| `address-list` | `{"ips": [{"ip"}]}`, `[{"Address", "Type"}]`, or an array of texts             |
| `empty-list`   | `[]`, which every kind without a row is                                        |

The shape tells the kind, never the file's name. Keys are read in any case; those that are not named
here are ignored. A row that cannot be used is left out and its `Problem` kept; a file that cannot
be used is a `DocumentError`.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from fdaa.address import Address
from fdaa.errors import AddressError, quote
from fdaa.network_name import DEFAULT_NETWORK
from fdaa.networks._errors import DocumentError
from fdaa.networks._instances import InstanceError, instances, is_instance_list
from fdaa.networks._json import decode, load, read_bytes
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
    from collections.abc import Callable, Iterable

MAX_PROBLEMS = 100  # of one document that are kept; the others are counted

_EXPECTED = (
    "expected an app list (an object with 'apps', or objects with 'Name' and 'Network'), a Machine "
    "list (objects with 'id' and 'private_ip'), a status document (an object with 'Name' and "
    "'Machines'), an instance list (instance=...,app=...,ip=...), or allocated addresses (an "
    "object with 'ips', objects with 'Address', or texts)"
)
_SILENT = (
    "no app in it has a network, so it does not tell the networks; use the API's app list "
    "(GET /v1/apps?org_slug=ORG), or the list of a newer version of the tool"
)

# What the platform's command-line tool prints for people: words with wide gaps or lines between.
_TABLE = re.compile(r"\S(?: {2,}| *[\t|\u2502] *)\S")
_LOOK = 2000  # characters in which a table shows itself


def read_document(path: str | os.PathLike[str], app: str | None = None) -> Document:
    """Return what the document in a file holds.

    Args:
        path: the file, or a pipe.
        app: the app that the document is about; Machine lists and address lists do not say.

    Raises:
        DocumentError: the file cannot be read, or is no document of a known kind.
    """
    return parse_document(read_bytes(path), os.fspath(path), app)


def parse_document(data: bytes, file: str, app: str | None = None) -> Document:
    """Return what a document's bytes hold.

    Args:
        data: the whole document, UTF-8.
        file: its name, for errors and origins.
        app: the app that the document is about; Machine lists and address lists do not say.

    Raises:
        DocumentError: it is no document of a known kind, or not a whole one.
        TypeError: `data` is not `bytes`.

    >>> document = parse_document(b'{"total_apps": 1, "apps": [{"name": "web"}]}', "apps.json")
    >>> document.kind.value, document.apps[0].name, document.apps[0].network
    ('app-list', 'web', 'default')
    """
    if not isinstance(data, bytes):
        raise TypeError(f"a document is parsed from bytes, not {type(data).__name__}")
    text = decode(data, file)
    if is_instance_list(text):
        return _read_instances(_Reading(file, DocumentKind.INSTANCE_LIST, None), text, app)
    start = text[:_LOOK].lstrip()
    if start[:1] not in ("{", "[") and _TABLE.search(start):
        raise DocumentError(file, "it is a table printed for people; run it with --json")
    value = load(text, file)
    if isinstance(value, dict):
        return _read_object(value, file, app)
    if isinstance(value, list):
        return _read_array(value, file, app)
    raise DocumentError(file, f"it is {_named(value)}; {_EXPECTED}")


# --- shapes ---------------------------------------------------------------------------------------


def _read_object(value: dict[str, object], file: str, app: str | None) -> Document:
    try:
        top = _fields(
            value, frozenset(("apps", "machines", "ips", "name", "network", "total_apps"))
        )
    except _RowError as error:
        raise DocumentError(file, f"{error.field}: {error.reason()}") from None
    if sum(key in top for key in ("apps", "machines", "ips")) > 1:
        reason = "it has more than one of 'apps', 'Machines' and 'ips', so its kind is not clear"
        raise DocumentError(file, reason)
    if "apps" in top:
        reading = _Reading(file, DocumentKind.APP_LIST, None, top["apps"].key)
        rows = _rows(top["apps"], file)
        _refuse_app(app, rows, file)
        _read_apps(reading, rows, is_api=True)
        _check_total(reading, top.get("total_apps"), len(rows))
    elif "machines" in top:
        rows = _rows(top["machines"], file)
        reading = _Reading(
            file, DocumentKind.STATUS, _status_app(top, file, app), top["machines"].key
        )
        reading.each(rows, _read_machine)
        _read_status_network(reading, top.get("network"))
    elif "ips" in top:
        reading = _Reading(file, DocumentKind.ADDRESS_LIST, app, top["ips"].key)
        reading.each(_rows(top["ips"], file), _read_address)
    else:
        kind = _kind_of(value)
        if kind is None:
            shown = ", ".join(quote(key) for key in list(value)[:4]) or "nothing in it"
            raise DocumentError(file, f"it is an object with {shown}; {_EXPECTED}")
        # One row alone. Only the API writes `name` in lower case.
        return _read_rows([value], kind, file, app, is_alone=True)
    return reading.document()


def _read_array(rows: list[object], file: str, app: str | None) -> Document:
    """Read an array: the first row that is like one of a kind tells what all of them must be."""
    if not rows:
        return Document(file, DocumentKind.EMPTY_LIST, app)
    kind = next((kind for row in rows if (kind := _kind_of(row)) is not None), None)
    if kind is None:
        raise DocumentError(file, f"unrecognized array: {_EXPECTED}")
    return _read_rows(rows, kind, file, app)


def _read_rows(
    rows: list[object], kind: DocumentKind, file: str, app: str | None, *, is_alone: bool = False
) -> Document:
    where = None if is_alone else ""
    if kind == DocumentKind.APP_LIST:
        _refuse_app(app, rows, file)
        reading = _Reading(file, kind, None, where)
        _read_apps(reading, rows, is_api=is_alone and "name" in rows[0])  # type: ignore[operator]
    else:
        reading = _Reading(file, kind, app, where)
        reading.each(rows, _read_machine if kind == DocumentKind.MACHINE_LIST else _read_address)
    return reading.document()


# What the command-line tool's app list has beside `Name`; its lists of tunnel peers, organizations,
# secrets and volumes have none of these.
_OF_APPS = frozenset(("network", "status", "deployed", "hostname", "organization"))


def _kind_of(row: object) -> DocumentKind | None:
    """Return the kind of list that a row is of, or None where it is like no kind's."""
    if isinstance(row, str):
        return DocumentKind.ADDRESS_LIST if _is_ip(row) else None
    if not isinstance(row, dict):
        return None
    keys = {key.lower() for key in row}
    if "address" in keys:
        return DocumentKind.ADDRESS_LIST
    if {"id", "private_ip"} <= keys:
        return DocumentKind.MACHINE_LIST
    if "name" in keys and not keys.isdisjoint(_OF_APPS):
        return DocumentKind.APP_LIST
    if {"id", "state"} <= keys and "size_gb" not in keys:  # a volume has a size
        return DocumentKind.MACHINE_LIST
    return None


def _rows(field: _Field, file: str) -> list[object]:
    if not isinstance(field.value, list):
        reason = f"{field.key}: it must be an array, not {_named(field.value)}"
        raise DocumentError(file, reason)
    return field.value


def _refuse_app(app: str | None, rows: Iterable[object], file: str) -> None:
    if app is not None and rows:
        raise DocumentError(file, f"this file already names its apps; drop {quote(app + '=')}")


def _status_app(top: dict[str, _Field], file: str, app: str | None) -> str:
    name = top["name"].value if "name" in top else app
    if not isinstance(name, str) or not name:
        raise DocumentError(file, f"Name: it must be the app's name, not {_named(name)}")
    if app is not None and name != app:
        raise DocumentError(file, f"Name: it is of app {quote(name)}, not of {quote(app)}")
    return name


def _check_total(reading: _Reading, field: _Field | None, found: int) -> None:
    if field is None:
        return
    total = field.value
    if isinstance(total, bool) or not isinstance(total, int):
        reason = f"it must be a whole number, not {_named(total)}"
    elif total != found:
        shown = str(total) if abs(total) < 10**12 else "a huge number"
        reason = f"it says {shown}, and the list has {found}: a page is missing"
        reading.total = total
    else:
        return
    reading.add_problem(field.key, reason)


# --- rows -----------------------------------------------------------------------------------------


class _RowError(Exception):
    """A row that cannot be used. What is said of it is made only where it is kept."""

    def __init__(self, field: str, what: str | AddressError, *value: object) -> None:
        self.field = field
        self._what = what
        self._value = value

    def reason(self) -> str:
        """Return what is wrong with the field."""
        return f"{self._what}" + "".join(f", not {_named(value)}" for value in self._value)


class _Field(NamedTuple):
    key: str  # as the document writes it
    value: object


def _fields(row: object, wanted: frozenset[str]) -> dict[str, _Field]:
    """Return the fields that are wanted, by their names in lower case."""
    if not isinstance(row, dict):
        raise _RowError("", "it must be an object", row)
    found: dict[str, _Field] = {}
    for key, value in row.items():
        name = key.lower()
        if name in wanted:
            if name in found:
                raise _RowError(key, f"it is there as {quote(found[name].key)} too")
            found[name] = _Field(key, value)
    return found


def _text(fields: dict[str, _Field], name: str, what: str) -> str:
    key, value = fields.get(name, (name, None))
    if not isinstance(value, str) or not value:
        raise _RowError(key, f"it must be {what}", value)
    return value


class _Reading:
    """What was read of one document so far."""

    def __init__(
        self, file: str, kind: DocumentKind, app: str | None, where: str | None = ""
    ) -> None:
        self.file = file
        self.kind = kind
        self.app = app
        self._where = where  # the key of the array of rows, or None where there is but one object
        self.apps: list[App] = []
        self.machines: list[Machine] = []
        self.allocated: list[AllocatedAddress] = []
        self.public: list[str] = []
        self.total: int | None = None
        self._left_out = 0
        self._problems: list[Problem] = []

    def each(self, rows: list[object], read: Callable[[_Reading, str, object], None]) -> None:
        """Read each row; one that cannot be used never hides the next."""
        for i, row in enumerate(rows):
            place = "" if self._where is None else f"{self._where}[{i}]"
            try:
                read(self, place, row)
            except _RowError as error:
                self.leave_out(place, error)

    def origin(self, place: str, field: str) -> Origin:
        """Return where the field of a row is."""
        return Origin(self.file, f"{place}.{field}" if place and field else place or field)

    def leave_out(self, place: str, error: _RowError) -> None:
        """Count a row that cannot be used, and keep why; of very many, keep the first ones only."""
        self._left_out += 1
        if self._left_out <= MAX_PROBLEMS:
            self.add_problem(self.origin(place, error.field).place, error.reason())

    def add_problem(self, place: str, reason: str) -> None:
        """Keep what is wrong at a place."""
        self._problems.append(Problem(self.file, place, reason))

    def document(self) -> Document:
        """Return what was read."""
        if (more := self._left_out - MAX_PROBLEMS) > 0:
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
            self._left_out,
            self.total,
        )


_APP = frozenset(("name", "network"))
_MACHINE = frozenset(("id", "private_ip"))
_ADDRESS = frozenset(("address", "ip", "type", "network"))


def _read_apps(reading: _Reading, rows: list[object], *, is_api: bool) -> None:
    """Read the rows of an app list.

    In the API's list a missing network is `default`. The command-line tool prints the default
    network as an empty text; its older versions print that for every app, as they do not know.
    """
    reading.each(rows, _read_app)
    if is_api or any(app.network is not None for app in reading.apps):
        default = str(DEFAULT_NETWORK)
        reading.apps = [app._replace(network=app.network or default) for app in reading.apps]
    elif reading.apps:
        reading.add_problem("", _SILENT)


def _read_app(reading: _Reading, place: str, row: object) -> None:
    fields = _fields(row, _APP)
    name = _text(fields, "name", "the app's name")
    spelled = "network" if "name" not in fields or fields["name"].key.islower() else "Network"
    field, network = fields.get("network", (spelled, None))
    if network is not None and not isinstance(network, str):
        raise _RowError(field, "it must be the network's name", network)
    reading.apps.append(App(name, network or None, reading.origin(place, field)))


def _read_status_network(reading: _Reading, field: _Field | None) -> None:
    """Read the network's name that newer tools write into a status document."""
    if field is None or field.value is None or field.value == "" or reading.app is None:
        return
    if isinstance(field.value, str):
        origin = reading.origin("", field.key)
        reading.apps.append(App(reading.app, field.value, origin))
    else:
        reason = f"it must be the network's name, not {_named(field.value)}"
        reading.add_problem(field.key, reason)


def _read_machine(reading: _Reading, place: str, row: object) -> None:
    fields = _fields(row, _MACHINE)
    id_ = _text(fields, "id", "the Machine's identifier")
    key, value = fields.get("private_ip", ("private_ip", None))
    address = None if value is None or value == "" else _private(value, key)
    reading.machines.append(Machine(id_, reading.app, address, reading.origin(place, key)))


def _private(value: object, key: str) -> Address:
    if not isinstance(value, str):
        raise _RowError(key, "it must be an address", value)
    try:
        return Address.parse(value)
    except AddressError as error:
        raise _RowError(key, error) from None


def _read_address(reading: _Reading, place: str, row: object) -> None:
    if isinstance(row, str):
        fields = {"address": _Field("", row)}
    else:
        fields = _fields(row, _ADDRESS)
    key, value = fields.get("address") or fields.get("ip") or _Field("address", None)
    type_, network = (fields.get(name, (name, None))[1] for name in ("type", "network"))
    try:
        address = _private(value, key)
    except _RowError:
        if type_ == "private_v6" or not isinstance(value, str) or not _is_ip(value):
            raise
        if not _is_public(value):
            raise _RowError(key, "it must be fdaa::/16 or a public address", value) from None
        reading.public.append(value)
        return
    if isinstance(network, dict):
        network = next((value for key, value in network.items() if key.lower() == "name"), None)
    stated = network if isinstance(network, str) else None
    origin = reading.origin(place, key)
    reading.allocated.append(AllocatedAddress(reading.app, address, stated, origin))


_OF_IPS = frozenset("0123456789abcdefABCDEF:.")


def _is_ip(text: str) -> bool:
    """Tell whether a text is an IP address of any kind, without a zone."""
    import ipaddress  # as the core does it: few documents need it, and it is slow to load

    try:
        ipaddress.ip_address(text if len(text) < 50 and _OF_IPS.issuperset(text) else "")
    except ValueError:
        return False
    return True


# RFC 5737 and RFC 3849: not routed, and what stands for public addresses in all examples.
_OF_EXAMPLES = ("192.0.2.", "198.51.100.", "203.0.113.", "2001:db8:")


def _is_public(text: str) -> bool:
    """Tell whether an IP address can be one that is reached from everywhere."""
    import ipaddress

    ip = ipaddress.ip_address(text)
    return (ip.is_global and not ip.is_multicast) or str(ip).startswith(_OF_EXAMPLES)


def _read_instances(reading: _Reading, text: str, app: str | None) -> Document:
    for i, entry in enumerate(instances(text)):
        place = f"instances[{i}]"
        try:
            if isinstance(entry, InstanceError):
                raise _RowError(entry.field, entry.reason)
            address = _private(entry["ip"], "ip")
        except _RowError as error:
            reading.leave_out(place, error)
            continue
        origin = reading.origin(place, "ip")
        reading.machines.append(Machine(entry["instance"], entry["app"], address, origin))
    _refuse_app(app, [text], reading.file)
    return reading.document()


_NAMES = {bool: "true or false", int: "a number", float: "a number with a point", list: "an array"}


def _named(value: object) -> str:
    """Say what a JSON value is, in JSON's words."""
    if value is None:
        return "null, or missing"
    if isinstance(value, str):
        return quote(value) if value else "empty"
    return _NAMES.get(type(value), "an object")
