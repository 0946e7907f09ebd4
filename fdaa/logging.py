"""Filters of log records: pseudonyms in place of addresses, and network IDs as a field.

>>> import logging, sys
>>> from fdaa.logging import PseudonymFilter
>>> handler = logging.StreamHandler(sys.stdout)
>>> handler.addFilter(PseudonymFilter("the secret of this test"))
>>> log = logging.Logger("example")
>>> log.addHandler(handler)
>>> log.error("no answer from [%s]:80", "fdaa:2:45b::3")
no answer from [fdaa:1ab8:d511:4926:b156:4837:172f:93c3]:80
"""

import logging
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date, time, timedelta
from enum import Enum
from numbers import Number
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar, cast
from uuid import UUID
from weakref import ref

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.bits import ADDRESS_BYTES, FDAA_BYTES
from fdaa.scan import Pseudonyms, find_addresses
from fdaa.scan._pseudonyms import pseudonymize_packed, replace_in_text

__all__ = ["NetworkIDFilter", "PseudonymFilter"]

_Given = TypeVar("_Given")
_Value: TypeAlias = Address | NetworkID | Prefix
_Change: TypeAlias = Callable[[object], object]
# The identity of a container -> it, so that no other one gets its identity, and what replaces it.
_Seen: TypeAlias = dict[int, tuple[object, object]]
# The pseudonyms in a text, and the values that they stand for.
_Shown: TypeAlias = Mapping[object, Any]

_STANDARD = vars(logging.makeLogRecord({})).keys()
_WITHOUT_ADDRESSES = (
    type(None),
    Number,
    date,
    time,
    timedelta,
    UUID,
    type,
    logging.Logger,
)
_CONTAINERS = (dict, list, tuple, set, frozenset)
_DEPTH = 21  # of containers in containers; the outermost one has the arguments, or the fields
_FORMATTER = logging.Formatter()
# A network ID in the repr of a list, a dataclass or a model, where it cannot be a time or a port.
_ID_IN_REPR = re.compile(r"NetworkID\('([0-9a-f]{1,4}:[0-9a-f]{1,4})'\)")
# The 16 bytes of an address in the repr of bytes.
_PACKED_IN_REPR = re.compile(
    r"""
    (?<! \w ) b (?P<quote> ['"] )
    (?P<bytes> \\xfd \\xaa (?: \\x[0-9a-f]{2} | \\[^x] | [ -\[\]-~] ){14} )
    (?P=quote)
    """,
    re.VERBOSE,
)


