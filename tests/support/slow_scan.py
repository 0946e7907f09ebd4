"""The scanner's rules, character by character: slow, to be read, and to be agreed with."""

from __future__ import annotations

from fdaa import Address, AddressError

HEX = "0123456789abcdefABCDEF"
WORD = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
NEAR = 64  # how far to the left an edge is looked for


def find(text: str) -> list[tuple[Address, int, int]]:
    found = []
    for start in range(len(text)):
        if text[start : start + 5].lower() == "fdaa:" and begins(
            text[max(0, start - NEAR) : start]
        ):
            end = end_of(text, start)
            if end is not None:
                found.append((Address.parse(text[start:end]), start, end))
    return found


def begins(before: str) -> bool:
    """Not in a word, and not behind a group of another address and its colons."""
    if not is_edge(before):
        return False
    if not before.endswith(":"):
        return True
    colons = len(before) - len(before.rstrip(":"))
    if colons == NEAR:
        return False  # nobody looks what they belong to
    before = before[: len(before) - colons]
    for digits in (1, 2, 3, 4):
        group, rest = before[-digits:], before[:-digits]
        if len(group) == digits and all(c in HEX for c in group) and is_edge(rest):
            return False
    return True


def is_edge(before: str) -> bool:
    if not before or before[-1] not in WORD:
        return True
    return any(is_escape(before[start:]) for start in range(len(before)))


def is_escape(text: str) -> bool:
    text = text.lower()
    if text in ("\\b", "\\f", "\\n", "\\r", "\\t"):
        return True
    for mark, digits in (("\\u", 4), ("%", 2)):
        behind = text.removeprefix(mark)
        if behind != text and len(behind) == digits and all(c in HEX for c in behind):
            return True
    for escape in ("\x1b", "\\u001b"):
        if text.startswith(escape) and len(text) > len(escape):
            *middle, final = text[len(escape) :]
            if middle[:1] == ["["]:
                middle = middle[1:]
                while middle and "0" <= middle[0] <= "?":
                    middle = middle[1:]
                last = "@"
            else:
                last = "0"
            if all(" " <= c <= "/" for c in middle) and last <= final <= "~":
                return True
    return False


def end_of(text: str, start: int) -> int | None:
    """The longest text that parses and does not end in a word; then what a colon behind it says."""
    for end in range(min(len(text), start + 45), start, -1):
        if parses(text[start:end]) and text[end : end + 1] not in tuple(WORD):
            break
    else:
        return None
    if not goes_on(text, end):
        return end
    port = end + 1
    while text[port : port + 1] in tuple("0123456789"):
        port += 1
    digits = text[end + 1 : port]
    if not 1 <= len(digits) <= 5 or int(digits) > 65535:
        return None
    if text[port : port + 1] in tuple(WORD) or goes_on(text, port):
        return None
    address = text[start:end]
    full = "." in address or address.count(":") >= 7
    return end if full or len(digits) == 5 else None


def goes_on(text: str, end: int) -> bool:
    """A colon, and a hex digit or another colon."""
    return text[end : end + 1] == ":" and text[end + 1 : end + 2] in tuple(HEX + ":")


def parses(text: str) -> bool:
    try:
        Address.parse(text)
    except AddressError:
        return False
    return True
