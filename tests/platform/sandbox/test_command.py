"""`fdaa sandbox` as a process: started, used from a shell, stopped, killed."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import jwt
import pytest
from command import COMMAND, environ, invoke
from hostile_server import HostileServer, answers
from sandbox_calls import ask_token, call_url
from sandbox_process import killed_at_the_end, run_in, running
from secrets_seen import CANARY, asked_for

from fdaa.address import Address
from fdaa.cli.main import fdaa
from fdaa.platform.sandbox import Fault, RemoteSandbox, Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import trustme
    from sandbox_calls import Answer

NAMES = ("FDAA_API_URL", "FDAA_API_TOKEN")

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


def create(
    variables: dict[str, str], app: str, network: str = "default", org: str = "acme"
) -> None:
    body = {"app_name": app, "org_slug": org, "network": network}
    answer = call_api(variables, "POST", "/v1/apps", body)
    assert answer.status == 201


def call_api(variables: dict[str, str], method: str, target: str, body: object = None) -> Answer:
    url, token = variables["FDAA_API_URL"], variables["FDAA_API_TOKEN"]
    return call_url(url, token, method, target, body)


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The variables of a running sandbox that has one app, `web`."""
    with running(tmp_path_factory.mktemp("sandbox")) as (_, printed):
        create(printed, "web", "customer-17")
        yield printed


def test_a_shell_reads_its_variables_from_a_file_and_a_hang_up_deletes_everything(
    tmp_path: Path,
) -> None:
    script = (
        f"{sys.executable} -m fdaa sandbox --env-file env &\n"
        "until [ -e env ]; do sleep 0.02; done; stat -c %a env; set -a; . ./env\n"
        'echo "$FDAA_API_URL $FDAA_API_TOKEN $FDAA_OIDC_ISSUER $(ls | wc -l)"\n'
        'kill -HUP "$FDAA_SANDBOX_PID"; wait $!; echo "$? $(ls)"'
    )
    shell = subprocess.run(
        ["/bin/sh", "-c", script],
        env=environ(TMPDIR=str(tmp_path)),
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # not so under nohup
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    mode, url, token, issuer, names, status = asked_for(shell.stdout).split()
    assert url.startswith("http://127.0.0.1:")
    assert token
    assert issuer == f"{url}/oidc"
    assert (mode, names, status) == ("600", "2", "0")  # the file, and the state of the sandbox


def test_its_variables_come_as_json_too_and_ctrl_c_stops_it_with_status_0(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "fdaa", "sandbox", "--state", str(tmp_path), "--json"],
        env=environ(),
        stdout=subprocess.PIPE,
    )
    with process.stdout:
        variables = json.loads(asked_for(process.stdout.read()))
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    assert variables["FDAA_SANDBOX_PID"] == str(process.pid)
    assert variables["FDAA_OIDC_ISSUER"] == f"{variables['FDAA_API_URL']}/oidc"


def test_run_makes_a_command_a_machine_and_exits_as_it_does(variables: dict[str, str]) -> None:
    def run(app: str, *command: str) -> tuple[object, ...]:
        done = run_in(variables, "sandbox", "run", app, "--", *command)
        assert done.stderr == ""
        return done.returncode, *asked_for(done.stdout).split()

    status, address, token = run("web", sys.executable, "-c", ASK)
    assert status == 7
    claims = jwt.decode(token, options={"verify_signature": False})
    assert (claims["iss"], claims["app_name"]) == (f"{variables['FDAA_OIDC_ISSUER']}/acme", "web")
    (app,) = call_api(variables, "GET", "/v1/apps?org_slug=acme").json["apps"]
    assert app["machine_count"] == 0
    create(variables, "short", "customer-17")
    status, other = run("short", sys.executable, "-c", DESTROY_AND_CRASH)
    assert status == 137
    assert Address.parse(other) != Address.parse(address)
    assert Address.parse(other).network_id == Address.parse(address).network_id


