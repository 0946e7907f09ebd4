"""The scanner's rules, character by character: slow, to be read, and to be agreed with."""

from __future__ import annotations

import ipaddress
from typing import NamedTuple

from fdaa import Address, AddressError, Prefix

HEX = "0123456789abcdefABCDEF"
DECIMAL = "0123456789"
WORD = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
RUN_LIMIT = 500  # hex digits and colons that are read as a whole


class Found(NamedTuple):
    value: Address | Prefix
    start: int
    end: int


def find(text: str, *, wide: bool = False) -> list[Found]:
    """Find addresses; with `wide`, also those that may be a part of another address."""
    found = []
    at = 0
    run_end = 0
    while at < len(text):
        if wide and is_proposed(text, at) and is_edge(text[:at]) and not at < run_end < at + 6:
            run_end = max(run_end, end_of_run(text, at))
            read = read_wide(text, at)
            if read is None:
                at += 1
            else:
                found.append(read)
                at = read.end
        elif not wide and is_proposed(text, at) and begins(text[:at], text[at:]):
            read = read_at(text, at)
            if read is not None:
                found.append(read)
            at = end_of_run(text, at)  # what stands inside is not looked at again
        elif at >= run_end and (encoded := encoded_at(text, at, wide=wide)) is not None:
            read, at = encoded
            if read is not None:
                found.append(read)
        elif (other := tuple_at(text, at) or pointer_at(text, at)) is not None:
            found.append(other)
            at = other.end
        else:
            at += 1
    return found


def read_wide(text: str, start: int) -> Found | None:
    """An address before another head or, where no group fits, before any group."""
    head = text.lower().find(":fdaa:", start, end_of_run(text, start))
    before = text if head < 0 else text[:head]
    read = read_at(text, start) or read_at(before, start)
    if read is not None:
        return read
    for end in range(min(len(before), start + 45), start, -1):
        full = "." in before[start:end] or "::" not in before[start:end]
        if parses(before[start:end]) and full and before[end : end + 1] == ":":
            return Found(Address(before[start:end]), start, end)
    return None


def encoded_at(text: str, start: int, *, wide: bool) -> tuple[Found | None, int] | None:
    """With `%3A` for colons: it is read as if they were decoded. Also the end of the run."""
    if text[start : start + 7].lower() != "fdaa%3a":
        return None
    decoded = ""
    places = []  # of each character of the decoded text
    at = 0
    while at < len(text):
        places.append(at)
        escape = text[at : at + 3].lower()
        if escape in ("%3a", "%2f"):
            decoded += {"%3a": ":", "%2f": "/"}[escape]
            at += 3
        else:
            decoded += text[at]
            at += 1
    places.append(at)
    if start not in places:  # its `f` ends an escape
        return None
    begin = places.index(start)
    begins_here = is_edge(decoded[:begin]) if wide else begins(decoded[:begin], decoded[begin:])
    if not (is_proposed(decoded, begin) and begins_here):
        return None
    end = places[end_of_run(decoded, begin)]
    read = read_wide(decoded, begin) if wide else read_at(decoded, begin)
    if read is None:
        return None, end
    return Found(read.value, start, places[read.end]), end


def tuple_at(text: str, start: int) -> Found | None:
    """Eight decimal numbers between braces, as Erlang and Elixir print an address."""
    end = text.find("}", start)
    if text[start] != "{" or end < 0:
        return None
    numbers = text[start + 1 : end].split(",")
    numbers = [number.removeprefix(" ").removesuffix(" ") for number in numbers]
    if len(numbers) != 8 or numbers[0] != str(0xFDAA):
        return None
    for number in numbers:
        is_decimal = number != "" and all(c in DECIMAL for c in number)
        if not is_decimal or str(int(number[:6])) != number or int(number) > 0xFFFF:
            return None
    address = Address(":".join(f"{int(number):x}" for number in numbers))
    return Found(address, start, end + 1)


def pointer_at(text: str, start: int) -> Found | None:
    """A whole name of the reverse zone, which is no part of a longer name."""
    before = text[start - 1 : start] if start else ""
    if is_in(before, ".-") or not is_edge(text[:start]):
        return None
    end = start + 72
    try:
        address = Address.from_reverse_pointer(text[start:end])
    except (AddressError, UnicodeError):
        return None
    if text[end - 1] == "." or is_word(text[end : end + 1]):
        return None
    has_label = text[end : end + 1] == "." and is_word(text[end + 1 : end + 2])
    behind = text[end + 1 : end + 11].lower().replace("%3a", ":")
    if has_label and not is_proposed(behind, 0):
        return None
    return Found(address, start, end)


def is_proposed(text: str, at: int) -> bool:
    return text[at : at + 5].lower() == "fdaa:" and is_in(text[at + 5 : at + 6], HEX + ":")


def is_in(character: str, characters: str) -> bool:
    return character != "" and character in characters


def is_word(character: str) -> bool:
    """ASCII's letters, digits and underscore; letters of Latin, Greek and Cyrillic."""
    return is_in(character, WORD) or "\u00c0" <= character <= "\u053f"


# --- left edge ------------------------------------------------------------------------------------


def begins(before: str, text: str) -> bool:
    """Not in a word, and not behind a group of another address and its colons."""
    if not is_edge(before):
        return False
    head = before.rstrip(":")
    colons = len(before) - len(head)
    if not 1 <= colons <= 2:
        return True
    for digits in (1, 2, 3, 4):
        group, rest = head[-digits:], head[:-digits]
        if len(group) == digits and all(c in HEX for c in group) and is_edge(rest):
            return has_eight_groups(text) or (colons == 1 and is_numbered(before, text))
    return True


