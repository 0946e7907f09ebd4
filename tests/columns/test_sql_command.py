"""`fdaa sql`, and the face that it stands on."""

from __future__ import annotations

import re
from typing import Any

import pytest
from command import invoke

import fdaa
from fdaa import ArgumentError
from fdaa.columns import DIALECTS, Dialect, dbt_macros, inline_sql, sql
from fdaa.columns._engines import IN_SQL, InSQL  # private: documents are made of it

each_dialect = pytest.mark.parametrize("dialect", DIALECTS)
WITH_FUNCTIONS = [dialect for dialect in DIALECTS if dialect != "mariadb"]
each_with_functions = pytest.mark.parametrize("dialect", WITH_FUNCTIONS)
OPERATIONS = ("network_id_int", "same_network", "network_id", "prefix", "key", "address")


@each_with_functions
def test_the_command_prints_the_definitions(dialect: Dialect) -> None:
    result = invoke("sql", dialect)
    assert (result.exit_code, result.stdout, result.stderr) == (0, sql(dialect), "")


@each_with_functions
def test_each_definition_is_a_statement_of_its_own(dialect: Dialect) -> None:
    statements = sql(dialect).split("\n\n")
    created = re.compile(r"(?:FUNCTION|MACRO) (\w+)")
    names = {created.findall(statement)[0] for statement in statements}
    names -= {"fdaa_id_text"}  # a part of the others
    assert names == {f"fdaa_{operation}" for operation in OPERATIONS}
    for statement in statements:
        assert statement.rstrip().endswith(";")
        assert statement.count("CREATE OR REPLACE") == 1


@each_with_functions
@pytest.mark.parametrize("drop", [False, True])
def test_the_first_line_says_which_version_has_made_it(dialect: Dialect, drop: bool) -> None:
    first = sql(dialect, drop=drop).splitlines()[0]
    assert first.startswith(f"-- fdaa {fdaa.__version__}, for ")


@each_dialect
@pytest.mark.parametrize("operation", IN_SQL)
def test_the_command_prints_an_expression_over_a_column(dialect: Dialect, operation: InSQL) -> None:
    result = invoke("sql", dialect, "--inline", "src", "--operation", operation)
    assert (result.exit_code, result.stdout) == (0, inline_sql(dialect, "src", operation) + "\n")
    if operation == "network_id_int":
        assert invoke("sql", dialect, "--inline", "src").stdout == result.stdout


@each_dialect
def test_an_expression_is_of_text_alone_and_says_what_it_matches(dialect: Dialect) -> None:
    """The branches of other types would make it longer, and each of them costs time."""
    for operation in IN_SQL:
        comment, _, expression = inline_sql(dialect, "src", operation).partition("*/")
        assert comment.startswith(f"/* fdaa {fdaa.__version__}, for ")
        assert ("RFC 4291" in comment) == ("[Ff][Dd]" in expression)
        for other in ("typeof", "TypeName", "BLOB", "IPv6'", "FixedString", "inet '", "X'FDAA'"):
            assert other not in expression


@each_dialect
def test_the_macros_of_dbt_are_the_expressions(dialect: Dialect) -> None:
    result = invoke("sql", dialect, "--dbt")
    assert (result.exit_code, result.stdout) == (0, dbt_macros(dialect))
    macros = re.findall(
        r"{% macro fdaa_(\w+)\(column\) %}\n(.*?)\n{% endmacro %}\n", result.stdout, re.DOTALL
    )
    assert [operation for operation, _ in macros] == list(IN_SQL)
    for operation, text in macros:
        _, _, expression = inline_sql(dialect, "(src)", operation).partition("*/ ")
        assert text.replace("{{ column }}", "src") == expression.replace("((src))", "(src)")
        assert not re.search("{[{%#]|[}%#]}", text.replace("{{ column }}", ""))  # no other marks


def test_a_column_may_be_an_expression_and_have_the_name_of_a_parameter() -> None:
    of_expression = inline_sql("duckdb", "trim(ip, '$1\\1 (')", "network_id_int")
    assert of_expression.count("(trim(ip, '$1\\1 ('))") == 3


@each_with_functions
def test_a_backslash_is_not_in_an_expression_of_the_grammar(dialect: Dialect) -> None:
    """What it means depends on a setting in most databases."""
    lines = [line for line in sql(dialect).splitlines() if "[Ff][Dd]" in line]
    assert lines
    assert not any("\\" in line for line in lines)


@each_with_functions
def test_names_may_begin_with_another_prefix(dialect: Dialect) -> None:
    renamed = sql(dialect, prefix="net")
    assert renamed == sql(dialect).replace("fdaa_", "net_") != sql(dialect)
    result = invoke("sql", dialect.upper(), "--prefix", "net")
    assert (result.exit_code, result.stdout) == (0, renamed)


@pytest.mark.parametrize("prefix", ["", "1a", "a-b", "a b", "x;DROP TABLE y", "a.b", "é", "a" * 33])
def test_a_prefix_that_cannot_begin_a_name_is_refused(prefix: str) -> None:
    with pytest.raises(ArgumentError, match="at most 32 letters"):
        sql("duckdb", prefix=prefix, drop=True)
    result = invoke("sql", "duckdb", "--prefix", prefix)
    assert (result.exit_code, result.stdout) == (2, "")


