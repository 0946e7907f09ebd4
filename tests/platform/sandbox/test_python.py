"""`Sandbox` in Python, and the pytest fixture."""

from __future__ import annotations

import logging
import socket
import stat
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from command import invoke
from sandbox_calls import ask_token, call, create, listed

from fdaa.platform.sandbox import Sandbox, SandboxError


def test_two_sandboxes_at_once_know_nothing_of_each_other():
    with Sandbox() as first, Sandbox() as second:
        create(first, "web")
        assert call(second, "GET", "/v1/apps?org_slug=acme").status == 404
        assert first.token != second.token
        theirs = {"Authorization": f"Bearer {first.token}"}
        assert call(second, "GET", "/v1/apps", headers=theirs).status == 401
        create(second, "web", "blue")
        assert listed(second)["web"]["network"] == "blue"


def test_without_a_state_nothing_is_left():
    threads = threading.active_count()
    with Sandbox() as sandbox:
        create(sandbox, "web")
        directory = Path(sandbox.machine("web").socket).parent.parent
        assert directory.is_dir()
    assert not directory.exists()
    assert threading.active_count() == threads


def test_a_relative_state_directory_gives_sockets_that_are_found_from_anywhere(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with Sandbox("state") as sandbox:
        create(sandbox, "web")
        assert Path(sandbox.machine("web").socket).is_absolute()


def test_a_sandbox_can_run_again_but_not_twice_at_once(tmp_path):
    sandbox = Sandbox(tmp_path)
    with sandbox:
        url = sandbox.base_url
        with pytest.raises(SandboxError, match="running already"), sandbox:
            pass
        with pytest.raises(SandboxError, match="another sandbox uses"), Sandbox(tmp_path):
            pass
    with sandbox:
        assert sandbox.base_url == url


@pytest.mark.parametrize("made_before", ["", "state/sockets"])
def test_nobody_else_can_read_the_state(tmp_path, made_before):
    (tmp_path / made_before).mkdir(parents=True, exist_ok=True)
    with Sandbox(tmp_path / "state"):
        inside = [] if made_before else [tmp_path / "state"]
        inside += (tmp_path / "state").rglob("*")
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in inside}
    assert len(modes) >= 3
    assert all(mode & 0o077 == 0 for mode in modes.values()), modes


def test_a_port_in_use_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SandboxError, match=f"port {port} cannot be used"), Sandbox(port=port):
            pass


def test_a_machine_whose_socket_cannot_be_opened_is_none(tmp_path):
    with Sandbox(tmp_path) as sandbox:
        create(sandbox, "web")
        sandbox.machine("web")
        (tmp_path / "sockets").rename(tmp_path / "away")
        with pytest.raises(SandboxError, match="socket cannot be opened"):
            sandbox.machine("web")
        assert listed(sandbox)["web"]["machine_count"] == 1
        (tmp_path / "away").rename(tmp_path / "sockets")
    (tmp_path / "sockets" / "1").unlink()
    (tmp_path / "sockets" / "1").mkdir()  # in the way of the Machine's socket
    with pytest.raises(SandboxError, match="cannot be used"), Sandbox(tmp_path):
        pass


def test_outside_of_with_it_says_so():
    sandbox = Sandbox()
    with pytest.raises(SandboxError, match="inside `with` only"):
        _ = sandbox.base_url


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"certificate": ("no-such-file", "no-such-file")}, "certificate"),
        ({"state": "/dev/null"}, "cannot be used"),
        ({"state": ""}, "no name"),
        ({"port": 65536}, "port 65536 cannot be used"),
        ({"state": "/" + "long/" * 20}, "more than 103 bytes"),
    ],
)
def test_what_cannot_be_used_is_told_on_entry(settings, told):
    with pytest.raises(SandboxError, match=told), Sandbox(**settings):
        pass


@pytest.mark.parametrize("org", ["", "a/b", "a:b", "-a", "a" * 64])
def test_an_organization_that_cannot_be_is_refused(sandbox, org):
    with pytest.raises(SandboxError, match="org_slug must be"):
        sandbox.issuer(org)


def test_the_token_is_not_shown(sandbox):
    create(sandbox, "shown")
    assert sandbox.token not in repr(sandbox) + repr(sandbox.machine("shown"))


def test_no_secret_is_logged_even_at_debug(sandbox, caplog):
    caplog.set_level(logging.DEBUG)
    create(sandbox, "logged")
    token = ask_token(sandbox.machine("logged")).body.decode()
    call(sandbox, "GET", "/v1/apps", headers={"Authorization": "Bearer canary"})
    assert "/v1/tokens/oidc" in caplog.text
    for secret in (sandbox.token, token, token.rpartition(".")[2], "canary", "PRIVATE KEY"):
        assert secret not in caplog.text


def test_it_ends_while_clients_hold_connections():
    with Sandbox() as sandbox:
        create(sandbox, "web")
        address = urlsplit(sandbox.base_url)
        half = socket.create_connection((address.hostname, address.port), timeout=10)
        half.sendall(b"POST /v1/apps HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf")
        idle = socket.socket(socket.AF_UNIX)
        idle.connect(sandbox.machine("web").socket)
        idle.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert idle.recv(1)  # it has been accepted
    with half, idle:
        while idle.recv(1000):
            pass


def test_the_fixture_is_a_fresh_sandbox_for_each_test(fdaa_sandbox):
    assert call(fdaa_sandbox, "GET", "/v1/apps?org_slug=acme").status == 404
    assert create(fdaa_sandbox, "web").status == 201


@pytest.mark.usefixtures("signals_as_before")
def test_without_its_extra_the_command_says_what_to_install(monkeypatch):
    monkeypatch.delattr("fdaa.platform.sandbox")
    for name in [name for name in sys.modules if name.startswith("fdaa.platform.sandbox")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)  # an import of it is an ImportError now
    done = invoke("sandbox")
    assert (done.exit_code, done.stdout) == (2, "false\n")  # so that `eval` fails
    assert "pip install 'fdaa[sandbox]'" in done.stderr
