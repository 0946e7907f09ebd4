"""JSON of each encoder: the table of the guide, row by row."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel, TypeAdapter

from fdaa import Address, NetworkID, NetworkName

msgspec = pytest.importorskip("msgspec")
orjson = pytest.importorskip("orjson")
fastapi = pytest.importorskip("fastapi")
testclient = pytest.importorskip("fastapi.testclient")

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = Path(__file__).parent.parent / "docs" / "frameworks.md"
VALUES = (Address("fdaa:2:45b::3"), NetworkID("2:45b"), NetworkName("customer-17"))
Value = Address | NetworkID | NetworkName


def typed(value: Value) -> bytes:
    return TypeAdapter(type(value)).dump_json(value)


def by_any(value: Value) -> bytes:
    return TypeAdapter(Any).dump_json(value)


def endpoint_of(annotation: Any) -> Callable[[Value], bytes]:
    """Return what a FastAPI endpoint with this return type answers."""

    def encode(value: Value) -> bytes:
        def endpoint() -> Any:
            return value

        if annotation is not None:
            endpoint.__annotations__["return"] = annotation
        else:
            del endpoint.__annotations__["return"]
        app = fastapi.FastAPI()
        app.get("/")(endpoint)
        response = testclient.TestClient(app, raise_server_exceptions=False).get("/")
        if response.status_code != 200:
            raise TypeError(f"status {response.status_code}")
        return response.content

    return encode


# The first cell of a row -> what it encodes with.
ENCODERS: dict[str, Callable[[Any], str | bytes]] = {
    "`json`": json.dumps,
    "`orjson`": orjson.dumps,
    "`msgspec`": msgspec.json.encode,
    "Pydantic, a field of the type": typed,
    "Pydantic, a field of type `Any`": by_any,
    "FastAPI, with a return type": endpoint_of(Value),
    "FastAPI, without a return type": endpoint_of(None),
}


def table() -> dict[str, list[str]]:
    section = PAGE.read_text("utf-8").partition("## JSON encoders")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.*) \|$", section, re.MULTILINE)
    return {cells[0]: cells[1:] for cells in (row.split(" | ") for row in rows[1:])}


def outcome(encode: Callable[[Any], str | bytes], value: Value) -> str:
    """Return what becomes of a value, in the words of the table."""
    try:
        decoded = json.loads(encode(value))
    except TypeError as error:
        return "status 500" if "status 500" in str(error) else "`TypeError`"
    assert decoded == str(value)
    return "text"


def test_the_table_has_a_row_for_each_encoder() -> None:
    assert table().keys() == ENCODERS.keys()


@pytest.mark.parametrize("name", ENCODERS)
def test_a_row_says_what_becomes_of_each_type(name: str) -> None:
    *cells, line = table()[name]
    assert cells == [outcome(ENCODERS[name], value) for value in VALUES]
    assert (line == "nothing to do") == (cells == ["text"] * 3)


@pytest.mark.parametrize("name", ["`json`", "`orjson`", "`msgspec`"])
def test_the_line_of_a_row_makes_each_type_text(name: str) -> None:
    line = table()[name][-1]
    code = re.findall("`(.*?)`", line)[0]

    def encode(value: Value) -> str | bytes:
        names = {"json": json, "orjson": orjson, "msgspec": msgspec, "value": value}
        encoded: str | bytes = eval(code, names)  # noqa: S307 - the guide's own line
        return encoded

    assert [outcome(encode, value) for value in VALUES] == ["text"] * 3


def test_a_return_type_of_any_is_enough_for_fastapi() -> None:
    assert [outcome(endpoint_of(Any), value) for value in VALUES] == ["text"] * 3


def test_the_line_for_msgspec_decodes_too() -> None:
    class Peer(msgspec.Struct):
        address: Address
        network: NetworkID

    peer = Peer(Address("fdaa:2:45b::3"), NetworkID("2:45b"))
    text = msgspec.json.encode(peer, enc_hook=str)
    assert text == b'{"address":"fdaa:2:45b::3","network":"2:45b"}'
    assert msgspec.json.decode(text, type=Peer, dec_hook=lambda kind, text: kind(text)) == peer
    with pytest.raises(msgspec.ValidationError, match=r"bare number.*at `\$.network`"):
        msgspec.json.decode(
            text.replace(b'2:45b"}', b'18"}'),
            type=Peer,
            dec_hook=lambda kind, text: kind(text),
        )


class Peer(BaseModel):
    """A response of FastAPI."""

    address: Address
    network: NetworkID


def test_fastapi_reads_the_types_in_paths_and_queries_and_says_what_is_wrong() -> None:
    app = fastapi.FastAPI()

    @app.get("/peers/{address}")
    def peer(address: Address, network: NetworkID | None = None) -> Peer:
        return Peer(address=address, network=network or address.network_id)

    client = testclient.TestClient(app)
    assert client.get("/peers/FDAA:2:45b::3").json() == {
        "address": "fdaa:2:45b::3",
        "network": "2:45b",
    }
    refused = client.get("/peers/fdaa::3", params={"network": "18"})
    assert refused.status_code == 422
    assert "a bare number is ambiguous" in refused.json()["detail"][0]["msg"]
    documented = client.get("/openapi.json").json()["paths"]["/peers/{address}"]["get"]
    assert documented["parameters"][0]["schema"]["format"] == "ipv6"
