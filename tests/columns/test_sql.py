"""Each database answers as `Address` does, text for text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import sql_engines
from column_texts import column, expected, written

from fdaa.columns import drop_sql, sql

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sql_engines import Select


def engine(name: str) -> object:
    """Return an engine as a parameter; SQLite needs nothing and is always asked."""
    return pytest.param(name, marks=() if name == "sqlite" else pytest.mark.engines)


ENGINES = ["sqlite", "duckdb", "postgresql", "clickhouse", "spark"]


@pytest.fixture(scope="module", params=[engine(name) for name in ENGINES])
def dialect(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def select(dialect: str) -> Iterator[Select]:
    with getattr(sql_engines, dialect)() as started:
        yield started


def held(dialect: str, texts: list[str | None]) -> list[str | None]:
    """Return the texts as the engine can hold them: PostgreSQL refuses NUL in any text."""
    if dialect != "postgresql":
        return texts
    return [None if text is None or "\0" in text else text for text in texts]


def rows(dialect: str) -> list[tuple[str | None, str | None]]:
    """Return each text with the one that stands seven rows before it."""
    texts = held(dialect, column())
    return [*zip(texts, texts[-7:] + texts[:-7], strict=True)]


def ids(dialect: str) -> list[int | None]:
    pairs = zip(held(dialect, column()), expected(), strict=True)
    return [None if text is None else network_id for text, network_id in pairs]


def test_network_ids_are_those_of_the_parser(dialect: str, select: Select) -> None:
    texts = rows(dialect)
    results = zip(texts, select("fdaa_network_id(a)", texts), ids(dialect), strict=True)
    assert [row for row in results if row[1] != row[2]] == []


def test_networks_are_written_as_the_core_writes_them(dialect: str, select: Select) -> None:
    assert select("fdaa_network(a)", rows(dialect)) == [*map(written, ids(dialect))]


def test_same_network_compares_where_both_are_addresses(dialect: str, select: Select) -> None:
    first = ids(dialect)
    pairs = zip(first, first[-7:] + first[:-7], strict=True)
    same = [None if a is None or b is None else a == b for a, b in pairs]
    assert {None, True, False} <= {*same}
    assert select("fdaa_same_network(a, b)", rows(dialect)) == same


def test_an_expression_and_a_literal_are_texts_too(select: Select) -> None:
    expression = "fdaa_network_id(a) + fdaa_network_id('FDAA:0:1::')"
    assert select(expression, [("fdaa:0:2::", None), (None, None)]) == [3, None]
    assert select("fdaa_network_id(NULL)", [("fdaa::", None)]) == [None]


def test_columns_may_have_the_names_that_the_definitions_use(select: Select) -> None:
    texts = [("fdaa:0:1::", "fdaa:0:2::"), ("fdaa:0:1::", "fdaa:0:1::")]
    assert select("fdaa_same_network(b, a)", texts) == [False, True]
    assert select("fdaa_same_network(b, b)", texts) == [True, True]


# How a query fails instead of giving null, where the database can do that in an expression.
STRICT = {
    "duckdb": "coalesce(fdaa_network_id(a), error('no address: ' || a))",
    "spark": "coalesce(fdaa_network_id(a), raise_error('no address: ' || a))",
    "clickhouse": "if(throwIf(isNull(fdaa_network_id(a)), 'no address'), NULL, fdaa_network_id(a))",
}


@pytest.mark.parametrize("dialect", [engine(name) for name in STRICT], indirect=True)
def test_a_query_can_fail_on_a_refused_text(dialect: str, select: Select) -> None:
    """Each database has an error of its own."""
    assert select(STRICT[dialect], [("fdaa:0:1::", None)]) == [1]
    with pytest.raises(Exception, match="no address"):
        select(STRICT[dialect], [("fdaa:0:1::", None), ("fe80::1", None)])


@pytest.mark.engines
def test_functions_with_another_prefix_are_defined_and_dropped() -> None:
    sql_engines.need("duckdb")
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(sql("duckdb", prefix="net"))
        assert connection.execute("SELECT net_network('fdaa:2:45b::')").fetchone() == ("2:45b",)
        connection.execute(drop_sql("duckdb", prefix="net"))
        query = (
            "SELECT count(*) FROM duckdb_functions() WHERE function_name LIKE 'net!_%' ESCAPE '!'"
        )
        assert connection.execute(query).fetchone() == (0,)


@pytest.mark.engines
def test_the_definitions_stay_in_a_duckdb_file(tmp_path: Path) -> None:
    sql_engines.need("duckdb")
    import duckdb

    for statement in (sql("duckdb"), sql("duckdb"), "SELECT 1"):  # twice is no error
        with duckdb.connect(tmp_path / "my.db") as connection:
            connection.execute(statement)
    with duckdb.connect(tmp_path / "my.db", read_only=True) as connection:
        assert connection.execute("SELECT fdaa_network('fdaa:2:45b::')").fetchone() == ("2:45b",)


@pytest.mark.engines
def test_spark_defines_the_same_under_its_setting_for_backslashes() -> None:
    with sql_engines.spark() as select:
        select("1", [])  # the session is there
        from pyspark.sql import SparkSession

        session = SparkSession.getActiveSession()
        assert session is not None
        for setting in ("true", "false"):
            session.conf.set("spark.sql.parser.escapedStringLiterals", setting)
            for statement in sql("spark", prefix="other").split("\n\n"):
                session.sql(statement)
            for read_by in ("true", "false"):
                session.conf.set("spark.sql.parser.escapedStringLiterals", read_by)
                texts = rows("spark")[:2000]
                assert select("other_network_id(a)", texts) == ids("spark")[:2000]
