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
from ast import literal_eval
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from types import NoneType
from typing import Any, TypeAlias, TypeVar, cast
from uuid import UUID
from weakref import WeakKeyDictionary

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.bits import ADDRESS_BYTES, FDAA_BYTES
from fdaa.scan import Pseudonyms, find_addresses
from fdaa.scan._pseudonyms import pseudonymize_packed, replace_in_text

__all__ = ["NetworkIDFilter", "PseudonymFilter"]

_Given = TypeVar("_Given")
_Value: TypeAlias = Address | NetworkID | Prefix

# Text that a program gives; the other standard fields are of `logging` itself.
_NAMES = ("name", "processName", "threadName", "taskName", "exc_text", "stack_info")
# `taskName` is one from Python 3.12 on.
_STANDARD = frozenset([*vars(logging.makeLogRecord({})), *_NAMES])
_VALUES = (Address, NetworkID, Prefix)
# The text of these has no address. Subclasses may have any text.
_WITHOUT_ADDRESSES = frozenset(
    (
        *(NoneType, bool, int, float, complex, Decimal),
        *(date, datetime, time, timedelta, UUID, type, logging.Logger),
    )
)
_FORMATTER = logging.Formatter()
_SIGNS = ("fdaa", "64938", "ip6.arpa", "networkid", r"\xfd\xaa")  # one is in each address
# In the text of a list, a dataclass or a model: a network ID, where it is no time or port, and the
# 16 bytes of an address.
_IN_REPR = re.compile(
    r"""
        NetworkID\('(?P<id> [0-9a-f]{1,4}:[0-9a-f]{1,4} )'\)
    |   b' \\xfd\\xaa (?: \\x[0-9a-f]{2} | \\[\\'nrt] | (?! [\\'] ) [ -~] ){14} '
    |   b" \\xfd\\xaa (?: \\x[0-9a-f]{2} | \\[\\nrt]  | (?! [\\"] ) [ -~] ){14} "
    """,
    re.VERBOSE,
)


class PseudonymFilter(logging.Filter):
    """A filter for handlers that puts pseudonyms in place of addresses in each record.

    They are replaced in the message with its arguments, in the text of exceptions and stacks, in
    the names of logger, process, thread and task, and in fields from `extra`. The same secret gives
    the pseudonyms that `fdaa scan --pseudonymize` gives: addresses on one network stay on one. An
    Address, a NetworkID, a Prefix and the 16 bytes of an address are replaced, also in lists,
    dictionaries and the text of objects. The *text* of a network ID (`2:45b`) is not, nor is its
    number, which `extract_network_id` returns, as neither can be recognized: pass a NetworkID as
    the argument, also for `%d`.

    The record itself is changed: handlers that come later get the pseudonyms too. A second filter
    replaces what was added after the first. The arguments become part of the message, and the
    exception one that has the same name and prints pseudonyms. A message that is a dictionary stays
    one. Any other object becomes its text.

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
        hide = _Hide(self._pseudonyms, _made.setdefault(record, {}))
        fields = vars(record)
        record.msg = _message(record, hide)
        record.args = None
        for name in _NAMES:
            if fields.get(name):
                fields[name] = hide(fields[name])
        for name in [name for name in fields if name not in _STANDARD]:
            value = fields.pop(name)
            fields[hide.text(name)] = hide(value)
        if record.exc_info:
            _replace_exception(record, hide)
        return True

    def pseudonymize_values(self, value: _Given) -> _Given:
        """Return a value with pseudonyms, for a processor of structlog or a patcher of Loguru.

        Text, bytes (of text, or the 16 of an address), values of fdaa, and lists, tuples, sets and
        dictionaries of them are replaced. Numbers, dates and the like are returned unchanged, any
        other object as its text.

        >>> pseudonymize_values = PseudonymFilter("the secret of this test").pseudonymize_values
        >>> event = {"peer": Address("fdaa:2:45b::3"), "network": NetworkID("2:45b"), "port": 80}
        >>> pseudonymize_values(event)
        {'peer': Address('fdaa:1ab8:d511:4926:b156:4837:172f:93c3'), \
'network': NetworkID('1ab8:d511'), 'port': 80}
        """
        return cast("_Given", _Hide(self._pseudonyms, {})(value))


class _Hide:
    """Puts pseudonyms in place of addresses in the values of a record.

    Args:
        pseudonyms: the pseudonyms.
        made: those that were made, which are not replaced again, and what they stand for.
    """

    def __init__(self, pseudonyms: Pseudonyms, made: dict[_Value, Any]) -> None:
        self._pseudonyms = pseudonyms
        self._made = made

    def __call__(self, value: Any) -> Any:
        """Return a value with pseudonyms; an object of another class becomes its text."""
        try:
            return _map(value, self._part)
        except Exception:  # nested too deeply, or in itself; a logging call must not raise
            return self.text(_safe(value))

    def argument(self, value: Any) -> Any:
        """Return a value whose pseudonyms its text may not show; any other one unchanged."""
        if isinstance(value, (*_VALUES, bytes)):
            return self._part(value)
        return value

    def _part(self, value: Any) -> Any:
        kind = type(value)
        if kind is str:
            return self.text(value)
        if kind in _WITHOUT_ADDRESSES:
            return value
        if isinstance(value, _VALUES):
            return self._value(value)
        if isinstance(value, bytes):
            if _is_packed(value):
                return self._value(Address.from_bytes(value)).packed
            text = self.text(value.decode("ascii", "surrogateescape"))
            return text.encode("ascii", "surrogateescape")
        text = _safe(value)
        hidden = self.text(text)
        if isinstance(value, Enum) and hidden == text and self(value.value) == value.value:
            return value
        return hidden

    def text(self, text: str) -> str:
        """Return a text with pseudonyms."""
        if not _may_have_address(text):
            return text
        hidden = replace_in_text(text, self._address_in_text)
        return _IN_REPR.sub(self._in_repr, hidden)

    def _address_in_text(self, address: Address) -> Address:
        network_id = self._made.get(address.network_id)
        if network_id is not None and address not in self._made:
            address = Address.build(network_id, address.rest)  # put together with a pseudonym
        pseudonym: Address = self._value(address)
        return pseudonym

    def _in_repr(self, match: re.Match[str]) -> str:
        if match["id"] is not None:
            return repr(self._value(NetworkID(match["id"])))
        return repr(self._part(literal_eval(match[0])))

    def _value(self, value: Any) -> Any:
        """Return the pseudonym of a value: what `fdaa scan` makes of its text, or of its /48."""
        if value in self._made:
            return value
        pseudonym: _Value
        if isinstance(value, NetworkID):
            pseudonym = self._value(Address.build(value)).network_id
        elif isinstance(value, Prefix):
            pseudonym = Prefix.build(self._value(value.address), value.length)
        else:
            (packed,) = pseudonymize_packed(self._pseudonyms, [value.packed])
            pseudonym = Address.from_bytes(packed)
        self._made[pseudonym] = value
        return pseudonym


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

        def collect(part: Any) -> Any:
            if type(part) not in _WITHOUT_ADDRESSES:
                found.extend(_network_ids(part))
            return part

        with suppress(Exception):  # a logging call must not raise
            if isinstance(record.msg, dict):
                _map(record.msg, collect)
            else:
                collect(_text_of(record))
            _map(record.args, collect)
            for name, value in vars(record).items():
                if name not in _STANDARD:
                    _map(value, collect)
        record.network_ids = [str(network_id) for network_id in dict.fromkeys(found)]
        return True


def _network_ids(value: Any) -> Iterator[NetworkID]:
    if isinstance(value, bytes) and _is_packed(value):
        value = Address.from_bytes(value)
    if isinstance(value, (str, bytes)):
        for match in find_addresses(value):
            yield match.value.network_id
    elif isinstance(value, NetworkID):
        yield value
    elif isinstance(value, (Address, Prefix)):
        yield value.network_id


# What was made for each record, for a second filter. A mark in the record itself would be printed.
_made: WeakKeyDictionary[logging.LogRecord, dict[_Value, Any]] = WeakKeyDictionary()


def _map(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a value in which `change` has been called for all that is no container."""
    if isinstance(value, dict):
        return {_map(key, change): _map(item, change) for key, item in value.items()}
    for kind in (list, tuple, set, frozenset):
        if isinstance(value, kind):
            items = [_map(item, change) for item in value]
            make = getattr(value, "_make", kind)  # that of a named tuple
            return make(items)
    return change(value)


