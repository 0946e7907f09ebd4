"""What `docs/columns.md` recommends has the effect that it is recommended for.

A plan has the index, a value is stored; and where a database accepts a use without its effect, the
record in `fdaa/columns/_engines/` says so.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mariadb_server import server
from pages import only_block
from sql_engines import started
from sql_servers import cluster, need, psql

import fdaa
from fdaa.columns import inline_sql, sql
from fdaa.columns._engines import ENGINES, Use  # private: documents are made of them
from fdaa.columns.sqlite import register

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parent.parent.parent / "docs" / "columns.md"
ROWS = 5000
TEXTS = [f"FDAA:{number:x}:45b::{number:x}" for number in range(ROWS)]
ASKED = fdaa.extract_network_id(TEXTS[7])


def values() -> str:
    return ", ".join(f"('{text}')" for text in TEXTS)


# --- PostgreSQL -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def postgresql() -> Iterator[dict[str, str]]:
    with cluster() as variables:
        stored = "GENERATED ALWAYS AS ({}) STORED"
        script = sql("postgresql") + "CREATE TABLE requests (ip text,"
        script += f" key bytea {stored.format('fdaa_key(ip)')},"
        script += f" network_id_int bigint {stored.format('fdaa_network_id_int(ip)')});"
        script += "CREATE INDEX by_key ON requests (key);"
        script += "CREATE INDEX by_network ON requests (network_id_int);"
        script += "CREATE INDEX by_function ON requests (fdaa_network_id_int(ip));"
        psql(f"{script} INSERT INTO requests (ip) VALUES {values()}; ANALYZE requests;", variables)
        yield variables


@pytest.mark.engines
@pytest.mark.parametrize(
    ("condition", "index"),
    [
        (f"network_id_int = {ASKED}", "by_network"),
        ("key = fdaa_key('fdaa:7:45b::7')", "by_key"),
        (f"fdaa_network_id_int(ip) = {ASKED}", "by_function"),
    ],
)
def test_postgresql_uses_the_index(postgresql: dict[str, str], condition: str, index: str) -> None:
    query = f"SELECT ip FROM requests WHERE {condition}"
    assert f"Scan using {index}" in psql(f"EXPLAIN {query}", postgresql)
    assert psql(query, postgresql) == "FDAA:7:45b::7\n"


@pytest.mark.engines
def test_postgresql_reads_what_is_stored(postgresql: dict[str, str]) -> None:
    plan = psql("EXPLAIN (VERBOSE) SELECT key, network_id_int FROM requests", postgresql)
    assert "inet" not in plan
    assert "Output: key, network_id_int" in plan


# --- DuckDB ---------------------------------------------------------------------------------------


@pytest.fixture
def duckdb() -> Iterator[Any]:
    need("duckdb")
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(sql("duckdb"))
        connection.execute("CREATE TABLE given (ip VARCHAR)")
        connection.execute(f"INSERT INTO given VALUES {values()}")
        yield connection


def plan_of(connection: Any, query: str) -> str:
    rows = connection.execute(f"EXPLAIN ANALYZE {query}").fetchall()
    return str(rows).replace("\\n", "\n")


@pytest.mark.engines
def test_duckdb_stores_what_is_computed_at_load(duckdb: Any) -> None:
    duckdb.execute("CREATE TABLE requests AS SELECT *, fdaa_network_id_int(ip) AS n FROM given")
    duckdb.execute("CREATE INDEX by_network ON requests (n)")
    query = f"SELECT ip FROM requests WHERE n = {ASKED}"
    assert duckdb.execute(query).fetchall() == [("FDAA:7:45b::7",)]
    plan = plan_of(duckdb, query)
    assert "Index Scan" in plan
    assert "regexp" not in plan


@pytest.mark.engines
def test_duckdb_computes_a_generated_column_at_each_read(duckdb: Any) -> None:
    duckdb.execute(
        "CREATE TABLE generated"
        " (ip VARCHAR, n BIGINT GENERATED ALWAYS AS (fdaa_network_id_int(ip)))"
    )
    duckdb.execute("INSERT INTO generated SELECT ip FROM given")
    assert "regexp" in plan_of(duckdb, f"SELECT ip FROM generated WHERE n = {ASKED}")
    assert Use.GENERATED in ENGINES["duckdb"].caveats


@pytest.mark.engines
def test_duckdb_does_not_use_an_index_on_a_function(duckdb: Any) -> None:
    duckdb.execute("CREATE INDEX by_function ON given (fdaa_network_id_int(ip))")
    plan = plan_of(duckdb, f"SELECT ip FROM given WHERE fdaa_network_id_int(ip) = {ASKED}")
    assert "Index Scan" not in plan
    assert Use.INDEX in ENGINES["duckdb"].caveats


# --- MariaDB --------------------------------------------------------------------------------------


@pytest.mark.engines
def test_mariadb_stores_a_generated_column_and_uses_its_index() -> None:
    maria = server()
    recommended = only_block(PAGE, r"^```sql\n(.*?)^```")
    number = inline_sql("mariadb", "ip")
    key = inline_sql("mariadb", "ip", "key")
    statement = recommended.replace("(ID)", f"({number})").replace("(KEY)", f"({key})")
    maria.run("CREATE TABLE requests (ip VARCHAR(100));" + statement)
    maria.run(f"INSERT INTO requests (ip) VALUES {values()}")
    asked = {
        "by_network": f"network_id_int = {ASKED}",
        "by_key": f"`key` = {inline_sql('mariadb', repr('fdaa:7:45b::7'), 'key')}",
    }
    for index, condition in asked.items():
        query = f"SELECT ip FROM requests WHERE {condition}"
        assert maria.run(query) == "FDAA:7:45b::7\n"
        assert f"\t{index}\t" in maria.run(f"EXPLAIN {query}")
    kinds = "SELECT extra FROM information_schema.columns WHERE table_name = 'requests'"
    kinds += " AND table_schema = database() AND generation_expression IS NOT NULL"
    assert maria.run(kinds) == "STORED GENERATED\nSTORED GENERATED\n"


# --- ClickHouse -----------------------------------------------------------------------------------


@pytest.mark.engines
def test_clickhouse_stores_a_materialized_column_that_is_the_order_of_the_table() -> None:
    with started("clickhouse") as session:
        session.run(
            """CREATE TABLE requests
              (ip String, n UInt32 MATERIALIZED assumeNotNull(fdaa_network_id_int(ip)))
              ENGINE = MergeTree ORDER BY n SETTINGS index_granularity = 100"""
        )
        session.run(f"INSERT INTO requests (ip) VALUES {values()}")
        query = f"SELECT ip FROM requests WHERE n = {ASKED}"
        assert session.run(query) == "FDAA:7:45b::7"
        plan = "SELECT arrayStringConcat(groupArray(explain), ' ') FROM"
        plan += f" (EXPLAIN indexes = 1, actions = 1 {query})"
        text = session.run(plan)
        assert "Granules: 1/50" in text
        assert "match" not in text


# --- SQLite ---------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "my.db")


def other_program(file: str, statement: str) -> Any:
    """Run a statement as a program does that has no functions of fdaa."""
    connection = sqlite3.connect(file)
    try:
        with connection:
            return connection.execute(statement).fetchall()
    finally:
        connection.close()


def with_fdaa(file: str, script: list[str]) -> None:
    connection = sqlite3.connect(file)
    register(connection)
    with connection:
        for statement in script:
            connection.execute(statement)
    connection.close()


UNUSABLE = {
    Use.INDEX: ["CREATE INDEX by_network ON requests (fdaa_network_id_int(ip))"],
    Use.GENERATED: [
        "DROP TABLE requests",
        "CREATE TABLE requests (ip TEXT, n AS (fdaa_network_id_int(ip)) STORED)",
    ],
    Use.CHECK: [
        "DROP TABLE requests",
        "CREATE TABLE requests (ip TEXT CHECK (fdaa_key(ip) IS NOT NULL))",
    ],
}


@pytest.mark.parametrize("use", UNUSABLE)
def test_a_definition_of_sqlite_with_a_function_shuts_other_programs_out(
    file: str, use: Use
) -> None:
    insert = "INSERT INTO requests (ip) VALUES ('fdaa:2:45b::3')"
    with_fdaa(file, ["CREATE TABLE requests (ip TEXT)", *UNUSABLE[use], insert])
    statements = [insert]
    if use is not Use.GENERATED:
        statements.append("PRAGMA integrity_check")
    for statement in statements:
        with pytest.raises(sqlite3.OperationalError, match=r"no such function|unknown function"):
            other_program(file, statement)
    assert use in ENGINES["sqlite"].caveats


def test_a_plain_column_of_sqlite_with_an_index_is_for_every_program(file: str) -> None:
    create = "CREATE TABLE requests (ip TEXT, network_id_int INTEGER)"
    index = "CREATE INDEX by_network ON requests (network_id_int)"
    insert = "INSERT INTO requests VALUES ('fdaa:2:45b::3', fdaa_network_id_int('fdaa:2:45b::3'))"
    with_fdaa(file, [create, index, insert])
    assert other_program(file, "PRAGMA integrity_check") == [("ok",)]
    other_program(file, "INSERT INTO requests VALUES ('x', NULL)")
    query = "SELECT ip FROM requests WHERE network_id_int = 132187"
    assert "by_network" in str(other_program(file, f"EXPLAIN QUERY PLAN {query}"))
    assert other_program(file, query) == [("fdaa:2:45b::3",)]
