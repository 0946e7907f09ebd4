"""SQLite: what its functions do besides the answers that all databases give."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from fdaa import Address
from fdaa.columns.sqlite import register

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXTS = [
    "fdaa:10::1",
    "fdaa:2:45b::",
    "FDAA::3",
    "fdaa:2:45b:0:0::1",
    "fdaa:0:18::3",
    "fdaa::0.0.0.2",
]


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(":memory:")
    register(opened)
    yield opened
    opened.close()


def test_the_key_sorts_addresses_by_number(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE requests (ip TEXT)")
    connection.executemany("INSERT INTO requests VALUES (?)", [(text,) for text in TEXTS])
    connection.execute("CREATE INDEX by_number ON requests (fdaa_key(ip))")
    ordered = connection.execute("SELECT ip FROM requests ORDER BY fdaa_key(ip)").fetchall()
    assert [text for (text,) in ordered] == sorted(TEXTS, key=lambda text: int(Address(text)))


@pytest.mark.parametrize("value", ["NULL", "7", "1.5", "x'fdaa'", "''", "'10.0.0.1'"])
@pytest.mark.parametrize("function", ["network_id", "network", "key"])
def test_what_is_no_address_is_null(
    connection: sqlite3.Connection, function: str, value: str
) -> None:
    assert connection.execute(f"SELECT fdaa_{function}({value})").fetchone() == (None,)


def test_a_key_is_read_as_the_address_that_it_is(connection: sqlite3.Connection) -> None:
    for text in TEXTS:
        query = "SELECT fdaa_network_id(k), fdaa_network(k), fdaa_key(k) = k,"
        query += " fdaa_same_network(k, t) FROM (SELECT fdaa_key(?) AS k, ? AS t)"
        address = Address(text)
        expected = (int(address.network_id), str(address.network_id), 1, 1)
        assert connection.execute(query, (text, text)).fetchone() == expected


def test_same_network_is_null_if_either_is_no_address(connection: sqlite3.Connection) -> None:
    query = "SELECT fdaa_same_network('fdaa::1', ?), fdaa_same_network(?, 'fdaa::1')"
    assert connection.execute(query, ("x", None)).fetchone() == (None, None)


def test_the_functions_work_in_an_index(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE requests (ip TEXT)")
    connection.execute("CREATE INDEX by_network ON requests (fdaa_network_id(ip))")
    query = "EXPLAIN QUERY PLAN SELECT * FROM requests WHERE fdaa_network_id(ip) = 7"
    assert "by_network" in str(connection.execute(query).fetchall())


def test_a_path_in_place_of_a_connection_is_a_type_error() -> None:
    with pytest.raises(TypeError, match=r"^connection must be an SQLite connection, not str"):
        register("my.db")  # type: ignore[arg-type]
