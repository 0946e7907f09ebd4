"""What a failed call says, by its cause: is it sent again, and was a change made?"""

from __future__ import annotations

import logging
import re
import socket
import struct
from typing import TYPE_CHECKING, Any

import pytest
from client_calls import GOOD, TOKEN, call, failed, in_turn
from hostile_server import HostileServer, Received, answers, silent

from fdaa.platform import (
    AccessDeniedError,
    ConflictError,
    InvalidResponseError,
    NotFoundError,
    PlatformError,
    RateLimitError,
    ResponseError,
    UnreachableError,
)

if TYPE_CHECKING:
    from client_calls import Script

# The changes: operation and options.
CREATE: tuple[str, dict[str, Any]] = ("create_app", {"org": "acme"})
DESTROY: tuple[str, dict[str, Any]] = ("destroy_app", {})


def writes(data: bytes) -> Script:
    """Return a script that writes bytes and closes the connection."""

    def script(connection: socket.socket, _: Received) -> None:
        connection.sendall(data)
        connection.close()

    return script


def reset(connection: socket.socket, _: Received) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


HALF_A_BODY = writes(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")

# What the server does -> the error, its reason, how often a list is requested, and whether a change
# is in doubt. A change is sent once in each.
CAUSES: dict[str, tuple[Script, type[PlatformError], str, int, bool]] = {
    # In doubt: it was sent, and no complete response came.
    "closed": (writes(b""), UnreachableError, "disconnected", 4, True),
    "reset": (reset, UnreachableError, "Connection reset by peer", 4, True),
    "half a body": (HALF_A_BODY, UnreachableError, "peer closed connection", 4, True),
    "silent": (silent, UnreachableError, r"within 0\.05 seconds", 1, True),
    # In doubt: a server's error, and a redirect, which is not followed.
    "500": (answers(500), ResponseError, "status 500", 1, True),
    "502": (answers(502), ResponseError, "status 502", 4, True),
    "503": (answers(503, b"", "Retry-After: 0"), ResponseError, "status 503", 4, True),
    "408": (answers(408), ResponseError, "status 408", 1, True),
    "307": (answers(307, b"", "Location: /x"), ResponseError, "redirects are not", 1, True),
    # Refused.
    "401": (answers(401), AccessDeniedError, "status 401", 1, False),
    "403": (answers(403), AccessDeniedError, "status 403", 1, False),
    "404": (answers(404), NotFoundError, "status 404", 1, False),
    "409": (answers(409), ConflictError, "status 409", 1, False),
    "422": (answers(422), ResponseError, "status 422", 1, False),
    # Not a response.
    "garbage": (writes(b"SSH-2.0\r\n\r\n"), InvalidResponseError, "not HTTP: illegal", 1, True),
    "a page": (answers(200, b"<html>"), InvalidResponseError, "", 1, True),
}


@pytest.mark.parametrize("cause", CAUSES)
def test_each_cause_has_its_error(cause: str) -> None:
    script, error, reason, requests, in_doubt = CAUSES[cause]
    timeout = 0.05 if script is silent else 30
    found, server = failed(error, script, "list_apps", org="acme", timeout=timeout)
    assert type(found) is error
    assert re.search(reason, str(found))
    assert not found.may_have_happened
    assert len(server.received) == requests
    for operation, options in (CREATE, DESTROY):
        found, server = failed(error, script, operation, "web", timeout=timeout, **options)
        assert found.may_have_happened is in_doubt
        assert ("the change may still have been made" in str(found)) is in_doubt
        assert len(server.received) == server.connections == 1


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", r": 127\.0\.0\.1:\d+: Connection refused$"),
        ("https://nowhere.invalid", r"nowhere\.invalid: \w"),
    ],
)
def test_nothing_was_sent(url: str, reason: str) -> None:
    with HostileServer(GOOD) as ended:
        pass
    ended.url = url or ended.url
    with pytest.raises(UnreachableError, match=reason) as info:
        call(ended, "destroy_app", "web")
    assert not info.value.may_have_happened
    assert "Errno" not in str(info.value)


