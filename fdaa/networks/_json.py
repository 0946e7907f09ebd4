"""Files from outside to text and JSON: of bounded size, whole, and nothing guessed (RFC 8259)."""

from __future__ import annotations

import json
import os
import stat
import sys
from typing import TYPE_CHECKING

from fdaa.errors import quote
from fdaa.networks._errors import DocumentError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO, NoReturn

MAX_BYTES = 256 * 1024 * 1024  # of one file; parsed, it takes about ten times the memory
_CHUNK = 1024 * 1024

_BYTE_ORDER_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


def read_bytes(path: str | os.PathLike[str], file: str | None = None) -> bytes:
    """Return the bytes of a file or a pipe; errors call it `file`, or by its path.

    Raises:
        DocumentError: it cannot be read, or is longer than `MAX_BYTES`; then the rest stays unread.
    """
    file = os.fspath(path) if file is None else file
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - to load pathlib takes longer than to read
            status = os.fstat(stream.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size > MAX_BYTES:
                raise _too_long(file)
            return read_all(stream, file)
    except OSError as error:
        raise _unreadable(file, error) from error
    except ValueError as error:
        if isinstance(error, DocumentError):
            raise
        raise DocumentError(file, "it cannot be read (no file has such a name)") from error


def read_all(stream: BinaryIO, file: str) -> bytes:
    """Return what is left of a stream; of one that is too long, a little more than `MAX_BYTES`.

    Args:
        stream: as standard input's buffer.
        file: what to call it.

    Raises:
        DocumentError: it cannot be read.
    """
    chunks: list[bytes] = []
    length = 0
    try:
        while length <= MAX_BYTES:
            chunk = stream.read(_CHUNK)
            if chunk is None:  # nothing yet, which is not the end
                raise BlockingIOError("it is in non-blocking mode, and has no bytes yet")
            if not chunk:
                break
            chunks.append(chunk)
            length += len(chunk)
    except OSError as error:
        raise _unreadable(file, error) from error
    return b"".join(chunks)


def _unreadable(file: str, error: OSError) -> DocumentError:
    return DocumentError(file, f"it cannot be read ({error.strerror or error})")


def _too_long(file: str) -> DocumentError:
    return DocumentError(file, f"it is longer than {MAX_BYTES // 1024**2} MiB; split it")


def decode(data: bytes, file: str) -> str:
    """Return bytes as text: UTF-8 without a byte order mark, as RFC 8259, section 8.1, sends it.

    Raises:
        DocumentError: they are longer than `MAX_BYTES`, empty, or in another encoding.
    """
    if len(data) > MAX_BYTES:
        raise _too_long(file)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        for mark, encoding in _BYTE_ORDER_MARKS:
            if data.startswith(mark):
                raise DocumentError(file, f"it is {encoding}; save it as UTF-8") from None
        byte = data[error.start]
        reason = f"it is not UTF-8: byte 0x{byte:02x} at offset {error.start}; save it as UTF-8"
        raise DocumentError(file, reason) from None
    if text.startswith("\ufeff"):
        raise DocumentError(file, "it starts with a byte order mark; save it as UTF-8 without one")
    if "\0" in text[:4]:
        raise DocumentError(file, "it is UTF-16 or UTF-32; save it as UTF-8")
    if not text or text.isspace():
        raise DocumentError(file, "it is empty")
    return text


class _RefusedError(Exception):
    """Raised inside the reader, where the file's name is not known."""


def load(text: str, file: str, number: Callable[[str], object] | None = None) -> object:
    """Return what a JSON text holds.

    Args:
        text: the whole text.
        file: the name for errors.
        number: what makes a value of a number's text; else it is an `int` or a `float`.

    Raises:
        DocumentError: it is not JSON, has NaN, a key twice in one object, a number with more digits
            than Python reads (`sys.get_int_max_str_digits`), or deeper nesting than it follows.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_constant,
            parse_int=number,
            parse_float=number,
        )
    except _RefusedError as error:
        reason = str(error)
    except json.JSONDecodeError as error:
        cut_off = "" if text[error.pos :].strip() else "; was it cut off?"
        where = f"line {error.lineno}, column {error.colno}"
        reason = f"it is not JSON: {error.msg.lower()}, at {where}{cut_off}"
    except RecursionError:
        reason = "it is nested too deep for a document"
    except ValueError:
        reason = f"it has a number of more than {sys.get_int_max_str_digits()} digits"
    raise DocumentError(file, reason)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the dict of an object's pairs; refuse a key that is there twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _RefusedError(f"the key {quote(key)} appears twice in one object")
            seen.add(key)
    return made


def _constant(text: str) -> NoReturn:
    raise _RefusedError(f"it has {text}, which JSON does not have")
