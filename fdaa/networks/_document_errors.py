"""The errors of documents.

fdaa.FdaaError
└── FileError          a file that cannot be used   .file  .reason
    └── DocumentError  a file that is not a complete document; a ValueError, too

A file that cannot be opened or read is the `OSError` of `open`; in `ReadResult.unusable`, it is a
FileError.
"""

from typing import Any

from fdaa._support.escapes import quote
from fdaa._values.errors import FdaaError


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
