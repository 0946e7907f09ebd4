"""What the scanner's regular expressions share: how they are compiled, and the edge of a word."""

from __future__ import annotations

import re
from functools import cache
from typing import TypeAlias

LEFT = 128  # how far an expression looks to the left of an address

# --- escapes ---

# Escapes end in a letter or a digit that belongs to no word. Each is a row of parts, in order: an
# expression, or the texts of which there is one.
_Part: TypeAlias = str | tuple[str, ...]

_ESC = ("\x1b", r"\u001b")  # raw, and as JSON writes it
_ESC_OF_COLOURS = (*_ESC, r"\x1b", r"\033", r"\e", "^[", "#033")  # as tools write it, too
_COLOURS: tuple[tuple[_Part, ...], ...] = (  # ECMA-48
    (_ESC_OF_COLOURS, ("[",), "[0-?]{0,48}", "[@-~]"),  # ESC [ 31 m
    (_ESC_OF_COLOURS, ("[",), "[0-?]{0,3}", "[ -/]", "[@-~]"),
)
_OF_JSON: tuple[tuple[_Part, ...], ...] = (
    (("\\",), "[bfnrt]"),  # \n
    (("\\u",), "[0-9a-f]{4}"),  # \u00e9
)
_OTHERS: tuple[tuple[_Part, ...], ...] = (
    (("%",), "[0-9a-f]{2}"),  # %5B
    (_ESC, r"[0-Z\\-~]"),  # ESC c
    (_ESC, "[ -/]", "[0-~]"),  # ESC ( B
)


def _any_of(escapes: tuple[tuple[_Part, ...], ...], *, backwards: bool = False) -> str:
    """Return the expression for one of these escapes; of reversed text if `backwards`."""
    rows = []
    for parts in escapes:
        expressions = [_expression(part, backwards) for part in parts]
        if backwards:
            expressions.reverse()
        rows.append("".join(expressions))
    return f"(?:{'|'.join(rows)})"


def _expression(part: _Part, backwards: bool) -> str:
    if isinstance(part, str):
        return part
    texts = tuple(text[::-1] for text in part) if backwards else part
    return f"(?:{'|'.join(map(re.escape, texts))})"


COLOUR = _any_of(_COLOURS)
JSON_ESCAPE = _any_of(_OF_JSON)
OTHER_ESCAPE = _any_of(_OTHERS)

# Of reversed text: no word in front, or the end of an escape.
EDGE = rb"""
    (?:
        (?! [0-9a-z_] | [\x80-\xbf][\xc3-\xd4] )
    |
        (?= %b )
    )
""" % _any_of((*_OF_JSON, *_OTHERS, *_COLOURS), backwards=True).encode()


@cache
def compiled(source: bytes) -> re.Pattern[bytes]:
    """Compile an expression when it is first needed: most scans take less time."""
    return re.compile(source, re.VERBOSE)
