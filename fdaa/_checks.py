"""Checks of arguments: the types that would give a wrong answer, and numbers too long to print."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa
if TYPE_CHECKING:
    from fdaa._errors import InputError

# The constructors of Address for types that are not text.
_CONSTRUCTORS = {
    "IPv6Address": "Address.from_ip",
    "IPAddress": "Address.from_ip",
    "bytes": "Address.from_bytes",
    "int": "Address.from_int",
}


def check_type(value: object, name: str, *kinds: type) -> None:
    """Raise a TypeError that names an argument, if it is of none of these types."""
    if isinstance(value, kinds):
        return
    expected = " or ".join(kind.__name__ for kind in kinds)
    raise TypeError(f"{name} must be {expected}, not {type(value).__name__}")


def not_an_address(value: object) -> TypeError:
    """Return the error for a value that is neither text nor an Address."""
    given = type(value).__name__
    message = f"an address must be str or Address, not {given}"
    if given in _CONSTRUCTORS:
        message += f"; use {_CONSTRUCTORS[given]}"
    return TypeError(message)


def not_a_prefix(value: object) -> TypeError:
    """Return the error for a value that is neither text nor a Prefix."""
    given = type(value).__name__
    message = f"a prefix must be str or Prefix, not {given}"
    if given == "IPv6Network":
        message += "; use Prefix(str(network))"
    if given == "NetworkID":
        message += "; use network_id.prefix"
    return TypeError(message)


def check_bits(
    value: object, what: str, bits: int, error: type[InputError], types: str = "int"
) -> None:
    """Raise a TypeError if `value` is not a number, and `error` if it has more than `bits` bits.

    A `bool` is not a number here.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        given = type(value).__name__
        message = f"{what} must be {types}, not {given}"
        if given in ("Address", "Prefix"):
            message += f"; use {given.lower()}.network_id"
        raise TypeError(message)
    if value < 0 or value.bit_length() > bits:
        # Decimal digits of a huge number could take forever.
        text = hex(value) if value.bit_length() <= 256 else "a huge number"
        raise error(text, f"{what} must be 0 to {2**bits - 1:#x} ({bits} bits)")
