"""From the platform's documents to the model: the shape of a document, and its rows.

The shape decides the kind (`_kind_of`), never the file's name; docs/documents.md lists all shapes.
Fields that are not named here are ignored. A row that cannot be used is left out and its `Problem`
kept; a file that cannot be used is a `DocumentError`.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fdaa._escapes import quote
from fdaa.networks._document_rows import (
    Row,
    RowError,
    add_problem,
    ip_of,
    json_kind,
    read_address,
    read_apps,
    read_machine,
    read_rows,
    refuse_app,
)
from fdaa.networks._errors import DocumentError
from fdaa.networks._instances import is_instance_list, read_instances
from fdaa.networks._model import App, Document, DocumentKind, Problem
from fdaa.networks._reading import decode, load, read_bytes

if TYPE_CHECKING:
    from typing import BinaryIO

_EXPECTED = (
    "expected an app list (an object with 'apps', or objects with 'Name' and 'Network'), a Machine "
    "list (objects with 'id' and 'private_ip'), a status document (an object with 'Name' and "
    "'Machines'), an instance list (instance=...,app=...,ip=...), or allocated addresses (an "
    "object with 'ips', objects with 'Address', or texts)"
)

# Tables that the platform's command-line tool prints: words with wide gaps or lines between.
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
        app: the app that the document is about; Machine and address lists do not name it.
        kind: as in `parse_document`.
        name: the name for errors and origins, in place of the path.

    Raises:
        DocumentError: the file cannot be read, or is not a document of a known kind, or of this
            one.
    """
    if name is None:
        is_path = isinstance(source, str | os.PathLike)
        name = str(source if is_path else getattr(source, "name", "stream"))
    return parse_document(read_bytes(source, name), name, app, kind=kind)


def parse_document(
    data: str | bytes, file: str, app: str | None = None, *, kind: DocumentKind | None = None
) -> Document:
    """Return the content of a document.

    Args:
        data: the whole document; bytes are UTF-8.
        file: its name, for errors and origins.
        app: the app that the document is about; Machine and address lists do not name it.
        kind: the required kind: `DocumentKind.APP_LIST`, `MACHINE_LIST` (also a status document or
            an instance list) or `ADDRESS_LIST`. An empty list has the given kind; without one it
            contains no facts.

    Raises:
        DocumentError: it is not a document of a known kind, or not of this kind.
        TypeError: `data` is neither `str` nor `bytes`.

    >>> document = parse_document('{"total_apps": 1, "apps": [{"name": "web"}]}', "apps.json")
    >>> document.kind.value, document.apps[0].name, document.apps[0].network
    ('app-list', 'web', 'default')
    """
    if not isinstance(data, str | bytes):
        raise TypeError(f"a document must be str or bytes, not {type(data).__name__}")
    document = _parse(decode(data, file) if isinstance(data, bytes) else data, file, app)
    if document.kind is DocumentKind.EMPTY_LIST and kind is not None:
        return replace(document, kind=kind)
    if kind not in (None, document.kind):
        raise DocumentError(file, f"expected {kind}, found {document.kind}")
    return document


def _parse(text: str, file: str, app: str | None) -> Document:
    if is_instance_list(text):
        refuse_app(app, file)
        return read_instances(file, text)
    start = text[:_LOOK].lstrip()
    if start[:1] not in ("{", "[") and _TABLE.search(start):
        raise DocumentError(file, "this is table output; export it as JSON")
    value = load(text, file)
    del text  # a large document is in memory only once
    if isinstance(value, dict):
        return _read_object(value, file, app)
    if isinstance(value, list) or value is None:  # null: Go writes an empty list like this
        return _read_list(value or [], file, app)
    raise DocumentError(file, f"it is {json_kind(value)}; {_EXPECTED}")


def parse_app_list(value: object, file: str) -> Document:
    """Return the document in the parsed JSON of the API's app list (section 4.3).

    Args:
        value: what `json.loads` returned; its rows are consumed, to need their memory only once.
        file: its name, for errors and origins.

    Raises:
        DocumentError: it is not such a list.
    """
    if not (isinstance(value, dict) and "apps" in value):
        raise DocumentError(file, "expected an object with 'apps'")
    return _read_object(value, file, None)


# --- shapes ---------------------------------------------------------------------------------------

_ARRAYS = ("apps", "machines", "ips")


def _read_object(value: dict[str, object], file: str, app: str | None) -> Document:
    top = Row(value, file)
    arrays = [name for name in _ARRAYS if name in top]
    if not arrays:
        return _read_list([value], file, app, where=None)
    if len(arrays) > 1:
        reason = "it has more than one of 'apps', 'Machines' and 'ips', so its kind is not clear"
        raise DocumentError(file, reason)
    (name,) = arrays
    rows = top.get(name)
    if rows is None:  # Go writes an empty list like this
        rows = []
    if not isinstance(rows, list):
        raise top.error(name, "an array")
    where = top.key(name)
    if name == "apps":
        return _check_total(top, len(rows), read_apps(file, app, rows, where, is_api=True))
    if name == "machines":
        return _read_status(top, rows, file, app)
    return read_rows(Document(file, DocumentKind.ADDRESS_LIST, app), rows, read_address, where)


def _check_total(top: Row, found: int, document: Document) -> Document:
    """Return an app list of the API with a problem if `total_apps` is not its number of apps."""
    total = top.get_if(int, "total_apps")
    if total is None and top.get("total_apps") is not None:
        return add_problem(document, top.error("total_apps", "a whole number").problem)
    if total in (None, found):
        return replace(document, total=total)
    reason = f"it is {total}, but the list has {found}: a page is missing"
    problem = Problem(*top.origin("total_apps"), reason)
    return add_problem(replace(document, total=total), problem)


def _read_status(top: Row, rows: list[object], file: str, app: str | None) -> Document:
    name = top.text("name", "the app's name")
    if app not in (None, name):
        key = top.key("name")
        raise DocumentError(
            file, f"{key}: the document is about app {quote(name)}, not {quote(str(app))}"
        )
    empty = Document(file, DocumentKind.MACHINE_LIST, name)
    document = read_rows(empty, rows, read_machine, top.key("machines"))
    try:
        if network := top.network():  # newer tools write it
            document = replace(document, apps=(App(name, network, top.origin("network")),))
    except RowError as error:
        document = add_problem(document, error.problem)
    return document


def _read_list(rows: list[object], file: str, app: str | None, where: str | None = "") -> Document:
    """Read an array, or a row alone; the first row of a known kind decides the kind of all."""
    if not rows:
        return Document(file, DocumentKind.EMPTY_LIST, app)
    kind = next(filter(None, map(_kind_of, rows)), None)
    keys = list(rows[0]) if isinstance(rows[0], dict) else []
    if kind is None:
        inside = ", ".join(map(quote, keys[:4])) or "nothing in it"
        found = f"object with {inside}" if where is None else "array"
        raise DocumentError(file, f"unrecognized {found}: {_EXPECTED}")
    if kind is DocumentKind.APP_LIST:
        # Of the rows that are alone, only the API's have `name` in lower case.
        return read_apps(file, app, rows, where, is_api=where is None and "name" in keys)
    read = read_machine if kind is DocumentKind.MACHINE_LIST else read_address
    return read_rows(Document(file, kind, app), rows, read, where)


# Keys of the command-line tool's app list besides `Name`; its lists of tunnel peers, organizations,
# secrets and volumes have none of these.
_OF_APPS = frozenset(("network", "status", "deployed", "hostname", "organization"))


def _kind_of(row: object) -> DocumentKind | None:
    """Return the kind of list that a row belongs to, or None."""
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
