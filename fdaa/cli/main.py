"""The group of all commands, and the text of `fdaa --help`."""

from __future__ import annotations

import click

from fdaa import __version__
from fdaa.cli._group import LazyGroup

# Section of `fdaa --help` -> commands; each is the object of its name in a module of its name.
COMMANDS = {
    "Read addresses": ("decode", "same", "build"),
    "Search text": ("scan",),
    "Networks by name": ("reach", "networks", "check", "whois", "book", "name"),
    "Inside a Machine": ("probe", "whoami"),
    "Columns of addresses": ("sql",),
    "Shell": ("completion",),
    "Live platform": ("apps", "token", "verify", "sandbox"),
}


@click.group(
    cls=LazyGroup,
    sections=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="fdaa", message="%(prog)s %(version)s")
def fdaa() -> None:
    """Decode the platform's private addresses (fdaa::/16) and compare their networks.

    An address in place of a command is decoded; with - in place of it, standard input is.

    Examples:
      $ fdaa fdaa:2:45b:a7b:174:db43:d3c6:2
      $ fdaa same fdaa:2:45b:a7b:174:db43:d3c6:2 fdaa:0:18::3

    Exit status: 0 yes or done, 1 no, 2 invalid input or usage, 3 unknown.
    """
