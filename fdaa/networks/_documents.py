"""From the text of one document to its rows: what it is, and the fields that are read.

The content decides the kind, never the file's name. Keys that are no `_Field` below are ignored. A
row that cannot be used is left out and its `Unused` kept; a file that cannot be used is a
`DocumentError`. docs/rules-documents.md states the rules.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from ipaddress import IPv4Address, IPv6Address, ip_address
from types import NoneType
from typing import Any, NamedTuple, TypeAlias

from fdaa._support import strict_json
from fdaa._support.escapes import quote
from fdaa._support.json_kinds import KINDS
from fdaa._values.address import Address, NetworkID
from fdaa._values.checks import check_type, text_of
from fdaa._values.errors import InputError, NetworkNameError
from fdaa._values.network_name import DEFAULT_NETWORK, NetworkName
from fdaa.networks._model import (
    CrossNetworkAddress,
    Document,
    DocumentError,
    DocumentKind,
    ListedApp,
    ListedMachine,
    Origin,
    SavedNetwork,
    Unused,
    UnusedKind,
)

_Public: TypeAlias = IPv4Address | IPv6Address

MAX_UNUSED = 100  # of one document that are kept with their places; the others are counted
SAVED_VERSION = 1
SAVED_KEYS = ("fdaa_networks", "fdaa_book")  # the second one was written until 1.0

# Tables that the platform's command-line tool prints: words with wide gaps or lines between.
_TABLE = re.compile(r"\S(?: {2,}| *[\t|\u2502] *)\S")
_JSON_STARTS = '{["-0123456789tfnNI'  # also of true, false, null and of what JSON has not
_LOOK = 2000  # characters in which a table or an instance list shows itself


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
    document = _read(data, _Rows(file, app))
    if kind is not None and document.kind is DocumentKind.EMPTY_LIST:
        document = replace(document, kind=kind)
    noun = _LISTS_OF_ONE_APP.get(document.kind)
    if noun is None or document.app is not None:
        return document
    if any(machine.app is not None for machine in document.machines):
        return document
    reason = f"this {noun} does not name its app, and no app is given with it"
    return _with_unused(document, reason, UnusedKind.APP)


_LISTS_OF_ONE_APP = {
    DocumentKind.MACHINE_LIST: "Machine list",
    DocumentKind.ADDRESS_LIST: "address list",
}


def _with_unused(document: Document, reason: str, what: UnusedKind) -> Document:
    unused = Unused(file=document.file, place="", reason=reason, what=what)
    return replace(document, unused=(*document.unused, unused))


def load(data: str | bytes, file: str) -> object:
    """Return the value of a document's JSON.

    Raises:
        DocumentError: it is not UTF-8, or not strict JSON.
    """
    try:
        return strict_json.load(_text_of(data, file))
    except strict_json.JSONError as error:
        raise DocumentError(file, str(error)) from None


def _text_of(data: str | bytes, file: str) -> str:
    if isinstance(data, str):
        return data
    try:
        return strict_json.decode(data)
    except strict_json.EncodingError as error:
        reason = f"{error}; save it as UTF-8 without a byte order mark"
        raise DocumentError(file, reason) from None


def _read(data: str | bytes, rows: "_Rows") -> Document:
    text = _text_of(data, rows.file)
    start = text[:_LOOK].lstrip()
    if start.lstrip(' \t\r\n"').startswith("instance="):
        rows.refuse_app()
        return _read_instances(text, rows)
    is_other_kind = not rows.file.endswith(".json")
    if start[:1] not in ("{", "[") and _TABLE.search(start):
        reason = "this is table output; export it as JSON"
        raise DocumentError(rows.file, reason, is_other_kind=is_other_kind)
    if start and start[0] not in _JSON_STARTS:
        reason = "this is text, not a document"
        raise DocumentError(rows.file, reason, is_other_kind=is_other_kind)
    value = load(text, rows.file)
    del data, text  # a large document is in memory only once
    try:
        return _read_value(value, rows)
    except _RowError as error:  # of the document as a whole
        raise DocumentError(rows.file, error.reason) from None


# --- the fields -----------------------------------------------------------------------------------


class _Field(NamedTuple):
    """A key that is read; keys are matched in any case.

    Args:
        key: the key, in lower case.
        expected: what its value must be, for messages.
        read: returns the value, or None where it is of another type.
        is_required: whether a row without it is skipped; so is one with a value of another type.
        skips_row: whether a value of another type skips the row. Else it is reported, and the row
            is used without it.
    """

    key: str
    expected: str
    read: Callable[[object], Any]
    is_required: bool = False
    skips_row: bool = False


def _text(value: object) -> str | None:
    if isinstance(value, str):
        return value
    return None


def _count(value: object) -> int | None:
    if type(value) is int and value >= 0:  # True is an int, too
        return value
    return None


def _array(value: object) -> list[object] | None:
    if isinstance(value, list):
        return value
    return None


def _address(value: object) -> Address | None:
    if isinstance(value, str):
        return Address(value)
    return None


_APP_NAME = _Field("name", "the app's name", _text, is_required=True)
_NETWORK = _Field("network", "the network's name", _text, skips_row=True)
_APP_ID = _Field("id", "the app's identifier", _text)
_MACHINE_COUNT = _Field("machine_count", "a whole number", _count)
_VOLUME_COUNT = _Field("volume_count", "a whole number", _count)
_TOTAL_APPS = _Field("total_apps", "a whole number", _count)
_MACHINE_ID = _Field("id", "the Machine's identifier", _text, is_required=True)
_PRIVATE_IP = _Field("private_ip", "an address", _address, skips_row=True)
_STATE = _Field("state", "the Machine's state", _text)
_STATUS_NETWORK = _Field("network", "the network's name", _text)
_CLIENTS_NETWORK = _Field("name", "the network's name", _text)
_ADDRESS = _Field("address", "an address", _address, is_required=True)
_IP = _Field("ip", "an address", _address, is_required=True)
_ADDRESS_ALONE = _Field("", "an address", _address, is_required=True)
_INSTANCE = _Field("instance", "the Machine's identifier", _text, is_required=True)
_APP = _Field("app", "the app's name", _text, is_required=True)
_REGION = _Field("region", "the region", _text)
_APPS = _Field("apps", "an array", _array, skips_row=True)
_MACHINES = _Field("machines", "an array", _array, skips_row=True)
_IPS = _Field("ips", "an array", _array, skips_row=True)


class _RowError(Exception):
    """A row that cannot be used, and why; it stays inside `parse_document`."""

    def __init__(self, origin: Origin, reason: str) -> None:
        super().__init__(origin, reason)
        self.reason = f"{origin.place}: {reason}".removeprefix(": ")  # a document has no place
        self.unused = Unused(file=origin.file, place=origin.place, reason=reason)


def _json_kind(value: object) -> str:
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


class _Row:
    """An object of a document, its keys in any case.

    Args:
        rows: the document's rows; they get the problem of a field that is not required.
        value: the parsed JSON.
        place: its place in the document; errors and origins add the key as the document has it.

    Raises:
        _RowError: it is not an object, or two keys differ only in case.
    """

    __slots__ = ("_keys", "_place", "_rows", "_value")

    def __init__(self, rows: "_Rows", value: object, place: str = "") -> None:
        self._rows = rows
        self._place = place
        if not isinstance(value, dict):
            reason = f"it must be an object, not {_json_kind(value)}"
            raise _RowError(Origin(file=rows.file, place=place), reason)
        self._value = value
        self._keys = {key.lower(): key for key in value}
        if len(self._keys) < len(value):
            twice = [key for key in value if self._keys[key.lower()] != key]
            reason = f"{quote(twice[0])} appears twice, in different case"
            raise _RowError(Origin(file=rows.file, place=place), reason)

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def get(self, key: str) -> object:
        """Return the value of a key as it is, or None."""
        return self._value.get(self._keys.get(key, key))

    def place(self, key: str) -> str:
        """Return the place of a key, as the document has it."""
        return f"{self._place}.{self._keys.get(key, key)}".strip(".")

    def origin(self, key: str) -> Origin:
        """Return the place of a key, with the file."""
        return Origin(file=self._rows.file, place=self.place(key))

    def read(self, field: _Field) -> Any:
        """Return the value of a field; None where it is missing, null, empty, or is a problem.

        Raises:
            _RowError: the field is required, or a wrong value of it skips the row.
        """
        value = self._value.get(self._keys.get(field.key, field.key))
        if (value is None or value == "") and not field.is_required:
            return None
        reason = ""
        if value != "":
            try:
                found = field.read(value)
                if found is not None:
                    return found
            except InputError as error:
                reason = str(error)
        if not reason:
            reason = f"it must be {field.expected}, not {_json_kind(value)}"
        problem = _RowError(self.origin(field.key), reason)
        if field.is_required or field.skips_row:
            raise problem
        self._rows.add_unused(problem.unused)
        return None


class _Rows:
    """The rows of one document, as records, and what could not be used.

    Args:
        file: its name, for errors and origins.
        app: the app that all of it is about, or None.
    """

    def __init__(self, file: str, app: str | None) -> None:
        self.file = file
        self.app = app
        self.apps: list[ListedApp] = []
        self.machines: list[ListedMachine] = []
        self.allocated: list[CrossNetworkAddress] = []
        self.public: list[_Public] = []
        self._unused: list[Unused] = []
        self._more_unused = 0
        self._left_out = 0
        self._names: set[str] = set()  # of networks, which were checked

    def refuse_app(self) -> None:
        """Raise a DocumentError if a document that names its apps is given an app."""
        if self.app is not None:
            reason = f"this file already names its apps; drop {quote(self.app)}"
            raise DocumentError(self.file, reason)

    def read(
        self,
        values: list[object],
        read: "Callable[[_Rows, object, str], None]",
        where: str | None = "",
    ) -> None:
        """Read each row, and keep the reasons why some cannot be used.

        Args:
            values: the rows. The list is emptied while it is read, so that rows and records are not
                in memory together.
            read: adds the record of a row, which is given with its place in the document.
            where: the key of the array of rows; empty if the document is that array, None if it is
                a single row.
        """
        values.reverse()
        for number in range(len(values)):
            place = ""
            if where is not None:
                place = f"{where}[{number}]"
            try:
                read(self, values.pop(), place)
            except _RowError as error:
                self._left_out += 1
                self.add_unused(error.unused)

    def add_unused(self, unused: Unused) -> None:
        """Keep what was not used, or count it where there is much."""
        if len(self._unused) < MAX_UNUSED:
            self._unused.append(unused)
        else:
            self._more_unused += 1

    def check_network_name(self, name: str | None, row: _Row, key: str) -> None:
        """Report a name that breaks the rules, once; its row stays."""
        if name is None or name in self._names:
            return
        self._names.add(name)
        try:
            NetworkName(name)
        except NetworkNameError as error:
            reason = f"{quote(name)} is not a network name, so it is not used: {error.reason}"
            unused = Unused(
                file=self.file, place=row.place(key), reason=reason, what=UnusedKind.NETWORK_NAME
            )
            self.add_unused(unused)

    def put_on_default(self) -> None:
        """Put the apps without a network on the default network."""
        for number, app in enumerate(self.apps):
            if app.network_name is None:
                self.apps[number] = replace(app, network_name=str(DEFAULT_NETWORK))

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
            apps=tuple(self.apps),
            machines=tuple(self.machines),
            allocated=tuple(self.allocated),
            public=tuple(self.public),
            unused=tuple(unused),
            left_out=self._left_out,
            is_list=is_list,
        )


# --- the rows -------------------------------------------------------------------------------------


def _read_app(rows: _Rows, value: object, place: str) -> None:
    row = _Row(rows, value, place)
    name = row.read(_APP_NAME)
    network = row.read(_NETWORK)
    rows.check_network_name(network, row, "network")
    app = ListedApp(
        name,
        network_name=network,
        origin=row.origin("network"),
        id=row.read(_APP_ID),
        machine_count=row.read(_MACHINE_COUNT),
        volume_count=row.read(_VOLUME_COUNT),
    )
    rows.apps.append(app)


def _read_machine(rows: _Rows, value: object, place: str) -> None:
    """Read a row of a Machine list; a Machine that is new has no address yet."""
    row = _Row(rows, value, place)
    address = row.read(_PRIVATE_IP)
    id_ = row.read(_MACHINE_ID)
    state = row.read(_STATE)
    origin = row.origin("private_ip")
    machine = ListedMachine(id_, app=rows.app, address=address, origin=origin, state=state)
    rows.machines.append(machine)


def _read_address(rows: _Rows, value: object, place: str) -> None:
    """Read a row of an address list: an object, or the address alone."""
    public = _public_pair(value)
    if public:
        rows.public += public
        return
    if not isinstance(value, dict):
        value = {"": value}
    row = _Row(rows, value, place)
    field = _ADDRESS
    if "" in row:
        field = _ADDRESS_ALONE
    elif "address" not in row and "ip" in row:
        field = _IP
    ip = _ip_of(row.get(field.key))
    if ip is not None and _is_public(ip):
        rows.public.append(ip)
        return
    allocated = CrossNetworkAddress(
        app=rows.app,
        address=row.read(field),
        network_name=_clients_network(rows, row),
        origin=row.origin(field.key),
    )
    rows.allocated.append(allocated)


def _clients_network(rows: _Rows, row: _Row) -> str | None:
    """Return the name in `"Network": {"Name": ...}` of newer tools, or None."""
    if row.get("network") is None:
        return None
    try:
        network = _Row(rows, row.get("network"), row.place("network"))
    except _RowError as error:
        rows.add_unused(error.unused)
        return None
    name: str | None = network.read(_CLIENTS_NETWORK)
    rows.check_network_name(name, network, "name")
    return name


def _public_pair(value: object) -> list[_Public]:
    """Return the public addresses of a row with a pair of them in place of `ip` (assumed)."""
    if not isinstance(value, dict) or value.get("ip") is not None:
        return []
    pair = value.get("ip_pair")
    if not isinstance(pair, dict):
        return []
    addresses = []
    for text in pair.values():
        ip = _ip_of(text)
        if ip is None or not _is_public(ip):
            return []
        addresses.append(ip)
    return addresses


_GLOBAL_UNICAST = range(0x20, 0x40)  # the first byte in 2000::/3 (RFC 4291, section 2.4)


def _is_public(ip: _Public) -> bool:
    return ip.version == 4 or ip.packed[0] in _GLOBAL_UNICAST


def _ip_of(value: object) -> _Public | None:
    """Return the IP address in a text, of any kind and without a zone, or None."""
    if not isinstance(value, str) or "%" in value:
        return None
    try:
        return ip_address(value)
    except ValueError:
        return None


# --- the kinds of documents -----------------------------------------------------------------------

_EXPECTED = (
    "expected an app list (an object with 'apps', or objects with 'Name' and 'Network'), "
    "a Machine list (objects with 'id' and 'private_ip'), a status document (an object with "
    "'Name' and 'Machines'), an instance list (instance=...,app=...,ip=...), cross-network "
    "addresses (an object with 'ips', objects with 'Address', or texts), or saved networks"
)


def _read_value(value: object, rows: _Rows) -> Document:
    if value is None:  # Go writes an empty list like this
        value = []
    if isinstance(value, list):
        return _read_list(value, rows)
    if not isinstance(value, dict):
        reason = f"it is {_json_kind(value)}; {_EXPECTED}"
        raise DocumentError(rows.file, reason, is_other_kind=True)
    if not value.keys().isdisjoint(SAVED_KEYS):
        rows.refuse_app()
        return _read_saved(value, rows)
    top = _Row(rows, value)
    arrays = [field for field in (_APPS, _MACHINES, _IPS) if field.key in top]
    if not arrays:
        return _read_list([value], rows, where=None)
    if len(arrays) > 1:
        reason = "it has more than one of 'apps', 'Machines' and 'ips', so its kind is not clear"
        raise DocumentError(rows.file, reason)
    where = top.place(arrays[0].key)
    if top.get(arrays[0].key) == "":
        raise DocumentError(rows.file, f"{where}: it must be an array, not empty")
    values = top.read(arrays[0]) or []
    if arrays[0] is _APPS:
        return _read_api_list(top, values, rows)
    if arrays[0] is _MACHINES:
        return _read_status(top, values, rows)
    rows.read(values, _read_address, where)
    return rows.document(DocumentKind.ADDRESS_LIST)


def _read_api_list(top: _Row, values: list[object], rows: _Rows) -> Document:
    """Return the API's list (section 4.3), in which a missing network is `default`."""
    rows.refuse_app()
    found = len(values)
    rows.read(values, _read_app, top.place("apps"))
    total = top.read(_TOTAL_APPS)
    if total is not None and total != found:
        reason = f"it is {total}, but the list has {found}"
        if total > found:
            reason = f"the list has {found} of {total} apps"
        rows.add_unused(Unused(file=rows.file, place=top.place("total_apps"), reason=reason))
    rows.put_on_default()
    return replace(rows.document(DocumentKind.APP_LIST), total=total)


