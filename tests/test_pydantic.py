"""The values as fields of a Pydantic model, with the real library."""

from __future__ import annotations

import json
import re
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from hypothesis import given
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from fdaa import Address, NetworkID, NetworkName, Prefix
from fdaa.strategies import address_texts, network_ids, network_names, prefixes

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaMode

TEXT = "fdaa:2:45b:a7b:174:db43:d3c6:2"
TYPES = (Address, Prefix, NetworkID, NetworkName)
VALUES = (Address(TEXT), Prefix("fdaa:2:45b::/48"), NetworkID(0x2045B), NetworkName("blue"))

TAKEN = (
    # type, what the field is given, its value
    (Address, TEXT.upper(), Address(TEXT)),
    (Address, Address(TEXT), Address(TEXT)),
    (Prefix, "FDAA:2:45b::/48", NetworkID(0x2045B).prefix),
    (NetworkID, "2:45b", NetworkID(0x2045B)),
    (NetworkName, "customer-17", NetworkName("customer-17")),
)
REFUSED = (
    # type, what the field is given, a part of the message
    (Address, f"[{TEXT}]", "brackets"),
    (Address, 1, "must be text, such as 'fdaa:2:45b:a7b:174:db43:d3c6:2', not a number"),
    (NetworkID, "18", "a bare number is ambiguous"),
    (NetworkID, None, "not null"),
    # YAML 1.1 reads 2:45 as 165, in base 60.
    (NetworkID, 165, r"must be text, such as '2:45b', not a number \(in YAML, write it in quotes"),
)


@pytest.mark.parametrize(("type_", "given", "value"), TAKEN)
def test_a_field_takes_text_and_its_own_type(type_: type, given: object, value: object) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(type_)
    found = [adapter.validate_python(given), adapter.validate_python(given, strict=True)]
    if not isinstance(given, Address | Prefix | NetworkID):
        found.append(adapter.validate_json(json.dumps(given)))
    assert found == [value] * len(found)
    assert {type(each) for each in found} == {type_}


@pytest.mark.parametrize(("type_", "given", "message"), REFUSED)
def test_a_field_refuses_other_text_and_other_types(
    type_: type, given: object, message: str
) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(type_)
    with pytest.raises(ValidationError, match=message):
        adapter.validate_python(given)
    with pytest.raises(ValidationError, match=message):
        adapter.validate_python(given, strict=True)
    with pytest.raises(ValidationError, match=message):
        adapter.validate_json(json.dumps(given))


def test_an_address_is_read_from_an_object_of_ipaddress_unless_strict() -> None:
    ip = ip_address(TEXT)
    assert TypeAdapter(Address).validate_python(ip) == Address(TEXT)
    strict: TypeAdapter[Any] = TypeAdapter(Annotated[Address, Field(strict=True)])
    with pytest.raises(ValidationError, match="not IPv6Address"):
        strict.validate_python(ip)


@pytest.mark.parametrize("value", VALUES)
def test_a_value_is_text_in_json_whether_or_not_the_field_names_its_type(value: object) -> None:
    for type_ in (type(value), Any):
        adapter: TypeAdapter[Any] = TypeAdapter(dict[type_, list[type_]])  # type: ignore[valid-type]
        assert adapter.dump_python({value: [value]}) == {value: [value]}
        assert json.loads(adapter.dump_json({value: [value]})) == {str(value): [str(value)]}


# --- JSON Schema ----------------------------------------------------------------------------------


def schema(type_: Any, mode: JsonSchemaMode = "validation") -> dict[str, Any]:
    return TypeAdapter(type_).json_schema(mode=mode)


def matches(schema: dict[str, Any], value: object) -> bool:
    """Return whether a value is of the type and the pattern that a schema states."""
    return schema["type"] == "string" and bool(re.search(schema["pattern"], str(value)))


SCHEMAS: dict[type, dict[str, Any]] = {type_: schema(type_) for type_ in TYPES}


@pytest.mark.parametrize("type_", TYPES)
def test_the_schema_names_and_describes_the_type_and_its_examples_are_valid(type_: type) -> None:
    found = SCHEMAS[type_]
    assert schema(type_, "serialization") == found
    assert found["title"]
    assert found["description"]
    assert found["format"]
    for example in found["examples"]:
        assert matches(found, example)
        assert type_(example)


@given(address_texts(), prefixes(), network_ids(), network_names())
def test_the_schema_matches_what_is_accepted_and_what_is_written(
    text: str, prefix: Prefix, network_id: NetworkID, name: NetworkName
) -> None:
    assert matches(SCHEMAS[Address], text)
    assert matches(SCHEMAS[Prefix], str(prefix).upper())
    for each in (f":{network_id}:", str(network_id.prefix).upper(), f"{network_id:#x}"):
        assert matches(SCHEMAS[NetworkID], each)
    for value in (Address(text), prefix, network_id, name):
        assert matches(SCHEMAS[type(value)], str(value))


class Route(BaseModel):
    """A model with defaults."""

    source: Address = Address(TEXT)
    networks: list[NetworkID] = [NetworkID(0x2045B)]
    names: dict[NetworkID, NetworkName] = {NetworkID(7): NetworkName("blue")}


@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_defaults_are_text_in_the_schema(mode: JsonSchemaMode) -> None:
    properties = schema(Route, mode)["properties"]
    defaults = {name: each["default"] for name, each in properties.items()}
    assert defaults == {"source": TEXT, "networks": ["2:45b"], "names": {"0:7": "blue"}}
    assert matches(properties["networks"]["items"], "2:45b")


class Peer(BaseModel):
    """A model that changes texts before they are read, as a configuration can ask for."""

    model_config = ConfigDict(str_strip_whitespace=True, str_to_upper=True)

    address: Address
    network: NetworkName


def test_the_configuration_of_a_model_changes_no_text() -> None:
    assert Peer.model_validate({"address": TEXT, "network": "blue"}).network == "blue"
    with pytest.raises(ValidationError, match="white space"):
        Peer.model_validate({"address": f" {TEXT}", "network": "blue"})
