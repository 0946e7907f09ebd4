"""`fdaa scan --jobs`: the bytes of one process, and nothing torn when processes end."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command import COMMAND, environ, records, run, start
from scan_command import LOG, out, run_as_nobody


@pytest.mark.parametrize(
    "options", [(), ("-c",), ("-n",), ("--json",), ("--lines",), ("--annotate",)]
)
def test_workers_give_the_same_bytes(options: tuple[str, ...], log: str) -> None:
    path = Path(log)
    path.write_bytes((LOG + b"\n") * 2000)
    one = out("--jobs", "1", *options, log)
    assert out("--jobs", "3", *options, log) == one
    with path.open("rb") as stdin:
        result = subprocess.run(
            [*COMMAND, "scan", "--jobs", "2", "--no-filename", *options, "-"],
            stdin=stdin,
            capture_output=True,
            env=environ(),
            check=True,
        )
    assert result.stdout.replace(b'"-"', f'"{log}"'.encode()).count(b"\n") == one.count(b"\n")


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="the system has no such file")
def test_a_file_that_does_not_tell_its_size_is_read_to_its_end() -> None:
    result = run("scan", "--jobs", "2", "/proc/self/environ", PEER="fdaa:0:18::3")
    assert (result.stdout, result.returncode) == (b"fdaa:0:18::3\t0:18\n", 0)


@pytest.mark.parametrize("options", [(), ("--json",), ("-c",)])
def test_a_killed_worker_leaves_whole_records(options: tuple[str, ...], tmp_path: Path) -> None:
    large, behind = tmp_path / "large.log", tmp_path / "behind.log"
    line = b"2026-05-17 peer fdaa:0:18::3 and then some more text\n"
    large.write_bytes(line * 1_500_000)
    behind.write_bytes(b"fdaa:0:19::4\n")
    command = ("scan", "--no-filename", "--jobs", "2", *options, str(large), str(behind))
    process = start(*command, stdin=subprocess.DEVNULL)
    os.kill(int(workers_of(process)[0]), signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=120)
    assert stderr.decode() == f"fdaa: {large}: a worker process was killed\n"
    assert process.returncode == 2
    *lines, last = stdout.splitlines(keepends=True)
    assert b"0:19" in last
    if not options:
        assert set(lines) <= {b"fdaa:0:18::3\t0:18\n"}
    elif options == ("--json",):
        assert {each["network_id"] for each in records(b"".join(lines).decode())} <= {"0:18"}


def test_workers_that_are_killed_while_they_answer_are_an_error(tmp_path: Path) -> None:
    large = tmp_path / "large.log"
    large.write_bytes(b"fdaa:0:18::3\n" * 2_000_000)
    process = start("scan", "--jobs", "2", str(large), stdin=subprocess.DEVNULL)
    workers = workers_of(process)
    assert process.stdout.read(1) == b"f"  # the next parts are under way
    process.send_signal(signal.SIGSTOP)  # so that the pipe of each worker gets full
    asleep = 0
    while asleep < 10:
        time.sleep(0.02)
        asleep = asleep + 1 if all(_state(worker) == "S" for worker in workers) else 0
    for worker in workers:
        os.kill(int(worker), signal.SIGKILL)
    process.send_signal(signal.SIGCONT)
    _, stderr = process.communicate(timeout=60)
    assert stderr.decode() == f"fdaa: {large}: a worker process was killed\n"
    assert process.returncode == 2


def workers_of(process: subprocess.Popen[bytes]) -> list[str]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while len(workers := children.read_text().split()) < 2:
        os.sched_yield()
    return workers


@pytest.mark.parametrize("processes", [0, 3, 4, 5, 7])
def test_where_too_few_processes_can_be_started_one_reads(processes: int, log: str) -> None:
    """Threads count as processes do, so each limit stops another one of the start."""
    for options in ((), ("-c",)):
        with Path(log).open("rb") as stdin:
            result = run_as_nobody("--jobs", "2", *options, "-", processes=processes, stdin=stdin)
        assert result.stdout == out(*options, stdin=LOG)
        assert (result.stderr, result.returncode) == (b"", 0)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_at_once_when_their_parent_does(number: int, tmp_path: Path) -> None:
    large = tmp_path / "large.log"
    with large.open("wb") as file:
        for part in range(4):  # holes, with line ends to cut it at
            file.seek(part << 27)
            file.write(b"\n" * 100_000)
    process = start("scan", "-c", "--jobs", "2", str(large))
    workers = workers_of(process)
    process.send_signal(number)
    process.communicate(timeout=30)
    while any(_state(worker) not in "ZX" for worker in workers):
        os.sched_yield()


def test_ctrl_c_is_quiet_wherever_workers_are(log: str) -> None:
    for moment in range(6):  # they start and end all the time
        process = start("scan", "--jobs", "2", *[log] * 200, stdin=subprocess.DEVNULL)
        process.stdout.read(800 * moment + 1)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        assert (process.returncode, stderr.strip()) == (130, b"")


def _state(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2]
    except FileNotFoundError:
        return "X"


def test_a_closed_pipe_ends_it_silently(log: str) -> None:
    Path(log).write_bytes((LOG + b"\n") * 100_000)
    process = start("scan", "--jobs", "2", log, stdin=subprocess.DEVNULL)
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=60) == -signal.SIGPIPE
    assert process.stderr.read() == b""
    process.stderr.close()
