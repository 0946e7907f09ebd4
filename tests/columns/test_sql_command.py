"""`fdaa sql`, and the face that it stands on."""

from __future__ import annotations

import re

import pytest
from command import invoke

from fdaa.columns import Dialect, drop_sql, sql

each_dialect = pytest.mark.parametrize("dialect", Dialect)


@each_dialect
def test_the_command_prints_the_definitions(dialect: Dialect) -> None:
    result = invoke("sql", str(dialect))
    assert (result.exit_code, result.stdout, result.stderr) == (0, sql(dialect), "")


NAMES = {"fdaa_network_id", "fdaa_network", "fdaa_same_network"}


@each_dialect
def test_each_definition_is_a_statement_of_its_own(dialect: Dialect) -> None:
    statements = sql(dialect).split("\n\n")
    created = re.compile(r"(?:FUNCTION|MACRO) (\w+)")
    assert {created.findall(statement)[0] for statement in statements} - {"fdaa_key"} == NAMES
    for statement in statements:
        assert statement.rstrip().endswith(";")
        assert statement.count("CREATE OR REPLACE") == 1


@each_dialect
def test_names_may_begin_with_another_prefix(dialect: Dialect) -> None:
    renamed = sql(dialect, prefix="net")
    assert renamed == sql(dialect).replace("fdaa_", "net_") != sql(dialect)
    result = invoke("sql", str(dialect).upper(), "--prefix", "net")
    assert (result.exit_code, result.stdout) == (0, renamed)


@pytest.mark.parametrize("prefix", ["", "1a", "a-b", "a b", "x;DROP TABLE y", "a.b", "é", "a" * 33])
def test_a_prefix_that_cannot_begin_a_name_is_refused(prefix: str) -> None:
    with pytest.raises(ValueError, match="at most 32 letters"):
        drop_sql("duckdb", prefix=prefix)
    result = invoke("sql", "duckdb", "--prefix", prefix)
    assert (result.exit_code, result.stdout) == (2, "")


@each_dialect
def test_the_functions_are_dropped_in_the_opposite_order(dialect: Dialect) -> None:
    result = invoke("sql", str(dialect), "--drop")
    assert (result.exit_code, result.stdout) == (0, drop_sql(dialect))
    named = re.compile(r"^(?:CREATE OR REPLACE|DROP) .*?(fdaa_\w+)", re.MULTILINE)
    assert named.findall(drop_sql(dialect)) == named.findall(sql(dialect))[::-1]


def test_sqlite_is_answered_with_what_to_do() -> None:
    result = invoke("sql", "SQLite")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "fdaa.columns.sqlite.register(connection)" in result.stderr


def test_a_name_of_no_dialect_is_an_error_that_lists_the_dialects() -> None:
    with pytest.raises(TypeError, match="got int"):
        sql(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"'mysql'.*clickhouse, duckdb, postgresql, spark"):
        sql("mysql")


@pytest.mark.parametrize("arguments", [[], ["mysql"], ["duckdb", "spark"]])
def test_a_wrong_call_has_status_2(arguments: list[str]) -> None:
    result = invoke("sql", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "duckdb" in result.stderr
