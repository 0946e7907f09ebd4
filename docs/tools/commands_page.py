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
    from collections.abc import Iterator
    from pathlib import Path

PAGE = DOCS / "commands.md"
BEGIN = "<!-- From here on made by `docs/tools`; a test fails where it is out of date. -->\n"

_REQUIRED = "  [required]"

# An option with the same help in so many commands is described once.
SEVERAL = 2

# The first example, with its continued lines, and the others.
_EXAMPLES = re.compile(r"  Examples:\n(    \$ .*(?:\n      .*)*)(?:\n    .*)*")


def pages() -> dict[Path, str]:
    """Return the page of commands, up to date."""
    return {PAGE: filled(PAGE, BEGIN, "", _reference())}


def _reference() -> str:
    """Return the help of the group and of each of its commands, as Markdown.

    Options of several commands are described once, before them, and a command has one example. Help
    in a terminal has them all.
    """
    top = fdaa.context_class(fdaa, info_name="fdaa", terminal_width=80, **fdaa.context_settings)
    commands = list(all_commands(fdaa, top))
    shared = _shared_options(commands)
    page = "\n## Options of several commands\n\nThe help of a command names them after *And*.\n\n"
    page += f"```text\n{_definitions(shared)}```\n"
    for path, command, context in commands:
        page += f"\n## {path}\n\n"
        links = _links(path)
        if links:
            page += f"{links}\n\n"
        page += f"```text\n{_short_help(command, context, shared)}\n```\n"
    return page


def _options_of(
    command: click.Command, context: click.Context
) -> Iterator[tuple[click.Parameter, str, str]]:
    """Yield the options of a command: its form, and its help without its own fields."""
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1]:
            text = record[1].partition(" NAME: ")[0]
            yield parameter, record[0], text.removesuffix(_REQUIRED)


def _shared_options(
    commands: list[tuple[str, click.Command, click.Context]],
) -> dict[str, str]:
    """Return the options that several commands have with the same help."""
    seen: Counter[tuple[str, str]] = Counter()
    for _, command, context in commands:
        seen.update((form, text) for _, form, text in _options_of(command, context))
    shared: dict[str, str] = {}
    for (form, text), number in seen.most_common():
        if number >= SEVERAL:
            shared.setdefault(form, text)
    return shared


def _definitions(options: dict[str, str]) -> str:
    """Return options with their help, as click lays them out."""
    formatter = click.HelpFormatter(width=80)
    formatter.write_dl(list(options.items()))
    return formatter.getvalue()


def _short_help(command: click.Command, context: click.Context, shared: dict[str, str]) -> str:
    """Return the help of a command without the shared options, which it only names."""
    own = []
    others = []
    for parameter, form, text in _options_of(command, context):
        if shared.get(form) == text:
            name = form.rpartition(", ")[2].partition(" ")[0]
            others.append(f"{name} (required)" if parameter.required else name)
        else:
            own.append(parameter)
    short = copy.copy(command)
    short.params = [each for each in command.params if each in own or not is_option(each)]
    short.add_help_option = False
    if isinstance(command, click.Group) and not own:
        short.epilog = None  # its commands have examples
    others.remove("--help")
    text = _EXAMPLES.sub(r"  Example:\n\1", _help_without_commands(short, context))
    if not others:
        return text
    named = click.wrap_text(f"And: {', '.join(others)}.", 80, "  ", "  ")
    before, end, after = text.partition("\n\n  Example")
    return f"{before}\n\n{named}{end}{after}"


def _help_without_commands(command: click.Command, context: click.Context) -> str:
    """Return the help of a command; the commands of a group follow on the page."""
    formatter = context.make_formatter()
    command.format_usage(context, formatter)
    command.format_help_text(context, formatter)
    click.Command.format_options(command, context, formatter)
    command.format_epilog(context, formatter)
    return formatter.getvalue().rstrip("\n")


def is_option(parameter: click.Parameter) -> bool:
    """Return whether a parameter is an option, not an argument."""
    return isinstance(parameter, click.Option)


def _links(path: str) -> str:
    """Return a line of links to a command's guide and to its functions in Python.

    The site resolves `<autoref>` and fails if there is no such name; other viewers show the name.
    """
    guide, *names = EQUIVALENTS[path]
    links = [f'<autoref identifier="{name}">`{name}`</autoref>' for name in names]
    if guide != PAGE.name:
        links.insert(0, f"[{guide.removesuffix('.md')}]({guide})")
    return ", ".join(links)
