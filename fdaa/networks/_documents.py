"""The platform's documents to the model: which shape is it, and what are its rows?

The shape decides the kind (`_kind_of`), never the file's name; docs/networks.md lists all shapes.
Fields that are not named here are ignored. A row that cannot be used is left out and its `Problem`
kept; a file that cannot be used is a `DocumentError`.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from fdaa.errors import quote
from fdaa.networks._document_rows import (
    Field,
    RowError,
    add_problem,
    fields_of,
    ip_of,
    json_kind,
    network_name,
    read_address,
    read_apps,
    read_machine,
    read_rows,
)
from fdaa.networks._errors import DocumentError
from fdaa.networks._instances import is_instance_list, read_instances
from fdaa.networks._model import App, Document, DocumentKind, Origin
from fdaa.networks._reading import decode, load, read_all, read_bytes

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
    # bytes' own copy, whatever a subclass says; of plain bytes it is the same object.
    text = decode(bytes.__bytes__(data), file)
    del data  # a large document is there once only
    if is_instance_list(text):
        _refuse_app(app, file)
        return read_instances(Document(file, DocumentKind.INSTANCE_LIST), text)
    start = text[:_LOOK].lstrip()
    if start[:1] not in ("{", "[") and _TABLE.search(start):
        raise DocumentError(file, "it is a table printed for people; run it with --json")
    value = load(text, file)
    del text
    if isinstance(value, dict):
        return _read_object(value, file, app)
    if isinstance(value, list) or value is None:  # null: Go writes an empty list so
        return _read_list(value or [], file, app)
    raise DocumentError(file, f"it is {json_kind(value)}; {_EXPECTED}")


def parse_app_list(value: object, file: str) -> Document:
    """Return the document that the parsed JSON of the API's app list is (section 4.3).

    Args:
        value: what `json.loads` returned; its rows are used up, so that they need no memory twice.
        file: its name, for errors and origins.

    Raises:
        DocumentError: it is no such list.
    """
    if not (isinstance(value, dict) and "apps" in value):
        raise DocumentError(file, "expected an object with 'apps'")
    return _read_object(value, file, None)


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
        return _read_list([value], file, app, alone=True)
    if len(arrays) > 1:
        reason = "it has more than one of 'apps', 'Machines' and 'ips', so its kind is not clear"
        raise DocumentError(file, reason)
    key, rows = arrays[0]
    if rows is None:  # Go writes an empty list so
        rows = []
    if not isinstance(rows, list):
        raise DocumentError(file, f"{key}: it must be an array, not {json_kind(rows)}")
    if "apps" in top:
        return _read_api_apps(top, rows, file, app)
    if "machines" in top:
        return _read_status(top, rows, file, app)
    return read_rows(Document(file, DocumentKind.ADDRESS_LIST, app), rows, read_address, key)


def _read_api_apps(
    top: dict[str, Field], rows: list[object], file: str, app: str | None
) -> Document:
    found = len(rows)
    if found:
        _refuse_app(app, file)
    document = Document(file, DocumentKind.APP_LIST, app)
    document = read_apps(document, rows, top["apps"].key, is_api=True)
    if "total_apps" not in top:
        return document
    key, total = top["total_apps"]
    if isinstance(total, bool) or not isinstance(total, int):
        return add_problem(document, key, f"it must be a whole number, not {json_kind(total)}")
    document = document._replace(total=total)
    if total == found:
        return document
    shown = str(total) if abs(total) < 10**12 else "a huge number"
    reason = f"it is {shown}, but the list has {found}: a page is missing"
    return add_problem(document, key, reason)


def _read_status(top: dict[str, Field], rows: list[object], file: str, app: str | None) -> Document:
    key, name = top.get("name", Field("Name", app))
    if not isinstance(name, str) or not name:
        raise DocumentError(file, f"{key}: it must be the app's name, not {json_kind(name)}")
    if app is not None and name != app:
        raise DocumentError(file, f"{key}: it is of app {quote(name)}, not of {quote(app)}")
    document = Document(file, DocumentKind.STATUS, name)
    document = read_rows(document, rows, read_machine, top["machines"].key)
    field = top.get("network", Field("Network"))
    try:
        network = network_name(field)  # newer tools write it
    except RowError as error:
        return add_problem(document, error.key, error.reason)
    apps = (App(name, network, Origin(file, field.key)),) if network else ()
    return document._replace(apps=apps)


def _read_list(rows: list[object], file: str, app: str | None, *, alone: bool = False) -> Document:
    """Read an array, or a row alone; the first row of a known kind decides the kind of all."""
    if not rows:
        return Document(file, DocumentKind.EMPTY_LIST, app)
    kind = next(filter(None, map(_kind_of, rows)), None)
    keys = list(rows[0]) if isinstance(rows[0], dict) else []
    if kind is None:
        inside = ", ".join(map(quote, keys[:4])) or "nothing in it"
        shown = f"unrecognized object with {inside}" if alone else "unrecognized array"
        raise DocumentError(file, f"{shown}: {_EXPECTED}")
    document = Document(file, kind, app, is_list=not alone)
    where = None if alone else ""
    if kind is DocumentKind.APP_LIST:
        _refuse_app(app, file)
        # Of the rows that are alone, only the API's have `name` in lower case.
        return read_apps(document, rows, where, is_api=alone and "name" in keys)
    read = read_machine if kind is DocumentKind.MACHINE_LIST else read_address
    return read_rows(document, rows, read, where)


def _refuse_app(app: str | None, file: str) -> None:
    if app is not None:
        raise DocumentError(file, f"it names its apps itself: leave out {quote(app)}")


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