def test_where_nobody_reads_its_variables_it_ends() -> None:
    script = f"{{ {sys.executable} -m fdaa sandbox; echo $? >&2; }} | true"
    done = subprocess.run(
        ["/bin/sh", "-c", script], env=environ(), capture_output=True, text=True, check=False
    )
    assert done.stderr == "fdaa: standard output: Broken pipe\n2\n"


@pytest.mark.usefixtures("signals_as_before")
@pytest.mark.parametrize(
    ("arguments", "changed", "told"),
    [
        (["run", "nobody", "--", "true"], {}, "there is no app 'nobody'"),
        (["run", "web", "--", "no-such-command"], {}, "cannot be run"),
        (["run", "web", "--", "true"], {"FDAA_API_URL": ""}, "must be set"),
        (["run", "web", "--", "true"], {"FDAA_API_TOKEN": "sandbox-other"}, "Authorization"),
        (["run", "web", "--", "true"], {"FDAA_API_TOKEN": CANARY}, "not the token of a sandbox"),
        (["run", "web", "--", "true"], {"FDAA_API_URL": "http://127.0.0.1:x"}, "no sandbox"),
        (["run", "web", "--", "true"], {"FDAA_API_URL": "http://127.0.0.1:1"}, "no sandbox"),
        (["run", "web", "--", "a\0b"], {}, "cannot be run"),
        (["run", "web"], {}, "Missing argument"),
        (["rotate", "nobody"], {}, "there is no organization 'nobody'"),
        (["--state", "other", "run", "web", "--", "true"], {}, "--state is for"),
        (["--json", "rotate", "acme"], {}, "--json is for"),
        (["rotate", "acme", "--after", "-1"], {}, "not in the range"),
        (["fault", "weather"], {}, "weather"),
        (["--certificate", "x"], {}, "--certificate and --key go together"),
        (["--certificate", "x", "--key", "x"], {}, "the certificate x cannot be used"),
        (["--host", "localhost"], {}, "'localhost'"),
        (["--env-file", "/no/where"], {}, "'/no/where' cannot be written"),
    ],
)
def test_what_cannot_be_done_in_a_sandbox_is_an_error_with_status_2(
    variables: dict[str, str], arguments: list[str], changed: dict[str, str], told: str
) -> None:
    done = invoke("sandbox", *arguments, **{**variables, **changed})
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr
    assert variables["FDAA_API_TOKEN"] not in done.stderr


@pytest.mark.parametrize("body", [b"<html>", b"{}", b"[" * 100_000])
@pytest.mark.parametrize("status", [201, 404])
def test_a_server_that_is_no_sandbox_is_reported(status: int, body: bytes) -> None:
    with HostileServer(answers(status, body)) as server:
        variables = {"FDAA_API_URL": server.url, "FDAA_API_TOKEN": f"sandbox-{CANARY}"}
        done = invoke("sandbox", "run", "web", "--", "true", **variables)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "FDAA_API_URL is not a sandbox's" in done.stderr


def test_a_port_that_is_none_is_refused() -> None:
    done = invoke("sandbox", "--port", "70000")
    assert done.exit_code == 2
    assert "not in the range" in done.stderr


def test_rotations_from_the_command_line(variables: dict[str, str]) -> None:
    def published() -> list[str]:
        """Return the IDs of the keys, the one that signs first."""
        return [key["kid"] for key in call_api(variables, "GET", "/oidc/acme/keys").json["keys"]]

    def rotated(*options: str) -> list[str]:
        assert invoke("sandbox", "rotate", "acme", *options, **variables).exit_code == 0
        return published()

    old, later, now, withdrawn = published(), rotated(), rotated("--now"), rotated("--withdraw")
    assert set(old) < set(later) < set(now)
    assert later[0] == old[0]
    assert now[0] not in later
    assert len(withdrawn) == 1
    assert withdrawn[0] not in now


