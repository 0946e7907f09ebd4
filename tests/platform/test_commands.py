"""Commands and the live part: documents joined with its list, without its extra, in a crash."""

from __future__ import annotations

import json
import logging
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from client_calls import api_at, reset
from command import COMMAND, environ, invoke, records
from hostile_server import HostileServer, answers, silent
from secrets_seen import CANARY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from platform_command import Platform


# --- the join, live -------------------------------------------------------------------------------


def test_networks_join_the_live_list(platform: Platform, tmp_path: Path) -> None:
    machine = platform.sandbox.start_machine("web")
    file = tmp_path / "web.json"
    file.write_text(json.dumps([{"id": machine.id, "private_ip": str(machine.address)}]))
    shown = platform.invoke("networks", "--org", "acme", "-d", f"web={file}", "--json")
    id_of = {row.get("network_name"): row.get("network_id") for row in records(shown.stdout)}
    assert id_of["blue"] == str(machine.address.network_id)
    other = tmp_path / "apps.json"
    other.write_text('{"apps": [{"name": "web", "network": "red"}]}')
    both = platform.invoke("networks", "--org", "acme", "-d", str(other))
    assert both.exit_code == 1
    assert "GET /v1/apps?org_slug=acme': apps[" in both.stdout


def test_reach_and_check_take_the_live_list(platform: Platform, tmp_path: Path) -> None:
    no = platform.invoke("reach", "web", "api", "--org", "acme", "--json")
    assert (no.exit_code, json.loads(no.stdout)["reachable"]) == (1, False)
    machine = platform.sandbox.start_machine("web")
    (tmp_path / "ips.json").write_text(json.dumps({"ips": [{"ip": f"{machine.address}0"}]}))
    machines = [{"id": machine.id, "private_ip": str(machine.address)}]
    (tmp_path / "web.json").write_text(json.dumps(machines))
    files = f"--documents=api={tmp_path / 'ips.json'}", f"--documents=web={tmp_path / 'web.json'}"
    checked = platform.invoke("check", "allocations", "--org", "acme", *files)
    assert checked.exit_code == 0
    assert checked.stdout.splitlines()[1].split()[1:3] == ["api", "blue"]


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        ({"FDAA_API_TOKEN": "wrong"}, "status 401"),
        ({"FDAA_API_TOKEN": ""}, "FDAA_API_TOKEN is not set"),
        ({"FDAA_API_URL": ""}, "FDAA_API_URL is not set"),
        ({"FDAA_API_URL": "https://api..example"}, "api..example: this is not a valid"),
    ],
)
def test_a_failed_source_hides_no_other(
    platform: Platform, variables: dict[str, str], reason: str
) -> None:
    arguments = ("networks", "-d", "docs/examples/apps.json", "--org", "acme", "--json")
    shown = platform.invoke(*arguments, **variables)
    assert shown.exit_code == 2
    rows = records(shown.stdout)
    assert any(row.get("network_name") for row in rows)
    assert any(row.get("file") == "GET /v1/apps?org_slug=acme" for row in rows)
    assert f"'GET /v1/apps?org_slug=acme': {reason}" in shown.stderr  # the place once
    assert "--token-file" not in shown.stderr  # which this command does not have


@pytest.mark.parametrize(
    "command",
    [
        ("networks",),
        ("check", "allocations", "-d", "x"),
        ("reach", "a", "b"),
        ("decode", "fdaa:2:45b::3"),
    ],
)
def test_one_organization_at_a_time(command: tuple[str, ...]) -> None:
    result = invoke(*command, "--org", "nope", "--org", "zeta")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--org can be given only once" in result.stderr


# --- pipes and sockets that close -----------------------------------------------------------------


@pytest.fixture
def signals() -> Iterator[list[int]]:
    """The SIGPIPEs that this process does not ignore; a command would end by the first."""
    received: list[int] = []
    before = signal.signal(signal.SIGPIPE, lambda number, _: received.append(number))
    yield received
    signal.signal(signal.SIGPIPE, before)


