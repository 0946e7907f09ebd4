"""IPv6 text read and written slowly and plainly: what the fast code is compared with.

It shares no code and no way of working with fdaa: it cuts the text at "::" and at ":" and looks at
the pieces, where fdaa goes from character to character.
"""

from __future__ import annotations

import string


def parse(text: str) -> bytes | None:
    """Return the 16 bytes of an IPv6 address (RFC 4291, section 2.2), or None if it is none.

    1. The preferred form is x:x:x:x:x:x:x:x, each x one to four hex digits.
    2. "::" stands for one or more groups of zeros, and can appear only once.
    3. The last two groups may be the four decimal octets of an IPv4 address.
    """
    halves = text.split("::")
    if len(halves) == 1:
        groups = _groups(text, at_the_end=True)
    elif len(halves) == 2:
        left = _groups(halves[0], at_the_end=False)
        right = _groups(halves[1], at_the_end=True)
        if left is None or right is None:
            return None
        missing = 8 - len(left) - len(right)
        if missing < 1:
            return None
        groups = left + [0] * missing + right
    else:
        return None
    if groups is None or len(groups) != 8:
        return None
    return b"".join(group.to_bytes(2, "big") for group in groups)


def _groups(half: str, *, at_the_end: bool) -> list[int] | None:
    if half == "":
        return []
    *before, end = half.split(":")
    numbers = []
    for piece in before:
        if not _is_group(piece):
            return None
        numbers.append(int(piece, 16))
    if _is_group(end):
        return [*numbers, int(end, 16)]
    octets = end.split(".")
    if at_the_end and len(octets) == 4 and _OCTETS.issuperset(octets):
        a, b, c, d = map(int, octets)
        return [*numbers, a * 256 + b, c * 256 + d]
    return None


def _is_group(piece: str) -> bool:
    return 1 <= len(piece) <= 4 and set(string.hexdigits).issuperset(piece)


# RFC 4291 does not say whether 010 is ten or eight; every parser we trust refuses it.
_OCTETS = {str(number) for number in range(256)}


def write(packed: bytes) -> str:
    """Return the one text of 16 bytes that RFC 5952, section 4, recommends.

    1. No leading zeros, lower case.
    2. "::" for the longest run of zero groups, the first one where two are as long.
    3. Not for a single group.
    """
    numbers = [packed[i] * 256 + packed[i + 1] for i in range(0, 16, 2)]
    texts = [format(number, "x") for number in numbers]
    for length in range(8, 1, -1):
        for start in range(8 - length + 1):
            if numbers[start : start + length] == [0] * length:
                return ":".join(texts[:start]) + "::" + ":".join(texts[start + length :])
    return ":".join(texts)
