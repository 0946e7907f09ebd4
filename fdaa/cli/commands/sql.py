"""`fdaa sql`: the functions for a database, or an expression."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli._output import YES
from fdaa.columns import DIALECTS, OPERATIONS, inline_sql
from fdaa.columns import sql as definitions

if TYPE_CHECKING:
    from fdaa.columns import Dialect, Operation


@click.command()
@click.argument("dialect", metavar="ENGINE", type=click.Choice(DIALECTS, case_sensitive=False))
@click.option("--temp", is_flag=True, help="Create them for this session.  [default in Spark]")
@click.option("--permanent", is_flag=True, help="Create them permanently.  [default in DuckDB]")
@click.option("--drop", is_flag=True, help="Print statements that drop them.")
@click.option(
    "--inline",
    "column",
    metavar="COLUMN",
    help="Print one as an expression over COLUMN.",
)
@click.option(
    "--operation",
    metavar="NAME",
    type=click.Choice(OPERATIONS),
    help="With --inline: network_id, address or key.  [default: network_id_int]",
)
def sql(
    dialect: Dialect,
    temp: bool,
    permanent: bool,
    drop: bool,
    column: str | None,
    operation: Operation | None,
) -> int:
    """Print SQL functions that read columns of addresses.

    ENGINE is clickhouse, duckdb, postgresql, spark or sqlite (only --inline).
    fdaa_network_id_int(a), fdaa_network_id(a), fdaa_address(a) and fdaa_key(a) return null for
    anything but a private address.

    Examples:
      $ fdaa sql duckdb | duckdb my.db
      $ fdaa sql postgresql --inline src --operation key
    """
    if column is None and operation is not None:
        raise click.UsageError("--operation needs --inline")
    if temp and permanent:
        raise click.UsageError("--temp and --permanent cannot be combined")
    temporary = None
    if temp or permanent:
        temporary = temp
    if column is not None and (drop or temporary is not None):
        raise click.UsageError("--inline creates no functions: use it with --operation only")
    try:
        if column is None:
            text = definitions(dialect, temporary=temporary, drop=drop)
        else:
            text = inline_sql(dialect, column, operation or "network_id_int") + "\n"
    except ValueError as error:
        raise click.UsageError(str(error).replace("`inline_sql`", "--inline")) from None
    sys.stdout.write(text)
    return YES
