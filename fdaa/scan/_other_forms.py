"""Addresses in running text without colons: with escapes, tuples of Erlang, reverse pointers.

    %5Bfdaa%3A0%3A18%3A%3A3%5D                RFC 3986, section 2.1, as in URLs of access logs
    {64938,2,1115,2683,372,56131,54214,2}     each number is a group; Elixir and people add spaces
    2.0.0.0. ... .a.a.d.f.ip6.arpa            RFC 3596, section 2.5

All rules of `_expression.py` hold for a text with `:` and `/` in place of `%3A` and `%2F`. The
others are found here, in lower case; most blocks have none of them, so what finds that out is fast.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fdaa._values.address import Address
from fdaa._values.bits import ADDRESS_BITS, MAX_GROUP
from fdaa.scan._expression_parts import EDGE, LEFT, compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

ENCODED_HEAD = b"fdaa%3a"
# One hex digit or colon of a run, and the slash before a prefix length.
ENCODED_DIGIT = rb"(?: [0-9a-f:] | %3a )"
ENCODED_SLASH = rb"(?: / | %2f )"

_TUPLE = rb"""
    \{ [ ]? 64938
    (?: [ ]?,[ ]? (?: 0 | [1-9][0-9]{0,4} ) ){7}
    [ ]? \}
"""

_POINTER_TAIL = b".a.a.d.f.ip6.arpa"
_NIBBLES = ADDRESS_BITS // 4 - 4  # those before it
_BEFORE_TAIL = 2 * _NIBBLES - 1  # bytes, as a dot is between two
_POINTER_LENGTH = _BEFORE_TAIL + len(_POINTER_TAIL)
# Every other byte of its first 64 is a dot: so of each 16th byte, four in a row.
_STEP = 16
_DOTS = b"...."
# A letter, or another label, at its end is taken as well, so that it is seen. An address is no
# label.
_POINTER = rb"""
    (?<! [.-] )
    [0-9a-f] (?: \.[0-9a-f] ){27}
    \.a\.a\.d\.f\.ip6\.arpa
    (?:
        (?! \.fdaa (?: : | %3a ) (?: [0-9a-f:] | %3a ) )
        \.? (?: [0-9a-z_] | [\xc3-\xd4][\x80-\xbf] )
    |
    )
"""


def find_other_forms(lower: bytes, begin: int, end: int) -> list[re.Match[bytes]]:
    """Return a match for each tuple and each reverse pointer, in order; mostly there is none.

    Args:
        lower: text in lower case.
        begin, end: where to search.
    """
    found: list[re.Match[bytes]] = []
    if b"{" in lower:
        found.extend(compiled(_TUPLE).finditer(lower, begin, end))
    if _DOTS in lower[::_STEP] or _DOTS in lower[1::_STEP]:
        found.extend(_find_pointers(lower, begin, end))
        found.sort(key=re.Match.start)
    return found


def _find_pointers(lower: bytes, begin: int, end: int) -> Iterator[re.Match[bytes]]:
    pattern = compiled(_POINTER)
    tail = lower.find(_POINTER_TAIL, begin + _BEFORE_TAIL, end)
    while tail >= 0:
        match = pattern.match(lower, tail - _BEFORE_TAIL, end)
        if match is not None and _begins_a_word(lower, match.start()):
            yield match
        tail = lower.find(_POINTER_TAIL, tail + 1, end)


def _begins_a_word(lower: bytes, start: int) -> bool:
    before = lower[max(0, start - LEFT) : start][::-1]
    return compiled(EDGE).match(before) is not None


def is_other_form(text: bytes) -> bool:
    """Return whether a match is a tuple or a reverse pointer."""
    return not text.startswith(b"fdaa")


def read_other_form(text: bytes) -> Address | None:
    """Return the address of one of the texts that `find_other_forms` finds.

    >>> read_other_form(b"{64938,2,1115,2683,372,56131,54214,2}")
    Address('fdaa:2:45b:a7b:174:db43:d3c6:2')
    """
    if not text.startswith(b"{"):
        if len(text) > _POINTER_LENGTH:
            return None  # it goes on
        return Address.from_reverse_pointer(text.decode())
    groups = [int(number) for number in text.strip(b"{}").split(b",")]
    if max(groups) > MAX_GROUP:
        return None
    return Address(":".join(f"{group:x}" for group in groups))


def spelled_like(text: bytes, address: Address) -> bytes:
    """Return an address in the form of a text that `find_other_forms` finds."""
    if not text.startswith(b"{"):
        return address.reverse_pointer.encode()
    groups = (b"%d" % int(group, 16) for group in address.exploded.split(":"))
    return re.sub(rb"[0-9]+", lambda _: next(groups), text)


# --- escapes --------------------------------------------------------------------------------------


def is_encoded(run: bytes) -> bool:
    """Return whether a run in lower case has escapes."""
    return run.startswith(ENCODED_HEAD)


def decoded(lower: bytes) -> bytes:
    """Return a text in lower case with colons and slashes in place of their escapes."""
    return lower.replace(b"%3a", b":").replace(b"%2f", b"/")


def encoded(text: bytes, like: bytes) -> bytes:
    """Return an address or a prefix with escapes.

    Args:
        text: the text of an address or a prefix.
        like: a run; the slash is escaped if its slash is.
    """
    if b"%2f" in like:
        text = text.replace(b"/", b"%2F")
    return text.replace(b":", b"%3A")


def encoded_length(run: bytes, length: int) -> int:
    """Return how many bytes of a run its first decoded bytes are."""
    end = 0
    for _ in range(length):
        if run.startswith((b"%3a", b"%2f"), end):
            end += len(b"%3a")
        else:
            end += 1
    return end
