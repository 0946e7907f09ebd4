"""From the platform's documents to the model: the shape of a document, and its rows.

The shape decides the kind (`_kind_of`), never the file's name; `_shapes` lists them.
Fields that are not named here are ignored. A row that cannot be used is left out and its `Unused`
kept; a file that cannot be used is a `DocumentError`.
"""

import re
from dataclasses import replace
from types import NoneType

from fdaa._support.escapes import quote
from fdaa._values.checks import check_type, text_of
from fdaa._values.network_name import DEFAULT_NETWORK
from fdaa.networks._document_errors import DocumentError
from fdaa.networks._document_rows import (
    Row,
    RowError,
    Rows,
    ip_of,
    json_kind,
    read_address,
    read_app,
    read_machine,
)
from fdaa.networks._instances import is_instance_list, read_instances
from fdaa.networks._model import Document, DocumentKind, ListedApp, Unused, UnusedKind
from fdaa.networks._reading import decode, load
from fdaa.networks._saved import is_saved, read_saved
from fdaa.networks._shapes import expected

# Tables that the platform's command-line tool prints: words with wide gaps or lines between.
_TABLE = re.compile(r"\S(?: {2,}| *[\t|\u2502] *)\S")
_JSON_STARTS = '{["-0123456789tfnNI'  # also of true, false, null and of what JSON has not
_LOOK = 2000  # characters in which a table shows itself


def parse_document(
    data: str | bytes, *, file: str, app: str | None = None, kind: DocumentKind | None = None
) -> Document:
    """Return the content of a document.

    An empty list (`[]`) contains no facts unless its `kind` is given: an empty Machine list shows
    that its app has no Machine.

    Args:
        data: the whole document; bytes are UTF-8.
        file: its name, for errors and origins.
        app: the app that the document is about; Machine and address lists do not name it.
        kind: the kind of an empty list (`[]`).

    Raises:
        DocumentError: it is not a document of a known kind.
        TypeError: `data` is neither `str` nor `bytes`.

    >>> text = '{"total_apps": 1, "apps": [{"name": "web"}]}'
    >>> document = parse_document(text, file="apps.json")
    >>> document.kind.value, document.apps[0].name, document.apps[0].network_name
    ('app-list', 'web', 'default')
    """
    check_type(data, "data", str, bytes)
    file = text_of(file, "file")
    check_type(app, "app", str, NoneType)
    if app is not None:
        app = text_of(app, "app")
    check_type(kind, "kind", DocumentKind, NoneType)
    document = _parse(data, file, app)
    if kind is not None and document.kind is DocumentKind.EMPTY_LIST:
        document = replace(document, kind=kind)
    return _with_missing_app(document)


_LISTS_OF_ONE_APP = {
    DocumentKind.MACHINE_LIST: "Machine list",
    DocumentKind.ADDRESS_LIST: "address list",
}


def _with_missing_app(document: Document) -> Document:
    """Report the missing app of a list that needs one."""
    noun = _LISTS_OF_ONE_APP.get(document.kind)
    if noun is None or document.app is not None:
        return document
    if any(machine.app is not None for machine in document.machines):
        return document
    reason = f"this {noun} does not name its app, and no app is given with it"
    return _with_unused(
        document, Unused(file=document.file, place="", reason=reason, what=UnusedKind.APP)
    )


def _with_unused(document: Document, unused: Unused) -> Document:
    return replace(document, unused=(*document.unused, unused))


def _parse(data: str | bytes, file: str, app: str | None) -> Document:
    text = decode(data, file) if isinstance(data, bytes) else data
    if is_instance_list(text):
        _refuse_app(file, app)
        return read_instances(file, text)
    start = text[:_LOOK].lstrip()
    if start[:1] not in ("{", "[") and _TABLE.search(start):
        raise DocumentError(file, reason="this is table output; export it as JSON")
    if start and start[0] not in _JSON_STARTS:
        raise DocumentError(file, reason="this is text; `fdaa.scan` finds the addresses in it")
    value = load(text, file)
    del data, text  # a large document is in memory only once
    try:
        return _read_value(value, file, app)
    except RowError as error:  # of the document as a whole
        raise DocumentError(file, reason=error.reason) from None


# --- shapes ---------------------------------------------------------------------------------------

_ARRAYS = ("apps", "machines", "ips")


def _read_value(value: object, file: str, app: str | None) -> Document:
    if isinstance(value, dict):
        return _read_object(value, file, app)
    if value is None:  # Go writes an empty list like this
        value = []
    if isinstance(value, list):
        return _read_list(value, file, app)
    raise DocumentError(file, reason=f"it is {json_kind(value)}; {expected()}")


def _read_object(value: dict[str, object], file: str, app: str | None) -> Document:
    if is_saved(value):
        _refuse_app(file, app)
        return read_saved(value, file)
    rows = Rows(file, app)
    top = Row(rows, value)
    arrays = [name for name in _ARRAYS if name in top]
    if not arrays:
        return _read_list([value], file, app, where=None)
    if len(arrays) > 1:
        reason = "it has more than one of 'apps', 'Machines' and 'ips', so its kind is not clear"
        raise DocumentError(file, reason=reason)
    name = arrays[0]
    values = top.get(name)
    if values is None:  # as above
        values = []
    if not isinstance(values, list):
        raise top.error(name, "an array")
    if name == "apps":
        return _read_api_list(top, values, rows)
    if name == "machines":
        return _read_status(top, values, rows)
    rows.read(values, read_address, top.key(name))
    return rows.document(DocumentKind.ADDRESS_LIST)


