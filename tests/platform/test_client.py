"""The client over real sockets: what it sends, what it reads, and what it keeps for itself."""

from __future__ import annotations

import json
import pickle
from types import NoneType
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest
from client_calls import GOOD, LIST, TOKEN, call, failed, in_turn
from hostile_server import HostileServer, answers

import fdaa
from fdaa import ArgumentError, NetworkName, NetworkNameError
from fdaa.networks import NetworkMap, parse_document
from fdaa.platform import (
    AppList,
    Client,
    ConflictError,
    IncompleteListError,
    InvalidResponseError,
    OtherNetworkError,
    PlatformApp,
)

if TYPE_CHECKING:
    from client_calls import Script


# --- requests -------------------------------------------------------------------------------------


def test_a_list_is_requested_with_the_token_and_nothing_more() -> None:
    with HostileServer(GOOD) as server:
        found = call(server, "list_apps", org="acme & sons")
    (request,) = server.received
    assert (request.method, request.target) == ("GET", "/v1/apps?org_slug=acme%20%26%20sons")
    assert request.headers.pop("authorization") == f"Bearer {TOKEN}"
    assert request.headers.pop("user-agent") == f"fdaa/{fdaa.__version__}"
    assert set(request.headers) == {"host", "accept", "accept-encoding", "connection"}
    assert [(app.name, app.network, app.id) for app in found] == [
        ("web", "blue", "a1"),
        ("api", "default", "a2"),
    ]
    assert (found[0].machine_count, found[1].volume_count, found.total) == (2, 1, 2)


def test_no_field_is_sent_that_was_not_given() -> None:
    with HostileServer(answers(201)) as server:
        call(server, "create_app", "web", org="acme")
        call(server, "create_app", "web", org="acme", network="customer-17")
        call(server, "destroy_app", "web")
    first, second, third = server.received
    assert json.loads(first.body) == {"app_name": "web", "org_slug": "acme"}
    assert json.loads(second.body)["network"] == "customer-17"
    assert (first.method, first.target) == ("POST", "/v1/apps")
    assert first.headers["content-type"] == "application/json"
    assert (third.method, third.target, third.body) == ("DELETE", "/v1/apps/web", b"")


@pytest.mark.parametrize("name", ["...", "../v1/apps/other", "%2e%2e", "a b?c#d;e&f", "\u00e9\n\0"])
def test_a_name_is_one_segment_whatever_is_in_it(name: str) -> None:
    with HostileServer(answers(202)) as server:
        call(server, "destroy_app", name)
    head, _, segment = server.received[0].target.rpartition("/")
    assert (head, unquote(segment)) == ("/v1/apps", name)
    assert not set(segment) & set("/?#:;@&=+$, ")


@pytest.mark.parametrize(
    ("operation", "arguments", "options", "reason"),
    [
        ("create_app", ("web",), {"org": "acme", "network": "17-customer"}, "start with a letter"),
        ("create_app", ("web",), {"org": ""}, "org is empty"),
        ("destroy_app", ("..",), {}, "name must not be '..'"),
        ("destroy_app", ("\ud800",), {}, "not valid Unicode"),
    ],
)
def test_what_is_wrong_is_not_sent(
    operation: str, arguments: tuple[str, ...], options: dict[str, Any], reason: str
) -> None:
    errors = (ArgumentError, NetworkNameError)
    with HostileServer(answers(201)) as server, pytest.raises(errors, match=reason):
        call(server, operation, *arguments, **options)
    assert server.received == []


# --- lists ----------------------------------------------------------------------------------------


def test_a_list_is_read_as_a_file_with_it() -> None:
    rows: list[Any] = [{"name": "web", "network": "blue"}, 7, {"name": "y", "network": "1bad"}]
    rows += [{"name": "z", "network": None, "machine_count": "3", "id": 7}, {"name": ["x"]}]
    text = json.dumps({"apps": rows, "total_apps": 5})
    with HostileServer(answers(200, text.encode())) as server:
        found: AppList = call(server, "list_apps", org="acme")
    assert found.document == parse_document(text, file="GET /v1/apps?org_slug=acme")
    assert [(app.name, app.network) for app in found] == [
        ("web", "blue"),
        ("y", None),
        ("z", "default"),
    ]
    assert (found[2].machine_count, found[2].id) == (None, None)
    assert {row.name for row in NetworkMap([found.document]).networks} == {"blue", "default"}


def test_a_list_is_a_collection_of_apps_by_position_and_by_name() -> None:
    with HostileServer(GOOD) as server:
        found = call(server, "list_apps", org="acme")
    assert ("web" in found, "db" in found, found[0] in found) == (True, False, True)
    assert (found.by_name("api"), found.by_name("db")) == (found[1], None)
    assert ([app.name for app in found[1:]], len(found)) == (["api"], 2)
    assert repr(found) == "<AppList ['web', 'api']>"
    assert {type(app.network) for app in found} == {NetworkName}


