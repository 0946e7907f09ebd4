"""The small command: a test for each command, and for what all of them keep."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from example_documents import EXAMPLES, WEB

from fdaa.cli.main import fdaa

BILLING = "fdaa:0:18:a7b:7d:f066:3418:2"


def call(line: str, stdin: bytes | None = None, **env: str) -> tuple[int, str, str]:
    """Return the status, the output and the messages of a command in this process."""
    unset: dict[str, str | None] = {"PLATFORM_PRIVATE_IP": None, "FDAA_DOCUMENTS": None}
    result = CliRunner(env={**unset, **env}).invoke(
        fdaa, shlex.split(line), input=stdin, prog_name="fdaa"
    )
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def records(line: str, **env: str) -> list[Any]:
    return [json.loads(text) for text in call(f"{line} --json", **env)[1].splitlines()]


@pytest.fixture(autouse=True)
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a directory with documents the current one."""
    monkeypatch.chdir(tmp_path)
    Path("docs/machines").mkdir(parents=True)
    for name in ("apps.json", "status-billing.json", "instances.txt"):
        shutil.copy(EXAMPLES / name, "docs")
    for path in EXAMPLES.glob("addresses-*.json"):
        shutil.copy(path, "docs")
    shutil.copy(EXAMPLES / "machines-web.json", "docs/machines/web.json")


def test_main_has_help_versions_and_completion() -> None:
    status, shown, _ = call("--help")
    assert (status, "Addresses:" in shown, "Examples:\n    $ fdaa 'dial" in shown) == (
        0,
        True,
        True,
    )
    assert call("netwoks")[2].endswith("No such command 'netwoks'. Did you mean networks?\n")
    source = subprocess.run(
        [sys.executable, "-m", "fdaa"],
        env={**os.environ, "_FDAA_COMPLETE": "zsh_source"},
        capture_output=True,
        check=True,
    )
    assert b"#compdef fdaa" in source.stdout


@pytest.mark.parametrize("command", fdaa.list_commands(None))  # type: ignore[arg-type]
def test_each_command_has_help(command: str) -> None:
    status, shown, errors = call(f"{command} --help")
    assert (status, errors) == (0, "")
    assert shown.startswith(f"Usage: fdaa {command}")


def test_explain() -> None:
    status, shown, _ = call(f"'dial tcp [{WEB}]:5432: i/o timeout' -d docs")
    assert status == 0
    assert shown.startswith("Nothing came back in time.\n")
    assert "  Machine          148e21dad76789" in shown
    assert f"  in a Machine: fdaa probe '[{WEB}]:5432' -d docs\n" in shown
    assert call("'nothing here'")[0] == 2
    (record,) = records(f"explain {WEB} -d docs")
    assert record["next"][0] == ["fdaa", "reach", "self", WEB, "-d", "docs"]
    assert not call(f"explain {WEB} -d docs -q")[1]


def test_decode_without_documents_has_the_parts() -> None:
    assert call("decode [fdaa:2:45b::3]:5432")[1].startswith(
        "fdaa:2:45b::3\n  network ID       2:45b  0x2045b  132187\n"
    )
    assert call("decode fdaa::1 fdaa::1 fdaa:2:45b::3")[1].splitlines() == [
        "address        ID     count",
        "fdaa::1        0:0    2",
        "fdaa:2:45b::3  2:45b  1",
    ]
    status, shown, errors = call("decode --field input -", b"fdaa::1\nbad\nfdaa::2\n")
    assert (status, shown) == (2, "fdaa::1\nfdaa::2\n")
    assert errors.startswith("fdaa: line 2: 'bad'")


