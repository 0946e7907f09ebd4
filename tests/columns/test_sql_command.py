"""`fdaa sql`, and the face that it stands on."""

from __future__ import annotations

import pytest
from command import invoke, run

from fdaa.columns import Dialect, sql

each_dialect = pytest.mark.parametrize("dialect", Dialect)


@each_dialect
def test_the_command_prints_the_definitions(dialect: Dialect) -> None:
    result = invoke("sql", str(dialect))
    assert (result.exit_code, result.stdout, result.stderr) == (0, sql(dialect), "")


@each_dialect
def test_each_dialect_defines_three_functions_in_statements_of_their_own(dialect: Dialect) -> None:
    statements = sql(dialect).split("\n\n")
    for statement, name in zip(
        statements, ("fdaa_network_id", "fdaa_same_network", "fdaa_network"), strict=True
    ):
        assert statement.rstrip().endswith(";")
        assert f"FUNCTION {name}" in statement or f"MACRO {name}" in statement


def test_it_is_printed_as_a_process_does() -> None:
    done = run("sql", "duckdb")
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, sql("duckdb"), b"")


@pytest.mark.parametrize("arguments", [[], ["mysql"], ["duckdb", "spark"]])
def test_a_wrong_call_has_status_2(arguments: list[str]) -> None:
    result = invoke("sql", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "duckdb" in result.stderr


def test_an_unknown_dialect_is_refused_and_the_known_ones_are_told() -> None:
    with pytest.raises(ValueError, match=r"'mysql'.*clickhouse, duckdb, postgresql, spark"):
        sql("mysql")


def test_the_help_has_an_example_and_the_exit_statuses() -> None:
    text = invoke("sql", "--help").stdout
    assert "fdaa sql duckdb | duckdb my.db" in text
    assert "Exit status" in text
