"""The options that several commands have."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from fdaa._errors import FdaaError
from fdaa.cli._book_names import BOOK_VARIABLE, open_book
from fdaa.cli._exit_status import CommandError
from fdaa.cli._render import COLOR
from fdaa.cli._streams import QUIET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fdaa.networks import Book

complete_file = click.Path().shell_complete
complete_directory = click.Path(file_okay=False).shell_complete

# A shell inserts a completion into the line that is being typed. These names mean themselves there,
# and none of them is an option.
_OFFERED = re.compile(r"[A-Za-z0-9_.:][A-Za-z0-9_.:-]*")


def offered(names: Iterable[str], incomplete: str) -> list[str]:
    """Return the names from documents and books that complete a text, for a shell.

    A name with any other character than letters, digits, `-`, `_`, `.` and `:` is left out, and so
    is one that begins with a dash.
    """
    safe = filter(_OFFERED.fullmatch, names)
    return sorted(name for name in safe if name.startswith(incomplete))


def typed_book(context: click.Context) -> Book | None:
    """Return the book that is given in a line being completed; a pipe would never end.

    Raises:
        FdaaError: it cannot be used.
    """
    file = context.params.get("book_file")
    if file is None or not os.path.isfile(file):  # noqa: PTH113 - Path's own raises for some names
        return None
    return open_book(file)


def complete_network(context: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the names of networks in the given book that complete a text, for a shell."""
    with suppress(FdaaError, CommandError):
        book = typed_book(context)
        if book is not None:
            return offered(book, incomplete)
    return []


def _keep_quiet(context: click.Context, _parameter: click.Parameter, quiet: bool) -> bool:
    context.meta[QUIET] = quiet
    return quiet


quiet_option = click.option(
    "quiet",
    "-q",
    "--quiet",
    is_flag=True,
    callback=_keep_quiet,
    help="Print no results, only errors; use the exit status.",
)


def _keep_color(context: click.Context, _parameter: click.Parameter, when: str) -> None:
    context.meta[COLOR] = when


color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    expose_value=False,
    callback=_keep_color,
    help="Colour the output.  [default: auto: only on a terminal; see NO_COLOR, FORCE_COLOR]",
)


def book_option(
    text: str = "Use the network names in this book.", **more: Any
) -> Callable[..., Any]:
    """Return the option that names a book."""
    text = f"{text}  [env: {BOOK_VARIABLE}]"
    more |= {"help": text, "shell_complete": complete_file}
    return click.option("book_file", "--book", metavar="FILE", envvar=BOOK_VARIABLE, **more)
