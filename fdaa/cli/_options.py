"""The options that several commands have, and the book that one of them names."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from fdaa._support.escapes import quote
from fdaa._values.address import NetworkID
from fdaa._values.errors import FdaaError
from fdaa.cli._records import NETWORK_NAME
from fdaa.cli._statuses import CommandError
from fdaa.cli._streams import QUIET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fdaa.cli._records import Records
    from fdaa.networks import Book


class _FileName(click.Path):
    """The name of a file. An empty one is refused: it comes from a variable that is not set."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name as it was given."""
        if not value:
            self.fail("the name of the file is empty", param, ctx)
        return str(value)


FILE = _FileName()
DIRECTORY = _FileName(file_okay=False)

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


def read_network(text: str) -> str | NetworkID:
    """Return the name or the ID of a network; `network:` may stand before it.

    A name starts with a letter and has no colon, unlike every form of an ID: no guessing.

    Raises:
        NetworkIDError: it is neither.
    """
    from fdaa._values.hosts import is_name  # late: it takes a tenth of the start of `scan`

    text = text.removeprefix("network:")
    return text if is_name(text) else NetworkID(text)


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


def book_option(*, required: bool = False) -> Callable[..., Any]:
    """Return the option that names a book."""
    return click.option(
        "book_file",
        "--book",
        metavar="FILE",
        type=FILE,
        required=required,
        envvar=BOOK_VARIABLE,
        help=f"The book of network names.  [env: {BOOK_VARIABLE}]",
    )


# --- books ----------------------------------------------------------------------------------------

BOOK_VARIABLE = "FDAA_BOOK"
HOW_TO_MAKE = "`fdaa book learn` creates it from --apps and --machines"


def open_book(file: str | None) -> Book | None:
    """Return the book in a file, or None where no file is given."""
    if file is None:
        return None
    return load_book(file)


def book_for(records: Records, book_file: str | None) -> Book | None:
    """Return the book in a file, or None without one; --field network_name requires one."""
    if NETWORK_NAME in records.fields and book_file is None:
        raise click.UsageError(f"{NETWORK_NAME} is looked up in a book: give --book FILE")
    return open_book(book_file)


def load_book(file: str, missing_ok: bool = False) -> Book:
    """Return the book in a file, or raise a CommandError that says how to create one.

    Args:
        file: its name.
        missing_ok: return an empty book if the file does not exist.
    """
    # Late: it would double the time that `same` takes.
    from fdaa.networks import Book

    try:
        return Book.load(file, missing_ok)
    except FileNotFoundError:
        raise CommandError(f"book {quote(file)} does not exist; {HOW_TO_MAKE}") from None
    except OSError as error:
        raise CommandError(f"book {quote(file)}: {error.strerror}") from None
