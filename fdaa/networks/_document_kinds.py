"""The platform's documents to the model: which shape is it, and what are its rows?

The shape decides the kind (`_kind_of`), never the file's name; docs/documents.md lists all shapes.
Fields that are not named here are ignored. A row that cannot be used is left out and its `Problem`
kept; a file that cannot be used is a `DocumentError`.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fdaa.errors import quote
from fdaa.networks._document_rows import (
    Field,
    RowError,
    add_problem,
    fields_of,
    folded,
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
    source: str | os.PathLike[str] | BinaryIO,
    app: str | None = None,
    *,
    kind: DocumentKind | None = None,
    name: str | None = None,
) -> Document:
    """Return the content of the document in a file.

    Args:
        source: the path of a file or a pipe, or a stream as `sys.stdin.buffer`.
        app: the app that the document is about; Machine lists and address lists do not say.
        kind: as in `parse_document`.
        name: what to call the file in errors and origins, in place of its path.

    Raises:
        DocumentError: the file cannot be read, or is no document of a known kind, or of this one.
    """
    if isinstance(source, str | os.PathLike):
        name = os.fspath(source) if name is None else name
        return parse_document(read_bytes(source, name), name, app, kind=kind)
    name = str(getattr(source, "name", "stream")) if name is None else name
    return parse_document(read_all(source, name), name, app, kind=kind)


def parse_document(
    data: str | bytes, file: str, app: str | None = None, *, kind: DocumentKind | None = None
) -> Document:
    """Return the content of a document.

    Args:
        data: the whole document; bytes are UTF-8.
        file: its name, for errors and origins.
        app: the app that the document is about; Machine lists and address lists do not say.
        kind: what it must be: `DocumentKind.APP_LIST`, `MACHINE_LIST` (also a status document or an
            instance list) or `ADDRESS_LIST`. An empty list is of the kind that is given; without
            one it states nothing.

    Raises:
        DocumentError: it is no document of a known kind, or not of this kind.
        TypeError: `data` is neither `str` nor `bytes`.

    >>> document = parse_document('{"total_apps": 1, "apps": [{"name": "web"}]}', "apps.json")
    >>> document.kind.value, document.apps[0].name, document.apps[0].network
    ('app-list', 'web', 'default')
    """
    if not isinstance(data, str | bytes):
        raise TypeError(f"a document is parsed from str or bytes, not {type(data).__name__}")
    document = _parse(decode(data, file) if isinstance(data, bytes) else data, file, app)
    if kind is None:
        return document
    found = _GIVEN_AS.get(document.kind, document.kind)
    if found is DocumentKind.EMPTY_LIST:
        return replace(document, kind=kind)
    if found is not kind:
        raise DocumentError(file, f"expected {_NAMES[kind]}, not {_NAMES[found]}")
    return document


_GIVEN_AS = {
    DocumentKind.STATUS: DocumentKind.MACHINE_LIST,
    DocumentKind.INSTANCE_LIST: DocumentKind.MACHINE_LIST,
}
_NAMES = {
    DocumentKind.APP_LIST: "an app list",
    DocumentKind.MACHINE_LIST: "a list of Machines",
    DocumentKind.ADDRESS_LIST: "a list of allocated addresses",
}


def _parse(text: str, file: str, app: str | None) -> Document:
    if is_instance_list(text):
        _refuse_app(app, file)
        return read_instances(file, text)
    start = text[:_LOOK].lstrip()
    if start[:1] not in ("{", "[") and _TABLE.search(start):
        raise DocumentError(file, "this is table output; export it as JSON")
    value = load(text, file)
    del text  # a large document is there once only
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
    return read_rows(file, DocumentKind.ADDRESS_LIST, app, rows, read_address, key)


def _read_api_apps(
    top: dict[str, Field], rows: list[object], file: str, app: str | None
) -> Document:
    found = len(rows)
    if found:
        _refuse_app(app, file)
    document = read_apps(file, rows, top["apps"].key, is_api=True)
    if "total_apps" not in top:
        return document
    key, total = top["total_apps"]
    if isinstance(total, bool) or not isinstance(total, int):
        return add_problem(document, key, f"it must be a whole number, not {json_kind(total)}")
    document = replace(document, total=total)
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
    rows_key = top["machines"].key
    document = read_rows(file, DocumentKind.STATUS, name, rows, read_machine, rows_key)
    field = top.get("network", Field("Network"))
    try:
        network = network_name(field)  # newer tools write it
    except RowError as error:
        return add_problem(document, error.key, error.reason)
    apps = (App(name, network, Origin(file, field.key)),) if network else ()
    return replace(document, apps=apps)


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
    where = None if alone else ""
    if kind is DocumentKind.APP_LIST:
        _refuse_app(app, file)
        # Of the rows that are alone, only the API's have `name` in lower case.
        document = read_apps(file, rows, where, is_api=alone and "name" in keys)
    else:
        read = read_machine if kind is DocumentKind.MACHINE_LIST else read_address
        document = read_rows(file, kind, app, rows, read, where)
    return replace(document, is_list=False) if alone else document


def _refuse_app(app: str | None, file: str) -> None:
    if app is not None:
        raise DocumentError(file, f"this file already names its apps; drop {quote(app)}")


# What the command-line tool's app list has beside `Name`; its lists of tunnel peers, organizations,
# secrets and volumes have none of these.
_OF_APPS = frozenset(("network", "status", "deployed", "hostname", "organization"))


def _kind_of(row: object) -> DocumentKind | None:
    """Return the kind of list that a row is of, or None where it is like no kind's."""
    if not isinstance(row, dict):
        return None if ip_of(row) is None else DocumentKind.ADDRESS_LIST
    keys = {folded(key) for key in row}
    if "address" in keys:
        return DocumentKind.ADDRESS_LIST
    if {"id", "private_ip"} <= keys:
        return DocumentKind.MACHINE_LIST
    if "name" in keys and not keys.isdisjoint(_OF_APPS):
        return DocumentKind.APP_LIST
    if {"id", "state"} <= keys and "size_gb" not in keys:  # a volume has a size
        return DocumentKind.MACHINE_LIST
    return None