@each_with_functions
def test_the_functions_are_dropped_in_the_opposite_order(dialect: Dialect) -> None:
    result = invoke("sql", dialect, "--drop")
    assert (result.exit_code, result.stdout) == (0, sql(dialect, drop=True))
    named = re.compile(r"^(?:CREATE OR REPLACE|DROP) .*?(fdaa_\w+)", re.MULTILINE)
    assert named.findall(sql(dialect, drop=True)) == named.findall(sql(dialect))[::-1]


# Options of the command -> arguments of the function, and a part of the first statement.
OPTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "duckdb --temp": ({"temporary": True}, "CREATE OR REPLACE TEMP MACRO fdaa_network_id_int("),
    "duckdb --permanent": ({"temporary": False}, "CREATE OR REPLACE MACRO fdaa_network_id_int("),
    "duckdb --schema my.main": ({"schema": "my.main"}, 'MACRO "my"."main".fdaa_network_id_int('),
    "spark": ({}, "CREATE OR REPLACE TEMPORARY FUNCTION fdaa_network_id_int("),
    "spark --permanent": ({"temporary": False}, "CREATE OR REPLACE FUNCTION fdaa_network_id_int("),
    "postgresql --schema tools": ({"schema": "tools"}, 'FUNCTION "tools".fdaa_network_id_int('),
    "clickhouse --cluster fdaa_c --prefix x": (
        {"cluster": "fdaa_c", "prefix": "x"},
        "x_network_id_int ON CLUSTER fdaa_c AS",
    ),
    "clickhouse --cluster c": ({"cluster": "c"}, "fdaa_network_id_int ON CLUSTER c AS"),
}


@pytest.mark.parametrize("call", OPTIONS)
def test_where_and_how_long_functions_are_is_said_by_options(call: str) -> None:
    name, *options = call.split()
    [dialect] = [each for each in DIALECTS if each == name]
    arguments, part = OPTIONS[call]
    assert part in sql(dialect, **arguments).split(";")[0]
    result = invoke("sql", dialect, *options)
    assert (result.exit_code, result.stdout) == (0, sql(dialect, **arguments))
    dropped = invoke("sql", dialect, *options, "--drop")
    assert (dropped.exit_code, dropped.stdout) == (0, sql(dialect, **arguments, drop=True))


WRONG = {
    "postgresql --temp": "postgresql has no temporary functions",
    "clickhouse --temp": "clickhouse has no temporary functions",
    "mariadb": "mariadb has no functions: use --inline COLUMN",
    "mariadb --drop": "mariadb has no functions",
    "duckdb --dbt --schema s": "--dbt cannot be combined",
    "duckdb --dbt --inline ip": "--dbt cannot be combined",
    "duckdb --dbt --operation key": "--operation needs --inline",
    "clickhouse --schema tools": "clickhouse functions belong to no schema",
    "duckdb --temp --schema s": "a temporary function belongs to no schema",
    "spark --schema s": "a temporary function belongs to no schema",
    "duckdb --schema a.b.c": "expected SCHEMA or CATALOG.SCHEMA",
    "duckdb --schema a;b": "expected SCHEMA or CATALOG.SCHEMA",
    "duckdb --schema=": "schema '': expected SCHEMA or CATALOG.SCHEMA",
    "duckdb --inline=a\x1bb": "column 'a\\x1bb': it has a control character",
    "duckdb --inline=": "column '': expected a column, or an expression",
    "duckdb --cluster c": "duckdb has no ON CLUSTER",
    "clickhouse --cluster a;b": "expected the name of a cluster",
    "SQLite": "fdaa.columns.sqlite.register(connection)",
    "duckdb --inline ip --drop": "--inline creates no function",
    "duckdb --inline ip --schema s": "--inline creates no function",
    "duckdb --inline ip --temp": "--inline creates no function",
    "duckdb --inline ip --operation find": "no expression for 'find': use one of network_id_int,",
    "duckdb --operation key": "--operation needs --inline",
    "duckdb --dbt --schema=": "--dbt cannot be combined",
    "duckdb --inline ip --cluster=": "--inline creates no function",
    "duckdb --inline ip --operation=": "no expression for ''",
}


@pytest.mark.parametrize("call", WRONG)
def test_what_a_database_does_not_have_is_a_usage_error(call: str) -> None:
    result = invoke("sql", *call.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert WRONG[call] in " ".join(result.stderr.split())


def test_a_name_of_no_dialect_is_an_error_that_lists_the_dialects() -> None:
    with pytest.raises(TypeError, match=r"^dialect must be str, not int"):
        sql(3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=f"'mysql': use one of {', '.join(DIALECTS)}$"):
        sql("mysql")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"Polars 2\.1 has no definitions in SQL: `import"):
        sql("polars")  # type: ignore[arg-type]


@pytest.mark.parametrize("arguments", [[], ["mysql"], ["duckdb", "spark"]])
def test_a_wrong_call_has_status_2(arguments: list[str]) -> None:
    result = invoke("sql", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "ENGINE" in result.stderr
