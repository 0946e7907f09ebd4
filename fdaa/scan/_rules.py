r"""Addresses in running text: one expression finds candidates, the parser of `Address` decides.

    peer=[FDAA:0:18::3]:53
          ^^^^^                 `fdaa:`, in any case
         ^                      left edge: no word, and no group of another address
               ^^^^^^           the run: hex digits and colons, a dotted quad, `/48`
                     ^          right edge: a letter here would be a part of the word

The expression searches text in lower case, and starts with the literal `fdaa:`, which is found six
times as fast as a character class. It decides the usual left edges by look-behinds; the others are
checked backwards, by an expression over the reversed text. The inside of a run is not searched
again. The text must begin with an extra line feed, so that its first line begins like every other.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from fdaa._bits import NETWORK_PREFIX_LENGTH, is_prefix
from fdaa._text import MAX_LENGTH
from fdaa.address import Address, Prefix
from fdaa.errors import AddressError

if TYPE_CHECKING:
    from collections.abc import Iterator

# What a text is, and how many of its bytes it takes.
Reading: TypeAlias = tuple[Address | Prefix, int]

# How far the search looks to the left of `fdaa:`, and the longest possible match.
LEFT = 72
RIGHT = 1100
# What can be a part of a match, or right after one; in lower case, as all that is searched. The
# last ones begin a letter.
GLUE = b"0123456789abcdefghijklmnopqrstuvwxyz_:./%" + bytes(range(0xC3, 0xD5))

_RUN_LIMIT = 500  # hex digits and colons of a run; the longest address has 39
_MAX_PORT = 65535
_FDAA = b"fdaa:"

# --- the run --------------------------------------------------------------------------------------

# Outside ASCII: Latin, Greek and Cyrillic letters, U+00C0 to U+053F in UTF-8.
_LETTER = rb"[\xc3-\xd4][\x80-\xbf]"
_OCTET = rb"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
# A group in front would be a ninth one.
_FULL = (
    rb"(?:(?:[0-9a-f]{0,4}:){6}[0-9a-f]{0,4}(?![0-9a-f])|(?:[0-9a-f]{0,4}:){5}"
    rb"%b(?:\.%b){3}(?![0-9a-z_]|%b))" % (_OCTET, _OCTET, _LETTER)
)
# A letter, or a length with too many digits, is taken as well, so that it is seen. An empty
# alternative is faster than a question mark.
_TAIL = (
    rb"[0-9a-f:]{1,%d}(?:\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}[0-9a-f:]{0,%d}|)"
    rb"(?:[g-z_]|%b|/[0-9]{1,3}(?:[0-9a-z_]|%b|)|)" % (_RUN_LIMIT, _RUN_LIMIT, _LETTER, _LETTER)
)
# The left edges that are met most, for speed: no word in front; a word that is no group (`peer:`,
# `ipv6:`), where its end is no escape; and, refused, a group that is no number (`2001:db8:`).
_NO_WORD = rb"[^0-9a-z_\x80-\xbf]"
_USUAL = rb"(?<![0-9a-z_:\x80-\xbf]fdaa:)|(?<=[g-z_]:fdaa:)" + b"".join(
    rb"|(?<=[ac-z_][g-z_][0-9a-f]{%d}:fdaa:)" % digits for digits in range(1, 5)
)
_REFUSED = b"".join(
    rb"(?<!%b(?![0-9]+:)[0-9a-f]{%d}:fdaa:)" % (_NO_WORD, digits) for digits in range(1, 5)
)
# At another edge `fdaa:` alone is matched. The mark is a group, or nothing.
_PROPOSAL = rb"fdaa:(?:(?:%b)%b%%b|(?:%b|(?=%b))(?=[0-9a-f:]))" % (_USUAL, _TAIL, _REFUSED, _FULL)

# --- the left edge, read from right to left -------------------------------------------------------

# What ends in a letter or digit that belongs to no word: escapes of JSON and of percent signs, and
# those of terminals (ECMA-48). ESC is raw or as JSON writes it; of colours, also as tools write it.
_ESC = rb"(?:\x1b|b100u\\)"
_ESC_OF_TOOLS = rb"(?:\[\^|330#|b1x\\|330\\|e\\)"
_ESCAPE = (
    rb"[bfnrt]\\|[0-9a-f]{4}u\\|[0-9a-f]{2}%%|[0-Z\\-~]%b|[0-~][ -/]%b"
    rb"|[@-~](?:[0-?]{0,48}|[ -/][0-?]{0,3})\[(?:%b|%b)" % (_ESC, _ESC, _ESC, _ESC_OF_TOOLS)
)
_EDGE = rb"(?:(?![0-9a-z_]|[\x80-\xbf][\xc3-\xd4])|(?=%b))" % _ESCAPE
# The number that `grep -n` prints, or the two of `rg --column` and compilers: `12:`, `app.log:12:`,
# `app.log:12:1:`. Each stands at the start of a line, or after a word that is no group. Groups of
# real addresses begin with 2 or 3, as the number of a line may after the name of a file.
_NO_GROUP = rb"(?:\n|:[^0-9a-f:\n]|:[0-9a-f]{5}|:[0-9a-f]{1,4}[g-z_.])"
_LINE_NUMBER = rb":[0-9]{1,4}(?:%b|:(?![0-9]{3}[23])[0-9]{1,4}%b|:[0-9]{1,4}:[0-9a-z_]{1,5}\.)" % (
    _NO_GROUP,
    _NO_GROUP,
)
_LEFT_EDGE = rb"%b(?!:{1,3}[0-9a-f]{1,4}%b)|%b" % (_EDGE, _EDGE, _LINE_NUMBER)


_TEXTS, _PLACES, _RUN, _IS_FULL = _PROPOSAL % b"", _PROPOSAL % b"()", _FDAA + _TAIL, _FDAA + _FULL


@cache
def _compiled(source: bytes) -> re.Pattern[bytes]:
    """Compile an expression when it is first needed: most scans take less time."""
    return re.compile(source)


def find_runs(lower: bytes, begin: int, end: int) -> list[bytes]:
    """Return the candidates, texts that may begin with an address, in order.

    Args:
        lower: text in lower case that begins with a line feed.
        begin, end: where to search.
    """
    runs: list[bytes] = _compiled(_TEXTS).findall(lower, begin, end)
    if _FDAA in runs:
        return [match.group() for match in find_matches(lower, begin, end)]
    return runs


def find_matches(lower: bytes, begin: int, end: int) -> Iterator[re.Match[bytes]]:
    """Yield a match for each text that `find_runs` returns."""
    run_end = 0
    for match in _compiled(_PLACES).finditer(lower, begin, end):
        if match.lastindex:
            yield match
        elif match.start() >= run_end and _has_left_edge(lower, match.start()):
            run = _compiled(_RUN).match(lower, match.start(), end)
            if run is not None:
                run_end = run.end()
                yield run


def _has_left_edge(lower: bytes, start: int) -> bool:
    before = lower[max(0, start - LEFT) : start][::-1]
    if _compiled(_LEFT_EDGE).match(before):
        return True
    return before.startswith(b":") and _compiled(_IS_FULL).match(lower, start) is not None


def judge(run: bytes) -> Reading | None:
    """Return the address or network that a run begins with, and its length; None if there is none.

    Args:
        run: one of those that `find_runs` returns.

    >>> judge(b"fdaa::3:25565")
    (Address('fdaa::3'), 7)
    >>> judge(b"fdaa::3:5432")
    (Address('fdaa::3:5432'), 12)
    >>> judge(b"fdaa:0:18::/48")
    (Prefix('fdaa:0:18::/48'), 14)
    >>> judge(b"fdaa::1::2"), judge(b"fdaa::1g"), judge(b"fdaa::/16")
    (None, None, None)
    """
    whole = run.decode()
    address = _parse(whole)  # mostly the run is an address
    if address is not None:
        return address, len(whole)
    text, _, digits = whole.partition("/")
    reading = _in_run(text)
    if reading is None:
        return None
    address, length = reading
    if length < len(text) or not digits.isdecimal():
        return reading
    prefix_length = int(digits)
    if str(prefix_length) != digits or not is_prefix(address.packed, prefix_length):
        return reading
    if prefix_length < NETWORK_PREFIX_LENGTH:
        return None  # of many networks
    return Prefix.build(address, prefix_length), len(run)


def address_of(value: Address | Prefix) -> Address:
    """Return an address, or the first one of a prefix."""
    if isinstance(value, Prefix):
        return value.address
    return value


def prefix_length_of(value: Address | Prefix) -> int | None:
    """Return the length of a prefix; None for an address."""
    if isinstance(value, Prefix):
        return value.length
    return None


def _in_run(text: str) -> tuple[Address, int] | None:
    before, dot, after = text.partition(".")
    if dot and _parse(f"{before}.{after.partition(':')[0]}") is None:
        text = before  # no dotted quad: a dot and a port, or the end of a sentence
    elif text[-1] not in "0123456789abcdef:.":  # a word, which a colon sets apart
        if text[-2] != ":":
            return None
        return _with_or_without_port(text[:-2])
    reading = _with_or_without_port(text)
    if reading is None and text[-1] == ":":
        return _with_or_without_port(text[:-1])  # neither a group nor a colon follows
    return reading


def _with_or_without_port(text: str) -> tuple[Address, int] | None:
    """Read the whole of a text whose dots, if any, belong to a dotted quad; or all but a port."""
    address = _parse(text)
    if address is not None:
        return address, len(text)
    head, _, port = text.rpartition(":")
    # The port must be one that cannot be a group, or stand where no group can.
    if len(port) > 5 or not port.isdecimal() or int(port) > _MAX_PORT:
        return None
    is_full = "." in head or head.count(":") >= 7
    if not is_full and len(port) < 5:
        return None
    address = _parse(head)
    if address is None:
        return None
    return address, len(head)


def _parse(text: str) -> Address | None:
    if len(text) > MAX_LENGTH:
        return None
    try:
        return Address(text)
    except AddressError:
        return None
