"""`fdaa help`: the help of a command, or the table of symptoms."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli._layout import paragraph
from fdaa.cli._statuses import YES
from fdaa.cli.main import LazyGroup

if TYPE_CHECKING:
    from collections.abc import Iterator

_SYMPTOMS = "symptoms"
_LABEL = 15  # columns of the label of a row


def _complete_command(context: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the commands that complete a text, for a shell."""
    command, found = _find(context, tuple(context.params.get("names") or ()))
    if not isinstance(command, click.Group):
        return []
    return [name for name in command.list_commands(found) if name.startswith(incomplete)]


@click.command()
@click.argument("names", metavar="[COMMAND]...", nargs=-1, shell_complete=_complete_command)
@click.pass_context
def help(context: click.Context, names: tuple[str, ...]) -> int:  # noqa: A001 - the command's name
    """Show the help of a command, or the table of symptoms.

    `symptoms` lists the words of failed connections, what they mean, and their likeliest causes.

    Examples:
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
    """Yield the words that are known, each with what they mean, and the likeliest causes."""
    from fdaa.explain._symptoms import explain_words  # late: no other help needs it

    for row in explain_words():
        yield f"{row.evidence.replace('-', ' ')}\n"
        rows = [("you see", ", ".join(row.words)), ("it means", row.meaning)]
        rows.extend(("cause", text) for _, text in row.causes)
        for name, text in rows:
            yield paragraph(f"{name + ':':{_LABEL}}{text}", "  ", " " * _LABEL)


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