def test_decode_with_documents_has_who_has_an_address() -> None:
    rows = call("decode web worker -d docs")[1].splitlines()
    assert [row.split()[1:] for row in rows[1:]] == [
        ["customer-17", "2:45b", "web", "148e21dad76789"],
        ["customer-17", "2:45b", "web", "148e21dad7678a"],
        ["customer-17", "2:45b", "worker", "2866e0ef6d3768"],
    ]
    Path("docs/machines-worker.json").write_text(
        '[{"id": "2866e0ef6d3768", "private_ip": "fdaa:2:45b:a7b:7e:3155:9844:2"}]'
    )
    status, shown, _ = call("decode fdaa:2:45b::99", FDAA_DOCUMENTS="docs")
    assert (status, "stale: no Machine of web, worker has" in shown) == (1, True)
    (record,) = records(f"decode {WEB} -d docs")
    assert (record["app"], record["holding"]) == ("web", "machine")


def test_same() -> None:
    assert call("same fdaa:2:45b::3 FDAA:2:045b::4")[:2] == (
        0,
        "2:45b  fdaa:2:45b::3\n2:45b  fdaa:2:45b::4\nsame network\n",
    )
    status, shown, _ = call(f"same {WEB} {BILLING} -d docs")
    assert status == 1
    assert shown.startswith("2:45b  customer-17  fdaa:2:45b:")
    assert call("same fdaa::1")[0] == 2
    assert call("same fdaa::1 x")[0] == 2


def test_build() -> None:
    assert call("build 2:45b a7b:174:db43:d3c6:2")[:2] == (0, f"{WEB}\n")
    assert call("build 2:45b x")[0] == 2


def test_reach() -> None:
    status, shown, _ = call("reach web reports -d docs")
    assert status == 1
    assert shown.startswith("no: web cannot reach reports privately")
    assert call("reach web worker -d docs")[0] == 0
    assert call("reach web nosuch -d docs")[0] == 3
    Path("bad.json").write_text("{")
    status, _, errors = call("reach web worker -d docs -d bad.json -q")
    assert (status, errors.count("\n")) == (2, 1)
    (record,) = records("reach web reports -d docs")
    assert record["outcome"] == "different-networks"


def test_networks() -> None:
    status, shown, errors = call("networks -d docs")
    assert (status, errors) == (0, "")
    assert "customer-17   2:45b   fdaa:2:45b::/48   3         web, worker\n" in shown
    assert len(call("networks -d docs --addresses")[1].splitlines()) == 8 + 2
    assert call("networks -d docs --mermaid --only customer-17")[1].startswith("flowchart LR\n")
    assert call("networks -d docs --only custmer-17")[0] == 1
    assert call("networks")[0] == 2


def test_saved_networks_are_a_document_and_contradictions_are_not_saved() -> None:
    status, _, errors = call("networks -d docs --save saved.json")
    assert (status, errors) == (0, "fdaa: saved.json: 3 networks added\n")
    before = Path("saved.json").read_text()
    assert json.loads(before)["networks"]["default"]["learned_on"]
    Path("log").write_bytes(b"fdaa:2:45b::1\n")
    counts = call("scan -c -d saved.json log")[1]
    assert counts.endswith("customer-17  2:45b  1        1          log:1\n")
    Path("apps.json").write_text('{"apps": [{"name": "x", "network": "customer-17"}]}')
    Path("machines-x.json").write_text('[{"id": "9", "private_ip": "fdaa:9:9::3"}]')
    lists = "-d apps.json -d machines-x.json"
    status, _, errors = call(f"networks {lists} --save saved.json")
    assert status == 1
    assert "contradiction: network customer-17 has two IDs" in errors
    assert "nothing was saved" in errors
    assert Path("saved.json").read_text() == before
    status, _, errors = call(f"networks {lists} --save apps.json")
    assert (status, "has no saved networks" in errors) == (2, True)


