"""Strict JSON (RFC 8259) for all outside input: UTF-8, unique keys, no NaN."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import NoReturn

from fdaa._support.escapes import quote


class JSONError(Exception):
    """Text that is not strict JSON; its text is the reason."""


class EncodingError(JSONError):
    """Bytes in another encoding than UTF-8 without a byte order mark (RFC 8259, section 8.1)."""


def decode(data: bytes) -> str:
    """Return bytes as text.

    Raises:
        EncodingError: they are not UTF-8, or start with a byte order mark.
    """
    encoding = json.detect_encoding(data)
    if encoding == "utf-8-sig":
        raise EncodingError("it starts with a byte order mark")
    if encoding != "utf-8":
        raise EncodingError(f"it is {encoding[:6].upper()}")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        byte = data[error.start]
        raise EncodingError(f"it is not UTF-8: byte 0x{byte:02x} at offset {error.start}") from None


# Python's words for what is wrong, and ours.
_FAULTS = {
    "Expecting value": "expected a value",
    "Extra data": "there is more text after its end",
    "Expecting property name enclosed in double quotes": "expected a key in double quotes",
    "Expecting ':' delimiter": "expected a colon",
    "Expecting ',' delimiter": "expected a comma",
    "Illegal trailing comma before end of object": "a comma before the end of an object",
    "Illegal trailing comma before end of array": "a comma before the end of an array",
    "Unterminated string starting at": "a text without its closing quote",
    "Invalid control character at": "a control character in a text",
    "Invalid \\escape": "a backslash that escapes nothing",
    "Invalid \\uXXXX escape": "\\u without four hex digits",
}


def load(text: str) -> object:
    """Return the value of a JSON text.

    Raises:
        JSONError: it is empty or not JSON, contains NaN, a duplicate key or a number with more
            digits than Python reads (`sys.get_int_max_str_digits`), or is nested too deeply.
    """
    if not text or text.isspace():
        raise JSONError("it is empty")
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_constant)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        reason = f"it is not JSON: {_FAULTS.get(error.msg, 'wrong syntax')}, at {where}"
        if not text[error.pos :].strip():
            reason += "; was it cut off?"
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError:
        reason = f"it contains a number with more than {sys.get_int_max_str_digits()} digits"
    raise JSONError(reason)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        duplicate, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise JSONError(f"the key {quote(duplicate)} appears twice in one object")
    return made


def _constant(text: str) -> NoReturn:
    raise JSONError(f"it contains {text}, which is not JSON")
