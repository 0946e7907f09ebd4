"""The command as a process: pipes, signals, full disks, and streams that are closed."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from command import environ, run, shell, start
from example_documents import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from piped import Piped

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "line",
    [
        "--help",
        "decode --json -",
        f"networks -d {EXAMPLES}/apps.json",
        "scan",
        f"scan --jobs 2 {EXAMPLES}/instances.txt",
    ],
)
def test_a_full_disk_is_one_line_and_a_status(line: str) -> None:
    result = shell(f"fdaa {line} > /dev/full", b"fdaa::1\n" * 10_000)
    assert result.stderr == b"fdaa: standard output: No space left on device\n"
    assert result.returncode == 2


def test_what_a_short_write_leaves_is_not_lost(tmp_path: Path) -> None:
    """Unbuffered, Python drops the rest of a short write without a word."""
    small = f"ulimit -f 1; fdaa decode --json > {tmp_path}/small"
    result = shell(small, b"fdaa::1\n" * 100, env={"PYTHONUNBUFFERED": "1"})
    assert result.stderr == b"fdaa: standard output: File too large\n"
    assert result.returncode == 2


def write_line(process: Piped[bytes], line: bytes) -> None:
    process.stdin.write(line)
    process.stdin.flush()


def test_a_closed_pipe_ends_it_silently() -> None:
    with start("decode", "--json", "-") as process:
        write_line(process, b"fdaa::1\n")
        process.stdout.readline()
        process.stdout.close()
        write_line(process, b"fdaa::2\n")
        assert process.wait(timeout=60) == -signal.SIGPIPE
        assert process.stderr.read() == b""


def test_a_line_is_answered_at_once_and_ctrl_c_is_130_and_no_traceback() -> None:
    with start("decode", "--field", "input") as process:
        write_line(process, b"fdaa::1\n")
        assert process.stdout.readline() == b"fdaa::1\n"  # it has started, and waits for more
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        assert (process.returncode, stdout, stderr.strip()) == (130, b"", b"")


INTERRUPTED = """if True:
    import os, signal, sys

    class Interrupt:
        def find_spec(self, name, path=None, target=None):
            if name == sys.argv[1]:
                os.kill(os.getpid(), signal.SIGINT)

    sys.meta_path.insert(0, Interrupt())
    from fdaa.__main__ import main
    sys.argv[1:] = ["same", "fdaa::1", "fdaa::2"]
    main()
"""


@pytest.mark.parametrize("loading", ["click", "fdaa.cli.commands.same"])
def test_ctrl_c_while_the_command_loads_is_quiet(loading: str) -> None:
    script = INTERRUPTED.replace("sys.argv[1]:", f"{loading!r}:")
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environ(), check=False
    )
    assert result.returncode in (130, -signal.SIGINT)
    assert (result.stdout, result.stderr.strip()) == (b"", b"")


def test_a_poor_locale_is_no_problem() -> None:
    poor = {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    result = run("decode", "fdaa::1", "n\u00e4me", env=poor)
    assert (result.returncode, result.stdout[:8]) == (2, b"fdaa::1\n")
    assert result.stderr.startswith(b"fdaa: 'n\\xe4me': ")


@pytest.mark.parametrize("redirect", ["2>/dev/full", "2<&0", "2>&-"])
def test_the_status_does_not_depend_on_who_can_be_told(redirect: str) -> None:
    lines = b"fdaa::1\nbad\nfdaa::2\n"
    decoded = shell(f"fdaa decode --field input - {redirect}", lines)
    assert (decoded.stdout, decoded.returncode) == (b"fdaa::1\nfdaa::2\n", 2)


@pytest.mark.parametrize("script", ["fdaa decode fdaa::1 - <&-", "fdaa decode x >&-"])
def test_a_closed_stream_is_an_error(script: str) -> None:
    result = shell(script)
    stream = {"<": b"input", ">": b"output"}[script[-3]]
    assert (result.stderr, result.returncode) == (b"fdaa: standard %s is closed\n" % stream, 2)
