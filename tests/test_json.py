"""JSON that is read: by msgspec with a hook, and by FastAPI from paths, queries and bodies."""

from __future__ import annotations

import msgspec
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import BaseModel

from fdaa import Address, NetworkID, NetworkName, Prefix


class Route(msgspec.Struct):
    """A record of msgspec."""

    target: Address
    via: Prefix
    network: NetworkID
    name: NetworkName


ROUTE = Route(
    Address("fdaa:2:45b::3"),
    Prefix("fdaa:2:45b::/48"),
    NetworkID("2:45b"),
    NetworkName("customer-17"),
)
TEXT = b'{"target":"fdaa:2:45b::3","via":"fdaa:2:45b::/48","network":"2:45b","name":"customer-17"}'


def decoded(text: bytes) -> Route:
    return msgspec.json.decode(text, type=Route, dec_hook=lambda kind, value: kind(value))


def test_msgspec_encodes_and_decodes_with_hooks() -> None:
    assert msgspec.json.encode(ROUTE, enc_hook=str) == TEXT
    assert decoded(TEXT) == ROUTE
    with pytest.raises(msgspec.ValidationError, match=r"bare number.*at `\$.network`"):
        decoded(TEXT.replace(b'"2:45b"', b'"18"'))


class Peer(BaseModel):
    """A response of FastAPI."""

    address: Address
    network: NetworkID


@pytest.fixture
def client() -> TestClient:
    app = FastAPI()

    @app.get("/peers/{address}")
    def peer(address: Address, network: NetworkID | None = None) -> Peer:
        return Peer(address=address, network=network or address.network_id)

    @app.get("/routes/{name}")
    def route(name: NetworkName, via: Prefix) -> dict[NetworkName, Prefix]:
        return {name: via}

    return TestClient(app)


def test_fastapi_reads_the_types_in_paths_and_queries(client: TestClient) -> None:
    peer = client.get("/peers/FDAA:2:45b::3")
    assert peer.json() == {"address": "fdaa:2:45b::3", "network": "2:45b"}
    route = client.get("/routes/blue", params={"via": "FDAA:2:45b::/48"})
    assert route.json() == {"blue": "fdaa:2:45b::/48"}


REFUSED: tuple[tuple[str, dict[str, str], str], ...] = (
    # path, parameters, a part of the message
    ("/peers/fdaa::3", {"network": "18"}, "a bare number is ambiguous"),
    ("/peers/10.0.0.1", {}, "this is an IPv4 address"),
    ("/routes/blue", {"via": "fdaa::/16"}, "many networks"),
    ("/routes/17-blue", {"via": "fdaa:2:45b::/48"}, "must start with a letter"),
)


@pytest.mark.parametrize(("path", "parameters", "message"), REFUSED)
def test_fastapi_says_what_is_wrong(
    client: TestClient, path: str, parameters: dict[str, str], message: str
) -> None:
    refused = client.get(path, params=parameters)
    assert refused.status_code == 422
    assert message in refused.json()["detail"][0]["msg"]


def test_the_documentation_of_parameters_has_the_format(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    formats = {}
    for path in paths.values():
        for parameter in path["get"]["parameters"]:
            schema = parameter["schema"]
            text = schema.get("anyOf", [schema])[0]
            formats[parameter["name"]] = text["format"]
    assert formats == {
        "address": "ipv6",
        "network": "network-id",
        "name": "network-name",
        "via": "ipv6-prefix",
    }
