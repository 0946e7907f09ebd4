"""`fdaa sandbox` as a process: started, used from a shell, stopped, killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from http.client import IncompleteRead
from typing import TYPE_CHECKING

import jwt
import pytest
from command import COMMAND, environ, invoke
from hostile_server import HostileServer, answers
from piped import Piped
from sandbox_calls import ask_token, call, create, listed
from sandbox_process import killed_at_the_end, run_in, running
from secrets_seen import CANARY, asked_for

from fdaa._support.atomic_files import (
    write_secret,  # private: when it returns, the sandbox is ready
)
from fdaa._values.address import Address
from fdaa.platform.sandbox import Fault, Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import trustme

    from fdaa.platform.sandbox._remote import RemoteSandbox

ASK = """
import http.client, os, socket
connection = http.client.HTTPConnection("localhost")
connection.sock = socket.socket(socket.AF_UNIX)
connection.sock.connect(os.environ["FDAA_IDENTITY_SOCKET"])
connection.request("POST", "/v1/tokens/oidc")
print(os.environ["PLATFORM_PRIVATE_IP"], connection.getresponse().read().decode())
raise SystemExit(7)
"""
DESTROY_AND_CRASH = """
import http.client, os
connection = http.client.HTTPConnection(os.environ["FDAA_API_URL"].removeprefix("http://"))
headers = {"Authorization": "Bearer " + os.environ["FDAA_API_TOKEN"]}
connection.request("DELETE", "/v1/apps/short", headers=headers)
assert connection.getresponse().status == 202
print(os.environ["PLATFORM_PRIVATE_IP"], flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RemoteSandbox]:
    """A running sandbox that has one app, `web`."""
    with running(tmp_path_factory.mktemp("sandbox")) as (_, started):
        create(started, "web", "customer-17")
        yield started


@pytest.mark.usefixtures("signals_as_before")
@pytest.mark.parametrize("by_hand", [False, True])
def test_the_file_of_variables_is_for_its_owner_and_deleted_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_hand: bool
) -> None:
    file = tmp_path / "sandbox.env"
    lines = []

    def hang_up_when_written(path: Path, data: bytes) -> None:
        write_secret(path, data)
        lines.extend(file.read_text().splitlines())
        assert file.stat().st_mode & 0o777 == 0o600
        if by_hand:
            file.unlink()
        os.kill(os.getpid(), signal.SIGHUP)

    monkeypatch.setattr("fdaa._support.atomic_files.write_secret", hang_up_when_written)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # not so under nohup
    done = invoke("sandbox", "--env-file", str(file))
    assert (done.exit_code, done.output) == (0, "")
    variables = dict(line.split("=", 1) for line in lines)
    assert variables["FDAA_API_URL"].startswith("http://127.0.0.1:")
    assert variables["FDAA_OIDC_ISSUER"] == f"{variables['FDAA_API_URL']}/oidc"
    assert variables["FDAA_SANDBOX_PID"] == str(os.getpid())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_shell_evaluates_the_variables_and_ctrl_c_stops_it_with_status_0() -> None:
    with Piped([*COMMAND, "sandbox"], env=environ(), stdout=subprocess.PIPE, text=True) as process:
        script = "".join(asked_for(process.stdout.readline()) for _ in range(4))
        shell = ["/bin/sh", "-c", f"{script} echo $FDAA_SANDBOX_PID"]
        assert subprocess.check_output(shell, text=True) == f"{process.pid}\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0


@pytest.mark.slow
def test_run_makes_a_command_a_machine_and_exits_as_it_does(server: RemoteSandbox) -> None:
    def run(app: str, *command: str) -> tuple[int, list[str]]:
        done = run_in(server, "sandbox", "run", app, "--", *command)
        lines = done.stderr.splitlines()
        assert [line for line in lines if not line.startswith("fdaa: waiting for ")] == []
        return done.returncode, asked_for(done.stdout).split()

    status, (address, token) = run("web", sys.executable, "-c", ASK)
    assert status == 7
    claims = jwt.decode(token, options={"verify_signature": False})
    issuer = f"{server.environment['FDAA_OIDC_ISSUER']}/acme"
    assert (claims["iss"], claims["app_name"]) == (issuer, "web")
    assert listed(server)["web"]["machine_count"] == 0
    create(server, "short", "customer-17")
    status, (next_address,) = run("short", sys.executable, "-c", DESTROY_AND_CRASH)
    assert status == 137
    assert next_address != address
    assert Address(next_address).network_id == Address(address).network_id


