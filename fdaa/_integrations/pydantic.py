"""Pydantic schemas of the values, loaded when Pydantic requests one."""

from __future__ import annotations

from ipaddress import IPv6Address
from typing import Any

from pydantic_core import CoreSchema, PydanticCustomError, SchemaSerializer, core_schema

from fdaa._support.json_kinds import KINDS

_AS_TEXT = core_schema.to_string_ser_schema()
# For values in fields of type Any: text in JSON, as in fields that name the type.
SERIALIZER = SchemaSerializer(core_schema.any_schema(serialization=_AS_TEXT))

_FDAA = "[fF][dD][aA][aA]:[0-9a-fA-F:.]+"
_ID = "[0-9a-fA-F]{1,4}:[0-9a-fA-F]{1,4}"
# JSON Schema of the text of each type, as it is accepted and as it is written.
_SCHEMAS: dict[str, dict[str, Any]] = {
    "Address": {
        "title": "Private IPv6 address",
        "description": "An IPv6 address in fdaa::/16, in any spelling of RFC 4291",
        "type": "string",
        "format": "ipv6",
        "pattern": f"^{_FDAA}$",
        "examples": ["fdaa:2:45b:a7b:174:db43:d3c6:2"],
    },
    "Prefix": {
        "title": "Prefix of a network",
        "description": "A network (/48), or a part of one (up to /127)",
        "type": "string",
        "format": "ipv6-prefix",
        "pattern": f"^{_FDAA}/[0-9]{{2,3}}$",
        "examples": ["fdaa:2:45b::/48"],
    },
    "NetworkID": {
        "title": "Network ID",
        "description": "Two groups (2:45b), a hex number (0x2045b) or a prefix (fdaa:2:45b::/48)",
        "type": "string",
        "format": "network-id",
        "pattern": f"^({_ID}|:{_ID}:|0[xX][0-9a-fA-F]{{1,8}}|{_FDAA}/[0-9]{{2,3}})$",
        "examples": ["2:45b"],
    },
    "NetworkName": {
        "title": "Network name",
        "description": "ASCII letters, digits and dashes; the first character is a letter",
        "type": "string",
        "format": "network-name",
        "pattern": "^[a-zA-Z][a-zA-Z0-9-]*$",
        "examples": ["customer-17"],
    },
}


def schema_of(type_: type[Any]) -> CoreSchema:
    """Return the schema of a type: its text, or a value of the type; and text in JSON.

    A number is no network ID here: YAML 1.1 reads `2:45` without quotes as 165, in base 60.
    An Address is also read from an `ipaddress.IPv6Address`, unless the field is strict.
    """
    example = _SCHEMAS[type_.__name__]["examples"][0]
    expected = f"must be text, such as '{example}'"

    def read(value: object) -> object:
        if isinstance(value, str | type_):
            return type_(value)
        reason = f"{expected}, not {_kind_of(value)}"
        # Pydantic reports a ValueError as wrong input, and passes on a TypeError.
        raise PydanticCustomError("type_error", "{reason}", {"reason": reason})

    def read_lax(value: object) -> object:
        if isinstance(value, IPv6Address) and type_.__name__ == "Address":
            return type_.from_ip(value)
        return read(value)

    return core_schema.lax_or_strict_schema(
        core_schema.no_info_plain_validator_function(read_lax),
        core_schema.no_info_plain_validator_function(read),
        serialization=_AS_TEXT,
    )


_KINDS = {**KINDS, int: "a number (in YAML, write it in quotes)"}


def _kind_of(value: object) -> str:
    """Return the kind of a value in the words of JSON, as its reader may not know Python."""
    return _KINDS.get(type(value), type(value).__name__)


def json_schema_of(type_: type[Any]) -> dict[str, Any]:
    """Return the JSON Schema of a value's text."""
    return dict(_SCHEMAS[type_.__name__])
