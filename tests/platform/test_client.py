"""The client over real sockets: what it sends, keeps for itself and shares between threads."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import traceback
from enum import Enum
from types import NoneType
from typing import TYPE_CHECKING, Any

import pytest
from client_calls import GOOD, LIST, TOKEN, broken, call, closed, failed, in_turn
from hostile_server import HostileServer, answers

import fdaa
from fdaa import NetworkName
from fdaa.platform import (
    AsyncClient,
    Client,
    ConflictError,
    MachineIdentity,
    OtherNetworkError,
    PlatformError,
)

if TYPE_CHECKING:
    from client_calls import Script
    from platform_command import Platform

    from fdaa.platform.sandbox import Sandbox


def test_a_list_is_asked_for_with_the_token_and_nothing_more(kind: str) -> None:
    with HostileServer(GOOD) as server:
        found = call(kind, server, "list_apps", org="acme & sons")
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
        with pytest.raises(PlatformError, match="the client is closed"):
            await client.list_apps(org="acme")

    with HostileServer(GOOD) as server:
        with Client(server.url, TOKEN) as client:
            pass
        with pytest.raises(PlatformError, match="the client is closed"):
            client.list_apps(org="acme")
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
    error, _ = failed(PlatformError, kind, script, "list_apps", org="acme")
    for shown in (str(error), repr(error), str(vars(error))):
        assert TOKEN not in shown
        assert TOKEN[:5] not in shown
    headers = vars(error).get("headers", {})
    assert TOKEN not in str(list(headers.values()))
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
        (app,) = client.list_apps(org="acme")
    assert (app.name, app.network) == (f"{token}-1", token)


def test_requests_are_logged_without_the_token(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with HostileServer(GOOD) as server:
        call(kind, server, "list_apps", org="acme")
    assert "HTTP Request" in caplog.text
    assert TOKEN not in caplog.text


def test_the_frames_of_an_error_do_not_hold_the_token(kind: str) -> None:
    error, _ = failed(PlatformError, kind, broken, "create_app", "web", org="acme")
    trace = traceback.TracebackException.from_exception(error, capture_locals=True)
    ours = [frame for frame in trace.stack if "/fdaa/" in frame.filename]
    assert ours
    for frame in ours:
        assert TOKEN not in str(frame.locals)


# --- ensure_app -----------------------------------------------------------------------------------


CREATED = answers(201, b'{"id": "a3"}')
TAKEN = answers(422, b'{"error": "taken", "status": "name_taken"}')
WITH_NEW = {"apps": [*LIST["apps"], {"name": "new", "id": "a3", "network": "green"}]}
NEW_LISTED = answers(200, json.dumps(WITH_NEW).encode())
UNKNOWN = answers(404, b'{"error": "no such organization", "status": "not_found"}')


def ensured(kind: str, name: str, network: str | None, *scripts: Script) -> tuple[object, ...]:
    """Return the ID and the network of the app, whether it was created, and the methods."""
    with HostileServer(in_turn(*scripts)) as server:
        made = call(kind, server, "ensure_app", name, org="acme", network=network)
    assert made.app.name == name
    assert type(made.app.network) in (NetworkName, NoneType)
    methods = " ".join(request.method for request in server.received)
    return made.app.id, made.app.network, made.created, methods


@pytest.mark.parametrize(
    ("name", "network", "scripts", "expected"),
    [
        ("web", None, [GOOD], ("a1", "blue", False, "GET")),
        ("web", "blue", [GOOD], ("a1", "blue", False, "GET")),
        ("api", "default", [GOOD], ("a2", "default", False, "GET")),
        ("new", None, [GOOD, CREATED], ("a3", None, True, "GET POST")),
        ("new", "green", [GOOD, CREATED], ("a3", "green", True, "GET POST")),
        # The first app of an organization, which has no list yet.
        ("new", "green", [UNKNOWN, CREATED], ("a3", "green", True, "GET POST")),
        # The response to the creation does not have the ID: the list does.
        ("new", "green", [GOOD, answers(201), NEW_LISTED], ("a3", "green", True, "GET POST GET")),
        ("new", None, [GOOD, answers(201), NEW_LISTED], ("a3", "green", True, "GET POST GET")),
        ("new", "green", [GOOD, answers(201), GOOD], (None, "green", True, "GET POST GET")),
        ("new", "green", [GOOD, answers(201), UNKNOWN], (None, "green", True, "GET POST GET")),
        # Someone else creates it after the list was read.
        ("new", "green", [GOOD, TAKEN, NEW_LISTED], ("a3", "green", False, "GET POST GET")),
    ],
)
def test_an_app_is_created_unless_it_is_listed(
    kind: str,
    name: str,
    network: str | None,
    scripts: list[Script],
    expected: tuple[object, ...],
) -> None:
    assert ensured(kind, name, network, *scripts) == expected


def test_what_ensure_app_returns_is_json() -> None:
    with HostileServer(GOOD) as server:
        made = call("sync", server, "ensure_app", "web", org="acme")
    assert json.loads(json.dumps(made.to_dict())) == {
        "name": "web",
        "id": "a1",
        "network": "blue",
        "machine_count": 2,
        "volume_count": 0,
        "created": False,
    }


def test_a_name_that_is_taken_is_a_conflict(kind: str) -> None:
    error, _ = failed(ConflictError, kind, TAKEN, "create_app", "web", org="acme")
    assert (error.status, error.code) == (422, "name_taken")
    assert not error.may_have_happened


def test_a_name_that_another_organization_has_is_a_conflict(kind: str) -> None:
    scripts = in_turn(GOOD, TAKEN, GOOD)
    error, server = failed(ConflictError, kind, scripts, "ensure_app", "new", org="acme")
    assert error.code == "name_taken"
    assert [request.method for request in server.received] == ["GET", "POST", "GET"]


def test_a_network_name_that_breaks_the_rules_is_not_sent(kind: str) -> None:
    error, server = failed(
        fdaa.NetworkNameError, kind, GOOD, "ensure_app", "web", org="acme", network="17"
    )
    assert "start with a letter" in str(error)
    assert server.received == []


def test_the_first_app_of_an_organization_is_made_in_the_sandbox(fdaa_sandbox: Sandbox) -> None:
    with Client(fdaa_sandbox.base_url, fdaa_sandbox.token) as client:
        first = client.ensure_app("web", org="fresh", network="blue")
        second = client.ensure_app("web", org="fresh", network="blue")
        with pytest.raises(ConflictError, match="an app named 'web' exists"):
            client.create_app("web", org="other")
        with pytest.raises(ConflictError):
            client.ensure_app("web", org="other")
    assert (first.created, second.created) == (True, False)
    assert first.app.id == second.app.id == "app-1"


def test_an_app_on_another_network_is_an_error(kind: str) -> None:
    error, server = failed(
        OtherNetworkError, kind, GOOD, "ensure_app", "web", org="acme", network="green"
    )
    assert (error.app.name, error.app.network, error.network) == ("web", "blue", "green")
    assert type(error.app.network) is type(error.network) is NetworkName
    assert str(error).startswith("app web exists on network blue, not green")
    assert len(server.received) == 1


def test_names_and_settings_are_sent_by_their_characters(platform: Platform) -> None:
    """A member of a `str` enumeration is `given.TEXT` in an f-string."""

    def member(text: str) -> Any:
        given: Any = Enum("given", {"TEXT": text}, type=str)
        return given.TEXT

    sandbox = platform.sandbox
    with Client(member(sandbox.base_url), member(sandbox.token)) as client:
        made = client.create_app(member("db"), org=member("acme"), network=member("customer-17"))
        assert (type(made.name), str(made.network)) == (str, "customer-17")
        listed = client.list_apps(org=member("acme")).by_name(member("db"))
        assert listed is not None
        assert (listed.name, listed.network) == ("db", "customer-17")
        client.destroy_app(member("db"))
        assert "db" not in client.list_apps(org="acme")
    assert sandbox.ensure_issuer(member("acme")) == sandbox.ensure_issuer("acme")
    socket = sandbox.start_machine(member("web")).socket
    token = MachineIdentity(socket=member(socket)).token(aud=member("https://vault.example"))
    assert token.claims().aud == "https://vault.example"
