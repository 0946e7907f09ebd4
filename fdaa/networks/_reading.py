"""Files from outside: of bounded size, with errors as an `OSError` or a `DocumentError`."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from fdaa._support import strict_json
from fdaa._values.checks import check_type
from fdaa.networks._document_errors import DocumentError

if TYPE_CHECKING:
    from io import BufferedIOBase, RawIOBase
    from typing import IO, TypeAlias

    OpenFile: TypeAlias = IO[bytes] | BufferedIOBase | RawIOBase

MAX_BYTES = 256 * 1024 * 1024  # of one file; parsed, it takes about ten times the memory
_CHUNK = 1024 * 1024  # one read of this size would allocate memory of this size


def read_bytes(source: str | os.PathLike[str] | OpenFile, file: str) -> bytes:
    """Return the bytes of a file, a pipe or an open file; errors call it `file`.

    Raises:
        OSError: it cannot be read; `.filename` is `file`.
        DocumentError: it is longer than `MAX_BYTES`.
    """
    try:
        if not isinstance(source, str | os.PathLike):
            return _read(source, file)
        with open(source, "rb") as stream:
            return _read(stream, file)
    except DocumentError:
        raise
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            error.filename = file
            raise
        # An invalid file name, a closed file, or one that is open for writing.
        raise OSError(errno.EINVAL, str(error), file) from error


def _read(stream: OpenFile, file: str) -> bytes:
    chunks: list[bytes] = []
    length = 0
    while chunk := stream.read(_CHUNK):
        check_type(chunk, "what source.read() returns", bytes)
        chunks.append(chunk)
        length += len(chunk)
        if length > MAX_BYTES:
            raise DocumentError(
                file, reason=f"it is longer than {MAX_BYTES // 1024**2} MiB; split it"
            )
    return b"".join(chunks)


def decode(data: bytes, file: str) -> str:
    """Return the bytes of a document as text.

    Raises:
        DocumentError: they are not UTF-8.
    """
    try:
        return strict_json.decode(data)
    except strict_json.EncodingError as error:
        reason = f"{error}; save it as UTF-8 without a byte order mark"
        raise DocumentError(file, reason=reason) from None


def load(text: str, file: str) -> object:
    """Return the value of a document's JSON.

    Raises:
        DocumentError: it is not strict JSON.
    """
    try:
        return strict_json.load(text)
    except strict_json.JSONError as error:
        raise DocumentError(file, reason=str(error)) from None
