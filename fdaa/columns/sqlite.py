"""Functions for SQLite, in Python: SQLite has no regular expressions of its own.

>>> import sqlite3
>>> connection = sqlite3.connect(":memory:")
>>> register(connection)
>>> connection.execute("SELECT fdaa_network_id('fdaa:2:45b::3'), fdaa_network_id('x')").fetchone()
(132187, None)
>>> connection.close()
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from fdaa.address import Address, NetworkID
from fdaa.errors import AddressError
from fdaa.membership import extract_network_id

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    _Result = int | str | bytes


def register(connection: sqlite3.Connection) -> None:
    """Add functions to a connection; null for null and for what `Address` rejects.

    | function                  | result                                                         |
    |---------------------------|----------------------------------------------------------------|
    | `fdaa_network_id(a)`      | the network ID as a number (specification, section 2.3)        |
    | `fdaa_network(a)`         | the network ID as text: `2:45b`                                |
    | `fdaa_same_network(a, b)` | whether both addresses are on one network                      |
    | `fdaa_key(a)`             | 16 bytes that sort in the order of the addresses               |

    They take the text of an address, or a BLOB of its 16 bytes, as `fdaa_key` returns it. They are
    deterministic, so an index can be built on each.

    Raises:
        TypeError: `connection` is not an SQLite connection.
    """
    if not hasattr(connection, "create_function"):
        raise TypeError(f"expected an SQLite connection, got {type(connection).__name__}")
    functions: dict[str, tuple[int, Callable[..., _Result]]] = {
        "fdaa_network_id": (1, _network_id),
        "fdaa_network": (1, lambda value: str(NetworkID(_network_id(value)))),
        "fdaa_same_network": (2, lambda a, b: _network_id(a) == _network_id(b)),
        "fdaa_key": (1, lambda value: _address(value).packed),
    }
    for name, (count, function) in functions.items():
        connection.create_function(name, count, _or_null(function), deterministic=True)


def _network_id(value: str | bytes) -> int:
    if isinstance(value, bytes):
        return int(Address.from_bytes(value).network_id)
    return extract_network_id(value)


def _address(value: str | bytes) -> Address:
    return Address.from_bytes(value) if isinstance(value, bytes) else Address(value)


def _or_null(function: Callable[..., _Result]) -> Callable[..., _Result | None]:
    def call(*values: object) -> _Result | None:
        with suppress(AddressError, TypeError):  # refused; null, or a number
            return function(*values)
        return None

    return call
