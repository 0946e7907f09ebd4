"""The errors of documents and books.

fdaa.FdaaError
└── FileError                  a file that cannot be used   .file  .reason
    ├── DocumentError          a file that is not a complete document; a ValueError, too
    │   └── DocumentKindError  a document of another kind   .kind  .expected
    └── BookError              a book that is not usable, or cannot be changed
        └── BookConflictError  a fact that contradicts the book   .contradictions

A file that cannot be opened or read is the `OSError` of `open`. In `ReadResult.unusable` it is a
FileError, and where a book cannot be changed a BookError; `__cause__` is the `OSError`.
"""

from typing import Any

from fdaa._support.escapes import quote
from fdaa._values.errors import FdaaError
from fdaa.networks._model import Contradiction, Document, DocumentKind


class FileError(FdaaError):
    """A file that cannot be used; in `ReadResult.unusable` also one that cannot be read.

    Args:
        file: its name.
        reason: the fault, and what would be right.
    """

    def __init__(self, file: str, *, reason: str) -> None:
        super().__init__(file)
        self.file = file
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        """Return it for a pickle; `Exception` itself would keep no keyword arguments."""
        return _new, (type(self), self.file), vars(self)

    def __str__(self) -> str:
        return f"{quote(self.file)}: {self.reason}"


def _new(type_: type[FileError], file: str) -> FileError:
    return type_.__new__(type_, file)


class DocumentError(FileError, ValueError):
    """A file that was read and cannot be used."""

    def __str__(self) -> str:
        return f"{quote(self.file)} is not a usable document: {self.reason}"


_NAMES = {
    DocumentKind.APP_LIST: "an app list",
    DocumentKind.MACHINE_LIST: "a Machine list",
    DocumentKind.ADDRESS_LIST: "an address list",
    DocumentKind.EMPTY_LIST: "an empty list",
}


class DocumentKindError(DocumentError):
    """A document of another kind than the reader expects.

    Args:
        file: its name.
        kind: its kind.
        expected: the kind that was expected.

    Attributes:
        document: the document; None if the error was not raised by a reader.
    """

    def __init__(self, file: str, *, kind: DocumentKind, expected: DocumentKind) -> None:
        super().__init__(file, reason=f"this is {_NAMES[kind]}, not {_NAMES[expected]}")
        self.kind = kind
        self.expected = expected
        self.document: Document | None = None


def _named(file: str) -> str:
    """Return what a message calls a book; `Book()` has no file."""
    if not file:
        return "the book"
    return f"book {quote(file)}"


class BookError(FileError):
    """A book that cannot be used, written or changed."""

    def __str__(self) -> str:
        return f"{_named(self.file)}: {self.reason}"


class BookConflictError(BookError):
    """Facts that contradict the book, which stays as it was.

    Args:
        file: the book's file.
        reason: what was refused.
        contradictions: each shows the fact in the book and the new one.
    """

    def __init__(
        self, file: str, *, reason: str, contradictions: tuple[Contradiction, ...] = ()
    ) -> None:
        super().__init__(file, reason=reason)
        self.contradictions = contradictions

    def __str__(self) -> str:
        return f"{_named(self.file)} was not changed: {self.reason}"
