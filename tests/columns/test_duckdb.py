"""DuckDB: what its macros do besides the answers that all databases give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sql_servers import need

from fdaa import Address
from fdaa.columns import sql

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.engines
ROWS = [("fdaa:2:45b::3",), ("fdaa:0:18::3",)]


@pytest.fixture
def connection() -> Iterator[Any]:
    need("duckdb")
    import duckdb

    with duckdb.connect() as opened:
        opened.execute(sql("duckdb"))
        opened.execute("CREATE TABLE requests (src VARCHAR)")
        opened.executemany("INSERT INTO requests VALUES (?)", ROWS)
        yield opened


def first(connection: Any, query: str, *parameters: object) -> list[Any]:
    """Return the first column of a query's rows."""
    return [row[0] for row in connection.execute(query, parameters).fetchall()]


def test_a_parameter_is_an_argument_of_any_type(connection: Any) -> None:
    address = Address("fdaa:2:45b::3")
    for given in (str(address), address.packed):
        assert first(connection, "SELECT fdaa_network_id(?)", given) == ["2:45b"]
    connection.execute("PREPARE one AS SELECT fdaa_network_id(?)")
    assert first(connection, "EXECUTE one('fdaa:0:18::3')") == ["0:18"]


def test_a_table_can_check_and_generate(connection: Any) -> None:
    connection.execute(
        "CREATE TABLE peers (ip VARCHAR CHECK (fdaa_network_id_int(ip) IS NOT NULL),"
        " network VARCHAR GENERATED ALWAYS AS (fdaa_network_id(ip)),"
        " k BLOB GENERATED ALWAYS AS (fdaa_key(ip)), CHECK (fdaa_key(ip) IS NOT NULL),"
        " a VARCHAR GENERATED ALWAYS AS (fdaa_address(ip)), CHECK (fdaa_address(ip) <> ''))"
    )
    address = Address("fdaa:2:45b::3")
    connection.execute("INSERT INTO peers VALUES ('FDAA:2:45b:0::3')")
    row = connection.execute("SELECT network, k, a FROM peers").fetchone()
    assert row == ("2:45b", address.packed, str(address))
    with pytest.raises(Exception, match="CHECK constraint failed"):
        connection.execute("INSERT INTO peers VALUES ('10.0.0.1')")


def test_of_two_macros_the_temporary_one_is_dropped_first(connection: Any) -> None:
    connection.execute(sql("duckdb", temporary=True))
    connection.execute(sql("duckdb", drop=True))
    assert first(connection, "SELECT fdaa_network_id('fdaa:2:45b::')") == ["2:45b"]
    connection.execute(sql("duckdb", drop=True))
    with pytest.raises(Exception, match="does not exist"):
        first(connection, "SELECT fdaa_network_id('fdaa:2:45b::')")


@pytest.mark.parametrize("value", ["7", "1.5", "DATE '2026-01-01'", "['fdaa::1']"])
def test_another_type_is_null(connection: Any, value: str) -> None:
    assert first(connection, f"SELECT fdaa_network_id_int({value})") == [None]
