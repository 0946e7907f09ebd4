"""`fdaa decode`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import COMMAND, invoke, on_terminal, records, run, start

from fdaa import Prefix

TEXT = "FDAA:2:45b:a7b:174:db43:d3c6:2"

UNICODE = """\
fdaa:2:45b:a7b:174:db43:d3c6:2
  ┌──────────┬──────────────┬────────────────────────────┐
  │   fdaa   │  0002:045b   │  0a7b:0174:db43:d3c6:0002  │
  └──────────┴──────────────┴────────────────────────────┘
     fixed      network ID               rest
    16 bits      32 bits               80 bits
  network ID       2:45b  0x2045b  132187
  prefix           fdaa:2:45b::/48
  exploded         fdaa:0002:045b:0a7b:0174:db43:d3c6:0002
  reverse pointer
    2.0.0.0.6.c.3.d.3.4.b.d.4.7.1.0.b.7.a.0.b.5.4.0.2.0.0.0.a.a.d.f.ip6.arpa
"""

RECORD = {
    "input": TEXT,
    "kind": "address",
    "address": "fdaa:2:45b:a7b:174:db43:d3c6:2",
    "network_id": "2:45b",
    "network_id_int": 132187,
    "prefix": "fdaa:2:45b::/48",
    "rest": "0a7b0174db43d3c60002",
    "packed": "fdaa0002045b0a7b0174db43d3c60002",
    "exploded": "fdaa:0002:045b:0a7b:0174:db43:d3c6:0002",
    "reverse_pointer": ("2.0.0.0.6.c.3.d.3.4.b.d.4.7.1.0.b.7.a.0.b.5.4.0.2.0.0.0.a.a.d.f.ip6.arpa"),
}


def test_a_person_sees_the_bits_and_the_forms_of_the_parts() -> None:
    assert invoke("decode", "--picture", TEXT).stdout == UNICODE


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_the_picture_is_drawn_in_ascii_where_the_encoding_has_no_lines(encoding: str) -> None:
    shown = run("decode", "--picture", TEXT, PYTHONIOENCODING=encoding).stdout.decode()
    assert shown == UNICODE.translate(str.maketrans("┌┬┐└┴┘─│", "++++++-|"))


def test_a_terminal_gets_colour_and_otherwise_the_same_text() -> None:
    output, status = on_terminal("decode", "--picture", TEXT)
    assert status == 0
    assert output.count(b"\x1b[") > 0
    without_colours = re.sub(rb"\x1b\[[0-9]+m", b"", output)
    no_color, _ = on_terminal("decode", "--picture", TEXT, NO_COLOR="1")
    dumb, _ = on_terminal("decode", "--picture", TEXT, TERM="dumb")
    for shown in (without_colours, no_color, dumb):
        assert shown.decode().replace("\r\n", "\n") == UNICODE


@pytest.mark.parametrize(
    ("arguments", "variables", "coloured"),
    [
        (["--color", "always"], {}, True),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ([], {}, False),
    ],
)
def test_color_is_chosen_by_option_and_variables(
    arguments: list[str], variables: dict[str, str], coloured: bool
) -> None:
    shown = invoke("decode", "--picture", TEXT, *arguments, env=variables).stdout
    assert ("\x1b[" in shown) is coloured
    assert re.sub("\x1b\\[[0-9]+m", "", shown) == UNICODE


@pytest.mark.parametrize("text", [TEXT, "fdaa:ffff:ffff::/48", "fdaa:0:18:a7b::/64"])
def test_every_line_fits_a_terminal_of_60_columns(text: str) -> None:
    shown = invoke("decode", "--picture", text, COLUMNS="60").stdout
    for line in shown.splitlines():
        assert len(line) <= 60


def test_a_reverse_pointer_is_wrapped_on_a_narrow_terminal() -> None:
    shown = invoke("decode", "--picture", TEXT, COLUMNS="60").stdout
    pointer = re.search(r"reverse pointer\n((?: +\S+\n)+)", shown)
    assert pointer
    assert "".join(pointer[1].split()) == RECORD["reverse_pointer"]


def test_a_table_is_as_wide_as_its_longest_row_and_a_list_where_that_does_not_fit() -> None:
    lines = b"fdaa:1::1\nfdaa:ffff:ffff:ffff:ffff:ffff:ffff:fff1\n"  # the later row is longer
    wide = invoke("decode", stdin=lines).stdout.splitlines()
    assert wide == [
        "address                                  ID",
        "fdaa:1::1                                1:0",
        "fdaa:ffff:ffff:ffff:ffff:ffff:ffff:fff1  ffff:ffff",
    ]
    narrow = invoke("decode", stdin=lines, COLUMNS="45").stdout.splitlines()
    assert narrow == [
        "fdaa:1::1",
        "  ID       1:0",
        "fdaa:ffff:ffff:ffff:ffff:ffff:ffff:fff1",
        "  ID       ffff:ffff",
    ]


def test_several_descriptions_are_separated_by_a_blank_line() -> None:
    first = invoke("decode", "--picture", "fdaa::1").stdout
    second = invoke("decode", "--picture", "fdaa::2").stdout
    both = invoke("decode", "--picture", "fdaa::1", "fdaa::2").stdout
    assert both == f"{first}\n{second}"


def test_json_has_these_fields_in_this_order() -> None:
    (fields,) = records(invoke("decode", "--json", TEXT).stdout)
    assert list(fields.items()) == list(RECORD.items())


def test_a_refused_input_is_json_too_and_reported() -> None:
    result = invoke("decode", "--json", "fdaa::1", "fdaa::1g", "fdaa::2")
    before, refused, after = records(result.stdout)
    assert (before["input"], after["input"]) == ("fdaa::1", "fdaa::2")
    assert refused["kind"] == "error"
    assert (refused["input"], refused["at"]) == ("fdaa::1g", 7)
    assert refused["error"] == "'g' is not a hex digit"
    assert "fdaa::1g" in result.stderr
    assert result.exit_code == 2


def test_fields_are_separated_by_tabs_in_the_order_asked_for() -> None:
    for name, value in RECORD.items():
        assert invoke("decode", "--field", name, TEXT).stdout == f"{value or ''}\n"
    result = invoke("decode", "--field", "prefix", "--field", "network_id", TEXT, "fdaa::3")
    assert result.stdout == "fdaa:2:45b::/48\t2:45b\nfdaa::/48\t0:0\n"


def test_json_and_fields_exclude_each_other() -> None:
    result = invoke("decode", "--json", "--field", "rest", TEXT)
    assert result.exit_code == 2
    assert "--json and --field cannot be combined" in result.stderr
    for option in ("--json", "--field=rest"):
        drawn = invoke("decode", option, "--picture", TEXT)
        assert (drawn.exit_code, drawn.stdout) == (2, "")


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ((), "fdaa::1\nfdaa::2\n"),
        (("fdaa::5", "-", "fdaa::6"), "fdaa::5\nfdaa::1\nfdaa::2\nfdaa::6\n"),
    ],
)
def test_lines_are_read_from_standard_input(arguments: tuple[str, ...], shown: str) -> None:
    result = invoke("decode", "--field", "input", *arguments, stdin=b"fdaa::1\nfdaa::2")
    assert (result.stdout, result.exit_code) == (shown, 0)


def test_a_bad_line_is_reported_with_its_number_and_the_rest_goes_on() -> None:
    lines = [
        b"fdaa::1\r",  # line 1: an end of CRLF is no part of the address
        b"",
        b" \t\r",  # lines 2 and 3: blank
        b"nothing",
        b"fdab::\x1b[31m2",  # line 5: what a terminal would obey
        b"fdab::\x9b31m",  # line 6: the same in one byte
        b"fdab::\xff\xfe",  # line 7: no UTF-8
        b"fdaa::9",  # line 8, without an end
    ]
    result = invoke("decode", "--field", "input", stdin=b"\n".join(lines))
    assert result.stdout == "fdaa::1\nfdaa::9\n"
    reported = re.findall("^fdaa: (.*?): ", result.stderr, re.MULTILINE)
    assert reported == ["line 4", "line 5", "line 6", "line 7"]
    assert result.stderr.isascii()
    assert "\x1b" not in result.stderr
    assert result.exit_code == 2


# --- networks -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "prefix"),
    [
        ("2:45b", "fdaa:2:45b::/48"),
        ("FDAA:0:18:A7B::/64", "fdaa:0:18:a7b::/64"),
        ("fdaa::/48", "fdaa::/48"),  # the services of the platform
    ],
)
def test_a_network_is_not_shown_as_an_address(text: str, prefix: str) -> None:
    shown = invoke("decode", text)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert shown.stdout.startswith(f"{prefix}\n  network ID ")
    assert "exploded" not in shown.stdout
    (fields,) = records(invoke("decode", "--json", text).stdout)
    assert list(fields) == list(RECORD)
    assert (fields["kind"], fields["prefix"]) == ("prefix", prefix)
    assert fields["network_id"] == str(Prefix(prefix).network_id)
    for name in ("address", "rest", "packed", "exploded"):
        assert fields[name] is None
    assert fields["prefix"] in shown.stdout
    assert invoke("decode", "--field", "address", text).stdout == "\n"


def test_a_network_is_shown_by_its_name_in_a_book(tmp_path: Path) -> None:
    book = str(tmp_path / "networks.json")
    row = {"network_id": "2:45b", "network_id_int": 132187}
    Path(book).write_text(json.dumps({"fdaa_book": 1, "networks": {"customer-17": row}}))
    shown = invoke("decode", "network:customer-17", "-d", book)
    assert shown.stdout == (
        "fdaa:2:45b::/48\n"
        "  network name     customer-17\n"
        "  network ID       2:45b  0x2045b  132187\n"
        "  prefix           fdaa:2:45b::/48\n"
    )
    assert invoke("decode", "2:45b", "-d", book).stdout == shown.stdout


# --- standard input and memory --------------------------------------------------------------------


def test_what_is_no_utf_8_is_escaped_in_json() -> None:
    result = invoke("decode", "--json", stdin=b"fdaa::\xff\x7f\n")
    assert result.stdout.isascii()
    assert "\x7f" not in result.stdout
    assert records(result.stdout)[0]["input"] == "fdaa::\\xff\x7f"


def test_a_line_that_is_too_long_is_refused_and_the_next_is_read() -> None:
    """The end of what is kept of it could be in the middle of an address."""
    longest = b"fdaa::1".rjust(65536)
    lines = [longest, longest + b"\r", longest + b":2:3", longest + b"\rx", b"fdaa:0:18::3"]
    result = invoke("decode", "--field", "network_id", stdin=b"\n".join(lines))
    assert (result.stdout, result.exit_code) == ("0:0\n0:0\n0:18\n", 2)
    assert result.stderr.count("a line has at most 65,536 bytes; use fdaa scan") == 2


def test_results_come_as_the_lines_do_and_a_line_may_come_in_pieces() -> None:
    with start("decode", "--field", "network_id") as process:
        process.stdin.write(b"fdaa:1:2::3\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"1:2\n"  # the input has not ended
        for piece in (b"fdaa:3", b":4::5\nfdaa:5:6"):
            process.stdin.write(piece)
            process.stdin.flush()
        assert process.stdout.readline() == b"3:4\n"
        stdout, _ = process.communicate(b"::7", timeout=60)
        assert (stdout, process.returncode) == (b"5:6\n", 0)


def test_a_terminal_and_no_argument_is_a_wrong_call() -> None:
    output, status = on_terminal("decode")
    assert status == 2
    assert b"give an address, or lines on standard input" in output


_MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdin=0, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.parametrize(
    "line", [b"fdaa:1:2::3\n" + b" " * 1000 + b"\n", b"f" * 65536], ids=["many", "one long"]
)
def test_memory_does_not_grow_with_the_input(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(line * (65_536 // len(line)))
    for_little = peak_memory(path)
    path.write_bytes(line * (16 * 2**20 // len(line)))
    for_much = peak_memory(path)
    assert for_much - for_little < 4096


def peak_memory(path: Path) -> int:
    """Return the most memory that decoding a file takes, in KiB."""
    command = [sys.executable, "-c", _MEASURED, *COMMAND, "decode", "--field", "input"]
    with path.open("rb") as stdin:
        return int(subprocess.check_output(command, stdin=stdin))
