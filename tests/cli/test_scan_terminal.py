"""`fdaa scan` on a terminal: nothing raw, colours, and a harmless bar."""

from __future__ import annotations

import os
import pty
import shlex
import subprocess
from pathlib import Path

import pytest
from command import COMMAND, on_terminal, read_all
from scan_command import LOG, out


@pytest.mark.parametrize("option", ["--lines", "--annotate"])
def test_a_terminal_obeys_nothing_in_a_log(option: str, log: str) -> None:
    output, _ = on_terminal("scan", option, log, NO_COLOR="1")
    assert b"\x1b" not in output
    assert b"\x00" not in output
    assert b"\\x1b[32mfdaa:0:3b99::3" in output


def without_input(stdout: int | None, *arguments: str) -> bytes:
    shown, status = on_terminal(*arguments, stdin=subprocess.DEVNULL, stdout=stdout)
    assert status == 0
    return shown


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_long_reading_shows_its_progress(jobs: str, log: str) -> None:
    path = Path(log)
    with path.open("wb") as file:
        file.write(LOG)
        file.truncate(33 * 1024 * 1024)
    arguments = ("scan", "-c", "--jobs", jobs, log)
    shown = without_input(subprocess.DEVNULL, *arguments)
    assert b"100%" in shown
    assert without_input(subprocess.DEVNULL, *arguments, "--no-progress") == b""
    assert b"100%" in without_input(None, *arguments)  # the table comes behind it
    assert b"%" not in without_input(None, "scan", log)  # matches are on the terminal
    os.truncate(path, 1024 * 1024)
    assert without_input(subprocess.DEVNULL, *arguments) == b""


def test_matches_in_lines_have_a_colour_on_a_terminal(log: str) -> None:
    output, _ = on_terminal("scan", "--lines", "-n", log)
    assert b"2:listening on [\x1b[1;31mFDAA:0:3b99:a7b:7e:3155:9844:2\x1b[0m]:22" in output
    assert b"\\x1b[32m\x1b[1;31mfdaa:0:3b99::3\x1b[0m\\x1b[0m \\xff" in output
    assert b"\x1b[1;31m" not in out("--lines", log)


@pytest.mark.parametrize(
    ("options", "variables", "in_pipe", "on_a_terminal"),
    [
        ((), {}, False, True),
        ((), {"NO_COLOR": "1"}, False, False),
        ((), {"NO_COLOR": ""}, False, True),
        ((), {"FORCE_COLOR": "1"}, True, True),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ((), {"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ((), {"TERM": "dumb"}, False, False),
        (("--color", "auto"), {}, False, True),
        (("--color", "always"), {"NO_COLOR": "1"}, True, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False, False),
    ],
)
def test_colours_come_where_they_are_wanted(
    options: tuple[str, ...],
    variables: dict[str, str],
    in_pipe: bool,
    on_a_terminal: bool,
    log: str,
) -> None:
    arguments = ("--lines", *options, log)
    assert (b"\x1b[1;31m" in out(*arguments, **variables)) is in_pipe
    assert (b"\x1b[1;31m" in on_terminal("scan", *arguments, **variables)[0]) is on_a_terminal


@pytest.mark.parametrize("reader", ["head", "gone"])
def test_the_bar_is_harmless(reader: str, log: str, tmp_path: Path) -> None:
    """The cursor stays as it is when the reader ends it; a terminal that goes away ends nothing."""
    line = b"2026-05-17 peer fdaa:0:18::3 and then some more text " + b"x" * 500 + b"\n"
    Path(log).write_bytes(line * 150_000)
    ours, theirs = pty.openpty()
    result = tmp_path / "result"
    command = f"{shlex.join(COMMAND)} scan --jobs 1 {log}" + (
        " | head -1" if reader == "head" else ""
    )
    with result.open("wb") as stdout:
        process = subprocess.Popen(["/bin/sh", "-c", command], stdout=stdout, stderr=theirs)
    os.close(theirs)
    if reader == "gone":
        os.close(ours)
        assert process.wait(timeout=120) == 0
        assert result.read_bytes().count(b"\n") == 150_000
    else:
        assert process.wait(timeout=120) == 0
        assert b"\x1b" not in read_all(ours)
        assert result.read_bytes() == b"fdaa:0:18::3\t0:18\n"
