"""The client over real sockets, against servers that do what a good one never would."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import pickle
import select
import socket
import ssl
import threading
import time
import traceback
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from hostile_server import HostileServer, Received, answer, answers
from hypothesis import given
from hypothesis import strategies as st
from secrets_seen import CANARY

import fdaa
from fdaa.networks import NetworkMap
from fdaa.platform import (
    ArgumentError,
    AsyncClient,
    Client,
    PlatformError,
    ResponseError,
    UnexpectedAnswerError,
    UnreachableError,
)
from fdaa.platform._messages import Answer, Request, check, destroy_app

if TYPE_CHECKING:
    from pathlib import Path

TOKEN = CANARY
LIST = {
    "total_apps": 2,
    "apps": [
        {"id": "a1", "name": "web", "machine_count": 2, "volume_count": 0, "network": "blue"},
        {"id": "a2", "name": "api", "machine_count": 0, "volume_count": 1, "network": ""},
    ],
}


def call(kind: str, server: HostileServer, operation: str, *arguments: object, **options):
    """Call a method of the client, or of the asynchronous one."""
    timeout = options.pop("timeout", 5)
    if kind == "sync":
        with Client(server.url, TOKEN, timeout) as client:
            return getattr(client, operation)(*arguments, **options)

    async def main():
        async with AsyncClient(server.url, TOKEN, timeout) as client:
            return await getattr(client, operation)(*arguments, **options)

    return asyncio.run(main())


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


# --- what is sent ---------------------------------------------------------------------------------


def test_a_list_is_asked_for_with_the_token_and_nothing_more(kind: str) -> None:
    with HostileServer(answers(200, json.dumps(LIST).encode())) as server:
        found = call(kind, server, "apps", "acme & sons")
    (request,) = server.received
    assert (request.method, request.target) == ("GET", "/v1/apps?org_slug=acme%20%26%20sons")
    assert request.headers.pop("authorization") == f"Bearer {TOKEN}"
    assert request.headers.pop("user-agent") == f"fdaa/{fdaa.__version__}"
    assert set(request.headers) == {"host", "accept", "accept-encoding", "connection"}
    assert [(app.name, app.network, app.id) for app in found.apps] == [
        ("web", "blue", "a1"),
        ("api", "default", "a2"),
    ]
    assert found.apps[0].machine_count == 2
    assert found.apps[1].volume_count == 1
    assert found.total_apps == 2


def test_the_list_joins_as_a_file_does_and_names_its_places() -> None:
    rows = [*LIST["apps"], {"name": "x", "network": 5}, {"name": "y", "network": "1"}]
    body = json.dumps({"total_apps": 9, "apps": rows}).encode()
    with HostileServer(answers(200, body)) as server:
        found = call("sync", server, "apps", "acme")
    joined = NetworkMap([found.document])
    assert {str(network.name) for network in joined.networks} >= {"blue", "default"}
    places = {(problem.file, problem.place) for problem in joined.problems}
    assert ("GET /v1/apps?org_slug=acme", "apps[2].network") in places
    assert ("GET /v1/apps?org_slug=acme", "total_apps") in places
    assert [app.name for app in found.apps] == ["web", "api", "y"]


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


@given(st.text(min_size=1))
def test_a_name_is_one_segment_whatever_is_in_it(name: str) -> None:
    path = destroy_app(name).path
    segment = path.removeprefix("/v1/apps/")
    assert unquote(segment) == name
    assert not set(segment) & set("/?#:;@&=+$, ")
    assert segment.strip(".")


@pytest.mark.parametrize("name", ["..", ".", "a/b", "../v1/apps/other", "ä?x=1#y", "%2e%2e", "a b"])
def test_a_name_reaches_the_server_as_one_segment(name: str) -> None:
    with HostileServer(answers(202)) as server:
        call("sync", server, "destroy_app", name)
    head, _, segment = server.received[0].target.rpartition("/")
    assert head == "/v1/apps"
    assert unquote(segment) == name


@pytest.mark.parametrize(
    ("operation", "arguments", "options"),
    [
        ("create_app", ("web",), {"org": "acme", "network": "17-customer"}),
        ("create_app", ("web",), {"org": "acme", "network": ""}),
        ("create_app", ("",), {"org": "acme"}),
        ("destroy_app", ("",), {}),
        ("destroy_app", ("\ud800",), {}),
        ("apps", ("",), {}),
        ("apps", ("x" * 40_000,), {}),
        ("destroy_app", ("." * 40_000,), {}),
    ],
)
def test_what_is_wrong_is_not_sent(kind: str, operation: str, arguments, options) -> None:
    with HostileServer(answers(201)) as server, pytest.raises(fdaa.FdaaError):
        call(kind, server, operation, *arguments, **options)
    assert server.received == []


def test_no_cookie_is_kept() -> None:
    script = answers(200, json.dumps(LIST).encode(), "Set-Cookie: session=1; Path=/")
    with HostileServer(script) as server, Client(server.url, TOKEN) as client:
        client.apps("acme")
        client.apps("acme")
    assert all("cookie" not in request.headers for request in server.received)


# --- what creation answers ------------------------------------------------------------------------


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
def test_every_answer_to_a_creation_is_fine(kind: str, body: bytes, id_: str | None) -> None:
    with HostileServer(answers(201, body)) as server:
        made = call(kind, server, "create_app", "web", org="acme", network="blue")
    assert made == ("web", id_, "blue")
    assert isinstance(made.network, fdaa.NetworkName)


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"[]", ""),
        (b"created", ""),
        (b"[" * 100_000, ""),
        (b'{"network": "green"}', "network"),
        (b'{"name": "other"}', "name"),
    ],
)
def test_a_creation_that_is_answered_strangely_may_have_happened(body: bytes, place: str) -> None:
    with HostileServer(answers(201, body)) as server, pytest.raises(UnexpectedAnswerError) as info:
        call("sync", server, "create_app", "web", org="acme", network="blue")
    assert info.value.may_have_happened
    assert info.value.place == place


# --- the base URL and the token -------------------------------------------------------------------

GOOD_URLS = (
    "https://api.example",
    "https://api.example/base/",
    "https://[2001:db8::1]:8443",
    "http://localhost:1234",
    "http://127.0.0.1:1234/x",
    "http://127.8.8.8",
    "http://[::1]:8000",
)
BAD_URLS = (
    "",
    "api.example",
    "ftp://api.example",
    "http://api.example",
    "http://localhost.api.example",
    "http://127.0.0.1.api.example",
    "http://127.1",
    "http://0.0.0.0",
    "http://[fdaa:2:45b::3]:4280",
    "https://",
    "https:///x",
    "https://user:password@api.example",
    "https://user@api.example",
    "https://@api.example",
    "https://api.example?x=1",
    "https://api.example#x",
    "https://api.example/\r\nX: y",
    "https://api.example\\@evil.example",
    "https://api.exa mple",
    "https://api.example:99999",
    "https://api.example:x",
    "https://äpi.example",
    f"https://api.example/{'x' * 9000}",
)


@pytest.mark.parametrize("url", GOOD_URLS)
def test_a_base_url_is_https_or_loopback(url: str) -> None:
    with Client(url, TOKEN) as client:
        assert client.base_url == url.rstrip("/")


@pytest.mark.parametrize("url", BAD_URLS)
def test_no_token_goes_anywhere_else(url: str) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(ArgumentError) as info:
            kind(url, TOKEN)
        assert "password" not in str(info.value)


def test_plain_http_elsewhere_is_to_be_allowed() -> None:
    with Client("http://[fdaa:2:45b::3]:4280", TOKEN, allow_plain_http=True) as client:
        assert client.base_url == "http://[fdaa:2:45b::3]:4280"


def test_a_path_of_the_base_url_comes_first() -> None:
    with (
        HostileServer(answers(200, json.dumps(LIST).encode())) as server,
        Client(server.url + "/api/", TOKEN) as client,
    ):
        client.apps("acme")
    assert server.received[0].target == "/api/v1/apps?org_slug=acme"


@pytest.mark.parametrize("token", ["", "a b", "a\nX: y", "ä", "a\x00"])
def test_a_token_that_is_no_header_value_is_refused(token: str) -> None:
    with pytest.raises(ArgumentError) as info:
        Client("https://api.example", token)
    assert not token or token not in str(info.value)


@pytest.mark.parametrize("timeout", [0, -1, float("inf"), float("nan"), 1e308, 10**400])
def test_every_call_has_an_end(timeout: float) -> None:
    with pytest.raises(ArgumentError, match="timeout"):
        Client("https://api.example", TOKEN, timeout)


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FDAA_API_URL", raising=False)
    with pytest.raises(ArgumentError, match="FDAA_API_URL is not set"):
        Client.from_environment()
    with HostileServer(answers(202)) as server:
        monkeypatch.setenv("FDAA_API_URL", server.url)
        monkeypatch.setenv("FDAA_API_TOKEN", TOKEN)
        with Client.from_environment() as client:
            client.destroy_app("web")
    assert server.received[0].headers["authorization"] == f"Bearer {TOKEN}"


def test_loopback_is_never_asked_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with HostileServer(answers(500)) as proxy, HostileServer(answers(202)) as server:
        for variable in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(variable, proxy.url)
        for kind in ("sync", "async"):
            call(kind, server, "destroy_app", "web")
    assert proxy.connections == 0
    assert len(server.received) == 2


def test_elsewhere_the_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with HostileServer(answers(202)) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.replace("http://", "user:word@"))
        monkeypatch.delenv("no_proxy", raising=False)
        with Client("http://api.invalid", TOKEN, allow_plain_http=True) as client:
            client.destroy_app("web")
    assert proxy.received[0].target == "http://api.invalid/v1/apps/web"
    assert "proxy-authorization" in proxy.received[0].headers


@pytest.mark.parametrize("proxy", ["socks5://user:word@a:1", "://", "ftp://a", "http://a:x"])
def test_a_proxy_that_cannot_be_used_is_told(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("https_proxy", proxy)
    monkeypatch.delenv("no_proxy", raising=False)
    for kind in (Client, AsyncClient):
        with pytest.raises(ArgumentError, match="proxy") as info:
            kind("https://api.invalid", TOKEN)
        assert "word" not in str(info.value)


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_certificates_that_cannot_be_read_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str | None
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    if content is not None:
        (tmp_path / "ca.pem").write_text(content)
    with pytest.raises(ArgumentError, match="SSL_CERT_FILE"):
        Client("https://api.invalid", TOKEN)


def tunnel(connection, request: Received) -> None:
    """Do what a proxy does for https: pass bytes on, both ways."""
    _, _, port = request.target.rpartition(":")
    with socket.create_connection(("127.0.0.1", int(port))) as upstream:
        connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
        ends = {connection: upstream, upstream: connection}
        while ready := select.select(list(ends), [], [], 5)[0]:
            for end in ready:
                if not (data := end.recv(65536)):
                    raise EOFError
                ends[end].sendall(data)


def test_https_goes_through_a_proxy_unread(
    kind: str, certificate_authority, tls_trust, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate_authority.issue_cert("api.invalid").configure_cert(context)
    with HostileServer(tunnel) as proxy, HostileServer(GOOD, tls=context) as server:
        monkeypatch.setenv("SSL_CERT_FILE", tls_trust)
        monkeypatch.setenv("https_proxy", proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        server.url = f"https://api.invalid:{server.port}"
        assert call(kind, server, "apps", "acme").total_apps == 2
    (seen,) = proxy.received
    assert (seen.method, seen.target) == ("CONNECT", f"api.invalid:{server.port}")
    assert "authorization" not in seen.headers
    assert server.received[0].headers["authorization"] == f"Bearer {TOKEN}"


# --- redirects ------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_token_follows_no_redirect(kind: str, status: int) -> None:
    with HostileServer(answers(200, json.dumps(LIST).encode())) as other:
        script = answers(status, b"", f"Location: {other.url}/v1/apps")
        with HostileServer(script) as server, pytest.raises(ResponseError) as info:
            call(kind, server, "apps", "acme")
    assert info.value.status == status
    assert "redirect" in info.value.message
    assert other.connections == 0
    assert len(server.received) == 1


# --- bounded in time and size ---------------------------------------------------------------------


def late(server_of, kind: str, operation: str = "apps", timeout: float = 0.25) -> UnreachableError:
    arguments = {"apps": ("acme",), "destroy_app": ("web",)}[operation]
    started = time.monotonic()
    with server_of as server, pytest.raises(UnreachableError, match="within") as info:
        call(kind, server, operation, *arguments, timeout=timeout)
    took = time.monotonic() - started
    assert took < timeout + 1.5  # not the 5 times as long that a limit for each read allows
    return info.value


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 1000,
        b"HTTP/1.1 100 Continue\r\n\r\n" * 100,
    ],
    ids=["head", "informational"],
)
def test_a_head_that_drips_ends_on_time(kind: str, data: bytes) -> None:
    def script(connection, _: Received) -> None:
        server.drip(connection, data)

    server = HostileServer(script)
    late(server, kind)


def test_a_body_that_drips_ends_on_time(kind: str) -> None:
    def script(connection, _: Received) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        server.drip(connection, b'{"apps": [' + b" " * 1000)

    server = HostileServer(script)
    late(server, kind)


def test_silence_ends_on_time_and_a_deletion_may_have_happened(kind: str) -> None:
    server = HostileServer(lambda *_: server.stopped.wait(1))
    assert late(server, kind, "destroy_app").may_have_happened


def test_an_error_that_drips_ends_on_time(kind: str) -> None:
    def script(connection, _: Received) -> None:
        connection.sendall(b"HTTP/1.1 500 Oops\r\n\r\n")
        server.drip(connection, b"x" * 1000)

    server = HostileServer(script)
    late(server, kind)


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 MiB in 64 KiB, so that the tests are quick; the campaign takes the real ones."""
    monkeypatch.setattr("fdaa.platform._messages.MAX_LIST", 64 * 1024)