@pytest.mark.parametrize(
    ("command", "status", "reason"),
    [
        ("apps create web --org acme", 3, "the change may still have been made"),
        ("token --socket SOCKET", 2, "POST /v1/tokens/oidc"),
    ],
)
def test_a_server_that_closes_during_a_request_is_reported(
    tmp_path: Path, signals: list[int], command: str, status: int, reason: str
) -> None:
    path = str(tmp_path / "api")
    closed = threading.Event()

    def closes_first(record: logging.LogRecord) -> bool:
        return "send_request_body.started" not in record.getMessage() or closed.wait(30)

    log = logging.getLogger("httpcore2.http11")
    with socket.create_server(("127.0.0.1", 0)) as network, socket.socket(socket.AF_UNIX) as local:
        local.bind(path)
        local.listen()
        listener = network
        if "SOCKET" in command:
            listener = local
        server = threading.Thread(target=close_next, args=(listener, closed))
        server.start()
        url = f"http://127.0.0.1:{network.getsockname()[1]}"
        variables = {"FDAA_API_URL": url, "FDAA_API_TOKEN": CANARY}
        log.addFilter(closes_first)
        arguments = command.replace("SOCKET", path).split()
        try:
            done = invoke(*arguments, env=variables)
        finally:
            log.removeFilter(closes_first)
        server.join()
    assert (done.exit_code, signals) == (status, [])
    assert reason in done.stderr


def close_next(listener: socket.socket, closed: threading.Event) -> None:
    """Reset the first connection that sends the head of a request, when it has come."""
    connection, _ = listener.accept()
    assert connection.recv(65536)
    connection.shutdown(socket.SHUT_WR)
    reset(connection)
    closed.set()


def test_a_closed_pipe_ends_a_live_command_silently() -> None:
    with HostileServer(answers(202)) as server:
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [*COMMAND, "apps", "destroy", "web", "--yes"],
            env=environ(api_at(server)),
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
        os.close(writer)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")


# --- without the extra, and when it crashes -------------------------------------------------------


@pytest.fixture
def without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("fdaa.platform")
    for name in sys.modules.copy():
        if name.startswith("fdaa.platform"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "httpx2", None)  # an import of it is an ImportError now


@pytest.mark.usefixtures("without_the_extra")
@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("apps", "destroy", "web", "--yes"), "platform"),
        (("verify", "--issuer", "https://i.example", "--aud", "a"), "platform"),
        (("sandbox",), "sandbox"),
    ],
)
def test_without_the_extra_one_line_says_which_to_install(
    arguments: tuple[str, ...], extra: str
) -> None:
    result = invoke(*arguments, stdin=b"x")
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert f"needs the extra `{extra}`" in line


@pytest.mark.usefixtures("without_the_extra")
def test_without_the_extra_the_rest_works() -> None:
    result = invoke("networks", "-d", "docs/examples/apps.json", "--org", "acme", "--json")
    assert result.exit_code == 2
    assert any(row.get("network_name") for row in records(result.stdout))
    alone = invoke("whoami", "--json", PLATFORM_PRIVATE_IP="fdaa:2:45b::3")
    assert json.loads(alone.stdout)["network_id"] == "2:45b"


def test_neither_the_core_nor_the_plugin_of_pytest_loads_it() -> None:
    code = (
        "import sys, fdaa, fdaa.networks, fdaa.scan, fdaa.cli.main, fdaa.pytest_plugin\n"
        "heavy = 'fdaa.platform starlette uvicorn sqlite3 httpx2 jwt cryptography anyio'\n"
        "print({*heavy.split()} & {*sys.modules})"
    )
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"set()\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no core files there")
def test_a_crash_leaves_no_core_file_with_the_token(tmp_path: Path) -> None:
    with HostileServer(silent) as server:
        process = subprocess.Popen(
            [*COMMAND, "apps", "list", "--org", "acme"],
            env=environ(api_at(server)),
            cwd=tmp_path,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2
            ),
        )
        assert server.arrived.wait(30)
        process.send_signal(signal.SIGABRT)
        process.wait(30)
    assert process.returncode == -signal.SIGABRT
    assert list(tmp_path.iterdir()) == []


def test_no_secret_is_in_the_arguments_of_a_process() -> None:
    for path in (("apps", "list"), ("apps", "create"), ("apps", "destroy"), ("networks",)):
        shown = invoke(*path, "--help").stdout
        assert "--token " not in shown
        assert "--api-token" not in shown
