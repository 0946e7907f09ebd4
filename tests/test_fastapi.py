"""Paths, queries and bodies that FastAPI reads."""

from __future__ import annotations

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


def test_fastapi_says_what_is_wrong() -> None:
    refused = CLIENT.get("/peers/fdaa::3?network=18")
    assert refused.status_code == 422
    assert "a bare number is ambiguous" in refused.json()["detail"][0]["msg"]
