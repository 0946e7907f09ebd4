"""`fdaa sql`: its options, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from command import invoke

import fdaa
from fdaa import ArgumentError
from fdaa.columns import DIALECTS, OPERATIONS, inline_sql, sql

# The call -> the arguments of the function, and a part of the first statement.
CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "duckdb": ({}, "CREATE OR REPLACE MACRO fdaa_network_id_int("),
    "duckdb --temp": ({"temporary": True}, "CREATE OR REPLACE TEMP MACRO fdaa_network_id_int("),
    "spark --permanent": ({"temporary": False}, "CREATE OR REPLACE FUNCTION fdaa_network_id_int("),
    "PostgreSQL": ({}, "CREATE OR REPLACE FUNCTION fdaa_network_id_int(text) RETURNS bigint"),
}


@pytest.mark.parametrize("call", CALLS)
def test_the_command_prints_the_definitions(call: str) -> None:
    arguments, part = CALLS[call]
    dialect: Any
    dialect, *options = call.split()
    result = invoke("sql", dialect, *options)
    assert (result.exit_code, result.stdout, result.stderr) == (0, sql(dialect, **arguments), "")
    assert result.stdout.startswith(f"-- fdaa {fdaa.__version__}, for ")
    assert part in result.stdout
    dropped = invoke("sql", dialect, *options, "--drop")
    assert (dropped.exit_code, dropped.stdout) == (0, sql(dialect, **arguments, drop=True))


def test_the_command_prints_an_expression_over_a_column() -> None:
    result = invoke("sql", "sqlite", "--inline", "src", "--operation", "key")
    assert (result.exit_code, result.stdout) == (0, inline_sql("sqlite", "src", "key") + "\n")
    default = invoke("sql", "sqlite", "--inline", "src")
    assert default.stdout == inline_sql("sqlite", "src", "network_id_int") + "\n"


WRONG = {
    "": "ENGINE",
    "mysql": "ENGINE",
    "postgresql --temp": "PostgreSQL 14 has no temporary functions",
    "sqlite": "SQLite 3.41 has no functions in SQL: use --inline",
    "duckdb --inline=a\x1bb": "column 'a\\x1bb': it has a control character",
    "duckdb --inline=": "column '': expected a column, or an expression",
    "duckdb --inline ip --drop": "--inline creates no function",
    "duckdb --inline ip --operation find": "'find' is not one of 'network_id_int',",
    "duckdb --operation key": "--operation needs --inline",
}


@pytest.mark.parametrize("call", WRONG)
def test_what_a_database_does_not_have_is_a_usage_error(call: str) -> None:
    result = invoke("sql", *call.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert WRONG[call] in " ".join(result.stderr.split())


def test_a_name_of_no_dialect_is_an_error_that_lists_the_dialects() -> None:
    with pytest.raises(ArgumentError, match=f"'mysql': use one of {', '.join(DIALECTS)}$"):
        sql("mysql")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=f"'find': use one of {', '.join(OPERATIONS)}$"):
        inline_sql("duckdb", "ip", "find")  # type: ignore[arg-type]