def endless(connection, _: Received) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + b'{"apps": [')
    while True:
        connection.sendall(b" " * 65536)


@cache
def packed() -> bytes:
    return gzip.compress(b" " * 100_000_000, compresslevel=1)


def bomb(connection, _: Received) -> None:
    answer(connection, 200, packed(), "Content-Encoding: gzip")


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("script", [endless, bomb])
def test_an_answer_without_end_is_read_to_the_limit_only(kind: str, script) -> None:
    with HostileServer(script) as server, pytest.raises(UnexpectedAnswerError, match="longer"):
        call(kind, server, "apps", "acme")


@pytest.mark.campaign
@pytest.mark.parametrize("script", [endless, bomb])
def test_the_limit_is_64_mib(kind: str, script) -> None:
    import tracemalloc

    tracemalloc.start()
    with HostileServer(script) as server, pytest.raises(UnexpectedAnswerError, match="65536 KiB"):
        call(kind, server, "apps", "acme", timeout=60)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 320 * 1024 * 1024


def test_gzip_is_read_and_nothing_else(kind: str) -> None:
    body = gzip.compress(json.dumps(LIST).encode())
    with HostileServer(answers(200, body, "Content-Encoding: gzip")) as server:
        assert call(kind, server, "apps", "acme").total_apps == 2
    for encoding in ("br", "gzip, gzip", "deflate"):
        script = answers(202, body, f"Content-Encoding: {encoding}")
        with HostileServer(script) as server, pytest.raises(UnreachableError, match="packed"):
            call(kind, server, "destroy_app", "web")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (json.dumps(LIST).encode()[:-9], "not JSON"),
        (b"", "empty"),
        (b"[]", "'apps'"),
        (b'{"apps": {}}', "apps"),
        (b'{"apps": null}', "apps"),
        (b'{"apps": [], "apps": []}', "twice"),
        (b'{"apps": [NaN]}', "NaN"),
        (b"\xff\xfe{", "UTF-16"),
        (b"[" * 200_000, "nested"),
        (b"9" * 5000, "digits"),
        (b'[{"Name": "web", "Network": "blue"}]', "'apps'"),
    ],
)
def test_a_list_that_is_none_is_refused_with_the_reason(body: bytes, said: str) -> None:
    with HostileServer(answers(200, body)) as server, pytest.raises(UnexpectedAnswerError) as info:
        call("sync", server, "apps", "acme")
    assert said in str(info.value)
    assert not info.value.may_have_happened


