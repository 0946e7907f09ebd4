"""An exchange: no cookie, no redirect, no more than the limit, and again only where it may."""

from __future__ import annotations

import gzip
import json
import logging
import threading
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from client_calls import (
    CREATE,
    DESTROY,
    GOOD,
    LIST,
    TOKEN,
    broken,
    call,
    closed,
    failed,
    in_turn,
    reset,
)
from hostile_server import HostileServer, Received, answer, answers

from fdaa.platform import (
    AccessDeniedError,
    Client,
    ConflictError,
    InvalidResponseError,
    NotFoundError,
    RateLimitError,
    ResponseError,
)

if TYPE_CHECKING:
    import socket

    from client_calls import Script


def test_no_cookie_is_kept() -> None:
    script = answers(200, json.dumps(LIST).encode(), "Set-Cookie: session=1; Path=/")
    with HostileServer(script) as server, Client(server.url, TOKEN) as client:
        client.list_apps(org="acme")
        client.list_apps(org="acme")
    assert all("cookie" not in request.headers for request in server.received)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_token_follows_no_redirect(kind: str, status: int) -> None:
    with HostileServer(GOOD) as other:
        script = answers(status, b"", f"Location: {other.url}/v1/apps")
        with HostileServer(script) as server, pytest.raises(ResponseError) as info:
            call(kind, server, "list_apps", org="acme")
    assert info.value.status == status
    assert "redirects are not followed" in info.value.message
    assert (other.connections, len(server.received)) == (0, 1)


@pytest.mark.parametrize("status", [300, 304])
def test_a_redirect_to_nowhere_is_none(kind: str, status: int) -> None:
    error, _ = failed(ResponseError, kind, answers(status), "list_apps", org="acme")
    assert str(error).endswith(f"status {status}")


# --- bodies ---------------------------------------------------------------------------------------


def endless(connection: socket.socket, _: Received) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + b'{"apps": [')
    while True:
        connection.sendall(b" " * 65536)


def test_a_response_is_read_to_the_limit_only(kind: str) -> None:
    error, _ = failed(InvalidResponseError, kind, endless, "list_apps", org="acme", timeout=60)
    assert error.reason == "longer than 16384 KiB"


def test_an_asynchronous_client_reads_a_long_list_in_another_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    readers: list[threading.Thread] = []
    read_json = json.loads

    def reading(*args: Any, **options: Any) -> object:
        readers.append(threading.current_thread())
        return read_json(*args, **options)

    monkeypatch.setattr("json.loads", reading)
    rows = [{"name": f"app-{i}", "network": "n" * 60} for i in range(12_000)]
    body = json.dumps({"apps": rows}).encode()
    assert len(body) > 1024 * 1024
    with HostileServer(in_turn(GOOD, answers(200, body))) as server:
        call("async", server, "list_apps", org="acme")
        assert set(readers) == {threading.main_thread()}
        readers.clear()
        assert len(call("async", server, "list_apps", org="acme")) == 12_000
    assert threading.main_thread() not in readers


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate"])
@pytest.mark.parametrize(
    ("operation", "arguments", "options"),
    [
        ("list_apps", (), {"org": "acme"}),
        ("create_app", ("web",), {"org": "acme"}),
        ("destroy_app", ("web",), {}),
    ],
)
def test_a_compressed_response_is_refused(
    kind: str, operation: str, arguments: tuple[str, ...], options: dict[str, str], encoding: str
) -> None:
    """It was not asked for: one that is cut off can look complete, and a short one can be huge."""
    script = answers(200, gzip.compress(b"")[:-4], f"Content-Encoding: {encoding}")
    error, server = failed(InvalidResponseError, kind, script, operation, *arguments, **options)
    assert f"unsupported Content-Encoding '{encoding}'" in str(error)
    assert error.may_have_happened is (operation != "list_apps")
    assert len(server.received) == 1
    assert server.received[0].headers["accept-encoding"] == "identity"


def test_the_body_of_an_error_may_be_compressed(kind: str) -> None:
    script = answers(502, b"\x1f\x8b", "Content-Encoding: gzip")
    error, _ = failed(ResponseError, kind, script, "destroy_app", "web")
    assert (error.status, error.message) == (502, "")


# --- retries --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "first",
    [answers(429), answers(502), answers(503), answers(504), broken, closed, reset],
)
def test_a_list_is_requested_again(kind: str, first: Script) -> None:
    with HostileServer(in_turn(first, GOOD)) as server:
        assert call(kind, server, "list_apps", org="acme").total == 2
    assert len(server.received) == 2


