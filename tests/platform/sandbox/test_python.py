"""`Sandbox` in Python, and the pytest fixture."""

from __future__ import annotations

import logging
import socket
import stat
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from sandbox_calls import ask_token, call, create, listed

from fdaa import ArgumentError
from fdaa.platform.sandbox import Sandbox, SandboxError


def test_two_sandboxes_at_once_share_nothing(sandbox: Sandbox, fdaa_sandbox: Sandbox) -> None:
    create(sandbox, "web")
    assert call(fdaa_sandbox, "GET", "/v1/apps?org_slug=acme").status == 404
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    assert call(fdaa_sandbox, "GET", "/v1/apps", headers=headers).status == 401
    assert create(fdaa_sandbox, "web", "blue").status == 201


def test_without_a_state_nothing_is_left() -> None:
    threads = threading.active_count()
    with Sandbox() as sandbox:
        create(sandbox, "web")
        directory = Path(sandbox.start_machine("web").socket).parent.parent
        assert directory.is_dir()
    assert not directory.exists()
    assert threading.active_count() == threads


def test_a_relative_state_directory_gives_sockets_that_are_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Sandbox(state="state") as sandbox:
        create(sandbox, "web")
        assert Path(sandbox.start_machine("web").socket).is_absolute()


def test_a_sandbox_can_run_again_but_not_twice_at_once(tmp_path: Path) -> None:
    sandbox = Sandbox(state=tmp_path)
    with sandbox:
        url = sandbox.base_url
        with pytest.raises(SandboxError, match="already running"):
            sandbox.start()
        with pytest.raises(SandboxError, match="another sandbox uses"):
            Sandbox(state=tmp_path).start()
    assert sandbox.start() is sandbox
    assert sandbox.base_url == url
    sandbox.stop()
    sandbox.stop()
    with pytest.raises(SandboxError, match="not running"):
        _ = sandbox.token


def test_the_state_is_for_its_owner_alone(tmp_path: Path) -> None:
    with Sandbox(state=tmp_path / "state"):
        for directory in (tmp_path / "state", tmp_path / "state" / "sockets"):
            assert stat.S_IMODE(directory.stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm"])
def test_the_keys_of_tokens_are_in_files_for_their_owner_alone(tmp_path: Path, name: str) -> None:
    """Also where an older version made them for all users."""
    for _ in range(2):
        with Sandbox(state=tmp_path) as sandbox:
            sandbox.ensure_issuer("acme")
            assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o644)


@pytest.mark.parametrize("mode", [0o755, 0o710, 0o701])
def test_a_state_directory_that_others_can_enter_is_refused(tmp_path: Path, mode: int) -> None:
    (tmp_path / "state").mkdir(mode=mode)
    (tmp_path / "state").chmod(mode)
    with pytest.raises(SandboxError, match=r"other users can enter it; run: chmod 700 '/"):
        Sandbox(state=tmp_path / "state").start()
    assert list((tmp_path / "state").iterdir()) == []


def test_sockets_that_a_killed_sandbox_left_are_removed(tmp_path: Path) -> None:
    (tmp_path / "sockets").mkdir()
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / "sockets" / "17"))
    with Sandbox(state=tmp_path) as sandbox:
        create(sandbox, "web")
        machine = sandbox.start_machine("web")
        assert list((tmp_path / "sockets").iterdir()) == [Path(machine.socket)]


def test_a_port_in_use_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SandboxError, match=rf"^127.0.0.1 port {port} cannot be used: [^(]+$"):
            Sandbox(port=port).start()


def test_a_machine_whose_socket_cannot_be_opened_is_none(tmp_path: Path) -> None:
    with Sandbox(state=tmp_path) as sandbox:
        create(sandbox, "web")
        sandbox.start_machine("web")
        (tmp_path / "sockets").rename(tmp_path / "away")
        with pytest.raises(SandboxError, match="socket cannot be opened"):
            sandbox.start_machine("web")
        assert listed(sandbox)["web"]["machine_count"] == 1
        (tmp_path / "away").rename(tmp_path / "sockets")
    (tmp_path / "sockets" / "1").unlink()
    (tmp_path / "sockets" / "1").mkdir()  # no socket
    with pytest.raises(SandboxError, match="cannot be used"):
        Sandbox(state=tmp_path).start()


@pytest.mark.parametrize(
    ("settings", "error", "reason"),
    [
        ({"certificate": ("no-such-file", "no-such-file")}, SandboxError, "certificate"),
        ({"state": "/dev/null"}, SandboxError, "cannot be used"),
        ({"host": "192.0.2.1"}, SandboxError, "192.0.2.1 port 0 cannot be used"),
        ({"certificate": ("", "")}, ArgumentError, "certificate"),
        ({"state": ""}, ArgumentError, "state"),
        ({"state": 7}, TypeError, "int"),
        ({"port": 65536}, ArgumentError, "port"),
        ({"port": "80"}, TypeError, "str"),
        ({"host": "localhost"}, ArgumentError, "localhost"),
        ({"oidc_issuer": "issuer.example"}, ArgumentError, "issuer"),
        ({"oidc_issuer": "https://issuer.example/?a=\x1b"}, ArgumentError, "issuer"),
    ],
)
def test_a_setting_that_cannot_be_used_is_an_error(
    settings: dict[str, Any], error: type[Exception], reason: str
) -> None:
    with pytest.raises(error, match=reason):
        Sandbox(**settings).start()


@pytest.mark.parametrize("org", ["", "a/b", "a:b", "-a", "a" * 64])
def test_an_organization_that_cannot_be_is_refused(sandbox: Sandbox, org: str) -> None:
    with pytest.raises(SandboxError, match="org_slug must be"):
        sandbox.ensure_issuer(org)


def test_no_secret_is_logged_even_at_debug(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    create(sandbox, "logged")
    token = ask_token(sandbox.start_machine("logged")).body.decode()
    call(sandbox, "GET", "/v1/apps", headers={"Authorization": "Bearer canary"})
    assert "/v1/tokens/oidc" in caplog.text
    assert sandbox.token not in repr(sandbox) + repr(sandbox.start_machine("logged"))
    for secret in (sandbox.token, token, token.rpartition(".")[2], "canary", "PRIVATE KEY"):
        assert secret not in caplog.text


def test_a_client_that_goes_away_in_its_request_is_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with Sandbox() as sandbox:
        address = urlsplit(sandbox.base_url)
        with socket.create_connection((address.hostname, address.port), timeout=10) as half:
            head = f"POST /v1/apps HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {sandbox.token}"
            half.sendall(f"{head}\r\nContent-Length: 10\r\n\r\nhalf".encode())
            half.shutdown(socket.SHUT_WR)
            while half.recv(1000):  # until the sandbox has seen the end
                pass
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_it_ends_while_clients_hold_connections() -> None:
    with Sandbox() as sandbox:
        create(sandbox, "web")
        address = urlsplit(sandbox.base_url)
        half = socket.create_connection((address.hostname, address.port), timeout=10)
        half.sendall(b"POST /v1/apps HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf")
        idle = socket.socket(socket.AF_UNIX)
        idle.connect(sandbox.start_machine("web").socket)
        idle.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert idle.recv(1)  # it has been accepted
    with half, idle:
        while idle.recv(1000):
            pass