def test_a_list_that_is_cut_off_raises_with_its_apps() -> None:
    body = json.dumps({**LIST, "total_apps": 3}).encode()
    error, server = failed(IncompleteListError, answers(200, body), "list_apps", org="acme")
    assert str(error) == "GET /v1/apps?org_slug=acme: incomplete list: 2 of 3 apps"
    assert [app.name for app in error.apps] == ["web", "api"]
    assert len(server.received) == 1


# --- creations, deletions -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "id_"),
    [
        (b"", None),
        (b'{"id": "x", "name": "web", "network": "blue", "extra": [1]}', "x"),
        (b'{"id": 7, "name": null, "network": ""}', None),
    ],
)
def test_a_creation_is_read_in_any_form(body: bytes, id_: str | None) -> None:
    with HostileServer(answers(201, body)) as server:
        made = call(server, "create_app", "web", org="acme", network="blue")
    assert made == PlatformApp("web", id=id_, network=NetworkName("blue"))


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"[]", ""),
        (b'{"error": "quota"}', "error"),
        (b'{"network": "green\\u001b"}', "network"),
    ],
)
def test_a_creation_with_a_strange_response_may_have_been_made(body: bytes, place: str) -> None:
    arguments = (answers(201, body), "create_app", "web")
    error, _ = failed(InvalidResponseError, *arguments, org="acme", network="blue")
    assert (error.may_have_happened, error.place) == (True, place)
    assert str(error).isprintable()


@pytest.mark.parametrize(
    ("status", "body", "warnings"),
    [
        (202, b'{"error": "ignored"}', []),  # section 4.1 names the status, and nothing else
        (200, b'{"error": null}', ["DELETE /v1/apps/web: status 200 in place of 202; accepted"]),
    ],
)
def test_a_deletion_with_a_status_of_success_is_accepted(
    status: int, body: bytes, warnings: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with HostileServer(answers(status, body)) as server:
        call(server, "destroy_app", "web")
    assert caplog.messages == warnings


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b'{"error": "no \x1b app"}', r"an error: no \x1b app, with status 200"),
        (b"<!doctype html><title>Log in</title>", "a page in HTML"),
    ],
)
def test_a_deletion_with_an_error_or_a_page_may_have_been_made(body: bytes, reason: str) -> None:
    error, _ = failed(InvalidResponseError, answers(200, body), "destroy_app", "web")
    assert reason in str(error)
    assert error.may_have_happened


# --- ensure_app -----------------------------------------------------------------------------------

CREATED = answers(201, b'{"id": "a3"}')
TAKEN = answers(422, b'{"error": "taken", "status": "name_taken"}')
WITH_NEW = {"apps": [*LIST["apps"], {"name": "new", "id": "a3", "network": "green"}]}
NEW_LISTED = answers(200, json.dumps(WITH_NEW).encode())
UNKNOWN = answers(404, b'{"error": "no such organization", "status": "not_found"}')


@pytest.mark.parametrize(
    ("name", "network", "scripts", "expected"),
    [
        ("web", None, [GOOD], ("a1", "blue", False, "GET")),
        # The first app of an organization, which has no list yet.
        ("new", "green", [UNKNOWN, CREATED], ("a3", "green", True, "GET POST")),
        # The response to the creation does not have the ID: the list does.
        ("new", None, [GOOD, answers(201), NEW_LISTED], ("a3", "green", True, "GET POST GET")),
        ("new", "green", [GOOD, answers(201), UNKNOWN], (None, "green", True, "GET POST GET")),
        # Someone else creates it after the list was read.
        ("new", "green", [GOOD, TAKEN, NEW_LISTED], ("a3", "green", False, "GET POST GET")),
    ],
)
def test_an_app_is_created_unless_it_is_listed(
    name: str, network: str | None, scripts: list[Script], expected: tuple[object, ...]
) -> None:
    with HostileServer(in_turn(*scripts)) as server:
        made = call(server, "ensure_app", name, org="acme", network=network)
    methods = " ".join(request.method for request in server.received)
    assert (made.app.id, made.app.network, made.created, methods) == expected
    assert type(made.app.network) in (NetworkName, NoneType)
    assert json.loads(json.dumps(made.to_dict()))["created"] is made.created


def test_a_name_that_another_organization_has_is_a_conflict() -> None:
    error, server = failed(ConflictError, in_turn(GOOD, TAKEN, GOOD), "ensure_app", "new", org="a")
    assert (error.status, error.code, error.may_have_happened) == (422, "name_taken", False)
    assert [request.method for request in server.received] == ["GET", "POST", "GET"]


def test_an_app_on_another_network_is_an_error() -> None:
    arguments = (GOOD, "ensure_app", "web")
    error, server = failed(OtherNetworkError, *arguments, org="acme", network="green")
    assert (error.app.name, error.app.network, error.network) == ("web", "blue", "green")
    assert str(error).startswith("app web exists on network blue, not green")
    assert len(server.received) == 1


# --- the token ------------------------------------------------------------------------------------


def test_a_client_does_not_show_its_token() -> None:
    with Client("https://api.example", TOKEN) as client:
        assert TOKEN not in repr(client) + repr(vars(client))
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(client)
