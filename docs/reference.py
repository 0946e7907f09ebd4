"""Write the help of every command into docs/commands.md, below its marker.

With `--check`, write nothing and exit 1 where the page is out of date.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from fdaa.cli.main import fdaa

PAGE = Path(__file__).with_name("commands.md")
MARKER = "<!-- From here on made by `python docs/reference.py`"


def reference() -> str:
    """Return the help of the group and of each of its commands, as Markdown."""
    top = click.Context(fdaa, info_name="fdaa", terminal_width=80, **fdaa.context_settings)
    pages = _pages(fdaa, top)
    return "".join(f"\n## {title}\n\n```text\n{text}\n```\n" for title, text in pages)


def _pages(command: click.Command, context: click.Context) -> list[tuple[str, str]]:
    """Return title and help of a command, and of those in it where it is a group."""
    pages = [(context.command_path, command.get_help(context))]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            each = command.get_command(context, name)
            below = click.Context(each, info_name=name, parent=context, terminal_width=80)
            pages += _pages(each, below)
    return pages


def main() -> int:
    """Bring the page up to date, or say that it is not."""
    old = PAGE.read_text(encoding="utf-8")
    written, marker, rest = old.partition(MARKER)
    new = written + marker + rest.partition("\n")[0] + "\n" + reference()
    if new == old:
        return 0
    if "--check" in sys.argv[1:]:
        print(f"{PAGE.name} is out of date: run python docs/reference.py", file=sys.stderr)
        return 1
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
