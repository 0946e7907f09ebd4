"""Requests and responses of the API: how names are sent, and what is read from any response."""

from __future__ import annotations

import json
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest
from client_calls import LIST, call, failed
from hostile_server import HostileServer, answers
from hypothesis import example, given
from hypothesis import strategies as st

import fdaa
from fdaa import ArgumentError, NetworkNameError
from fdaa.networks import NetworkMap, Origin, parse_document
from fdaa.platform import (
    AppList,
    IncompleteListError,
    InvalidResponseError,
    PlatformApp,
    ResponseError,
    UnreachableError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from client_calls import Script

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


@given(name=st.text(min_size=1).filter(lambda name: name not in (".", "..")))
@example(name="...")
@example(name="../v1/apps/other")
@example(name="%2e%2e")
def test_a_name_is_one_segment_whatever_is_in_it(server: HostileServer, name: str) -> None:
    server.received.clear()
    call("sync", server, "destroy_app", name)
    head, _, segment = server.received[0].target.rpartition("/")
    assert head == "/v1/apps"
    assert unquote(segment) == name
    assert not set(segment) & set("/?#:;@&=+$, ")
    assert segment not in (".", "..")


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
        ("create_app", ("",), {"org": "acme"}, "name is empty"),
        ("create_app", ("..",), {"org": "acme"}, "name must not be '..'"),
        ("ensure_app", (".",), {"org": "acme"}, "name must not be '.'"),
        ("destroy_app", ("",), {}, "name is empty"),
        ("destroy_app", (".",), {}, "name must not be '.'"),
        ("destroy_app", ("..",), {}, "name must not be '..'"),
        ("destroy_app", ("\ud800",), {}, "not valid Unicode"),
        ("list_apps", (), {"org": ""}, "org is empty"),
    ],
)
def test_what_is_wrong_is_not_sent(
    kind: str, operation: str, arguments: tuple[str, ...], options: dict[str, Any], reason: str
) -> None:
    with (
        HostileServer(answers(201)) as server,
        pytest.raises((ArgumentError, NetworkNameError), match=reason),
    ):
        call(kind, server, operation, *arguments, **options)
    assert server.received == []


# --- lists ----------------------------------------------------------------------------------------


def listed(*rows: object, **fields: object) -> AppList:
    """Return the list in a response with these rows."""
    body = json.dumps({"apps": rows, **fields}).encode()
    with HostileServer(answers(200, body)) as server:
        found: AppList = call("sync", server, "list_apps", org="acme")
    return found


def test_the_list_joins_as_a_file_does() -> None:
    found = listed(*LIST["apps"], {"name": "y", "network": "green"}, total_apps=3)
    joined = NetworkMap([found.document])
    assert {network.name for network in joined.networks} == {"blue", "default", "green"}
    assert [app.name for app in found] == ["web", "api", "y"]
    assert [app.name for app in found[1:]] == ["api", "y"]
    assert (found.total, repr(found)) == (3, "<AppList ['web', 'api', 'y']>")
    assert found.document.apps[2].origin == Origin(
        file="GET /v1/apps?org_slug=acme", place="apps[2].network"
    )


def test_every_network_in_a_list_is_a_network_name() -> None:
    rows = [{"name": "a", "network": "blue"}, {"name": "b"}, {"name": "c", "network": None}]
    found = listed(*rows, {"name": "d", "network": ""})
    assert [app.network for app in found] == ["blue", "default", "default", "default"]
    assert {type(app.network) for app in found} == {fdaa.NetworkName}


# Rows with a fault each, which `fdaa.networks` has rules for.
FAULTY: list[object] = [
    7,
    None,
    {},
    {"name": ["x"]},
    {"name": "x", "network": 5},
    {"name": "y", "network": "1bad"},
    {"name": "y", "machine_count": "3", "volume_count": -1, "id": 7},
]


@pytest.mark.parametrize("total", [8, 1, "2"])
def test_a_list_is_read_as_a_file_with_it(total: object) -> None:
    rows = [{"name": "web", "network": "blue"}, *FAULTY]
    found = listed(*rows, total_apps=total)
    text = json.dumps({"apps": rows, "total_apps": total})
    assert found.document == parse_document(text, file="GET /v1/apps?org_slug=acme")
    assert [(app.name, app.network) for app in found] == [
        ("web", "blue"),
        ("y", None),
        ("y", "default"),
    ]
    assert (found[2].machine_count, found[2].volume_count, found[2].id) == (None, None, None)
    assert len(found.document.unused) == len(FAULTY) + 2 + (total != 8)


