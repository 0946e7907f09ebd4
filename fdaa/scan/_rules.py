r"""What counts as an address in running text: one expression proposes, `Address`'s parser decides.

    peer=[FDAA:0:18::3]:53
          ^^^^^                 `fdaa:`, in any case
         ^                      left edge: no word, and no group of another address
               ^^^^^^           the run: hex digits and colons, a dotted quad, `/48`
                     ^          right edge: a letter here would be a part of the word

The expression searches text in lower case, and starts with the literal `fdaa:`, which the search
finds six times as fast as a class; so the left edge is told by look-behinds that stand behind it.
What stands inside a run is not looked at again. The text must begin with a line feed that is not
its own, so that its first line begins like every other.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from fdaa._bits import NETWORK_PREFIX_LENGTH, is_prefix
from fdaa._text import MAX_LENGTH
from fdaa.address import Address
from fdaa.errors import AddressError

if TYPE_CHECKING:
    from collections.abc import Iterable

# How far the expression looks to the left of `fdaa:`, and how long what it matches can be.
LEFT = 64
RIGHT = 1100
# What can be a part of a match, or right behind one; in lower case, as all that is searched.
GLUE = b"0123456789abcdefghijklmnopqrstuvwxyz_:./%"

_RUN_LIMIT = 500  # hex digits and colons of a run; the longest address has 39
_MAX_PORT = 65535


def _by_width(forms: Iterable[tuple[int, bytes]]) -> list[bytes]:
    """Return one alternation for each width: all choices of a look-behind must be equally wide."""
    widths: dict[int, list[bytes]] = {}
    for width, form in forms:
        widths.setdefault(width, []).append(form)
    return [b"|".join(same) for _, same in sorted(widths.items())]


def _escapes() -> list[tuple[int, bytes]]:
    r"""Return what ends in a letter or digit that belongs to no word, with its width.

    JSON's escapes, percent escapes, and those of terminals (ECMA-48; ESC raw or as JSON writes it).
    """
    forms = [(2, rb"\\[bfnrt]"), (6, rb"\\u[0-9a-f]{4}"), (3, rb"%[0-9a-f]{2}")]
    for escape, width in ((rb"\x1b", 1), (rb"\\u001b", 6)):
        forms += [(width + 1, escape + rb"[0-Z\\-~]"), (width + 2, escape + rb"[ -/][0-~]")]
        for count in range(21):  # as many characters as a colour of 24 bits takes, and more
            forms.append((width + count + 2, escape + rb"\[[0-?]{%d}[@-~]" % count))
            if count < 4:
                forms.append((width + count + 3, escape + rb"\[[0-?]{%d}[ -/][@-~]" % count))
    return forms


def _line_numbers() -> list[tuple[int, bytes]]:
    """Return what `grep -n` prints in front of a line, with its width: `12:`, `app.log:12:`.

    The number stands at the start of a line, or behind a word that is no group.
    """
    forms = []
    for digits in range(1, 5):
        number = rb"[0-9]{%d}:" % digits
        forms += [(digits + 2, rb"\n" + number), (digits + 3, rb"[^0-9a-f:]:" + number)]
        forms += [(digits + 7, rb"[0-9a-f]{5}:" + number)]
        for end in range(1, 5):  # `file` ends in a hex digit, and `log.1` in one that is no group
            forms.append((digits + end + 3, rb"[g-z_.][0-9a-f]{%d}:%b" % (end, number)))
    return forms


# --- the expression -------------------------------------------------------------------------------

_OCTET = rb"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
# A group in front would be a ninth one.
_IS_FULL = (
    rb"(?=(?:[0-9a-f]{0,4}:){6}[0-9a-f]{0,4}(?![0-9a-f])"
    rb"|(?:[0-9a-f]{0,4}:){5}" + _OCTET + rb"(?:\." + _OCTET + rb"){3}(?![0-9a-z_]))"
)
# A letter, or a length with too many digits, is taken as well, so that it is seen. An empty
# alternative is faster than a question mark.
_TAIL = (
    rb"[0-9a-f:]{1,%d}(?:\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}[0-9a-f:]{0,%d}|)"
    rb"(?:[g-z_]|/[0-9]{1,3}[0-9a-z_]?|)" % (_RUN_LIMIT, _RUN_LIMIT)
)


@cache
def expression() -> re.Pattern[bytes]:
    """Return the expression, compiled when it is first needed: that takes longer than most scans.

    It is for text in lower case that begins with a line feed.
    """
    no_word = b"(?:(?<![0-9a-z_])|%b)" % b"|".join(b"(?<=%b)" % e for e in _by_width(_escapes()))
    groups = [(d + c, rb"[0-9a-f]{%d}:{%d}" % (d, c)) for d in range(1, 5) for c in range(1, 4)]
    # The look-ahead is for speed: most words in front end in no hex digit.
    no_group = b"".join(
        b"(?<!(?=[0-9a-f]+:)%b(?:%b)fdaa:)" % (no_word, group) for group in _by_width(groups)
    )
    line_number = b"|".join(b"(?<=(?:%b)fdaa:)" % number for number in _by_width(_line_numbers()))
    left_edge = (
        rb"(?:(?<![0-9a-z_:]fdaa:)|(?<=[g-z_]:fdaa:)"  # the usual ones, for speed
        b"|(?<=%bfdaa:)(?:(?<!:fdaa:)|%b|%b|%b))" % (no_word, no_group, line_number, _IS_FULL)
    )
    return re.compile(b"fdaa:" + left_edge + _TAIL)


class Found(NamedTuple):
    """What a run begins with.

    Args:
        address: the address; of a prefix, its first one.
        length: how many bytes of the run it takes.
        prefix_length: 48 to 127 where it is a prefix and so the text of a network; None where it is
            an address.
    """

    address: Address
    length: int
    prefix_length: int | None = None

    def __str__(self) -> str:
        return str(self.address) + ("" if self.prefix_length is None else f"/{self.prefix_length}")


def judge(run: bytes) -> Found | None:
    """Return the address or network that a run begins with; None if there is none.

    Args:
        run: what the expression matches.

    >>> print(judge(b"fdaa::3:25565"), judge(b"fdaa::3:5432"), judge(b"fdaa:0:18::/48"))
    fdaa::3 fdaa::3:5432 fdaa:0:18::/48
    >>> judge(b"fdaa::1::2"), judge(b"fdaa::1g"), judge(b"fdaa::/16")
    (None, None, None)
    """
    whole = run.decode()
    address = _parse(whole)  # mostly the run is an address
    if address is not None:
        return Found(address, len(whole))
    text, _, digits = whole.partition("/")
    found = _in_run(text)
    if found is None or found.length < len(text) or not _is_length(digits):
        return found
    prefix_length = int(digits)
    if not is_prefix(found.address.packed, prefix_length):
        return found
    if prefix_length < NETWORK_PREFIX_LENGTH:
        return None  # of many networks
    return Found(found.address, len(run), prefix_length)


def _is_length(digits: str) -> bool:
    return digits.isdecimal() and (digits == "0" or digits[0] != "0")


def _in_run(text: str) -> Found | None:
    before, dot, behind = text.partition(".")
    if dot and _parse(f"{before}.{behind.partition(':')[0]}") is None:
        text = before  # no dotted quad: a dot and a port, or the end of a sentence
    elif text[-1] in "ghijklmnopqrstuvwxyz_":  # a word, which a colon sets apart
        return _with_or_without_port(text[:-2]) if text[-2] == ":" else None
    found = _with_or_without_port(text)
    # A colon that neither a group nor a colon follows may be left out.
    return _with_or_without_port(text[:-1]) if found is None and text[-1] == ":" else found


def _with_or_without_port(text: str) -> Found | None:
    """Read the whole of a text whose dots, if any, belong to a dotted quad; or all but a port."""
    address = _parse(text)
    if address is not None:
        return Found(address, len(text))
    head, _, port = text.rpartition(":")
    # The port must be one that cannot be a group, or stand where no group can.
    if len(port) <= 5 and port.isdecimal() and int(port) <= _MAX_PORT:
        full = "." in head or head.count(":") >= 7
        address = _parse(head) if full or len(port) == 5 else None
        if address is not None:
            return Found(address, len(head))
    return None


def _parse(text: str) -> Address | None:
    if len(text) > MAX_LENGTH:
        return None
    try:
        return Address.parse(text)
    except AddressError:
        return None