def _read_status(top: _Row, values: list[object], rows: _Rows) -> Document:
    name = top.read(_APP_NAME)
    if rows.app not in (None, name):
        reason = f"the document is about app {quote(name)}, not {quote(str(rows.app))}"
        raise DocumentError(rows.file, f"{top.place('name')}: {reason}")
    rows.app = name
    rows.read(values, _read_machine, top.place("machines"))
    network = top.read(_STATUS_NETWORK)  # newer tools write it
    rows.check_network_name(network, top, "network")
    if network is not None:
        rows.apps.append(ListedApp(name, network_name=network, origin=top.origin("network")))
    return rows.document(DocumentKind.MACHINE_LIST)


def _read_list(values: list[object], rows: _Rows, where: str | None = "") -> Document:
    """Read an array, or a row alone; the first row of a known kind decides the kind of all."""
    is_list = where is not None
    if not values:
        return rows.document(DocumentKind.EMPTY_LIST)
    kind = next(filter(None, map(_kind_of, values)), None)
    if kind is None:
        reason = _unrecognized(values, is_list=is_list)
        raise DocumentError(rows.file, reason, is_other_kind=True)
    if kind is DocumentKind.APP_LIST:
        rows.refuse_app()
        rows.read(values, _read_app, where)
        return _tool_list(rows, is_list=is_list)
    if kind is DocumentKind.MACHINE_LIST:
        rows.read(values, _read_machine, where)
    else:
        rows.read(values, _read_address, where)
    return rows.document(kind, is_list=is_list)


