"""A Machine's identity, over real Unix sockets."""

from __future__ import annotations

import asyncio
import base64
import gc
import json
import logging
import os
import pickle
import socket
import tempfile
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from client_calls import broken, closed, in_turn, reset
from hostile_server import HostileServer, Received, answer, answers
from token_issuer import Issuer, b64

from fdaa import ArgumentError
from fdaa.platform import (
    AsyncMachineIdentity,
    InvalidResponseError,
    MachineIdentity,
    NoIdentityError,
    PlatformError,
    ResponseError,
    Token,
    UnreachableError,
)

Script = Callable[[socket.socket, Received], None]

with Issuer() as _issuer:
    TOKEN = _issuer.token(aud="https://vault.example")
CLAIMS = json.loads(base64.urlsafe_b64decode(TOKEN.split(".")[1] + "=="))


class Awaited:
    """An `AsyncMachineIdentity` for code that is not asynchronous."""

    def __init__(self, *, socket: str | Path, timeout: float = 10) -> None:
        self._identity = AsyncMachineIdentity(socket=socket, timeout=timeout)

    def token(self, *, aud: str | None = None) -> Token:
        return asyncio.run(self._identity.token(aud=aud))


KINDS: dict[str, type[MachineIdentity | Awaited]] = {"sync": MachineIdentity, "async": Awaited}


def identity(
    directory: Path, script: Script, kind: str = "sync", timeout: float = 2
) -> tuple[HostileServer, MachineIdentity | Awaited]:
    path = str(directory / "api")
    return HostileServer(script, path=path), KINDS[kind](socket=path, timeout=timeout)


@pytest.mark.parametrize(
    "body",
    [
        TOKEN.encode(),
        TOKEN.encode() + b"\n",
        json.dumps(TOKEN).encode(),
        json.dumps({"token": TOKEN}).encode(),
        json.dumps({"value": TOKEN, "expires": 1}).encode(),
        json.dumps({"id_token": TOKEN}).encode(),
    ],
    ids=range(6),  # the token differs between processes
)
def test_every_wrapping_is_a_token(tmp_path: Path, body: bytes, kind: str) -> None:
    server, machine = identity(tmp_path, answers(200, body), kind)
    with server:
        token = machine.token()
    assert token.reveal() == TOKEN
    assert token.claims().to_dict() == CLAIMS


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"a.b",
        b'"a.b"',
        b"[]",
        b"null",
        b"7",
        b"{}",
        b"\xff",
        json.dumps({"token": TOKEN, "value": TOKEN}).encode(),
        json.dumps({"token": [TOKEN]}).encode(),
        json.dumps({"jwt": TOKEN}).encode(),
        json.dumps([TOKEN]).encode(),
        b'{"token": "' + TOKEN.encode() + b'", "token": "x"}',
        TOKEN.encode() + b" " + TOKEN.encode(),
        TOKEN.replace(".", ".e", 1).encode(),
        b"." + TOKEN.partition(".")[2].encode(),
        b'"' + TOKEN.encode(),
        b"[" * 100_000,
        b"x" * 300_000,
    ],
    ids=count(),
)
def test_anything_else_is_refused_and_not_repeated(tmp_path: Path, body: bytes) -> None:
    server, machine = identity(tmp_path, answers(200, body))
    with server, pytest.raises(InvalidResponseError) as info:
        machine.token()
    assert "eyJ" not in str(info.value)


def test_a_token_is_requested_at_localhost_without_credentials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setenv("all_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("FDAA_API_TOKEN", "canary")
    server, machine = identity(tmp_path, answers(200, TOKEN.encode()), kind)
    with server:
        machine.token()
        machine.token(aud="https://vault.example")
    assert server.connections == 2  # and no empty one before each
    first, second = server.received
    assert (first.method, first.target) == ("POST", "/v1/tokens/oidc")
    assert first.headers["host"] == "localhost"
    assert "authorization" not in first.headers
    assert (json.loads(first.body), json.loads(second.body)) == (
        {},
        {"aud": "https://vault.example"},
    )


def test_it_leaves_no_connection_open(tmp_path: Path, kind: str) -> None:
    server, machine = identity(tmp_path, answers(200, TOKEN.encode()), kind)
    before = len(list(Path("/dev/fd").iterdir()))
    with server:
        for _ in range(3):
            machine.token()
        assert len(server.received) == 3
    assert len(list(Path("/dev/fd").iterdir())) == before - 1  # without the server's listener


def test_the_audience_is_compared_on_receipt(tmp_path: Path, kind: str) -> None:
    server, machine = identity(tmp_path, answers(200, TOKEN.encode()), kind)
    expected = "audience, 'https://other.example', got 'https://vault.example'"
    with (
        server,
        pytest.raises(InvalidResponseError, match=f"aud: must be the requested {expected}"),
    ):
        machine.token(aud="https://other.example")


def test_a_token_shows_itself_without_its_text() -> None:
    token = Token(TOKEN)
    assert repr(token) == str(token) == f"<Token sub='acme:web:cold-sun-17' exp={CLAIMS['exp']}>"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError):
            pickle.dumps(token, protocol)
    assert not hasattr(token, "__dict__")


