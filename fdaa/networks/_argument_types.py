"""Whether arguments are of the types that are wanted: documents are JSON, and easily mixed up."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

Value = TypeVar("Value")


def one_of(type_: type[Value], value: Value, taker: str) -> Value:
    """Return a value that is of a type, or raise a TypeError."""
    if not isinstance(value, type_):
        raise TypeError(f"{taker} takes {type_.__name__}, not {type(value).__name__}")
    return value


def list_of(type_: type[Value], values: Iterable[Value], taker: str) -> list[Value]:
    """Return values that are all of a type, or raise a TypeError."""
    name = type_.__name__
    if isinstance(values, (dict, str, type_)):
        raise TypeError(f"{taker} takes a list of {name} objects, not a {type(values).__name__}")
    checked = list(values)
    for each in checked:
        if not isinstance(each, type_):
            raise TypeError(f"{taker} takes {name} objects, not {type(each).__name__}")
    return checked
