"""Checks of arguments: the types that would give a wrong answer, and numbers too long to print."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa
if TYPE_CHECKING:
    from typing import Any

    from fdaa.errors import InputError


def check_text(value: object, what: str) -> None:
    """Raise a TypeError if `value` is not a `str`; `bytes` are rejected."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be str, not {type(value).__name__}")


def check_bits(
    value: object, what: str, bits: int, error: type[InputError], types: str = "int"
) -> None:
    """Raise a TypeError if `value` is not a number, and `error` if it has more than `bits` bits.

    A `bool` is not a number here.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} must be {types}, not {type(value).__name__}")
    if value < 0 or value.bit_length() > bits:
        # Decimal digits of a huge number could take forever.
        text = hex(value) if value.bit_length() <= 256 else "a huge number"
        raise error(text, f"{what} must be 0 to {2**bits - 1:#x} ({bits} bits)")


# The methods that Pydantic calls on a type; Pydantic is imported only when it calls one.


def pydantic_schema(cls: type[object], _source: object, _handler: object) -> object:
    """Return the schema that Pydantic reads and writes values with."""
    from fdaa._pydantic import schema_of

    return schema_of(cls)


def pydantic_json_schema(cls: type[object], _schema: object, handler: Any) -> object:
    """Return the JSON Schema of the accepted input, or of the output."""
    from fdaa._pydantic import json_schema_of

    return json_schema_of(cls, handler.mode)


def pydantic_serializer(_value: object) -> object:
    """Return the serializer of a value in a field of type `Any`."""
    from fdaa._pydantic import SERIALIZER

    return SERIALIZER
