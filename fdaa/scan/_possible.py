"""What could be an address in a text, whether it is one or not.

`--strict` and the lines that people paste have one rule: what is not read and begins like this is
reported. Text is searched in lower case.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fdaa.scan._expression_parts import COLOUR, compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

# --- what may stand inside ------------------------------------------------------------------------

# Colours (also those of `grep --color`), and characters that are not visible: U+200B to U+200F,
# U+202A to U+202E, U+2060 to U+206F, U+FEFF and U+00AD.
_NOISE = rb"""
    (?:
        %b
    |   \xe2\x80 [\x8b-\x8f\xaa-\xae] | \xe2\x81 [\xa0-\xaf] | \xef\xbb\xbf | \xc2\xad
    ){0,3}
""" % COLOUR.encode()
# A colon, also as URLs, JSON, shells, HTML, mails and full-width keyboards write it.
_COLON = rb"""
    (?:
        : | % (?:25){0,3} 3a | %u003a | =3a
    |   \\{1,8} (?: : | u003a | u\{3a\} | x3a | 072 )
    |   &\# (?: 0{0,4} 58 | x0{0,4} 3a ) ;? | &colon;
    |   \xef\xbc\x9a | \xef\xb8\x93 | \xef\xb9\x95 | \xe2\x88\xb6 | \xea\x9e\x89
    )
"""
_DIGIT = rb"(?: [0-9a-f] | \xef\xbc [\x90-\x99\xa1-\xa6] | \xef\xbd [\x81-\x86] )"

# --- how it begins --------------------------------------------------------------------------------

# `fdaa` alone is a part of many digests, and `fdaa:error` is prose.
_AFTER_FDAA = rb"""
    (?=
        %(noise)b %(colon)b %(noise)b
        (?:
            # a group, and a colon or a cut-off end
            %(digit)b{0,4} %(noise)b (?: %(colon)b | \. | \xe2\x80\xa6 )
        |   %(digit)b{0,4} (?: [0-9] | \xef\xbc [\x90-\x99] )
        |   %(digit)b{1,4} (?! [0-9a-z_] )
        |   [0-9a-z_]{1,5} : [0-9a-z_:]                 # 2g:3
        )
    |
        \.\.\. | \xe2\x80\xa6                           # cut off
    )
""" % {b"noise": _NOISE, b"colon": _COLON, b"digit": _DIGIT}
# With other separators, as in the names of hosts and files: not in a word, and not as the second
# group of a UUID. The look-behinds stand after `fdaa`, as a literal is found fastest.
_WITH_DASHES = rb"""
    (?<! [0-9a-z] fdaa ) (?<! [0-9a-f]{8}-fdaa )
    (?= (?P<dash> [-_] ) [0-9a-f]{0,4} (?P=dash){1,2} [0-9a-f]{1,4} (?! [0-9a-rt-z] ) )
"""
# 32 digits; and groups, as `tcpdump -x` prints them.
_WITHOUT_COLONS = rb"""
    (?: (?<! [0-9a-z] fdaa ) | (?<= [0\\] xfdaa ) )
    (?= (?: [0-9a-f]{28} | (?: [ ][0-9a-f]{4} ){3} ) (?! [0-9a-z] ) )
"""
_FDAA = b"fdaa (?: %b | %b | %b )" % (_AFTER_FDAA, _WITH_DASHES, _WITHOUT_COLONS)
# Its letters may be escaped or full-width, with noise between them.
_LETTER = rb"(?: %c | %%%02x | \\x%02x | \\u00%02x | \xef\xbc%b | \xef\xbd%b )"


def _letter(letter: int) -> bytes:
    """Return the expression for a letter in any of its forms."""
    place = letter - ord("a")
    full_width = bytes([0xA1 + place]), bytes([0x81 + place])
    return _LETTER % (letter, letter, letter, letter, *full_width)


_DISGUISED_FDAA = _NOISE.join(map(_letter, b"fdaa")) + _AFTER_FDAA
# One of these is in each `fdaa` that is disguised; most texts have none.
_DISGUISES = (
    *(b"%6", rb"\x6", rb"\u006"),
    *(b"\x1b", rb"\u001b", rb"\x1b", rb"\033", rb"\e", b"^[", b"#033"),
)
_DISGUISES_OUTSIDE_ASCII = (
    *(b"\xe2\x80", b"\xe2\x81", b"\xef\xbb\xbf", b"\xc2\xad", b"\xef\xbc", b"\xef\xbd"),
)

_TUPLE = rb"\{ [ ]? 64938 [ ]? ,"  # of Erlang, whole or not
_FIRST_GROUP = b"64938"
_ZONE = b".a.a.d.f.ip6.arpa"
_ESCAPED_BYTES = rb"\xfd\xaa"
_UTF_16 = "fdaa:".encode("utf-16-le").rstrip(
    b"\0"
)  # as PowerShell's `>>` leaves it; any byte order

# All that belongs to it, to be shown.
_EXTENT = rb"""
    \{ [0-9, ]{0,100} \}?
|
    fdaa[-_] [0-9a-z._-]{1,200}
|
    [0-9a-z%%]{4,12}
    (?:
        [0-9a-z_:.] | [\xc3-\xd4][\x80-\xbf]
    |   \xe2\x80 [\x8b-\x8f\xa6] | \xef [\xbb-\xbd][\x80-\xbf]
    |   %b
    ){0,200}
    (?: / [0-9]{1,3} | )
|
    %b
|
    [^\s"'<>]{1,200}    # its letters are escaped, or not together
""" % (_COLON, re.escape(_ZONE))


def find_possible_starts(lower: bytes, begin: int, end: int) -> list[int]:
    """Return where something begins that could be an address, in order.

    It is `fdaa` and a colon, also escaped, with a colour or an invisible character in it, and more
    than a word; other separators, or none; the beginning of a tuple; the end of a reverse zone; or
    `fdaa:` in UTF-16 within a text of another encoding.
    """
    expressions = [_FDAA]
    if _has_disguise(lower):
        expressions.append(_DISGUISED_FDAA)
    if _FIRST_GROUP in lower:
        expressions.append(_TUPLE)
    starts: set[int] = set()
    for expression in expressions:
        starts.update(match.start() for match in compiled(expression).finditer(lower, begin, end))
    for part in (_ZONE, _ESCAPED_BYTES, _UTF_16):
        start = lower.find(part, begin, end)
        while start >= 0:
            starts.add(start)
            start = lower.find(part, start + 1, end)
    return sorted(starts)


def _has_disguise(lower: bytes) -> bool:
    """Whether a text has something that occurs in each disguised `fdaa`."""
    if not lower.isascii() and any(sign in lower for sign in _DISGUISES_OUTSIDE_ASCII):
        return True
    # One byte is found twenty times as fast as several.
    return any(sign[:1] in lower and sign in lower for sign in _DISGUISES)


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
        length = len(match.group().decode(errors="ignore")) if match is not None else 0
        begin += len(data[before:start].decode(errors="surrogatepass"))
        before = start
        yield begin, begin + length
