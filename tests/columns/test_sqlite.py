"""SQLite: what its functions do besides the answers that all databases give."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from fdaa.columns.sqlite import register

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(":memory:")
    register(opened)
    yield opened
    opened.close()


def test_a_number_is_no_address(connection: sqlite3.Connection) -> None:
    query = "SELECT fdaa_network_id_int(7), fdaa_network_id(1.5), fdaa_key(7)"
    assert connection.execute(query).fetchone() == (None, None, None)


def test_the_functions_work_in_an_index(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE requests (ip TEXT)")
    connection.execute("CREATE INDEX by_network ON requests (fdaa_network_id_int(ip))")
    query = "EXPLAIN QUERY PLAN SELECT * FROM requests WHERE fdaa_network_id_int(ip) = 7"
    assert "by_network" in str(connection.execute(query).fetchall())
