"""Requests and responses of the API: how names are sent, and what is read from any response."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from client_calls import LIST, call, failed
from hostile_server import HostileServer, answers
from hypothesis import example, given
from hypothesis import strategies as st

import fdaa
from fdaa.networks import NetworkMap
from fdaa.platform import IncompleteListError, InvalidResponseError, ResponseError

if TYPE_CHECKING:
    from collections.abc import Iterator

# --- what is sent ---------------------------------------------------------------------------------


def test_no_field_is_sent_that_was_not_given(kind: str) -> None:
    with HostileServer(answers(201)) as server:
        call(kind, server, "create_app", "web", org="acme")
        call(kind, server, "create_app", "web", org="acme", network="customer-17")
        call(kind, server, "destroy_app", "web")
    first, second, third = server.received
    assert json.loads(first.body) == {"app_name": "web", "org_slug": "acme"}
    assert json.loads(second.body)["network"] == "customer-17"
    assert first.headers["content-type"] == "application/json"
    assert (first.method, first.target) == ("POST", "/v1/apps")
    assert (third.method, third.target, third.body) == ("DELETE", "/v1/apps/web", b"")
    assert "content-type" not in third.headers


@given(name=st.text(min_size=1))
@example(name="..")
@example(name="../v1/apps/other")
@example(name="%2e%2e")
def test_a_name_is_one_segment_whatever_is_in_it(server: HostileServer, name: str) -> None:
    server.received.clear()
    call("sync", server, "destroy_app", name)
    head, _, segment = server.received[0].target.rpartition("/")
    assert head == "/v1/apps"
    assert unquote(segment) == name
    assert not set(segment) & set("/?#:;@&=+$, ")
    assert segment.strip(".")


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    """A server that accepts everything."""
    with HostileServer(answers(202)) as running:
        yield running


@pytest.mark.parametrize(
    ("operation", "arguments", "options", "reason"),
    [
        ("create_app", ("web",), {"org": "acme", "network": "17-customer"}, "start with a letter"),
        ("create_app", ("web",), {"org": "acme", "network": ""}, "empty"),
        ("create_app", ("",), {"org": "acme"}, "app_name is empty"),
        ("destroy_app", ("",), {}, "app_name is empty"),
        ("destroy_app", ("\ud800",), {}, "not valid Unicode"),
        ("apps", ("",), {}, "org is empty"),
    ],
)
def test_what_is_wrong_is_not_sent(
    kind: str, operation: str, arguments: tuple[str, ...], options: dict[str, str], reason: str
) -> None:
    with HostileServer(answers(201)) as server, pytest.raises(ValueError, match=reason):
        call(kind, server, operation, *arguments, **options)
    assert server.received == []


# --- lists ----------------------------------------------------------------------------------------


def test_the_list_joins_as_a_file_does_and_names_its_places() -> None:
    rows = [*LIST["apps"], {"name": "x", "network": 5}, {"name": "y", "network": "1"}]
    body = json.dumps({"total_apps": 4, "apps": rows}).encode()
    with HostileServer(answers(200, body)) as server:
        found = call("sync", server, "apps", "acme")
    joined = NetworkMap([found.document])
    assert {str(network.name) for network in joined.networks} >= {"blue", "default"}
    places = {(problem.file, problem.place) for problem in joined.problems}
    assert ("GET /v1/apps?org_slug=acme", "apps[2].network") in places
    assert [app.name for app in found] == ["web", "api", "y"]
    assert [app.name for app in found[1:]] == ["api", "y"]
    assert (found.total, repr(found)) == (4, "<AppList ['web', 'api', 'y']>")


def test_a_list_that_is_cut_off_raises_with_its_apps(kind: str) -> None:
    body = json.dumps({**LIST, "total_apps": 50}).encode()
    error, server = failed(IncompleteListError, kind, answers(200, body), "apps", "acme")
    assert str(error) == "GET /v1/apps?org_slug=acme: incomplete list: 2 of 50 apps"
    assert [app.name for app in error.apps] == ["web", "api"]
    assert len(server.received) == 1


@pytest.mark.parametrize(
    ("body", "place", "reason"),
    [
        (json.dumps(LIST).encode()[:-9], "", "not JSON"),
        (b"", "", "empty"),
        (b"[]", "", "a JSON object"),
        (b"null", "", "a JSON object"),
        (b'{"total_apps": 0}', "", "an object with 'apps'"),
        (b'{"apps": {}}', "", "apps: it must be an array"),
        (b'{"apps": [], "apps": []}', "", "twice"),
        (b'{"apps": [], "machines": []}', "", "more than one"),
        (b'{"apps": [NaN]}', "", "NaN"),
        (b"\xff\xfe{", "", "it is UTF-16"),
        (b"\xff", "", "it is not UTF-8"),
        (b"[" * 200_000, "", "nested"),
        (b"9" * 5000, "", "digits"),
        (b'[{"Name": "web", "Network": "blue"}]', "", "a JSON object"),
    ],
)
def test_a_list_that_is_none_is_refused_with_the_reason(
    body: bytes, place: str, reason: str
) -> None:
    error, _ = failed(InvalidResponseError, "sync", answers(200, body), "apps", "acme")
    assert error.place == place
    assert reason in error.reason
    assert "save it" not in error.reason
    assert "Machine list" not in error.reason
    assert not error.may_have_happened


# --- creations ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "id_"),
    [
        (b"", None),
        (b"\n", None),
        (b"{}", None),
        (b'{"id": "x1", "created_at": 1}', "x1"),
        (b'{"id": "", "name": "web"}', None),
        (b'{"id": 7, "name": "web", "network": "blue"}', None),
    ],
)
def test_every_response_to_a_creation_is_fine(kind: str, body: bytes, id_: str | None) -> None:
    with HostileServer(answers(201, body)) as server:
        made = call(kind, server, "create_app", "web", org="acme", network="blue")
    assert (made.name, made.id, made.network) == ("web", id_, "blue")
    assert made.to_dict() == {"name": "web", "id": id_, "network": "blue"}
    assert isinstance(made.network, fdaa.NetworkName)


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"[]", ""),
        (b"created", ""),
        (b'{"id": "x"', ""),
        (b'{"id": "x", "id": "y"}', ""),
        (b'{"id": NaN}', ""),
        ('{"id": "x"}'.encode("utf-16"), ""),
        (b'{"error": "quota"}', "error"),
        (b"[" * 100_000, ""),
        (b'{"network": "green"}', "network"),
        (b'{"name": "other"}', "name"),
    ],
)
def test_a_creation_with_a_strange_response_may_have_been_made(body: bytes, place: str) -> None:
    error, _ = failed(
        InvalidResponseError,
        "sync",
        answers(201, body),
        "create_app",
        "web",
        org="acme",
        network="blue",
    )
    assert (error.may_have_happened, error.place) == (True, place)


def test_a_creation_on_another_network_shows_both_names() -> None:
    script = answers(201, b'{"network": "green\\u001b"}')
    error, _ = failed(
        InvalidResponseError, "sync", script, "create_app", "web", org="acme", network="blue"
    )
    assert error.reason == r"expected 'blue', got 'green\x1b'"


# --- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "message", "code"),
    [
        (b'{"error": "taken", "status": "name_taken"}', "taken", "name_taken"),
        (b'{"message": "no such org", "code": "x"}', "no such org", "x"),
        (b'{"error": {"message": "deep"}}', '{"error": {"message": "deep"}}', None),
        (b'{"status": 500}', '{"status": 500}', None),
        (b"[1, 2]", "[1, 2]", None),
        (b"plain\r\n  text\x1b[31m \x00", "plain text\\x1b[31m \\x00", None),
        (b"<html><title>502 Bad\nGateway</title>", "<html><title>502 Bad Gateway</title>", None),
        (b"\xff\xfe", "\ufffd\ufffd", None),
        (b"[" * 60_000, "[" * 300 + "...", None),
        (b"x" * 1_000_000, "x" * 300 + "...", None),
        (b'{"error": "' + b"x" * 301 + b'"}', "x" * 300 + "...", None),
        (b"", "", None),
    ],
)
def test_every_error_is_one_clean_line(
    kind: str, body: bytes, message: str, code: str | None
) -> None:
    script = answers(422, body, "Platform-Request-Id: r-17")
    error, _ = failed(ResponseError, kind, script, "create_app", "web", org="acme")
    assert (error.status, error.message, error.code) == (422, message, code)
    assert error.request_id == "r-17"
    assert str(error).isprintable()
