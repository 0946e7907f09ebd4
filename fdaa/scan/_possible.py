"""What could be an address in a text, whether it is one or not.

`--strict` and the lines that people paste have one rule: what is not read and begins like this is
reported. Text is searched in lower case.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fdaa.scan._expressions import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

# `fdaa` alone is a part of many digests, and `fdaa:error` is prose.
_COLON = rb"(?: : | % (?:25){0,3} 3a )"  # also with percent escapes, and escaped several times
# After `fdaa`, a colour may stand in front of it (`grep --color`), and it may be escaped as JSON,
# shells and HTML do it.
_COLOURS = rb"(?: \x1b \[ [0-?]{0,20} [@-~] ){0,3}"
_FIRST_COLON = rb"""
    %b
    (?: : | %% (?:25){0,3} 3a | \\{1,8} (?: : | u003a ) | &\#(?: 58 | x3a ); )
    %b
""" % (_COLOURS, _COLOURS)
_AFTER_FDAA = rb"""
    (?=
        %b
        (?:
            [0-9a-f]{0,4} (?: %b | \. | \xe2\x80\xa6 )  # a group, and a colon or a cut-off end
        |   [0-9a-f]{0,4} [0-9]
        |   [0-9a-f]{1,4} (?! [0-9a-z_] )
        |   [0-9a-z_]{1,5} : [0-9a-z_:]                 # 2g:3
        )
    |
        \.\.\. | \xe2\x80\xa6                           # cut off
    )
""" % (_FIRST_COLON, _COLON)
_FDAA = b"fdaa" + _AFTER_FDAA
_ESCAPED_FDAA = b"(?: f | %66 ) (?: d | %64 ) (?: a | %61 ){2}" + _AFTER_FDAA
_LETTER_ESCAPE = b"%6"  # of each of these letters
LONGEST_HEAD = 112  # bytes; more than any of these needs

_TUPLE = rb"\{ [ ]? 64938 [ ]? ,"  # of Erlang, whole or not
_FIRST_GROUP = b"64938"
_ZONE = b".a.a.d.f.ip6.arpa"
_UTF_16 = "fdaa:".encode("utf-16-le").rstrip(
    b"\0"
)  # as PowerShell's `>>` leaves it; any byte order

# All that belongs to it, to be shown.
_EXTENT = rb"""
    \{ [0-9, ]{0,100} \}?
|
    [0-9a-z%%]{4,12}
    (?: [0-9a-z_:.] | \xe2\x80\xa6 | [\xc3-\xd4][\x80-\xbf] | %b ){0,200}
    (?: / [0-9]{1,3} | )
|
    %b
""" % (_COLON, re.escape(_ZONE))


def find_possible_starts(lower: bytes, begin: int, end: int) -> list[int]:
    """Return where something begins that could be an address, in order.

    It is `fdaa` and a colon, also with percent escapes, and more than a word; the beginning of a
    tuple; the end of a reverse zone; or `fdaa:` in UTF-16 within a text of another encoding.
    """
    starts = {match.start() for match in compiled(_FDAA).finditer(lower, begin, end)}
    if _LETTER_ESCAPE in lower:
        starts.update(
            match.start() for match in compiled(_ESCAPED_FDAA).finditer(lower, begin, end)
        )
    if _FIRST_GROUP in lower:
        starts.update(match.start() for match in compiled(_TUPLE).finditer(lower, begin, end))
    for part in (_ZONE, _UTF_16):
        start = lower.find(part, begin, end)
        while start >= 0:
            starts.add(start)
            start = lower.find(part, start + 1, end)
    return sorted(starts)


def find_possible(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each text that could be an address begins and ends, in order.

    >>> text = "2001:db8:fdaa::1 or fdaa:2:45b:zz"
    >>> [text[start:end] for start, end in find_possible(text)]
    ['fdaa::1', 'fdaa:2:45b:zz']
    """
    data = text.encode(errors="surrogatepass").lower()
    before = 0
    begin = 0
    for start in find_possible_starts(data, 0, len(data)):
        match = compiled(_EXTENT).match(data, start)
        length = 0
        if match is not None:
            length = len(match.group().decode(errors="ignore"))
        begin += len(data[before:start].decode(errors="surrogatepass"))
        before = start
        yield begin, begin + length
