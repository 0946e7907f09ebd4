"""What Pydantic asks of the three types. Loaded by Pydantic's question only."""

from __future__ import annotations

from typing import Any

from pydantic_core import CoreSchema, PydanticCustomError, core_schema


def text_schema(type_: type[Any]) -> CoreSchema:
    """Return the schema of a type: it takes what the constructor takes, and is text in JSON."""

    def validate(value: object) -> object:
        if isinstance(value, type_):
            return value
        try:
            return type_(value)
        except TypeError as error:  # Pydantic takes a ValueError for wrong input, and no other
            raise PydanticCustomError("type_error", "{reason}", {"reason": str(error)}) from None

    return core_schema.no_info_plain_validator_function(
        validate,
        serialization=core_schema.to_string_ser_schema(),
        json_schema_input_schema=core_schema.str_schema(),
    )
