"""A rival program: the least that a click program of one group and one command can be."""

from __future__ import annotations

import click


@click.group()
@click.version_option("0", prog_name="fdaa", message="%(prog)s %(version)s")
def bare() -> None:
    """Show how fast a click program starts."""


@bare.command()
@click.argument("addresses", nargs=-1)
@click.option("--quiet", is_flag=True)
@click.option("--json", "as_json", is_flag=True)
def same(addresses: tuple[str, ...], quiet: bool, as_json: bool) -> None:
    """Take what `fdaa same` takes, and print its last line without a look at it."""
    if addresses and not quiet and not as_json:
        click.echo("same network")


if __name__ == "__main__":
    bare()
