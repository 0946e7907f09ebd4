"""docs/commands.md: the help of every command, with links to its guide and to Python."""

from __future__ import annotations

import copy
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
BEGIN = "<!-- From here on made by `docs/tools`. -->\n"

_WIDTH = 80
_OF_RESULTS = ("as_json", "fields", "quiet")  # nearly all commands have them
_INTRODUCTION = """
## Options of several commands

All commands but `sandbox` and `sql` have the first three. The others are named after *And*.

"""


def pages() -> dict[Path, str]:
    """Return the page: options of several commands, once, and then each command."""
    top = fdaa.context_class(fdaa, info_name="fdaa", terminal_width=_WIDTH, **fdaa.context_settings)
    commands = list(all_commands(fdaa, top))
    counts: Counter[tuple[str, str]] = Counter()
    for _, command, context in commands:
        counts.update(_records(command, context).values())
    shared: dict[str, str] = {}
    for (form, text), count in counts.most_common():
        if count > 1:
            shared.setdefault(form, text)
    formatter = click.HelpFormatter(width=_WIDTH)
    formatter.write_dl(list(shared.items()))
    page = f"{_INTRODUCTION}```text\n{formatter.getvalue()}```\n"
    for path, command, context in commands:
        if isinstance(command, click.Group):
            continue  # its commands follow
        page += f"\n## {path}\n\n{_links(path)}\n\n"
        page += f"```text\n{_help(command, context, shared)}\n```\n"
    return {PAGE: filled(PAGE, BEGIN, "", page)}


def _records(command: click.Command, context: click.Context) -> dict[str, tuple[str, str]]:
    """Return the form and the help of each option, by its name in Python; without fields."""
    found = {}
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record is not None and parameter.name:
            found[parameter.name] = (record[0], record[1].partition(" NAME: ")[0])
    return found


def _help(command: click.Command, context: click.Context, shared: dict[str, str]) -> str:
    """Return the help of a command without examples, and without options described before."""
    short = copy.copy(command)
    short.params = []
    short.add_help_option = False
    short.epilog = None  # the examples: the command's guide has more of them
    others = []
    records = _records(command, context)
    for parameter in command.params:
        form, text = records.get(parameter.name or "", ("", ""))
        if shared.get(form) != text:
            short.params.append(parameter)
        elif parameter.name not in _OF_RESULTS:
            others.append(parameter.opts[-1])
    formatter = context.make_formatter()
    short.format_usage(context, formatter)
    short.format_help_text(context, formatter)
    short.format_options(context, formatter)
    text = formatter.getvalue().rstrip("\n").removeprefix("Usage: ").replace(" [OPTIONS]", "", 1)
    if not others:
        return text
    named = click.wrap_text(f"And: {', '.join(others)}.", _WIDTH, "  ", "  ")
    return f"{text}\n\n{named}"


def _links(path: str) -> str:
    """Return a line of links to a command's guide and to its function in Python.

    The site resolves `<autoref>` and fails if there is no such name; other viewers show the name.
    """
    guide, name, *_ = EQUIVALENTS[path]
    link = f'<autoref identifier="{name}">`{name}`</autoref>'
    return f"[{guide.removesuffix('.md')}]({guide}), {link}"
