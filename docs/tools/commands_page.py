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
    from collections.abc import Iterator
    from pathlib import Path

PAGE = DOCS / "commands.md"
BEGIN = "<!-- From here on made by `docs/tools`; a test fails where it is out of date. -->\n"

# An option with the same help in so many commands is described once.
SEVERAL = 2


def pages() -> dict[Path, str]:
    """Return the page of commands, up to date."""
    return {PAGE: filled(PAGE, BEGIN, "", _reference())}


def _reference() -> str:
    """Return the help of the group and of each of its commands, as Markdown.

    Options of several commands are described once, before them; help in a terminal has them all.
    """
    top = fdaa.context_class(fdaa, info_name="fdaa", terminal_width=80, **fdaa.context_settings)
    commands = list(all_commands(fdaa, top))
    shared = _shared_options(commands)
    page = "\n## Options of several commands\n\nA command lists those that it has after *And*.\n\n"
    page += f"```text\n{_definitions(shared)}```\n"
    for path, command, context in commands:
        page += f"\n## {path}\n\n{_links(path)}\n\n"
        page += f"```text\n{_short_help(command, context, shared)}\n```\n"
    return page


def _options_of(
    command: click.Command, context: click.Context
) -> Iterator[tuple[click.Parameter, str, str]]:
    """Yield the options of a command: its form, and its help without its own fields."""
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1]:
            yield parameter, record[0], record[1].partition(" NAME: ")[0]


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
            others.append(form.rpartition(", ")[2].partition(" ")[0])
        else:
            own.append(parameter)
    if isinstance(command, click.Group) and context.parent is not None and not own:
        formatter = context.make_formatter()
        command.format_usage(context, formatter)
        command.format_help_text(context, formatter)
        return formatter.getvalue().rstrip("\n")  # its commands follow
    short = copy.copy(command)
    short.params = [each for each in command.params if each in own or not is_option(each)]
    short.add_help_option = False
    others.remove("--help")
    text = short.get_help(context)
    if not others:
        return text
    named = click.wrap_text(f"And: {', '.join(others)}.", 80, "  ", "  ")
    before, end, after = text.partition("\n\n  Example")
    return f"{before}\n\n{named}{end}{after}"


def is_option(parameter: click.Parameter) -> bool:
    """Return whether a parameter is an option, not an argument."""
    return isinstance(parameter, click.Option)


def _links(path: str) -> str:
    """Return a line of links to a command's guide and to its functions in Python.

    The site resolves `<autoref>` and fails if there is no such name; other viewers show the name.
    """
    guide, *names = EQUIVALENTS[path]
    links = ", ".join(f'<autoref identifier="{name}">`{name}`</autoref>' for name in names)
    name = guide.removesuffix(".md")
    return f"Guide: [{name}]({guide})." + (f" In Python: {links}." if links else "")