@pytest.mark.parametrize(("operation", "options"), [CREATE, DESTROY])
def test_a_change_that_was_refused_for_its_rate_is_sent_until_it_is_accepted(
    operation: str, options: dict[str, Any]
) -> None:
    often = [answers(429)] * 6
    with HostileServer(in_turn(*often, answers(202))) as server:
        call(server, operation, "web", **options)
    assert len(server.received) == 7


def test_retry_after_is_waited_for_and_reported(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "fdaa.platform")
    pauses: list[float] = []
    monkeypatch.setattr("fdaa.platform._http.time.sleep", pauses.append)
    with HostileServer(in_turn(answers(429, b"", "Retry-After: 2"), GOOD)) as server:
        call(server, "list_apps", org="acme")
    assert pauses == [2]
    assert "GET /v1/apps?org_slug=acme: status 429; retrying in 2 s" in caplog.messages


@pytest.mark.parametrize(
    "value", ["3600", "9" * 400, "Wed, 21 Oct 2099 07:28:00 GMT", "Wed, 21 Oct 2099 07:28:00"]
)
def test_no_retry_waits_beyond_the_deadline(value: str) -> None:
    script = answers(429, b"", f"Retry-After: {value}", "X-Region: r1")
    error, server = failed(RateLimitError, script, "create_app", "web", org="acme")
    assert error.retry_after is not None
    assert error.retry_after >= 3600
    assert error.headers["x-region"] == "r1"
    assert not error.may_have_happened
    assert len(server.received) == 1


def test_a_body_is_read_to_its_limit() -> None:
    def endless(connection: socket.socket, _: Received) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + b'{"apps": [')
        while True:
            connection.sendall(b" " * 65536)

    error, _ = failed(InvalidResponseError, endless, "list_apps", org="acme")
    assert error.reason == "longer than 16384 KiB"


def test_a_body_that_drips_ends_at_the_deadline() -> None:
    def dripping(connection: socket.socket, _: Received) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while not server.stopped.wait(0.02):
            connection.sendall(b" ")

    with (
        HostileServer(dripping) as server,
        pytest.raises(UnreachableError, match=r"no complete response within 0\.1 seconds"),
    ):
        call(server, "list_apps", org="acme", timeout=0.1)


@pytest.mark.parametrize(
    ("body", "message", "code"),
    [
        (b'{"error": "taken", "status": "name_taken"}', "taken", "name_taken"),
        (b'{"message": "no such org", "code": "x"}', "no such org", "x"),
        (b'{"error": {"message": "deep"}}', '{"error": {"message": "deep"}}', None),
        (b"plain\r\n  text\x1b[31m \x00", "plain text\\x1b[31m \\x00", None),
        (b"[" * 60_000, "[" * 300 + "...", None),
    ],
)
def test_every_error_is_one_clean_line(body: bytes, message: str, code: str | None) -> None:
    script = answers(422, body, "Platform-Request-Id: r-17\x1b[2J")
    error, _ = failed(ResponseError, script, "create_app", "web", org="acme")
    assert (error.status, error.message, error.code) == (422, message, code)
    assert r"id r-17\x1b[2J" in str(error)
    assert str(error).isprintable()


@pytest.mark.parametrize(
    "script",
    [
        answers(500, f"you sent {TOKEN}".encode(), f"X-Request-Id: {TOKEN}"),
        # It goes on after the 300 characters that are shown of a text.
        answers(500, f"you sent {'x' * 285} {TOKEN}".encode()),
        answers(302, b"", f"Location: https://x/{TOKEN}"),
        answers(200, f'{{"{TOKEN}": 1, "{TOKEN}": 2}}'.encode()),
        HALF_A_BODY,
    ],
)
def test_no_error_has_the_token_in_it(script: Script, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "httpcore2")  # logs what the server sends
    error, _ = failed(PlatformError, script, "list_apps", org="acme")
    link: BaseException | None = error
    while link is not None:
        assert TOKEN[:5] not in str(link) + repr(link) + str(vars(link))
        link = link.__cause__ or link.__context__
    assert TOKEN not in str(list(vars(error).get("headers", {}).values()))
