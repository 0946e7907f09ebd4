"""`fdaa book`, and the other commands with a book: networks by name."""

from __future__ import annotations

import fcntl
import json
import os
from typing import TYPE_CHECKING

import pytest
from command import invoke, records, run, start

from fdaa import NetworkID
from fdaa.cli._book_names import network_id_of
from fdaa.cli._streams import CommandError
from fdaa.networks._book import Book

if TYPE_CHECKING:
    from pathlib import Path

ROWS = {
    "blue": {"network_id": "2:45b", "network_id_int": 0x2045B, "learned_from": "apps.json: x"},
    "default": {
        "network_id": "0:18",
        "network_id_int": 0x18,
        "app": "old",
        "address": "fdaa:0:18::3",
    },
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "book.json"
    path.write_text(json.dumps({"fdaa_book": 1, "networks": ROWS}))
    return path


def names(path: Path) -> dict[str, str]:
    return {str(each.name): str(each.network_id) for each in Book.load(path)}


# --- fdaa book ------------------------------------------------------------------------------------


def test_a_book_is_listed(path: Path) -> None:
    shown = invoke("book", "list", "--book", str(path))
    head, blue, default = shown.stdout.splitlines()
    assert head.split() == ["network", "ID", "prefix", "known", "from"]
    assert blue.split()[:3] == ["blue", "2:45b", "fdaa:2:45b::/48"]
    assert "networks.blue (learned from apps.json: x)" in blue
    assert default.split()[:3] == ["default", "0:18", "fdaa:0:18::/48"]
    assert invoke("book", "list", FDAA_BOOK=str(path)).stdout == shown.stdout


def test_an_entry_in_json(path: Path) -> None:
    _, entry = records(invoke("book", "list", "--json", "--book", str(path)).stdout)
    assert list(entry.items()) == [
        ("kind", "entry"),
        ("name", "default"),
        ("network_id", "0:18"),
        ("network_id_int", 0x18),
        ("app", "old"),
        ("address", "fdaa:0:18::3"),
        ("sources", [{"file": str(path), "place": "networks.default"}]),
        ("prefix", "fdaa:0:18::/48"),
    ]


def test_a_book_is_a_table_that_every_engine_can_join_with(path: Path) -> None:
    shown = invoke("book", "list", "--csv", "--book", str(path))
    assert shown.stdout.splitlines() == [
        "name,network_id,network_id_int,prefix",
        "blue,2:45b,132187,fdaa:2:45b::/48",
        "default,0:18,24,fdaa:0:18::/48",
    ]
    assert invoke("book", "list", "--csv", "--json", "--book", str(path)).exit_code == 2


@pytest.mark.parametrize(("network", "status"), [("blue", 0), ("green", 1), ("9:1", 1)])
def test_the_status_alone_answers(path: Path, network: str, status: int) -> None:
    shown = invoke("book", "list", "-q", network, "--book", str(path))
    assert (shown.stdout, shown.exit_code) == ("", status)


@pytest.mark.parametrize("network", ["blue", "2:45b", "0x2045b", "fdaa:2:45b::/48"])
def test_a_network_is_found_by_name_and_by_id(path: Path, network: str) -> None:
    shown = invoke("book", "list", "--json", "--book", str(path), network)
    assert [each["name"] for each in records(shown.stdout)] == ["blue"]
    assert shown.exit_code == 0


# What is asked for between two networks that the book has -> the status, what is said of it.
NOT_SHOWN = [
    ("green", 1, "network 'green' is not in the book"),
    ("Blue", 1, "network 'Blue' is not in the book"),
    ("2:45c", 1, "network '2:45c' is not in the book"),
    ("\x1b", 2, "'\\x1b' is not a network ID"),
    ("fdaa:2:45b::3", 2, "'fdaa:2:45b::3' is not a network ID"),
]


@pytest.mark.parametrize(("network", "status", "said"), NOT_SHOWN)
def test_what_is_not_in_the_book_is_1_or_wrong_and_hides_nothing(
    path: Path, network: str, status: int, said: str
) -> None:
    options = ("--json", "--book", str(path))
    shown = invoke("book", "list", *options, "blue", network, "9:1", "0:18")
    assert [each["name"] for each in records(shown.stdout)] == ["blue", "default"]
    assert shown.exit_code == status
    assert "\x1b" not in shown.output
    first, second = shown.stderr.splitlines()
    assert said in first
    assert "network '9:1' is not in the book" in second


def test_a_network_is_removed(path: Path) -> None:
    shown = invoke("book", "remove", "blue", "--book", str(path))
    assert (shown.stdout, shown.exit_code) == ("removed blue (2:45b)\n", 0)
    assert names(path) == {"default": "0:18"}
    again = invoke("book", "remove", "blue", "--book", str(path))
    assert (again.stdout, again.exit_code) == ("", 2)
    assert again.stderr.startswith(f"fdaa: book {str(path)[:60]!r}")
    assert "it has no network 'blue'" in again.stderr


def test_a_network_is_renamed(path: Path) -> None:
    shown = invoke("book", "rename", "blue", "red", "--book", str(path))
    assert (shown.stdout, shown.exit_code) == ("renamed blue to red (2:45b)\n", 0)
    assert names(path) == {"red": "2:45b", "default": "0:18"}


def test_a_change_in_json_is_the_entry(path: Path) -> None:
    options = ("--json", "--book", str(path))
    (renamed,) = records(invoke("book", "rename", "blue", "red", *options).stdout)
    (removed,) = records(invoke("book", "remove", "red", *options).stdout)
    assert removed == renamed
    assert (renamed["kind"], renamed["name"], renamed["network_id"]) == ("entry", "red", "2:45b")


# What is asked for -> why it is refused.
REFUSED = [
    (("rename", "green", "red"), "no network 'green'"),
    (("rename", "blue", "default"), "already has a network 'default'"),
    (("rename", "blue", "1st"), "must start with a letter"),
    (("rename", "blue", "a\x1b"), "letters, digits and dashes"),
    (("remove", "\x1b[31m"), "no network '\\x1b[31m'"),
    (
        ("remove", "2:45b"),
        "'2:45b' is an ID: give the network's name; network 'blue' in the book has",
    ),
    (
        ("remove", "9:9"),
        "'9:9' is an ID: give the network's name; no network in the book has this ID",
    ),
    (("rename", "0x2045b", "red"), "network 'blue' in the book has this ID"),
    (("rename", "7::", "red"), "no network '7::'"),
    (("remove",), "Missing argument"),
]


@pytest.mark.parametrize(("arguments", "reason"), REFUSED)
def test_a_change_that_cannot_be_made_changes_nothing(
    path: Path, arguments: tuple[str, ...], reason: str
) -> None:
    before = path.read_bytes()
    result = invoke("book", *arguments, "--book", str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr
    assert "\x1b" not in result.output
    assert path.read_bytes() == before


@pytest.mark.parametrize("arguments", [("list",), ("remove", "a"), ("rename", "a", "b")])
def test_a_book_has_to_be_there(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    path = tmp_path / "none.json"
    result = invoke("book", *arguments, "--book", str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith(" creates it\n")
    assert "does not exist; `fdaa networks ... --book " in result.stderr
    assert [*tmp_path.iterdir()] == []
    unnamed = invoke("book", *arguments)
    assert unnamed.exit_code == 2
    assert "--book" in unnamed.stderr


def test_a_renamed_network_tells_its_old_name(path: Path) -> None:
    invoke("book", "rename", "blue", "red", "--book", str(path))
    shown = invoke("book", "list", "red", "--book", str(path))
    assert "networks.red (renamed by hand from blue; learned from apps.json: x)" in shown.stdout


def test_a_book_whose_name_is_no_text_is_shown_as_ascii(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / os.fsdecode(b"b\xff.json")
    path.write_text(json.dumps({"fdaa_book": 1, "networks": ROWS}))
    for arguments in (("list", "blue"), ("rename", "blue", "red"), ("remove", "red")):
        shown = run("book", *arguments, "--json", "--book", str(path))
        ((source,),) = (each["sources"] for each in records(shown.stdout.decode()))
        assert source["file"] == f"{tmp_path}/b\\xff.json"
    for arguments in (("list", "green"), ("remove", "green")):
        said = invoke("book", *arguments, "--book", path.name).stderr
        assert said.isascii()
        assert "b" in said


def test_whoever_waits_for_another_writer_is_told(path: Path) -> None:
    with path.with_name(path.name + ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = start("book", "remove", "blue", "--book", str(path))
        assert process.stderr is not None
        said = process.stderr.readline()
    assert said.startswith(b"fdaa: waiting for the book ")
    assert process.communicate(timeout=60) == (b"removed blue (2:45b)\n", b"")


def test_a_book_alone_is_shown_and_nothing_is_made(path: Path) -> None:
    shown = invoke("networks", "--book", str(path))
    assert (shown.exit_code, shown.stderr) == (0, "")
    invoke("networks", "--book", str(path.with_name("none.json")))
    assert [*path.parent.iterdir()] == [path]


def test_what_a_book_says_is_never_printed_raw(path: Path) -> None:
    row = {"network_id": "0:7", "network_id_int": 7, "learned_from": "\x1b[31m\nblue  0:8"}
    path.write_text(json.dumps({"fdaa_book": 1, "networks": {"a" * 10_000: row}}))
    result = run("book", "list", "--book", str(path))
    assert len(result.stdout.splitlines()) == 2
    assert b"\x1b" not in result.stdout
    assert len(result.stdout) < 1000
    hostile = {"app": "web\x1b[31m", "address": "fdaa:0:7::1", "learned_on": "\x1b[31mnow"}
    path.write_text(json.dumps({"fdaa_book": 1, "networks": {"a": {**row, **hostile}}}))
    for command in (("reach", hostile["app"], "network:a"), ("whois", "fdaa:0:7::1")):
        for options in ((), ("--json",)):
            result = run(*command, *options, "--book", str(path))
            assert result.returncode == 0
            assert b"\x1b" not in result.stdout


# --- with a book, networks have names -------------------------------------------------------------


def test_decode_shows_the_name(path: Path) -> None:
    shown = invoke("decode", "fdaa:2:45b::3", "--book", str(path))
    assert "  network name     blue\n  network ID       2:45b  0x2045b  132187\n" in shown.stdout
    assert invoke("decode", "fdaa:2:45b::3", FDAA_BOOK=str(path)).stdout == shown.stdout
    other = invoke("decode", "fdaa:9::3", "--book", str(path))
    assert "  network name     not in the book\n" in other.stdout
    assert other.exit_code == 0


@pytest.mark.parametrize(("address", "name"), [("fdaa:2:45b::3", "blue"), ("fdaa:9::3", None)])
def test_the_name_is_the_last_field(path: Path, address: str, name: str | None) -> None:
    (with_book,) = records(invoke("decode", "--json", address, "--book", str(path)).stdout)
    (without,) = records(invoke("decode", "--json", address).stdout)
    assert list(with_book.items()) == [*without.items(), ("network_name", name)]
    field = invoke("decode", "--field", "network_name", address, "--book", str(path))
    assert field.stdout == f"{name or ''}\n"


def test_the_name_needs_a_book() -> None:
    result = invoke("decode", "--field", "network_name", "fdaa::1")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--book" in result.stderr


def test_same_shows_names(path: Path) -> None:
    arguments = ("same", "fdaa:2:45b::3", "fdaa:9::3", "--book", str(path))
    shown = invoke(*arguments)
    assert shown.stdout.startswith("2:45b  blue  fdaa:2:45b::3\n9:0    ?     fdaa:9::3\n")
    assert shown.exit_code == 1
    (result,) = records(invoke(*arguments, "--json").stdout)
    assert [list(each.items())[-1] for each in result["addresses"]] == [
        ("network_name", "blue"),
        ("network_name", None),
    ]


def test_self_shows_names(path: Path) -> None:
    mine = {"PLATFORM_PRIVATE_IP": "fdaa:2:45b::3", "FDAA_BOOK": str(path)}
    assert "network name     blue\n" in invoke("decode", "self", **mine).stdout
    (fields,) = records(invoke("decode", "self", "--json", **mine).stdout)
    assert list(fields.items())[-1] == ("network_name", "blue")
    assert "2:45b  blue  fdaa:2:45b::4" in invoke("same", "self", "fdaa:2:45b::4", **mine).stdout


@pytest.mark.parametrize("command", ["decode", "same"])
@pytest.mark.parametrize("text", [None, "", "{}"], ids=ascii)
def test_a_book_that_cannot_be_used_is_an_error(path: Path, command: str, text: str | None) -> None:
    path.unlink()
    if text is not None:
        path.write_text(text)
    addresses = ("fdaa::1", "fdaa::1")[: {"decode": 1, "same": 2}[command]]
    options = ("--book", str(path))
    result = invoke(command, *addresses, *options, PLATFORM_PRIVATE_IP="fdaa::1")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"book {str(path)[:60]!r}" in result.stderr


# --- a network by name or by ID -------------------------------------------------------------------


@pytest.mark.parametrize("text", ["blue", "2:45b", ":2:45b:", "0x2045b", "fdaa:2:45b::/48"])
def test_a_network_is_named_or_numbered(path: Path, text: str) -> None:
    assert network_id_of(text, Book.load(path)) == NetworkID(0x2045B)


@pytest.mark.parametrize(
    ("text", "with_book", "reason"),
    [
        ("blue", False, "names are looked up in a book"),
        ("green", True, "is not in the book"),
        ("Blue", True, "is not in the book"),
        ("1st", True, "is not a network ID"),
        ("", True, "is not a network ID"),
    ],
)
def test_what_is_no_network_is_refused(path: Path, text: str, with_book: bool, reason: str) -> None:
    book = Book.load(path) if with_book else None
    with pytest.raises(CommandError, match=reason):
        network_id_of(text, book)