@pytest.mark.parametrize("apps", [0, 1, 15_000])  # the last list is read in a thread
def test_a_list_is_read_before_its_deadline_or_not_at_all(
    kind: str, apps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock is private: it leaps while the list is read, as if that took an hour."""
    leap = [0]
    read_json = json.loads

    def slow(*args: Any, **options: Any) -> object:
        leap[0] = 3600
        return read_json(*args, **options)

    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + leap[0])
    monkeypatch.setattr("fdaa.platform._http.time", clock)
    monkeypatch.setattr("json.loads", slow)
    body = json.dumps({"apps": [{"name": f"app-{i}"} for i in range(apps)]}).encode()
    with HostileServer(answers(200, body)) as server:
        with pytest.raises(UnreachableError) as info:
            call(kind, server, "list_apps", org="acme", timeout=30)
        assert len(server.received) == 1
    assert info.value.reason == "the response could not be read within 30 seconds"


def test_a_list_that_is_cut_off_raises_with_its_apps(kind: str) -> None:
    body = json.dumps({**LIST, "total_apps": 3}).encode()
    error, server = failed(IncompleteListError, kind, answers(200, body), "list_apps", org="acme")
    assert str(error) == "GET /v1/apps?org_slug=acme: incomplete list: 2 of 3 apps"
    assert [app.name for app in error.apps] == ["web", "api"]
    assert len(server.received) == 1


@pytest.mark.parametrize("status", [200, 203])
def test_any_complete_success_is_a_list(kind: str, status: int) -> None:
    with HostileServer(answers(status, json.dumps(LIST).encode())) as server:
        assert call(kind, server, "list_apps", org="acme").total == 2


def test_a_part_of_a_list_is_no_list(kind: str) -> None:
    script = answers(206, json.dumps(LIST).encode(), "Content-Range: bytes 0-99/100")
    error, _ = failed(InvalidResponseError, kind, script, "list_apps", org="acme")
    assert "status 206 is a part" in error.reason


MANY_KEYS = b'{"apps": [{"a": 1' + b', "a": 1' * 1_000_000 + b"}]}"


@pytest.mark.parametrize(
    ("body", "place", "reason"),
    [
        (json.dumps(LIST).encode()[:-9], "", "not JSON"),
        (b"", "", "empty"),
        (b"[]", "", "a JSON object"),
        (b'{"total_apps": 0}', "", "an object with 'apps'"),
        (b'{"apps": {}}', "", "apps: it must be an array, not an object"),
        (b'{"apps": [' + b"[]," * 500_000 + b"[]]}", "", "more than 1,000,000 commas and brackets"),
        (MANY_KEYS, "", "more than 1,000,000 commas and brackets"),
        (b'{"apps": [], "apps": []}', "", "twice"),  # JSON is strict, as everywhere
        (b'[{"Name": "web", "Network": "blue"}]', "", "a JSON object"),
    ],
)
def test_a_list_that_is_none_is_refused_with_the_reason(
    body: bytes, place: str, reason: str
) -> None:
    error, _ = failed(InvalidResponseError, "sync", answers(200, body), "list_apps", org="acme")
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
    assert made == PlatformApp("web", id=id_, network=fdaa.NetworkName("blue"))
    assert isinstance(made.network, fdaa.NetworkName)
    assert json.loads(json.dumps(made.to_dict())) == {
        "name": "web",
        "id": id_,
        "network": "blue",
        "machine_count": None,
        "volume_count": None,
    }


@pytest.mark.parametrize(
    ("body", "network"),
    [
        (b"", None),
        (b'{"id": "x1"}', None),
        (b'{"network": ""}', None),
        (b'{"network": "default"}', fdaa.NetworkName("default")),
    ],
)
def test_an_app_without_a_network_is_on_the_one_in_the_response(
    kind: str, body: bytes, network: fdaa.NetworkName | None
) -> None:
    with HostileServer(answers(201, body)) as server:
        made = call(kind, server, "create_app", "web", org="acme")
    assert made.network == network
    assert type(made.network) is type(network)


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"[]", ""),
        (b"created", ""),
        (b'{"id": "x"', ""),
        (b'{"id": "x", "id": "y"}', ""),
        (b'{"error": "quota"}', "error"),
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


def test_a_network_that_the_platform_chose_has_a_valid_name() -> None:
    script = answers(201, b'{"network": "1bad"}')
    error, _ = failed(InvalidResponseError, "sync", script, "create_app", "web", org="acme")
    assert (error.place, error.may_have_happened) == ("network", True)


def test_a_creation_on_another_network_shows_both_names() -> None:
    script = answers(201, b'{"network": "green\\u001b"}')
    error, _ = failed(
        InvalidResponseError, "sync", script, "create_app", "web", org="acme", network="blue"
    )
    assert error.reason == r"expected 'blue', got 'green\x1b'"


# --- deletions ------------------------------------------------------------------------------------

HTML = b"<!doctype html><title>Log in</title>"


NOTE = "DELETE /v1/apps/web: status {} in place of 202; accepted"
TYPE = "Content-Type: text/html"


@pytest.mark.parametrize(
    ("script", "note"),
    [
        (answers(202), None),
        # Section 4.1 names the status, and nothing else.
        (answers(202, b'{"error": "ignored"}'), None),
        (answers(200), NOTE.format(200)),
        (answers(200, b"", TYPE), NOTE.format(200)),
        (answers(204), NOTE.format(204)),
        (answers(200, b"ok"), NOTE.format(200)),
        (answers(200, b'{"id": "x1", "error": null}'), NOTE.format(200)),
    ],
)
def test_a_deletion_is_accepted_and_another_status_is_noted(
    kind: str, script: Script, note: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    with HostileServer(script) as server:
        call(kind, server, "destroy_app", "web")
    logged = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert logged == ([] if note is None else [note])


@pytest.mark.parametrize(
    ("body", "header", "reason"),
    [
        (b'{"error": "no \x1b such app"}', "", r"an error, with status 200 in place of 202"),
        (b'{"error": "no such app"}', "", "in place of 202: no such app"),
        (b'{"errors": [{"title": "gone"}]}', "", "an error, with status 200"),
        (HTML, "", "a page in HTML, with status 200 in place of 202"),
        (b"\n <html>", "", "a page in HTML"),
        (b"Log in", "Content-Type: text/html; charset=utf-8", "a page in HTML"),
    ],
)
def test_a_deletion_with_an_error_or_a_page_was_not_accepted(
    kind: str, body: bytes, header: str, reason: str
) -> None:
    script = answers(200, body, header or "X-Nothing: 1")
    error, server = failed(InvalidResponseError, kind, script, "destroy_app", "web")
    assert reason in error.reason
    assert error.may_have_happened
    assert str(error).isprintable()
    assert len(server.received) == 1


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
        (b" " * 65_536 + b'{"error": "beyond what is read"}', "", None),
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
