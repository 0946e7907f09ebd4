"""`fdaa scan` on a terminal: nothing raw, colours, and a harmless bar."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from command import environ, on_terminal
from scan_command import LOG, out


@pytest.mark.slow
def test_control_characters_of_a_log_are_escaped_on_a_terminal(log: str) -> None:
    output, _ = on_terminal("scan", "--annotate", log)
    assert b"\x1b" not in output
    assert b"\x00" not in output
    assert b"\\x1b[32mfdaa:0:3b99::3" in output
    lines, _ = on_terminal("scan", "--lines", log)
    assert b"\\x1b[32m\x1b[1;31mfdaa:0:3b99::3\x1b[0m\\x1b[0m \\xff" in lines


def without_input(stdout: int | None, *arguments: str) -> bytes:
    shown, status = on_terminal(*arguments, stdin=subprocess.DEVNULL, stdout=stdout)
    assert status == 0
    return shown


@pytest.mark.slow
def test_a_long_reading_shows_its_progress(log: str) -> None:
    path = Path(log)
    with path.open("wb") as file:
        file.write(LOG)
        file.truncate(33 * 1024 * 1024)
    arguments = ("scan", "-c", log)
    shown = without_input(subprocess.DEVNULL, *arguments)
    assert b"100%" in shown
    assert b"100%" in without_input(None, *arguments)  # the table comes after it
    assert without_input(subprocess.DEVNULL, *arguments, "-q") == b""
    assert b"%" not in without_input(None, "scan", log)  # matches are on the terminal
    os.truncate(path, 1024 * 1024)
    assert without_input(subprocess.DEVNULL, *arguments) == b""


@pytest.mark.parametrize(
    ("options", "ours"),
    [
        pytest.param(["-on"], ["-n"], id="grep -on"),
        pytest.param(["-nH"], ["-n", "-H", "--lines"], id="grep -nH"),
        pytest.param(["-l"], ["-l"], id="grep -l"),
    ],
)
def test_the_colours_are_those_of_grep(options: list[str], ours: list[str], log: str) -> None:
    Path(log).write_bytes(b"boot\npeer fdaa:0:18::3 refused, to fdaa::3\n")
    grep = ["grep", "--color=always", "-E", *options, "fdaa:[0-9a-f:]+", log]
    expected = subprocess.run(grep, capture_output=True, check=True, env=environ()).stdout
    expected = expected.replace(b"\x1b[K", b"")  # grep also clears the rest of a line
    expected = expected.replace(b"\x1b[m", b"\x1b[0m")
    expected = expected.replace(b"[01;31m", b"[1;31m")
    shown = out("--color", "always", *ours, log)
    assert re.sub(rb"\t0:\w+", b"", shown) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "variables", "in_pipe", "on_a_terminal"),
    [
        ((), {}, False, True),
        ((), {"NO_COLOR": "1"}, False, False),
        ((), {"NO_COLOR": ""}, False, True),
        ((), {"TERM": "dumb"}, False, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True, True),
        (("--color", "never"), {}, False, False),
    ],
)
def test_the_environment_and_color_decide_about_colours(
    options: tuple[str, ...],
    variables: dict[str, str],
    in_pipe: bool,
    on_a_terminal: bool,
    log: str,
) -> None:
    arguments = ("--lines", *options, log)
    piped = out(*arguments, env=variables)
    assert (b"\x1b[1;31m" in piped) is in_pipe
    shown, _ = on_terminal("scan", *arguments, env=variables)
    assert (b"\x1b[1;31m" in shown) is on_a_terminal
