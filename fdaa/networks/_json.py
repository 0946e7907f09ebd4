"""Files from outside to text and JSON: of bounded size, whole, and nothing guessed (RFC 8259)."""

from __future__ import annotations

import json
import sys
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from fdaa.errors import quote
from fdaa.networks._errors import DocumentError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from typing import BinaryIO, NoReturn

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
    except DocumentError:
        raise
    except (OSError, ValueError) as error:  # a ValueError where no file has such a name
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
    """Return bytes as text: UTF-8 without a byte order mark, as RFC 8259, section 8.1, sends it.

    Raises:
        DocumentError: they are longer than `MAX_BYTES`, empty, or in another encoding.
    """
    if len(data) > MAX_BYTES:
        raise _too_long(file)
    encoding = json.detect_encoding(data)
    if encoding == "utf-8-sig":
        raise DocumentError(file, "it starts with a byte order mark; save it as UTF-8 without one")
    if encoding != "utf-8":
        raise DocumentError(file, f"it is {encoding[:6].upper()}; save it as UTF-8")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        byte = data[error.start]
        reason = f"it is not UTF-8: byte 0x{byte:02x} at offset {error.start}; save it as UTF-8"
        raise DocumentError(file, reason) from None
    if not text or text.isspace():
        raise DocumentError(file, "it is empty")
    return text


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
            object_pairs_hook=partial(_unique, file),
            parse_constant=partial(_constant, file),
            parse_int=number,
            parse_float=number,
        )
    except DocumentError:
        raise
    except json.JSONDecodeError as error:
        cut_off = "" if text[error.pos :].strip() else "; was it cut off?"
        where = f"line {error.lineno}, column {error.colno}"
        reason = f"it is not JSON: {error.msg.lower()}, at {where}{cut_off}"
    except RecursionError:
        reason = "it is nested too deep for a document"
    except ValueError:
        reason = f"it has a number of more than {sys.get_int_max_str_digits()} digits"
    raise DocumentError(file, reason)


def _unique(file: str, pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise DocumentError(file, f"the key {quote(twice)} appears twice in one object")
    return made


def _constant(file: str, text: str) -> NoReturn:
    raise DocumentError(file, f"it has {text}, which JSON does not have")
