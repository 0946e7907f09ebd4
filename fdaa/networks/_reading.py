"""Files from outside: of bounded size, and what is wrong with them as a `DocumentError`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa import _json
from fdaa.networks._errors import DocumentError

if TYPE_CHECKING:
    import os
    from typing import BinaryIO

MAX_BYTES = 256 * 1024 * 1024  # of one file; parsed, it takes about ten times the memory
_CHUNK = 1024 * 1024


def read_bytes(path: str | os.PathLike[str], file: str) -> bytes:
    """Return the bytes of a file or a pipe; errors call it `file`.

    Raises:
        DocumentError: it cannot be read, or is longer than `MAX_BYTES`.
    """
    try:
        # pathlib would take longer to load than all of this room.
        with open(path, "rb") as stream:  # noqa: PTH123
            return read_all(stream, file)
    except (OSError, ValueError) as error:  # a ValueError where no file has such a name
        if isinstance(error, DocumentError):
            raise
        raise _unreadable(file, error) from error


def read_all(stream: BinaryIO, file: str) -> bytes:
    """Return what is left of a stream; errors call it `file`.

    Raises:
        DocumentError: it cannot be read, or is longer than `MAX_BYTES`.
    """
    chunks: list[bytes] = []
    length = 0
    try:
        while chunk := stream.read(_CHUNK):
            chunks.append(chunk)
            length += len(chunk)
            if length > MAX_BYTES:
                raise _too_long(file)
        if chunk is None:  # nothing yet, which is not the end
            raise BlockingIOError("it is in non-blocking mode, and has no bytes yet")
    except OSError as error:
        raise _unreadable(file, error) from error
    return b"".join(chunks)


def _unreadable(file: str, error: OSError | ValueError) -> DocumentError:
    return DocumentError(file, f"it cannot be read ({getattr(error, 'strerror', None) or error})")


def _too_long(file: str) -> DocumentError:
    return DocumentError(file, f"it is longer than {MAX_BYTES // 1024**2} MiB; split it")


def decode(data: bytes, file: str) -> str:
    """Return the bytes of a document as text.

    Raises:
        DocumentError: they are longer than `MAX_BYTES`, or not UTF-8.
    """
    if len(data) > MAX_BYTES:
        raise _too_long(file)
    try:
        return _json.decode(data)
    except _json.EncodingError as error:
        reason = f"{error}; save it as UTF-8 without a byte order mark"
        raise DocumentError(file, reason) from None


def load(text: str, file: str) -> object:
    """Return the value of a document's JSON.

    Raises:
        DocumentError: it is not strict JSON.
    """
    try:
        return _json.load(text)
    except _json.JSONError as error:
        raise DocumentError(file, str(error)) from None
