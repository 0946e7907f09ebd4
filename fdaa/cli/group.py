"""The group of all commands, and what `fdaa --help` says."""

from __future__ import annotations

import click

from fdaa.cli.build import build
from fdaa.cli.decode import decode
from fdaa.cli.name import name
from fdaa.cli.own import own
from fdaa.cli.program import Program
from fdaa.cli.same import same
from fdaa.version import VERSION


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Example:
  $ fdaa same fdaa:2:45b:a7b:174:db43:d3c6:2 fdaa:0:18::3

Exit status: 0 yes or done, 1 no, 2 wrong input or call.""",
)
@click.version_option(VERSION, prog_name="fdaa", message="%(prog)s %(version)s")
def fdaa() -> None:
    """Decode the platform's private addresses (fdaa::/16) and compare their networks."""


for command in (decode, same, own, build, name):
    fdaa.add_command(command)


# Whoever decodes an address in a shell's loop does not wait for the commands that read files.
@fdaa.add_later("book")
def _book() -> click.Command:
    from fdaa.cli.book import book

    return book


@fdaa.add_later("check")
def _check() -> click.Command:
    from fdaa.cli.check import check

    return check


@fdaa.add_later("networks")
def _networks() -> click.Command:
    from fdaa.cli.networks import networks

    return networks


@fdaa.add_later("reach")
def _reach() -> click.Command:
    from fdaa.cli.reach import reach

    return reach


@fdaa.add_later("scan")
def _scan() -> click.Command:
    from fdaa.cli.scan import scan

    return scan
