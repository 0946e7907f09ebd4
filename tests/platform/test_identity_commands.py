"""`fdaa token`, `verify` and `whoami`, on Machines of the sandbox and outside of them."""

from __future__ import annotations

import json
import re
import resource
import signal
import socket
import stat
import subprocess
import time
from typing import TYPE_CHECKING, Any

import pytest
from command import COMMAND, environ, invoke, on_terminal, run
from hostile_server import HostileServer, answers
from secrets_seen import asked_for
from token_endpoint import Endpoint, refreshing
from token_issuer import AUDIENCE, Issuer

from fdaa import NetworkID

if TYPE_CHECKING:
    from pathlib import Path

    from platform_command import Platform


def names_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


# --- token, verify --------------------------------------------------------------------------------


@pytest.fixture
def text(platform: Platform) -> str:
    """A token of the app web."""
    shown = platform.invoke("token", "--aud", AUDIENCE, **platform.inside("web")).stdout
    return asked_for(shown)


@pytest.fixture
def right(platform: Platform) -> tuple[str, ...]:
    """The options with which `verify` accepts it."""
    return (
        "--issuer",
        platform.sandbox.ensure_issuer("acme"),
        "--aud",
        AUDIENCE,
        "--allow-plain-http",
    )


def test_verify_exits_with_its_status(text: str, right: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(text)
    valid = invoke("verify", *right, str(file), "--json")
    assert json.loads(valid.stdout)["claims"]["org_name"] == "acme"
    wrong = invoke("verify", *right, "--sub", "acme:api:*", str(file), "--json")
    (failure,) = json.loads(wrong.stdout)["failures"]
    assert failure["claim"] == "sub"
    shown = invoke("verify", *right, "--sub", "acme:api:*", stdin=text.encode())
    assert "sub: must match 'acme:api:*', got 'acme:web:" in shown.stdout
    _, _, *audience = right
    elsewhere = ("--issuer", "http://127.0.0.1:1", *audience)
    other = invoke("verify", *elsewhere, str(file), "--json")
    claims = [failure["claim"] for failure in json.loads(other.stdout)["failures"]]
    assert claims == ["signature", "iss"]
    with Issuer() as ended:
        pass
    gone = invoke(
        "verify",
        "--issuer",
        ended.url,
        *("--aud", AUDIENCE, "--allow-plain-http", "--json"),
        stdin=ended.token().encode(),
    )
    assert json.loads(gone.stdout)["valid"] is None
    assert "cannot be verified" in gone.stderr
    assert "not renewed" not in gone.stderr
    quiet = invoke("verify", *right[:-1], "-q", str(file), FDAA_ALLOW_PLAIN_HTTP="1")
    assert "plain http" in invoke("verify", *right[:-1], str(file)).stderr
    results = (valid, wrong, shown, other, gone, quiet)
    assert [result.exit_code for result in results] == [0, 1, 1, 1, 3, 0]
    assert quiet.stdout == ""


def test_verify_has_one_rule_about_plain_http_for_every_host() -> None:
    for host in ("x.example", "127.0.0.1:1"):
        result = invoke("verify", "--issuer", f"http://{host}/acme", "--aud", "a", stdin=b"x.y.z")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("fdaa: --issuer: plain http")
        assert "--allow-plain-http" in result.stderr


def test_verify_takes_another_longest_lifetime(issuer: Issuer) -> None:
    def status(*options: str) -> int:
        usual = ("--issuer", issuer.url, "--aud", AUDIENCE, "--allow-plain-http")
        return invoke("verify", *usual, *options, stdin=token.encode()).exit_code

    now = int(time.time())
    token = issuer.token(iat=now, exp=now + 90_000)
    assert status() == 1
    assert status("--max-lifetime", "90000") == 0
    assert status("--max-lifetime", "89999") == 1
    assert status("--max-lifetime", "0") == status("--max-lifetime", "long") == 2


def test_verify_binds_claims_to_values(text: str, right: tuple[str, ...]) -> None:
    def status(*bound: str) -> int:
        options = [f"--bound={claim}" for claim in bound]
        return invoke("verify", *right, *options, stdin=text.encode()).exit_code

    assert status("app_name=web", "region=sandbox") == 0
    assert status("region=ams", "region=sandbox") == 0
    assert status("region=ams") == 1
    assert status("colour=red") == status("region") == 2


@pytest.mark.parametrize(
    ("arguments", "stdin", "status"),
    [
        ((), b"", 1),
        ((), b"\xff", 2),
        ((), b"x" * 70_000, 2),
        (("/nowhere",), None, 2),
        (("--sub", "acme"), b"x.y.z", 2),
        (("--issuer", "http://issuer.example"), b"x.y.z", 2),
        (("--issuer", ""), b"x.y.z", 2),
    ],
)
def test_verify_with_input_that_is_none(
    arguments: tuple[str, ...], stdin: bytes | None, status: int
) -> None:
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
    bare = asked_for(platform.invoke("token", "--json", **variables).stdout)
    assert json.loads(bare)["token"].count(".") == 2


def test_the_names_of_claims_are_printed_without_control_characters(
    issuer: Issuer, tmp_path: Path
) -> None:
    evil: dict[str, Any] = {"\x1b[2Jevil\nrefused:": "\x1b[2J"}
    token = issuer.token(**evil)
    right = ("--issuer", issuer.url, "--aud", AUDIENCE, "--allow-plain-http")
    with HostileServer(answers(200, token.encode()), path=str(tmp_path / "api")) as server:
        claims = invoke("token", "--claims", "--socket", server.url)
    verified = invoke("verify", *right, stdin=token.encode())
    for shown in (claims, verified):
        assert shown.exit_code == 0
        assert "\\x1b[2Jevil\\nrefused:" in shown.stdout
        assert shown.stdout.replace("\n", "").isprintable()
        assert "\nrefused" not in shown.stdout


def test_a_token_in_a_file_is_for_its_owner_alone(platform: Platform, tmp_path: Path) -> None:
    variables = platform.inside("web")
    file = tmp_path / "token"
    file.write_text("old")
    file.chmod(0o644)
    done = platform.invoke("token", "--output", str(file), **variables)
    assert (done.exit_code, done.stdout) == (0, "")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert re.fullmatch(rb"[\w-]+\.[\w-]+\.[\w-]+", file.read_bytes())  # SDKs send it as it is
    assert names_in(tmp_path) == ["token"]
    shown = platform.invoke("token", "--output", "-", **variables)
    assert asked_for(shown.stdout).count(".") == 2


@pytest.mark.parametrize("target", [".", "no/where", "/dev/full", "a\0b"])
def test_a_token_is_written_whole_or_not_at_all(
    platform: Platform, tmp_path: Path, target: str
) -> None:
    variables = platform.inside("web")
    result = platform.invoke("token", "--output", str(tmp_path / target), **variables)
    assert (result.exit_code, result.stdout) == (2, "")
    assert names_in(tmp_path) == []


def no_file_over_100_bytes() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def test_a_full_disk_leaves_the_old_token(platform: Platform, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("old")
    process = subprocess.run(
        [*COMMAND, "token", "--output", str(file)],
        # What Python compiles would be cut off as well, and be loaded by later tests.
        env=environ(platform.inside("web"), PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        preexec_fn=no_file_over_100_bytes,
        check=False,
    )
    assert process.returncode == 2, process.stderr
    assert file.read_text() == "old"
    assert names_in(tmp_path) == ["token"]


def test_a_token_ends_in_a_line_feed_on_a_terminal_alone(platform: Platform) -> None:
    variables = platform.inside("web")
    shown, status = on_terminal("token", env=variables)
    assert (asked_for(shown)[-2:], status) == (b"\r\n", 0)
    piped = run("token", env=variables)
    assert asked_for(piped.stdout).strip() == piped.stdout != b""


def test_a_socket_that_is_no_socket_leaves_nothing_open(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    arguments = ("token", "--socket", str(tmp_path / "file"))
    result = run(*arguments, PYTHONWARNINGS="error", PYTHONDEVMODE="1")
    assert result.returncode == 2
    (line,) = result.stderr.decode().splitlines()
    assert "this is not a socket" in line


def test_a_socket_that_no_one_listens_on_leaves_nothing_open(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "api"))
        arguments = ("token", "--socket", str(tmp_path / "api"))
        result = run(*arguments, PYTHONWARNINGS="error", PYTHONDEVMODE="1")
    assert result.returncode == 2
    *retries, last = result.stderr.decode().splitlines()
    assert all("retrying" in line or "waiting" in line for line in retries)
    assert "Connection refused" in last


def test_outside_a_machine_there_is_no_token() -> None:
    result = invoke("token", "--socket", "/nowhere")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "only inside Machines" in result.stderr


# --- token --refresh: test_token_refresh.py has more ----------------------------------------------


def test_a_command_runs_while_its_token_is_renewed_and_its_status_is_the_status(
    tmp_path: Path,
) -> None:
    command = ("--", "sh", "-c", "cat token; read line; exit 7")
    with Endpoint(tmp_path) as endpoint, refreshing(tmp_path, *command) as process:
        endpoint.next_token()
        endpoint.next_token()
        process.stdin.close()
        assert process.wait(timeout=60) == 7
        assert asked_for(process.stdout.read()).decode() in endpoint.issued
    assert (tmp_path / "token").read_text() in endpoint.issued


def test_without_a_first_token_nothing_is_started(tmp_path: Path) -> None:
    with refreshing(tmp_path, "--", "touch", "started") as process:
        assert process.wait(timeout=30) == 2
        assert b"there is no identity socket" in process.stderr.read()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("--refresh",),
        ("--refresh", "--output", "-"),
        ("--refresh", "--output", "f", "--json"),
        ("--refresh", "--output", "f", "--claims"),
        ("--output", "f", "--", "true"),
    ],
)
def test_options_of_a_refresh_that_do_not_go_together_are_a_usage_error(
    arguments: tuple[str, ...],
) -> None:
    done = invoke("token", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--refresh" in done.stderr


# --- whoami ---------------------------------------------------------------------------------------


def test_whoami_shows_everything_with_its_source(platform: Platform) -> None:
    variables = platform.inside("web")
    result = platform.invoke("whoami", "--org", "acme", "--json", **variables)
    facts = json.loads(result.stdout)
    assert result.exit_code == 0
    address = variables["PLATFORM_PRIVATE_IP"]
    sources = facts.pop("origins")
    assert facts.pop("missing") == {}
    assert facts.pop("network_id_int") == int(NetworkID(facts["network_id"]))
    assert None not in facts.values()
    assert set(facts) == set(sources)
    assert facts["address"] == address
    assert sources["address"] == "PLATFORM_PRIVATE_IP; no interface has this address"
    assert (facts["organization"], sources["organization"]) == ("acme", "org_name of the token")
    assert (facts["app"], facts["network_name"]) == ("web", "blue")
    assert sources["network_name"].startswith("GET /v1/apps?org_slug=acme: apps[")
    one = platform.invoke("whoami", "--field", "app", **variables)
    assert (one.stdout, one.stderr) == ("web\n", "")


def test_whoami_takes_the_networks_name_from_a_book(platform: Platform, tmp_path: Path) -> None:
    variables = platform.inside("web")
    machine = json.dumps([{"id": "m", "private_ip": variables["PLATFORM_PRIVATE_IP"]}])
    (tmp_path / "web.json").write_text(machine)
    book = str(tmp_path / "book")
    machines = f"web={tmp_path / 'web.json'}"
    platform.invoke("book", "learn", "--org", "acme", "-d", machines, "-d", book)
    result = platform.invoke("whoami", "--json", **variables, FDAA_DOCUMENTS=book)
    facts = json.loads(result.stdout)
    assert (facts["network_name"], facts["origins"]["network_name"]) == ("blue", "the book")


def test_claims_of_an_unexpected_form_are_reported(issuer: Issuer, tmp_path: Path) -> None:
    """They are not printed as if they were right, and not taken for missing."""
    token = issuer.token(machine_id=7, jti="x", region="sea").encode()
    with HostileServer(answers(200, token), path=str(tmp_path / "api")) as server:
        claims = invoke("token", "--claims", "--socket", server.url).stdout
        whoami = invoke("whoami", "--json", "--socket", server.url).stdout
    lines = re.sub(" +", " ", claims).splitlines()
    assert {"machine_id 7 (unexpected form)", "jti x (unexpected form)", "region sea"} <= set(lines)
    missing = json.loads(whoami)["missing"]
    assert missing["machine_id"] == "machine_id of the token has an unexpected form"


def test_whoami_says_what_is_missing_and_why(platform: Platform) -> None:
    variables = platform.inside("web")
    shown = platform.invoke("whoami", **variables).stdout
    assert "network name" in shown
    assert "--org" in shown
    outside = invoke("whoami", "--json", "--socket", "/nowhere")
    facts = json.loads(outside.stdout)
    assert outside.exit_code == 3
    missing = facts.pop("missing")
    assert facts.pop("origins") == {}
    assert facts.pop("network_id_int") is None
    assert set(facts) == set(missing)
    assert set(facts.values()) == {None}
    assert "PLATFORM_PRIVATE_IP is not set" in missing["address"]
    assert "only inside Machines" in missing["app"]
    number = invoke("whoami", "--field", "network_id_int", "--socket", "/nowhere")
    assert number.stderr == f"fdaa: network_id_int: {missing['network_id']}\n"
    one = invoke("whoami", "--field", "app", "--socket", "/nowhere")
    assert one.stdout == "\n"
    assert one.stderr == f"fdaa: app: {missing['app']}\n"
    table = invoke("whoami", "--socket", "/nowhere").stdout
    assert len(re.findall(r"^.*  \?", table, re.MULTILINE)) == len(facts)
    assert table.count("PLATFORM_PRIVATE_IP is not set") == table.count("/nowhere") == 1
    half = invoke("whoami", "--socket", "/nowhere", PLATFORM_PRIVATE_IP="fdaa:2:45b::3")
    assert half.exit_code == 3
    assert "2:45b" in half.stdout
    for org, place in (("nobody", "org_slug=nobody"), ("\udcff", "org_slug=%FF")):
        wrong = platform.invoke("whoami", "--org", org, "--json", **variables)
        assert wrong.exit_code == 0
        assert place in json.loads(wrong.stdout)["missing"]["network_name"]
