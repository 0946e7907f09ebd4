"""`fdaa apps`, `token`, `verify`, `whoami`: options, statuses, output, files with a token."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from client_calls import LIST, TOKEN, api_at
from command import environ, invoke, read_all, records, shell, start
from hostile_server import HostileServer, answers, silent
from pages import only_block
from token_issuer import AUDIENCE, Issuer

from fdaa import NetworkID

if TYPE_CHECKING:
    from click.testing import Result
    from client_calls import Script

    from fdaa.platform.sandbox import Sandbox


class Platform:
    """A sandbox, with the variables by which the command finds it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.variables = {"FDAA_API_URL": sandbox.base_url, "FDAA_API_TOKEN": sandbox.token}

    def invoke(self, *arguments: str, **variables: str) -> Result:
        return invoke(*arguments, env=self.variables | variables)

    def inside(self, app: str) -> dict[str, str]:
        """Return the variables of a new Machine of an app."""
        return self.variables | self.sandbox.start_machine(app).environment


@pytest.fixture(scope="module")
def platform(sandbox: Sandbox) -> Platform:
    """A platform with the app web, on the network blue."""
    sandbox.create_app("web", org="acme", network="blue")
    return Platform(sandbox)


# --- apps -----------------------------------------------------------------------------------------


def test_an_app_is_created_listed_and_destroyed(platform: Platform) -> None:
    made = platform.invoke("apps", "create", "shop", "--org", "other", "--network", "customer-17")
    assert made.exit_code == 0
    (document,) = records(platform.invoke("apps", "list", "--json", FDAA_ORG="other").stdout)
    (row,) = document["apps"]
    assert (document["total_apps"], row["name"], row["network"]) == (1, "shop", "customer-17")
    gone = platform.invoke("apps", "destroy", "shop", "--yes", "--json")
    assert records(gone.stdout) == [{"name": "shop", "accepted": True}]
    (document,) = records(platform.invoke("apps", "list", "--org", "other", "--json").stdout)
    assert document == {"total_apps": 0, "apps": []}


@pytest.mark.parametrize(
    ("arguments", "variables", "reason"),
    [
        (("list",), {}, "--org"),
        (("list", "--org", "acme"), {"FDAA_API_URL": ""}, "--api-url"),
        (("list", "--org", "acme"), {"FDAA_API_TOKEN": ""}, "FDAA_API_TOKEN"),
        (("list", "--org", "acme", "--token-file", TOKEN), {}, "No such file"),
        (("list", "--org", "acme", "--token-file", "/dev/zero"), {}, "too long"),
        (("list", "--org", "acme", "--api-url", "http://x.invalid"), {}, "FDAA_ALLOW_PLAIN_HTTP=1"),
        (("create", "web", "--org", "acme"), {}, "status 422"),
        (("destroy", "web"), {}, "--yes"),
        (("destroy", "web"), {"FDAA_API_URL": ""}, "--api-url"),  # before it asks
    ],
)
def test_what_cannot_be_done_has_status_2(
    platform: Platform, arguments: tuple[str, ...], variables: dict[str, str], reason: str
) -> None:
    result = platform.invoke("apps", *arguments, **variables)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr
    assert TOKEN not in result.stderr


@pytest.mark.slow
def test_a_terminal_is_asked_before_an_app_is_destroyed(platform: Platform) -> None:
    ours, theirs = pty.openpty()
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
    process = start("apps", "destroy", "web", env=environ(platform.variables), **streams)
    os.close(theirs)
    os.write(ours, b"n\n")  # the terminal keeps it until it is read
    shown = read_all(ours)
    assert process.wait(30) == 2
    assert b"nothing was destroyed" in shown


@pytest.mark.parametrize(
    ("script", "status", "output", "reason"),
    [
        (answers(204), 0, "accepted: web will be destroyed\n", "status 204 in place of 202; acc"),
        (lambda connection, _: connection.close(), 3, "", "the change may still have been made"),
    ],
)
def test_answers_to_a_deletion(script: Script, status: int, output: str, reason: str) -> None:
    with HostileServer(script) as server:
        result = invoke("apps", "destroy", "web", "--yes", env=api_at(server))
    assert (result.exit_code, result.stdout) == (status, output)
    assert reason in result.stderr


