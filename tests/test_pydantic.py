"""The three types as fields of a Pydantic model, with the real library."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from fdaa import Address, NetworkID, NetworkName

TEXT = "fdaa:2:45b:a7b:174:db43:d3c6:2"

TAKEN = (
    # type, what the field is given, its value
    (Address, TEXT.upper(), Address(TEXT)),
    (Address, Address(TEXT), Address(TEXT)),
    (NetworkID, "2:45b", NetworkID(0x2045B)),
    (NetworkID, 132187, NetworkID(0x2045B)),
    (NetworkName, "customer-17", NetworkName("customer-17")),
)
REFUSED = (
    # type, what the field is given, a part of the message
    (Address, f"[{TEXT}]", "brackets"),
    (Address, 1, "read from str, not int"),
    (NetworkID, "18", "a bare number is ambiguous"),
    (NetworkID, True, "not bool"),
    (NetworkName, "17-customer", "must start with a letter"),
    (NetworkName, ["a"], "not list"),
)


@pytest.mark.parametrize(("type_", "given", "value"), TAKEN)
def test_a_field_takes_what_the_constructor_takes(
    type_: type, given: object, value: object
) -> None:
    adapter = TypeAdapter(type_)
    found = [adapter.validate_python(given), adapter.validate_python(given, strict=True)]
    if not isinstance(given, Address):
        found.append(adapter.validate_json(json.dumps(given)))
    assert found == [value] * len(found)
    assert {type(each) for each in found} == {type_}


@pytest.mark.parametrize(("type_", "given", "message"), REFUSED)
def test_a_field_refuses_what_the_constructor_refuses(
    type_: type, given: object, message: str
) -> None:
    adapter = TypeAdapter(type_)
    for validate, value in (
        (adapter.validate_python, given),
        (adapter.validate_json, json.dumps(given)),
    ):
        with pytest.raises(ValidationError, match=message):
            validate(value)


@pytest.mark.parametrize("value", [Address(TEXT), NetworkID(0x2045B), NetworkName("blue")])
def test_a_value_is_text_in_json(value: Address | NetworkID | NetworkName) -> None:
    adapter = TypeAdapter(type(value))
    assert adapter.dump_python(value) is value
    assert json.loads(adapter.dump_json(value)) == str(value)
    assert adapter.validate_json(adapter.dump_json(value)) == value
    for mode in ("validation", "serialization"):
        assert adapter.json_schema(mode=mode) == {"type": "string"}


class Peer(BaseModel):
    """A model that changes texts before they are read, as a configuration can ask for."""

    model_config = ConfigDict(str_strip_whitespace=True, str_to_upper=True)

    address: Address
    names: dict[NetworkID, NetworkName]
    gateway: Address | None = None


def test_a_model_goes_to_json_and_back_and_its_configuration_changes_no_text() -> None:
    peer = Peer(address=TEXT, names={"2:45b": "blue", 7: "green"})
    text = peer.model_dump_json()
    assert json.loads(text)["names"] == {"2:45b": "blue", "0:7": "green"}
    assert Peer.model_validate_json(text) == peer
    with pytest.raises(ValidationError, match="white space"):
        Peer(address=f" {TEXT}", names={})
