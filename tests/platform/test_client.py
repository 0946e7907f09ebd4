"""The client over real sockets: what it sends, keeps for itself and shares between threads."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import traceback
from typing import TYPE_CHECKING

import pytest
from client_calls import GOOD, TOKEN, broken, call, closed, failed, in_turn
from hostile_server import HostileServer, answers

import fdaa
from fdaa.platform import (
    AsyncClient,
    Client,
    ClientClosedError,
    OtherNetworkError,
    PlatformError,
)

if TYPE_CHECKING:
    from client_calls import Script


def test_a_list_is_asked_for_with_the_token_and_nothing_more(kind: str) -> None:
    with HostileServer(GOOD) as server:
        found = call(kind, server, "apps", "acme & sons")
    (request,) = server.received
    assert (request.method, request.target) == ("GET", "/v1/apps?org_slug=acme%20%26%20sons")
    assert request.headers.pop("authorization") == f"Bearer {TOKEN}"
    assert request.headers.pop("user-agent") == f"fdaa/{fdaa.__version__}"
    assert set(request.headers) == {"host", "accept", "accept-encoding", "connection"}
    assert [(app.name, app.network, app.id) for app in found] == [
        ("web", "blue", "a1"),
        ("api", "default", "a2"),
    ]
    assert found[0].machine_count == 2
    assert found[1].volume_count == 1
    assert (len(found), found.total) == (2, 2)


def test_a_closed_client_raises_its_own_error() -> None:
    async def main() -> None:
        async with AsyncClient(server.url, TOKEN) as client:
            pass
        with pytest.raises(ClientClosedError, match="the client is closed"):
            await client.apps("acme")

    with HostileServer(GOOD) as server:
        with Client(server.url, TOKEN) as client:
            pass
        with pytest.raises(ClientClosedError, match="the client is closed"):
            client.apps("acme")
        asyncio.run(main())
    assert server.received == []


# --- secrets --------------------------------------------------------------------------------------


ECHO = f"X-Request-Id: {TOKEN}"
# What goes on after the 300 characters that are shown of a text.
LONG = f"you sent {'x' * 285} {TOKEN}"


@pytest.mark.parametrize(
    "script",
    [
        answers(500, f"you sent {TOKEN}".encode(), ECHO),
        answers(500, LONG.encode()),
        answers(401, json.dumps({"error": TOKEN, "code": TOKEN}).encode()),
        answers(401, json.dumps({"error": f"\u0061{TOKEN}"}).encode()),
        answers(302, b"", f"Location: https://x/{TOKEN}"),
        answers(200, f'{{"{TOKEN}": 1, "{TOKEN}": 2}}'.encode()),
        answers(200, b"{}", f"Content-Encoding: {TOKEN}"),
        broken,
        closed,
    ],
)
def test_no_error_has_the_token_in_it(
    kind: str, script: Script, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "httpcore2")  # logs what the server sends
    error, _ = failed(PlatformError, kind, script, "apps", "acme")
    for shown in (str(error), repr(error), str(vars(error))):
        assert TOKEN not in shown
        assert TOKEN[:5] not in shown
    assert "headers" not in vars(error) or TOKEN not in str(list(error.headers.values()))
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.args) == (str(error), error.args)


def test_a_client_does_not_show_its_token() -> None:
    with Client("https://api.example", TOKEN) as client:
        assert TOKEN not in repr(client) + repr(vars(client))
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(client)


@pytest.mark.parametrize("token", ["web", "network", "e", "web-0123456789-0123456789"])
def test_a_name_that_contains_the_token_is_not_changed(token: str) -> None:
    body = json.dumps({"apps": [{"name": f"{token}-1", "network": token}]}).encode()
    with HostileServer(answers(200, body)) as server, Client(server.url, token) as client:
        (app,) = client.apps("acme")
    assert (app.name, app.network) == (f"{token}-1", token)


def test_requests_are_logged_without_the_token(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with HostileServer(GOOD) as server:
        call(kind, server, "apps", "acme")
    assert "HTTP Request" in caplog.text
    assert TOKEN not in caplog.text


def test_the_frames_of_an_error_do_not_hold_the_token(kind: str) -> None:
    error, _ = failed(PlatformError, kind, broken, "create_app", "web", org="acme")
    trace = traceback.TracebackException.from_exception(error, capture_locals=True)
    frames = [frame for frame in trace.stack if "/fdaa/" in frame.filename]
    assert frames
    assert not any(TOKEN in value for frame in frames for value in (frame.locals or {}).values())


# --- ensure_app -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "network", "methods"),
    [
        ("web", None, ["GET"]),
        ("web", "blue", ["GET"]),
        ("api", "default", ["GET"]),
        ("new", None, ["GET", "POST"]),
        ("new", "green", ["GET", "POST"]),
    ],
)
def test_an_app_is_created_unless_it_is_listed(
    kind: str, name: str, network: str | None, methods: list[str]
) -> None:
    with HostileServer(in_turn(GOOD, answers(201))) as server:
        made = call(kind, server, "ensure_app", name, org="acme", network=network)
    assert [request.method for request in server.received] == methods
    assert (made is None) == (methods == ["GET"])
    if made is not None:
        assert (made.name, made.network) == (name, network)


def test_an_app_on_another_network_is_an_error(kind: str) -> None:
    error, server = failed(
        OtherNetworkError, kind, GOOD, "ensure_app", "web", org="acme", network="green"
    )
    assert (error.app.name, error.network) == ("web", "green")
    assert str(error).startswith("app web exists on network blue, not green")
    assert len(server.received) == 1
