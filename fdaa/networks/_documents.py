"""The platform's documents in, records out: app lists, Machine lists, allocated addresses.

| kind           | shape                                                                          |
|----------------|--------------------------------------------------------------------------------|
| `app-list`     | `{"total_apps", "apps": [{"name", "network"}]}`, or `[{"Name", "Network"}]`     |
| `machine-list` | `[{"id", "private_ip"}]`                                                       |
| `status`       | `{"Name", "Machines": [{"id", "private_ip"}]}`                                 |
| `instance-list`| `instance=...,app=...,ip=...;...` as text, or as TXT strings in quotes          |
| `address-list` | `{"ips": [{"ip"}]}`, or `[{"Address", "Type"}]`                                 |
| `empty-list`   | `[]`, which every kind without a row is                                        |

The shape tells the kind, never the file's name. Fields that are not named here are ignored. A row
that cannot be used is left out and its `Problem` kept; a file that cannot be is a `DocumentError`.
"""

from __future__ import annotations

import ipaddress
import re
from functools import partial
from itertools import count, islice, repeat
from typing import TYPE_CHECKING

from fdaa._bits import PREFIX, unpack_head
from fdaa._text import AF_INET6, MAX_LENGTH, inet_pton, pack
from fdaa.errors import AddressError, quote
from fdaa.network_name import DEFAULT_NETWORK
from fdaa.networks._collector import uncollected
from fdaa.networks._columns import app_columns, machine_columns
from fdaa.networks._errors import DocumentError
from fdaa.networks._json import decode, load, read_bytes
from fdaa.networks._model import AllocatedAddress, App, Document, Machines

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from fdaa.networks._columns import MachineColumns

_LOOK = 1000  # characters in which an instance list shows itself
_PART = 1000  # rows that are read one by one where one of them is odd

EXPECTED = (
    "expected an app list (an object with 'apps', or objects with 'Name' and 'Network'), a Machine "
    "list (objects with 'id' and 'private_ip'), a status document (an object with 'Name' and "
    "'Machines'), an instance list (instance=...,app=...,ip=...), or allocated addresses (an "
    "object with 'ips', or objects with 'Address')"
)


class _RowError(Exception):
    """A row that cannot be used: the field, and what is wrong with it."""


def read_document(path: str | os.PathLike[str], app: str | None = None) -> Document:
    """Return what the document in a file holds.

    Args:
        path: the file, or a pipe.
        app: the app that the document is about; Machine lists and address lists do not say.

    Raises:
        DocumentError: the file cannot be read, or is no document of a known kind.
    """
    import os

    return parse_document(read_bytes(path), os.fspath(path), app)


@uncollected
def parse_document(data: bytes, file: str, app: str | None = None) -> Document:
    """Return what a document's bytes hold.

    Args:
        data: the whole document, UTF-8.
        file: its name, for errors and places.
        app: the app that the document is about; Machine lists and address lists do not say.

    Raises:
        DocumentError: it is no document of a known kind, or not a whole one.

    >>> document = parse_document(b'{"total_apps": 1, "apps": [{"name": "web"}]}', "apps.json")
    >>> document.kind, document.apps[0].name, document.apps[0].network
    ('app-list', 'web', 'default')
    """
    text = decode(data, file)
    if text[:_LOOK].lstrip(' \t\r\n"').startswith("instance="):
        document = Document(file, "instance-list", None, "instances", "ip")
        _read_instances(document, text)
    else:
        value = load(text, file)
        if isinstance(value, dict):
            document = _read_object(value, file, app)
        elif isinstance(value, list):
            document = _read_list(value, file, app)
        else:
            raise DocumentError(file, f"it is {_named(value)}; {EXPECTED}")
    if app is not None and document.app is None and document.rows:
        reason = f"it tells the app of each row by itself, so it cannot be of app {quote(app)}"
        raise DocumentError(file, reason)
    return document


def _read_object(value: dict[str, object], file: str, app: str | None) -> Document:
    if sum(key in value for key in ("apps", "Machines", "ips")) > 1:
        reason = "it has more than one of 'apps', 'Machines' and 'ips', so its kind cannot be told"
        raise DocumentError(file, reason)
    if "apps" in value:
        document = Document(file, "app-list", None, "apps", "network")
        _read_apps(document, _rows(value, "apps", file), "name")
        _check_total(document, value)
    elif "Machines" in value:
        name = value.get("Name", app)
        if not isinstance(name, str) or not name:
            reason = f"Name: it must be the app's name, not {_named(name)}"
            raise DocumentError(file, reason)
        if app is not None and name != app:
            raise DocumentError(file, f"Name: it is of app {quote(name)}, not of {quote(app)}")
        document = Document(file, "status", name, "Machines", "private_ip")
        _read_machines(document, _rows(value, "Machines", file))
    elif "ips" in value:
        document = Document(file, "address-list", app, "ips", "ip")
        _read_addresses(document, _rows(value, "ips", file))
    else:
        shown = ", ".join(quote(key) for key in islice(value, 4)) or "nothing in it"
        raise DocumentError(file, f"it is an object with {shown}; {EXPECTED}")
    return document


