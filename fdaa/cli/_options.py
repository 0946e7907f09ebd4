"""The options that several commands have."""

from __future__ import annotations

import click

from fdaa.cli._book_names import BOOK_VARIABLE

book_option = click.option(
    "book_file",
    "--book",
    metavar="FILE",
    envvar=BOOK_VARIABLE,
    help=f"Speak of networks by the names in this book; also the variable {BOOK_VARIABLE}.",
)