# --- retries --------------------------------------------------------------------------------------


def in_turn(*scripts):
    """Return a script that is another one for each request; the last one stays."""
    rest = list(scripts)

    def script(connection, request: Received) -> None:
        (rest.pop(0) if len(rest) > 1 else rest[0])(connection, request)

    return script


def broken(connection, _: Received) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
    connection.close()


def closed(connection, _: Received) -> None:
    connection.close()


GOOD = answers(200, json.dumps(LIST).encode())


@pytest.mark.parametrize("first", [*map(answers, (429, 502, 503, 504)), broken, closed])
def test_a_list_is_asked_for_again(kind: str, first) -> None:
    with HostileServer(in_turn(first, GOOD)) as server:
        assert call(kind, server, "apps", "acme").total_apps == 2
    assert len(server.received) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 422, 500, 501])
def test_other_errors_are_final(kind: str, status: int) -> None:
    with HostileServer(answers(status)) as server, pytest.raises(ResponseError) as info:
        call(kind, server, "apps", "acme")
    assert info.value.status == status
    assert not info.value.may_have_happened
    assert len(server.received) == 1


def test_retries_end(kind: str) -> None:
    script = answers(503, b"", "Retry-After: 0")
    with HostileServer(script) as server, pytest.raises(ResponseError):
        call(kind, server, "apps", "acme")
    assert len(server.received) == 4


