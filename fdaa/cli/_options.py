"""The options that several commands have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fdaa.cli._book_names import BOOK_VARIABLE
from fdaa.cli._render import COLOR

if TYPE_CHECKING:
    from collections.abc import Callable

complete_file = click.Path().shell_complete
complete_directory = click.Path(file_okay=False).shell_complete

quiet_option = click.option(
    "quiet", "-q", "--quiet", is_flag=True, help="Print nothing; only set the exit status."
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