def _message(record: logging.LogRecord, hide: _Hide) -> Any:
    """Return the message with its arguments: an address may be made of several of them."""
    if isinstance(record.msg, dict) and not record.args:
        return hide(_with_exception(record.msg))
    with suppress(Exception):  # what is nested too deeply is replaced in the text only
        record.msg = _map(record.msg, hide.argument)
        record.args = _map(record.args, hide.argument)
    return hide.text(_text_of(record))


def _text_of(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # wrong arguments must not end a program, here as in logging itself
        return f"{_safe(record.msg)} {_safe(record.args)}"


def _with_exception(event: dict[Any, Any]) -> dict[Any, Any]:
    """Return an event of structlog with the text of its exception, which is read late."""
    parts = _three_parts(event.get("exc_info"))
    if parts[1] is None:
        return event
    event = {**event, "exception": _FORMATTER.formatException(parts)}
    del event["exc_info"]
    return event


class _ShownError(Exception):
    """Stands in the place of an exception, and prints pseudonyms."""


def _replace_exception(record: logging.LogRecord, hide: _Hide) -> None:
    """Format the exception; keep one for formatters and handlers that read the object."""
    parts = _three_parts(record.exc_info)
    if isinstance(parts[1], _ShownError):
        return  # by the filter of another handler
    text = hide.text(_FORMATTER.formatException(parts))
    record.exc_text = record.exc_text or text
    error = parts[1]
    record.exc_info = None
    if error is not None:
        names = {"__module__": type(error).__module__}
        kind = type(type(error).__name__, (_ShownError,), names)
        shown = kind(hide.text(_safe(error)))
        shown.add_note(text)
        record.exc_info = (kind, shown, None)


def _three_parts(exc_info: Any) -> tuple[Any, Any, Any]:
    """Return the three parts of an `exc_info`, which `logging` takes in the same forms."""
    if isinstance(exc_info, BaseException):
        return type(exc_info), exc_info, exc_info.__traceback__
    if isinstance(exc_info, tuple) and len(exc_info) == 3:
        return exc_info
    if exc_info and not isinstance(exc_info, str):
        return sys.exc_info()
    return None, None, None


def _may_have_address(text: str) -> bool:
    """Return whether a text has what each text with an address has; most texts have not."""
    lower = text.lower()
    return any(sign in lower for sign in _SIGNS)


def _is_packed(value: bytes) -> bool:
    """Return whether bytes are the 16 of an address."""
    return len(value) == ADDRESS_BYTES and value.startswith(FDAA_BYTES)


def _safe(value: object) -> str:
    """Return a value as text; if its own method raises an error, only its type."""
    try:
        return str(value)
    except Exception:  # a logging call must not raise
        return f"<unprintable {type(value).__name__} object>"
