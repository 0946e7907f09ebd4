"""`fdaa help`: the help of a command."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli._exit_status import YES
from fdaa.cli._group import LazyGroup
from fdaa.cli._render import paragraph
from fdaa.explain import SYMPTOMS

if TYPE_CHECKING:
    from collections.abc import Iterator

_SYMPTOMS = "symptoms"


def _complete(context: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the commands that complete a text, for a shell."""
    command, found = _find(context, tuple(context.params.get("names") or ()))
    if not isinstance(command, click.Group):
        return []
    return [name for name in command.list_commands(found) if name.startswith(incomplete)]


@click.command()
@click.argument("names", metavar="[COMMAND]...", nargs=-1, shell_complete=_complete)
@click.pass_context
def help(context: click.Context, names: tuple[str, ...]) -> int:  # noqa: A001 - the command's name
    """Show the help of a command, or the table of symptoms.

    symptoms is no command: it lists the words of failed connections, what each excludes, and what
    to do first.

    Examples:
      $ fdaa help reach
      $ fdaa help book learn
      $ fdaa help symptoms

    Exit status: 0 done, 2 no such command.
    """
    if names == (_SYMPTOMS,):
        sys.stdout.writelines(_describe_symptoms())
        return YES
    _, found = _find(context, names)
    click.echo(found.get_help())
    return YES


def _describe_symptoms() -> Iterator[str]:
    """Yield the symptoms, each with its words and what it means."""
    for symptom in SYMPTOMS:
        yield f"{symptom.name}\n"
        rows = (
            ("you see", ", ".join(symptom.words)),
            ("it means", symptom.meaning),
            ("not the cause", symptom.excludes),
            ("first", symptom.first),
        )
        for name, text in rows:
            yield paragraph(f"{name + ':':15}{text}", "  ")


def _find(context: click.Context, names: tuple[str, ...]) -> tuple[click.Command, click.Context]:
    """Return a command, and the context of its help.

    Raises:
        click.UsageError: there is no such command.
    """
    found = context.find_root()
    for name in names:
        group = found.command
        if not isinstance(group, click.Group):
            raise click.UsageError(f"{found.command_path} has no commands", found)
        command = group.get_command(found, name)
        if command is None and isinstance(group, LazyGroup):
            raise group.no_such_command(found, name)
        if command is None:
            raise click.NoSuchCommand(name, possibilities=group.list_commands(found), ctx=found)
        found = command.context_class(command, info_name=name, parent=found)
    return found.command, found