@pytest.mark.slow
def test_where_no_one_reads_the_variables_it_ends() -> None:
    script = f"{{ {sys.executable} -m fdaa sandbox; echo $? >&2; }} | true"
    done = subprocess.run(
        ["/bin/sh", "-c", script], env=environ(), capture_output=True, text=True, check=False
    )
    assert done.stderr == "fdaa: standard output: Broken pipe\n2\n"


# Loaded by Python at its start: what no test can bring about otherwise.
NO_THREAD = """
import threading
def start(self):
    raise RuntimeError("can't start new thread")
threading.Thread.start = start
"""


@pytest.mark.slow
def test_where_no_thread_can_be_started_it_ends_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_THREAD)
    done = subprocess.run(
        [*COMMAND, "sandbox"],
        env=environ(PYTHONPATH=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == "fdaa: the sandbox cannot run: can't start new thread\n"
    assert (done.returncode, done.stdout) == (2, "")


RUN = ["run", "web", "--", "true"]


@pytest.mark.usefixtures("signals_as_before")
@pytest.mark.parametrize(
    ("arguments", "changed", "reason"),
    [
        (["run", "nobody", "--", "true"], {}, "there is no app 'nobody'"),
        (["run", "web", "--", "no-such-command"], {}, "cannot be run"),
        (RUN, {"FDAA_API_URL": ""}, "must be set"),
        (RUN, {"FDAA_API_TOKEN": "sandbox-other"}, "Authorization"),
        (RUN, {"FDAA_API_TOKEN": CANARY}, "must be set as `fdaa sandbox` prints them"),
        (RUN, {"FDAA_API_URL": "http://127.0.0.1:x"}, "no sandbox"),
        (RUN, {"FDAA_API_URL": "http://127.0.0.1:1"}, "no sandbox"),
        (["run", "web", "--", "a\0b"], {}, "cannot be run"),
        (["run", "web"], {}, "Missing argument"),
        (["rotate", "nobody"], {}, "there is no organization 'nobody'"),
        (["--state", "other", *RUN], {}, "--state is for"),
        (["--json", "rotate", "acme"], {}, "--json is for"),
        (["rotate", "acme", "--after", "-1"], {}, "after must be 0 to"),
        (["rotate", "acme", "--now", "--after", "5"], {}, "only one of"),
        (["rotate", "acme", "--withdraw", "--after", "5"], {}, "only one of"),
        (["fault", "weather"], {}, "must be one of expired-token"),
        (["fault", "delay", "--count", "0"], {}, "count must be 1 to 1000"),
        (["--certificate", "x"], {}, "--certificate and --key require each other"),
        (
            ["--certificate", "x", "--key", "x"],
            {},
            "certificate 'x' with the key 'x' cannot be used",
        ),
        (["--certificate", "", "--key", ""], {}, "'--certificate': the name of the file is empty"),
        (["--state", __file__], {}, "/test_command.py cannot be used: it is not a directory"),
        (["--host", "localhost"], {}, "'localhost'"),
        (["--port", "70000"], {}, "port must be"),
        (["--env-file", "/no/where"], {}, "'/no/where' cannot be written"),
    ],
)
def test_an_error_is_explained_with_status_2(
    server: RemoteSandbox, arguments: list[str], changed: dict[str, str], reason: str
) -> None:
    done = invoke("sandbox", *arguments, env={**server.environment, **changed})
    assert (done.exit_code, done.stdout) == (2, "")
    assert reason in done.stderr
    assert server.token not in done.stderr


@pytest.mark.parametrize("body", [b"<html>", b"{}", b"[" * 100_000])
@pytest.mark.parametrize("status", [201, 404])
def test_a_server_that_is_no_sandbox_is_reported(status: int, body: bytes) -> None:
    with HostileServer(answers(status, body)) as hostile:
        variables = {"FDAA_API_URL": hostile.url, "FDAA_API_TOKEN": f"sandbox-{CANARY}"}
        done = invoke("sandbox", *RUN, env=variables)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "FDAA_API_URL is not a sandbox's" in done.stderr


def test_rotations_from_the_command_line(server: RemoteSandbox) -> None:
    def published() -> list[str]:
        """Return the IDs of the keys, the one that signs first."""
        return [key["kid"] for key in call(server, "GET", "/oidc/acme/keys").json["keys"]]

    def rotated(*options: str) -> list[str]:
        done = invoke("sandbox", "rotate", "acme", *options, env=server.environment)
        assert done.exit_code == 0
        return published()

    old = published()
    later = rotated()
    now = rotated("--now")
    withdrawn = rotated("--withdraw")
    assert set(old) < set(later) < set(now)
    assert later[0] == old[0]
    assert now[0] not in later
    assert len(withdrawn) == 1
    assert withdrawn[0] not in now


def test_a_fault_from_the_command_line(server: RemoteSandbox) -> None:
    options = ("rate-limit", "--count", "2", "--seconds", "5")
    done = invoke("sandbox", "fault", *options, env=server.environment)
    assert (done.exit_code, done.output) == (0, "")
    responses = [call(server, "GET", "/v1/apps?org_slug=acme") for _ in range(3)]
    assert [response.status for response in responses] == [429, 429, 200]
    assert responses[0].headers["retry-after"] == "5"
    shown = " ".join(invoke("sandbox", "fault", "--help").stdout.split())
    assert all(fault in shown for fault in Fault)


@pytest.mark.slow
def test_https_is_served_to_run_rotate_and_the_client(
    tmp_path: Path, certificate_authority: trustme.CA, tls_trust: str
) -> None:
    pair = certificate_authority.issue_cert("127.0.0.1")
    pair.cert_chain_pems[0].write_to_path(str(tmp_path / "certificate"))
    pair.private_key_pem.write_to_path(str(tmp_path / "key"))
    options = ("--certificate", str(tmp_path / "certificate"), "--key", str(tmp_path / "key"))
    with running(tmp_path / "state", options) as (_, sandbox):
        assert sandbox.base_url.startswith("https://127.0.0.1:")
        refused = invoke("sandbox", "rotate", "acme", env=sandbox.environment)
        assert (refused.exit_code, "CERTIFICATE" in refused.stderr) == (2, True)
        trusting = {**sandbox.environment, "SSL_CERT_FILE": tls_trust}
        for arguments in (
            ("apps", "create", "web", "--org", "acme"),
            ("sandbox", "rotate", "acme"),
        ):
            assert invoke(*arguments, env=trusting).exit_code == 0
        run = ("sandbox", "run", "web", "--", *COMMAND, "token", "--claims")
        assert run_in(sandbox, *run, SSL_CERT_FILE=tls_trust).returncode == 0


@pytest.mark.slow
def test_any_address_but_loopback_has_a_warning_and_a_cut_off_response_no_log(
    tmp_path: Path,
) -> None:
    options = ("--host", "0.0.0.0", "--issuer", "http://sandbox.internal/oidc")  # noqa: S104
    with running(tmp_path / "state", options, stderr=subprocess.PIPE) as (process, sandbox):
        assert sandbox.environment["FDAA_OIDC_ISSUER"] == "http://sandbox.internal/oidc"
        sandbox.inject_fault("cut-off")
        with pytest.raises(IncompleteRead):
            create(sandbox, "web")
    with process.stderr:
        (warning,) = process.stderr.read().splitlines()
    assert "warning: other computers can reach the sandbox at 0.0.0.0" in warning


def test_clients_that_go_away_without_their_responses_do_not_end_it(server: RemoteSandbox) -> None:
    machine = server.start_machine("web")
    for _ in range(20):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(machine.socket)
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
    server.destroy_machine(machine)


@pytest.mark.slow
def test_after_a_crash_it_restarts_with_everything_it_acknowledged(tmp_path: Path) -> None:
    targets = ("/v1/apps?org_slug=acme", "/oidc/acme/keys")
    with killed_at_the_end(tmp_path) as before:
        create(before, "web", "on-web")
        create(before, "gone", "on-gone")
        call(before, "DELETE", "/v1/apps/gone")
        machine = before.start_machine("web")
        kept = [call(before, "GET", target).json for target in targets]
    assert [app["name"] for app in kept[0]["apps"]] == ["web"]
    with Sandbox(state=tmp_path) as after:
        assert (after.base_url, after.token) == (before.base_url, before.token)
        assert [call(after, "GET", target).json for target in targets] == kept
        token = ask_token(machine).body.decode()
    claims = jwt.decode(token, options={"verify_signature": False})
    assert claims["machine_id"] == machine.id
