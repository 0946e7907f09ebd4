"""What is printed of a scan."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import slow_scan
from hypothesis import given, settings
from hypothesis import strategies as st
from scan_output import LOG, near_lines, output

from fdaa.scan import count, find_in_file
from fdaa.scan._pieces import Piece
from fdaa.scan._report import Filter
from fdaa.scan._run import Options, Scan, Show

ON_18 = Filter(frozenset({0x18}))
NOT_ON_18 = Filter(frozenset({0x18}), invert=True)

# The tests of the command show what each prints.
ALL_OPTIONS = [
    Options(numbered=True, with_name=True),
    Options(keep=ON_18),
    Options(Show.LINES, keep=NOT_ON_18),
    Options(Show.ANNOTATED, keep=ON_18),
    Options(Show.RECORDS, keep=NOT_ON_18),
]


@pytest.mark.parametrize("options", ALL_OPTIONS)
def test_the_output_does_not_depend_on_how_the_input_arrives(options: Options) -> None:
    assert output(options, LOG, 5) == output(options, LOG)
    assert output(options, LOG)[1] is True


def test_a_file_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A percent sign, a line feed, and a byte that is not UTF-8."""
    monkeypatch.chdir(tmp_path)
    Path("50%\ncaf\udce9.log").write_bytes(b"FDAA::1:X")
    (piece,) = Scan(["50%\ncaf\udce9.log"], Options(Show.RECORDS))
    assert isinstance(piece, Piece)
    record = json.loads(piece.data)
    assert (record["file"], record["text"]) == ("50%\ncaf\\xe9.log", "FDAA::1")


def test_a_line_too_long_for_memory_is_printed_whole() -> None:
    size = 3 * 1024 * 1024
    line = b"x" * size + b" fdaa::1 " + b"y" * size + b"\n"
    without = b"z" * size + b"\n"
    assert output(Options(Show.LINES), without + line + without + line) == (line * 2, True)


@settings(max_examples=20)
@given(near_lines, st.integers(1, 200))
def test_lines_are_those_that_hold_a_match(text: str, size: int) -> None:
    expected = ""
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        if slow_scan.find(line):
            expected += f"{number}:{line}\n"
    printed, _ = output(Options(Show.LINES, numbered=True), text.encode(), size)
    assert printed.decode() == expected


def test_networks_are_reported_with_their_length() -> None:
    text = b"route fdaa:0:18::/48 via fdaa::/16\n"
    assert output(Options(), text)[0] == b"fdaa:0:18::/48\t0:18\n"
    record = json.loads(output(Options(Show.RECORDS), text)[0])
    assert (record["kind"], record["address"]) == ("prefix", None)
    assert record["text"] == record["prefix"] == "fdaa:0:18::/48"


def test_lines_are_counted_through_many_blocks() -> None:
    """A block has 96 KiB."""
    log = b"boot\n" * 50_000 + b"fdaa::1\n" + b"x" * 200_000 + b"\nfdaa::2 fdaa::2\n"
    printed, _ = output(Options(numbered=True), log, 65_536)
    assert printed == b"50001:fdaa::1\t0:0\n" + b"50003:fdaa::2\t0:0\n" * 2
    records, _ = output(Options(Show.RECORDS), log, 65_536)
    found = [match.to_dict() for match in find_in_file(io.BytesIO(log))]
    assert [record["line"] for record in found] == [50001, 50003, 50003]
    for line, record in zip(records.splitlines(), found, strict=True):
        assert json.loads(line) == {"file": "-", **record}
    (network,) = count([io.BytesIO(log)])
    assert network.to_dict()["first"] == {"file": "stream", "line": 50001}