def _rows(value: dict[str, object], key: str, file: str) -> list[object]:
    rows = value[key]
    if not isinstance(rows, list):
        raise DocumentError(file, f"{key}: it must be an array, not {_named(rows)}")
    return rows


def _read_list(rows: list[object], file: str, app: str | None) -> Document:
    """Read an array: the first row that is like one of a kind tells what all of them must be."""
    if not rows:
        return Document(file, "empty-list", app, "", "")
    for row in rows:
        if not isinstance(row, dict):
            continue
        if "Address" in row:
            document = Document(file, "address-list", app, "", "Address")
            _read_addresses(document, rows)
            return document
        if "Name" in row:
            document = Document(file, "app-list", None, "", "Network")
            _read_apps(document, rows, "Name")
            return document
        if "id" in row and ("private_ip" in row or "state" in row):
            document = Document(file, "machine-list", app, "", "private_ip")
            _read_machines(document, rows)
            return document
    raise DocumentError(file, f"it is an array of something else; {EXPECTED}")


def _check_total(document: Document, value: dict[str, object]) -> None:
    total = value.get("total_apps", document.rows)
    if isinstance(total, bool) or not isinstance(total, int):
        reason = f"it must be a whole number, not {_named(total)}"
    elif total != document.rows:
        shown = str(total) if abs(total) < 10**12 else "a huge number"
        reason = f"it says {shown}, and the list has {document.rows}: a page of it was lost"
        document.total = total
    else:
        return
    document.report("total_apps", reason)


_DEFAULT = str(DEFAULT_NETWORK)


# --- rows -----------------------------------------------------------------------------------------


def _read_apps(document: Document, rows: list[object], name_field: str) -> None:
    document.rows = len(rows)
    apps: list[App] = []
    document.apps = apps
    columns = app_columns(rows, name_field, document.field)
    if columns is not None:
        apps.extend(map(_new_app, zip(*columns, repeat(document), count())))
        return
    for i, row in enumerate(rows):
        try:
            apps.append(App(*_read_app(row, name_field, document.field), document, i))
        except _RowError as error:  # one bad row never hides the next
            document.leave_out(i, *error.args)


_new_app = partial(tuple.__new__, App)  # as App(...) does, in half the time


def _read_app(row: object, name_field: str, network_field: str) -> tuple[str, str]:
    if not isinstance(row, dict):
        raise _RowError("", f"it must be an object, not {_named(row)}")
    name = row.get(name_field)
    if not isinstance(name, str) or not name:
        raise _RowError(name_field, f"it must be the app's name, not {_named(name)}")
    network = row.get(network_field)
    # Seen in the wild: tools print the default network as an empty text, or not at all.
    if network is None or network == "":
        return name, _DEFAULT
    if not isinstance(network, str):
        raise _RowError(network_field, f"it must be the network's name, not {_named(network)}")
    return name, network


def _read_machines(document: Document, rows: list[object]) -> None:
    document.rows = len(rows)
    document.machines = machines = Machines(document)
    columns = machine_columns(rows, 0)
    if columns is not None:
        machines.ids, machines.packed, machines.network_ids, machines.rows = columns
        return
    ids: list[str] = []
    packed: list[bytes] = []
    network_ids: list[int] = []
    at: list[int] = []
    machines.ids, machines.packed = ids, packed
    machines.network_ids, machines.rows = network_ids, at
    unaddressed: list[str] = []
    document.unaddressed = unaddressed
    # Something is odd: a part at a time, so that one odd row does not make all of them slow.
    for start in range(0, len(rows), _PART):
        part = rows[start : start + _PART]
        columns = machine_columns(part, start)
        if columns is None:
            columns = _read_part(document, part, start, unaddressed)
        ids += columns[0]
        packed += columns[1]
        network_ids += columns[2]
        at += columns[3]


def _read_part(
    document: Document, rows: list[object], start: int, unaddressed: list[str]
) -> MachineColumns:
    ids: list[str] = []
    packed: list[bytes] = []
    network_ids: list[int] = []
    at: list[int] = []
    for i, row in enumerate(rows, start):
        try:
            if not isinstance(row, dict):
                raise _RowError("", f"it must be an object, not {_named(row)}")
            id_ = row.get("id")
            if not isinstance(id_, str) or not id_:
                raise _RowError("id", f"it must be the Machine's identifier, not {_named(id_)}")
            address = row.get("private_ip")
            if address is None or address == "":
                unaddressed.append(id_)
                continue
            read, network_id = _read_address(address, "private_ip")
        except _RowError as error:
            document.leave_out(i, *error.args)
            continue
        ids.append(id_)
        packed.append(read)
        network_ids.append(network_id)
        at.append(i)
    return ids, packed, network_ids, at


