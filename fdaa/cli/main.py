"""The group of all commands, which are loaded when needed; no fault ends in a traceback."""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from fdaa import __version__
from fdaa._support.escapes import inline, quote
from fdaa._values.errors import FdaaError, InputError
from fdaa.cli._help import HelpContext, prepare_help
from fdaa.cli._layout import command_line
from fdaa.cli._options import HOW_TO_MAKE
from fdaa.cli._statuses import INTERRUPTED, UNKNOWN, WRONG, YES, CommandError
from fdaa.cli._streams import complain, discard, report, write_error

if TYPE_CHECKING:
    from collections.abc import Mapping

COMPLETE_VARIABLE = "_FDAA_COMPLETE"  # set by the script of a shell that asks for completions


class LazyGroup(click.Group):
    """A group whose commands return their exit status.

    Args:
        sections: what `--help` lists: the title of each section, and the commands in it.
    """

    context_class: type[click.Context] = HelpContext

    def __init__(self, *args: Any, sections: Mapping[str, tuple[str, ...]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        prepare_help(self)
        self._sections = sections
        self._names: list[str] = []
        for names in sections.values():
            self._names.extend(names)
        self._names.sort()

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names of all commands, whether they are loaded or not."""
        return self._names

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, which is imported on first use."""
        if cmd_name in self._names and cmd_name not in self.commands:
            module = import_module(f"fdaa.cli.commands.{cmd_name}")
            self.add_command(getattr(module, cmd_name), cmd_name)
        return super().get_command(ctx, cmd_name)

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command, with help in our format."""
        super().add_command(cmd, name)
        prepare_help(cmd)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first argument asks for; other text is explained.

        A name may be a misspelled command. It is explained if documents follow.
        """
        name = args[0]
        if name not in self._names:
            from fdaa._values.ends import SELF  # late: they take a tenth of the start of `scan`
            from fdaa._values.hosts import is_name

            if is_name(name) and name != SELF:
                otherwise = " Put a pasted line in quotes."
                if len(args) == 1:
                    calls = f"{command_line('whois', name)}, {command_line('reach', SELF, name)}"
                    otherwise = f" If {inline(name)} is an app: {calls}"
                has_documents = args[1:] and args[1].startswith(_DOCUMENTS)
                if not has_documents or self._did_you_mean(ctx, name):
                    raise self.no_such_command(ctx, name, otherwise)
            explain = ["explain"]
            if name.startswith("-") and name != "-":
                explain.append("--")
            args = explain + args
        return super().resolve_command(ctx, args)

    def no_such_command(
        self, ctx: click.Context, name: str, otherwise: str = ""
    ) -> click.NoSuchCommand:
        """Return the error for a word that is no command, with those that may be meant.

        Args:
            ctx: the context of this group.
            name: the word.
            otherwise: the end of the message if there are none.
        """
        end = self._did_you_mean(ctx, name) or otherwise
        return click.NoSuchCommand(name, f"No such command {quote(name)}.{end}", ctx=ctx)

    def _did_you_mean(self, ctx: click.Context, name: str) -> str:
        """Return the commands with a name below others (`check name`), or the nearest ones."""
        from difflib import get_close_matches  # late: only for what is no command

        meant = []
        for first in self._names:
            command = self.get_command(ctx, first)
            if isinstance(command, click.Group) and name in command.commands:
                meant.append(f"'{first} {name}'")
        if not meant:
            meant = [f"'{near}'" for near in get_close_matches(name, self._names)]
        if not meant:
            return ""
        return f" Did you mean {' or '.join(meant)}?"

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, and the options below them."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands of each section, with the first sentence of their help."""
        limit = formatter.width - 6 - max(map(len, self._names))
        for title, names in self._sections.items():
            rows = []
            for name in names:
                command = self.get_command(ctx, name)
                if command is not None:
                    rows.append((name, command.get_short_help_str(limit)))
            with formatter.section(title):
                formatter.write_dl(rows)

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Run the command and exit with its status.

        That is 2 after an error, 3 after an internal one or without memory, and 130 after Ctrl-C.
        """
        usage = ""
        message = ""
        status = WRONG
        try:
            status = self._run(*args, **kwargs)
        except CommandError as error:
            message = str(error)
            status = error.status
        except click.exceptions.NoArgsIsHelpError as error:
            write_error(error.format_message())
        except click.UsageError as error:
            message = _message(error)
            if error.ctx is not None:
                usage = error.ctx.get_usage() + "\n"
        except InputError as error:
            report(error)
        except FdaaError as error:
            message = str(error)
        except MemoryError:  # reported below, when its memory is free
            message = "not enough memory"
            status = UNKNOWN
        except (KeyboardInterrupt, click.Abort):
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one changes nothing
            status = INTERRUPTED
        except OSError as error:
            # Standard output: whatever reads or opens files reports its own errors by name.
            discard(sys.stdout)
            message = f"standard output: {error.strerror or error}"
        except Exception as error:  # a fault of fdaa: status 1 would be a result
            message = f"internal error: {_fault(error)}"
            status = UNKNOWN
        if message and COMPLETE_VARIABLE not in os.environ:  # not into the line being typed
            complain(message, before=usage)
        sys.exit(status)

    def _run(self, *args: Any, **kwargs: Any) -> int:
        """Run the command, and return its status when its output is written."""
        if sys.stdout is None:
            raise CommandError("standard output is closed")
        if COMPLETE_VARIABLE in os.environ:
            self.get_command(click.Context(self), "completion")  # it has the shells' classes
        kwargs["standalone_mode"] = False
        status: int = super().main(*args, **kwargs) or YES
        sys.stdout.flush()
        return status


def _fault(error: Exception) -> str:
    """Return an unexpected error, and the line of code that raised it."""
    place = ""
    raised = error.__traceback__
    while raised is not None:
        place = f"{raised.tb_frame.f_code.co_filename}, line {raised.tb_lineno}"
        raised = raised.tb_next
    return f"{type(error).__name__}: {error} ({place})"


def _message(error: click.UsageError) -> str:
    message = error.format_message().replace("\n\t", " ")  # click lists choices on lines
    if isinstance(error, click.NoSuchOption):
        if _is_option_of_lines(error):
            name = error.option_name
            return f"Put {name} after the text or the command: fdaa TEXT {name}"
        command = error.ctx.info_name if error.ctx is not None else None
        if error.option_name in _DOCUMENTS and command in _INSTEAD_OF_DOCUMENTS:
            return f"No such option '{error.option_name}'. {_INSTEAD_OF_DOCUMENTS[command]}"
        if not error.possibilities:
            message += _instead_of_option(error.ctx)
    return message


_DOCUMENTS = ("--apps", "--machines", "--addresses", "--org", "--book")
# Commands that read no documents -> what to do about them.
_INSTEAD_OF_DOCUMENTS = {
    "decode": "With documents: fdaa explain TEXT",
    "same": "With documents: fdaa reach SOURCE TARGET",
    "scan": f"Its names come from a book: --book FILE; {HOW_TO_MAKE}.",
}


def _is_option_of_lines(error: click.NoSuchOption) -> bool:
    """Return whether an option before a text stands after it: `fdaa TEXT --json`."""
    context = error.ctx
    if context is None or context.parent is not None or not isinstance(context.command, LazyGroup):
        return False
    explain = context.command.get_command(context, "explain")
    return explain is not None and any(error.option_name in each.opts for each in explain.params)


def _instead_of_option(context: click.Context | None) -> str:
    """Return the end of the message for an unknown option: what may be meant."""
    if context is not None and context.parent is not None:
        group = context.command
        if isinstance(group, click.Group):  # its commands have the options
            *names, last = [f"{group.name} {name}" for name in group.list_commands(context)]
            return f" Use {', '.join(names)} or {last}."
    return " (put -- before a text that begins with a dash)"


# --- the commands ---------------------------------------------------------------------------------

# Section of `fdaa --help` -> commands; each is the object of its name in a module of its name.
COMMANDS = {
    "Addresses": ("explain", "decode", "same", "whois", "scan"),
    "Networks": ("reach", "probe", "networks", "book", "check"),
    "Inside a Machine, and the live platform": ("whoami", "token", "verify", "apps", "sandbox"),
    "More": ("help", "build", "completion", "sql"),
}

_HELP = """Find, decode and compare the platform's private addresses (fdaa::/16), and explain why
apps cannot connect.

TEXT is any text, such as an error line: fdaa TEXT is fdaa explain TEXT.

For example:
  $ fdaa 'dial tcp [fdaa:2:45b::3]:5432: i/o timeout'
  $ fdaa fdaa:2:45b:a7b:174:db43:d3c6:2

Exit status: 0 yes or done, 1 no, 2 invalid input or usage, 3 unknown.
"""


@click.group(
    help=_HELP,
    cls=LazyGroup,
    sections=COMMANDS,
    subcommand_metavar="TEXT | COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(
    __version__, "-V", "--version", prog_name="fdaa", message="%(prog)s %(version)s"
)
def fdaa() -> None:
    """Dispatch to a command."""