_NO_NETWORKS = (
    "no app in it has a network, so the networks are unknown; use the response to "
    "GET /v1/apps?org_slug=ORG, or the app list of a newer version of the tool"
)


def _tool_list(rows: _Rows, *, is_list: bool) -> Document:
    """Return the command-line tool's list with the apps that are on the default network.

    The tool prints this network as an empty text; its older versions print that for every app,
    because they do not request it.
    """
    if any(app.network_name is not None for app in rows.apps):
        rows.put_on_default()
    document = rows.document(DocumentKind.APP_LIST, is_list=is_list)
    if not document.apps or document.apps[0].network_name is not None:
        return document
    return _with_unused(document, _NO_NETWORKS, UnusedKind.VALUE)


# Keys of the command-line tool's app list besides `Name`; its lists of tunnel peers, organizations,
# secrets and volumes have none of these.
_OF_APPS = frozenset(("network", "status", "deployed", "hostname", "organization"))


def _kind_of(row: object) -> DocumentKind | None:
    """Return the kind of list that a row belongs to, or None."""
    if not isinstance(row, dict):
        if _ip_of(row) is None:
            return None
        return DocumentKind.ADDRESS_LIST
    keys = {key.lower(): value for key, value in row.items()}
    if "address" in keys and _may_be_address(keys["address"]):
        return DocumentKind.ADDRESS_LIST
    if "id" in keys and "private_ip" in keys:
        return DocumentKind.MACHINE_LIST
    if "name" in keys and not _OF_APPS.isdisjoint(keys):
        return DocumentKind.APP_LIST
    if "id" in keys and "state" in keys and "size_gb" not in keys:  # a volume has a size
        return DocumentKind.MACHINE_LIST
    return None


