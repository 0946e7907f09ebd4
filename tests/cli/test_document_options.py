"""The files, directories and streams that documents come from, and those that cannot be used."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from command import invoke, records, shell
from network_files import ALL, API, APPS, IPS, TABLE, WEB, save

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("documents")


# --- directories ----------------------------------------------------------------------------------


def test_a_directory_has_a_file_for_each_app(tmp_path: Path) -> None:
    (tmp_path / "machines").mkdir()
    save("machines/web.json", WEB)
    save("machines/api.json", API)  # a status document says the same
    (tmp_path / "addresses").mkdir()
    save("addresses/api.json", IPS)
    (tmp_path / "machines" / "README").write_text("not for fdaa")
    for machines in ("machines/", "machines"):
        options = ("--apps", "apps.json", "--machines", machines, "--addresses", "addresses/")
        assert invoke("networks", *options).stdout == TABLE
    drawn = invoke("networks", *options, "--format", "mermaid").stdout
    assert '-->|"fdaa:2:45b:0:1::2"|' in drawn


def test_a_bad_file_in_a_directory_never_hides_the_others(tmp_path: Path) -> None:
    (tmp_path / "machines").mkdir()
    save("machines/web.json", WEB)
    save("machines/old.json", API)  # of another app than its name says
    (tmp_path / "machines" / "zzz.json").write_text("{")
    os.mkfifo("machines/fifo.json")  # to open it would wait for a writer
    (tmp_path / "machines" / "link.json").symlink_to("nowhere")
    result = invoke("networks", "--apps", "apps.json", "--machines", "machines/", "--json")
    rows = records(result.stdout)
    assert rows[0]["network_id"] == "2:45b"
    problems = [row["file"] for row in rows if row["kind"] == "unused"]
    assert problems == [
        "machines/fifo.json",
        "machines/link.json",
        "machines/old.json",
        "machines/zzz.json",
    ]
    assert result.exit_code == 2


def test_a_directory_without_such_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "machines").mkdir()
    result = invoke("networks", "--apps", "apps.json", "--machines", "machines/")
    assert "fdaa: machines/: it has no files named APP.json\n" in result.stderr
    assert result.exit_code == 2


def test_a_name_that_cannot_be_looked_at_is_reported_and_the_others_are_used() -> None:
    result = invoke("networks", "--apps", "apps.json", "--machines", "x" * 300)
    assert result.stdout.startswith("network ")
    assert "File name too long" in result.stderr
    assert result.exit_code == 2


# --- what cannot be used --------------------------------------------------------------------------


def test_a_bad_row_is_left_out_with_its_place_and_the_others_are_used() -> None:
    rows = [*APPS["apps"], {"name": "x", "network": 5}, 7]
    save("apps.json", {"total_apps": 9, "apps": rows})
    result = invoke("networks", *ALL)
    assert result.stdout == TABLE
    assert result.stderr.splitlines() == [
        "fdaa: apps.json: apps[3].network: it must be the network's name, not a number",
        "fdaa: apps.json: apps[4]: it must be an object, not a number",
        "fdaa: apps.json: total_apps: the list has 5 of 9 apps",
        "fdaa: 2 rows were skipped",
    ]
    assert result.exit_code == 2
    problems = records(invoke("networks", *ALL, "--json").stdout)[3:]
    assert problems[0] == {
        "kind": "unused",
        "what": "value",
        "file": "apps.json",
        "place": "apps[3].network",
        "reason": "it must be the network's name, not a number",
    }
    places = [problem["place"] for problem in problems]
    assert places == ["apps[3].network", "apps[4]", "total_apps"]


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("web.json", "this is a Machine list, not an app list; read as --machines APP=FILE"),
        ("ips.json", "this is an address list, not an app list; read as --addresses APP=FILE"),
    ],
)
def test_a_document_in_the_option_of_another_kind_is_used_with_a_note(
    file: str, reason: str
) -> None:
    result = invoke("networks", "--apps", file, *ALL)
    assert (result.stdout, result.exit_code) == (TABLE, 0)
    assert f"fdaa: {file}: {reason}\n" in result.stderr
    assert invoke("networks", "--apps", file, *ALL, "-q").stderr == ""


def test_an_app_list_given_as_a_machine_list_is_used_once_its_app_is_dropped() -> None:
    named = invoke("networks", "--machines", "web=apps.json")
    assert (named.exit_code, "drop 'web'" in named.stderr) == (2, True)
    alone = invoke("networks", "--machines", "apps.json")
    assert (alone.exit_code, alone.stdout) == (0, invoke("networks", "--apps", "apps.json").stdout)


def test_where_no_document_could_be_read_nothing_was_looked_up() -> None:
    shown = invoke("whois", "nosuch", "--apps", "none.json")
    assert "it was not looked up: no document could be read" in shown.stderr
    assert "in none of these documents" in invoke("whois", "nosuch", *ALL).stderr


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("deep.json", "nested too deep"),
        ("none.json", "No such file or directory"),
        (".", "Is a directory"),
        ("a\0b", "embedded null byte"),
    ],
)
def test_a_file_that_cannot_be_used_never_hides_the_next(
    tmp_path: Path, file: str, reason: str
) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000)
    result = invoke("networks", "--apps", file, *ALL)
    assert (result.stdout, result.exit_code) == (TABLE, 2)
    (line,) = result.stderr.splitlines()
    assert reason in line
    problem = records(invoke("networks", "--apps", file, *ALL, "--json").stdout)[-1]
    assert (problem["kind"], problem["file"], problem["place"]) == ("unused", file, "")


@pytest.mark.slow
def test_a_document_that_memory_cannot_hold_is_one_line() -> None:
    with open("deep.json", "w", encoding="utf-8") as stream:  # noqa: PTH123 - where we are
        stream.write("[" + "[]," * 3_000_000 + "[]]")
    result = shell("ulimit -v 200000; fdaa networks --apps deep.json --apps apps.json")
    assert b"fdaa: deep.json: not enough memory to read it\n" in result.stderr
    assert b"Traceback" not in result.stderr
    assert b"blue" in result.stdout
    assert result.returncode == 2


# --- standard input, and paths --------------------------------------------------------------------


def test_one_document_may_come_from_standard_input() -> None:
    options = ("--apps", "-", "--machines", "web=web.json", "--machines", "api.json")
    result = invoke("networks", *options, stdin=json.dumps(APPS).encode())
    assert result.stdout == TABLE
    why = invoke("networks", *options, "--why", stdin=json.dumps(APPS).encode()).stdout
    assert "known from: 'standard input': apps[0].network; web.json: [0].private_ip" in why
    twice = invoke("networks", "--apps", "-", "--machines", "web=-")
    assert (twice.exit_code, twice.stdout) == (2, "")
    assert "can be read only once" in twice.stderr


@pytest.mark.parametrize(
    ("options", "typed"),
    [
        ("--apps - < apps.json", "--apps FILE"),
        ("--apps <(cat apps.json)", "--apps FILE"),
        ("--apps /dev/stdin < apps.json", "--apps FILE"),
        ("--apps none.json --machines web=none.json", "--apps FILE --machines web=FILE"),
        ("--machines web=- --apps apps.json < web.json", "--apps apps.json --machines web=FILE"),
        ("--apps apps.json --book <(cat book.json)", "--apps apps.json --book FILE"),
        ("--apps a=b.json --machines . --org x", "--apps a=b.json --machines . --org x"),
    ],
)
def test_a_suggested_command_has_file_for_what_cannot_be_read_again(
    options: str, typed: str
) -> None:
    save("a=b.json", APPS)
    invoke("book", "add", "blue", "0:18", "--book", "book.json")
    shown = shell(f"PLATFORM_PRIVATE_IP= fdaa fdaa:2:45b::3 --json {options}").stdout
    (answer,) = records(shown.decode())
    commands = [" ".join(words) for words in answer["next"]]
    assert f"fdaa probe fdaa:2:45b::3 {typed}" in commands


@pytest.mark.parametrize("texts", [("-",), ()])
def test_whois_does_not_read_texts_after_a_document_from_standard_input(
    texts: tuple[str, ...],
) -> None:
    result = invoke("whois", "--apps", "-", *texts, stdin=json.dumps(APPS).encode())
    assert (result.exit_code, result.stdout) == (2, "")
    assert "can be read only once" in result.stderr


def test_a_closed_standard_input_is_an_error() -> None:
    result = shell("fdaa networks --apps - <&-")
    assert result.returncode == 2
    assert b"standard input is closed" in result.stderr


def test_a_path_with_an_equals_sign_is_a_path() -> None:
    save("a=b.json", WEB)
    assert "2:45b" in invoke("networks", "--machines", "./a=b.json").stdout
    assert "web" in invoke("networks", "--machines", "web=./a=b.json").stdout
