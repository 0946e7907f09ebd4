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
from fdaa.cli.main import fdaa

if TYPE_CHECKING:
    from collections.abc import Iterator


def manual() -> dict[str, str]:
    """Return a page of the manual for each command: its file's name, and its source for troff."""
    top = click.Context(fdaa, info_name="fdaa", **fdaa.context_settings)
    pages = {}
    for path, command, context in all_commands(fdaa, top):
        name = path.replace(" ", "-")
        pages[f"{name}.1"] = "\n".join(_page(name, path, command, context)) + "\n"
    return pages


def all_commands(
    command: click.Command, context: click.Context
) -> Iterator[tuple[str, click.Command, click.Context]]:
    """Yield the path, the command and its context, of a command and of all below it."""
    yield context.command_path, command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            each = command.get_command(context, name)
            assert each is not None, f"no command {name}"
            settings = {**each.context_settings, "terminal_width": 80}
            below = click.Context(each, info_name=name, parent=context, **settings)
            yield from all_commands(each, below)


def _page(name: str, path: str, command: click.Command, context: click.Context) -> Iterator[str]:
    # SOURCE_DATE_EPOCH fixes the day for a release.
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    day = time.strftime("%Y-%m-%d", time.gmtime(seconds))
    yield f'.TH {name.upper()} 1 "{day}" "fdaa {__version__}" "User Commands"'
    yield from (".ad l", ".SH NAME")
    yield f"{troff(name)} \\- {troff(command.get_short_help_str(200).rstrip('.'))}"
    yield from (".SH SYNOPSIS", f".B {troff(path)}")
    yield troff(" ".join(command.collect_usage_pieces(context)))
    yield ".SH DESCRIPTION"
    yield from _paragraphs(command.help or "")
    yield ".SH OPTIONS"
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1]:
            yield from (".TP", f".B {troff(record[0])}", troff(" ".join(record[1].split())))
    below = [*all_commands(command, context)][1:]
    if below:
        yield ".SH COMMANDS"
    for each_path, each, _ in below:
        yield from (".TP", f".B {troff(each_path)}", troff(each.get_short_help_str(200)))
    if command.epilog:
        yield ".SH EXAMPLES"
        yield from _paragraphs(command.epilog.replace("Examples:\n", ""))
    yield from (".SH SEE ALSO", "fdaa(1)")


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
