"""`fdaa scan --jobs`: the bytes of one process, and nothing torn when processes end."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from command import run, start
from scan_command import FOUND, LOG, run_as_nobody

pytestmark = pytest.mark.slow


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="the system has no such file")
def test_a_file_that_has_no_size_is_read_to_its_end() -> None:
    result = run("scan", "--jobs", "2", "/proc/self/environ", PEER="fdaa:0:18::3")
    assert (result.stdout, result.returncode) == (b"fdaa:0:18::3\t0:18\n", 0)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A file of several parts, whose matches no pipe holds."""
    path = tmp_path / "large.log"
    path.write_bytes(b"2026-05-17 peer fdaa:0:18::3 and then some more text\n" * 500_000)
    return path


def test_a_killed_worker_leaves_whole_lines(large: Path, other: str) -> None:
    arguments = ("scan", "--no-filename", "--jobs", "2", str(large), other)
    process = start(*arguments, stdin=subprocess.DEVNULL, bufsize=0)
    assert process.stdout.read(1) == b"f"  # so the workers are there
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(children[0]), signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=60)
    assert stderr.decode() == f"fdaa: {large}: a worker process was killed\n"
    assert process.returncode == 2
    *lines, last = (b"f" + stdout).splitlines(keepends=True)
    assert last == b"fdaa:0:18::9\t0:18\n"
    assert set(lines) == {b"fdaa:0:18::3\t0:18\n"}


def test_a_file_that_becomes_shorter_is_reported(large: Path) -> None:
    process = start("scan", "--jobs", "2", str(large), stdin=subprocess.DEVNULL, bufsize=0)
    assert process.stdout.read(1) == b"f"
    os.truncate(large, 0)  # as logrotate does with copytruncate
    stdout, stderr = process.communicate(timeout=60)
    assert stderr.decode() == f"fdaa: {large}: the file became shorter while it was read\n"
    assert process.returncode == 2
    assert set((b"f" + stdout).splitlines(keepends=True)) == {b"fdaa:0:18::3\t0:18\n"}


@pytest.mark.parametrize("processes", [0, 4])
def test_where_too_few_processes_can_be_started_one_reads(processes: int, log: str) -> None:
    with Path(log).open("rb") as stdin:
        result = run_as_nobody("--jobs", "2", "-", processes=processes, stdin=stdin)
    assert (result.stdout, result.stderr, result.returncode) == (FOUND, b"", 0)


def test_workers_end_when_their_parent_is_killed(large: Path) -> None:
    process = start("scan", "--jobs", "2", str(large), bufsize=0)
    assert process.stdout.read(1) == b"f"
    process.kill()
    process.communicate(timeout=60)  # returns when no worker has its end of the pipes any more


def test_ctrl_c_is_quiet_wherever_workers_are(log: str) -> None:
    logs = [log] * 2000  # more output than a pipe holds: it cannot end before the signal
    for moment in (0, 2, 5):  # they start and end all the time
        process = start("scan", "--jobs", "2", *logs, stdin=subprocess.DEVNULL)
        process.stdout.read(800 * moment + 1)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        assert (process.returncode, stderr.strip()) == (130, b"")


def test_a_pipe_that_is_closed_ends_the_scan_silently(log: str) -> None:
    Path(log).write_bytes((LOG + b"\n") * 30_000)
    process = start("scan", "--jobs", "2", log, stdin=subprocess.DEVNULL)
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=60) == -signal.SIGPIPE
    assert process.stderr.read() == b""
    process.stderr.close()
