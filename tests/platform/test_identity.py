"""A Machine's identity, over real Unix sockets."""

from __future__ import annotations

import base64
import json
import os
import pickle
import socket
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hostile_server import HostileServer, answers
from token_issuer import Issuer

from fdaa import ArgumentError
from fdaa.platform import (
    InvalidResponseError,
    MachineIdentity,
    NoIdentityError,
    Token,
    UnreachableError,
)

if TYPE_CHECKING:
    from client_calls import Script

with Issuer() as _issuer:
    TOKEN = _issuer.token(aud="https://vault.example")
CLAIMS = json.loads(base64.urlsafe_b64decode(TOKEN.split(".")[1] + "=="))


def token_of(path: str | Path, aud: str | None = None) -> Token:
    """Request a token at a socket."""
    return MachineIdentity(socket=path, timeout=2).token(aud=aud)


def serving(directory: Path, script: Script) -> HostileServer:
    return HostileServer(script, path=str(directory / "api"))


@pytest.mark.parametrize(
    "body",
    [
        TOKEN.encode() + b"\n",
        json.dumps(TOKEN).encode(),
        json.dumps({"token": TOKEN}).encode(),
        json.dumps({"id_token": TOKEN}).encode(),
    ],
    ids=count(),  # the token differs between processes
)
def test_every_wrapping_is_a_token(tmp_path: Path, body: bytes) -> None:
    with serving(tmp_path, answers(200, body)) as server:
        token = token_of(server.url)
    assert token.reveal() == TOKEN
    assert token.claims().to_dict() == CLAIMS


@pytest.mark.parametrize(
    "body",
    [
        b"nonsense",
        json.dumps({"token": TOKEN, "value": TOKEN}).encode(),
        b'{"token": "' + TOKEN.encode() + b'", "token": "x"}',
        TOKEN.replace(".", ".e", 1).encode(),
        b"{" * 100_000,
    ],
    ids=count(),
)
def test_anything_else_is_refused_without_its_text(tmp_path: Path, body: bytes) -> None:
    script = answers(200, body)
    with serving(tmp_path, script) as server, pytest.raises(InvalidResponseError) as info:
        token_of(server.url)
    assert "eyJ" not in str(info.value) + repr(info.value.__context__)
    assert len(server.received) == 1


def test_a_token_is_requested_at_localhost_without_credentials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("all_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("FDAA_API_TOKEN", "canary")
    with serving(tmp_path, answers(200, TOKEN.encode())) as server:
        token_of(server.url)
        token_of(server.url, aud="https://vault.example")
    first, second = server.received
    assert (first.method, first.target) == ("POST", "/v1/tokens/oidc")
    assert first.headers["host"] == "localhost"
    assert "authorization" not in first.headers
    assert json.loads(first.body) == {}
    assert json.loads(second.body) == {"aud": "https://vault.example"}


def test_the_audience_is_compared_on_receipt(tmp_path: Path) -> None:
    expected = r"audience, 'https://other\.example', got 'https://vault\.example'"
    with (
        serving(tmp_path, answers(200, TOKEN.encode())) as server,
        pytest.raises(InvalidResponseError, match=f"aud: must be the requested {expected}"),
    ):
        token_of(server.url, aud="https://other.example")
    with pytest.raises(ArgumentError, match="aud is empty"):
        token_of("/nowhere", aud="")


def test_a_token_shows_itself_without_its_text() -> None:
    token = Token(TOKEN)
    assert repr(token) == str(token) == f"<Token sub='acme:web:cold-sun-17' exp={CLAIMS['exp']}>"
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(token)
    assert not hasattr(token, "__dict__")


def test_an_identity_that_is_broken_is_not_one_that_is_missing(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "api"))  # and no one listens
        with pytest.raises(UnreachableError, match=r"socket '.*: Connection refused$") as info:
            token_of(tmp_path / "api")
    assert not isinstance(info.value, NoIdentityError)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_socket_of_root_is_reported_as_such() -> None:
    with tempfile.TemporaryDirectory() as name:  # not in pytest's, which is root's alone
        Path(name).chmod(0o755)
        path = str(Path(name) / "api")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
            listener.listen()
            Path(path).chmod(0o600)
            os.setresuid(65534, 65534, 0)
            try:
                with pytest.raises(UnreachableError, match=r"Permission denied; .* root"):
                    token_of(path)
            finally:
                os.setresuid(0, 0, 0)
