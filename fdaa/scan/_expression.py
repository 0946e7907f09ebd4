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

Addresses with percent escapes, tuples of Erlang and reverse pointers are addresses, too:
`_other_forms.py`.
"""

from __future__ import annotations

import re
from heapq import merge
from typing import TYPE_CHECKING, TypeAlias

from fdaa._values.address import Address, Prefix
from fdaa._values.bits import ADDRESS_BITS, NETWORK_PREFIX_LENGTH, is_prefix
from fdaa._values.errors import AddressError
from fdaa._values.text import (
    AF_INET6,
    MAX_LENGTH,
    REFUSED,
    inet_ntop,
    inet_pton,
    is_ipv6,
)
from fdaa.scan._expression_parts import EDGE, LEFT, compiled
from fdaa.scan._other_forms import (
    ENCODED_DIGIT,
    ENCODED_HEAD,
    ENCODED_SLASH,
    decoded,
    encoded_length,
    find_other_forms,
    is_encoded,
    read_other_form,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

# What a text is, and how many of its bytes it takes.
Reading: TypeAlias = tuple[Address | Prefix, int]

RIGHT = 3100  # the longest possible match
# What can be a part of a match, or right after one; in lower case, as all that is searched. The
# last ones begin a letter.
PARTS = b"0123456789abcdefghijklmnopqrstuvwxyz_:./%{}, " + bytes(range(0xC3, 0xD5))

_FDAA = b"fdaa"

# --- the run --------------------------------------------------------------------------------------

# What follows `fdaa:`. Of hex digits and colons, 500 are read as a whole; the longest address has
# 39. A letter, or a length with too many digits, is taken as well, so that it is seen. Letters
# outside ASCII are those of Latin, Greek and Cyrillic, U+00C0 to U+053F in UTF-8. An empty
# alternative is faster than a question mark.
_TAIL_OF = rb"""
    %(digit)b {1,500}
    (?:
        \.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}    # a dotted quad, of which the run has the first part
        %(digit)b {0,500}                       # a port; or more, and so no address
    |
    )
    (?:
        [g-z_] | [\xc3-\xd4][\x80-\xbf]         # a letter
    |
        %(slash)b [0-9]{1,3}                    # a prefix length
        (?: [0-9a-z_] | [\xc3-\xd4][\x80-\xbf] | )
    |
    )
"""
# Text in lower case has no `A`: with three ranges, `re` looks bytes up in a bitmap, a third faster.
_DIGIT = b"[0-9a-f:A]"
_TAIL = _TAIL_OF % {b"digit": _DIGIT, b"slash": b"/"}
_RUN = b"fdaa:" + _TAIL
_ENCODED_RUN = ENCODED_HEAD + _TAIL_OF % {b"digit": ENCODED_DIGIT, b"slash": ENCODED_SLASH}
# The seven groups that follow `fdaa:` in a whole address. A group in front would be a ninth one.
_SEVEN = rb"[0-9a-f]{1,4} (?: :[0-9a-f]{1,4} ){6} (?! [0-9a-f] )"
# An address that no group can follow.
_COMPLETE = rb"fdaa: (?: %b | [0-9a-f:]{2,35} (?: \. [0-9]{1,3} ){3} ) (?= : )" % _SEVEN
_USUAL_EDGE = rb"""
    (?<! [0-9a-z_:\x80-\xbf] fdaa:)     # neither a word nor a colon in front
|
    # A word that is no group (`peer:`, `node:`), where its end is no escape.
    (?<= [g-z_] :fdaa:)
    | (?<= [ac-z_][g-z_] [0-9a-f] :fdaa:)
    | (?<= [ac-z_][g-z_] [0-9a-f]{2} :fdaa:)
    | (?<= [ac-z_][g-z_] [0-9a-f]{3} :fdaa:)
    | (?<= [ac-z_][g-z_] [0-9a-f]{4} :fdaa:)
