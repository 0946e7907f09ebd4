"""The group of all commands, and what `fdaa --help` says."""

from __future__ import annotations

import click

from fdaa import __version__
from fdaa.cli._group import LazyGroup

# Section of `fdaa --help` -> command -> where it is.
COMMANDS = {
    "Read addresses": {
        "decode": "fdaa.cli.commands.decode:decode",
        "same": "fdaa.cli.commands.same:same",
        "build": "fdaa.cli.commands.build:build",
    },
    "Search text": {
        "scan": "fdaa.cli.commands.scan:scan",
    },
    "Networks by name": {
        "reach": "fdaa.cli.commands.reach:reach",
        "networks": "fdaa.cli.commands.networks:networks",
        "check": "fdaa.cli.commands.check:check",
        "whois": "fdaa.cli.commands.whois:whois",
        "book": "fdaa.cli.commands.book:book",
        "name": "fdaa.cli.commands.name:name",
    },
    "Columns of addresses": {
        "sql": "fdaa.cli.commands.sql:sql",
    },
    "Live platform": {
        "apps": "fdaa.cli.commands.apps:apps",
        "whoami": "fdaa.cli.commands.whoami:whoami",
        "token": "fdaa.cli.commands.token:token",
        "verify": "fdaa.cli.commands.verify:verify",
        "sandbox": "fdaa.cli.commands.sandbox:sandbox",
    },
}


@click.group(
    cls=LazyGroup,
    sections=COMMANDS,
    address_command="decode",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Examples:
  $ fdaa fdaa:2:45b:a7b:174:db43:d3c6:2
  $ fdaa same fdaa:2:45b:a7b:174:db43:d3c6:2 fdaa:0:18::3

Exit status: 0 yes or done, 1 no, 2 the input or the call is wrong, 3 not known.""",
)
@click.version_option(__version__, prog_name="fdaa", message="%(prog)s %(version)s")
def fdaa() -> None:
    """Decode the platform's private addresses (fdaa::/16) and compare their networks.

    An address in place of a command is decoded.
    """
