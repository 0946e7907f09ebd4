"""The group of commands as click runs it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from fdaa.cli._streams import WRONG, CommandError, complain, finish

if TYPE_CHECKING:
    from collections.abc import Mapping


class LazyGroup(click.Group):
    """A group whose commands return their exit status, and that never ends in a traceback."""

    def __init__(self, *args: Any, lazy: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lazy = lazy  # name of a command -> "module:object"

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, whether they are loaded or not."""
        return sorted(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported when it is first asked for."""
        if cmd_name in self._lazy and cmd_name not in self.commands:
            module, _, attribute = self._lazy[cmd_name].partition(":")
            self.add_command(getattr(import_module(module), attribute), cmd_name)
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is asked for; one that is not there is told with its like."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:  # it has compared loaded commands only
            names = self.list_commands(ctx)
            raise click.exceptions.NoSuchCommand(
                error.command_name, possibilities=names, ctx=ctx
            ) from None

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Run and exit, see `finish`."""
        kwargs["standalone_mode"] = False

        def run() -> int | None:
            try:
                status: int | None = super(LazyGroup, self).main(*args, **kwargs)
            except click.exceptions.NoArgsIsHelpError as error:
                click.echo(error.format_message(), err=True)
                return WRONG
            except click.UsageError as error:
                usage = error.ctx.get_usage() + "\n" if error.ctx else ""
                complain(f"{error.format_message()}", before=usage)
                return WRONG
            except click.ClickException as error:
                raise CommandError(error.format_message()) from None
            except click.Abort:
                raise KeyboardInterrupt from None
            return status

        finish(run)