|
    # The number of a line, at its start (`12:`).
    (?<= \n [0-9] :fdaa:)
    | (?<= \n [0-9]{2} :fdaa:)
    | (?<= \n [0-9]{3} :fdaa:)
    | (?<= \n [0-9]{4} :fdaa:)
|
    # The number of a line, after the name of a file that ends in no hex digit (`app.log:12:`).
    (?<= [^\s:0-9a-f]: [0-9] :fdaa:)
    | (?<= [^\s:0-9a-f]: [0-9]{2} :fdaa:)
    | (?<= [^\s:0-9a-f]: [0-9]{3} :fdaa:)
    | (?<= [^\s:0-9a-f]: [0-9]{4} :fdaa:)
"""
# Not after a group that is no number (`2001:db8:`), which is seen here for speed.
_OTHER_EDGE = rb"""
    (?<! [^0-9a-z_\x80-\xbf] [a-f] :fdaa:)
    (?<! [^0-9a-z_\x80-\xbf] (?! [0-9]{2}: ) [0-9a-f]{2} :fdaa:)
    (?<! [^0-9a-z_\x80-\xbf] (?! [0-9]{3}: ) [0-9a-f]{3} :fdaa:)
    (?<! [^0-9a-z_\x80-\xbf] (?! [0-9]{4}: ) [0-9a-f]{4} :fdaa:)
    (?= [0-9a-f:])
"""
# What follows `fdaa:`: the run, at one of the usual left edges; at another edge, nothing.
_AFTER_HEAD = b"(?: (?:%b) %b | (?= %b | %b ) )" % (_USUAL_EDGE, _TAIL, _OTHER_EDGE, _SEVEN)
# The same, and also after a group of what may be another address: no word in front is enough.
_AFTER_ANY_GROUP = rb"(?: (?<! [0-9a-z_\x80-\xbf] fdaa:) %b | (?= [0-9a-f:] ) )" % _TAIL
_OR_ESCAPE = b"fdaa (?: : %b | %% (?= 3a ) )"
_PROPOSAL = b"fdaa:" + _AFTER_HEAD
_PROPOSAL_OR_ESCAPE = _OR_ESCAPE % _AFTER_HEAD
_WIDE = b"fdaa:" + _AFTER_ANY_GROUP
_WIDE_OR_ESCAPE = _OR_ESCAPE % _AFTER_ANY_GROUP
_HEADS = (b"fdaa:", b"fdaa%")  # what is matched at another edge, or before an escape
_HEAD = len(_HEADS[0])
_SECOND = b":fdaa:"  # in a run: the head of another address, or a group

# --- the left edge, read from right to left -------------------------------------------------------

# Not after a group and its colons.
_LEFT_EDGE = EDGE + rb"(?! :{1,2} [0-9a-f]{1,4}" + EDGE + rb")"
# One or two numbers, at the start of a line or after the name of a file. A name that ends in hex
# digits could end in the first group of another address (`[2001`), unless the digits are a part of
# a longer word or follow a dot in one (`log.1`).
_NUMBERS = (
    rb"""
    (?P<groups>
        : [0-9]{1,4} (?: : [0-9]{1,20} )?
        (?:
            (?= \n )
        |
            : [0-9a-f]{1,4} %b (?= [^\s:] ) (?! \. (?: [0-9a-z_] | [\x80-\xbf][\xc3-\xd4] ) )
        |
            : [0-9a-f]{0,40} (?P<is_name> (?= [^\s:0-9a-f] ) )
        )
    )
