"""A rival program: the least that a click program of one group and one command can be."""

from __future__ import annotations

import click


@click.group()
@click.version_option("0", prog_name="fdaa", message="%(prog)s %(version)s")
def bare() -> None:
    """Show how fast a click program starts."""


@bare.command()
@click.argument("addresses", nargs=-1)
def same(addresses: tuple[str, ...]) -> None:
    """Print the last line of `fdaa same`, without a look at the addresses."""
    click.echo("same network" * bool(addresses))


if __name__ == "__main__":
    bare()
