"""The texts of an address's parts: a network ID, and the rest. Functions only, no classes."""

from __future__ import annotations

from fdaa import _bits
from fdaa._checks import check_text
from fdaa._text import DECIMAL, HEX, MAX_LENGTH, decimal, pack
from fdaa.errors import AddressError, InputError, NetworkIDError

_ID_FORMS = "a network ID is two groups (2:45b), a hex number (0x2045b) or a /48 (fdaa:2:45b::/48)"
_REST_FORMS = "the rest is groups (::2, 1:2:3:4:5), a hex number (0x2) or exactly 20 hex digits"


def read_network_id(text: str) -> int:
    """Return the network ID in a text of one of the forms that `NetworkID` lists."""
    check_text(text, "a network ID")
    if len(text) > MAX_LENGTH + len("/128"):
        raise NetworkIDError(text, f"it is {len(text)} characters long; {_ID_FORMS}")
    if "/" in text:
        return _read_network(text)
    if ":" in text:
        return _read_groups(text)
    return _read_number(text, _bits.NETWORK_ID_BITS, NetworkIDError, _ID_FORMS)


def id_text(network_id: int) -> str:
    """Return the text of a network ID: its two groups."""
    return "{:x}:{:x}".format(*_bits.groups_of(network_id))


def id_fields(network_id: int | None) -> dict[str, str | int | None]:
    """Return the two fields that every record has for a network ID: its text and its number."""
    text = None if network_id is None else id_text(network_id)
    return {"network_id": text, "network_id_int": None if network_id is None else int(network_id)}


def _read_network(text: str) -> int:
    """Read `fdaa:2:45b::/48`; a longer prefix lies inside one /48 and means its network."""
    address, _, digits = text.partition("/")
    try:
        packed = pack(address)
    except AddressError as error:
        raise NetworkIDError(text, error.reason, error.at) from None
    length = decimal(digits, _bits.ADDRESS_BITS)
    if length is None:
        at = len(address) + 1 if digits else None
        raise NetworkIDError(text, "a prefix length is a number from 0 to 128", at)
    if length < _bits.NETWORK_PREFIX_LENGTH:
        reason = f"a /{length} covers many networks; one network is a /48"
        raise NetworkIDError(text, reason, len(address) + 1)
    return _bits.unpack_head(packed)[1]


def _read_groups(text: str) -> int:
    """Read `2:45b`, or `:2:45b:` as it is cut out of an address."""
    cut_out = text.startswith(":") and text.endswith(":")
    at, groups = (1, text[1:-1].split(":")) if cut_out else (0, text.split(":"))
    if len(groups) != 2 or "" in groups:
        raise NetworkIDError(text, _whole_address(text) or "expected two groups, as in 2:45b")
    for group in groups:
        if len(group) > 4 or not HEX.issuperset(group):
            raise NetworkIDError(text, "a group has 1 to 4 hex digits", at)
        at += len(group) + 1
    return _bits.from_groups(int(groups[0], 16), int(groups[1], 16))


def _whole_address(text: str) -> str | None:
    """Return the reason against a whole address where a part is expected; None for other texts."""
    try:
        packed = pack(text)
    except AddressError:
        return None
    network_id, rest = _bits.unpack_head(packed)[1], _bits.rest_of(int.from_bytes(packed))
    return f"this is a whole address; its network ID is {id_text(network_id)}, its rest {rest:#x}"


def _read_number(text: str, bits: int, error: type[InputError], forms: str) -> int:
    """Read a hex number with 0x; without it, the number could be decimal and is rejected."""
    digits = text[2:] if text[:2] in ("0x", "0X") else text
    if not digits or not HEX.issuperset(digits):
        raise error(text, forms)
    if digits is text:
        raise error(text, _bare_number(text, bits))
    number = int(digits, 16)
    if number.bit_length() > bits:
        raise error(text, f"it has more than {bits} bits")
    return number


def _bare_number(digits: str, bits: int) -> str:
    """Say how to write a number with an unknown base: `18` could be hex or decimal."""
    readings = {int(digits, 16): "hex"}
    if DECIMAL.issuperset(digits):
        readings.setdefault(int(digits), "decimal")
    fitting = {hex(n): base for n, base in readings.items() if n.bit_length() <= bits}
    if not fitting:
        return f"it has more than {bits} bits"
    choices = (f"{number} if it is {base}" for number, base in fitting.items())
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
        return _read_rest_groups(text)
    if len(text) == _bits.REST_BITS // 4 and HEX.issuperset(text):
        return int(text, 16)
    return _read_number(text, _bits.REST_BITS, AddressError, _REST_FORMS)


def _read_rest_groups(text: str) -> int:
    whole = _whole_address(text)
    if whole is not None:
        raise AddressError(text, whole)
    if text.startswith(":") and not text.startswith("::"):
        raise AddressError(text, _REST_FORMS, 0)
    # After the prefix and two zero groups it is an address: one reader serves both.
    before = "fdaa:0:0" if text.startswith("::") else "fdaa:0:0:"
    try:
        return _bits.rest_of(int.from_bytes(pack(before + text)))
    except AddressError as error:
        if error.at is None or error.at < len(before):
            raise AddressError(text, _REST_FORMS) from None
        raise AddressError(text, error.reason, error.at - len(before)) from None