def _read_api_list(top: Row, values: list[object], rows: Rows) -> Document:
    """Return the API's list (section 4.3), in which a missing network is `default`."""
    _refuse_app(rows.file, rows.app)
    found = len(values)
    rows.read(values, read_app, top.key("apps"))
    total = top.optional_count("total_apps")
    if total is not None and total != found:
        reason = f"it is {total}, but the list has {found}"
        if total > found:
            reason = f"the list has {found} of {total} apps"
        origin = top.origin("total_apps")
        rows.add_unused(Unused(file=origin.file, place=origin.place, reason=reason))
    document = rows.document(DocumentKind.APP_LIST)
    apps = _on_default(document.apps)
    return replace(document, apps=apps, total=total)


def _on_default(apps: tuple[ListedApp, ...]) -> tuple[ListedApp, ...]:
    """Return apps of which those without a network are on the default network."""
    on_networks = []
    for app in apps:
        if app.network_name is None:
            app = replace(app, network_name=str(DEFAULT_NETWORK))
        on_networks.append(app)
    return tuple(on_networks)


def _read_status(top: Row, values: list[object], rows: Rows) -> Document:
    name = top.text("name", "the app's name")
    if rows.app not in (None, name):
        place = top.key("name")
        given = quote(str(rows.app))
        reason = f"the document is about app {quote(name)}, not {given}"
        raise DocumentError(rows.file, reason=f"{place}: {reason}")
    rows.app = name
    rows.read(values, read_machine, top.key("machines"))
    network = top.optional_text("network", "the network's name")  # newer tools write it
    rows.check_network_name(network, top.origin("network"))
    document = rows.document(DocumentKind.MACHINE_LIST)
    if network is None:
        return document
    listed = ListedApp(name, network_name=network, origin=top.origin("network"))
    return replace(document, apps=(listed,))


def _read_list(
    values: list[object], file: str, app: str | None, where: str | None = ""
) -> Document:
    """Read an array, or a row alone; the first row of a known kind decides the kind of all."""
    is_list = where is not None
    rows = Rows(file, app)
    if not values:
        return rows.document(DocumentKind.EMPTY_LIST)
    kind = next(filter(None, map(_kind_of, values)), None)
    if kind is None:
        raise _unrecognized(values, file, is_list=is_list)
    if kind is DocumentKind.APP_LIST:
        _refuse_app(file, app)
        rows.read(values, read_app, where)
        return _with_default(rows.document(kind, is_list=is_list))
    if kind is DocumentKind.MACHINE_LIST:
        rows.read(values, read_machine, where)
    else:
        rows.read(values, read_address, where)
    return rows.document(kind, is_list=is_list)


_NO_NETWORKS = (
    "no app in it has a network, so the networks are unknown; use the response to "
    "GET /v1/apps?org_slug=ORG, or the app list of a newer version of the tool"
)


def _with_default(document: Document) -> Document:
    """Return the command-line tool's list with the apps that are on the default network.

    The tool prints this network as an empty text; its older versions print that for every app,
    because they do not request it.
    """
    if not document.apps:
        return document
    if any(app.network_name is not None for app in document.apps):
        return replace(document, apps=_on_default(document.apps))
    return _with_unused(document, Unused(file=document.file, place="", reason=_NO_NETWORKS))


def _unrecognized(values: list[object], file: str, *, is_list: bool) -> DocumentError:
    if is_list:
        return DocumentError(file, reason=f"unrecognized array: {expected()}")
    inside = "nothing in it"
    if isinstance(values[0], dict) and values[0]:
        keys = list(map(quote, values[0]))
        inside = ", ".join(keys[:4])
    return DocumentError(file, reason=f"unrecognized object with {inside}: {expected()}")


def _refuse_app(file: str, app: str | None) -> None:
    """Raise a DocumentError if a document that names its apps is given an app."""
    if app is not None:
        raise DocumentError(file, reason=f"this file already names its apps; drop {quote(app)}")


# Keys of the command-line tool's app list besides `Name`; its lists of tunnel peers, organizations,
# secrets and volumes have none of these.
_OF_APPS = frozenset(("network", "status", "deployed", "hostname", "organization"))


def _is_address_row(row: dict[str, object]) -> bool:
    """Return whether the address in a row is that of a computer, not of a house or a mailbox."""
    for key, value in row.items():
        if key.lower() == "address" and isinstance(value, str) and value:
            return ip_of(value) is not None or value[:4].lower() == "fdaa"
    return True


def _kind_of(row: object) -> DocumentKind | None:
    """Return the kind of list that a row belongs to, or None."""
    if not isinstance(row, dict):
        if ip_of(row) is None:
            return None
        return DocumentKind.ADDRESS_LIST
    keys = {key.lower() for key in row}
    if "address" in keys and _is_address_row(row):
        return DocumentKind.ADDRESS_LIST
    if {"id", "private_ip"} <= keys:
        return DocumentKind.MACHINE_LIST
    if "name" in keys and not keys.isdisjoint(_OF_APPS):
        return DocumentKind.APP_LIST
    if {"id", "state"} <= keys and "size_gb" not in keys:  # a volume has a size
        return DocumentKind.MACHINE_LIST
    return None