def is_numbered(before: str, text: str) -> bool:
    """One or two decimal numbers, at the start of a line or behind a file name.

    With the groups in front, that may be no IPv6 address; but one number at the start may.
    """
    for count, most_digits in ((1, 4), (2, 20)):
        fields = before.split(":")[:-1]
        if len(fields) < count:
            return False
        number = fields[-count].rpartition("\n")[2]
        if not 1 <= len(number) <= most_digits or any(c not in DECIMAL for c in number):
            return False
        is_first = len(fields) == count or "\n" in fields[-count]
        if is_first:
            return count == 1 or not is_part_of_another(before, text)
        name = ":".join(fields[:-count])
        if is_file_name(name):
            return not is_part_of_another(before, text)
    return False


def is_file_name(text: str) -> bool:
    """A text that ends in no white space, and has a character that is no hex digit and no colon."""
    head = text.rstrip(HEX)
    return len(text) - len(head) <= 40 and head[-1:] not in ("", ":", *" \t\n\r\f\v")


def is_part_of_another(before: str, text: str) -> bool:
    """The groups in front, and the address, are one IPv6 address."""
    read = read_at(text, 0)
    if read is None:
        return False
    address = text[: read.end].partition("/")[0]
    begin = len(before.rstrip(HEX + ":"))
    for start in range(begin, len(before)):
        head = before[:start]
        in_word = not is_edge(head) or (head.endswith(".") and is_word(head[-2:-1]))
        at_colon = start > begin and head.endswith(":")
        if not in_word and not at_colon and is_ipv6(before[start:] + address):
            return True
    return False


def is_ipv6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


def has_eight_groups(text: str) -> bool:
    """So a group in front would be the ninth."""
    end = skip(text, 0, HEX + ":", len(text))
    groups = text[:end].split(":")[:8]
    return len(groups) == 8 and all(1 <= len(group) <= 4 for group in groups)


def is_edge(before: str) -> bool:
    if not is_word(before[-1:]):
        return True
    return any(is_escape(before[start:]) for start in range(max(0, len(before) - 60), len(before)))


def is_escape(text: str) -> bool:
    text = text.lower()
    if text in ("\\b", "\\f", "\\n", "\\r", "\\t"):
        return True
    for mark, digits in (("\\u", 4), ("%", 2)):
        behind = text.removeprefix(mark)
        if behind != text and len(behind) == digits and all(c in HEX for c in behind):
            return True
    for escape in ("\x1b", "\\u001b"):
        if text.startswith(escape) and is_terminal_escape(text[len(escape) :]):
            return True
    for escape in ("^[", "#033", "\\x1b", "\\033", "\\e"):  # as tools write it
        if text.startswith(escape + "[") and is_terminal_escape(text[len(escape) :]):
            return True
    return False


def is_terminal_escape(text: str) -> bool:
    """What follows ESC, in lower case (ECMA-48)."""
    if not text:
        return False
    middle = text[:-1]
    final = text[-1]
    if not middle.startswith("["):
        return (
            final != "["
            and len(middle) <= 1
            and is_between(middle, " ", "/")
            and ("0" <= final <= "~")
        )
    parameters = middle[1:]
    between = parameters[-1:] if is_in(parameters[-1:], " !\"#$%&'()*+,-./") else ""
    parameters = parameters.removesuffix(between)
    short = len(parameters) <= (3 if between else 48)
    return short and is_between(parameters, "0", "?") and "@" <= final <= "~"


def is_between(text: str, first: str, last: str) -> bool:
    return all(first <= c <= last for c in text)


# --- the run --------------------------------------------------------------------------------------


def end_of_run(text: str, start: int) -> int:
    at = skip(text, start + 5, HEX + ":", RUN_LIMIT)
    end = at
    for _ in range(3):
        digits = skip(text, end + 1, DECIMAL, 3)
        if text[end : end + 1] != "." or digits == end + 1:
            return at
        end = digits
    return skip(text, end, HEX + ":", RUN_LIMIT)


def skip(text: str, at: int, characters: str, most: int) -> int:
    end = at
    while end - at < most and is_in(text[end : end + 1], characters):
        end += 1
    return end


def read_at(text: str, start: int) -> Found | None:
    """The longest text that parses and does not end in a word; then what is behind it."""
    for end in range(min(len(text), start + 45), start, -1):
        if parses(text[start:end]) and not is_word(text[end : end + 1]):
            break
    else:
        return None
    address = Address(text[start:end])
    if not goes_on(text, end):
        length_end = skip(text, end + 1, DECIMAL, 3)
        digits = text[end + 1 : length_end]
        is_length = text[end : end + 1] == "/" and digits and str(int(digits)) == digits
        if is_length and not is_word(text[length_end : length_end + 1]):
            length = int(digits)
            behind = 2 ** (128 - max(min(length, 128), 16))
            if length < 128 and int(address) % behind == 0:
                if length < 48:
                    return None
                return Found(Prefix.build(address, length), start, length_end)
        return Found(address, start, end)
    # What could be a group follows. Where no group fits, it is a port, after which nothing goes on.
    port = skip(text, end + 1, DECIMAL, 4)
    is_port = port > end + 1 and not is_word(text[port : port + 1]) and not goes_on(text, port)
    is_full = "." in text[start:end] or "::" not in text[start:end]
    if is_port and is_full:
        return Found(address, start, end)
    return None


def goes_on(text: str, end: int) -> bool:
    """A colon, and another colon or what could be a group: a word of one to four hex digits."""
    if text[end : end + 1] != ":":
        return False
    group = skip(text, end + 1, HEX, 5)
    digits = group - end - 1
    return text[end + 1 : end + 2] == ":" or (
        1 <= digits <= 4 and not is_word(text[group : group + 1])
    )


def parses(text: str) -> bool:
    try:
        Address(text)
    except AddressError:
        return False
    return True