ERRORS = {401: AccessDeniedError, 403: AccessDeniedError, 404: NotFoundError, 409: ConflictError}


@pytest.mark.parametrize("status", [400, 408, 422, 500, *ERRORS])
def test_other_errors_are_final(kind: str, status: int) -> None:
    error, server = failed(ResponseError, kind, answers(status), "list_apps", org="acme")
    assert (type(error), error.status) == (ERRORS.get(status, ResponseError), status)
    assert not error.may_have_happened
    assert len(server.received) == 1


def test_a_list_is_requested_four_times_at_most(kind: str) -> None:
    script = answers(503, b"", "Retry-After: 0")
    with HostileServer(script) as server, pytest.raises(ResponseError):
        call(kind, server, "list_apps", org="acme")
    assert len(server.received) == 4


@pytest.mark.parametrize(("operation", "options"), [CREATE, DESTROY])
def test_a_change_that_was_refused_for_its_rate_is_sent_again(
    kind: str, operation: str, options: dict[str, Any]
) -> None:
    often = [answers(429)] * 6
    with HostileServer(in_turn(*often, answers(202))) as server:
        call(kind, server, operation, "web", **options)
    assert len(server.received) == 7


def test_a_loop_of_creations_meets_a_limit_of_one_a_moment() -> None:
    """Each change takes the only slot, which is free again when it was refused once."""
    free = True

    def script(connection: socket.socket, _: Received) -> None:
        nonlocal free
        status = 429
        if free:
            status = 201
        answer(connection, status)
        free = not free

    with HostileServer(script) as server, Client(server.url, TOKEN) as client:
        names = [client.create_app(f"app-{i}", org="acme").name for i in range(20)]
    created = {json.loads(request.body)["app_name"] for request in server.received}
    assert created == set(names)
    assert len(server.received) == 39


def test_retry_after_is_waited_for_and_reported(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "fdaa.platform")
    pauses: list[float] = []
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=pauses.append)
    monkeypatch.setattr("fdaa.platform._http.time", clock)
    with HostileServer(in_turn(answers(429, b"", "Retry-After: 1"), GOOD)) as server:
        call("sync", server, "list_apps", org="acme")
    assert pauses == [1]
    assert "status 429; retrying in 1 seconds" in caplog.text


@pytest.mark.parametrize(
    "value", ["3600", "9" * 400, "Wed, 21 Oct 2099 07:28:00 GMT", "Wed, 21 Oct 2099 07:28:00"]
)
def test_no_retry_waits_beyond_the_deadline(kind: str, value: str) -> None:
    script = answers(429, b"", f"Retry-After: {value}", "X-Region: r1")
    error, server = failed(RateLimitError, kind, script, "create_app", "web", org="acme")
    assert error.retry_after is not None
    assert error.retry_after >= 3600
    assert error.headers["x-region"] == "r1"
    assert not error.may_have_happened
    assert len(server.received) == 1


def test_no_retry_is_sent_without_time_for_its_response(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the pauses that users have: after a second, too little is left for a response."""
    monkeypatch.setattr("fdaa.platform._http._PAUSES", (0.25, 0.5, 1.0))
    script = answers(429, b"", "Retry-After: 1")
    _, server = failed(RateLimitError, kind, script, "list_apps", org="acme", timeout=1.2)
    assert len(server.received) == 1


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("-1", None),
        ("soon", None),
        ("1e9", None),
        ("Wed, 21 Oct 99999999999 07:28:00 GMT", None),
        ("Wed, 21 Oct 1999 07:28:00 GMT", 0),
    ],
)
def test_a_strange_retry_after_is_not_obeyed(value: str, seconds: int | None) -> None:
    header = f"Retry-After: {value}"
    script = in_turn(answers(429, b"", header), answers(401, b"", header))
    error, server = failed(AccessDeniedError, "sync", script, "list_apps", org="acme")
    assert error.retry_after == seconds
    assert len(server.received) == 2


@pytest.mark.parametrize(
    "first",
    [b"HTTP/1.1 twohundred OK\r\n\r\n", b"SSH-2.0\r\n\r\n", b"HTTP/1.1 200 OK\r\n:\r\n\r\n"],
)
def test_what_is_not_http_is_not_requested_again(kind: str, first: bytes) -> None:
    def script(connection: socket.socket, _: Received) -> None:
        connection.sendall(first)

    with HostileServer(script) as server, pytest.raises(InvalidResponseError, match="not HTTP"):
        call(kind, server, "list_apps", org="acme")
    assert len(server.received) == 1
