"""One text is one end to every command: a table of texts and what each command reads."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from command import as_in_a_machine, invoke, records
from network_files import save

pytestmark = pytest.mark.usefixtures("new_directory")

OWN = "fdaa:2:45b::8"
WEB = "fdaa:2:45b::3"
OTHER = "fdaa:0:18::3"
POINTER = "3" + ".0" * 19 + ".b.5.4.0.2.0.0.0.a.a.d.f.ip6.arpa"

_LINE = "expected one address, network or name; for a line: fdaa 'TEXT'"
_NETWORK = "this is a network"
_APP = "is neither an address nor a network ID"
_PORT = "a port is from 1 to 65535, without leading zeros"
_HOST = "only names that end in .internal are those of apps"
_UNKNOWN = "it is in none of these documents"
_BOTH = "write network:db:5432 for the network, db.internal:5432 for the app"

# What each command reads, or the error that it prints, which begins with an exclamation mark:
# decode and same; reach, as source and as target; whois; probe.
ROWS: list[tuple[str, ...]] = [
    # addresses
    (WEB, WEB, WEB, WEB, WEB),
    ("FDAA:2:045B::3", WEB, WEB, WEB, WEB),
    (f"[{WEB}]", WEB, WEB, WEB, WEB),
    (f"[{WEB}]:5432", WEB, f"[{WEB}]:5432", WEB, f"[{WEB}]:5432"),
    (POINTER, WEB, WEB, WEB, WEB),
    ("self", OWN, OWN, OWN, OWN),
    ("self:3000", OWN, f"[{OWN}]:3000", OWN, f"[{OWN}]:3000"),
    # networks
    ("2:45b", "fdaa:2:45b::/48", "2:45b", f"!{_NETWORK}", f"!{_NETWORK}"),
    (":2:45b:", "fdaa:2:45b::/48", "2:45b", f"!{_NETWORK}", f"!{_NETWORK}"),
    ("2:45", "fdaa:2:45::/48", "2:45", f"!{_NETWORK}", f"!{_NETWORK}"),
    ("0x2045b", "fdaa:2:45b::/48", "2:45b", f"!{_NETWORK}", f"!{_NETWORK}"),
    ("network:2:45b", "fdaa:2:45b::/48", "2:45b", f"!{_NETWORK}", f"!{_NETWORK}"),
    ("fdaa:2:45b::/48", "fdaa:2:45b::/48", "2:45b", f"!{_NETWORK}", f"!{_NETWORK}"),
    (
        "fdaa:2:45b:a7b::/64",
        "fdaa:2:45b:a7b::/64",
        "fdaa:2:45b:a7b::/64",
        f"!{_NETWORK}",
        f"!{_NETWORK}",
    ),
    (
        "network:customer-17",
        "!its ID is not known; use -d FILE",
        "network:customer-17",
        f"!{_NETWORK}",
        "!expected ADDRESS",
    ),
    # apps and hosts
    ("web", f"!{_APP}", "web", f"!{_UNKNOWN}", "web"),
    ("3d-viewer", f"!{_APP}", "3d-viewer", f"!{_UNKNOWN}", "3d-viewer"),
    ("3d-viewer:80", f"!{_APP}", "3d-viewer:80", f"!{_UNKNOWN}", "3d-viewer:80"),
    ("148e21dad76789", f"!{_APP}", "148e21dad76789", f"!{_UNKNOWN}", "148e21dad76789"),
    ("Sea.Web.internal:80", f"!{_APP}", "sea.web.internal:80", f"!{_UNKNOWN}", "sea.web."),
    ("LOCALHOST:1", "!use fdaa probe LOCALHOST:1", f"!{_HOST}", f"!{_HOST}", "localhost:1"),
    ("db.example.com:5432", "!use fdaa probe db.", f"!{_HOST}", f"!{_HOST}", "db.example.com:5432"),
    ("db:5432", "fdaa:db:5432::/48", f"!{_BOTH}", f"!{_BOTH}", f"!{_BOTH}"),
    # an address that is not private
    ("2001:db8::1", *["!does not start with 'fdaa'"] * 3, "2001:db8::1"),
]
# No end to any command, and the error.
REFUSED = [
    ("", "it is empty"),
    ("two words", _LINE),
    (f" {WEB}", _LINE),
    (f"{WEB} {OTHER}", _LINE),
    (f"read tcp [{OTHER}]:4711->[{WEB}]:80: i/o timeout", _LINE),
    ("web:0", _PORT),
    ("web:0000080", _PORT),
    ("web.internal:99999", _PORT),
    (f"[{WEB}]:0", _PORT),
    (f"[{WEB}", "the closing bracket is missing"),
    ("fdaa:2:45b::€4", "is not a hex digit"),
    ("fdaa:2:45b:a7b...", "is not a private address"),
    ("fdaa:2:45b", "only 3 of 8 groups"),
    (f"{WEB}%eth0", "a zone"),
    (f"{WEB}/64", "it is an address with the length of its link"),
    ("fdaa:2:45b::/048", "without leading zeros"),
    ("10.0.0.5:80", "this is an IPv4 address"),
    ("fdaa::/16", "covers many networks"),
    ("network:", "expected the name or the ID"),
    ("network:a_b", "is not a network name"),
]
for _text, _error in REFUSED:
    ROWS.append((_text, *[f"!{_error}"] * 4))

COLUMNS = ("decode", "same", "source", "target", "decode", "probe")


def read_as(column: str, text: str, *options: str) -> str:
    """Return what a command reads in a text; or an exclamation mark, and its error."""
    call = {
        "decode": ("decode", text),
        "same": ("same", text, OTHER),
        "source": ("reach", text, OTHER),
        "target": ("reach", OTHER, text),
        "decode": ("decode", text),
        "probe": ("probe", text),
    }[column]
    if column == "probe":
        options = (*options, "--timeout=0")
    command, *texts = call
    result = invoke(command, *options, "--json", "--", *texts, PLATFORM_PRIVATE_IP=OWN)
    found = [record for record in records(result.stdout) if record.get("kind") != "error"]
    if result.exit_code == 2:
        assert column == "same" or not found
        return f"!{result.stderr}"
    if column == "decode":
        (record,) = found
        return str(record["address"] or record["prefix"])
    if column == "same":
        record = found[0]["addresses"][0]
        return str(record["address"] or record["prefix"])
    if column in ("source", "target"):
        return str(found[0][column])
    if column == "decode":
        return str(found[0].get("address") or found[0]["app"])
    (conclusion,) = [record for record in found if record["kind"] == "conclusion"]
    return str(conclusion["target"])


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("row", ROWS, ids=[ascii(row[0]) for row in ROWS])
def test_each_command_reads_the_same_end(row: tuple[str, ...], column: str) -> None:
    text, value, end, held, probed = row
    wanted = {"decode": value, "same": value, "decode": held, "probe": probed}.get(column, end)
    found = read_as(column, text)
    assert found[:1] == wanted[:1], found
    if wanted.startswith("!"):
        assert wanted[1:] in found
    elif column == "probe":
        assert found.lower().startswith(wanted.lower())
    else:
        assert found == wanted


@pytest.mark.parametrize("command", ["decode", "same", "decode"])
@pytest.mark.parametrize("text", [row[0] for row in ROWS if row[0].strip()], ids=ascii)
def test_a_line_of_standard_input_is_what_an_argument_is(command: str, text: str) -> None:
    """Only white space around a line is no part of it."""
    beside = [OTHER] if command == "same" else []
    argument = invoke(command, text.strip(), *beside, "--json", PLATFORM_PRIVATE_IP=OWN)
    line = invoke(command, "-", *beside, "--json", stdin=text.encode(), PLATFORM_PRIVATE_IP=OWN)
    assert (line.stdout, line.exit_code) == (argument.stdout, argument.exit_code)


@pytest.mark.parametrize("column", ["decode", "same"])
def test_the_other_reading_of_an_id_that_may_be_an_app_is_noted(column: str) -> None:
    call = ("decode", "db:5432") if column == "decode" else ("same", "db:5432", OTHER)
    note = "fdaa: 'db:5432': read as a network ID; for the app: db.internal:5432\n"
    assert invoke(*call).stderr == note


APPS = {"apps": [{"name": "db", "network": "blue"}], "total_apps": 1}
MACHINES = [{"id": "m", "private_ip": "fdaa:db:5432::3"}]


@pytest.mark.parametrize(
    ("document", "end", "note"),
    [
        ("-d", "db.internal:5432", "read as app db; for the network: network:db:5432\n"),
        ("-d", "network:db:5432", "read as a network ID; for the app: db.internal:5432\n"),
    ],
)
def test_documents_decide_what_an_id_that_may_be_an_app_is(
    document: str, end: str, note: str
) -> None:
    rows = APPS if document == "-d" else MACHINES
    given = (document, save("document.json", rows))
    result = invoke("reach", "db:5432", OTHER, *given, "--json")
    assert records(result.stdout)[0]["source"] == end
    assert note in result.stderr
    assert read_as("target", "db:5432", *given) == end
    if document == "-d":  # a network is refused by these two
        assert read_as("decode", "db:5432", *given) == "db"
        assert read_as("probe", "db:5432", *given) == "db.internal:5432"


def test_the_book_has_the_id_of_a_network() -> None:
    row = {"network_id": "2:45b", "network_id_int": 132187}
    book = save("book.json", {"fdaa_book": 1, "networks": {"customer-17": row}})
    for column in ("decode", "same"):
        assert read_as(column, "network:customer-17", "-d", book) == "fdaa:2:45b::/48"
        assert "is not in the book" in read_as(column, "network:customer-18", "-d", book)
        assert _APP in read_as(column, "customer-17", "-d", book)
    assert read_as("source", "network:customer-17", "-d", book) == "network:customer-17"


@pytest.mark.parametrize("column", ["decode", "same", "decode"])
@pytest.mark.parametrize(
    ("name", "typed"),
    [("it's a.log", shlex.quote("it's a.log")), ("-n.log", "-- -n.log"), ("a\nb", r"$'a\x0ab'")],
)
def test_the_name_of_a_file_gets_a_hint_to_scan_it(column: str, name: str, typed: str) -> None:
    Path(name).touch()
    assert f"this is a file; use: fdaa scan {typed}" in read_as(column, name)


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("web", ("network:web -d FILE", "fdaa whois web")),
        ("web.internal:80", ("fdaa whois web.internal:80", "fdaa probe web.internal:80")),
        ("db.example", ("fdaa probe db.example",)),
        ("-n", ("fdaa whois -- -n",)),
        ("a;b", ("fdaa whois 'a;b'",)),
    ],
)
def test_what_is_no_address_gets_the_commands_that_take_it(
    text: str, typed: tuple[str, ...]
) -> None:
    shown = read_as("decode", text)
    assert all(command in shown for command in typed)
    invoke("book", "add", "blue", "0:18", "-d", "my book.json")
    with_book = read_as("decode", text, "-d", "my book.json")
    assert "-d 'my book.json'" in with_book
    assert "FILE" not in with_book


# --- self -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [("decode", WEB), ("decode", WEB), ("same", WEB, OTHER), ("reach", WEB, OTHER)],
)
def test_a_call_that_does_not_use_the_variable_says_nothing_of_it(call: tuple[str, ...]) -> None:
    for variable in ("10.0.0.1", "fdaa:9:9::1"):
        assert invoke(*call, PLATFORM_PRIVATE_IP=variable).stderr == ""


@pytest.mark.parametrize(
    "call",
    [
        ("decode", "self"),
        ("decode", "self"),
        ("same", "self", "self"),
        ("reach", "self", OTHER),
        ("reach", OTHER, "self:80"),
    ],
)
def test_an_own_address_that_no_interface_has_is_noted_once(call: tuple[str, ...]) -> None:
    stderr = invoke(*call, PLATFORM_PRIVATE_IP=OWN).stderr
    assert stderr.count(f"PLATFORM_PRIVATE_IP is {OWN}, but no interface of this computer") == 1
    assert as_in_a_machine(stderr) == ""


# --- errors ---------------------------------------------------------------------------------------


def test_a_long_text_gets_a_short_error() -> None:
    for text in ("x y " * 10_000, "z" * 60_000, "fdaa" * 10_000, "x." * 20_000, "x" * 100_000):
        result = invoke("decode", text)
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr) < 400


CARETS = (
    # text, the two lines that show the place, why
    ("fdaa::1g", "  fdaa::1g\n         ^", "the last character"),
    ("fdaa:::1", "  fdaa:::1\n        ^", "in the middle"),
    ("fdaa\x1b::1", "  fdaa\\x1b::1\n      ^", "escaped"),
    ("fdaa\u65e5::1", "  fdaa\u65e5::1\n      ^", "a wide character"),
    ("fdaa:\u65e5\u672c:g:", "  fdaa:\u65e5\u672c:g:\n       ^", "two wide characters"),
    ("fdaa:e\u0301::1", "  fdaa:e\u0301::1\n       ^", "a combining character, over the e"),
    ("fdaa::" + "1" * 100, f"  fdaa::{'1' * 40}...\n            ^", "a long text"),
    ("fdaa:0:0:0000:000:0000:0000:0000g" + "x" * 90, None, "a long text, cut on both sides"),
)


@pytest.mark.parametrize(("text", "shown", "why"), CARETS, ids=[row[2] for row in CARETS])
def test_the_place_of_a_fault_is_shown(text: str, shown: str | None, why: str) -> None:
    stderr = invoke("decode", text).stderr
    assert "(index" not in stderr
    if shown is not None:
        assert stderr.partition("\n")[2] == shown + "\n", why
    for line in stderr.splitlines()[1:]:
        assert len(line) <= 80


def test_only_the_first_complaints_are_printed() -> None:
    lines = b"fdaa::1\n" + b"bad\n" * 1234
    result = invoke("decode", "--field", "input", stdin=lines)
    assert result.stderr.count("'bad'") == 10
    assert result.stderr.splitlines()[-1] == "fdaa: and 1,224 more like these"
    quiet = invoke("decode", "-q", "--field", "input", stdin=lines)
    assert (quiet.stdout, quiet.stderr, quiet.exit_code) == ("", result.stderr, 2)
