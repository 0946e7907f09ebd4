"""The errors of documents and books.

fdaa.InputError
├── DocumentError            a file that is not a complete document
└── BookError                a book that cannot be read or written
    ├── BookMissingError     there is no such book
    └── BookConflictError    a fact that contradicts the book   .contradictions

Where a file could not be opened, read or written, `__cause__` is the `OSError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa._escapes import quote
from fdaa.errors import InputError

if TYPE_CHECKING:
    from fdaa.networks._model import Contradiction


class DocumentError(InputError):
    """A file that cannot be used: `.text` is its name, `.reason` is the fault."""

    _kind = "usable document"


class BookError(InputError):
    """A book that cannot be read or written: `.text` is its file's name."""

    def __str__(self) -> str:
        return f"book {quote(self.text)}: {self.reason}"


class BookMissingError(BookError):
    """A book that does not exist."""

    def __str__(self) -> str:
        return f"book {quote(self.text)} does not exist"


class BookConflictError(BookError):
    """Facts that contradict the book, which stays as it was.

    Args:
        text: the book's file.
        reason: what was rejected.
        contradictions: each shows the fact in the book and the new one.
    """

    def __init__(
        self, text: str, reason: str, contradictions: tuple[Contradiction, ...] = ()
    ) -> None:
        super().__init__(text, reason)
        self.contradictions = contradictions

    def __str__(self) -> str:
        return f"book {quote(self.text)} was not changed: {self.reason}"
