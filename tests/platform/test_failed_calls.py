"""What a failed call says: why it failed, and whether a change may have been made."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from client_calls import CREATE, DESTROY, GOOD, TOKEN, broken, call, closed, failed, in_turn, reset
from hostile_server import HostileServer, Received, answers, silent

from fdaa import FdaaError, NetworkName
from fdaa.networks import parse_document
from fdaa.platform import (
    AccessDeniedError,
    AppList,
    AsyncClient,
    CannotVerifyError,
    Client,
    IncompleteListError,
    InvalidResponseError,
    OtherNetworkError,
    PlatformApp,
    PlatformError,
    PoolTimeoutError,
    ResponseError,
    UnreachableError,
)
from fdaa.platform.sandbox import SandboxError

if TYPE_CHECKING:
    import socket

    from client_calls import Script


# --- was it done? ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("operation", "options"), [CREATE, DESTROY])
@pytest.mark.parametrize("script", [broken, closed, reset, answers(503), answers(408)])
def test_a_change_is_sent_once(
    kind: str, operation: str, options: dict[str, str], script: Script
) -> None:
    error, server = failed(PlatformError, kind, script, operation, "web", **options)
    assert len(server.received) == server.connections == 1
    assert error.may_have_happened
    assert "the change may still have been made" in str(error)


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
    with pytest.raises(UnreachableError, match=r": 127\.0\.0\.1:\d+: Connection refused$") as info:
        call(kind, server, "destroy_app", "web")
    assert not info.value.may_have_happened


def test_a_host_without_an_address_is_a_reason(kind: str) -> None:
    with HostileServer(GOOD) as server:
        server.url = "https://nowhere.invalid"
        with pytest.raises(UnreachableError, match=r"DELETE /v1/apps/web: \w") as info:
            call(kind, server, "destroy_app", "web")
    assert "Errno" not in str(info.value)
    assert not info.value.may_have_happened


def test_an_error_that_is_handled_meanwhile_is_not_the_reason(kind: str) -> None:
    with HostileServer(GOOD) as server:
        pass
    try:
        raise PermissionError("of the caller")
    except PermissionError:
        with pytest.raises(UnreachableError, match=r": 127\.0\.0\.1:\d+: Connection refused$"):
            call(kind, server, "list_apps", org="acme")


def test_a_hundred_calls_run_at_once_and_the_next_one_says_that_nothing_was_sent(kind: str) -> None:
    """No response comes before a hundred requests have, and one more call has given up."""
    waiting = r"all connections were busy for 0\.2 seconds; nothing was sent$"
    all_here = threading.Barrier(101)
    ended = threading.Event()

    def script(connection: socket.socket, request: Received) -> None:
        all_here.wait(30)
        ended.wait(30)
        answers(202)(connection, request)

    async def main() -> None:
        async with AsyncClient(server.url, TOKEN, timeout=30) as client:
            calls = [asyncio.create_task(client.destroy_app(name)) for name in names]
            await asyncio.to_thread(all_here.wait, 30)
            client.timeout = 0.2
            with pytest.raises(PoolTimeoutError, match=waiting) as info:
                await client.destroy_app("b")
            assert not info.value.may_have_happened
            ended.set()
            await asyncio.gather(*calls)

    names = [f"app-{i}" for i in range(100)]
    with HostileServer(script) as server:
        if kind == "async":
            asyncio.run(main())
        else:
            with Client(server.url, TOKEN, timeout=30) as client, ThreadPoolExecutor(100) as pool:
                calls = pool.map(client.destroy_app, names)
                all_here.wait(30)
                client.timeout = 0.2
                with pytest.raises(PoolTimeoutError, match=waiting) as info:
                    client.destroy_app("b")
                assert not info.value.may_have_happened
                ended.set()
                list(calls)
    assert len(server.received) == 100


def test_a_cancelled_change_says_that_it_may_have_been_made() -> None:
    async def main() -> None:
        async with AsyncClient(server.url, TOKEN) as client:
            change = asyncio.create_task(client.destroy_app("web"))
            await asyncio.to_thread(server.arrived.wait, 30)
            change.cancel()
            with pytest.raises(asyncio.CancelledError) as info:
                await change
        assert info.value.__notes__ == ["DELETE /v1/apps/web: the change may still have been made"]

    with HostileServer(silent) as server:
        asyncio.run(main())


ESCAPE = "\x1b[31m\r\n\u202e"


def all_errors() -> list[FdaaError]:
    """Return one of each error of the room, with control characters from outside."""
    app = PlatformApp(ESCAPE, network=NetworkName("a"))
    made: list[FdaaError] = [
        UnreachableError("GET /", reason=ESCAPE),
        ResponseError(
            "GET /", status=400, message="", code=ESCAPE, headers={"X-Request-Id": ESCAPE}
        ),
        InvalidResponseError("GET /", place=ESCAPE, reason=ESCAPE),
        IncompleteListError(
            f"GET /{ESCAPE}", apps=AppList((), document=parse_document('{"apps": []}', file=""))
        ),
        OtherNetworkError(app, network=NetworkName("b")),
        PlatformError(ESCAPE),
        CannotVerifyError(ESCAPE),
        SandboxError(ESCAPE),
    ]
    return made


@pytest.mark.parametrize("error", all_errors(), ids=lambda error: type(error).__name__)
def test_the_text_of_an_error_has_no_control_character(error: FdaaError) -> None:
    assert str(error).isprintable()
    assert r"\x1b[31m\r\n\u202e" in str(error)


def test_a_name_and_the_id_of_a_request_are_escaped(kind: str) -> None:
    rows = [{"name": "web\x1b", "network": "a"}]
    script = answers(200, json.dumps({"apps": rows}).encode())
    error: FdaaError
    error, _ = failed(
        OtherNetworkError, kind, script, "ensure_app", "web\x1b", org="acme", network="b"
    )
    assert r"app web\x1b exists" in str(error)
    script = answers(403, b"", "X-Request-Id: r\x1b[2J")
    error, _ = failed(ResponseError, kind, script, "list_apps", org="acme")
    assert str(error).endswith(r"(id r\x1b[2J)")


# --- the log --------------------------------------------------------------------------------------


def test_each_call_is_logged(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "httpcore2")  # logs what the server sends
    caplog.set_level(logging.DEBUG, "fdaa.platform")
    echo = answers(403, b"", f"X-Request-Id: r-17 {TOKEN}\x1b")
    with HostileServer(in_turn(GOOD, echo)) as server:
        call(kind, server, "list_apps", org="acme")
        with pytest.raises(AccessDeniedError):
            call(kind, server, "create_app", "web", org="acme")
    with pytest.raises(UnreachableError):
        call(kind, server, "destroy_app", "web")
    lines = [record.getMessage() for record in caplog.records if record.name == "fdaa.platform"]
    expected = (
        r"GET /v1/apps\?org_slug=acme: status 200 in \d+\.\d{3} s, request ID 'none'",
        r"POST /v1/apps: status 403 in \d+\.\d{3} s, request ID 'r-17 \[redacted\]\\x1b'",
        r"DELETE /v1/apps/web: 127\.0\.0\.1:\d+: Connection refused, after \d+\.\d{3} s",
    )
    assert len(lines) == len(expected)
    for line, pattern in zip(lines, expected, strict=True):
        assert re.fullmatch(pattern, line)