def test_retry_after_is_waited_for_and_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "fdaa.platform")
    script = in_turn(answers(429, b"", "Retry-After: 1"), GOOD)
    with HostileServer(script) as server:
        started = time.monotonic()
        call("sync", server, "apps", "acme")
        assert time.monotonic() - started >= 1
    assert "status 429, trying again in 1 seconds" in caplog.text


@pytest.mark.parametrize(
    "value", ["3600", "9" * 400, "Wed, 21 Oct 2099 07:28:00 GMT", "Wed, 21 Oct 2099 07:28:00"]
)
def test_no_retry_waits_beyond_the_deadline(kind: str, value: str) -> None:
    with HostileServer(answers(429, b"", f"Retry-After: {value}")) as server:
        started = time.monotonic()
        with pytest.raises(ResponseError):
            call(kind, server, "apps", "acme")
    assert time.monotonic() - started < 4
    assert len(server.received) == 1


@pytest.mark.parametrize(
    "value",
    [
        "-1",
        "soon",
        "Wed, 21 Oct 1999 07:28:00 GMT",
        "1e9",
        "Wed, 21 Oct 99999999999 07:28:00 GMT",
    ],
)
def test_a_strange_retry_after_is_not_obeyed(value: str) -> None:
    script = in_turn(answers(429, b"", f"Retry-After: {value}"), GOOD)
    with HostileServer(script) as server:
        call("sync", server, "apps", "acme")
    assert len(server.received) == 2


