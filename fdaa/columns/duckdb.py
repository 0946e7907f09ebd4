"""All functions for a connection of DuckDB: those of `fdaa sql duckdb`, and those that need Python.

>>> import duckdb
>>> connection = duckdb.connect()
>>> register(connection)
>>> query = "SELECT fdaa_network_id('fdaa:2:45b::3'), fdaa_refusals('fdaa::g')"
>>> connection.execute(query).fetchone()
('2:45b', "'g' is not a hex digit")
>>> connection.close()
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from fdaa._support.exports import publish
from fdaa._support.extras import needs_package
from fdaa._values.checks import check_type
from fdaa.columns import arrow
from fdaa.columns._engines.duckdb_sql import address, key
from fdaa.columns._sql import sql
from fdaa.columns._versions import require
from fdaa.scan import Pseudonyms

with needs_package("fdaa.columns.duckdb", "duckdb"):
    import duckdb

require(duckdb, "1.4")
with needs_package("fdaa.columns.duckdb", "numpy"):
    import numpy  # noqa: F401 (DuckDB requires it for functions over Arrow)

__all__ = ["register"]

_FOUND = (
    "STRUCT(kind VARCHAR, address VARCHAR, network_id VARCHAR, network_id_int UINTEGER,"
    " prefix VARCHAR, start BIGINT)[]"
)
# For keys of texts, Python is three times as fast as SQL, and for addresses nearly twice; for the
# IDs it is slower.
_IN_PYTHON = """CREATE OR REPLACE TEMP MACRO fdaa_{operation}(ip) AS CASE
  WHEN typeof(ip) = 'VARCHAR' THEN fdaa_{operation}_of_text(ip::VARCHAR)
  ELSE {expression}
END"""


def register(
    connection: duckdb.DuckDBPyConnection, *, pseudonyms: Pseudonyms | None = None
) -> None:
    """Add the functions to a connection, until it is closed.

    | function                  | result                                                         |
    |---------------------------|----------------------------------------------------------------|
    | those of `fdaa sql`       | temporary macros, which also work after `USE other`            |
    | `fdaa_refusals(text)`     | why it is not an address                                       |
    | `fdaa_find(text)`         | a list of the addresses in a text, as `find_addresses` does    |
    | `fdaa_pseudonymize(text)` | the text with pseudonyms for addresses                         |

    The last three take text only, as a function of Python has one type in DuckDB: call them with
    `fdaa_address(a)` for other types.

    A macro evaluates its argument more than once: compute `random()` in a subquery first.

    Args:
        connection: a connection; each one needs its own functions.
        pseudonyms: the secret for the last one, which is not there without.

    Raises:
        TypeError: `connection` is not a connection of DuckDB.
    """
    check_type(connection, "connection", duckdb.DuckDBPyConnection)
    connection.execute(sql("duckdb", temporary=True))
    _create(connection, "fdaa_key_of_text", _keys, "BLOB")
    connection.execute(_IN_PYTHON.format(operation="key", expression=key("ip")))
    _create(connection, "fdaa_address_of_text", arrow.addresses)
    connection.execute(_IN_PYTHON.format(operation="address", expression=address("ip")))
    _create(connection, "fdaa_refusals", arrow.refusals)
    _create(connection, "fdaa_find", arrow.find, _FOUND)
    if pseudonyms is not None:
        # DuckDB counts the parameters, also those of a `partial`.
        _create(connection, "fdaa_pseudonymize", lambda text: arrow.pseudonymize(text, pseudonyms))


def _keys(text: Any) -> Any:
    return arrow.keys(text).cast("binary")  # DuckDB has no bytes of a fixed length


def _create(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    function: Callable[[Any], Any],
    result: str = "VARCHAR",
) -> None:
    with suppress(duckdb.InvalidInputException):  # it is not there yet
        connection.remove_function(name)
    connection.create_function(
        name, function, ["VARCHAR"], result, type="arrow", null_handling="special"
    )


publish(__name__)
del publish
