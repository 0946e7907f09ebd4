"""Paths, queries and bodies that FastAPI reads."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import BaseModel

from fdaa import Address, NetworkID, NetworkName, Prefix  # noqa: TC001 - FastAPI reads them


class Peer(BaseModel):
    """A response of FastAPI."""

    address: Address
    network: NetworkID


APP = FastAPI()


@APP.get("/peers/{address}")
def peer(address: Address, network: NetworkID | None = None) -> Peer:
    return Peer(address=address, network=network or address.network_id)


@APP.get("/routes/{name}")
def route(name: NetworkName, via: Prefix) -> dict[NetworkName, Prefix]:
    return {name: via}


CLIENT = TestClient(APP)


def test_fastapi_reads_and_documents_the_types_in_paths_and_queries() -> None:
    found = CLIENT.get("/peers/FDAA:2:45b::3").json()
    assert found == {"address": "fdaa:2:45b::3", "network": "2:45b"}
    found = CLIENT.get("/routes/blue", params={"via": "FDAA:2:45b::/48"}).json()
    assert found == {"blue": "fdaa:2:45b::/48"}
    formats = set()
    for path in APP.openapi()["paths"].values():
        for parameter in path["get"]["parameters"]:
            schema = parameter["schema"]
            formats.add(schema.get("anyOf", [schema])[0]["format"])
    assert formats == {"ipv6", "network-id", "network-name", "ipv6-prefix"}


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/peers/fdaa::3?network=18", "a bare number is ambiguous"),
        ("/peers/10.0.0.1", "this is an IPv4 address"),
        ("/routes/blue?via=fdaa::/16", "many networks"),
        ("/routes/17-blue?via=fdaa:2:45b::/48", "must start with a letter"),
    ],
)
def test_fastapi_says_what_is_wrong(path: str, message: str) -> None:
    refused = CLIENT.get(path)
    assert refused.status_code == 422
    assert message in refused.json()["detail"][0]["msg"]
