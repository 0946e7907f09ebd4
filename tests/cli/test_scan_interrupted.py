"""Ctrl-C while `fdaa scan -c` counts: the table of what was counted before."""

from __future__ import annotations

import os
import re
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command import invoke, records, start

if TYPE_CHECKING:
    from collections.abc import Callable

    from piped import Piped

# Texts that are not addresses take long to check, so a file of 20 MB takes seconds to count.
_SLOW_LINES = b"".join(b"fdaa::%x::1\n" % number for number in range(5000))
_LINES = b"fdaa:0:18::3\n" + _SLOW_LINES + b"fdaa:2:45b::3 fdaa:2:45b::4\n"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("interrupted") / "large.log"
    path.write_bytes(_LINES * 400)
    return path


def interrupt(process: Piped[bytes], send: Callable[[int, int], None] = os.kill) -> tuple[str, str]:
    """Send Ctrl-C; return standard output and standard error."""
    send(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    return stdout.decode(), stderr.decode()


def wait_until_all_read(process: Piped[bytes], jobs: int, path: Path) -> None:
    """Wait until the process, or each of its workers, has read two blocks of a file."""
    if jobs == 1:
        while position_in(path, process.pid) < 200_000:
            assert process.poll() is None
        return
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while len(children.read_text().split()) < jobs:
        assert process.poll() is None
    for worker in children.read_text().split():
        while bytes_read_by(worker) < 200_000:
            pass


def bytes_read_by(pid: str) -> int:
    (count,) = re.findall(r"rchar: (\d+)", Path(f"/proc/{pid}/io").read_text())
    return int(count)


def position_in(path: Path, pid: int) -> int:
    """Return how far a process has read a file, in bytes."""
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            if descriptor.readlink() == path:
                information = Path(f"/proc/{pid}/fdinfo/{descriptor.name}").read_text()
                (position,) = re.findall(r"pos:\s+(\d+)", information)
                return int(position)
    return 0


def counted(text: bytes, tmp_path: Path) -> dict[str, int]:
    """Return the matches for each network in a text."""
    path = tmp_path / "beginning.log"
    path.write_bytes(text)
    networks = records(invoke("scan", "-c", "--json", str(path)).stdout)
    return {network["network_id"]: network["matches"] for network in networks}


@pytest.mark.slow
@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["process", "terminal"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_counted_before_ctrl_c_is_printed(
    jobs: int, send: Callable[[int, int], None], large: Path, tmp_path: Path
) -> None:
    """The table is that of the lines before the place in the message."""
    options = ("--json", "--jobs", str(jobs))
    process = start("scan", "-c", *options, str(large), start_new_session=True)
    wait_until_all_read(process, jobs, large)
    stdout, stderr = interrupt(process, send)
    before, line, after = re.split(r":(\d+);", stderr)
    assert before == f"\nfdaa: interrupted at {large}"
    assert after == " only what was read before is counted\n"
    lines = large.read_bytes().splitlines(keepends=True)
    reached = int(line)
    assert 0 < reached < len(lines)
    at_least = counted(b"".join(lines[: reached - 1]), tmp_path)
    at_most = counted(b"".join(lines[:reached]), tmp_path)
    first_lines = {"0:18": 1, "2:45b": 5002}
    printed = {network["network_id"]: network for network in records(stdout)}
    for network_id, network in printed.items():
        assert network["first"]["line"] == first_lines[network_id]
        assert at_least[network_id] <= network["matches"] <= at_most[network_id]
    assert at_least.keys() <= printed.keys()
