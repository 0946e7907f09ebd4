"""`fdaa sql`: the functions for a database."""

from __future__ import annotations

import sys

import click

from fdaa.cli._exit_status import YES
from fdaa.columns import Dialect, drop_sql
from fdaa.columns import sql as definitions


@click.command()
@click.argument("dialect", type=click.Choice([*map(str, Dialect), "sqlite"], case_sensitive=False))
@click.option(
    "--prefix",
    metavar="NAME",
    default="fdaa",
    help="Name the functions NAME_network_id, and so on.",
)
@click.option("--drop", is_flag=True, help="Print the statements that drop the functions.")
def sql(dialect: str, prefix: str, drop: bool) -> int:
    """Print SQL functions that return the networks of addresses.

    The statements define fdaa_network_id(a), fdaa_network(a) and fdaa_same_network(a, b) in the SQL
    of DIALECT, for texts and for columns that hold addresses. Each returns null for null and for
    anything that is not a private address. For SQLite, use fdaa.columns.sqlite in Python.

    Examples:
      $ fdaa sql duckdb | duckdb my.db
      $ fdaa sql postgresql | psql my_database

    Exit status: 0 done, 2 usage error.
    """
    try:
        sys.stdout.write((drop_sql if drop else definitions)(dialect, prefix=prefix))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    return YES
