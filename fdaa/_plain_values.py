"""Check the types of arguments, and take the plain `str` or `int` out of them.

A subclass of `str` or `int` can have its own `len`, slices and comparisons. So that what is checked
is what is used, each reader first takes the plain value out of it.
"""

from __future__ import annotations


def plain_text(text: str, what: str) -> str:
    """Return `text` as a plain `str`, or raise a TypeError."""
    if not isinstance(text, str):
        raise TypeError(f"{what} is read from str, not {type(text).__name__}")
    return str.__str__(text)


def plain_int(value: int, what: str, types: str = "int") -> int:
    """Return `value` as a plain `int`, or raise a TypeError, for a `bool` too."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} is made from {types}, not {type(value).__name__}")
    return int.__index__(value)


def number_text(value: int) -> str:
    """Return the text of a refused number; the decimal text of a huge one could take for ever."""
    return hex(value) if abs(value).bit_length() <= 256 else "a huge number"


def pydantic_schema(cls: type[object], _source: object, _handler: object) -> object:
    """Answer Pydantic, which is loaded only where its users are: it asks the type's method."""
    from fdaa._pydantic import text_schema

    return text_schema(cls)