class PseudonymFilter(logging.Filter):
    """A filter for handlers that puts pseudonyms in place of addresses in each record.

    They are replaced in the message with its arguments, in the text of exceptions and stacks, and
    in fields from `extra`. The same secret gives the pseudonyms that `fdaa scan --pseudonymize`
    gives: addresses on one network stay on one. An Address, a NetworkID or a Prefix is replaced
    wherever it stands, also in lists and dictionaries, and so are the 16 bytes of an address. The
    *text* of a network ID (`2:45b`) is not replaced, nor is its number, which `extract_network_id`
    returns, as neither can be recognized: pass a NetworkID as the argument, also for `%d`. Nor are
    the name of a logger or a thread.

    The record itself is changed, once: handlers that come later get the pseudonyms too. Its
    arguments become part of the message, and its exception one that has the same name and prints
    pseudonyms. A message that is a dictionary stays one.

    Args:
        secret: the secret of the pseudonyms, or Pseudonyms. Anyone who has it can reveal the
            addresses. It takes about 64 ms and 32 MiB: for several filters, make one Pseudonyms.

    Raises:
        TypeError: `secret` is neither text, bytes nor Pseudonyms.
        fdaa.ArgumentError: `secret` is empty.
    """

    def __init__(self, secret: str | bytes | Pseudonyms) -> None:
        super().__init__()
        if not isinstance(secret, Pseudonyms):
            secret = Pseudonyms(secret)
        self._pseudonyms = secret

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record, and accept it."""
        if not _is_new(record):  # a pseudonym of a pseudonym would be another one
            return True
        message: Any = record.msg
        if issubclass(type(message), dict) and not record.args:
            record.msg = self._event(message)
        else:
            record.msg = self._message(record)
        record.args = None
        if record.exc_info:
            self._replace_exception(record)
        record.exc_text = self.pseudonymize_values(record.exc_text)
        record.stack_info = self.pseudonymize_values(record.stack_info)
        fields = vars(record)
        names = [name for name in fields if name not in _STANDARD]
        extra = {name: fields.pop(name) for name in names}
        fields.update(self.pseudonymize_values(extra))
        return True

    def pseudonymize_values(self, value: _Given) -> _Given:
        """Return a value with pseudonyms, for a processor of structlog or a patcher of Loguru.

        Text, bytes (of text, or the 16 of an address), values of fdaa, and lists, tuples, sets and
        dictionaries of them are replaced. Numbers, dates and the like, and an Enum without an
        address, are returned unchanged. Any other object is returned inside one that has its
        attributes, and whose text has pseudonyms.

        Two spellings of an address have one pseudonym: if both are keys of a dictionary, ` (2)` is
        added to the second.

        >>> pseudonymize_values = PseudonymFilter("the secret of this test").pseudonymize_values
        >>> event = {"peer": Address("fdaa:2:45b::3"), "network": NetworkID("2:45b"), "port": 80}
        >>> pseudonymize_values(event)
        {'peer': Address('fdaa:1ab8:d511:4926:b156:4837:172f:93c3'), \
'network': NetworkID('1ab8:d511'), 'port': 80}
        """
        return cast("_Given", _map(value, self._pseudonymize_part))

    def _pseudonymize_part(self, value: Any) -> object:
        """Return a value that is no container with pseudonyms."""
        kind = type(value)  # isinstance would load what an object of Django stands for
        with suppress(Exception):  # a method of its class may raise
            if issubclass(kind, str):
                return self._pseudonymize_text(value)
            if issubclass(kind, bytes):
                return self._pseudonymize_bytes(value)
            if issubclass(kind, _Value):
                return self._pseudonym(value)
            if issubclass(kind, _WITHOUT_ADDRESSES):
                return value
            if issubclass(kind, Enum) and self.pseudonymize_values(value.value) == value.value:
                return value
        return _Screened(value, self._pseudonymize_text)

    def _pseudonymize_bytes(self, value: bytes) -> bytes:
        if _is_packed(value):
            return pseudonymize_packed(self._pseudonyms, [value])[0]
        hidden = self._pseudonymize_text(value.decode("ascii", "surrogateescape"))
        return hidden.encode("ascii", "surrogateescape")

    def _pseudonymize_text(self, text: str, shown: _Shown = MappingProxyType({})) -> str:
        """Return a text with pseudonyms; the text itself if it has no address.

        Args:
            text: the text.
            shown: the pseudonyms in it, which are not replaced again, and their values.
        """

        def pseudonym_of(address: Address) -> Address:
            if address in shown:
                return address
            network_id = shown.get(address.network_id)
            if network_id is not None:  # the text puts an address together, with its pseudonym
                address = Address.build(network_id, address.rest)
            return self._pseudonyms.pseudonymize(address)

        def repr_of_id(match: re.Match[str]) -> str:
            network_id = NetworkID(match[1])
            if network_id in shown:
                return match[0]
            return repr(self._pseudonym(network_id))

        if shown:
            hidden = replace_in_text(text, pseudonym_of)
        else:
            hidden = self._pseudonyms.pseudonymize_text(text)
        hidden = _ID_IN_REPR.sub(repr_of_id, hidden)
        hidden = _PACKED_IN_REPR.sub(self._repr_of_packed, hidden)
        if hidden == text:
            return text
        return hidden

    def _repr_of_packed(self, match: re.Match[str]) -> str:
        packed = match["bytes"].encode().decode("unicode_escape").encode("latin-1")
        return repr(pseudonymize_packed(self._pseudonyms, [packed])[0])

    def _pseudonym(self, value: _Value) -> _Value:
        """Return the pseudonym of a value: what `fdaa scan` makes of its text, or of its /48."""
        if isinstance(value, Address):
            return self._pseudonyms.pseudonymize(value)
        if isinstance(value, Prefix):
            return Prefix.build(self._pseudonyms.pseudonymize(value.address), value.length)
        return self._pseudonyms.pseudonymize(Address.build(value)).network_id

    # --- the message ------------------------------------------------------------------------------

    def _message(self, record: logging.LogRecord) -> str:
        """Return the message with its arguments.

        An address may be made of several arguments, so the whole text is searched. The pseudonyms
        of values are in it already.
        """
        shown: dict[object, Any] = {}

        def hide(value: Any) -> object:
            if not issubclass(type(value), _Value):
                return value
            pseudonym = self._pseudonym(value)
            shown[pseudonym] = value
            if isinstance(pseudonym, Prefix):
                shown[pseudonym.address] = value.address
            return pseudonym

        record.msg = hide(record.msg)
        record.args = cast("tuple[object, ...]", _map(record.args, hide))
        try:
            return self._pseudonymize_text(record.getMessage(), shown)
        except Exception:  # wrong arguments must not end a program, here as in logging itself
            message = f"{_text(record.msg)} {_text(record.args, repr)}"
            return self._pseudonymize_text(message, shown)

    def _event(self, event: dict[Any, Any]) -> Any:
        """Return a message that is a dictionary with pseudonyms.

        structlog puts `exc_info` into it, which is read only when the record is formatted. It is
        replaced by `exception`, the text that structlog would make of it.
        """
        exc_info = dict.get(event, "exc_info")  # a method of its own class could raise
        if issubclass(type(exc_info), str):  # it is formatted already
            return self.pseudonymize_values(event)
        parts = _three_parts(exc_info)
        if parts[1] is not None:
            event = dict.copy(event)
            event["exception"] = _exception_text(parts)
            del event["exc_info"]
        return self.pseudonymize_values(event)

    # --- exceptions -------------------------------------------------------------------------------

    def _replace_exception(self, record: logging.LogRecord) -> None:
        """Format the exception; keep one for formatters and handlers that read the object."""
        parts = _three_parts(record.exc_info)
        text = _exception_text(parts)
        if not record.exc_text:
            record.exc_text = text
        error = parts[1]
        if error is None:
            record.exc_info = None
            return
        kind = _named_like(type(error))
        shown = kind(self.pseudonymize_values(_text(error)))
        shown.add_note(self.pseudonymize_values(text))
        record.exc_info = (kind, shown, None)


class _Screened:
    """An object with its attributes, whose texts have pseudonyms; they are made when read."""

    __slots__ = ("_object", "_pseudonymize")

    def __init__(self, object_: object, pseudonymize: Callable[[str], str]) -> None:
        self._object = object_
        self._pseudonymize = pseudonymize

    def __str__(self) -> str:
        return self._pseudonymize(_text(self._object))

    def __repr__(self) -> str:
        return self._pseudonymize(_text(self._object, repr))

    def __format__(self, spec: str) -> str:
        return self._pseudonymize(_text(self._object, lambda value: format(value, spec)))

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # a protocol by which a library could print the object
            raise AttributeError(name)
        return getattr(self._object, name)

    def __reduce__(self) -> tuple[object, ...]:
        return str, (str(self),)


# --- network IDs ----------------------------------------------------------------------------------


class NetworkIDFilter(logging.Filter):
    """A filter for handlers that adds the field `network_ids` to each record.

    It is a list with the text of each network ID (`2:45b`), once and in order: of the addresses and
    prefixes in the message, then of the values in its arguments and in fields from `extra`, also in
    lists, tuples, sets and dictionaries; there, a NetworkID counts, too. Without any, it is empty.
    Exceptions are not searched.

    For pseudonyms, add it after the PseudonymFilter: then it has the IDs of the pseudonyms. Before
    it, the real IDs would be in the field, as the text of an ID is not replaced.

    >>> record = logging.makeLogRecord({"msg": "from %s", "args": (Address("fdaa:0:18::3"),)})
    >>> NetworkIDFilter().filter(record), record.network_ids
    (True, ['0:18'])
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the field, and accept the record."""
        found: list[NetworkID] = []

        def collect(part: object) -> object:
            with suppress(Exception):  # a method of its class may raise
                found.extend(_network_ids(part))
            return part

        collect(_message_of(record))
        _map(record.args, collect)
        for name, value in vars(record).items():
            if name not in _STANDARD and name != "network_ids":
                _map(value, collect)
        record.network_ids = [str(network_id) for network_id in dict.fromkeys(found)]
        return True


def _message_of(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # wrong arguments, which the handler reports
        return _text(record.msg)


def _network_ids(value: Any) -> Iterator[NetworkID]:
    kind = type(value)  # as above
    if issubclass(kind, NetworkID):
        yield value
    elif issubclass(kind, Address | Prefix):
        yield value.network_id
    elif issubclass(kind, bytes) and _is_packed(value):
        yield Address.from_bytes(value).network_id
    elif issubclass(kind, str | bytes):
        for match in find_addresses(value):
            yield match.value.network_id


# --- functions ------------------------------------------------------------------------------------

# The records that have pseudonyms, by identity, as a record may define equality. A mark in the
# record would be printed as a field of `extra`.
_done: dict[int, ref[logging.LogRecord]] = {}


def _is_new(record: logging.LogRecord) -> bool:
    """Return whether a record has no pseudonyms yet; from now on, it is not new."""
    identity = id(record)
    if identity in _done:
        return False
    _done[identity] = ref(record, lambda _: _done.pop(identity))
    return True


def _map(value: Any, change: _Change, seen: _Seen | None = None, depth: int = 0) -> object:
    """Return a value in which `change` has been called for all that is no container.

    It is called for a container that contains itself, is nested too deeply, or cannot be read.

    Args:
        value: the value; it is not changed itself.
        change: returns what stands in the place of a part.
        seen: the containers that are read already: each is read once, wherever it stands.
        depth: how many containers the value is in.
    """
    if not issubclass(type(value), _CONTAINERS):
        return change(value)
    if seen is None:
        seen = {}
    _, mapped = seen.get(id(value), (None, None))
    if mapped is not None:
        return mapped
    if id(value) in seen or depth == _DEPTH:  # it is being read, as it is in itself
        return change(value)
    seen[id(value)] = (value, None)
    try:
        mapped = _map_items(value, change, seen, depth + 1)
    except Exception:  # a method of its class raises
        mapped = change(value)
    seen[id(value)] = (value, mapped)
    return mapped


def _map_items(value: Any, change: _Change, seen: _Seen, depth: int) -> object:
    """Return a container with its items changed."""
    kind = type(value)
    if issubclass(kind, dict):
        changed: dict[object, object] = {}
        for key, item in list(value.items()):
            new_key = _unused(_map(key, change, seen, depth), changed)
            changed[new_key] = _map(item, change, seen, depth)
        return changed
    items = [_map(item, change, seen, depth) for item in list(value)]
    if hasattr(kind, "_make"):  # a named tuple
        return kind._make(items)
    for plain in (list, tuple, set):
        if issubclass(kind, plain):
            return plain(items)
    return frozenset(items)


def _unused(key: object, keys: Mapping[object, object]) -> object:
    """Return a key, with a number if it is used: two spellings of an address have one pseudonym."""
    unused = key
    number = 1
    while unused in keys:
        number += 1
        unused = f"{key} ({number})"
    return unused


def _is_packed(value: bytes) -> bool:
    """Return whether bytes are the 16 of an address."""
    return len(value) == ADDRESS_BYTES and value.startswith(FDAA_BYTES)


def _three_parts(exc_info: Any) -> tuple[Any, Any, Any]:
    """Return the three parts of an `exc_info`, which `logging` takes in the same forms."""
    kind = type(exc_info)  # as above
    if issubclass(kind, BaseException):
        return kind, exc_info, exc_info.__traceback__
    if issubclass(kind, tuple) and len(exc_info) == 3:
        return cast("tuple[Any, Any, Any]", exc_info)
    if exc_info:
        return sys.exc_info()
    return None, None, None


def _exception_text(parts: tuple[Any, Any, Any]) -> str:
    return _text(parts[1], lambda _: _FORMATTER.formatException(parts))


def _named_like(kind: type[BaseException]) -> type[Exception]:
    """Return a class of exceptions with the name of another."""
    names = {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
    return type(kind.__name__, (Exception,), names)


def _text(value: object, convert: Callable[[object], str] = str) -> str:
    """Return a value as text; if the value's own method raises an error, only its type."""
    try:
        return convert(value)
    except Exception:  # as above: a logging call must not raise
        return f"<unprintable {type(value).__name__} object>"