"""
    % EDGE
)


def find_runs(lower: bytes, begin: int, end: int) -> list[bytes]:
    """Return the candidates, texts that may begin with an address, in order.

    Args:
        lower: text in lower case that begins with a line feed.
        begin, end: where to search.
    """
    runs: list[bytes] = _proposal(lower, False).findall(lower, begin, end)
    others = find_other_forms(lower, begin, end)
    if others or any(head in runs for head in _HEADS):
        return [match.group() for match in _in_order(lower, begin, end, others, False)]
    return runs


def _proposal(lower: bytes, wide: bool) -> re.Pattern[bytes]:
    if b"%" in lower:
        return compiled(_WIDE_OR_ESCAPE if wide else _PROPOSAL_OR_ESCAPE)
    return compiled(_WIDE if wide else _PROPOSAL)  # the longer literal is found faster


def find_matches(
    lower: bytes, begin: int, end: int, *, wide: bool = False
) -> Iterator[re.Match[bytes]]:
    """Return a match for each text that `find_runs` returns.

    Args:
        lower, begin, end: as for `find_runs`.
        wide: also those that may be a part of another address, as after `db:`; each is read by
            `judge_wide`.
    """
    others = find_other_forms(lower, begin, end)
    return _in_order(lower, begin, end, others, wide)


def _in_order(
    lower: bytes, begin: int, end: int, others: list[re.Match[bytes]], wide: bool
) -> Iterator[re.Match[bytes]]:
    runs = find_with_colons(lower, begin, end, wide)
    if others:
        return _apart(merge(runs, others, key=re.Match.start))
    return runs


def _apart(matches: Iterator[re.Match[bytes]]) -> Iterator[re.Match[bytes]]:
    """Yield the matches that do not begin inside the one before, its `/48` left out."""
    end = 0
    for match in matches:
        if match.start() >= end:
            run, _, _ = match.group().replace(b"%2f", b"/  ").partition(b"/")
            end = match.start() + len(run)
            yield match


def find_with_colons(lower: bytes, begin: int, end: int, wide: bool) -> Iterator[re.Match[bytes]]:
    """Yield those matches of `find_matches` that begin with `fdaa`."""
    run_end = 0
    for match in _proposal(lower, wide).finditer(lower, begin, end):
        start, stop = match.span()
        if start < run_end:
            continue
        if not wide and stop - start > _HEAD:  # nearly all
            yield match
            continue
        run: re.Match[bytes] | None = match
        if stop - start <= _HEAD:
            run = _run_after(lower, start, end, wide)
        if run is None:
            continue
        run_end = run.end()
        if wide and lower.find(_SECOND, start, run_end) >= 0:
            yield from _separate(lower, run)
        else:
            yield run


def _run_after(lower: bytes, start: int, end: int, wide: bool) -> re.Match[bytes] | None:
    """Return the run at another edge, or with escapes."""
    if lower.startswith(ENCODED_HEAD, start):
        return _encoded_run(lower, start, end, wide)
    return _run_at_other_edge(lower, start, end, wide)


def _separate(lower: bytes, run: re.Match[bytes]) -> Iterator[re.Match[bytes]]:
    """Yield a run, and the address that it ends in unless that is a part of the first one."""
    start, end = run.span()
    reading = judge_wide(run.group())
    length = 0 if reading is None else reading[1]
    second = lower.find(_SECOND, start + length, end)
    if second < 0:
        yield run
        return
    yield from find_with_colons(lower, start, second, True)
    yield from find_with_colons(lower, second + 1, end, True)


def _encoded_run(lower: bytes, start: int, end: int, wide: bool) -> re.Match[bytes] | None:
    run = compiled(_ENCODED_RUN).match(lower, start, end)
    if run is None:
        return None
    before = decoded(lower[max(0, start - LEFT) : start])
    text = before + decoded(run.group())
    proposal = _proposal(b"", wide).match(text, len(before))
    if proposal is None:
        return None
    is_usual = len(proposal.group()) > _HEAD
    if is_usual or _run_at_other_edge(text, len(before), len(text), wide) is not None:
        return run
    return None


def _run_at_other_edge(lower: bytes, start: int, end: int, wide: bool) -> re.Match[bytes] | None:
    run = compiled(_RUN).match(lower, start, end)
    if run is None or not _has_left_edge(lower, run, wide):
        return None
    return run


def _has_left_edge(lower: bytes, run: re.Match[bytes], wide: bool) -> bool:
    start = run.start()
    before = lower[max(0, start - LEFT) : start][::-1]
    if wide:
        return compiled(EDGE).match(before) is not None
    if compiled(_LEFT_EDGE).match(before):
        return True
    if not before.startswith(b":"):
        return False
    if compiled(_SEVEN).match(lower, start + _HEAD):
        return True
    return _is_after_numbers(before, run.group())


def _is_after_numbers(before: bytes, run: bytes) -> bool:
    """Whether a run follows the numbers of a line and a column, and not groups of its address.

    Args:
        before: what is before the run, reversed.
        run: the run.
    """
    numbers = compiled(_NUMBERS).match(before)
    if numbers is None:
        return False
    reading = judge(run)
    if reading is None or numbers["is_name"] is not None:
        return True
    value, length = reading
    if isinstance(value, Prefix):
        length = run.index(b"/")
    whole = numbers["groups"][::-1] + run[:length]
    return not is_ipv6(whole.decode())


# --- the decision ---------------------------------------------------------------------------------

# A word that cannot be a group, and so ends an address: it has a fifth digit or a letter beyond f,
# which is the last character of a run.
_WORD = re.compile(r":(?:[0-9a-f]{5}|[0-9a-f]{0,4}[^0-9a-f:./])")


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
    address = _parse(run.decode())  # mostly the run is an address
    if address is not None:
        return address, len(run)
    return _judge_other(run)


def _judge_other(run: bytes) -> Reading | None:
    """Return what `judge` does for a run that as a whole is no address."""
    if is_encoded(run):
        reading = judge(decoded(run))
        if reading is None:
            return None
        value, length = reading
        return value, encoded_length(run, length)
    if not run.startswith(_FDAA):
        address = read_other_form(run)
        if address is None:
            return None
        return address, len(run)
    text, _, digits = run.decode().partition("/")
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


def judge_wide(run: bytes) -> Reading | None:
    """Return what `judge` does, and also an address that one more group may belong to.

    >>> judge(b"fdaa:1:2:3:4:5:6:7:bad"), judge_wide(b"fdaa:1:2:3:4:5:6:7:bad")
    (None, (Address('fdaa:1:2:3:4:5:6:7'), 18))
    """
    reading = judge(run)
    if reading is not None:
        return reading
    if is_encoded(run):
        reading = judge_wide(decoded(run))
        return reading and (reading[0], encoded_length(run, reading[1]))
    complete = compiled(_COMPLETE).match(run)
    if complete is None:
        return None
    return judge(complete.group())


def judge_packed(run: bytes) -> tuple[bytes, int] | None:
    """Return what `judge` does, as 16 bytes and a prefix length: 128 of an address.

    To make an object for an address takes twice the time.

    >>> judge_packed(b"fdaa:0:18::/48")[1], judge_packed(b"fdaa::1g")
    (48, None)
    """
    try:
        return inet_pton(AF_INET6, run.decode()), ADDRESS_BITS  # mostly the run is an address
    except REFUSED:
        reading = _judge_other(run)
    if reading is None:
        return None
    value, _ = reading
    if isinstance(value, Prefix):
        return value.address.packed, value.length
    return value.packed, ADDRESS_BITS


def text_of(packed: bytes, length: int) -> str:
    """Return the canonical text of an address or a prefix that `judge_packed` returns."""
    text = inet_ntop(AF_INET6, packed)
    if length == ADDRESS_BITS:
        return text
    return f"{text}/{length}"


def _in_run(text: str) -> tuple[Address, int] | None:
    before, dot, after = text.partition(".")
    quad_end = 0
    if dot:
        quad, _, _ = after.partition(":")
        if _parse(f"{before}.{quad}") is None:
            text = before  # no dotted quad: a dot and a port, or the end of a sentence
        else:
            quad_end = len(before) + 1 + len(quad)
    word = _WORD.search(text, quad_end)
    if word is not None:
        return _with_or_without_port(text[: word.start()])
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
    # After `::` four digits are a group, unless a dotted quad has ended the address.
    could_be_a_group = "::" in head and "." not in head
    if could_be_a_group or not port.isdecimal():
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
