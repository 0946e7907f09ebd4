"""What is printed of a scan."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import slow_scan
from hypothesis import given
from hypothesis import strategies as st
from scan_output import LOG, near_lines, output, pieces

# Private: only so can a text be cut into blocks of any size.
from fdaa.scan._pieces import Front
from fdaa.scan._report import annotate, lines, matches, records
from fdaa.scan.engine import Filter, MarkKind

if TYPE_CHECKING:
    from fdaa.scan._report import Render

ON_18 = Filter(frozenset({0x18}))
NOT_ON_18 = Filter(frozenset({0x18}), invert=True)

# What each prints is shown by tests of the command.
every_render = pytest.mark.parametrize(
    "render",
    [
        *(matches(), matches(front=Front(b"log", numbered=True)), matches(ON_18)),
        *(lines(), lines(front=Front(b"log", numbered=True)), lines(NOT_ON_18)),
        *(annotate(), annotate(ON_18), records("log"), records("log", NOT_ON_18)),
    ],
)


@every_render
@pytest.mark.parametrize("size", [1, 5, 30])
def test_the_output_does_not_depend_on_the_size_of_a_block(render: Render, size: int) -> None:
    assert output(render, LOG, size) == output(render, LOG)
    assert output(render, LOG)[1] is True


@pytest.mark.parametrize(
    "render", [matches(), matches(front=Front(numbered=True)), lines(), records("log")]
)
def test_without_a_match_nothing_is_printed(render: Render) -> None:
    assert output(render, b"boot\n2001:db8:fdaa::1 FDAA::1X\n") == (b"", False)


def test_without_a_match_nothing_is_annotated() -> None:
    text = b"boot\n2001:db8:fdaa::1 FDAA::1X\n"
    assert output(annotate(), text) == (text, False)


def test_a_file_may_have_any_name() -> None:
    (record,) = output(records("50%\n.log"), b"FDAA::1:X")[0].splitlines()
    assert (json.loads(record)["file"], json.loads(record)["text"]) == ("50%\n.log", "FDAA::1")
    (record,) = output(records("caf\udce9.log"), b"fdaa::1")[0].splitlines()
    assert json.loads(record)["file"] == "caf\\xe9.log"  # bytes that are not UTF-8


IN_FRONT = Front(b"log", numbered=True)
MARKED: tuple[tuple[Any, Any, dict[MarkKind, bytes], str], ...] = (
    # what is printed, the same with marks, all marked texts, why
    (matches(), matches(marked=True), {}, "addresses only"),
    (
        matches(front=IN_FRONT),
        matches(front=IN_FRONT, marked=True),
        {MarkKind.FILE: b"log log log log", MarkKind.LINE_NUMBER: b"2 2 4 5"},
        "with their places",
    ),
    (
        matches(front=Front(b"log")),
        matches(front=Front(b"log"), marked=True),
        {MarkKind.FILE: b"log log log log"},
        "with the name of the file",
    ),
    (
        lines(front=IN_FRONT),
        lines(front=IN_FRONT, marked=True),
        {MarkKind.FILE: b"log log log", MarkKind.LINE_NUMBER: b"2 4 5"},
        "lines with their places",
    ),
)


@pytest.mark.parametrize(
    ("plain", "marked", "in_front", "why"), MARKED, ids=[row[3] for row in MARKED]
)
@pytest.mark.parametrize("size", [7, 4096])
def test_what_has_a_colour_is_marked_and_the_same(
    plain: Render, marked: Render, in_front: dict[MarkKind, bytes], why: str, size: int
) -> None:
    printed = pieces(marked, LOG, size)
    assert output(marked, LOG, size) == output(plain, LOG)
    assert not any(piece.marks for piece in pieces(plain, LOG, size)), why
    texts: dict[MarkKind, list[bytes]] = {}
    for piece in printed:
        assert list(piece.marks) == sorted(piece.marks, key=lambda mark: mark.start)
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
    assert {kind: b" ".join(marked) for kind, marked in texts.items()} == in_front


def test_a_line_too_long_for_memory_is_printed_whole() -> None:
    line = b"x" * (3 * 1024 * 1024) + b" fdaa::1 " + b"y" * (3 * 1024 * 1024) + b"\n"
    without = b"z" * (3 * 1024 * 1024) + b"\n"
    assert output(lines(), without + line + without + line) == (line * 2, True)


def test_a_printed_line_ends_where_it_ends_in_a_later_block() -> None:
    text = b"fdaa::1 " + b"x" * 40 + b"\nno\nno\nfdaa::2\nno\n"
    for size in (20, 45, 52):
        assert output(lines(), text, size) == (text[:49] + b"fdaa::2\n", True)


@given(near_lines, st.integers(1, 200))
def test_lines_are_those_that_hold_a_match(text: str, size: int) -> None:
    numbered = enumerate(text.removesuffix("\n").split("\n"), 1)
    expected = "".join(f"{number}:{line}\n" for number, line in numbered if slow_scan.find(line))
    assert output(lines(front=Front(numbered=True)), text.encode(), size)[0].decode() == expected


@pytest.mark.parametrize("dots", range(480, 520, 3))
@pytest.mark.parametrize("size", [1, 128])
def test_an_address_that_reaches_over_its_block_is_printed_once(dots: int, size: int) -> None:
    text = b"a fdaa:0:18::3" + b"." * dots + b" fdaa::1 " + b"b" * 200
    marked = text.replace(b"18::3", b"18::3 [0:18]").replace(b"::1 ", b"::1 [0:0] ")
    assert output(annotate(), text, size) == (marked, True)


def test_networks_are_reported_with_their_length() -> None:
    text = b"route fdaa:0:18::/48 via fdaa::/16\n"
    assert output(matches(), text)[0] == b"fdaa:0:18::/48\t0:18\n"
    assert output(annotate(), text)[0] == b"route fdaa:0:18::/48 [0:18] via fdaa::/16\n"
    record = json.loads(output(records("log"), text)[0])
    assert (record["text"], record["address"]) == ("fdaa:0:18::/48", "fdaa:0:18::")
    assert record["prefix_length"] == 48


MEMORY = """
import os, sys
def most():  # in KiB; getrusage would count what its parent had, too
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
from fdaa.scan.engine import Options, Scan, Show
before = most()
print(sum(event.found for event in Scan(["-"], Options(Show(sys.argv[1])))), most() - before)
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
        texts = (b"fdaa:0:%x::%x fdaa:%x%0480x" % (i, number, number, i) for i in range(130))
        process.stdin.write((separator.join(texts)).ljust(98_000, b"x") + separator)
    found, growth = process.communicate()[0].split()
    assert int(found) > 0
    assert int(growth) < 32 * 1024