@pytest.mark.slow
def test_ctrl_c_after_a_change_was_sent_says_that_it_may_have_been_made() -> None:
    with HostileServer(silent) as server:
        process = start("apps", "create", "web", "--org", "acme", env=environ(api_at(server)))
        assert server.arrived.wait(30)
        process.send_signal(signal.SIGINT)
        _, shown = process.communicate(timeout=30)
    assert process.returncode == 3
    assert shown.endswith(b"fdaa: POST /v1/apps: the change may still have been made\n")


def test_an_incomplete_list_is_printed_and_is_an_error() -> None:
    body = json.dumps({**LIST, "total_apps": 50}).encode()
    with HostileServer(answers(200, body)) as server:
        variables = {**api_at(server), "FDAA_ORG": "acme"}
        shown = invoke("apps", "list", "--json", env=variables)
        joined = invoke("networks", "--org", "acme", "--json", env=variables)
    (document,) = records(shown.stdout)
    assert [row["name"] for row in document["apps"]] == ["web", "api"]
    assert "blue" in [row.get("network_name") for row in records(joined.stdout)]
    for result in (shown, joined):
        assert result.exit_code == 2
        assert "50" in result.stderr


# --- token ----------------------------------------------------------------------------------------


def test_a_token_shows_its_claims(platform: Platform) -> None:
    variables = platform.inside("web")
    shown = platform.invoke("token", "--claims", **variables).stdout
    assert re.search(r"^app_name +web$", shown, re.MULTILINE)
    one = platform.invoke("token", "--claims", "--field", "iss", **variables)
    assert one.stdout.strip() == platform.sandbox.ensure_issuer("acme")
    bare = platform.invoke("token", "--json", **variables).stdout
    assert json.loads(bare)["token"].count(".") == 2


def test_a_token_in_a_file_is_for_its_owner_alone(platform: Platform, tmp_path: Path) -> None:
    variables = platform.inside("web")
    file = tmp_path / "token"
    file.write_text("old")
    file.chmod(0o644)
    before = file.stat().st_ino
    done = platform.invoke("token", "--output", str(file), **variables)
    assert (done.exit_code, done.stdout) == (0, "")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.stat().st_ino != before  # replaced in one step
    assert re.fullmatch(rb"[\w-]+\.[\w-]+\.[\w-]+", file.read_bytes())  # SDKs send it as it is
    assert [path.name for path in tmp_path.iterdir()] == ["token"]
    shown = platform.invoke("token", "--output", "-", **variables)
    assert shown.stdout.count(".") == 2


