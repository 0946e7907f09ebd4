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

from fdaa.address import Address
from fdaa.errors import AddressError
from fdaa.membership import extract_network_id, same_network

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    _Result = int | str | bytes


def register(connection: sqlite3.Connection) -> None:
    """Add functions to a connection; null for null and for what `Address` rejects.

    | function                  | result                                                         |
    |---------------------------|----------------------------------------------------------------|
    | `fdaa_network_id(text)`   | the network ID as a number (specification, section 2.3)        |
    | `fdaa_network(text)`      | the network ID as text: `2:45b`                                |
    | `fdaa_same_network(a, b)` | whether both addresses are on one network                      |
    | `fdaa_key(text)`          | 16 bytes that sort in the order of the addresses               |

    They are deterministic, so an index can be built on each.

    Raises:
        TypeError: `connection` is not an SQLite connection.
    """
    if not hasattr(connection, "create_function"):
        raise TypeError(f"expected an SQLite connection, got {type(connection).__name__}")
    functions: dict[str, tuple[int, Callable[..., _Result]]] = {
        "fdaa_network_id": (1, extract_network_id),
        "fdaa_network": (1, lambda text: str(Address(text).network_id)),
        "fdaa_same_network": (2, same_network),
        "fdaa_key": (1, lambda text: Address(text).packed),
    }
    for name, (count, function) in functions.items():
        connection.create_function(name, count, _or_null(function), deterministic=True)


def _or_null(function: Callable[..., _Result]) -> Callable[..., _Result | None]:
    def call(*texts: object) -> _Result | None:
        with suppress(AddressError, TypeError):  # refused; null, or no text at all
            return function(*texts)
        return None

    return call