def _may_be_address(value: object) -> bool:
    """Return whether the address in a row is that of a computer, not of a house or a mailbox."""
    if value is None or value == "":
        return True
    return _ip_of(value) is not None or (isinstance(value, str) and value[:4].lower() == "fdaa")


def _unrecognized(values: list[object], *, is_list: bool) -> str:
    if is_list:
        return f"unrecognized array: {_EXPECTED}"
    inside = "nothing in it"
    if isinstance(values[0], dict) and values[0]:
        inside = ", ".join(list(map(quote, values[0]))[:4])
    return f"unrecognized object with {inside}: {_EXPECTED}"


# --- the platform's instance list -----------------------------------------------------------------

# A TXT record with an entry for each Machine:
# instance=148e21dad76789,app=web,ip=fdaa:2:224b:a7b:2dbb:3e15:aaea:2,region=sea;instance=...

# A character-string of a TXT record as tools print it, and an escape in it (RFC 1035, section 5.1).
# A match is never retried, so the time is linear.
_STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"')
_STRINGS = re.compile(rf"(?:\s*+{_STRING.pattern}\s*+)++")
_ESCAPE = re.compile(r"\\(?:([0-9]{3})|(.))")


def _read_instances(text: str, rows: _Rows) -> Document:
    # Without the region that others have, an entry was cut off: its address may be, too.
    has_regions = ",region=" in text

    def read(rows: _Rows, entry: object, place: str) -> None:
        fields = {}
        for part in str(entry).split(","):
            key, _, value = part.partition("=")
            fields[key] = value
        row = _Row(rows, fields, place)
        if has_regions and _REGION.key not in row:
            reason = "it is missing here, and other rows have it; was the list cut off?"
            raise _RowError(row.origin(_REGION.key), reason)
        id_ = row.read(_INSTANCE)
        app = row.read(_APP)
        machine = ListedMachine(id_, app=app, address=row.read(_IP), origin=row.origin("ip"))
        rows.machines.append(machine)

    rows.read(_entries(text), read, "instances")
    return rows.document(DocumentKind.MACHINE_LIST)