@pytest.mark.parametrize("obstacle", ["no/where", "link", "pipe"])
def test_a_token_is_written_whole_or_not_at_all(
    platform: Platform, tmp_path: Path, obstacle: str
) -> None:
    (tmp_path / "link").symlink_to("elsewhere")
    os.mkfifo(tmp_path / "pipe")
    before = sorted(tmp_path.iterdir())
    arguments = ("token", "--output", str(tmp_path / obstacle))
    result = platform.invoke(*arguments, **platform.inside("web"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "cannot be written" in result.stderr
    assert sorted(tmp_path.iterdir()) == before


PAGE = Path(__file__).parents[2] / "docs" / "tokens.md"


@pytest.mark.slow
def test_the_loop_of_the_page_keeps_a_file_fresh(platform: Platform, tmp_path: Path) -> None:
    """It ends when `sleep`, which does not sleep here, fails for the second time."""
    loop = only_block(PAGE, r"```sh\n(while .*?)```")
    sleep = 'sleep() { echo "$1" >> waits; [ "$(wc -l < waits)" -lt 2 ]; }'
    shell(f"cd {tmp_path}; {sleep}; wait=0\n{loop}", env=platform.inside("web"))
    assert (tmp_path / "waits").read_text().split() == ["0", "300"]
    assert (tmp_path / "token").read_text().count(".") == 2


def test_outside_a_machine_there_is_no_token() -> None:
    result = invoke("token", "--socket", "/nowhere")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "only inside Machines" in result.stderr


# --- verify ---------------------------------------------------------------------------------------


def test_verify_exits_with_its_status(platform: Platform, tmp_path: Path) -> None:
    text = platform.invoke("token", "--aud", AUDIENCE, **platform.inside("web")).stdout
    file = tmp_path / "token"
    file.write_text(text)
    # As the API may, an issuer on this computer may have plain http.
    right = ("verify", "--issuer", platform.sandbox.ensure_issuer("acme"), "--aud", AUDIENCE)
    valid = invoke(*right, str(file), "--json")
    assert json.loads(valid.stdout)["claims"]["org_name"] == "acme"
    people = invoke(*right, stdin=text.encode())
    assert people.stdout.startswith("valid: acme:web:machine-")
    wrong = invoke(*right, "--sub", "acme:api:*", str(file), "--json")
    (failure,) = json.loads(wrong.stdout)["failures"]
    assert failure["claim"] == "sub"
    with Issuer() as ended:
        pass
    gone = ("verify", "--issuer", ended.url, "--aud", AUDIENCE, "--json")
    unknown = invoke(*gone, stdin=ended.token().encode())
    assert json.loads(unknown.stdout)["valid"] is None
    assert "cannot be verified" in unknown.stderr
    quiet = invoke(*right, "-q", str(file))
    assert "'nofile': No such file" in invoke(*right, "nofile").stderr
    assert text not in invoke(*right, text).output  # the token in place of its file
    for required in (("--bound", "region=nowhere"), ("--max-lifetime", "1")):
        assert invoke(*right, *required, str(file)).exit_code == 1
    results = (valid, people, wrong, unknown, quiet)
    assert [result.exit_code for result in results] == [0, 0, 1, 3, 0]
    assert quiet.stdout == ""


# --- whoami ---------------------------------------------------------------------------------------


def test_whoami_shows_everything_with_its_source(platform: Platform) -> None:
    variables = platform.inside("web")
    result = platform.invoke("whoami", "--org", "acme", "--json", **variables)
    facts = json.loads(result.stdout)
    assert result.exit_code == 0
    sources = facts.pop("origins")
    assert facts.pop("missing") == {}
    assert facts.pop("network_id_int") == int(NetworkID(facts["network_id"]))
    assert set(facts) == set(sources)
    assert facts["address"] == variables["PLATFORM_PRIVATE_IP"]
    assert (facts["organization"], sources["organization"]) == ("acme", "org_name of the token")
    assert (facts["app"], facts["network_name"]) == ("web", "blue")


def test_whoami_says_what_is_missing_and_why() -> None:
    outside = invoke("whoami", "--json", "--socket", "/nowhere")
    facts = json.loads(outside.stdout)
    assert outside.exit_code == 3
    missing = facts.pop("missing")
    assert (facts.pop("origins"), facts.pop("network_id_int")) == ({}, None)
    assert set(facts) == set(missing)
    assert set(facts.values()) == {None}
    assert "PLATFORM_PRIVATE_IP is not set" in missing["address"]
    assert "only inside Machines" in missing["app"]
    one = invoke("whoami", "--field", "app", "--socket", "/nowhere")
    assert (one.stdout, one.stderr) == ("\n", f"fdaa: app: {missing['app']}\n")
    table = invoke("whoami", "--socket", "/nowhere").stdout
    assert len(re.findall(r"^.*  \?", table, re.MULTILINE)) == len(facts)
    assert table.count("/nowhere") == 1  # a reason is shown once


# --- the extra ------------------------------------------------------------------------------------


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
        (("apps", "destroy", "db"), "platform"),
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
    alone = invoke("whoami", "--json", PLATFORM_PRIVATE_IP="fdaa:2:45b::3")
    assert json.loads(alone.stdout)["network_id"] == "2:45b"
