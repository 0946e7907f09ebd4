"""The texts of an address's parts: a network ID, and the rest. Functions only, no classes."""

from __future__ import annotations

from fdaa import _bits
from fdaa._checks import check_text
from fdaa._text import DECIMAL, HEX, MAX_LENGTH, extract_network_id, pack, pack_with_length
from fdaa.errors import AddressError, NetworkIDError, quote

TYPE_CHECKING = False  # from typing it would take several times as long as all of fdaa
if TYPE_CHECKING:
    from collections.abc import Callable

_ID_FORMS = "a network ID is two groups (2:45b), a hex number (0x2045b) or a /48 (fdaa:2:45b::/48)"
_REST_FORMS = "the rest is groups (::2, 1:2:3:4:5), a hex number (0x2) or exactly 20 hex digits"
_REST_DIGITS = _bits.REST_BITS // 4


def read_network_id(text: str) -> int:
    """Return the network ID in a text of one of the forms that `NetworkID` lists."""
    check_text(text, "a network ID")
    if len(text) > MAX_LENGTH + len("/128"):
        raise NetworkIDError(text, f"it is {len(text)} characters long; {_ID_FORMS}")
    if "/" in text:
        return _read_network(text)
    if ":" in text:
        return _read_groups(text)
    if text[:2] not in ("0x", "0X"):
        bare = text and HEX.issuperset(text)
        raise NetworkIDError(text, _bare_id(text) if bare else _ID_FORMS)
    if len(text) == 2:
        raise NetworkIDError(text, f"it has no digits; {_ID_FORMS}")
    _check_digits(text, text[2:], 2)
    number = int(text[2:], 16)
    if number > _bits.MAX_NETWORK_ID:
        raise NetworkIDError(text, "it is more than 32 bits; the largest is 0xffffffff")
    return number


def id_text(network_id: int) -> str:
    """Return the text of a network ID: its two groups."""
    return "{:x}:{:x}".format(*_bits.groups_of(network_id))


def id_fields(network_id: int | None) -> dict[str, str | int | None]:
    """Return the two fields that every record has for a network ID: its text and its number."""
    text = None if network_id is None else id_text(network_id)
    return {"network_id": text, "network_id_int": None if network_id is None else int(network_id)}


def _check_digits(text: str, digits: str, begin: int) -> None:
    """Say which is the first character of a part of `text` that is not a hex digit."""
    for at, character in enumerate(digits, begin):
        if character not in HEX:
            raise NetworkIDError(text, f"{quote(character)} is not a hex digit", at)


def _read_network(text: str) -> int:
    """Read `fdaa:2:45b::/48`; a longer prefix lies inside one /48 and names its network."""
    try:
        packed, length = pack_with_length(text)
    except AddressError as error:
        raise NetworkIDError(text, error.reason, error.at) from None
    if length < _bits.NETWORK_PREFIX_LENGTH:
        reason = f"a /{length} covers many networks; one network is a /48"
        raise NetworkIDError(text, reason, text.index("/") + 1)
    return _bits.unpack_head(packed)[1]


def _read_groups(text: str) -> int:
    """Read `2:45b`, or `:2:45b:` as it is cut out of an address."""
    begin = 0
    inside = text
    if text.startswith(":") and text.endswith(":"):
        begin, inside = 1, text[1:-1]
    groups = inside.split(":")
    for group in groups:
        _check_digits(text, group, begin)
        if len(group) > 4:
            raise NetworkIDError(text, "a group has at most 4 hex digits", begin + 4)
        begin += len(group) + 1
    if len(groups) != 2 or "" in groups:
        raise NetworkIDError(text, _not_two_groups(text))
    return _bits.from_groups(int(groups[0], 16), int(groups[1], 16))


def _not_two_groups(text: str) -> str:
    """Say what is wrong with a text of hex digits and colons that is not two groups."""
    try:
        network_id = extract_network_id(text)
    except AddressError:
        hint = " (without 'fdaa')" if text[:5].lower() == "fdaa:" else ""
        return f"expected two groups, as in 2:45b{hint}"
    return f"this is an address; its network ID is {id_text(network_id)}"


def _bare_id(digits: str) -> str:
    return _bare_number(digits, _bits.MAX_NETWORK_ID, lambda n: f"{id_text(n)} ({n:#x})")


def _bare_number(digits: str, largest: int, show: Callable[[int], str]) -> str:
    """Say how to write a number with an unknown base: `18` could be hex or decimal."""
    readings = {"hex": int(digits, 16)}
    if DECIMAL.issuperset(digits):
        readings["decimal"] = int(digits)
    fitting = {base: number for base, number in readings.items() if number <= largest}
    if not fitting:
        return f"it is more than {largest.bit_length()} bits"
    if len(set(fitting.values())) == 1:
        return f"a bare number is not accepted: write {show(*set(fitting.values()))}"
    choices = [f"{show(number)} if it is {base}" for base, number in fitting.items()]
    return f"a bare number is ambiguous: write {', or '.join(choices)}"


def read_rest(text: str) -> int:
    """Return the 80 bits after a network ID.

    Args:
        text: groups as they end an address (`a7b:174:db43:d3c6:2`, `::2`), a hex number with 0x,
            or exactly 20 hex digits, as `fdaa decode` prints them.
    """
    check_text(text, "the rest")
    if len(text) > MAX_LENGTH:
        raise AddressError(text, f"it is {len(text)} characters long; {_REST_FORMS}")
    if ":" in text:
        _refuse_whole_address(text)
        return _read_rest_groups(text)
    digits = text[2:] if text[:2] in ("0x", "0X") else text
    if not digits or not HEX.issuperset(digits):
        raise AddressError(text, _REST_FORMS)
    if digits is text and len(text) != _REST_DIGITS:
        raise AddressError(text, _bare_number(text, _bits.MAX_REST, hex))
    rest = int(digits, 16)
    if rest > _bits.MAX_REST:
        raise AddressError(text, "it is more than the 80 bits after a network ID")
    return rest


def _refuse_whole_address(text: str) -> None:
    try:
        rest = _bits.rest_of(int.from_bytes(pack(text), "big"))
    except AddressError:
        return
    raise AddressError(text, f"this is a whole address; its rest is {rest:#x}")


def _read_rest_groups(text: str) -> int:
    # After the prefix and two zero groups it is an address: one reader serves both.
    before = "fdaa:0:0" if text.startswith("::") else "fdaa:0:0:"
    if text.startswith(":") and not text.startswith("::"):
        raise AddressError(text, _REST_FORMS, 0)
    try:
        return _bits.rest_of(int.from_bytes(pack(before + text), "big"))
    except AddressError as error:
        if error.at is None:
            raise AddressError(text, _REST_FORMS) from None
        raise AddressError(text, error.reason, error.at - len(before)) from None