@pytest.mark.parametrize("operation", ["create_app", "destroy_app"])
@pytest.mark.parametrize("script", [broken, closed, answers(503), answers(429), answers(408)])
def test_a_change_is_sent_once(kind: str, operation: str, script) -> None:
    options = {"org": "acme"} if operation == "create_app" else {}
    with HostileServer(script) as server, pytest.raises(PlatformError) as info:
        call(kind, server, operation, "web", **options)
    assert len(server.received) == server.connections == 1
    refused = isinstance(info.value, ResponseError) and info.value.status == 429
    assert info.value.may_have_happened is not refused
    assert ("may have happened" in str(info.value)) is not refused


def test_a_connection_that_was_never_made_changed_nothing(kind: str) -> None:
    with HostileServer(closed) as server:
        pass
    with pytest.raises(UnreachableError, match="onnect") as info:
        call(kind, server, "destroy_app", "web")
    assert not info.value.may_have_happened


# --- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "message", "code"),
    [
        (b'{"error": "taken", "status": "name_taken"}', "taken", "name_taken"),
        (b'{"message": "no such org", "code": "x"}', "no such org", "x"),
        (b'{"errors": [{"detail": "bad name", "code": "y"}]}', "bad name", "y"),
        (b'{"error": {"message": "deep", "type": "z"}}', "deep", "z"),
        (b'"just text"', "just text", None),
        (b"[1, 2]", "[1, 2]", None),
        (b'{"status": 500}', '{"status": 500}', None),
        (b"plain\r\n  text\x1b[31m \x00", "plain text\\x1b[31m \\x00", None),
        (b"<html><head><title>502 Bad\nGateway</title></head>", "502 Bad Gateway", None),
        (b"<html><body><h1>Down</h1></body></html>", "Down", None),
        (b"<" * 60_000, "<" * 300 + "...", None),
        (b"\xff\xfe", "\ufffd\ufffd", None),
        (b"[" * 60_000, "[" * 300 + "...", None),
        (b"x" * 1_000_000, "x" * 300 + "...", None),
        (b"", "", None),
    ],
)
def test_every_error_is_one_clean_line(kind: str, body: bytes, message: str, code) -> None:
    script = answers(422, body, "Platform-Request-Id: r-17")
    with HostileServer(script) as server, pytest.raises(ResponseError) as info:
        call(kind, server, "create_app", "web", org="acme")
    error = info.value
    assert (error.status, error.message, error.code) == (422, message, code)
    assert error.request_id == "r-17"
    assert str(error).isprintable()
    assert pickle.loads(pickle.dumps(error)).args == error.args


