"""`fdaa sandbox` as a process: started, used from a shell, stopped, killed."""

from __future__ import annotations

import json
import signal
import socket
import stat
import subprocess
import sys

import jwt
import pytest
from command import environ, invoke
from sandbox_calls import call_url
from sandbox_process import run_in, running

SHOW = "import os; print(os.environ['PLATFORM_PRIVATE_IP'], os.environ['FDAA_IDENTITY_SOCKET'])"
ASK = """
import http.client, os, socket
connection = http.client.HTTPConnection("localhost")
connection.sock = socket.socket(socket.AF_UNIX)
connection.sock.connect(os.environ["FDAA_IDENTITY_SOCKET"])
connection.request("POST", "/v1/tokens/oidc")
print(connection.getresponse().read().decode())
"""


def create(variables, app, network="default", org="acme"):
    body = {"app_name": app, "org_slug": org, "network": network}
    answer = call_api(variables, "POST", "/v1/apps", body)
    assert answer.status == 201


def call_api(variables, method, target, body=None):
    url, token = variables["FDAA_API_URL"], variables["FDAA_API_TOKEN"]
    return call_url(url, token, method, target, body)


@pytest.fixture(scope="module")
def variables(tmp_path_factory):
    """The variables of a running sandbox that has one app, `web`."""
    with running("--state", tmp_path_factory.mktemp("sandbox")) as (_, printed):
        create(printed, "web", "customer-17")
        yield printed


def test_a_shell_takes_its_variables_in_one_line(tmp_path):
    script = (
        f'eval "$({sys.executable} -m fdaa sandbox --state {tmp_path} &)"\n'
        'kill "$FDAA_SANDBOX_PID" && echo "$FDAA_API_URL $FDAA_API_TOKEN $FDAA_OIDC_ISSUER"'
    )
    shell = subprocess.run(
        ["/bin/sh", "-c", script], env=environ(), capture_output=True, text=True, check=True
    )
    url, token, issuer = shell.stdout.split()
    assert url.startswith("http://127.0.0.1:")
    assert token
    assert issuer == f"{url}/oidc"


def test_its_variables_come_as_json_too(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "fdaa", "sandbox", "--state", str(tmp_path), "--json"],
        env=environ(),
        stdout=subprocess.PIPE,
    )
    with process.stdout:
        variables = json.loads(process.stdout.read())
    process.terminate()
    assert process.wait(timeout=30) == 0
    assert variables["FDAA_SANDBOX_PID"] == str(process.pid)
    assert variables["FDAA_OIDC_ISSUER"] == f"{variables['FDAA_API_URL']}/oidc"


def test_run_gives_a_command_an_address_and_a_socket_of_its_own(variables):
    first, second = (
        run_in(variables, "sandbox", "run", "web", "--", sys.executable, "-c", SHOW).stdout.split()
        for _ in range(2)
    )
    assert first[0].split(":")[:3] == second[0].split(":")[:3]
    assert first[0] != second[0]
    assert first[1] != second[1]


def test_a_command_that_runs_as_a_machine_gets_its_token(variables):
    done = run_in(variables, "sandbox", "run", "web", "--", sys.executable, "-c", ASK)
    claims = jwt.decode(done.stdout.strip(), options={"verify_signature": False})
    assert claims["iss"] == f"{variables['FDAA_OIDC_ISSUER']}/acme"
    assert claims["app_name"] == "web"


def test_the_machine_is_gone_when_its_command_has_ended(variables):
    run_in(variables, "sandbox", "run", "web", "--", "true")
    (app,) = call_api(variables, "GET", "/v1/apps?org_slug=acme").json["apps"]
    assert app["machine_count"] == 0


@pytest.mark.parametrize(
    ("code", "status"),
    [("", 0), ("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 9)", 137)],
)
def test_run_exits_as_its_command_does(variables, code, status):
    done = run_in(variables, "sandbox", "run", "web", "--", sys.executable, "-c", code)
    assert (done.returncode, done.stderr) == (status, "")


def test_run_passes_sigterm_on_and_the_machine_is_gone_then(variables):
    code = "import time; print('ready', flush=True); time.sleep(60)"
    process = subprocess.Popen(
        [sys.executable, "-m", "fdaa", "sandbox", "run", "web", "--", sys.executable, "-c", code],
        env=environ(**variables),
        stdout=subprocess.PIPE,
    )
    with process.stdout:
        assert process.stdout.readline() == b"ready\n"
        process.terminate()
        assert process.wait(timeout=30) == 128 + signal.SIGTERM
    (app,) = call_api(variables, "GET", "/v1/apps?org_slug=acme").json["apps"]
    assert app["machine_count"] == 0


