"""What is printed of a scan."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import slow_scan
from hypothesis import given
from hypothesis import strategies as st
from scan_output import (
    LOG,
    NOT_ON_18,
    ON_18,
    annotate,
    lines,
    matches,
    near_lines,
    numbered_matches,
    output,
    records,
)

from fdaa.scan._blocks import read_blocks

if TYPE_CHECKING:
    from scan_output import Render


# What each prints is for tests of the command to say.
each_render = pytest.mark.parametrize(
    "render",
    [
        *(matches(), numbered_matches(front=b"log:"), lines(), annotate(), records()),
        *(lines(front=b"log:", numbered=True), matches(keep=ON_18), lines(keep=NOT_ON_18)),
        *(records(keep=NOT_ON_18), annotate(keep=ON_18)),
    ],
)


@each_render
@pytest.mark.parametrize("size", [1, 5, 30])
def test_the_output_does_not_depend_on_what_is_read_at_once(render: Render, size: int) -> None:
    assert output(render, LOG, size) == output(render, LOG)


@each_render
def test_whether_something_was_found_is_said(render: Render) -> None:
    text = b"boot\n2001:db8:fdaa::1 FDAA::1X\n"
    assert output(render, text) in ((text, False), (b"", False))
    assert output(render, LOG)[1] is True


def test_a_file_may_have_any_name() -> None:
    (record,) = output(records(file="50%\n.log"), b"FDAA::1:X")[0].splitlines()
    assert (json.loads(record)["file"], json.loads(record)["text"]) == ("50%\n.log", "FDAA::1")


@pytest.mark.parametrize("size", [7, 4096])
def test_the_places_of_matches_in_lines_are_marked(size: int) -> None:
    pieces = list(lines(front=b"log:", numbered=True)(read_blocks(io.BytesIO(LOG), size), line=1))
    marked = [piece.data[start:end] for piece in pieces for start, end in piece.marks]
    assert b" ".join(marked) == b"FDAA:0:18::3 fdaa:2:45b::4 fdaa:0:18::3 fdaa:0:18::9"


def test_a_line_too_long_for_memory_is_printed_whole() -> None:
    line = b"x" * (3 * 1024 * 1024) + b" fdaa::1 " + b"y" * (3 * 1024 * 1024) + b"\n"
    without = b"z" * (3 * 1024 * 1024) + b"\n"
    assert output(lines(), without + line + without + line) == (line * 2, True)


@given(near_lines, st.integers(1, 200))
def test_lines_are_those_that_hold_a_match(text: str, size: int) -> None:
    numbered = enumerate(text.removesuffix("\n").split("\n"), 1)
    expected = "".join(f"{number}:{line}\n" for number, line in numbered if slow_scan.find(line))
    assert output(lines(numbered=True), text.encode(), size)[0].decode() == expected


@pytest.mark.parametrize("dots", range(480, 520, 3))
@pytest.mark.parametrize("size", [1, 128])
def test_an_address_that_reaches_over_its_block_is_written_once(dots: int, size: int) -> None:
    text = b"a fdaa:0:18::3" + b"." * dots + b" fdaa::1 " + b"b" * 200
    marked = text.replace(b"18::3", b"18::3 [0:18]").replace(b"::1 ", b"::1 [0:0] ")
    assert output(annotate(), text, size) == (marked, True)


def test_networks_are_reported_with_their_length() -> None:
    text = b"route fdaa:0:18::/48 via fdaa::/16\n"
    assert output(matches(), text)[0] == b"fdaa:0:18::/48\t0:18\n"
    assert output(annotate(), text)[0] == b"route fdaa:0:18::/48 [0:18] via fdaa::/16\n"
    record = json.loads(output(records(file="log"), text)[0])
    assert (record["text"], record["address"]) == ("fdaa:0:18::/48", "fdaa:0:18::")
    assert record["prefix_length"] == 48


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measured as Linux does")
@pytest.mark.parametrize("render", ["matches", "lines"])
@pytest.mark.parametrize("separator", ["newline", "none"])
def test_memory_does_not_grow_with_the_input(render: str, separator: str) -> None:
    """40 MB, as lines or as one line, all texts distinct, many long, in less than 32 MB more."""
    program = """
import io, sys
def most():  # in KiB; getrusage would tell what its parent had, too
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
before = most()
from fdaa.scan import _report
from fdaa.scan._blocks import read_blocks
class Log(io.RawIOBase):
    number = 0
    def readinto(self, buffer):
        n = self.number = self.number + 1
        if n > 400:
            return 0
        end = b"\\n" if sys.argv[2] == "newline" else b" "
        texts = (b"fdaa:0:%x::%x fdaa:%x%0480x" % (i, n, n, i) for i in range(130))
        text = (end.join(texts) + end).ljust(len(buffer) - 1, b"x") + end
        buffer[:] = text
        return len(text)
if sys.argv[1] == "matches":
    pieces = _report.matches(_report.match_lines(), read_blocks(Log()), 1)
else:
    pieces = _report.lines(_report.Once(_report.judge), read_blocks(Log()), 1)
assert sum(piece.found for piece in pieces)
print(most() - before)
"""
    run = subprocess.run(
        [sys.executable, "-c", program, render, separator],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(run.stdout) < 32 * 1024
