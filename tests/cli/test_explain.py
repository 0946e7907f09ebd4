"""`fdaa explain`, and `fdaa TEXT` for short; what it answers is tested in tests/explain."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from command import as_in_a_machine, invoke, records
from example_documents import DOCUMENTS

if TYPE_CHECKING:
    from pathlib import Path

WEB = "fdaa:2:45b:a7b:174:db43:d3c6:2"
BILLING = "fdaa:0:18:a7b:7d:f066:3418:2"
MISSING = "fdaa:2:45b::99"  # in no document
LINE = f"read tcp [{WEB}]:40112->[{BILLING}]:5432: i/o timeout"


@pytest.mark.parametrize(
    "text",
    [
        LINE,
        WEB,
        f"[{WEB}]:80",
        f"3{'.0' * 19}.8.1.0.0.0.0.0.0.a.a.d.f.ip6.arpa",
        "2:45b",
        "web.internal:8080",
        "self",
        f"10.0.0.1 > {WEB}",
    ],
)
@pytest.mark.parametrize("options", [(), ("--json",), DOCUMENTS])
def test_a_text_in_place_of_a_command_is_explained(text: str, options: tuple[str, ...]) -> None:
    short = invoke(text, *options, PLATFORM_PRIVATE_IP=WEB)
    full = invoke("explain", text, *options, PLATFORM_PRIVATE_IP=WEB)
    assert (short.output, short.exit_code) == (full.output, 0)
    assert short.stdout


def test_a_text_that_begins_with_a_dash_is_no_option() -> None:
    text = f"-> [{BILLING}]:5432"
    shown = invoke("--", text)
    assert shown.stdout == invoke("explain", "--", text).stdout
    assert (BILLING in shown.stdout, shown.exit_code) == (True, 0)


@pytest.mark.parametrize("call", [("-",), ("explain", "-")])
def test_a_dash_is_all_of_standard_input(call: tuple[str, ...]) -> None:
    text = f"panic: cannot start\n\n  {LINE}\n\tat main\n"
    (answer,) = records(invoke(*call, "--json", stdin=text.encode()).stdout)
    assert (answer["source"], answer["target"], answer["port"]) == (WEB, BILLING, 5432)
    assert answer["input"] == text


def test_what_is_no_utf_8_is_explained_too() -> None:
    stdin = LINE.encode() + b" \xff\x1b[31m"
    assert "\x1b" not in invoke("-", stdin=stdin).output
    (answer,) = records(invoke("-", "--json", stdin=stdin).stdout)
    assert answer["target"] == BILLING


def test_a_text_has_at_most_64_kib() -> None:
    longest = LINE.ljust(65536)
    assert invoke("-", stdin=longest.encode()).exit_code == 0
    assert invoke(longest).exit_code == 0
    for result in (invoke("-", stdin=longest.encode() + b" "), invoke(longest + " ")):
        assert (result.exit_code, result.stdout) == (2, "")
        message = "fdaa: the text is longer than 65,536 bytes; use: fdaa scan FILE\n"
        assert result.stderr == message


def test_the_answer_in_json_is_one_object() -> None:
    (answer,) = records(invoke(LINE, "--json", *DOCUMENTS).stdout)
    assert list(answer)[:2] == ["input", "kind"]
    assert (answer["source"], answer["target"], answer["port"]) == (WEB, BILLING, 5432)
    assert answer["verdict"]["outcome"] == "different-networks"
    assert invoke(LINE, "--field", "target", "--field", "port").stdout == f"{BILLING}\t5432\n"
    quiet = invoke(LINE, "-q", "--json")
    assert (quiet.output, quiet.exit_code) == ("", 0)


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = tmp_path / "networks.json"
    row = {"network_id": "2:45b", "network_id_int": 132187}
    path.write_text(json.dumps({"fdaa_book": 1, "networks": {"customer-17": row}}))
    return str(path)


@pytest.mark.parametrize(
    "text", [f"dial tcp [{MISSING}]:5432: refused", "dial worker.internal:80: timeout"]
)
def test_each_next_step_has_the_documents_and_works_as_it_is_printed(text: str, book: str) -> None:
    given = (*DOCUMENTS, "-d", book)
    (answer,) = records(invoke(text, "--json", *given, PLATFORM_PRIVATE_IP=WEB).stdout)
    assert answer["next"]
    for fdaa, command, *words in answer["next"]:
        assert fdaa == "fdaa"
        if command in ("reach", "decode", "probe"):
            for option in (book, *(document.partition("=")[2] for document in DOCUMENTS)):
                assert option in words
        if command != "probe":
            assert invoke(command, *words, PLATFORM_PRIVATE_IP=WEB).exit_code in (0, 1, 3)


def test_a_document_that_cannot_be_used_is_reported_and_the_answer_printed() -> None:
    result = invoke(LINE, "-d", "nope")
    assert BILLING in result.stdout
    assert (result.stderr, result.exit_code) == ("fdaa: nope: No such file or directory\n", 2)


def test_standard_input_is_a_text_or_a_document() -> None:
    result = invoke("-", "-d", "-", stdin=b"x")
    assert (result.exit_code, result.stdout) == (2, "")


def test_self_is_the_own_address() -> None:
    shown = invoke("self", PLATFORM_PRIVATE_IP=WEB)
    assert shown.stdout == invoke(WEB, PLATFORM_PRIVATE_IP=WEB).stdout
    missing = invoke("self")
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert "PLATFORM_PRIVATE_IP is not set" in missing.stderr


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_variable_that_is_no_address_is_reported_and_ignored(options: tuple[str, ...]) -> None:
    result = invoke(BILLING, *options, PLATFORM_PRIVATE_IP="10.0.0.1")
    without = invoke(BILLING, *options, PLATFORM_PRIVATE_IP="")
    assert (result.exit_code, result.stdout) == (without.exit_code, without.stdout)
    (line,) = result.stderr.splitlines()
    assert line.startswith("fdaa: PLATFORM_PRIVATE_IP is ignored: '10.0.0.1' is not a private")
    assert invoke(BILLING, "-q", PLATFORM_PRIVATE_IP="10.0.0.1").stderr == ""
    elsewhere = invoke(BILLING, *options, PLATFORM_PRIVATE_IP=WEB).stderr
    assert elsewhere
    assert as_in_a_machine(elsewhere) == ""


def test_a_name_with_documents_is_a_text(tmp_path: Path) -> None:
    book = str(tmp_path / "book.json")
    invoke("book", "add", "customer-17", "2:45b", "-d", book)
    for name, options in (("reports", DOCUMENTS), ("customer-17", (f"--documents={book}",))):
        shown = invoke(name, *options)
        assert (shown.exit_code, shown.stdout) == (0, invoke("explain", name, *options).stdout)


@pytest.mark.parametrize(
    "name", ["\x1b[31mred\x07.json", "a\rb c.json", "\udcff.json", "it's.json"]
)
def test_a_suggested_command_has_any_file_as_a_shell_reads_it(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text('{"apps": []}')
    shown = invoke("dial tcp reports.internal:8080: i/o timeout", "-d", str(file)).stdout
    assert shown.replace("\n", "").isprintable()
    option = shown.partition("-d ")[2].splitlines()[0]
    read = subprocess.run(["bash", "-c", f"printf %s {option}"], capture_output=True, check=True)
    assert os.fsdecode(read.stdout) == str(file)


def test_the_name_of_a_network_or_a_file_gets_the_command_that_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-x.log").touch()
    network = invoke("explain", "network:prod")
    assert network.stderr.endswith("fdaa networks --only prod -d FILE\n")
    file = invoke("explain", "--", "-x.log")
    assert file.stderr.endswith("use: fdaa scan -- -x.log, or fdaa - < -x.log\n")
