"""`fdaa sql`: the functions for a database."""

from __future__ import annotations

import sys

import click

from fdaa.cli._exit_status import YES
from fdaa.columns import Dialect
from fdaa.columns import sql as definitions


@click.command(
    short_help="Print SQL functions that tell the networks of addresses.",
    epilog="""\b
Examples:
  $ fdaa sql duckdb | duckdb my.db
  $ fdaa sql postgresql | psql my_database

Exit status: 0 done, 2 wrong call.""",
)
@click.argument("dialect", type=click.Choice([str(each) for each in Dialect]))
def sql(dialect: str) -> int:
    """Print functions that tell the networks of addresses in a database.

    The statements define fdaa_network_id(text), fdaa_network(text) and fdaa_same_network(a, b) in
    the SQL of DIALECT. Each gives null for null and for a text that is no private address.
    """
    sys.stdout.write(definitions(dialect))
    return YES
