"""The values as fields of a Pydantic model, in FastAPI, and in msgspec."""

from __future__ import annotations

import json
import re
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import given
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from fdaa import Address, NetworkID, NetworkName, Prefix
from fdaa.strategies import address_texts, network_ids, network_names, prefixes

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaMode

TEXT = "fdaa:2:45b:a7b:174:db43:d3c6:2"
VALUES = (Address(TEXT), Prefix("fdaa:2:45b::/48"), NetworkID(0x2045B), NetworkName("blue"))

REFUSED = (
    # type, what the field is given, a part of the message
    (Address, f"[{TEXT}]", "brackets"),
    (NetworkID, "18", "a bare number is ambiguous"),
    (NetworkID, None, "not null"),
    # YAML 1.1 reads 2:45 as 165, in base 60.
    (NetworkID, 165, r"must be text, such as '2:45b', not a number \(in YAML, write it in quotes"),
)


@pytest.mark.parametrize("value", VALUES)
def test_a_field_takes_text_and_its_own_type(value: Any) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(type(value))
    text = str(value)
    if not isinstance(value, NetworkName):
        text = text.upper()
    for accepted in (text, value):
        for strict in (False, True):
            found = adapter.validate_python(accepted, strict=strict)
            assert found == value
            assert type(found) is type(value)
    assert adapter.validate_json(json.dumps(text)) == value


@pytest.mark.parametrize(("type_", "given", "message"), REFUSED)
def test_a_field_refuses_other_text_and_other_types(
    type_: type, given: object, message: str
) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(type_)
    for strict in (False, True):
        with pytest.raises(ValidationError, match=message):
            adapter.validate_python(given, strict=strict)
    with pytest.raises(ValidationError, match=message):
        adapter.validate_json(json.dumps(given))


def test_an_address_is_read_from_an_object_of_ipaddress_unless_strict() -> None:
    ip = ip_address(TEXT)
    assert TypeAdapter(Address).validate_python(ip) == Address(TEXT)
    with pytest.raises(ValidationError, match="not IPv6Address"):
        TypeAdapter(Address).validate_python(ip, strict=True)


@pytest.mark.parametrize("value", VALUES)
def test_a_value_is_text_in_json_whether_or_not_the_field_names_its_type(value: object) -> None:
    for type_ in (type(value), Any):
        adapter: TypeAdapter[Any] = TypeAdapter(dict[type_, list[type_]])  # type: ignore[valid-type]
        assert adapter.dump_python({value: [value]}) == {value: [value]}
        assert json.loads(adapter.dump_json({value: [value]})) == {str(value): [str(value)]}


# --- JSON Schema ----------------------------------------------------------------------------------


def matches(schema: dict[str, Any], value: object) -> bool:
    """Return whether a value is of the type and the pattern that a schema states."""
    return schema["type"] == "string" and bool(re.search(schema["pattern"], str(value)))


SCHEMAS: dict[type, dict[str, Any]] = {
    type(value): TypeAdapter(type(value)).json_schema() for value in VALUES
}


@pytest.mark.parametrize("type_", SCHEMAS)
def test_the_schema_names_and_describes_the_type_and_its_examples_are_valid(type_: type) -> None:
    found = SCHEMAS[type_]
    assert TypeAdapter(type_).json_schema(mode="serialization") == found
    assert found.keys() == {"title", "description", "type", "format", "pattern", "examples"}
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


class Peer(BaseModel):
    """A model that changes texts before they are read, as a configuration can ask for."""

    model_config = ConfigDict(str_strip_whitespace=True, str_to_upper=True)

    address: Address = Address(TEXT)
    networks: list[NetworkID] = [NetworkID(0x2045B)]
    names: dict[NetworkID, NetworkName] = {NetworkID(7): NetworkName("blue")}
    gateway: Address | None = None


@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_defaults_are_text_in_the_schema(mode: JsonSchemaMode) -> None:
    properties = Peer.model_json_schema(mode=mode)["properties"]
    defaults = [properties[name]["default"] for name in ("address", "networks", "names")]
    assert defaults == [TEXT, ["2:45b"], {"0:7": "blue"}]


def test_a_model_goes_to_json_and_back_and_its_configuration_changes_no_text() -> None:
    names = {"2:45b": "blue", "0:7": "green"}
    peer = Peer.model_validate({"names": names})
    text = peer.model_dump_json()
    assert json.loads(text)["names"] == names
    assert Peer.model_validate_json(text) == peer
    with pytest.raises(ValidationError, match="white space"):
        Peer.model_validate({"address": f" {TEXT}"})


# --- FastAPI --------------------------------------------------------------------------------------

APP = FastAPI()


@APP.get("/peers/{address}")
def peer(address: Address, network: NetworkID, via: Prefix, name: NetworkName) -> dict[str, Any]:
    return {"address": address, "found": {name: [network, via]}}


def test_fastapi_reads_writes_and_documents_the_types() -> None:
    query = {"network": "2:45b", "via": "FDAA:2:45b::/48", "name": "blue"}
    client = TestClient(APP)
    found = client.get("/peers/FDAA:2:45b::3", params=query).json()
    assert found == {"address": "fdaa:2:45b::3", "found": {"blue": ["2:45b", "fdaa:2:45b::/48"]}}
    parameters = APP.openapi()["paths"]["/peers/{address}"]["get"]["parameters"]
    formats = {parameter["schema"]["format"] for parameter in parameters}
    assert formats == {"ipv6", "network-id", "network-name", "ipv6-prefix"}
    refused = client.get("/peers/10.0.0.1", params=query)
    assert refused.status_code == 422
    assert "this is an IPv4 address" in refused.json()["detail"][0]["msg"]


# --- msgspec --------------------------------------------------------------------------------------


def test_msgspec_reads_and_writes_with_the_hooks_of_the_guide() -> None:
    text = b'["FDAA:2:45b::3"]'
    found = msgspec.json.decode(text, type=list[Address], dec_hook=lambda kind, value: kind(value))
    assert found == [Address("fdaa:2:45b::3")]
    assert msgspec.json.encode(found, enc_hook=str) == b'["fdaa:2:45b::3"]'
