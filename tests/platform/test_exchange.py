"""An exchange: no cookie, no redirect, no more than the limit, and again only where it may."""

from __future__ import annotations

import gzip
import json
import logging
import time
from functools import cache
from types import SimpleNamespace

import pytest
from client_calls import GOOD, LIST, TOKEN, broken, call, closed, reset
from hostile_server import HostileServer, Received, answer, answers

from fdaa.platform import (
    Client,
    PlatformError,
    ResponseError,
    UnexpectedAnswerError,
    UnreachableError,
)


def test_no_cookie_is_kept() -> None:
    script = answers(200, json.dumps(LIST).encode(), "Set-Cookie: session=1; Path=/")
    with HostileServer(script) as server, Client(server.url, TOKEN) as client:
        client.apps("acme")
        client.apps("acme")
    assert all("cookie" not in request.headers for request in server.received)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_token_follows_no_redirect(kind: str, status: int) -> None:
    with HostileServer(GOOD) as other:
        script = answers(status, b"", f"Location: {other.url}/v1/apps")
        with HostileServer(script) as server, pytest.raises(ResponseError) as info:
            call(kind, server, "apps", "acme")
    assert info.value.status == status
    assert "redirect" in info.value.message
    assert other.connections == 0
    assert len(server.received) == 1


# --- bounded in size ------------------------------------------------------------------------------


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


# --- retries --------------------------------------------------------------------------------------


def in_turn(*scripts):
    """Return a script that is another one for each request; the last one stays."""
    rest = list(scripts)

    def script(connection, request: Received) -> None:
        (rest.pop(0) if len(rest) > 1 else rest[0])(connection, request)

    return script


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


def test_retry_after_is_waited_for_and_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "fdaa.platform")
    pauses: list[float] = []
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=pauses.append)
    monkeypatch.setattr("fdaa.platform._exchange.time", clock)
    script = in_turn(answers(429, b"", "Retry-After: 1"), GOOD)
    with HostileServer(script) as server:
        call("sync", server, "apps", "acme")
    assert pauses == [1]
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


@pytest.mark.parametrize(
    ("statuses", "in_doubt"),
    [
        ((300, 301, 303, 304, 307, 408, 500, 501, 502, 504, 507, 520, 524, 599), True),
        ((400, 401, 403, 404, 409, 410, 422, 429, 451), False),
    ],
)
def test_only_a_client_error_says_that_nothing_happened(statuses, in_doubt: bool) -> None:
    for status in statuses:
        script = answers(status, b"", "Location: /elsewhere")
        with HostileServer(script) as server, pytest.raises(ResponseError) as info:
            call("sync", server, "create_app", "web", org="acme")
        assert info.value.may_have_happened is in_doubt


@pytest.mark.parametrize("status", [300, 304])
def test_a_redirect_to_nowhere_is_none(kind: str, status: int) -> None:
    with HostileServer(answers(status)) as server, pytest.raises(ResponseError) as info:
        call(kind, server, "apps", "acme")
    assert str(info.value).endswith(f"status {status}")


def test_a_connection_that_is_reset_is_told(kind: str) -> None:
    told = "reset by peer" if kind == "sync" else r"the connection broke \(ReadError\)"
    with HostileServer(reset) as server, pytest.raises(UnreachableError, match=told):
        call(kind, server, "destroy_app", "web")


def test_a_connection_that_was_never_made_changed_nothing(kind: str) -> None:
    with HostileServer(closed) as server:
        pass
    with pytest.raises(UnreachableError, match="onnect") as info:
        call(kind, server, "destroy_app", "web")
    assert not info.value.may_have_happened