def why_unreachable(path: str | Path, kind: str = "sync") -> str:
    """Return the error of asking for a token; a socket that is left open fails the test."""
    with pytest.raises(UnreachableError) as info:
        KINDS[kind](socket=path).token()
    assert not isinstance(info.value, NoIdentityError)
    message = str(info.value)
    del info
    gc.collect()
    return message


def test_none_here_and_broken_here_are_two_errors(tmp_path: Path, kind: str) -> None:
    with pytest.raises(NoIdentityError, match="only inside Machines"):
        KINDS[kind](socket=tmp_path / "api").token()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "api"))  # and no one listens
        assert "refused" in why_unreachable(tmp_path / "api", kind)
    (tmp_path / "file").touch()
    assert "this is not a socket" in why_unreachable(tmp_path / "file", kind)


def error_of_nobody(path: str) -> str:
    """Return the error of another user."""
    os.setresuid(65534, 65534, 0)
    try:
        return why_unreachable(path)
    finally:
        os.setresuid(0, 0, 0)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("mode_of_directory", [0o755, 0o700])
def test_a_socket_of_root_is_reported_as_such_and_at_once(
    mode_of_directory: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "fdaa.platform")
    with tempfile.TemporaryDirectory() as name:  # not in pytest's, which is root's alone
        server, _ = identity(Path(name), answers(200, TOKEN.encode()))
        with server:
            Path(name, "api").chmod(0o600)
            Path(name).chmod(mode_of_directory)
            message = error_of_nobody(f"{name}/api")
    assert "ermission denied" in message
    assert "root" in message
    assert "retrying" not in caplog.text


def test_a_response_that_comes_too_late_is_none(tmp_path: Path, kind: str) -> None:
    def script(connection: socket.socket, _: Received) -> None:
        ended.wait(2)
        answer(connection, 200, TOKEN.encode())

    ended = threading.Event()
    server, machine = identity(tmp_path, script, kind, 0.3)
    with server:
        with pytest.raises(UnreachableError, match=r"no complete response within 0\.3 seconds"):
            machine.token()
        ended.set()


def test_a_response_that_never_ends_ends_on_time(tmp_path: Path, kind: str) -> None:
    def script(connection: socket.socket, _: Received) -> None:
        server.drip(connection, b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 1000)

    server, machine = identity(tmp_path, script, kind, 0.1)
    with server, pytest.raises(UnreachableError, match="within"):
        machine.token()


@pytest.mark.parametrize("first", [answers(429), answers(503), broken, closed, reset])
def test_a_token_is_requested_again(tmp_path: Path, first: Script, kind: str) -> None:
    server, machine = identity(tmp_path, in_turn(first, answers(200, TOKEN.encode())), kind)
    with server:
        assert machine.token().reveal() == TOKEN
    assert len(server.received) == 2


@pytest.mark.parametrize(("status", "requests"), [(302, 1), (403, 1), (500, 1), (503, 4)])
def test_an_error_repeats_no_token(tmp_path: Path, status: int, requests: int, kind: str) -> None:
    server, machine = identity(tmp_path, answers(status, f"denied {TOKEN}".encode()), kind)
    with server, pytest.raises(ResponseError) as info:
        machine.token()
    assert "eyJ" not in str(info.value)
    assert not info.value.may_have_happened
    assert len(server.received) == requests


def test_an_error_repeats_no_token_whose_json_is_indented(tmp_path: Path) -> None:
    header = json.dumps({"alg": "RS256", "kid": "key-1"}, indent=1)
    payload = json.dumps(CLAIMS, indent=1)
    token = f"{b64(header.encode())}.{b64(payload.encode())}.c2lnbmF0dXJl"
    assert Token(token).claims().sub == CLAIMS["sub"]
    server, machine = identity(tmp_path, answers(500, f"api.internal.example: {token}!".encode()))
    with server, pytest.raises(ResponseError) as info:
        machine.token()
    assert info.value.message == "api.internal.example: [redacted]!"


def test_each_call_makes_a_new_token(tmp_path: Path, kind: str) -> None:
    def script(connection: socket.socket, _: Received) -> None:
        answer(connection, 200, issuer.token().encode())

    server, machine = identity(tmp_path, script, kind)
    with Issuer() as issuer, server:
        assert machine.token().claims().jti != machine.token().claims().jti


@pytest.mark.parametrize("path", ["", "a\0b", "x" * 200])
def test_a_path_that_is_none_is_refused(path: str) -> None:
    with pytest.raises((ArgumentError, PlatformError)):
        MachineIdentity(socket=path).token()


@pytest.mark.parametrize("audience", ["", 5, b"a", ["a"]])
def test_an_audience_that_is_no_text_is_not_sent(tmp_path: Path, audience: Any) -> None:
    server, machine = identity(tmp_path, answers(200, TOKEN.encode()))
    with server, pytest.raises((ArgumentError, TypeError), match="aud"):
        machine.token(aud=audience)
    assert server.received == []


@pytest.mark.parametrize("text", [None, 5, TOKEN.encode()], ids=range(3))
def test_a_token_is_read_from_text(text: Any) -> None:
    with pytest.raises(TypeError, match="must be str"):
        Token(text)
