"""Files from outside to text and JSON: bounded, whole, and nothing guessed (RFC 8259).

Python's own reader does the work; what it lets pass (NaN, a key that stands twice) or reports in
its own ways (numbers and nesting without end, another encoding) is a `DocumentError` here.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from pathlib import Path

from fdaa.errors import quote
from fdaa.networks._errors import DocumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any, BinaryIO, NoReturn

# Of one file; parsed, it takes about ten times the memory, and at worst 26 times.
MAX_BYTES = 256 * 1024 * 1024
MAX_DIGITS = 4300  # of one number, as Python itself has it; longer ones take quadratic time

_BYTE_ORDER_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_CHUNK = 1024 * 1024
_SPACED_COLON = re.compile('"[ \n\r\t]+:')


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return a file's bytes; of a file that is too long no more than tells so is read.

    Args:
        path: a file, or a pipe.

    Raises:
        DocumentError: it cannot be read, or is longer than `MAX_BYTES`.
    """
    file = os.fspath(path)
    try:
        with Path(path).open("rb") as stream:
            status = os.fstat(stream.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size > MAX_BYTES:
                raise too_long(file)
            return _read_on(stream, status.st_size + 1)
    except OSError as error:
        raise DocumentError(file, f"it cannot be read ({error.strerror or error})") from None
    except ValueError as error:
        if isinstance(error, DocumentError):
            raise
        raise DocumentError(file, "it cannot be read (no file has such a name)") from None


def read_stream(stream: BinaryIO, file: str) -> bytes:
    """Return what is left of a stream; of one that is too long no more than tells so is read.

    Args:
        stream: as standard input's buffer.
        file: what to call it.

    Raises:
        DocumentError: it cannot be read.
    """
    try:
        return _read_on(stream, _CHUNK)
    except OSError as error:
        raise DocumentError(file, f"it cannot be read ({error.strerror or error})") from None


def _read_on(stream: BinaryIO, first: int) -> bytes:
    chunks: list[bytes] = []
    length, size = 0, first
    while length <= MAX_BYTES:
        chunk = stream.read(size)
        if chunk is None:  # nothing yet, which is not the end
            raise BlockingIOError("it is in non-blocking mode, and has no bytes yet")
        if not chunk:
            break
        chunks.append(chunk)
        length, size = length + len(chunk), _CHUNK
    return b"".join(chunks)


def too_long(file: str) -> DocumentError:
    """Return the error for a file of more than `MAX_BYTES`."""
    return DocumentError(file, f"it is longer than {MAX_BYTES // 1024**2} MiB; split it")


def decode(data: bytes, file: str) -> str:
    """Return bytes as text: UTF-8 without a byte order mark, as RFC 8259, section 8.1, sends it.

    Raises:
        DocumentError: they are longer than `MAX_BYTES`, empty, or in another encoding.
    """
    if len(data) > MAX_BYTES:
        raise too_long(file)
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


_TOO_MANY_DIGITS = f"it has a number of more than {MAX_DIGITS} digits"


class _RefusedError(Exception):
    """Raised inside the reader, where the file's name is not known."""


def load(text: str, file: str) -> object:
    """Return what a JSON text holds.

    Args:
        text: the whole text.
        file: the name for errors.

    Raises:
        DocumentError: it is not JSON, or has NaN, a key that stands twice in one object, a number
            of more than 4,300 digits, or deeper nesting than Python follows.
    """
    limit: int = getattr(sys, "get_int_max_str_digits", int)()
    try:
        value = _read_unique(text, limit)
    except _RefusedError as error:
        raise DocumentError(file, str(error)) from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        cut_off = "; was it cut off?" if not text[error.pos :].strip() else ""
        reason = f"it is not JSON: {error.msg.lower()}, at {where}{cut_off}"
        raise DocumentError(file, reason) from None
    except RecursionError:
        raise DocumentError(file, "it is nested too deep for a document") from None
    except ValueError:  # Python's own limit, where it is in force
        raise DocumentError(file, _TOO_MANY_DIGITS) from None
    return value


def _read_unique(text: str, limit: int) -> object:
    """Return what a JSON text holds; a key that stands twice is refused.

    Such a key is twice in the text and once in its object. To look at each object's pairs would
    cost half as much again as reading does.
    """
    try:
        reader = _idle.pop()
    except IndexError:
        reader = _Reader(limit)
    if reader.limit != limit:
        reader = _Reader(limit)
    value, keys, objects = reader.read(text)
    _idle.append(reader)  # one that raised is not kept
    if keys < _by_commas(text, value, objects) and keys < _by_colons(text):
        value = _decoder(limit, object_pairs_hook=_unique).decode(text)
    return value


def _by_commas(text: str, value: object, objects: int) -> int:
    """Return how many keys a JSON text can have: never fewer than it has.

    In an object, and in an array, stands a comma less than there are members. A comma may stand in
    a string too, and arrays deep inside are not looked at, so it may be more than there are.

    Args:
        text: the text.
        value: what it holds, as far as no key stands twice.
        objects: how many it has.
    """
    most = text.count(",") + objects
    for member in value.values() if isinstance(value, dict) else (value,):
        if isinstance(member, list) and member:
            most -= len(member) - 1
    return most


def _by_colons(text: str) -> int:
    """Return how many keys a JSON text can have: rarely more than it has, and never fewer.

    Each key ends in a quote, and a colon follows it, or white space and then a colon. The same
    characters may stand in a string, so this is no exact count. It takes four times as long as to
    count commas.
    """
    keys = text.count('":')
    # `rfind` takes a quarter of the time that `in` does, and to look for one character first a
    # tenth; all but the space are rare.
    if (
        text.rfind(" :") >= 0
        or ("\n" in text and text.rfind("\n:") >= 0)
        or ("\r" in text and text.rfind("\r:") >= 0)
        or ("\t" in text and text.rfind("\t:") >= 0)
    ):
        keys += sum(1 for _ in _SPACED_COLON.finditer(text))
    return keys


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the dict of an object's pairs, or refuse a key that stands there twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _RefusedError(f"the key {quote(key)} stands twice in one object")
            seen.add(key)
    return made


def _constant(text: str) -> NoReturn:
    raise _RefusedError(f"it has {text}, which JSON does not have")


def _int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _RefusedError(_TOO_MANY_DIGITS)
    return int(digits)


def _decoder(
    limit: int,
    object_hook: Callable[[dict[str, object]], object] | None = None,
    object_pairs_hook: Callable[[list[tuple[str, object]]], object] | None = None,
) -> json.JSONDecoder:
    """Return a decoder that bounds numbers: Python's own limit costs nothing, ours a fifth."""
    return json.JSONDecoder(
        object_hook=object_hook,
        object_pairs_hook=object_pairs_hook,
        parse_constant=_constant,
        parse_int=None if 0 < limit <= MAX_DIGITS else _int,
    )


class _Reader:
    """Reads JSON and counts keys."""

    def __init__(self, limit: int) -> None:
        self.limit = limit  # Python's own, of a number's digits
        self._counter = _counter()
        next(self._counter)
        self._decode = _decoder(limit, object_hook=self._counter.send).decode

    def read(self, text: str) -> tuple[object, int, int]:
        """Return what a JSON text holds, how many keys its objects have, and how many they are."""
        value = self._decode(text)
        return value, *next(self._counter)


def _counter() -> Generator[Any, dict[str, object] | None, NoReturn]:
    """Take objects and give each back; asked for the next, give their keys' number and theirs."""
    # For an object, to enter a generator takes half the time of a function's call.
    made = yield
    while True:
        keys = objects = 0
        while made is not None:
            keys += len(made)
            objects += 1
            made = yield made
        made = yield keys, objects


# Readers that no one uses: to make one takes as long as to read a short document. Threads do not
# share them, as `pop` and `append` are one step each.
_idle: list[_Reader] = []