def test_the_name_of_a_file_says_what_an_empty_list_is() -> None:
    Path("machines-old.json").write_text("[]")
    rows = records("networks -d machines-old.json -d apps.json -d docs/apps.json")
    assert rows[-1]["kind"] == "unused"  # apps.json is not there
    Path("apps.json").write_text('{"apps": [{"name": "old", "network": "green"}]}')
    (row,) = records("networks -d machines-old.json -d apps.json")
    assert row["machine_count"] == 0
    status, _, errors = call("networks -d -", Path("docs/machines/web.json").read_bytes())
    assert "use -d APP=PATH" in errors
    assert call("decode -d - -", b"[]")[0] == 2  # both read standard input


def test_check() -> None:
    status, shown, _ = call("check allocations -d docs")
    assert status == 1
    assert "fdaa:0:18:0:1::24   billing  default      0:18\n  warning: " in shown
    assert call("check name a-b 1x")[:2] == (
        1,
        "'a-b': valid\n'1x': invalid: it must start with a letter (a to z, A to Z), not with '1'\n"
        "  1x\n  ^\n",
    )


def test_scan(tmp_path: Path) -> None:
    log = Path("a.log")
    log.write_bytes(b"peer fdaa:2:45b::9 refused\nfdaa:0:18::2 \x1b[31m\nnone\n")
    assert call("scan a.log")[:2] == (0, "fdaa:2:45b::9\t2:45b\nfdaa:0:18::2\t0:18\n")
    assert call("scan -n --lines a.log")[1].startswith("1:peer fdaa")
    assert call("scan -q a.log")[:2] == (0, "")
    assert call("scan -l -r .")[1].splitlines()[0] == "./a.log"
    assert call("scan --network customer-17 -v -d docs a.log")[1] == "fdaa:0:18::2\t0:18\tdefault\n"
    assert call("scan --annotate a.log")[1].startswith("peer fdaa:2:45b::9 [2:45b] refused\n")
    assert call("scan --field address --field line a.log")[1].endswith("fdaa:0:18::2\t2\n")
    assert [each["matches"] for each in records("scan -c a.log")] == [1, 1]
    assert call("scan nosuch a.log")[0] == 2
    Path("b.log").write_bytes(b"none\n")
    assert call("scan b.log")[0] == 1
    hidden = call("scan --pseudonymize a.log", FDAA_SECRET="s")[1]
    assert "fdaa:2:45b::9" not in hidden
    assert hidden == call("scan --pseudonymize a.log", FDAA_SECRET="s")[1]
    assert call("scan -c --lines a.log")[0] == 2


def test_probe() -> None:
    status, shown, errors = call("probe [::1]:1")
    assert status == 1, errors
    assert "[::1]:1: refused\n" in shown
    assert [each["kind"] for each in records("probe [::1]:1")][-1] == "conclusion"


def test_what_is_printed_is_escaped() -> None:
    Path("x.json").write_text('{"apps": [{"name": "a\\u001b[31m", "network": "blue"}]}')
    for line in ("networks -d x.json", "decode 'a\x1b[31m' -d x.json", "explain '\x1b[31m'"):
        _, shown, errors = call(line)
        assert "\x1b" not in shown + errors
    os.rename("docs", "d\x1b")  # noqa: PTH104
    assert "\x1b" not in call(f"explain {WEB} -d 'd\x1b'")[1]


def test_a_closed_pipe_a_full_disk_and_ctrl_c_have_no_traceback() -> None:
    run = [sys.executable, "-m", "fdaa"]
    piped = subprocess.run(
        ["/bin/bash", "-c", f"yes fdaa::1 | {shlex.join(run)} decode --json - | head -n 1"],
        capture_output=True,
        check=True,
    )
    assert (piped.stdout.count(b"\n"), piped.stderr) == (1, b"")
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = subprocess.run([*run, "scan", "-c"], input=b"fdaa::1\n", stdout=full, stderr=-1)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    with subprocess.Popen([*run, "decode", "-"], stdin=-1, stdout=-1, stderr=-1) as process:
        assert process.stdin is not None
        process.stdin.write(b"fdaa::1\n")
        process.stdin.flush()
        import time

        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert (process.returncode, errors) == (130, b"\n")
