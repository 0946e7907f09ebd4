"""Networks by name, where a command was given a book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa._address import NetworkID
from fdaa._escapes import quote
from fdaa._suggestions import did_you_mean
from fdaa.cli._exit_status import CommandError
from fdaa.lines import is_name

if TYPE_CHECKING:
    from fdaa.networks import Book, NetworkMap

BOOK_VARIABLE = "FDAA_BOOK"
HOW_TO_MAKE = "`fdaa book learn` creates it from --apps and --machines"


def open_book(file: str | None) -> Book | None:
    """Return the book in a file, or None where no file is given."""
    if file is None:
        return None
    return load_book(file)


def map_of(book: Book) -> NetworkMap:
    """Return the networks in a book."""
    from fdaa.networks import NetworkMap  # late, as below

    return NetworkMap(book=book)


def load_book(file: str, missing_ok: bool = False) -> Book:
    """Return the book in a file, or raise a CommandError that says how to create one.

    Args:
        file: its name.
        missing_ok: return an empty book if the file does not exist.
    """
    # Late: it would double the time that `same` takes.
    from fdaa.networks import Book, BookMissingError

    try:
        return Book.load(file, missing_ok)
    except BookMissingError as error:
        raise CommandError(f"{error}; {HOW_TO_MAKE}") from None


def network_id_of(text: str, book: Book | None) -> NetworkID:
    """Return the ID of the network that a text names, or is the ID of.

    A name starts with a letter and has no colon, unlike every form of an ID: no guessing.

    Raises:
        NetworkIDError: it is neither.
        CommandError: it is a name that is not in the book.
    """
    if not is_name(text):
        return NetworkID(text)
    if book is None:
        reason = f"names are looked up in a book; give --book FILE, or set {BOOK_VARIABLE}"
        raise CommandError(f"network {quote(text)}: {reason}")
    if text not in book:
        where = f"in the book {quote(book.file)}{did_you_mean(text, book)}"
        raise CommandError(f"network {quote(text)} is not {where}")
    return book[text].network_id
