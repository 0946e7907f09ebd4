"""Functions for SQLite, in Python: several times as fast as the expressions of `fdaa sql sqlite`.

>>> import sqlite3
>>> connection = sqlite3.connect(":memory:")
>>> register(connection)
>>> query = "SELECT fdaa_network_id_int('fdaa:2:45b::3'), fdaa_network_id('x')"
>>> connection.execute(query).fetchone()
(132187, None)
>>> connection.close()
"""

import json
import sqlite3
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from fdaa._support.exports import publish
from fdaa._values.bits import FDAA_BYTES, unpack_head
from fdaa._values.checks import check_type, wrong_type
from fdaa._values.id_text import id_text
from fdaa._values.text import AF_INET6, REFUSED, inet_ntop, inet_pton
from fdaa.columns._rows import find_in_rows, is_packed, pseudonymize_rows, refusal
from fdaa.scan import Pseudonyms

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["register"]

# What SQLite passes to a function.
_Value: TypeAlias = str | bytes | int | float | None


def register(connection: sqlite3.Connection, *, pseudonyms: Pseudonyms | None = None) -> None:
    """Add the functions to a connection; null for null and for what `Address` refuses.

    | function                  | result                                                         |
    |---------------------------|----------------------------------------------------------------|
    | `fdaa_network_id_int(a)`  | the network ID as a number (specification, section 2.3)        |
    | `fdaa_network_id(a)`      | the network ID as text: `2:45b`                                |
    | `fdaa_address(a)`         | the address as text, in one spelling (RFC 5952)                |
    | `fdaa_key(a)`             | its 16 bytes, which sort like addresses                        |
    | `fdaa_refusals(a)`        | why it is not an address                                       |
    | `fdaa_find(a)`            | the addresses in a text, as JSON                               |
    | `fdaa_pseudonymize(a)`    | the text, or the 16 bytes, with pseudonyms for addresses       |

    An argument is a text, or a BLOB of the 16 bytes of an address, as `fdaa_key` returns it. The
    last two also take a text in a BLOB. Python's `sqlite3` reads arguments as UTF-8: a text that
    is not ends the query. The functions are deterministic, so an index can be built on each.

    Args:
        connection: a connection; each one needs its own functions.
        pseudonyms: the secret for `fdaa_pseudonymize`, which is not there without.

    Raises:
        TypeError: `connection` is not an SQLite connection.
    """
    if not hasattr(connection, "create_function"):
        raise wrong_type(connection, "connection", "an SQLite connection")
    functions: dict[str, Callable[[_Value], _Value]] = {
        "fdaa_network_id_int": _network_id_int,
        "fdaa_network_id": _network_id,
        "fdaa_address": _address,
        "fdaa_key": _key,
        "fdaa_refusals": _refusals,
        "fdaa_find": _find,
    }
    if pseudonyms is not None:
        check_type(pseudonyms, "pseudonyms", Pseudonyms)
        functions["fdaa_pseudonymize"] = partial(_hidden, pseudonyms)
    for name, function in functions.items():
        connection.create_function(name, 1, function, deterministic=True)


def _key(value: _Value) -> bytes | None:
    try:
        packed = inet_pton(AF_INET6, value)  # type: ignore[arg-type]  # mostly it is text
    except REFUSED:
        return None
    except TypeError:
        if is_packed(value):
            return value  # type: ignore[return-value]  # bytes
        return None
    if packed.startswith(FDAA_BYTES):
        return packed
    return None


def _network_id_int(value: _Value) -> int | None:
    packed = _key(value)
    if packed is None:
        return None
    return unpack_head(packed)[1]


def _network_id(value: _Value) -> str | None:
    packed = _key(value)
    if packed is None:
        return None
    return id_text(unpack_head(packed)[1])


def _address(value: _Value) -> str | None:
    packed = _key(value)
    if packed is None:
        return None
    return inet_ntop(AF_INET6, packed)


def _refusals(value: _Value) -> str | None:
    if isinstance(value, int | float):
        return "a number is not an address"
    return refusal(value)


def _find(value: _Value) -> str | None:
    if not isinstance(value, str | bytes):
        return None
    found = find_in_rows([value])
    del found["row"]
    rows = zip(*found.values(), strict=True)
    return json.dumps([dict(zip(found, row, strict=True)) for row in rows])


def _hidden(pseudonyms: Pseudonyms, value: _Value) -> _Value:
    if not isinstance(value, str | bytes):
        return value
    (hidden,) = pseudonymize_rows([value], pseudonyms)
    return hidden  # type: ignore[no-any-return]  # the type of the value


publish(__name__)
del publish
