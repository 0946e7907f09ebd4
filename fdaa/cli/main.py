"""The group of all commands, which are loaded when needed; no fault ends in a traceback."""

from __future__ import annotations

import inspect
import os
import signal
import sys
from importlib import import_module
from typing import Any, NoReturn

import click

from fdaa import __version__
from fdaa._support.escapes import quote
from fdaa._support.suggestions import did_you_mean
from fdaa._values.errors import FdaaError
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

# Each is the object of its name in a module of its name; `--help` lists them in this order.
COMMANDS = (
    "explain",
    "decode",
    "same",
    "build",
    "scan",
    "networks",
    "reach",
    "probe",
    "check",
    "whoami",
    "token",
    "verify",
    "apps",
    "sandbox",
    "sql",
)
_OWN_OPTIONS = ("-h", "--help", "-V", "--version")
_DOCUMENTS = ("-d", "--documents", "--org")


class _Commands(click.Group):
    """Commands that return their exit status; any other text is explained."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            module = import_module(f"fdaa.cli.commands.{cmd_name}")
            self.add_command(_with_examples(getattr(module, cmd_name)), cmd_name)
        return super().get_command(ctx, cmd_name)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands only: the help names the options, and so fits on one screen."""
        self.format_commands(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; an option before a text is one of `explain`: `fdaa --json TEXT`."""
        if args and args[0] in _OWN_OPTIONS:
            return super().parse_args(ctx, args[:1])  # it ends the command: no other is read
        if not args or not args[0].startswith("-") or args[0] in ("-", "--"):
            return super().parse_args(ctx, args)
        explain = self.get_command(ctx, "explain")
        if explain is not None and not ctx.resilient_parsing:
            parsed, _, _ = explain.make_parser(ctx).parse_args(list(args))
            texts = parsed["texts"]
            if isinstance(texts, tuple) and len(texts) > 1 and texts[0] in COMMANDS:
                raise click.UsageError(f"put options after the command: fdaa {texts[0]} {args[0]}")
        return super().parse_args(ctx, ["explain", *args])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the first argument; `explain` for any text but a lone word.

        A word may be a misspelled command. It is explained if there are documents.
        """
        first = args[0]
        if first in COMMANDS or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from fdaa._values.hosts import is_name  # late: `scan` does not need them
        from fdaa.cli._documents import VARIABLE

        if is_name(first) and first != "self":
            hint = did_you_mean(first, COMMANDS)
            are_given = any(each.startswith(_DOCUMENTS) for each in args[1:])
            if hint or not (are_given or os.environ.get(VARIABLE)):
                hint = hint or (
                    "; see fdaa --help. Put an error line in quotes; for an app, add -d PATH"
                )
                raise click.NoSuchCommand(first, f"no such command: {quote(first)}{hint}", ctx=ctx)
        explain = ["explain"]
        if first.startswith("-") and first != "-":
            explain.append("--")
        return super().resolve_command(ctx, explain + args)

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
            message = str(error)
            status = error.status
        except click.exceptions.NoArgsIsHelpError as error:
            write_error(error.format_message())
        except click.UsageError as error:
            message = error.format_message().replace("\n\t", " ")  # click lists choices on lines
            if isinstance(error, click.NoSuchOption) and not error.possibilities:
                message += " Put -- before a text that begins with a dash."
            if error.ctx is not None:
                usage = f"{error.ctx.get_usage()}\n"
        except FdaaError as error:
            report(error)
        except MemoryError:  # reported below, when its memory is free
            message = "not enough memory"
            status = UNKNOWN
        except (KeyboardInterrupt, click.Abort):
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one changes nothing
            status = INTERRUPTED
        except OSError as error:  # whatever reads or opens files reports its own errors by name
            discard(sys.stdout)
            status = WRONG
            message = f"standard output: {error.strerror or error}"
        except Exception as error:  # a fault of fdaa: status 1 would be a result
            message = f"internal error: {_fault(error)}"
            status = UNKNOWN
        if message:
            complain(message, before=usage)
        sys.exit(status)


def _with_examples(command: click.Command) -> click.Command:
    """Move the examples of a command's help below its options; click wraps none of them."""
    text, _, examples = inspect.cleandoc(command.help or "").partition("\n\nExamples:\n")
    command.help = text.replace("\n\nFiles:\n", "\n\n\b\nFiles:\n")
    if examples:
        command.epilog = f"\b\nExamples:\n{examples}".replace("\n\n", "\n\n\b\n")
    for below in getattr(command, "commands", {}).values():
        _with_examples(below)
    return command


def _fault(error: Exception) -> str:
    """Return an unexpected error, and the line of code that raised it."""
    import traceback  # late: only a fault of fdaa needs it

    *_, last = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__}: {error} ({last.filename}, line {last.lineno})"


@click.group(
    cls=_Commands,
    subcommand_metavar="TEXT | COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(
    __version__, "-V", "--version", prog_name="fdaa", message="%(prog)s %(version)s"
)
def fdaa() -> None:
    """Find and compare private addresses (fdaa::/16); explain failed connections.

    \b
    TEXT is an error line, an address or a host. fdaa TEXT is short for
    fdaa explain TEXT and takes the same options. -V prints the version.
    Exit status: 0 yes or done, 1 no, 2 invalid input, 3 unknown.
    """  # noqa: D301 - click's mark of lines that stay as they are
