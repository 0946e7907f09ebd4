"""The texts of an address's parts: a network ID, and the rest. Functions only, no classes."""

from __future__ import annotations

from fdaa import _bits as layout
from fdaa._text import DECIMAL, HEX, MAX_LENGTH, pack, pack_with_length
from fdaa.errors import AddressError, NetworkIDError, quote

_FORMS = "a network ID is two groups (2:45b), 0x and hex digits, a decimal number, or a /48"
_REST_FORMS = "the rest of an address is five groups (1:2:3:4:5, ::2) or a number (2, 0x2)"


def read_network_id(text: str) -> int:
    """Return the network ID in a text of one of the forms that `NetworkID.parse` lists.

    Raises:
        NetworkIDError: `text` has none of them.
        TypeError: `text` is not a `str`.
    """
    if not isinstance(text, str):
        raise TypeError(f"a network ID is parsed from str, not {type(text).__name__}")
    if len(text) > MAX_LENGTH + len("/128"):
        raise NetworkIDError(text, f"it is {len(text)} characters long, and {_FORMS}")
    if "/" in text:
        return _read_network(text)
    if ":" in text:
        return _read_groups(text)
    if text[:2] in ("0x", "0X"):
        return _read_number(text, 2, HEX, 16)
    return _read_number(text, 0, DECIMAL, 10)


def _read_network(text: str) -> int:
    """Read `fdaa:2:45b::/48`; a longer prefix lies inside one /48 and names its network."""
    try:
        packed, length = pack_with_length(text)
    except AddressError as error:
        raise NetworkIDError(text, error.reason, error.at) from None
    if length < layout.NETWORK_PREFIX_LENGTH:
        reason = f"a /{length} holds many networks; one network is a /48"
        raise NetworkIDError(text, reason, text.index("/") + 1)
    return layout.unpack_head(packed)[1]


def _read_groups(text: str) -> int:
    """Read `2:45b`, or `:2:45b:` as it is cut out of an address."""
    begin = 0
    inside = text
    if text.startswith(":") and text.endswith(":"):
        begin, inside = 1, text[1:-1]
    groups = []
    for group in inside.split(":"):
        for at, character in enumerate(group, begin):
            if character not in HEX:
                raise NetworkIDError(text, f"{quote(character)} is not a hex digit", at)
        if len(group) > 4:
            raise NetworkIDError(text, "a group has at most 4 hex digits", begin + 4)
        groups.append(group)
        begin += len(group) + 1
    if len(groups) != 2 or "" in groups:
        hint = "; of a whole address take the network ID" if groups[0].lower() == "fdaa" else ""
        raise NetworkIDError(text, f"two groups with one colon between are needed{hint}")
    return layout.from_groups(int(groups[0], 16), int(groups[1], 16))


def _read_number(text: str, begin: int, digits: frozenset[str], base: int) -> int:
    for at, character in enumerate(text[begin:], begin):
        if character not in digits:
            name = "hex" if base == 16 else "decimal"
            raise NetworkIDError(text, f"{quote(character)} is not a {name} digit; {_FORMS}", at)
    if len(text) == begin:
        raise NetworkIDError(text, f"it has no digits; {_FORMS}")
    if base == 10 and text[0] == "0" and text != "0":
        raise NetworkIDError(text, "a decimal number has no leading zeros (0x starts hex)", 0)
    number = int(text[begin:], base)
    if number > layout.MAX_NETWORK_ID:
        raise NetworkIDError(text, "it is more than 32 bits; the largest is 0xffffffff")
    return number


def read_rest(text: str) -> int:
    """Return the 80 bits behind a network ID: as five groups, or as a number.

    Args:
        text: groups as they end an address (`a7b:174:db43:d3c6:2`, `::2`), or a number, decimal or
            with 0x.

    Raises:
        AddressError: it is neither, or more than 80 bits.

    >>> hex(read_rest("1::2")), read_rest("::2"), read_rest("2"), read_rest("0x2")
    ('0x10000000000000002', 2, 2, 2)
    """
    if not isinstance(text, str):
        raise TypeError(f"the rest is parsed from str, not {type(text).__name__}")
    if len(text) > MAX_LENGTH:
        raise AddressError(text, f"it is {len(text)} characters long, and {_REST_FORMS}")
    if ":" in text:
        return _read_rest_groups(text)
    begin, base = (2, 16) if text[:2] in ("0x", "0X") else (0, 10)
    digits = text[begin:]
    zero_padded = base == 10 and digits.startswith("0") and digits != "0"
    if not digits or zero_padded or not (HEX if base == 16 else DECIMAL).issuperset(digits):
        raise AddressError(text, _REST_FORMS)
    rest = int(digits, base)
    if rest > layout.MAX_REST:
        raise AddressError(text, "it is more than the 80 bits behind a network ID")
    return rest


def _read_rest_groups(text: str) -> int:
    # Behind the prefix and two zero groups it is an address: one reader serves both.
    before = "fdaa:0:0" if text.startswith("::") else "fdaa:0:0:"
    if text.startswith(":") and not text.startswith("::"):
        raise AddressError(text, _REST_FORMS, 0)
    try:
        return layout.rest_of(int.from_bytes(pack(before + text), "big"))
    except AddressError as error:
        if error.at is None:
            raise AddressError(text, _REST_FORMS) from None
        raise AddressError(text, error.reason, error.at - len(before)) from None
