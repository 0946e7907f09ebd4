"""The errors of documents and books.

fdaa.FdaaError
├── DocumentError       a file that is no document, or not a whole one
└── BookError           no book of networks, or one that cannot be written
└── BookConflictError    a fact that contradicts the book   .contradictions
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa.errors import FdaaError, quote

if TYPE_CHECKING:
    from fdaa.networks._model import Contradiction


class DocumentError(FdaaError):
    """A file that cannot be used: `.text` is its name, `.reason` what is wrong with it."""

    __module__ = "fdaa.networks"
    _kind = "usable document"


class BookError(FdaaError):
    """A book that cannot be read or written: `.text` is its file's name."""

    __module__ = "fdaa.networks"
    _kind = "usable book of networks"


class BookConflictError(BookError):
    """Facts that contradict the book; the book stays as it was.

    Args:
        text: the book's file.
        reason: what was refused.
        contradictions: each a `Contradiction`, with the fact in the book and the new one.
    """

    __module__ = "fdaa.networks"

    def __init__(
        self, text: str, reason: str, contradictions: tuple[Contradiction, ...] = ()
    ) -> None:
        super().__init__(text, reason)
        self.contradictions = contradictions

    def __str__(self) -> str:
        return f"{quote(self.text)} stays as it was: {self.reason}"

    def __reduce__(self) -> tuple[object, ...]:
        return BookConflictError, (self.text, self.reason, self.contradictions)
