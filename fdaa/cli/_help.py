"""The format of help: examples below the options, and commands that fit the terminal."""

from __future__ import annotations

import inspect
import re

import click


class _HelpFormatter(click.HelpFormatter):
    """Writes help whose examples fit the terminal: long commands continue after a backslash."""

    def write_text(self, text: str) -> None:
        """Write prose and examples."""
        super().write_text("\n".join(map(self._fitting, text.splitlines())))

    def _fitting(self, line: str) -> str:
        room = self.width - self.current_indent
        if not line.startswith("  ") or len(line) <= room:  # prose, which click wraps
            return line
        if not line.startswith("  $ "):
            return click.wrap_text(line.strip(), room, "  ", "    ")
        lines = ["  $"]
        for word in re.findall(r"""'[^']*'|"[^"]*"|\S+""", line)[1:]:
            if len(f"{lines[-1]} {word} \\") > room:
                lines.append("     ")
            lines[-1] += f" {word}"
        return " \\\n".join(lines)


class HelpContext(click.Context):
    """The context of our commands, whose help has our format."""

    formatter_class = _HelpFormatter


def prepare_help(command: click.Command) -> None:
    """Give the help of a command our format: its examples stand below its options."""
    command.context_class = HelpContext
    text, examples, rest = inspect.cleandoc(command.help or "").partition("\n\nExample")
    command.help = _as_it_is(text)
    command.epilog = _as_it_is((examples + rest).strip())
    for below in getattr(command, "commands", {}).values():
        prepare_help(below)


def _as_it_is(text: str) -> str:
    """Mark the indented lines after a line with a colon: click prints them as they are."""
    return re.sub(r"(?m)^(?=.+:\n  )", "\b\n", text)
