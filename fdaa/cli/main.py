"""The group of all commands, which are loaded when needed; no fault ends in a traceback."""

from __future__ import annotations

import inspect
import signal
import sys
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn

import click

from fdaa import __version__
from fdaa._support.escapes import quote
from fdaa._values.errors import FdaaError, InputError
from fdaa.cli._output import (
    INTERRUPTED,
    UNKNOWN,
    WRONG,
    YES,
    CommandError,
    complain,
    discard,
    report,
    write_error,
)


def _with_examples(command: click.Command) -> click.Command:
    """Move the examples of a command's help below its options; click wraps none of them."""
    text, _, examples = inspect.cleandoc(command.help or "").partition("\n\nExamples:\n")
    command.help = text.replace("\n\nFiles:\n", "\n\n\b\nFiles:\n")
    command.epilog = f"\b\nExamples:\n{examples}".replace("\n\n", "\n\n\b\n") if examples else None
    for below in getattr(command, "commands", {}).values():
        _with_examples(below)
    return command


class _Commands(click.Group):
    """Commands that return their exit status; any other text is explained."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return [name for names in COMMANDS.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        if cmd_name not in self.commands:
            module = import_module(f"fdaa.cli.commands.{cmd_name}")
            self.add_command(_with_examples(getattr(module, cmd_name)), cmd_name)
        return self.commands[cmd_name]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the first argument; `explain` for any text but a lone word."""
        first = args[0]
        if first not in self.list_commands(ctx):
            from fdaa._values.hosts import is_name  # late: `scan` does not need it

            has_documents = args[1:] and args[1].startswith(("-d", "--documents", "--org"))
            if is_name(first) and first != "self" and not has_documents:
                near = get_close_matches(first, self.list_commands(ctx), 1)
                hint = (
                    f"Did you mean {near[0]}?"
                    if near
                    else "If it is an app: fdaa decode APP -d PATH"
                )
                raise click.NoSuchCommand(first, f"No such command {quote(first)}. {hint}", ctx=ctx)
            args = ["explain", *(["--"] if first[:1] == "-" != first else []), *args]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands of each section, with the first sentence of their help."""
        for title, names in COMMANDS.items():
            with formatter.section(title):
                rows = []
                for name in names:
                    command = self.get_command(ctx, name)
                    if command is not None:
                        rows.append((name, command.get_short_help_str(formatter.width - 16)))
                formatter.write_dl(rows)

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Run the command and exit with its status.

        That is 2 after an error, 3 after an internal one or without memory, and 130 after Ctrl-C.
        """
        message = usage = ""
        status = WRONG
        try:
            if sys.stdout is None:
                raise CommandError("standard output is closed")
            kwargs["standalone_mode"] = False
            status = super().main(*args, **kwargs) or YES
            sys.stdout.flush()
        except CommandError as error:
            message, status = str(error), error.status
        except click.exceptions.NoArgsIsHelpError as error:
            write_error(error.format_message())
        except click.UsageError as error:
            message = error.format_message().replace("\n\t", " ")
            usage = f"{error.ctx.get_usage()}\n" if error.ctx is not None else ""
        except InputError as error:
            report(error)
        except FdaaError as error:
            message = str(error)
        except MemoryError:
            message, status = "not enough memory", UNKNOWN
        except (KeyboardInterrupt, click.Abort):
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one changes nothing
            status = INTERRUPTED
        except OSError as error:  # whatever reads or opens files reports its own errors by name
            discard(sys.stdout)
            status = WRONG
            message = f"standard output: {error.strerror or error}"
        except Exception as error:  # a fault of fdaa: status 1 would be a result
            message, status = f"internal error: {_fault(error)}", UNKNOWN
        if message:
            complain(message, before=usage)
        sys.exit(status)


def _fault(error: Exception) -> str:
    """Return an unexpected error, and the line of code that raised it."""
    place = ""
    raised = error.__traceback__
    while raised is not None:
        place = f"{raised.tb_frame.f_code.co_filename}, line {raised.tb_lineno}"
        raised = raised.tb_next
    return f"{type(error).__name__}: {error} ({place})"


# Section of `fdaa --help` -> commands; each is the object of its name in a module of its name.
COMMANDS = {
    "Addresses": ("explain", "decode", "same", "build", "scan"),
    "Networks": ("reach", "probe", "networks", "check"),
    "The live platform": ("whoami", "token", "verify", "apps", "sandbox"),
    "Databases": ("sql",),
}


@click.group(
    cls=_Commands,
    subcommand_metavar="TEXT | COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(
    __version__, "-V", "--version", prog_name="fdaa", message="%(prog)s %(version)s"
)
def fdaa() -> None:
    """Find and compare the platform's private addresses; explain why apps cannot connect.

    TEXT is any text, such as an error line: fdaa TEXT is fdaa explain TEXT.

    Exit status: 0 yes or done, 1 no, 2 invalid input or usage, 3 unknown.

    Examples:
      $ fdaa 'dial tcp [fdaa:2:45b::3]:5432: i/o timeout'
      $ fdaa decode fdaa:2:45b:a7b:174:db43:d3c6:2
      $ eval "$(_FDAA_COMPLETE=bash_source fdaa)"
    """


_with_examples(fdaa)