@given(st.binary(max_size=200))
def test_whatever_an_error_says_it_is_one_line(body: bytes) -> None:
    with pytest.raises(ResponseError) as info:
        check(Request("GET", "/"), Answer(500, {}, body, whole=True), str)
    assert str(info.value).isprintable()


# --- secrets --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script",
    [
        answers(500, b"you sent " + TOKEN.encode(), f"X-Request-Id: {TOKEN}"),
        answers(401, json.dumps({"error": TOKEN, "code": TOKEN}).encode()),
        answers(302, b"", f"Location: https://x/{TOKEN}"),
        answers(200, b'{"' + TOKEN.encode() + b'": 1}'),
        broken,
        closed,
    ],
)
def test_no_error_has_the_token_in_it(kind: str, script) -> None:
    with HostileServer(script) as server, pytest.raises(PlatformError) as info:
        call(kind, server, "apps", "acme")
    assert info.value.__context__ is None or TOKEN not in repr(info.value.__context__)
    with Client(server.url, TOKEN) as client:
        assert TOKEN not in repr(client) + repr(vars(client))
        with pytest.raises(TypeError):
            pickle.dumps(client)


@pytest.mark.parametrize("token", ["web", "network", "e"])
def test_a_short_token_changes_no_list(token: str) -> None:
    with HostileServer(GOOD) as server, Client(server.url, token) as client:
        listed = client.apps("acme").apps
    assert [app[:2] for app in listed] == [("web", "blue"), ("api", "default")]


def test_requests_are_logged_at_debug_level_without_the_token(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = answers(500, TOKEN.encode(), f"X-Echo: {TOKEN}")  # in what the library logs
    with HostileServer(echo) as server, pytest.raises(ResponseError):
        call(kind, server, "apps", "acme")
    assert "HTTP Request" in caplog.text
    assert "X-Echo" in caplog.text
    assert TOKEN not in caplog.text


def test_the_frames_of_an_error_do_not_hold_the_token(kind: str) -> None:
    with HostileServer(broken) as server, pytest.raises(PlatformError) as info:
        call(kind, server, "create_app", "web", org="acme")
    trace = traceback.TracebackException.from_exception(info.value, capture_locals=True)
    frames = [frame for frame in trace.stack if "/fdaa/" in frame.filename]
    assert frames
    assert not any(TOKEN in value for frame in frames for value in (frame.locals or {}).values())


# --- TLS ------------------------------------------------------------------------------------------


def test_tls_is_checked(kind: str, tls_server, tls_trust, monkeypatch: pytest.MonkeyPatch) -> None:
    with HostileServer(GOOD, tls=tls_server) as server:
        with pytest.raises(UnreachableError, match="CERTIFICATE_VERIFY_FAILED"):
            call(kind, server, "apps", "acme")
        assert server.received == []
        monkeypatch.setenv("SSL_CERT_FILE", tls_trust)
        assert call(kind, server, "apps", "acme").total_apps == 2
    assert server.received[0].headers["authorization"] == f"Bearer {TOKEN}"


def test_an_answer_that_drips_over_tls_ends_on_time(
    kind: str, tls_server, tls_trust, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", tls_trust)

    def script(connection, _: Received) -> None:
        server.drip(connection, b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 1000)

    server = HostileServer(script, tls=tls_server)
    late(server, kind)


# --- threads --------------------------------------------------------------------------------------


def test_threads_share_a_client() -> None:
    found: list[int | None] = []
    with HostileServer(GOOD) as server, Client(server.url, TOKEN) as client:

        def ask() -> None:
            found.extend(client.apps("acme").total_apps for _ in range(5))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [2] * 40
