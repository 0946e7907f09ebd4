"""`fdaa whois --all`: all addresses in the documents, for people, as JSON, CSV and Parquet."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import pytest
from command import invoke, records, shell
from network_files import ALL, save

from fdaa import Address

pytestmark = pytest.mark.usefixtures("documents")

COLUMNS = ["app", "machine_id", "network_name", "network_id_int", "address"]
EVERYTHING = (*ALL, "--addresses", "web=ips.json")
ROWS = [
    ["web", "m1", "blue", "132187", "fdaa:2:45b::3"],
    ["web", "m2", "blue", "132187", "fdaa:2:45b::4"],
    ["web", "", "blue", "132187", "fdaa:2:45b:0:1::2"],
    ["api", "m3", "red", "458752", "fdaa:7::3"],
]
ADDRESSES = ["fdaa:2:45b::3", "fdaa:2:45b::4", "fdaa:2:45b:0:1::2", "fdaa:7::3"]


def table(*options: str) -> list[list[str]]:
    """Return the rows of the CSV below its head."""
    head, *rows = csv.reader(io.StringIO(invoke("whois", "--all", "--csv", *options).stdout))
    assert head == COLUMNS
    return rows


# --- the rows -------------------------------------------------------------------------------------


def test_each_address_has_a_row_in_the_order_of_addresses() -> None:
    shown = invoke("whois", "--all", "--csv", *EVERYTHING)
    lines = [",".join(row) for row in [COLUMNS, *ROWS]]
    assert shown.stdout.splitlines() == lines
    assert (shown.exit_code, shown.stderr) == (0, "")


def test_the_order_of_documents_changes_nothing() -> None:
    addresses = ("--addresses", "web=ips.json")
    machines = ("--machines", "api.json", "--machines", "web=web.json")
    assert table(*addresses, *machines, "--apps", "apps.json") == ROWS


@pytest.mark.parametrize("options", [(), ("--json",), ("--field", "address", "--field", "app")])
def test_whois_all_is_whois_of_each_address(options: tuple[str, ...]) -> None:
    at_once = invoke("whois", "--all", *EVERYTHING, *options)
    assert at_once.stdout == invoke("whois", *ADDRESSES, *EVERYTHING, *options).stdout
    assert (at_once.exit_code, at_once.stderr) == (0, "")


def test_json_has_the_columns_under_the_same_names() -> None:
    rows = records(invoke("whois", "--all", "--json", *EVERYTHING).stdout)
    for row, cells in zip(rows, ROWS, strict=True):
        for name, cell in zip(COLUMNS[:-1], cells[:-1], strict=True):
            assert str(row[name] or "") == cell


def test_a_disputed_address_has_neither_app_nor_machine() -> None:
    save("other.json", [{"id": "m9", "private_ip": "fdaa:2:45b::3"}])
    disputed = ("--machines", "api=other.json")
    assert table(*EVERYTHING, *disputed) == [["", "", *ROWS[0][2:]], *ROWS[1:]]
    shown = invoke("whois", "--all", "--csv", *EVERYTHING, *disputed)
    assert "1 contradiction in these documents" in shown.stderr
    assert shown.exit_code == 3


def test_what_the_documents_do_not_have_is_empty() -> None:
    shown = invoke("whois", "--all", "--csv", "--machines", "web.json")
    assert shown.stdout.splitlines()[1] == ",m1,,132187,fdaa:2:45b::3"
    assert "web.json: this Machine list does not name its app" in shown.stderr
    assert shown.exit_code == 3


def test_a_book_names_networks_and_adds_no_row() -> None:
    invoke("book", "add", "--book", "book.json", "teal", "2:45b")
    invoke("book", "add", "--book", "book.json", "grey", "0:18")
    named = table("--machines", "web=web.json", "--book", "book.json")
    first, second = named
    assert first == ["web", "m1", "teal", *ROWS[0][3:]]
    assert second == ["web", "m2", "teal", *ROWS[1][3:]]


def test_a_row_that_cannot_be_used_does_not_hide_the_others() -> None:
    save("web.json", [{"id": "m1", "private_ip": "fdaa::1g"}, {"id": "m2", "private_ip": "fdaa::"}])
    shown = invoke("whois", "--all", "--field", "machine_id", "--machines", "web=web.json")
    assert (shown.stdout, shown.exit_code) == ("m2\n", 2)
    assert "1 row was skipped" in shown.stderr


def test_documents_without_an_address_are_said_to_have_none() -> None:
    result = invoke("whois", "--all", "--apps", "apps.json")
    assert result.stderr.startswith("fdaa: no address in these documents; add Machine lists")
    assert (result.stdout, result.exit_code) == ("", 0)


def test_documents_without_an_address_are_a_table_without_rows() -> None:
    save("empty.json", [])
    for options in (("--machines", "web=empty.json"), ("--apps", "apps.json")):
        assert table(*options) == []
        for form in (("--json",), ("--field", "app")):
            shown = invoke("whois", "--all", *form, *options)
            assert (shown.output, shown.exit_code) == ("", 0)


@pytest.mark.slow
def test_a_hundred_thousand_addresses_are_sorted() -> None:
    rows = []
    for number in range(100_000):
        address = f"fdaa:{number % 7:x}::{number >> 16:x}:{number & 0xFFFF:x}"
        rows.append({"id": f"m{number}", "private_ip": address})
    save("many.json", rows)
    shown = table("--machines", "web=many.json")
    addresses = [Address(row[4]) for row in shown]
    assert addresses == sorted(addresses)
    machines = [row[1] for row in shown]
    assert sorted(machines) == sorted(row["id"] for row in rows)


# --- names from outside ---------------------------------------------------------------------------

# The identifier of a Machine, and the cell that a reader of CSV makes of it.
NAMES = [
    ('say "hi"', 'say "hi"'),
    ("a,b", "a,b"),
    ("a\r\nb\tc", r"a\r\nb\tc"),
    ("\x1b[31m\x00", r"\x1b[31m\x00"),
    ("\ud800", r"\ud800"),
    ("café", "café"),
    ("=1+1", "=1+1"),  # a database needs the name as it is
]


@pytest.mark.parametrize(("name", "cell"), NAMES)
def test_a_name_is_one_cell_of_one_line(name: str, cell: str) -> None:
    save("web.json", [{"id": name, "private_ip": "fdaa:2:45b::3"}])
    shown = invoke("whois", "--all", "--csv", "--machines", "web=web.json").stdout
    assert shown.count("\n") == 2
    assert shown.replace("\n", "").isprintable()
    assert table("--machines", "web=web.json") == [["web", cell, "", *ROWS[0][3:]]]


# --- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--all",), "--all needs documents"),
        (("--all", "--book", "book.json"), "--all needs documents"),
        (("--all", "fdaa::3", *ALL), "--all cannot be combined with addresses"),
        (("fdaa::3", "--csv", *ALL), "--csv and --parquet require --all"),
        (("fdaa::3", "--parquet", "out", *ALL), "--csv and --parquet require --all"),
        (("--all", "--csv", "--json", *ALL), "--json, --field, --csv and --parquet cannot be"),
        (("--all", "--csv", "--parquet", "out", *ALL), "--parquet cannot be combined"),
        (("--all", "--parquet", "out", "--field", "app", *ALL), "--parquet cannot be combined"),
        (("--all", "--parquet", "-", *ALL), "--parquet needs a file; /dev/stdout is standard"),
    ],
)
def test_options_that_make_no_sense_together_are_refused(
    arguments: tuple[str, ...], said: str
) -> None:
    shown = invoke("whois", *arguments)
    assert said in shown.stderr
    assert (shown.stdout, shown.exit_code) == ("", 2)
    assert not Path("out").exists()
    assert not Path("-").exists()


def test_standard_input_may_be_a_document() -> None:
    shown = invoke("whois", "--all", "--field", "app", "--machines", "-", stdin=b"[]")
    assert (shown.stdout, shown.exit_code) == ("", 0)


def test_quiet_prints_nothing() -> None:
    shown = invoke("whois", "--all", "--csv", "-q", *EVERYTHING)
    assert (shown.output, shown.exit_code) == ("", 0)


# --- Parquet --------------------------------------------------------------------------------------


def test_parquet_without_pyarrow_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # as if it were not installed
    shown = invoke("whois", "--all", "--parquet", "out", *EVERYTHING)
    assert shown.stderr.startswith("fdaa: --parquet needs the extra `arrow` (")
    assert "in a checkout: pip install -e '.[arrow]'" in shown.stderr
    assert (shown.stdout, shown.exit_code) == ("", 2)


@pytest.mark.engines
@pytest.mark.parametrize("quiet", [(), ("-q",)])
def test_parquet_has_the_rows_of_the_csv_with_types(quiet: tuple[str, ...]) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    shown = invoke("whois", "--all", "--parquet", "out", *quiet, *EVERYTHING)
    assert (shown.output, shown.exit_code) == ("", 0)
    written = parquet.read_table("out")
    text = arrow.string()
    types = [text, text, text, arrow.uint32(), text, arrow.binary(16)]
    assert written.schema == arrow.schema(list(zip([*COLUMNS, "key"], types, strict=True)))
    for row, cells in zip(written.to_pylist(), ROWS, strict=True):
        app, machine, network_name, network_id, address = cells
        assert row == {
            "app": app,
            "machine_id": machine or None,
            "network_name": network_name,
            "network_id_int": int(network_id),
            "address": address,
            "key": Address(address).packed,
        }


@pytest.mark.engines
def test_parquet_without_rows_has_the_columns() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert invoke("whois", "--all", "--parquet", "out", "--apps", "apps.json").exit_code == 0
    written = parquet.read_table("out")
    assert (written.column_names, written.num_rows) == ([*COLUMNS, "key"], 0)


@pytest.mark.engines
@pytest.mark.parametrize(("name", "cell"), NAMES)
def test_a_name_in_parquet_is_as_in_the_document(name: str, cell: str) -> None:
    """But for what is no text in UTF-8, which is escaped."""
    parquet = pytest.importorskip("pyarrow.parquet")
    save("web.json", [{"id": name, "private_ip": "fdaa:2:45b::3"}])
    invoke("whois", "--all", "--parquet", "out", "--machines", "web=web.json")
    if name == "\ud800":
        name = cell
    assert parquet.read_table("out")["machine_id"].to_pylist() == [name]


@pytest.mark.parametrize(
    "options",
    [
        "--machines web=web.json --parquet web.json",
        "--machines ./ --parquet web.json",
        "--machines web=link --parquet web.json",
        "--machines web=web.json --parquet link",
        "--apps web.json --parquet web.json",  # refused: it is no app list
        "--apps apps.json --book book.json --parquet book.json",
    ],
)
def test_a_file_that_was_read_is_not_overwritten(options: str) -> None:
    invoke("book", "add", "--book", "book.json", "teal", "2:45b")
    Path("link").symlink_to("web.json")
    before = contents()
    shown = invoke("whois", "--all", *options.split())
    assert "the input file is also the output\n" in shown.stderr
    assert (shown.stdout, shown.exit_code) == ("", 2)
    assert contents() == before


def test_standard_input_is_not_overwritten() -> None:
    before = contents()
    shown = shell("fdaa whois --all --machines - --parquet web.json < web.json")
    assert b"the input file is also the output\n" in shown.stderr
    assert (shown.stdout, shown.returncode) == (b"", 2)
    assert contents() == before


def contents() -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in Path().iterdir()}


@pytest.mark.engines
def test_a_file_that_cannot_be_written_stays_as_it_was() -> None:
    pytest.importorskip("pyarrow")
    Path("out").write_text("the old table")
    before = sorted(Path().iterdir())
    options = " ".join(EVERYTHING)
    full = shell(f"ulimit -f 0; fdaa whois --all --parquet out {options}")  # no byte fits
    assert (full.stdout, full.returncode) == (b"", 2)
    assert full.stderr == b"fdaa: 'out': File too large\n"
    assert Path("out").read_text() == "the old table"
    assert sorted(Path().iterdir()) == before


@pytest.mark.engines
def test_a_pipe_and_a_device_are_written_and_not_replaced() -> None:
    pytest.importorskip("pyarrow")
    options = " ".join(EVERYTHING)
    piped = shell(f"fdaa whois --all --parquet /dev/stdout {options} | cat")
    assert (piped.stdout[:4], piped.stdout[-4:], piped.stderr) == (b"PAR1", b"PAR1", b"")
    full = shell(f"fdaa whois --all --parquet /dev/full {options}")
    assert full.stderr == b"fdaa: '/dev/full': No space left on device\n"
    assert not Path("/dev/full").is_file()


# --- readers --------------------------------------------------------------------------------------


@pytest.mark.engines
def test_data_frames_and_databases_read_the_csv() -> None:
    duckdb = pytest.importorskip("duckdb")
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    Path("out.csv").write_text(invoke("whois", "--all", "--csv", *EVERYTHING).stdout)
    expected = []
    for app, machine, network_name, network_id, address in ROWS:
        expected.append((app, machine or None, network_name, int(network_id), address))
    assert duckdb.sql("SELECT * FROM 'out.csv'").fetchall() == expected
    assert polars.read_csv("out.csv", try_parse_dates=True).rows() == expected
    read = pandas.read_csv("out.csv")
    assert read.fillna("").astype(str).to_numpy().tolist() == ROWS
