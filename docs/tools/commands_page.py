"""docs/commands.md: the help of every command, with links to its guide and to Python."""

from __future__ import annotations

import copy
import re
from collections import Counter
from typing import TYPE_CHECKING

import click
from equivalents import EQUIVALENTS
from manual import all_commands
from places import DOCS, filled

from fdaa.cli.main import fdaa

if TYPE_CHECKING:
    from pathlib import Path

PAGE = DOCS / "commands.md"
BEGIN = "<!-- From here on made by `docs/tools`; a test fails where it is out of date. -->\n"

# The examples: a command's guide has more of them.
_EXAMPLES = re.compile(r"\n\n  Examples:\n(?:    .*\n?)*")
_WIDTH = 80
_OF_RESULTS = ("--json", "--field", "--quiet")  # nearly all commands have them


def pages() -> dict[Path, str]:
    """Return the page: options of several commands, once, and then each command."""
    top = fdaa.context_class(fdaa, info_name="fdaa", terminal_width=_WIDTH, **fdaa.context_settings)
    commands = list(all_commands(fdaa, top))
    counts: Counter[tuple[str, str]] = Counter()
    for _, command, context in commands:
        counts.update(_records(command, context).values())
    shared: dict[str, str] = {}
    for (form, text), count in counts.most_common():
        if count > 1 and not form.startswith("-h"):
            shared.setdefault(form, text)
    formatter = click.HelpFormatter(width=_WIDTH)
    formatter.write_dl(list(shared.items()))
    page = (
        "\n## Options of several commands\n\nAll commands but `sandbox` and `sql` have the first "
    )
    page += "three. The others are named after *And*.\n\n"
    page += f"```text\n{formatter.getvalue()}```\n"
    for path, command, context in commands:
        if isinstance(command, click.Group) and context.parent is not None:
            continue  # its commands follow
        page += f"\n## {path}\n\n{_links(path)}```text\n{_help(command, context, shared)}\n```\n"
    return {PAGE: filled(PAGE, BEGIN, "", page)}


def _records(command: click.Command, context: click.Context) -> dict[str, tuple[str, str]]:
    """Return the form and the help of each option, by its name in Python; without fields."""
    found = {}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        is_option = isinstance(parameter, click.Option)
        if is_option and record is not None and parameter.name is not None:
            found[parameter.name] = (record[0], record[1].partition(" NAME: ")[0])
    return found


def _help(command: click.Command, context: click.Context, shared: dict[str, str]) -> str:
    """Return the help of a command without examples, and without options described before."""
    others = []
    hidden = []
    for name, (form, text) in _records(command, context).items():
        if shared.get(form) == text or form.startswith("-h"):
            hidden.append(name)
            others.append(form.rpartition(", ")[2].partition(" ")[0])
    short = copy.copy(command)
    short.params = [each for each in command.params if each.name not in hidden]
    short.add_help_option = False
    formatter = context.make_formatter()
    short.format_usage(context, formatter)
    short.format_help_text(context, formatter)
    click.Command.format_options(short, context, formatter)  # not the commands of a group
    short.format_epilog(context, formatter)
    text = _EXAMPLES.sub("", formatter.getvalue()).rstrip("\n")
    others = [name for name in others if name not in ("--help", *_OF_RESULTS)]
    if not others:
        return text
    named = click.wrap_text(f"And: {', '.join(others)}.", _WIDTH, "  ", "  ")
    return f"{text}\n\n{named}"


def _links(path: str) -> str:
    """Return a line of links to a command's guide and to its functions in Python.

    The site resolves `<autoref>` and fails if there is no such name; other viewers show the name.
    """
    guide, *names = EQUIVALENTS[path]
    links = [f'<autoref identifier="{name}">`{name}`</autoref>' for name in names]
    if guide != PAGE.name:
        links.insert(0, f"[{guide.removesuffix('.md')}]({guide})")
    if not links:
        return ""
    return f"{', '.join(links)}\n\n"
