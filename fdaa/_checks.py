"""Checks of arguments: the types that would give a wrong answer, and numbers too long to print."""

from __future__ import annotations


def check_text(value: object, what: str) -> None:
    """Raise a TypeError if `value` is not text; `bytes` are not."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is read from str, not {type(value).__name__}")


def check_int(value: object, what: str, types: str = "int") -> None:
    """Raise a TypeError if `value` is not a number; a `bool` is not."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} is made from {types}, not {type(value).__name__}")


def number_text(value: int) -> str:
    """Return the text of a refused number; decimal digits of a huge one could take forever."""
    return hex(value) if value.bit_length() <= 256 else "a huge number"


def pydantic_schema(cls: type[object], _source: object, _handler: object) -> object:
    """Return the schema of a type for Pydantic, which is loaded only if it asks for one."""
    from fdaa._pydantic import text_schema

    return text_schema(cls)
