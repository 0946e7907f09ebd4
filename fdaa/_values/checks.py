"""Checks of arguments: types, each with a hint at the right call, and the size of numbers."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa
if TYPE_CHECKING:
    from fdaa._values.errors import InputError

# What to write in place of a value of another type, by the name of that type.
_HINTS = {
    "an address": {
        "IPv6Address": "use Address.from_ip",
        "IPAddress": "use Address.from_ip",
        "bytes": "use Address.from_bytes",
        "int": "use Address.from_int",
    },
    "a prefix": {
        "IPv6Network": "use Prefix(str(network))",
        "NetworkID": "use network_id.prefix",
    },
    "a network ID": {
        "Address": "use address.network_id",
        "Prefix": "use prefix.network_id",
    },
}


def check_type(value: object, name: str, *kinds: type) -> None:
    """Raise a TypeError that names an argument, if it is of none of these types."""
    if isinstance(value, kinds):
        return
    raise wrong_type(value, name, " or ".join(kind.__name__ for kind in kinds))


def text_of(value: object, name: str) -> str:
    """Return the characters of a text, or raise a TypeError that names the argument.

    Another class than `str` has a text of its own: in an f-string, the member of a `str`
    enumeration is `Net.C`, whatever its characters are.
    """
    if not isinstance(value, str):
        raise wrong_type(value, name, "str")
    return str.__str__(value)


def wrong_type(value: object, name: str, expected: str, hint: str = "") -> TypeError:
    """Return the error for an argument of the wrong type; a hint is what to write instead."""
    message = f"{name} must be {expected}, not {type(value).__name__}"
    if not hint and name in _HINTS:
        hint = _HINTS[name].get(type(value).__name__, "")
    if hint:
        message += f"; {hint}"
    return TypeError(message)


def check_bits(
    value: object, what: str, bits: int, error: type[InputError], types: str = "int"
) -> None:
    """Raise a TypeError if `value` is not a number, and `error` if it has more than `bits` bits.

    A `bool` is not a number here.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(value, what, types)
    if value < 0 or value.bit_length() > bits:
        raise error(hex(value), f"{what} must be 0 to {2**bits - 1:#x} ({bits} bits)")
