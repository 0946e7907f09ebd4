"""The group of all commands, and what `fdaa --help` says."""

from __future__ import annotations

import click

from fdaa import __version__
from fdaa.cli._group import LazyGroup


@click.group(
    cls=LazyGroup,
    lazy={
        "apps": "fdaa.cli.commands.apps:apps",
        "book": "fdaa.cli.commands.book:book",
        "build": "fdaa.cli.commands.build:build",
        "check": "fdaa.cli.commands.check:check",
        "decode": "fdaa.cli.commands.decode:decode",
        "name": "fdaa.cli.commands.name:name",
        "networks": "fdaa.cli.commands.networks:networks",
        "reach": "fdaa.cli.commands.reach:reach",
        "same": "fdaa.cli.commands.same:same",
        "sandbox": "fdaa.cli.commands.sandbox:sandbox",
        "scan": "fdaa.cli.commands.scan:scan",
        "whois": "fdaa.cli.commands.whois:whois",
        "self": "fdaa.cli.commands.self:own",
        "sql": "fdaa.cli.commands.sql:sql",
        "token": "fdaa.cli.commands.token:token",
        "verify": "fdaa.cli.commands.verify:verify",
        "whoami": "fdaa.cli.commands.whoami:whoami",
    },
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Example:
  $ fdaa same fdaa:2:45b:a7b:174:db43:d3c6:2 fdaa:0:18::3

Exit status: 0 yes or done, 1 no, 2 wrong input or call.""",
)
@click.version_option(__version__, prog_name="fdaa", message="%(prog)s %(version)s")
def fdaa() -> None:
    """Decode the platform's private addresses (fdaa::/16) and compare their networks."""
