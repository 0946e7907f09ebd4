"""`fdaa sql`: the functions for a database."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli._output import YES
from fdaa.columns import DIALECTS, dbt_macros, inline_sql
from fdaa.columns import sql as definitions

if TYPE_CHECKING:
    from fdaa.columns import Dialect
    from fdaa.columns._engines import InSQL


class _Engine(click.Choice[str]):
    """The dialects; SQLite is let through, as `fdaa.columns.sql` says what to use for it."""

    def __init__(self) -> None:
        super().__init__(DIALECTS, case_sensitive=False)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name of a dialect, or of SQLite."""
        if value.lower() == "sqlite":
            return value
        return super().convert(value, param, ctx)


@click.command()
@click.argument("dialect", metavar="ENGINE", type=_Engine())
@click.option(
    "--prefix",
    metavar="NAME",
    default="fdaa",
    help="Name the functions NAME_network_id, and so on.",
)
@click.option(
    "--schema",
    metavar="NAME",
    help="Create them in this schema or database.",
)
@click.option(
    "--temp/--permanent",
    "temporary",
    default=None,
    help="For this session only, or to stay.  [default: permanent in DuckDB, temp in Spark]",
)
@click.option("--cluster", metavar="NAME", help="ClickHouse: create them ON CLUSTER NAME.")
@click.option("--drop", is_flag=True, help="Print the statements that drop the functions.")
@click.option(
    "--inline",
    "column",
    metavar="COLUMN",
    help="Print one function as an expression over a column of text.",
)
@click.option(
    "--operation",
    metavar="NAME",
    help="With --inline: network_id, key, prefix or address.  [default: network_id_int]",
)
@click.option("as_dbt", "--dbt", is_flag=True, help="Print the expressions as macros of dbt.")
def sql(
    dialect: Dialect,
    prefix: str,
    schema: str | None,
    temporary: bool | None,
    cluster: str | None,
    drop: bool,
    column: str | None,
    operation: InSQL | None,
    as_dbt: bool,
) -> int:
    """Print SQL functions that read columns of addresses.

    ENGINE is clickhouse, duckdb, mariadb, postgresql or spark; MariaDB has only --inline and --dbt.
    For SQLite, use fdaa.columns.sqlite in Python.

    The functions are fdaa_network_id_int(a), fdaa_network_id(a), fdaa_same_network(a, b),
    fdaa_prefix(a), fdaa_address(a) and fdaa_key(a), for texts and packed addresses. Each returns
    null for anything that is not a private address.

    Examples:
      $ fdaa sql duckdb | duckdb my.db
      $ fdaa sql mariadb --inline src --operation key
    """
    of_functions = (schema, cluster, temporary)
    is_about_functions = drop or prefix != "fdaa" or of_functions != (None, None, None)
    if column is not None and is_about_functions:
        raise click.UsageError(
            "--inline creates no functions; only --operation can be combined with it"
        )
    if as_dbt and (column is not None or is_about_functions):
        raise click.UsageError("--dbt cannot be combined with other options")
    if operation is not None and column is None:
        raise click.UsageError("--operation needs --inline")
    try:
        if as_dbt:
            text = dbt_macros(dialect)
        elif column is not None:
            if operation is None:
                operation = "network_id_int"
            text = inline_sql(dialect, column, operation) + "\n"
        else:
            text = definitions(
                dialect,
                prefix=prefix,
                schema=schema,
                temporary=temporary,
                cluster=cluster,
                drop=drop,
            )
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    sys.stdout.write(text)
    return YES