def test_a_fault_from_the_command_line(variables: dict[str, str]) -> None:
    done = invoke("sandbox", "fault", "rate-limit", "--count", "2", "--seconds", "5", **variables)
    assert (done.exit_code, done.output) == (0, "")
    answers = [call_api(variables, "GET", "/v1/apps?org_slug=acme") for _ in range(3)]
    assert [answer.status for answer in answers] == [429, 429, 200]
    assert answers[0].headers["retry-after"] == "5"


def test_every_fault_of_the_library_is_one_of_the_command() -> None:
    shown = " ".join(invoke("sandbox", "fault", "--help").stdout.split())
    assert all(fault in shown for fault in Fault)


def test_https_is_served_to_run_rotate_and_the_client(
    tmp_path: Path, certificate_authority: trustme.CA, tls_trust: str
) -> None:
    pair = certificate_authority.issue_cert("127.0.0.1")
    pair.cert_chain_pems[0].write_to_path(str(tmp_path / "certificate"))
    pair.private_key_pem.write_to_path(str(tmp_path / "key"))
    options = ("--certificate", str(tmp_path / "certificate"), "--key", str(tmp_path / "key"))
    with running(tmp_path / "state", options) as (_, printed):
        assert printed["FDAA_API_URL"].startswith("https://127.0.0.1:")
        refused = run_in(printed, "sandbox", "rotate", "acme")
        assert (refused.returncode, "CERTIFICATE" in refused.stderr) == (2, True)
        trusting = {**printed, "SSL_CERT_FILE": tls_trust}
        for arguments in (
            ("apps", "create", "web", "--org", "acme"),
            ("sandbox", "rotate", "acme"),
            ("sandbox", "run", "web", "--", *COMMAND, "token", "--claims"),
        ):
            assert run_in(trusting, *arguments).returncode == 0


def test_any_address_but_loopback_has_a_warning(tmp_path: Path) -> None:
    options = ("--host", "0.0.0.0", "--issuer", "http://sandbox.internal/oidc")  # noqa: S104
    with running(tmp_path / "state", options, stderr=subprocess.PIPE) as (process, printed):
        assert printed["FDAA_OIDC_ISSUER"] == "http://sandbox.internal/oidc"
        create(printed, "web")
    with process.stderr:
        warning = process.stderr.read()
    assert "warning: other machines can reach the sandbox at 0.0.0.0" in warning


def test_clients_that_go_away_without_their_answers_do_not_end_it(
    variables: dict[str, str],
) -> None:
    machine = call_api(variables, "POST", "/sandbox/machines", {"app_name": "web"}).json
    for _ in range(20):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(machine["socket"])
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
    assert call_api(variables, "DELETE", f"/sandbox/machines/{machine['id']}").status == 204


def test_after_a_crash_it_restarts_with_everything_it_acknowledged(tmp_path: Path) -> None:
    with killed_at_the_end(tmp_path) as before:
        for app in ("web", "gone"):
            body = {"app_name": app, "org_slug": "acme", "network": f"on-{app}"}
            call_url(*before, "POST", "/v1/apps", body)
        call_url(*before, "DELETE", "/v1/apps/gone")
        machine = RemoteSandbox(dict(zip(NAMES, before, strict=True))).machine("web")
        listed = call_url(*before, "GET", "/v1/apps?org_slug=acme").json
        keys = call_url(*before, "GET", "/oidc/acme/keys").json
    with Sandbox(tmp_path) as after:
        assert (after.base_url, after.token) == before
        assert call_url(*before, "GET", "/v1/apps?org_slug=acme").json == listed
        assert call_url(*before, "GET", "/oidc/acme/keys").json == keys
        token = ask_token(machine).body.decode()
    assert [app["name"] for app in listed["apps"]] == ["web"]
    claims = jwt.decode(token, options={"verify_signature": False})
    assert claims["machine_id"] == machine.id


def test_a_closed_standard_output_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as info:
        fdaa.main(["sandbox"], prog_name="fdaa")
    assert info.value.code == 2
    assert "standard output is closed" in capsys.readouterr().err