@pytest.mark.parametrize(
    ("arguments", "changed", "told"),
    [
        (["run", "nobody", "--", "true"], {}, "there is no app 'nobody'"),
        (["run", "web", "--", "no-such-command"], {}, "cannot be run"),
        (["run", "web", "--", "true"], {"FDAA_API_URL": ""}, "must be set"),
        (["run", "web", "--", "true"], {"FDAA_API_TOKEN": "wrong"}, "Authorization"),
        (["run", "web", "--", "true"], {"FDAA_API_URL": "https://api.example"}, "not the URL of"),
        (["run", "web", "--", "true"], {"FDAA_API_URL": "http://127.0.0.1:x"}, "not the URL of"),
        (
            ["run", "web", "--", "true"],
            {"FDAA_API_URL": "http://127.0.0.1:1"},
            "no sandbox answers",
        ),
        (["run", "web"], {}, "Missing argument"),
        (["rotate", "a/b"], {}, "org_slug must be"),
    ],
)
def test_what_cannot_be_done_in_a_sandbox_is_told_with_status_2(
    variables, arguments, changed, told
):
    done = invoke("sandbox", *arguments, **{**variables, **changed})
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr
    assert variables["FDAA_API_TOKEN"] not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--port", "70000"], "not in the range"),
        (["--state", "/dev/null"], "cannot be used"),
        (["--state", "long/" * 20], "more than 103 bytes"),
    ],
)
def test_a_sandbox_that_cannot_run_says_why_with_status_2(arguments, told):
    done = run_in({}, "sandbox", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_rotation_from_the_command_line_withdraws_the_old_keys(variables):
    target = "/oidc/acme/keys"
    old = {key["kid"] for key in call_api(variables, "GET", target).json["keys"]}
    assert run_in(variables, "sandbox", "rotate", "acme").returncode == 0
    both = {key["kid"] for key in call_api(variables, "GET", target).json["keys"]}
    assert run_in(variables, "sandbox", "rotate", "acme", "--withdraw").returncode == 0
    new = {key["kid"] for key in call_api(variables, "GET", target).json["keys"]}
    assert old < both
    assert len(new) == 1
    assert new.isdisjoint(both)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_with_status_0(number):
    with running() as (process, _):
        process.send_signal(number)
        assert process.wait(timeout=30) == 0


def test_clients_that_go_away_without_their_answers_do_not_end_it(tmp_path):
    with running("--state", tmp_path) as (process, variables):
        create(variables, "web")
        machine = call_api(variables, "POST", "/sandbox/machines", {"app_name": "web"}).json
        for _ in range(20):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(machine["socket"])
                connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
        assert call_api(variables, "GET", "/v1/apps?org_slug=acme").status == 200
        assert process.poll() is None


def test_killed_it_comes_back_with_all_that_it_acknowledged(tmp_path):
    with running("--state", tmp_path) as (process, before):
        create(before, "web", "customer-17")
        create(before, "gone", "customer-18")
        call_api(before, "DELETE", "/v1/apps/gone")
        machine = call_api(before, "POST", "/sandbox/machines", {"app_name": "web"}).json
        listed = call_api(before, "GET", "/v1/apps?org_slug=acme").json
        keys = call_api(before, "GET", "/oidc/acme/keys").json
        process.kill()
    with running("--state", tmp_path) as (_, after):
        assert {**after, "FDAA_SANDBOX_PID": ""} == {**before, "FDAA_SANDBOX_PID": ""}
        assert call_api(after, "GET", "/v1/apps?org_slug=acme").json == listed
        assert call_api(after, "GET", "/oidc/acme/keys").json == keys
        done = subprocess.run(
            [sys.executable, "-c", ASK],
            env=environ(FDAA_IDENTITY_SOCKET=machine["socket"]),
            capture_output=True,
            text=True,
            check=True,
        )
        claims = jwt.decode(done.stdout.strip(), options={"verify_signature": False})
        assert claims["machine_id"] == machine["id"]


def test_a_second_sandbox_in_the_same_directory_is_refused(tmp_path):
    with running("--state", tmp_path):
        done = run_in({}, "sandbox", "--state", str(tmp_path))
    assert done.returncode == 2
    assert "another sandbox uses" in done.stderr


def test_a_port_in_use_is_refused(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run_in({}, "sandbox", "--state", str(tmp_path), "--port", str(port))
    assert done.returncode == 2
    assert f"port {port} cannot be used" in done.stderr


def test_a_closed_standard_output_is_told(tmp_path):
    script = f"{sys.executable} -m fdaa sandbox --state {tmp_path} >&-"
    shell = subprocess.run(
        ["/bin/sh", "-c", script], env=environ(), capture_output=True, text=True, check=False
    )
    assert shell.returncode == 2
    assert "standard output is closed" in shell.stderr


@pytest.mark.parametrize("made_before", ["", "state/sockets"])
def test_nobody_else_can_read_the_state(tmp_path, made_before):
    (tmp_path / made_before).mkdir(parents=True, exist_ok=True)
    with running("--state", tmp_path / "state"):
        inside = [] if made_before else [tmp_path / "state"]
        inside += (tmp_path / "state").rglob("*")
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in inside}
    assert all(mode & 0o077 == 0 for mode in modes.values()), modes
