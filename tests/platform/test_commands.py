"""The commands of the live part, against the sandbox over real sockets."""

from __future__ import annotations

import json
import os
import pty
import resource
import select
import signal
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from command import COMMAND, environ, invoke, records, run
from hostile_server import HostileServer, Received, answer, answers
from secrets_seen import CANARY, SECRETS

from fdaa.platform import Client
from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

AUDIENCE = "https://vault.example"


class Platform:
    """A sandbox, with what the command needs to find it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.variables = {"FDAA_API_URL": sandbox.base_url, "FDAA_API_TOKEN": sandbox.token}
        SECRETS.add(sandbox.token)

    def invoke(self, *arguments: str, **variables: str):
        return invoke(*arguments, **{**self.variables, **variables})

    def inside(self, app: str, **variables: str) -> dict[str, str]:
        """Return the variables of a new Machine of an app."""
        return {**self.variables, **self.sandbox.machine(app).environment, **variables}


@pytest.fixture(scope="module")
def platform() -> Iterator[Platform]:
    with Sandbox() as sandbox:
        with Client(sandbox.base_url, sandbox.token) as client:
            client.create_app("web", org="acme", network="blue")
            client.create_app("api", org="acme", network="green")
        yield Platform(sandbox)


def names_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


# --- apps -----------------------------------------------------------------------------------------


def test_an_app_is_created_listed_and_destroyed(platform: Platform) -> None:
    made = platform.invoke("apps", "create", "shop", "--org", "other", "--network", "customer-17")
    assert made.stdout.startswith("created shop on network customer-17")
    listed = platform.invoke("apps", "list", FDAA_ORG="other")
    assert listed.stdout.splitlines()[0].split() == ["app", "network", "Machines", "volumes", "id"]
    assert listed.stdout.splitlines()[1].split()[:3] == ["shop", "customer-17", "0"]
    (row,) = records(platform.invoke("apps", "list", "--org", "other", "--json").stdout)
    assert (row["name"], row["network"]) == ("shop", "customer-17")
    gone = platform.invoke("apps", "destroy", "shop", "--yes", "--json")
    assert records(gone.stdout) == [{"name": "shop", "accepted": True}]
    assert records(platform.invoke("apps", "list", "--org", "other", "--json").stdout) == []
    assert {made.exit_code, listed.exit_code, gone.exit_code} == {0}


def test_creation_as_json(platform: Platform) -> None:
    arguments = ("apps", "create", "third", "--org", "other", "--json")
    (made,) = records(platform.invoke(*arguments).stdout)
    assert made["name"] == "third"
    assert made["network"] is None
    platform.invoke("apps", "destroy", "third", "--yes")


@pytest.mark.parametrize(
    ("arguments", "variables", "said"),
    [
        (("list",), {}, "--org"),
        (("list", "--org", "acme"), {"FDAA_API_URL": ""}, "FDAA_API_URL"),
        (("list", "--org", "acme"), {"FDAA_API_TOKEN": ""}, "FDAA_API_TOKEN"),
        (("list", "--org", "acme"), {"FDAA_API_TOKEN": CANARY}, "status 401"),
        (("list", "--org", "acme", "--api-url", "http://api.example"), {}, "plain http"),
        (("list", "--org", "acme", "--token-file", "/nowhere"), {}, "/nowhere"),
        (("list", "--org", "acme", "--token-file", "/dev/zero"), {}, "too long"),
        (("create", "x", "--org", "acme", "--network", "17"), {}, "must start with a letter"),
        (("create", "web", "--org", "acme"), {}, "status 4"),
        (("destroy", "nothing-like-it", "--yes"), {}, "status 404"),
        (("destroy", "web"), {}, "--yes"),
        (("destroy", "\udcff", "--yes"), {}, "not Unicode text"),
        (("destroy", "x" * 40_000, "--yes"), {}, "too long"),
        (("list", "--org", "\udcff"), {}, "not Unicode text"),
    ],
)
def test_what_cannot_be_done_has_status_2(platform: Platform, arguments, variables, said) -> None:
    result = platform.invoke("apps", *arguments, **variables)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_plain_http_elsewhere_is_allowed_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    variables = {"FDAA_API_URL": "http://nobody.invalid", "FDAA_API_TOKEN": "t"}
    calls = (("apps", "destroy", "web", "--yes"), ("networks", "--org", "acme"))
    for arguments in calls:
        assert "plain http" in invoke(*arguments, **variables).stderr
        allowed = invoke(*arguments, **variables, FDAA_ALLOW_PLAIN_HTTP="1")
        assert allowed.exit_code == 2
        assert "plain http" not in allowed.stderr
    assert "plain http" not in invoke(*calls[0], "--allow-plain-http", **variables).stderr


def test_the_token_comes_from_a_file(platform: Platform, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(platform.sandbox.token + "\n")
    arguments = ("apps", "list", "--org", "acme", "--json", "--token-file", str(file))
    shown = platform.invoke(*arguments, FDAA_API_TOKEN="")
    assert {row["name"] for row in records(shown.stdout)} >= {"web", "api"}


@pytest.mark.parametrize(
    ("answered", "status", "said"), [(b"y\n", 0, b"accepted"), (b"n\n", 2, b"nothing")]
)
def test_a_terminal_is_asked_before_an_app_is_destroyed(
    platform: Platform, answered: bytes, status: int, said: bytes
) -> None:
    platform.invoke("apps", "create", "doomed", "--org", "acme")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "apps", "destroy", "doomed"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environ(**platform.variables),
    )
    os.close(theirs)
    shown = b""
    while b"?" not in shown:
        shown += os.read(ours, 1000)
    os.write(ours, answered)
    while select.select([ours], [], [], 30)[0]:
        try:
            shown += os.read(ours, 1000)
        except OSError:
            break
    os.close(ours)
    assert process.wait(30) == status
    assert said in shown
    platform.invoke("apps", "destroy", "doomed", "--yes")


def test_what_may_have_happened_has_status_3() -> None:
    with HostileServer(lambda connection, _: connection.close()) as server:
        variables = {"FDAA_API_URL": server.url, "FDAA_API_TOKEN": "t"}
        for arguments in (("create", "web", "--org", "acme"), ("destroy", "web", "--yes")):
            result = invoke("apps", *arguments, **variables)
            assert (result.exit_code, result.stdout) == (3, "")
            assert "may have happened" in result.stderr


def test_somebody_who_waits_is_told_for_what() -> None:
    def script(connection, _: Received) -> None:
        server.stopped.wait(1.2)
        answer(connection, 202)

    with HostileServer(script) as server:
        variables = {"FDAA_API_URL": server.url, "FDAA_API_TOKEN": "t"}
        result = invoke("apps", "destroy", "web", "--yes", **variables)
    assert result.stderr == "fdaa: waiting for the app to be destroyed\n"
    assert result.stdout == "accepted: web will be destroyed\n"


def test_a_retry_is_told() -> None:
    with HostileServer(answers(503)) as server:
        variables = {"FDAA_API_URL": server.url, "FDAA_API_TOKEN": "t"}
        result = invoke("apps", "list", "--org", "acme", **variables)
    assert "status 503, trying again" in result.stderr


# --- the join, live -------------------------------------------------------------------------------


def test_networks_join_the_live_list(platform: Platform, tmp_path: Path) -> None:
    machine = platform.sandbox.machine("web")
    file = tmp_path / "web.json"
    file.write_text(json.dumps([{"id": machine.id, "private_ip": str(machine.address)}]))
    shown = platform.invoke("networks", "--org", "acme", "--machines", f"web={file}", "--json")
    row = next(row for row in records(shown.stdout) if row.get("name") == "blue")
    assert row["network_id"] == str(machine.address.network_id)
    other = tmp_path / "apps.json"
    other.write_text('{"apps": [{"name": "web", "network": "red"}]}')
    both = platform.invoke("networks", "--org", "acme", "--apps", str(other))
    assert both.exit_code == 1
    assert "GET /v1/apps?org_slug=acme': apps[" in both.stdout


def test_reach_and_check_take_the_live_list(platform: Platform, tmp_path: Path) -> None:
    no = platform.invoke("reach", "web", "api", "--org", "acme", "--json")
    assert (no.exit_code, json.loads(no.stdout)["reachable"]) == (1, False)
    machine = platform.sandbox.machine("web")
    (tmp_path / "ips.json").write_text(json.dumps({"ips": [{"ip": f"{machine.address}0"}]}))
    machines = [{"id": machine.id, "private_ip": str(machine.address)}]
    (tmp_path / "web.json").write_text(json.dumps(machines))
    files = f"--addresses=api={tmp_path / 'ips.json'}", f"--machines=web={tmp_path / 'web.json'}"
    checked = platform.invoke("check", "--org", "acme", *files)
    assert checked.exit_code == 0
    assert checked.stdout.splitlines()[1].split()[1:3] == ["api", "blue"]


@pytest.mark.parametrize("variables", [{"FDAA_API_TOKEN": "wrong"}, {"FDAA_API_URL": ""}])
def test_a_failed_source_hides_no_other(platform: Platform, variables: dict[str, str]) -> None:
    arguments = ("networks", "--apps", "docs/examples/apps.json", "--org", "acme", "--json")
    shown = platform.invoke(*arguments, **variables)
    assert shown.exit_code == 2
    rows = records(shown.stdout)
    assert any(row.get("name") for row in rows)
    assert any(row.get("file") == "GET /v1/apps?org_slug=acme" for row in rows)
    assert "GET /v1/apps?org_slug=acme" in shown.stderr


# --- token, verify --------------------------------------------------------------------------------


def test_verify_answers_with_its_status(platform: Platform, tmp_path: Path) -> None:
    text = platform.invoke("token", "--aud", AUDIENCE, **platform.inside("web")).stdout
    file = tmp_path / "token"
    file.write_text(text)
    right = ("--issuer", platform.sandbox.issuer("acme"), "--aud", AUDIENCE, "--allow-plain-http")
    valid = invoke("verify", *right, str(file), "--json")
    assert json.loads(valid.stdout)["claims"]["org_name"] == "acme"
    wrong = invoke("verify", *right, "--sub", "acme:api:*", str(file), "--json")
    (failure,) = json.loads(wrong.stdout)["failures"]
    assert failure["claim"] == "sub"
    shown = invoke("verify", *right, "--sub", "acme:api:*", stdin=text.encode())
    assert "sub: expected 'acme:api:*', got 'acme:web:" in shown.stdout
    gone = invoke("verify", "--issuer", "http://127.0.0.1:1", *right[2:], str(file), "--json")
    assert json.loads(gone.stdout)["valid"] is None
    assert "could not be decided" in gone.stderr
    assert "not renewed" not in gone.stderr
    quiet = invoke("verify", *right, "-q", str(file))
    assert [each.exit_code for each in (valid, wrong, shown, gone, quiet)] == [0, 1, 1, 2, 0]
    assert quiet.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "stdin", "status"),
    [
        ((), b"", 1),
        ((), b"\xff", 2),
        ((), b"x" * 70_000, 2),
        (("/nowhere",), None, 2),
        (("--sub", "acme"), b"x.y.z", 2),
        (("--issuer", "http://issuer.example"), b"x.y.z", 2),
    ],
)
def test_verify_with_input_that_is_none(arguments, stdin, status: int) -> None:
    usual = ("--issuer", "https://issuer.example/acme", "--aud", "a")
    result = invoke("verify", *usual, *arguments, stdin=stdin)
    assert result.exit_code == status
    assert "Traceback" not in result.output


def test_a_token_shows_its_claims(platform: Platform) -> None:
    variables = platform.inside("web")
    claims = json.loads(platform.invoke("token", "--claims", "--json", **variables).stdout)
    assert len(claims) == 17
    assert claims["app_name"] == "web"
    shown = platform.invoke("token", "--claims", **variables).stdout
    assert "app_name" in shown
    assert "eyJ" not in shown
    bare = json.loads(platform.invoke("token", "--json", **variables).stdout)["token"]
    assert bare.count(".") == 2


def test_a_token_in_a_file_is_for_its_owner_alone(platform: Platform, tmp_path: Path) -> None:
    variables = platform.inside("web")
    file = tmp_path / "token"
    file.write_text("old")
    file.chmod(0o644)
    done = platform.invoke("token", "--output", str(file), **variables)
    assert (done.exit_code, done.stdout) == (0, "")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text().count(".") == 2
    assert names_in(tmp_path) == ["token"]


@pytest.mark.parametrize("target", [".", "no/where", "/dev/full", "a\0b"])
def test_a_token_is_written_whole_or_not_at_all(
    platform: Platform, tmp_path: Path, target: str
) -> None:
    variables = platform.inside("web")
    result = platform.invoke("token", "--output", str(tmp_path / target), **variables)
    assert (result.exit_code, result.stdout) == (2, "")
    assert names_in(tmp_path) == []


def test_a_full_disk_leaves_the_old_token(platform: Platform, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("old")
    process = subprocess.run(
        [*COMMAND, "token", "--output", str(file)],
        env=environ(**platform.inside("web")),
        capture_output=True,
        preexec_fn=lambda: (
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
        ),
        check=False,
    )
    assert process.returncode == 2, process.stderr
    assert file.read_text() == "old"
    assert names_in(tmp_path) == ["token"]


def test_outside_a_machine_there_is_no_token() -> None:
    result = invoke("token", "--socket", "/nowhere")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "inside Machines only" in result.stderr


# --- whoami ---------------------------------------------------------------------------------------


def test_whoami_tells_everything_and_where_it_is_from(platform: Platform) -> None:
    variables = platform.inside("web")
    result = platform.invoke("whoami", "--org", "acme", "--json", **variables)
    facts = json.loads(result.stdout)
    assert result.exit_code == 0
    address = variables["PLATFORM_PRIVATE_IP"]
    assert facts["address"] == {"value": address, "source": "PLATFORM_PRIVATE_IP"}
    assert facts["organization"] == {"value": "acme", "source": "org_name of the token"}
    assert facts["app"]["value"] == "web"
    assert facts["network_name"]["value"] == "blue"
    assert facts["network_name"]["source"].startswith("GET /v1/apps?org_slug=acme: apps[")
    assert set(facts) >= {"network_id", "machine", "machine_id", "image", "region"}


def test_whoami_takes_the_networks_name_from_a_book(platform: Platform, tmp_path: Path) -> None:
    variables = platform.inside("web")
    machine = json.dumps([{"id": "m", "private_ip": variables["PLATFORM_PRIVATE_IP"]}])
    (tmp_path / "web.json").write_text(machine)
    book = str(tmp_path / "book")
    machines = f"web={tmp_path / 'web.json'}"
    platform.invoke("networks", "--org", "acme", "--machines", machines, "--book", book)
    result = platform.invoke("whoami", "--json", **variables, FDAA_BOOK=book)
    assert json.loads(result.stdout)["network_name"] == {"value": "blue", "source": "the book"}


def test_whoami_says_what_is_missing_and_why(platform: Platform) -> None:
    variables = platform.inside("web")
    shown = platform.invoke("whoami", **variables).stdout
    assert "network name" in shown
    assert "--org" in shown
    outside = invoke("whoami", "--json", "--socket", "/nowhere")
    facts = json.loads(outside.stdout)
    assert outside.exit_code == 3
    assert all(fact["value"] is None and fact["missing"] for fact in facts.values())
    assert "PLATFORM_PRIVATE_IP is not set" in facts["address"]["missing"]
    assert "inside Machines only" in facts["app"]["missing"]
    half = invoke("whoami", "--socket", "/nowhere", PLATFORM_PRIVATE_IP="fdaa:2:45b::3")
    assert half.exit_code == 3
    assert "2:45b" in half.stdout
    for org, place in (("nobody", "org_slug=nobody"), ("\udcff", "org_slug=%FF")):
        wrong = platform.invoke("whoami", "--org", org, "--json", **variables)
        assert wrong.exit_code == 0
        assert place in json.loads(wrong.stdout)["network_name"]["missing"]


# --- without the extra, and when it crashes -------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("apps", "destroy", "web", "--yes"),
        ("verify", "--issuer", "https://i.example", "--aud", "a"),
    ],
)
def test_without_the_extra_one_line_says_which_to_install(tmp_path: Path, arguments) -> None:
    (tmp_path / "httpx2.py").write_text("raise ModuleNotFoundError(\"No module named 'httpx2'\")")
    result = run(*arguments, stdin=b"x", PYTHONPATH=str(tmp_path))
    assert (result.returncode, result.stdout) == (2, b"")
    (line,) = result.stderr.decode().splitlines()
    assert "pip install 'fdaa[platform]'" in line


def test_without_the_extra_the_rest_works(tmp_path: Path) -> None:
    (tmp_path / "httpx2.py").write_text("raise ModuleNotFoundError(\"No module named 'httpx2'\")")
    arguments = ("networks", "--apps", "docs/examples/apps.json", "--org", "acme", "--json")
    result = run(*arguments, PYTHONPATH=str(tmp_path))
    assert result.returncode == 2
    assert any(row.get("name") for row in records(result.stdout.decode()))
    alone = run("whoami", "--json", PYTHONPATH=str(tmp_path), PLATFORM_PRIVATE_IP="fdaa:2:45b::3")
    assert json.loads(alone.stdout)["network_id"]["value"] == "2:45b"


def test_the_core_loads_nothing_of_it() -> None:
    code = (
        "import sys, fdaa, fdaa.networks, fdaa.scan, fdaa.cli.main\n"
        "print({name.partition('.')[0] for name in sys.modules} & "
        "{'httpx2', 'httpcore2', 'jwt', 'cryptography', 'anyio'}, 'fdaa.platform' in sys.modules)"
    )
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"set() False\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no core files there")
def test_a_crash_leaves_no_core_file_with_the_token(tmp_path: Path) -> None:
    with HostileServer(lambda *_: server.stopped.wait(30)) as server:
        variables = {"FDAA_API_URL": server.url, "FDAA_API_TOKEN": CANARY}
        process = subprocess.Popen(
            [*COMMAND, "apps", "list", "--org", "acme"],
            env=environ(**variables),
            cwd=tmp_path,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2
            ),
        )
        while not server.received:
            time.sleep(0.02)
        process.send_signal(signal.SIGABRT)
        process.wait(30)
    assert process.returncode == -signal.SIGABRT
    assert names_in(tmp_path) == []


def test_no_secret_is_in_the_arguments_of_a_process() -> None:
    for path in (("apps", "list"), ("apps", "create"), ("apps", "destroy"), ("networks",)):
        shown = invoke(*path, "--help").stdout
        assert "--token " not in shown
        assert "--api-token" not in shown
