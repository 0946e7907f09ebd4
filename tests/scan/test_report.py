"""What is printed of a scan."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
import slow_scan
from hypothesis import given
from hypothesis import strategies as st
from scan_output import LOG, near_lines, output, pieces

from fdaa.scan import count, find_in_file
from fdaa.scan._pieces import MarkKind, Piece
from fdaa.scan._report import Filter
from fdaa.scan._run import Options, Scan, Show

ON_18 = Filter(frozenset({0x18}))
NOT_ON_18 = Filter(frozenset({0x18}), invert=True)

# The tests of the command show what each prints.
ALL_OPTIONS = [
    Options(),
    Options(numbered=True, with_name=True),
    Options(keep=ON_18),
    Options(Show.LINES),
    Options(Show.LINES, numbered=True, with_name=True),
    Options(Show.LINES, keep=NOT_ON_18),
    Options(Show.ANNOTATED),
    Options(Show.ANNOTATED, keep=ON_18),
    Options(Show.RECORDS),
    Options(Show.RECORDS, keep=NOT_ON_18),
]


@pytest.mark.parametrize("options", ALL_OPTIONS)
@pytest.mark.parametrize("size", [1, 5, 30])
def test_the_output_does_not_depend_on_the_size_of_a_block(options: Options, size: int) -> None:
    assert output(options, LOG, size) == output(options, LOG)
    assert output(options, LOG)[1] is True


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(numbered=True),
        Options(Show.LINES),
        Options(Show.RECORDS),
    ],
)
def test_without_a_match_nothing_is_printed(options: Options) -> None:
    assert output(options, b"boot\n2001:db8:fdaa::1 FDAA::1X\n") == (b"", False)


def test_without_a_match_nothing_is_annotated() -> None:
    text = b"boot\n2001:db8:fdaa::1 FDAA::1X\n"
    assert output(Options(Show.ANNOTATED), text) == (text, False)


@pytest.mark.parametrize(
    ("name", "in_json"),
    [
        pytest.param("50%\n.log", "50%\n.log", id="a percent sign and a line feed"),
        pytest.param("caf\udce9.log", "caf\\xe9.log", id="a byte that is not UTF-8"),
    ],
)
def test_a_file_may_have_any_name(
    name: str, in_json: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(b"FDAA::1:X")
    (piece,) = Scan([name], Options(Show.RECORDS))
    assert isinstance(piece, Piece)
    record = json.loads(piece.data)
    assert record["file"] == in_json
    assert record["text"] == "FDAA::1"


@pytest.mark.parametrize(
    ("show", "numbered", "with_name", "in_front"),
    [
        pytest.param(Show.MATCHES, False, False, {}, id="matches"),
        pytest.param(
            Show.MATCHES,
            True,
            True,
            {MarkKind.FILE: b"- - - -", MarkKind.LINE_NUMBER: b"2 2 4 5"},
            id="matches with their places",
        ),
        pytest.param(
            Show.MATCHES,
            False,
            True,
            {MarkKind.FILE: b"- - - -"},
            id="matches with the name of the file",
        ),
        pytest.param(
            Show.LINES,
            True,
            True,
            {MarkKind.FILE: b"- - -", MarkKind.LINE_NUMBER: b"2 4 5"},
            id="lines with their places",
        ),
    ],
)
@pytest.mark.parametrize("size", [7, 4096])
def test_what_has_a_colour_is_marked_and_the_same(
    show: Show, numbered: bool, with_name: bool, in_front: dict[MarkKind, bytes], size: int
) -> None:
    plain = Options(show, numbered=numbered, with_name=with_name)
    marked = Options(show, numbered=numbered, with_name=with_name, marked=True)
    assert output(marked, LOG, size) == output(plain, LOG)
    for piece in pieces(plain, LOG, size):
        assert piece.marks == ()
    texts: dict[MarkKind, list[bytes]] = {}
    for piece in pieces(marked, LOG, size):
        starts = [mark.start for mark in piece.marks]
        assert starts == sorted(starts)
        for mark in piece.marks:
            texts.setdefault(mark.kind, []).append(piece.data[mark.start : mark.end])
    found = texts.pop(MarkKind.MATCH)
    assert [text.lower() for text in found] == [
        b"fdaa:0:18::3",
        b"fdaa:2:45b::4",
        b"fdaa:0:18::3",
        b"fdaa:0:18::9",
    ]
    separators = texts.pop(MarkKind.SEPARATOR, [])
    assert len(separators) == sum(map(len, texts.values()))
    assert set(separators) <= {b":"}
    assert {kind: b" ".join(marked_texts) for kind, marked_texts in texts.items()} == in_front


def test_a_line_too_long_for_memory_is_printed_whole() -> None:
    size = 3 * 1024 * 1024
    line = b"x" * size + b" fdaa::1 " + b"y" * size + b"\n"
    without = b"z" * size + b"\n"
    assert output(Options(Show.LINES), without + line + without + line) == (line * 2, True)


def test_a_printed_line_ends_where_it_ends_in_a_later_block() -> None:
    text = b"fdaa::1 " + b"x" * 40 + b"\nno\nno\nfdaa::2\nno\n"
    for size in (20, 45, 52):
        assert output(Options(Show.LINES), text, size) == (text[:49] + b"fdaa::2\n", True)


@given(near_lines, st.integers(1, 200))
def test_lines_are_those_that_hold_a_match(text: str, size: int) -> None:
    expected = ""
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        if slow_scan.find(line):
            expected += f"{number}:{line}\n"
    printed, _ = output(Options(Show.LINES, numbered=True), text.encode(), size)
    assert printed.decode() == expected


@pytest.mark.parametrize("dots", range(480, 520, 3))
@pytest.mark.parametrize("size", [1, 128])
def test_an_address_that_reaches_over_its_block_is_printed_once(dots: int, size: int) -> None:
    text = b"a fdaa:0:18::3" + b"." * dots + b" fdaa::1 " + b"b" * 200
    marked = text.replace(b"18::3", b"18::3 [0:18]").replace(b"::1 ", b"::1 [0:0] ")
    assert output(Options(Show.ANNOTATED), text, size) == (marked, True)


def test_networks_are_reported_with_their_length() -> None:
    text = b"route fdaa:0:18::/48 via fdaa::/16\n"
    assert output(Options(), text)[0] == b"fdaa:0:18::/48\t0:18\n"
    assert (
        output(Options(Show.ANNOTATED), text)[0] == b"route fdaa:0:18::/48 [0:18] via fdaa::/16\n"
    )
    record = json.loads(output(Options(Show.RECORDS), text)[0])
    assert (record["kind"], record["address"]) == ("prefix", None)
    assert record["text"] == record["prefix"] == "fdaa:0:18::/48"


MEMORY = """
import sys
def most():  # in KiB; getrusage would count what its parent had, too
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
from fdaa.scan._run import Options, Scan, Show
before = most()
found = 0
for event in Scan(["-"], Options(Show(sys.argv[1]))):
    found += event.found
print(found, most() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measured as Linux does")
@pytest.mark.parametrize("show", ["matches", "lines"])
@pytest.mark.parametrize("separator", [b"\n", b" "])
def test_memory_does_not_grow_with_the_input(show: str, separator: bytes) -> None:
    """40 MB, as lines or as one line, all texts distinct, many long, in less than 32 MB more."""
    process = subprocess.Popen(
        [sys.executable, "-c", MEMORY, show], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin
    for number in range(400):
        texts = [b"fdaa:0:%x::%x fdaa:%x%0480x" % (i, number, number, i) for i in range(130)]
        process.stdin.write(separator.join(texts).ljust(98_000, b"x") + separator)
    found, growth = process.communicate()[0].split()
    assert int(found) > 0
    assert int(growth) < 32 * 1024


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
