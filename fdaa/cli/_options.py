"""The options that several commands have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fdaa.cli._book_names import BOOK_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable

complete_file = click.Path().shell_complete
complete_directory = click.Path(file_okay=False).shell_complete

quiet_option = click.option(
    "quiet", "-q", "--quiet", is_flag=True, help="Print nothing; only set the exit status."
)


def book_option(
    text: str = "Use the names that this book has for networks.", **more: Any
) -> Callable[..., Any]:
    """Return the option that names a book."""
    text = f"{text} Also the variable {BOOK_VARIABLE}."
    more |= {"help": text, "shell_complete": complete_file}
    return click.option("book_file", "--book", metavar="FILE", envvar=BOOK_VARIABLE, **more)
