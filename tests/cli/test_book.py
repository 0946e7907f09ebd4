"""`fdaa book`, and the other commands with a book: networks by name."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from books import held
from command import invoke, records, shell
from network_files import ALL, save

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


def names(output: str) -> list[str | None]:
    """Return the names of the networks in JSON Lines."""
    return [entry["network_name"] for entry in records(output)]


# --- fdaa book ------------------------------------------------------------------------------------


def test_a_book_is_listed(path: Path) -> None:
    shown = invoke("book", "list", "--book", str(path))
    head, blue, default = shown.stdout.splitlines()
    assert head.split() == ["network", "ID", "prefix"]
    assert blue.split()[:3] == ["blue", "2:45b", "fdaa:2:45b::/48"]
    assert "learned" not in blue
    assert default.split()[:3] == ["default", "0:18", "fdaa:0:18::/48"]
    assert invoke("book", "list", FDAA_BOOK=str(path)).stdout == shown.stdout


def test_an_entry_in_json(path: Path) -> None:
    _, entry = records(invoke("book", "list", "--json", "--book", str(path)).stdout)
    assert list(entry.items()) == [
        ("kind", "entry"),
        ("network_name", "default"),
        ("network_id", "0:18"),
        ("network_id_int", 0x18),
        ("prefix", "fdaa:0:18::/48"),
        ("app", "old"),
        ("address", "fdaa:0:18::3"),
        ("learned_from", None),
        ("learned_on", None),
        ("renamed_from", None),
    ]


def test_a_book_is_a_table_that_every_engine_can_join_with(path: Path) -> None:
    shown = invoke("book", "list", "--csv", "--book", str(path))
    assert shown.stdout.splitlines() == [
        "network_name,network_id_int,prefix",
        "blue,132187,fdaa:2:45b::/48",
        "default,24,fdaa:0:18::/48",
    ]
    assert invoke("book", "list", "--csv", "--json", "--book", str(path)).exit_code == 2


@pytest.mark.parametrize(
    "network", ["blue", "2:45b", "0x2045b", "fdaa:2:45b::/48", "network:blue", "network:2:45b"]
)
def test_a_network_is_found_by_name_and_by_id(path: Path, network: str) -> None:
    shown = invoke("book", "list", "--json", "--book", str(path), network)
    assert names(shown.stdout) == ["blue"]
    assert shown.exit_code == 0
    removed = invoke("book", "remove", "--book", str(path), network)
    assert (removed.stdout, removed.exit_code) == ("removed blue (2:45b)\n", 0)
    assert held(path) == {"default": 0x18}


@pytest.mark.parametrize("network", ["green", "Blue", "2:45c"])
def test_what_is_not_in_the_book_is_reported_and_hides_nothing(path: Path, network: str) -> None:
    arguments = ("--book", str(path), "blue", network, "9:1", "0:18")
    shown = invoke("book", "list", "--json", *arguments)
    assert names(shown.stdout) == ["blue", "default"]
    assert shown.exit_code == 1
    assert "\x1b" not in shown.output
    first, second = shown.stderr.splitlines()
    assert f"network '{network}' is not in the book" in first
    assert "network '9:1' is not in the book" in second
    quiet = invoke("book", "list", "-q", *arguments)
    assert (quiet.stdout, quiet.exit_code) == ("", 1)


@pytest.mark.parametrize("text", ["\x1b", "fdaa:2:45b::3"])
def test_what_is_neither_a_name_nor_an_id_is_wrong_input(path: Path, text: str) -> None:
    shown = invoke("book", "list", "--book", str(path), text)
    assert (shown.stdout, shown.exit_code) == ("", 2)
    assert "is not a network ID" in shown.stderr
    assert "\x1b" not in shown.output


def test_a_network_is_renamed(path: Path) -> None:
    options = ("--book", str(path))
    shown = invoke("book", "rename", "blue", "red", *options)
    assert (shown.stdout, shown.exit_code) == ("renamed blue to red (2:45b)\n", 0)
    assert held(path) == {"red": 0x2045B, "default": 0x18}
    listed = invoke("book", "list", "red", "--why", *options).stdout
    assert "  renamed by hand from blue; learned from apps.json: x\n" in listed
    (renamed,) = records(invoke("book", "rename", "2:45b", "pink", "--json", *options).stdout)
    (removed,) = records(invoke("book", "remove", "pink", "--json", *options).stdout)
    assert removed == renamed
    assert renamed["kind"] == "entry"
    assert renamed["network_name"] == "pink"
    assert renamed["network_id"] == "2:45b"


# What is asked for -> why it is refused, and the status: 1 for a network that is not there.
REFUSED = [
    (("rename", "green", "red"), "network 'green' is not in the book", 1),
    (("rename", "blue", "default"), "already has network 'default'", 2),
    (("rename", "blue", "1st"), "must start with a letter", 2),
    (("rename", "blue", "a\x1b"), "letters, digits and dashes", 2),
    (("remove", "\x1b[31m"), "'\\x1b[31m' is not a network ID", 2),
    (("remove", "9:9"), "network '9:9' is not in the book", 1),
    (("remove", "blu"), "; did you mean blue?", 1),
    (("list", "9:9"), "network '9:9' is not in the book", 1),
    (("rename", "7::", "red"), "'7::' is not a network ID", 2),
    (("remove",), "Missing argument", 2),
]


@pytest.mark.parametrize(("arguments", "reason", "status"), REFUSED)
def test_a_change_that_cannot_be_made_changes_nothing(
    path: Path, arguments: tuple[str, ...], reason: str, status: int
) -> None:
    before = path.read_bytes()
    result = invoke("book", *arguments, "--book", str(path))
    assert (result.exit_code, result.stdout) == (status, "")
    assert reason in result.stderr
    assert "\x1b" not in result.output
    assert path.read_bytes() == before


@pytest.mark.parametrize("arguments", [("list",), ("remove", "a"), ("rename", "a", "b")])
def test_a_command_needs_a_book_that_exists(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    result = invoke("book", *arguments, "--book", str(tmp_path / "none.json"))
    assert (result.exit_code, result.stdout) == (2, "")
    hint = "does not exist; `fdaa book learn` creates it from --apps and --machines"
    assert hint in result.stderr
    assert list(tmp_path.iterdir()) == []
    unnamed = invoke("book", *arguments)
    assert unnamed.exit_code == 2
    assert "--book" in unnamed.stderr


HOSTILE_ROW = {
    "network_id": "0:7",
    "network_id_int": 7,
    "learned_from": "\x1b[31m\nblue  0:8",
    "app": "web\x1b[31m",
    "address": "fdaa:0:7::1",
    "learned_on": "\x1b[31mnow",
}


@pytest.mark.parametrize(
    ("name", "command"),
    [
        pytest.param("a" * 10_000, ("book", "list"), id="book list"),
        pytest.param("a", ("reach", "web\x1b[31m", "network:a"), id="reach"),
        pytest.param("a", ("whois", "fdaa:0:7::1"), id="whois"),
    ],
)
def test_what_a_book_says_is_never_printed_raw(
    name: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    book = f"{tmp_path}/" + os.fsdecode(b"b\xff.json")
    with open(book, "w") as stream:  # noqa: PTH123 - the name is not UTF-8
        json.dump({"fdaa_book": 1, "networks": {name: HOSTILE_ROW}}, stream)
    shown = invoke(*command, "--book", book, COLUMNS="500")
    in_json = invoke(*command, "--json", "--book", book)
    assert len(shown.stdout) < 1000
    for result in (shown, in_json):
        assert result.exit_code == 0
        assert result.stdout.isascii()
        assert "\x1b" not in result.output
        assert len(result.stdout.splitlines()) <= 6


# --- with a book, networks have names -------------------------------------------------------------


def test_decode_shows_the_name(path: Path) -> None:
    shown = invoke("decode", "fdaa:2:45b::3", "--book", str(path))
    assert "  network name     blue\n" in shown.stdout
    assert invoke("decode", "fdaa:2:45b::3", FDAA_BOOK=str(path)).stdout == shown.stdout
    other = invoke("decode", "fdaa:9::3", "--book", str(path))
    assert "  network name     ?\n" in other.stdout
    assert other.exit_code == 0
    for address, name in (("fdaa:2:45b::3", "blue"), ("fdaa:9::3", None)):
        (with_book,) = records(invoke("decode", "--json", address, "--book", str(path)).stdout)
        (without,) = records(invoke("decode", "--json", address).stdout)
        assert list(with_book.items()) == [*without.items(), ("network_name", name)]
        field = invoke("decode", "--field", "network_name", address, "--book", str(path))
        assert field.stdout == f"{name or ''}\n"
    alone = invoke("decode", "--field", "network_name", "fdaa::1")
    assert (alone.exit_code, alone.stdout) == (2, "")
    assert "--book" in alone.stderr


def test_same_shows_names(path: Path) -> None:
    arguments = ("same", "self", "fdaa:9::3")
    mine = {"PLATFORM_PRIVATE_IP": "fdaa:2:45b::3", "FDAA_BOOK": str(path)}
    shown = invoke(*arguments, env=mine)
    assert shown.stdout.startswith("2:45b  blue  fdaa:2:45b::3\n9:0    ?     fdaa:9::3\n")
    assert shown.exit_code == 1
    (result,) = records(invoke(*arguments, "--json", env=mine).stdout)
    mine_in_json, other = result["addresses"]
    assert list(mine_in_json.items())[-1] == ("network_name", "blue")
    assert list(other.items())[-1] == ("network_name", None)
    assert "  network name     blue\n" in invoke("decode", "self", env=mine).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("decode", "fdaa::1"),
        ("same", "fdaa::1", "fdaa::1"),
        ("networks",),
    ],
)
@pytest.mark.parametrize("text", [None, "", "{}"], ids=["missing", "empty", "no book"])
def test_a_book_that_cannot_be_used_is_an_error(
    path: Path, arguments: tuple[str, ...], text: str | None
) -> None:
    path.unlink()
    if text is not None:
        path.write_text(text)
    result = invoke(*arguments, "--book", str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"book {str(path)[:60]!r}" in result.stderr


def test_a_name_is_looked_up_in_the_book_alone(path: Path) -> None:
    for options, reason in (
        ((), "network 'Blue': names are looked up in a book; give --book FILE"),
        (("--book", str(path)), "network 'Blue' is not in the book"),
    ):
        result = invoke("scan", "--network", "Blue", *options, stdin=b"fdaa::1")
        assert (result.exit_code, result.stdout) == (2, "")
        assert reason in result.stderr


def test_a_network_is_added_by_hand_and_what_contradicts_the_book_is_refused(path: Path) -> None:
    options = ("--book", str(path))
    added = invoke("book", "add", "red", "fdaa:7::/48", *options)
    assert (added.stdout, added.exit_code) == ("added red (7:0)\n", 0)
    assert "from fdaa book add" in invoke("book", "list", "red", "--why", *options).stdout
    (entry,) = records(invoke("book", "add", "red", "7:0", "--json", *options).stdout)
    assert (entry["kind"], entry["network_name"]) == ("entry", "red")
    again = invoke("book", "add", "red", "7:0", *options)
    assert (again.stdout, again.exit_code) == ("already there (7:0)\n", 0)
    for name, network_id in (("red", "7:1"), ("green", "7:0"), ("blue", "7:2")):
        before = path.read_bytes()
        refused = invoke("book", "add", name, network_id, *options)
        assert (refused.stdout, refused.exit_code) == ("", 1)
        assert "was not changed" in refused.stderr
        there = "blue" if name == "blue" else "red"
        for command in (f"fdaa book remove {there}", f"fdaa book rename {there} NEW"):
            assert f"{command} --book {path}" in refused.stderr
        assert path.read_bytes() == before
    assert invoke("book", "add", "7", "7:5", *options).exit_code == 2
    assert invoke("book", "add", "x", "7", *options).exit_code == 2


@pytest.mark.parametrize(
    ("change", "done"),
    [
        ("add red 7:0", "added red (7:0)"),
        ("add red 7:0 --json", "added red (7:0)"),
        ("rename blue red", "renamed blue to red"),
        ("remove blue", "removed blue"),
        ("learn --machines web=m.json --apps a.json", "1 network added to the book"),
    ],
)
def test_a_change_whose_result_cannot_be_printed_was_made_and_the_error_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch, change: str, done: str
) -> None:
    monkeypatch.chdir(path.parent)
    save("a.json", {"apps": [{"name": "web", "network": "red"}]})
    save("m.json", [{"id": "m1", "app_name": "web", "private_ip": "fdaa:7:0::3"}])
    before = path.read_bytes()
    result = shell(f"fdaa book {change} --book {path} > /dev/full")
    assert result.returncode == 2
    assert result.stderr.startswith(b"fdaa: standard output: No space left on device; ")
    assert done.encode() in result.stderr
    assert path.read_bytes() != before


# --- learn ----------------------------------------------------------------------------------------


LEARNED = """\
network  ID     prefix
blue     2:45b  fdaa:2:45b::/48
"""


@pytest.mark.usefixtures("documents")
def test_what_is_new_in_documents_is_kept_and_printed(tmp_path: Path) -> None:
    options = ("--apps", "apps.json", "--machines", "web=web.json", "--book", "book.json")
    first = invoke("book", "learn", *options)
    assert (first.stdout, first.stderr, first.exit_code) == (LEARNED, "", 0)
    again = invoke("book", "learn", *options)
    assert (again.stdout, again.stderr, again.exit_code) == ("", "", 0)
    more = invoke("book", "learn", *ALL, "--json", FDAA_BOOK="book.json")
    (red,) = records(more.stdout)
    assert (red["kind"], red["network_name"], red["network_id"]) == ("entry", "red", "7:0")
    assert held(tmp_path / "book.json") == {"blue": 0x2045B, "red": 0x70000}


@pytest.mark.usefixtures("documents")
def test_a_script_that_learns_prints_nothing_or_one_field(tmp_path: Path) -> None:
    quiet = invoke("book", "learn", *ALL, "--book", "book.json", "-q")
    assert (quiet.output, quiet.exit_code) == ("", 0)
    (tmp_path / "book.json").unlink()
    names = invoke("book", "learn", *ALL, "--book", "book.json", "--field", "network_name")
    assert (names.output, names.exit_code) == ("blue\nred\n", 0)


@pytest.mark.usefixtures("documents")
def test_nothing_is_learned_that_contradicts_the_book(tmp_path: Path) -> None:
    invoke("book", "learn", *ALL, "--book", "book.json")
    before = (tmp_path / "book.json").read_bytes()
    save("new.json", {"Name": "old", "Machines": [{"id": "m", "private_ip": "fdaa:8::3"}]})
    save("web.json", [{"id": "n", "private_ip": "fdaa:9::3"}])
    options = (*ALL, "--machines", "new.json", "--book", "book.json")
    refused = invoke("book", "learn", *options)
    assert (refused.stdout, refused.exit_code) == ("", 1)
    assert "book 'book.json' was not changed: " in refused.stderr
    assert (
        "has network 'blue' with ID 9:0, and the book has network 'blue' with ID" in refused.stderr
    )
    assert "contradiction: network blue has two IDs" in refused.stderr
    (found,) = records(invoke("book", "learn", *options, "--json").stdout)
    assert (found["kind"], found["rule"]) == ("contradiction", "name-has-two-ids")
    assert (tmp_path / "book.json").read_bytes() == before


@pytest.mark.usefixtures("documents")
def test_what_documents_agree_about_is_learned(tmp_path: Path) -> None:
    second = save("second.json", [{"Name": "web", "Network": "red"}, 7])
    options = (*ALL, "--apps", second, "--book", "book.json")
    learned = invoke("book", "learn", *options)
    assert "contradiction: app web is listed on two networks" in learned.stderr
    assert "second.json: [1]" in learned.stderr
    assert learned.exit_code == 2  # as an entry cannot be used
    assert held(tmp_path / "book.json") == {"red": 0x70000}


@pytest.mark.usefixtures("documents")
def test_learn_needs_documents_and_a_book() -> None:
    without_book = invoke("book", "learn", *ALL)
    assert (without_book.stdout, without_book.exit_code) == ("", 2)
    assert "--book" in without_book.stderr
    assert "give documents" not in without_book.stderr
    without_documents = invoke("book", "learn", FDAA_BOOK="book.json")
    assert (without_documents.stdout, without_documents.exit_code) == ("", 2)
    assert "give documents" in without_documents.stderr


def test_a_misspelt_network_gets_the_nearest_name_in_the_book(path: Path) -> None:
    shown = invoke("book", "list", "bleu", "--book", str(path))
    assert "did you mean blue?" in shown.stderr
    assert shown.exit_code == 1


@pytest.mark.engines
def test_the_ids_of_the_csv_are_times_of_day_to_no_reader(tmp_path: Path) -> None:
    """All IDs are like `0:18`, so that a column of them would be one of times."""
    duckdb = pytest.importorskip("duckdb")
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    book = tmp_path / "book.json"
    table = tmp_path / "book.csv"
    for number in (18, 19):
        invoke("book", "add", f"n{number}", f"0:{number}", "--book", str(book))
    table.write_text(invoke("book", "list", "--csv", "--book", str(book)).stdout)
    rows = [("n18", 24, "fdaa:0:18::/48"), ("n19", 25, "fdaa:0:19::/48")]
    assert duckdb.sql(f"SELECT * FROM '{table}'").fetchall() == rows
    assert polars.read_csv(table, try_parse_dates=True).rows() == rows
    read = pandas.read_csv(table).itertuples(index=False, name=None)
    assert list(read) == rows


@pytest.mark.engines
def test_a_book_as_parquet_has_the_columns_of_the_csv(path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    file = path.with_name("book.parquet")
    assert invoke("book", "list", "--parquet", str(file), "--book", str(path)).exit_code == 0
    table = parquet.read_table(file)
    csv = invoke("book", "list", "--csv", "--book", str(path)).stdout
    assert ",".join(table.column_names) == csv.splitlines()[0]
    blue = {"network_name": "blue", "network_id_int": 0x2045B, "prefix": "fdaa:2:45b::/48"}
    assert table.to_pylist()[0] == blue
    before = path.read_bytes()
    itself = invoke("book", "list", "--parquet", str(path), "--book", str(path))
    assert "the input file is also the output" in itself.stderr
    assert (itself.exit_code, path.read_bytes()) == (2, before)
    refused = invoke("book", "list", "--parquet", "no/such/file", "--book", str(path))
    assert (refused.stdout, refused.exit_code) == ("", 2)
