"""Networks by name, where a command was given a book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa._escapes import quote
from fdaa.address import NetworkID
from fdaa.cli._exit_status import CommandError
from fdaa.cli._names_in_text import is_name
from fdaa.cli._streams import inline

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fdaa.networks import Book

BOOK_VARIABLE = "FDAA_BOOK"
HOW_TO_MAKE = "`fdaa book learn` creates it from --apps and --machines"


def open_book(file: str | None) -> Book | None:
    """Return the book in a file, or None where no file is given."""
    if file is None:
        return None
    return load_book(file)


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


def did_you_mean(text: str, names: Iterable[str], *, before: str = "") -> str:
    """Return "did you mean" with the name most like a misspelled one, or an empty text.

    Of several names that are equally like it, none is returned.

    Args:
        text: the misspelled name.
        names: what the argument may be.
        before: the text that the argument has before such a name.
    """
    import difflib  # late, as above: needed only for names that are not found

    candidates = list(dict.fromkeys(names))
    letters = sorted(text)
    nearest = [name for name in candidates if sorted(name) == letters]  # customer-71: customer-17
    if not nearest:
        nearest = difflib.get_close_matches(text, candidates, 2)
    if len(nearest) == 2 and _likeness(nearest[0], text) > _likeness(nearest[1], text):
        nearest = nearest[:1]
    if len(nearest) != 1:
        return ""
    return f"; did you mean {before}{inline(nearest[0])}?"


def _likeness(name: str, text: str) -> float:
    """Return how much a name is like a text, as `difflib.get_close_matches` orders them."""
    from difflib import SequenceMatcher

    return SequenceMatcher(None, name, text).ratio()
