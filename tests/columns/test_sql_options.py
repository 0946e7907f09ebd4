"""The options of `fdaa sql`, in the databases themselves: names, schemas, lifetimes, clusters."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from mariadb_server import server
from sql_engines import DATABASES, started
from sql_servers import cluster, need, psql

from fdaa.columns import inline_sql, sql

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fdaa.columns._engines import InSQL

pytestmark = pytest.mark.engines
ASK = "SELECT {}fdaa_network_id('FDAA:2:45b::3')"
# One of each: the address is read by all of them.
ALL: tuple[InSQL, ...] = ("network_id_int", "network_id", "prefix", "address", "key")


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Any]:
    need("duckdb")
    import duckdb

    with duckdb.connect(tmp_path / "my.db") as opened:
        opened.execute("ATTACH ':memory:' AS other")
        yield opened


def network_id(connection: Any, schema: str = "") -> Any:
    return connection.execute(ASK.format(schema)).fetchone()[0]


def test_duckdb_has_temporary_functions_in_every_database(connection: Any) -> None:
    connection.execute(sql("duckdb", temporary=True))
    connection.execute("USE other")
    assert network_id(connection) == "2:45b"
    connection.execute(sql("duckdb", temporary=True, drop=True))
    with pytest.raises(Exception, match="does not exist"):
        network_id(connection)


def test_duckdb_has_functions_of_a_schema_in_every_database(connection: Any) -> None:
    connection.execute(sql("duckdb", schema="my.main"))
    connection.execute("USE other")
    for operation in ALL:
        connection.execute(f"SELECT my.main.fdaa_{operation}('fdaa::1')")
    assert network_id(connection, "my.main.") == "2:45b"
    connection.execute(sql("duckdb", schema="my.main", drop=True))
    with pytest.raises(Exception, match="does not exist"):
        network_id(connection, "my.main.")


def test_the_schema_of_duckdb_can_be_a_reserved_word(connection: Any) -> None:
    connection.execute('CREATE SCHEMA my."order"')
    connection.execute(sql("duckdb", schema="My.Order"))
    assert network_id(connection, 'my."order".') == "2:45b"
    connection.execute(sql("duckdb", schema="my.order", drop=True))
    connection.execute('DROP SCHEMA my."order"')


def test_the_functions_of_duckdb_stay_in_its_file(tmp_path: Path) -> None:
    need("duckdb")
    import duckdb

    for statement in (sql("duckdb"), sql("duckdb"), "SELECT 1"):  # twice is no error
        with duckdb.connect(tmp_path / "my.db") as connection:
            connection.execute(statement)
    with duckdb.connect(tmp_path / "my.db", read_only=True) as connection:
        assert network_id(connection) == "2:45b"


def test_functions_of_duckdb_with_another_prefix_are_defined_and_dropped() -> None:
    need("duckdb")
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(sql("duckdb", prefix="net"))
        assert connection.execute("SELECT net_network_id('fdaa:2:45b::')").fetchone() == ("2:45b",)
        connection.execute(sql("duckdb", prefix="net", drop=True))
        query = (
            "SELECT count(*) FROM duckdb_functions() WHERE function_name LIKE 'net\\_%' ESCAPE '\\'"
        )
        assert connection.execute(query).fetchone() == (0,)


def test_spark_has_permanent_functions_in_a_schema() -> None:
    DATABASES["spark"].need()
    with started("spark") as session:
        session.run("CREATE DATABASE IF NOT EXISTS tools")
        definitions = sql("spark", schema="tools", temporary=False)
        for statement in definitions.split(";\n\n"):
            session.run(statement.rstrip(";\n"))
        view = (
            "CREATE OR REPLACE VIEW tools.named AS SELECT tools.fdaa_prefix('fdaa:2:45b::3') AS p"
        )
        assert session.run(f"{view};\nSELECT p FROM tools.named") == "fdaa:2:45b::/48"
        for operation in ALL:
            session.run(f"SELECT tools.fdaa_{operation}('fdaa::1')")
        session.run("DROP VIEW tools.named")
        session.run(sql("spark", schema="tools", temporary=False, drop=True))
        with pytest.raises(Exception, match=r"UNRESOLVED_ROUTINE|ROUTINE_NOT_FOUND"):
            session.run(ASK.format("tools."))


@pytest.mark.parametrize("setting", ["true", "false"])
def test_spark_defines_the_same_under_its_setting_for_backslashes(setting: str) -> None:
    name = "spark.sql.parser.escapedStringLiterals"
    with started("spark") as session:
        session.run(f"SET {name}={setting}")
        for statement in sql("spark", prefix="other").split(";\n\n"):
            session.run(statement.rstrip(";\n"))
        for read_by in ("true", "false"):
            session.run(f"SET {name}={read_by}")
            for operation, right in {"network_id": "2:45b", "address": "fdaa:2:45b::3"}.items():
                query = f"SELECT other_{operation}('FDAA:2:45b:0:0::3')"
                assert session.run(query) == right
            assert session.run("SELECT other_network_id(concat('fdaa::3', char(10)))") == "None"


def test_postgresql_has_functions_in_a_schema_and_drops_them() -> None:
    count = "SELECT count(*) FROM pg_proc WHERE proname LIKE 'net\\_%'"
    with cluster() as variables:
        psql("CREATE SCHEMA tools;" + sql("postgresql", prefix="net", schema="Tools"), variables)
        for operation in ALL:
            psql(f"SELECT tools.net_{operation}('fdaa::1')", variables)
        assert psql("SELECT tools.net_network_id('FDAA:2:45b::')", variables) == "2:45b\n"
        assert psql(count, variables) == "25\n"
        with pytest.raises(subprocess.CalledProcessError):  # a number is no address
            psql("SELECT tools.net_network_id(5)", variables)
        drop = sql("postgresql", prefix="net", schema="tools", drop=True)
        uses = "CREATE VIEW named AS SELECT tools.net_network_id('fdaa::1');"
        with pytest.raises(subprocess.CalledProcessError):
            psql(uses + drop, variables)
        assert psql(count, variables) == "25\n"  # none is dropped if one is used
        psql("DROP VIEW named;" + drop, variables)
        assert psql(count, variables) == "0\n"
        # A reserved word.
        psql('CREATE SCHEMA "order";' + sql("postgresql", schema="order"), variables)
        query = "SELECT \"order\".fdaa_network_id('fdaa::3'),"
        query += " \"order\".fdaa_network_id('fdaa::3'::inet)"
        assert psql(query, variables) == "0:0|0:0\n"
        psql(sql("postgresql", schema="order", drop=True) + 'DROP SCHEMA "order";', variables)
        # Backslashes are read in another way.
        psql("SET standard_conforming_strings = off;" + sql("postgresql"), variables)
        query = "SELECT fdaa_network_id('FDAA:2:45b::3'), fdaa_network_id(E'fdaa::1\\n')"
        assert psql(query, variables) == "2:45b|\n"


@pytest.mark.parametrize(
    "mode",
    ["", "ORACLE", "ANSI", "ANSI,NO_BACKSLASH_ESCAPES", "TRADITIONAL", "PAD_CHAR_TO_FULL_LENGTH"],
)
def test_the_expressions_of_mariadb_are_the_same_in_each_mode(mode: str) -> None:
    """Quotes, pipes and backslashes are read in another way."""
    maria = server()
    script = f"SET sql_mode = '{mode}'; CREATE TABLE requests (ip VARCHAR(60));"
    script += "INSERT INTO requests VALUES ('FDAA:2:45b::1.2.3.4'), ('x'), ('fdaa:0:0:1:0:0:0:2');"
    asked = [inline_sql("mariadb", "ip", operation) for operation in ALL]
    asked[ALL.index("key")] = f"hex({asked[ALL.index('key')]})"
    rows = maria.run(f"{script} SELECT {', '.join(asked)} FROM requests").splitlines()
    key = "FDAA0002045B00000000000001020304"
    assert rows[0].split("\t") == ["132187", "2:45b", "fdaa:2:45b::/48", "fdaa:2:45b::102:304", key]
    assert rows[1].split("\t") == ["NULL"] * 5
    assert rows[2].split("\t")[3] == "fdaa:0:0:1::2"


def test_mariadb_stores_what_is_no_address_in_a_strict_mode() -> None:
    """There, INSERT fails on what SELECT only warns of."""
    texts = "SELECT 'fdaa:é::1' AS ip UNION SELECT 'é' UNION SELECT 'fdaa::0.0.0.é'"
    number = inline_sql("mariadb", "ip")
    address = inline_sql("mariadb", "ip", "address")
    stored = f"CREATE TABLE ids AS SELECT {number} AS n, {address} AS a FROM ({texts}) AS texts;"
    script = f"SET sql_mode = 'TRADITIONAL';{stored}SELECT count(*), count(n), count(a) FROM ids"
    assert server().run(script) == "3\t0\t0\n"


def test_clickhouse_drops_what_was_defined() -> None:
    with started("clickhouse") as session:
        assert session.run(ASK.format("")) == "2:45b"
        session.run(sql("clickhouse", drop=True))
        with pytest.raises(Exception, match="fdaa_network_id"):
            session.run(ASK.format(""))


def test_clickhouse_parses_the_statements_for_a_cluster() -> None:
    """There is no cluster in an embedded build: it says so, after it has read the statement."""
    with started("clickhouse") as session:
        for statement in sql("clickhouse", cluster="main").split("\n\n"):
            assert " ON CLUSTER main AS " in statement
            with pytest.raises(Exception, match=r"Replicated DDL|cluster"):
                session.run(statement)
