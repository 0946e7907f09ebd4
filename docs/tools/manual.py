"""Pages for `man`, one for each command, from its help.

    python docs/tools/manual.py DIR

writes them into DIR; docs/tools/build_hook.py puts them into the wheel.
"""

from __future__ import annotations

import inspect
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fdaa import __version__
from fdaa.cli.main import COMMANDS, fdaa

if TYPE_CHECKING:
    from collections.abc import Iterator

_OF_SANDBOX = ("sandbox run", "sandbox fault", "sandbox rotate")

# Variables that no option has: what each is, and the commands that read it.
_OTHER_VARIABLES = {
    "PLATFORM_PRIVATE_IP": (
        "This Machine's address; the platform sets it.",
        ("decode", "same", "reach", "probe", "whoami"),
    ),
    "FDAA_API_URL": ("The URL of the sandbox.", _OF_SANDBOX),
    "FDAA_API_TOKEN": (
        "The token for the platform's API.",
        ("apps", "whoami", "networks", "check", "reach", "whois", *_OF_SANDBOX),
    ),
    "FDAA_SECRET": (
        "The secret of pseudonyms; --secret-file wins over it.",
        ("scan",),
    ),
}

# The exit statuses of a command whose help does not have them.
_STATUSES = "0 yes or done, 1 no, 2 invalid input or usage, 3 unknown."


def manual() -> dict[str, str]:
    """Return a page of the manual for each command: its file's name, and its source for troff."""
    top = fdaa.context_class(fdaa, info_name="fdaa", **fdaa.context_settings)
    return {
        f"{page_of(path)}.1": _page(path, command, context)
        for path, command, context in all_commands(fdaa, top)
    }


def page_of(path: str) -> str:
    """Return the name of the page of a command."""
    return path.replace(" ", "-")


def all_commands(
    command: click.Command, context: click.Context
) -> Iterator[tuple[str, click.Command, click.Context]]:
    """Yield the path, the command and its context, of a command and of all below it."""
    yield context.command_path, command, context
    if isinstance(command, click.Group):
        in_order = [name for names in COMMANDS.values() for name in names]
        for name in in_order if command is fdaa else command.list_commands(context):
            each = command.get_command(context, name)
            assert each is not None, f"no command {name}"
            below = each.context_class(each, info_name=name, parent=context, terminal_width=80)
            yield from all_commands(each, below)


def _page(path: str, command: click.Command, context: click.Context) -> str:
    name = page_of(path)
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [
        f'.TH {name.upper()} 1 "{_date()}" "fdaa {__version__}" "User Commands"',
        ".ad l",
        ".SH NAME",
        f"{troff(name)} \\- {troff(command.get_short_help_str(200).rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {troff(path)}",
        troff(usage),
        ".SH DESCRIPTION",
        *_paragraphs(command.help or ""),
        ".SH OPTIONS",
        *_options(command, context),
    ]
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for below, each, _ in [*all_commands(command, context)][1:]:
            lines += [".TP", f".B {troff(below)}", troff(each.get_short_help_str(200))]
    lines += _end(command.epilog or "")
    lines += _environment(path, command)
    lines += _see_also(path, command, context)
    return "\n".join(lines) + "\n"


def _date() -> str:
    """Return the day of the build; SOURCE_DATE_EPOCH fixes it for a release."""
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1]:
            option, text = record
            yield from (".TP", f".B {troff(option)}", troff(" ".join(text.split())))


def _end(epilog: str) -> Iterator[str]:
    """Yield the examples and the exit statuses, each with a heading of its own."""
    examples, _, statuses = inspect.cleandoc(epilog).partition("Exit status: ")
    examples = examples.replace("Examples:\n", "").replace("Example:\n", "").rstrip()
    if examples:
        yield from (".SH EXAMPLES", *_paragraphs(examples))
    yield from (".SH EXIT STATUS", *_paragraphs(statuses or _STATUSES))


def _environment(path: str, command: click.Command) -> Iterator[str]:
    """Yield the variables that the command reads, each with the option that wins over it."""
    variables: dict[str, str] = {}
    for parameter in command.params:
        if isinstance(parameter.envvar, str):
            variables[parameter.envvar] = f"The option {parameter.opts[0]} wins over it."
    for variable, (text, names) in _OTHER_VARIABLES.items():
        words = path.removeprefix("fdaa ")
        if words in names or words.split()[0] in names:
            variables[variable] = text
    if not variables:
        return
    yield ".SH ENVIRONMENT"
    for variable, text in sorted(variables.items()):
        yield from (".TP", f".B {troff(variable)}", troff(text))


def _see_also(path: str, command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the pages of the group and its commands, and of the commands of the same section."""
    if isinstance(command, click.Group):
        near = [below for below, _, _ in all_commands(command, context)]
    else:
        group, _, name = path.rpartition(" ")
        near = [group]
        for names in COMMANDS.values():
            if group == "fdaa" and name in names:
                near.extend(f"fdaa {each}" for each in names)
    pages = [f"{page_of(each)}(1)" for each in near if each != path]
    yield from (".SH SEE ALSO", troff(", ".join(pages)))


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text; those that click prints as they are stay so."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        yield ".PP"
        lines = [troff(line) for line in paragraph.removeprefix("\b\n").splitlines()]
        if paragraph.startswith("\b\n"):
            lines = [".nf", *lines, ".fi"]
        yield from lines


def troff(text: str) -> str:
    """Return a line of text in which troff sees no request and no escape."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    if text.startswith((".", "'")):
        return rf"\&{text}"
    return text


if __name__ == "__main__":
    for file, source in manual().items():
        Path(sys.argv[1], file).write_text(source, encoding="utf-8")
