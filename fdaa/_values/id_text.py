"""The texts of an address's parts: a network ID, a prefix, and the rest. Functions only."""

from __future__ import annotations

from fdaa._values import bits
from fdaa._values.checks import text_of
from fdaa._values.errors import AddressError, InputError, NetworkIDError, PrefixError
from fdaa._values.text import DECIMAL, HEX, MAX_LENGTH, TextError, decimal, pack

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa
if TYPE_CHECKING:
    from typing import SupportsInt

_ID_FORMS = "a network ID is two groups (2:45b), a hex number (0x2045b) or a /48 (fdaa:2:45b::/48)"
_REST_FORMS = "use groups (::2, 1:2:3:4:5), a hex number (0x2) or exactly 20 hex digits"
_REST_GROUPS = bits.REST_BITS // 16
_LONGEST = MAX_LENGTH + len("/128")
_LENGTH_RULE = "a prefix length is a number from 0 to 128"


# --- a network ID ---------------------------------------------------------------------------------


def read_network_id(text: str) -> int:
    """Return the network ID in a text of one of the forms that `NetworkID` lists."""
    text = text_of(text, "a network ID")
    if len(text) > _LONGEST:
        raise NetworkIDError(text, f"it is {len(text)} characters long; {_ID_FORMS}")
    if "/" in text:
        try:
            packed, _ = read_prefix(text)
        except PrefixError as error:
            raise NetworkIDError(text, error.reason, error.at) from None
        return bits.unpack_head(packed)[1]
    if ":" in text:
        return _read_groups(text)
    return _read_number(text, bits.NETWORK_ID_BITS, NetworkIDError, _ID_FORMS)


def id_text(network_id: int) -> str:
    """Return the text of a network ID: its two groups."""
    high, low = bits.groups_of(network_id)
    return f"{high:x}:{low:x}"


def id_fields(network_id: SupportsInt | None) -> dict[str, str | int | None]:
    """Return the two fields that every record has for a network ID: its text and its number."""
    if network_id is None:
        return {"network_id": None, "network_id_int": None}
    number = int(network_id)
    return {"network_id": id_text(number), "network_id_int": number}


def _read_groups(text: str) -> int:
    """Read `2:45b`, or `:2:45b:` as it is cut out of an address: with both colons, or none."""
    at = 0
    groups = text
    if text.startswith(":") and text.endswith(":"):
        at = 1
        groups = text[1:-1]
    high, colon, low = groups.partition(":")
    if not high or not low or ":" in low:
        raise NetworkIDError(text, _whole_address(text) or "expected two groups, as in 2:45b")
    for group in (high, low):
        if len(group) > 4 or not HEX.issuperset(group):
            raise NetworkIDError(text, "a group has 1 to 4 hex digits", at)
        at += len(group) + len(colon)
    return bits.from_groups(int(high, 16), int(low, 16))


def _whole_address(text: str) -> str | None:
    """Return the reason against a whole address where a part is expected; None for other texts."""
    try:
        packed = pack(text)
    except TextError:
        return None
    _, network_id = bits.unpack_head(packed)
    rest = bits.rest_of(int.from_bytes(packed))
    parts = f"its network ID is {id_text(network_id)}, its rest {rest:#x}"
    return f"this is a whole address; {parts}"


def _read_number(text: str, bits: int, error: type[InputError], forms: str) -> int:
    """Read a hex number with 0x; without it, the number could be decimal and is refused."""
    is_hex = text[:2] in ("0x", "0X")
    digits = text[2:] if is_hex else text
    if not digits or not HEX.issuperset(digits):
        raise error(text, forms)
    if not is_hex:
        raise error(text, _bare_number(text, bits))
    longest = bits // 4
    if len(digits) > longest:
        raise error(text, f"it has more than {longest} hex digits ({bits} bits)")
    return int(digits, 16)


def _bare_number(digits: str, bits: int) -> str:
    """Say how to write a number with an unknown base: `18` could be hex or decimal."""
    readings = {int(digits, 16): "hex"}
    if DECIMAL.issuperset(digits):
        readings.setdefault(int(digits), "decimal")
    choices: list[str] = []
    for number, base in readings.items():
        if number.bit_length() <= bits:
            choices.append(f"{number:#x} if it is {base}")
    if not choices:
        return f"it has more than {bits} bits"
    shown = ", or ".join(choices)
    return f"a bare number is ambiguous: write {shown}"


# --- a prefix -------------------------------------------------------------------------------------


def read_prefix(text: str) -> tuple[bytes, int]:
    """Return the 16 bytes and the length of a text like `fdaa:2:45b::/48`."""
    if len(text) > _LONGEST:
        raise PrefixError(text, f"it is {len(text)} characters long")
    address, slash, digits = text.partition("/")
    try:
        packed = pack(address)
    except TextError as error:
        raise PrefixError(text, error.reason, error.at) from None
    if not slash:
        raise PrefixError(text, "it is an address; a prefix ends in its length, as in /48")
    length = decimal(digits, bits.ADDRESS_BITS)
    at = len(address) + 1
    if length is None:
        reason = f"{_LENGTH_RULE}, without leading zeros"
        raise PrefixError(text, reason, at if digits else None)
    check_prefix(text, packed, length, at)
    return packed, length


def check_prefix(text: str, packed: bytes, length: int, at: int | None = None) -> None:
    """Raise a PrefixError if 16 bytes and a length are not a network, or a part of one."""
    if not 0 <= length <= bits.ADDRESS_BITS:
        raise PrefixError(text, _LENGTH_RULE)
    if length < bits.NETWORK_PREFIX_LENGTH:
        raise PrefixError(text, f"a /{length} covers many networks; one network is a /48", at)
    if length == bits.ADDRESS_BITS:
        raise PrefixError(text, "a /128 is an address; leave the length out", at)
    if not bits.is_prefix(packed, length):
        reason = (
            "it is an address with the length of its link: "
            f"bits after /{length} are not 0; leave the length out"
        )
        raise PrefixError(text, reason, at)


# --- the rest -------------------------------------------------------------------------------------


def read_rest(text: str) -> int:
    """Return the 80 bits after a network ID.

    The text has the groups that end an address (`a7b:174:db43:d3c6:2`, `::2`), a hex number with
    0x, or exactly 20 hex digits.
    """
    text = text_of(text, "the rest")
    if len(text) > MAX_LENGTH:
        raise AddressError(text, f"it is {len(text)} characters long; {_REST_FORMS}")
    if ":" in text:
        return _read_rest_groups(text)
    if len(text) == bits.REST_BITS // 4 and HEX.issuperset(text):
        return int(text, 16)
    return _read_number(text, bits.REST_BITS, AddressError, _REST_FORMS)


def _read_rest_groups(text: str) -> int:
    whole = _whole_address(text)
    if whole is not None:
        raise AddressError(text, whole)
    if text.startswith(":") and not text.startswith("::"):
        raise AddressError(text, _REST_FORMS, 0)
    groups = [group for group in text.split(":") if group]
    if len(groups) > _REST_GROUPS:
        raise AddressError(text, f"too many groups: {len(groups)}, not {_REST_GROUPS}")
    # After the prefix and two zero groups it is an address: one reader serves both.
    before = "fdaa:0:0" if text.startswith("::") else "fdaa:0:0:"
    try:
        packed = pack(before + text)
    except TextError as error:
        if error.at is None or error.at < len(before):
            raise AddressError(text, _REST_FORMS) from None
        raise AddressError(text, error.reason, error.at - len(before)) from None
    return bits.rest_of(int.from_bytes(packed))
