"""The platform's documents to the model: which shape is it, and what are its rows?

| kind            | shape                                                                       |
|-----------------|-----------------------------------------------------------------------------|
| `app-list`      | `{"total_apps", "apps": [{"name", "network"}]}`, `[{"Name", "Network"}]`    |
| `machine-list`  | `[{"id", "private_ip"}]`                                                    |
| `status`        | `{"Name", "Network", "Machines": [{"id", "private_ip"}]}`                   |
| `instance-list` | `instance=...,app=...,ip=...;...` as text, or as TXT strings in quotes      |
| `address-list`  | `{"ips": [{"ip"}]}`, `[{"Address", "Type"}]`, or an array of texts          |
| `empty-list`    | `[]`, which every kind without a row is                                     |

A row of the first two and of address lists may also be alone, without an array. The shape decides
the kind, never the file's name; fields that are not named here are ignored. A row that cannot be
used is left out and its `Problem` kept; a file that cannot be used is a `DocumentError`.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from fdaa.errors import quote
from fdaa.networks._errors import DocumentError
from fdaa.networks._instances import is_instance_list, read_instances
from fdaa.networks._json import decode, load, read_all, read_bytes
from fdaa.networks._model import App, Document, DocumentKind
from fdaa.networks._rows import (
    Field,
    Reading,
    RowError,
    fields_of,
    ip_of,
    named,
    network_name,
    read_address,
    read_apps,
    read_machine,
)

if TYPE_CHECKING:
    from typing import BinaryIO

_EXPECTED = (
    "expected an app list (an object with 'apps', or objects with 'Name' and 'Network'), a Machine "
    "list (objects with 'id' and 'private_ip'), a status document (an object with 'Name' and "
    "'Machines'), an instance list (instance=...,app=...,ip=...), or allocated addresses (an "
    "object with 'ips', objects with 'Address', or texts)"
)

# What the platform's command-line tool prints for people: words with wide gaps or lines between.
_TABLE = re.compile(r"\S(?: {2,}| *[\t|\u2502] *)\S")
_LOOK = 2000  # characters in which a table shows itself


def read_document(
    path: str | os.PathLike[str], app: str | None = None, *, name: str | None = None
) -> Document:
    """Return what the document in a file holds.

    Args:
        path: the file, or a pipe.
        app: the app that the document is about; Machine lists and address lists do not say.
        name: what to call the file in errors and origins, in place of its path.

    Raises:
        DocumentError: the file cannot be read, or is no document of a known kind.
    """
    name = os.fspath(path) if name is None else name
    return parse_document(read_bytes(path, name), name, app)


def read_stream(stream: BinaryIO, file: str, app: str | None = None) -> Document:
    """Return what the document in a stream holds, as `sys.stdin.buffer`.

    Args:
        stream: it is read to its end.
        file: what to call it, in errors and origins.
        app: the app that the document is about; Machine lists and address lists do not say.

    Raises:
        DocumentError: the stream cannot be read, or is no document of a known kind.
    """
    return parse_document(read_all(stream, file), file, app)


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
    del data  # a large document is there once only
    if is_instance_list(text):
        _refuse_app(app, file)
        reading = Reading(file, DocumentKind.INSTANCE_LIST, None, "instances")
        read_instances(reading, text)
        return reading.document()
    start = text[:_LOOK].lstrip()
    if start[:1] not in ("{", "[") and _TABLE.search(start):
        raise DocumentError(file, "it is a table printed for people; run it with --json")
    value = load(text, file)
    del text
    if isinstance(value, dict):
        return _read_object(value, file, app)
    if isinstance(value, list):
        return _read_array(value, file, app)
    raise DocumentError(file, f"it is {named(value)}; {_EXPECTED}")


# --- shapes ---------------------------------------------------------------------------------------

_ARRAYS = ("apps", "machines", "ips")
_TOP = frozenset((*_ARRAYS, "name", "network", "total_apps"))


def _read_object(value: dict[str, object], file: str, app: str | None) -> Document:
    try:
        top = fields_of(value, _TOP)
    except RowError as error:
        raise DocumentError(file, f"{error.key}: {error.reason}") from None
    arrays = [top[key] for key in _ARRAYS if key in top]
    if not arrays:
        return _read_one(value, file, app)
    if len(arrays) > 1:
        reason = "it has more than one of 'apps', 'Machines' and 'ips', so its kind is not clear"
        raise DocumentError(file, reason)
    key, rows = arrays[0]
    if not isinstance(rows, list):
        raise DocumentError(file, f"{key}: it must be an array, not {named(rows)}")
    if "apps" in top:
        return _read_api_apps(top, rows, file, app)
    if "machines" in top:
        return _read_status(top, rows, file, app)
    reading = Reading(file, DocumentKind.ADDRESS_LIST, app, key)
    reading.each(rows, read_address)
    return reading.document()


def _read_one(row: dict[str, object], file: str, app: str | None) -> Document:
    kind = _kind_of(row)
    if kind is None:
        shown = ", ".join(quote(key) for key in list(row)[:4]) or "nothing in it"
        raise DocumentError(file, f"it is an object with {shown}; {_EXPECTED}")
    # Only the API writes `name` in lower case.
    document = _read_rows([row], Reading(file, kind, app, None), is_api="name" in row)
    return document._replace(is_list=False)


def _read_api_apps(
    top: dict[str, Field], rows: list[object], file: str, app: str | None
) -> Document:
    found = len(rows)
    if found:
        _refuse_app(app, file)
    reading = Reading(file, DocumentKind.APP_LIST, app, top["apps"].key)
    read_apps(reading, rows, is_api=True)
    key, total = top.get("total_apps", Field("", found))
    if isinstance(total, bool) or not isinstance(total, int):
        reading.add_problem(key, f"it must be a whole number, not {named(total)}")
    elif total != found:
        shown = str(total) if abs(total) < 10**12 else "a huge number"
        reason = f"it says {shown}, and the list has {found}: a page is missing"
        reading.add_problem(key, reason)
        reading.total = total
    return reading.document()


def _read_status(top: dict[str, Field], rows: list[object], file: str, app: str | None) -> Document:
    key, name = top.get("name", Field("Name", app))
    if not isinstance(name, str) or not name:
        raise DocumentError(file, f"{key}: it must be the app's name, not {named(name)}")
    if app is not None and name != app:
        raise DocumentError(file, f"{key}: it is of app {quote(name)}, not of {quote(app)}")
    reading = Reading(file, DocumentKind.STATUS, name, top["machines"].key)
    reading.each(rows, read_machine)
    field = top.get("network", Field("Network"))
    try:
        if network := network_name(field):  # newer tools write it
            reading.apps.append(App(name, network, reading.origin("", field.key)))
    except RowError as error:
        reading.add_problem(error.key, error.reason)
    return reading.document()


def _read_array(rows: list[object], file: str, app: str | None) -> Document:
    """Read an array: the first row of a known kind decides the kind of all of them."""
    if not rows:
        return Document(file, DocumentKind.EMPTY_LIST, app)
    kind = next((kind for row in rows if (kind := _kind_of(row)) is not None), None)
    if kind is None:
        raise DocumentError(file, f"unrecognized array: {_EXPECTED}")
    return _read_rows(rows, Reading(file, kind, app), is_api=False)


def _read_rows(rows: list[object], reading: Reading, *, is_api: bool) -> Document:
    if reading.kind == DocumentKind.APP_LIST:
        _refuse_app(reading.app, reading.file)
        read_apps(reading, rows, is_api=is_api)
    else:
        is_machines = reading.kind == DocumentKind.MACHINE_LIST
        reading.each(rows, read_machine if is_machines else read_address)
    return reading.document()


def _refuse_app(app: str | None, file: str) -> None:
    if app is not None:
        raise DocumentError(file, f"this file already names its apps; drop {quote(app + '=')}")


# What the command-line tool's app list has beside `Name`; its lists of tunnel peers, organizations,
# secrets and volumes have none of these.
_OF_APPS = frozenset(("network", "status", "deployed", "hostname", "organization"))


def _kind_of(row: object) -> DocumentKind | None:
    """Return the kind of list that a row is of, or None where it is like no kind's."""
    if not isinstance(row, dict):
        return None if ip_of(row) is None else DocumentKind.ADDRESS_LIST
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