def _read_address(value: object, field: str) -> tuple[bytes, int]:
    if not isinstance(value, str):
        raise _RowError(field, f"it must be an address, not {_named(value)}")
    try:
        if len(value) <= MAX_LENGTH:
            packed = inet_pton(AF_INET6, value)
            prefix, network_id = unpack_head(packed)
            if prefix == PREFIX:
                return packed, network_id
    except (OSError, ValueError):
        pass
    try:
        packed = pack(value)
    except AddressError as error:
        raise _RowError(field, str(error)) from None
    return packed, unpack_head(packed)[1]


def _read_addresses(document: Document, rows: list[object]) -> None:
    document.rows = len(rows)
    field = document.field
    document.addresses = addresses = []
    document.public = public = []
    for i, row in enumerate(rows):
        try:
            if not isinstance(row, dict):
                raise _RowError("", f"it must be an object, not {_named(row)}")
            value = row.get(field)
            try:
                packed, network_id = _read_address(value, field)
            except _RowError:
                if row.get("Type") == "private_v6" or not _is_ip(value):
                    raise
                public.append(str(value))
                continue
            network = row.get("Network")
            stated = network.get("Name") if isinstance(network, dict) else None
            stated = stated if isinstance(stated, str) else None
            allocated = AllocatedAddress(document.app, packed, network_id, stated, document, i)
            addresses.append(allocated)
        except _RowError as error:
            document.leave_out(i, *error.args)


def _is_ip(value: object) -> bool:
    """Tell whether it is an address of any kind, private ones apart: none of ours, and no error.

    An address that is allocated has no zone.
    """
    if not isinstance(value, str) or "%" in value:
        return False
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return True


# A character-string of a TXT record as tools print it, an escape in it (RFC 1035, section 5.1).
_STRING = re.compile(r'\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*')
_ESCAPE = re.compile(r"\\(?:([0-9]{3})|(.))")


def _read_instances(document: Document, text: str) -> None:
    document.machines = machines = Machines(document)
    ids: list[str] = []
    packed: list[bytes] = []
    network_ids: list[int] = []
    at: list[int] = []
    apps: list[str] = []
    machines.ids, machines.packed = ids, packed
    machines.network_ids, machines.rows, machines.apps = network_ids, at, apps
    has_region = False
    entries = list(_entries(text))
    document.rows = len(entries)
    open_end = None if text.endswith((";", "\n", '"')) else len(entries) - 1
    for i, entry in enumerate(entries):
        try:
            fields: dict[str, str] = {}
            for part in entry.split(","):
                key, equals, value = part.partition("=")
                if not equals:
                    raise _RowError("", f"{quote(part)} has no '='; an entry is key=value,...")
                if key in fields:
                    raise _RowError(key, "it stands twice")
                fields[key] = value
            for key in ("instance", "app", "ip"):
                if not fields.get(key):
                    raise _RowError(key, "it is missing")
            if i == open_end and has_region and "region" not in fields:
                raise _RowError("region", "the others have it: the list was cut off here")
            has_region = "region" in fields
            address, network_id = _read_address(fields["ip"], "ip")
        except _RowError as error:
            document.leave_out(i, *error.args)
            continue
        ids.append(fields["instance"])
        apps.append(fields["app"])
        packed.append(address)
        network_ids.append(network_id)
        at.append(i)


def _entries(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        strings = _strings(line)
        # The strings of one record belong together without anything between them.
        whole = line if strings is None else _ESCAPE.sub(_unescaped, "".join(strings))
        for entry in whole.split(";"):
            if stripped := entry.strip():
                yield stripped


def _strings(line: str) -> list[str] | None:
    """Return the character-strings in a line, or None where it has anything else."""
    strings: list[str] = []
    at = 0
    while at < len(line):  # one by one from the left: a search would go through what it cannot use
        string = _STRING.match(line, at)
        if string is None:
            return None
        strings.append(string[1])
        at = string.end()
    return strings


def _unescaped(escape: re.Match[str]) -> str:
    number, character = escape.groups()
    return chr(int(number)) if number else str(character)


_NAMES = {bool: "true or false", int: "a number", float: "a number with a point", list: "an array"}


def _named(value: object) -> str:
    """Say what a JSON value is, in JSON's words."""
    if value is None:
        return "null, or missing"
    if isinstance(value, str):
        return quote(value) if value else "empty"
    return _NAMES.get(type(value), "an object")