def _entries(text: str) -> list[object]:
    entries: list[object] = []
    for line in text.split("\n"):
        whole = line
        if _STRINGS.fullmatch(line):  # those of one record belong together
            whole = _ESCAPE.sub(_unescaped, "".join(_STRING.findall(line)))
        parts = map(str.strip, whole.split(";"))
        entries.extend(filter(None, parts))
    return entries


def _unescaped(escape: re.Match[str]) -> str:
    number, character = escape.groups()
    if number:
        return chr(int(number))
    return str(character)


# --- saved networks -------------------------------------------------------------------------------


def _read_saved(value: dict[str, object], rows: _Rows) -> Document:
    version = value.get(SAVED_KEYS[0], value.get(SAVED_KEYS[1]))
    if version != SAVED_VERSION:
        reason = f"written by a newer fdaa (format {version}; this version reads {SAVED_VERSION})"
        raise DocumentError(rows.file, reason)
    lines = value.get("networks")
    if not isinstance(lines, dict):
        reason = f"networks: it must be an object, not {_json_kind(lines)}"
        raise DocumentError(rows.file, reason)
    saved = tuple(_read_saved_line(name, line, rows.file) for name, line in lines.items())
    return Document(file=rows.file, kind=DocumentKind.SAVED_NETWORKS, saved=saved)


def _read_saved_line(name: str, line: object, file: str) -> SavedNetwork:
    if not isinstance(line, dict):
        reason = f"networks: {quote(name)}: it must be an object, not {_json_kind(line)}"
        raise DocumentError(file, reason)
    learned_from = _text(line.get("learned_from"))
    learned_on = _text(line.get("learned_on"))
    learned = ""
    if learned_on:
        learned += f" on {learned_on[:10]}"
    if learned_from:
        learned += f" from {learned_from}"
    place = f"networks.{name}"
    if learned:
        place += f" (learned{learned})"
    address = line.get("address")
    try:
        network_id = NetworkID(str(line.get("network_id")))
        if address is not None:
            address = Address(str(address))
        if line.get("network_id_int") not in (None, int(network_id)):
            reason = f"networks: {quote(name)}: 'network_id_int' must be {network_id:d}"
            raise DocumentError(file, reason)
        return SavedNetwork(
            name=NetworkName(name),
            network_id=network_id,
            app=_text(line.get("app")),
            address=address,
            origins=(Origin(file=file, place=place),),
            learned_from=learned_from,
            learned_on=learned_on,
        )
    except InputError as error:
        raise DocumentError(file, f"networks: {quote(name)}: {error}") from None
