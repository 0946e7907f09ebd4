"""An exchange: no cookie, no redirect, no more than the limit, and again only where it may."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from client_calls import GOOD, LIST, TOKEN, broken, call, closed, in_turn, reset
from hostile_server import HostileServer, Received, answers

from fdaa.platform import (
    AccessDeniedError,
    AsyncClient,
    Client,
    ConflictError,
    InvalidResponseError,
    NotFoundError,
    PlatformError,
    PoolTimeoutError,
    RateLimitError,
    ResponseError,
    UnreachableError,
)

if TYPE_CHECKING:
    import socket

    from client_calls import Script

CREATE = ("create_app", {"org": "acme"})
DESTROY: tuple[str, dict[str, str]] = ("destroy_app", {})


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
    assert "redirects are not followed" in info.value.message
    assert (other.connections, len(server.received)) == (0, 1)


@pytest.mark.parametrize("status", [300, 304])
def test_a_redirect_to_nowhere_is_none(kind: str, status: int) -> None:
    with HostileServer(answers(status)) as server, pytest.raises(ResponseError) as info:
        call(kind, server, "apps", "acme")
    assert str(info.value).endswith(f"status {status}")


# --- bodies ---------------------------------------------------------------------------------------


def endless(connection: socket.socket, _: Received) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + b'{"apps": [')
    while True:
        connection.sendall(b" " * 65536)


def test_a_response_is_read_to_the_limit_only(kind: str) -> None:
    with HostileServer(endless) as server, pytest.raises(InvalidResponseError) as info:
        call(kind, server, "apps", "acme", settings={"max_bytes": 65536})
    assert info.value.reason == "longer than 64 KiB"
    with HostileServer(endless) as server, pytest.raises(InvalidResponseError, match="16384 KiB"):
        call(kind, server, "apps", "acme", timeout=60)


def test_an_asynchronous_client_reads_a_long_list_in_another_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    readers: list[threading.Thread] = []
    read_json = json.loads

    def reading(*args: object, **options: object) -> object:
        readers.append(threading.current_thread())
        return read_json(*args, **options)

    monkeypatch.setattr("json.loads", reading)
    rows = [{"name": f"app-{i}", "network": "n" * 60} for i in range(12_000)]
    body = json.dumps({"apps": rows}).encode()
    assert len(body) > 1024 * 1024
    with HostileServer(in_turn(GOOD, answers(200, body))) as server:
        call("async", server, "apps", "acme")
        assert set(readers) == {threading.main_thread()}
        readers.clear()
        assert len(call("async", server, "apps", "acme")) == 12_000
    assert threading.main_thread() not in readers


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate"])
@pytest.mark.parametrize(("operation", "options"), [("apps", {}), CREATE, DESTROY])
def test_a_compressed_response_is_refused(
    kind: str, operation: str, options: dict[str, str], encoding: str
) -> None:
    """It was not asked for: one that is cut off can look complete, and a short one can be huge."""
    script = answers(200, gzip.compress(b"")[:-4], f"Content-Encoding: {encoding}")
    with HostileServer(script) as server, pytest.raises(InvalidResponseError) as info:
        call(kind, server, operation, "web", **options)
    assert f"unsupported Content-Encoding '{encoding}'" in str(info.value)
    assert info.value.may_have_happened is (operation != "apps")
    assert len(server.received) == 1
    assert server.received[0].headers["accept-encoding"] == "identity"


def test_the_body_of_an_error_may_be_compressed(kind: str) -> None:
    script = answers(502, b"\x1f\x8b", "Content-Encoding: gzip")
    with HostileServer(script) as server, pytest.raises(ResponseError) as info:
        call(kind, server, *DESTROY[:1], "web")
    assert (info.value.status, info.value.message) == (502, "")


# --- retries --------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [*map(answers, (429, 502, 503, 504)), broken, closed, reset])
def test_a_list_is_requested_again(kind: str, first: Script) -> None:
    with HostileServer(in_turn(first, GOOD)) as server:
        assert call(kind, server, "apps", "acme").total == 2
    assert len(server.received) == 2


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, ResponseError),
        (401, AccessDeniedError),
        (403, AccessDeniedError),
        (404, NotFoundError),
        (408, ResponseError),
        (409, ConflictError),
        (422, ResponseError),
        (500, ResponseError),
    ],
)
def test_other_errors_are_final(kind: str, status: int, error: type[ResponseError]) -> None:
    with HostileServer(answers(status)) as server, pytest.raises(ResponseError) as info:
        call(kind, server, "apps", "acme")
    assert (type(info.value), info.value.status) == (error, status)
    assert not info.value.may_have_happened
    assert len(server.received) == 1


def test_retries_end(kind: str) -> None:
    script = answers(503, b"", "Retry-After: 0")
    with HostileServer(script) as server, pytest.raises(ResponseError):
        call(kind, server, "apps", "acme")
    assert len(server.received) == 4


@pytest.mark.parametrize(("operation", "options"), [CREATE, DESTROY])
def test_a_change_that_was_refused_for_its_rate_is_sent_again(
    kind: str, operation: str, options: dict[str, str]
) -> None:
    often = [answers(429)] * 6
    with HostileServer(in_turn(*often, answers(202))) as server:
        call(kind, server, operation, "web", **options)
    assert len(server.received) == 7


def test_a_loop_of_creations_meets_a_limit_of_one_a_moment() -> None:
    """Each change takes the only slot, which is free again when it was refused once."""
    free = True

    def script(connection: socket.socket, request: Received) -> None:
        nonlocal free
        (answers(201) if free else answers(429))(connection, request)
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
    monkeypatch.setattr("fdaa.platform._exchange.time", clock)
    with HostileServer(in_turn(answers(429, b"", "Retry-After: 1"), GOOD)) as server:
        call("sync", server, "apps", "acme")
    assert pauses == [1]
    assert "status 429; retrying in 1 seconds" in caplog.text


@pytest.mark.parametrize(
    "value", ["3600", "9" * 400, "Wed, 21 Oct 2099 07:28:00 GMT", "Wed, 21 Oct 2099 07:28:00"]
)
def test_no_retry_waits_beyond_the_deadline(kind: str, value: str) -> None:
    script = answers(429, b"", f"Retry-After: {value}", "X-Region: r1")
    with HostileServer(script) as server, pytest.raises(RateLimitError) as info:
        call(kind, server, *CREATE[:1], "web", **CREATE[1])
    assert info.value.retry_after is not None
    assert info.value.retry_after >= 3600
    assert info.value.headers["x-region"] == "r1"
    assert not info.value.may_have_happened
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
    with HostileServer(script) as server, pytest.raises(AccessDeniedError) as info:
        call("sync", server, "apps", "acme")
    assert info.value.retry_after == seconds
    assert len(server.received) == 2


@pytest.mark.parametrize(
    "first",
    [b"HTTP/1.1 twohundred OK\r\n\r\n", b"SSH-2.0\r\n\r\n", b"HTTP/1.1 200 OK\r\n:\r\n\r\n"],
)
def test_what_is_not_http_is_not_requested_again(kind: str, first: bytes) -> None:
    def script(connection: socket.socket, _: Received) -> None:
        connection.sendall(first)

    with HostileServer(script) as server, pytest.raises(InvalidResponseError, match="not HTTP"):
        call(kind, server, "apps", "acme")
    assert len(server.received) == 1


# --- was it done? ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("operation", "options"), [CREATE, DESTROY])
@pytest.mark.parametrize("script", [broken, closed, reset, answers(503), answers(408)])
def test_a_change_is_sent_once(
    kind: str, operation: str, options: dict[str, str], script: Script
) -> None:
    with HostileServer(script) as server, pytest.raises(PlatformError) as info:
        call(kind, server, operation, "web", **options)
    assert len(server.received) == server.connections == 1
    assert info.value.may_have_happened
    assert "the change may still have been made" in str(info.value)


@pytest.mark.parametrize(
    ("statuses", "in_doubt"),
    [
        ((300, 301, 303, 304, 307, 408, 500, 501, 502, 504, 507, 520, 524, 599), True),
        ((400, 401, 403, 404, 409, 410, 422, 451), False),
    ],
)
def test_only_a_client_error_says_that_nothing_happened(
    statuses: tuple[int, ...], in_doubt: bool
) -> None:
    for status in statuses:
        script = answers(status, b"", "Location: /elsewhere")
        with HostileServer(script) as server, pytest.raises(ResponseError) as info:
            call("sync", server, "create_app", "web", org="acme")
        assert info.value.may_have_happened is in_doubt


def test_a_connection_that_fails_keeps_its_reason(kind: str) -> None:
    with (
        HostileServer(reset) as server,
        pytest.raises(UnreachableError, match="Connection reset by peer; the change may"),
    ):
        call(kind, server, "destroy_app", "web")
    with pytest.raises(UnreachableError, match=r"Connection refused$") as info:
        call(kind, server, "destroy_app", "web")
    assert not info.value.may_have_happened


def test_an_error_that_is_handled_meanwhile_is_not_the_reason(kind: str) -> None:
    with HostileServer(GOOD) as server:
        pass
    try:
        raise PermissionError("of the caller")
    except PermissionError:
        with pytest.raises(UnreachableError, match=r"Connection refused$"):
            call(kind, server, "apps", "acme")


def test_waiting_for_a_connection_says_that_nothing_was_sent(kind: str) -> None:
    """The only connection is held by a call that may take longer."""
    waiting = r"all connections were busy for 0\.2 seconds; nothing was sent$"

    async def main() -> None:
        async with AsyncClient(server.url, TOKEN, 30, max_connections=1) as client:
            first = asyncio.create_task(client.destroy_app("a"))
            while not server.received:
                await asyncio.sleep(0)
            client.timeout = 0.2
            with pytest.raises(PoolTimeoutError, match=waiting) as info:
                await client.destroy_app("b")
            assert not info.value.may_have_happened
            ended.set()
            await first

    def script(connection: socket.socket, request: Received) -> None:
        arrived.set()
        ended.wait(30)
        answers(202)(connection, request)

    arrived, ended = threading.Event(), threading.Event()
    with HostileServer(script) as server:
        if kind == "async":
            asyncio.run(main())
            return
        with Client(server.url, TOKEN, 30, max_connections=1) as client:
            first = threading.Thread(target=client.destroy_app, args=("a",))
            first.start()
            arrived.wait(30)
            client.timeout = 0.2
            with pytest.raises(PoolTimeoutError, match=waiting) as info:
                client.destroy_app("b")
            assert not info.value.may_have_happened
            ended.set()
            first.join()
    assert len(server.received) == 1


def test_a_hundred_calls_run_at_once(kind: str) -> None:
    """No response comes before all requests have."""
    all_here = threading.Barrier(100)

    def script(connection: socket.socket, request: Received) -> None:
        all_here.wait(30)
        answers(202)(connection, request)

    async def main() -> None:
        async with AsyncClient(server.url, TOKEN, 30) as client:
            await asyncio.gather(*(client.destroy_app(f"app-{i}") for i in range(100)))

    with HostileServer(script) as server:
        if kind == "async":
            asyncio.run(main())
        else:
            with Client(server.url, TOKEN, 30) as client, ThreadPoolExecutor(100) as threads:
                list(threads.map(client.destroy_app, (f"app-{i}" for i in range(100))))
    assert len(server.received) == 100


def test_a_cancelled_change_says_that_it_may_have_been_made() -> None:
    async def main() -> None:
        async with AsyncClient(server.url, TOKEN) as client:
            change = asyncio.create_task(client.destroy_app("web"))
            while not server.received:
                await asyncio.sleep(0)
            change.cancel()
            with pytest.raises(asyncio.CancelledError) as info:
                await change
        assert info.value.__notes__ == ["DELETE /v1/apps/web: the change may still have been made"]

    with HostileServer(lambda *_: server.stopped.wait(30)) as server:
        asyncio.run(main())


# --- the log --------------------------------------------------------------------------------------


def test_each_call_is_logged(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "httpcore2")  # logs what the server sends
    caplog.set_level(logging.DEBUG, "fdaa.platform")
    echo = answers(403, b"", f"X-Request-Id: r-17 {TOKEN}\x1b")
    with HostileServer(in_turn(GOOD, echo)) as server:
        call(kind, server, "apps", "acme")
        with pytest.raises(AccessDeniedError):
            call(kind, server, "create_app", "web", org="acme")
    with pytest.raises(UnreachableError):
        call(kind, server, "destroy_app", "web")
    lines = [r.getMessage() for r in caplog.records if r.name == "fdaa.platform"]
    expected = (
        r"GET /v1/apps\?org_slug=acme: status 200 in \d+\.\d{3} s, request ID 'none'",
        r"POST /v1/apps: status 403 in \d+\.\d{3} s, request ID 'r-17 \[redacted\]\\x1b'",
        r"DELETE /v1/apps/web: Connection refused, after \d+\.\d{3} s",
    )
    assert len(lines) == len(expected)
    for line, pattern in zip(lines, expected, strict=True):
        assert re.fullmatch(pattern, line)
