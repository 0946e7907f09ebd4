"""Closed values: no subclass, no change, and one text for Pydantic and structlog."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa
if TYPE_CHECKING:
    from typing import Any, TypeVar

    Class = TypeVar("Class", bound=type[object])


def closed(cls: Class) -> Class:
    """Make a class with slots a closed value."""

    def no_subclass(_: type[object]) -> None:
        raise TypeError(f"{cls.__name__} is final")

    def no_change(_: object, name: str, *_new: object) -> None:
        raise AttributeError(f"{cls.__name__} objects cannot be changed: {name}")

    members = {
        "__init_subclass__": classmethod(no_subclass),
        "__setattr__": no_change,
        "__delattr__": no_change,
        "__get_pydantic_core_schema__": classmethod(_pydantic_schema),
        "__get_pydantic_json_schema__": classmethod(_pydantic_json_schema),
        "__pydantic_serializer__": property(_pydantic_serializer),
        "__structlog__": _text,
    }
    for name, member in members.items():
        setattr(cls, name, member)
    return cls


def _text(value: object) -> str:
    """Return a value's text, which the JSONRenderer of structlog would write its repr for."""
    return str(value)


# Pydantic is imported only when it calls one of these.


def _pydantic_schema(cls: type[object], _source: object, _handler: object) -> object:
    """Return the schema that Pydantic reads and writes values with."""
    from fdaa._integrations.pydantic import schema_of

    return schema_of(cls)


def _pydantic_json_schema(cls: type[object], _schema: object, _handler: Any) -> object:
    """Return the JSON Schema of a value's text."""
    from fdaa._integrations.pydantic import json_schema_of

    return json_schema_of(cls)


def _pydantic_serializer(_value: object) -> object:
    """Return the serializer of a value in a field of type `Any`."""
    from fdaa._integrations.pydantic import SERIALIZER

    return SERIALIZER
