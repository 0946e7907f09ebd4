"""The group of all commands, and the text of `fdaa --help`."""

from __future__ import annotations

import click

from fdaa import __version__
from fdaa.cli._group import LazyGroup

# Section of `fdaa --help` -> commands; each is the object of its name in a module of its name.
COMMANDS = {
    "Addresses": ("decode", "same", "whois", "scan"),
    "Networks": ("reach", "probe", "networks", "book", "check"),
    "Inside a Machine, and the live platform": ("whoami", "token", "verify", "apps", "sandbox"),
    "More": ("help", "build", "completion", "sql"),
}

_HELP = """Find, decode and compare the platform's private addresses (fdaa::/16), and explain why
apps cannot connect.

For example:
  $ fdaa fdaa:2:45b:a7b:174:db43:d3c6:2
  $ fdaa 'dial [fdaa:2:45b::3]:5432: i/o timeout'

Exit status: 0 yes or done, 1 no, 2 invalid input or usage, 3 unknown.
"""


@click.group(
    help=_HELP,
    cls=LazyGroup,
    sections=COMMANDS,
    subcommand_metavar="TEXT | COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(
    __version__, "-V", "--version", prog_name="fdaa", message="%(prog)s %(version)s"
)
def fdaa() -> None:
    """Dispatch to a command."""
