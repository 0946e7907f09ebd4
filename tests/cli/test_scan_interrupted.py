"""Ctrl-C while `fdaa scan -c` counts: the table of what was counted before."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command import records, start

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


def wait_until_all_read(process: Piped[bytes], jobs: int) -> None:
    """Wait until the process, or each of its workers, has read a part of the file."""
    most_before = 4_000_000  # what Python reads to start, and some blocks
    pids = [str(process.pid)]
    if jobs > 1:
        most_before = 200_000
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while len(pids := children.read_text().split()) < jobs:
            assert process.poll() is None
    for pid in pids:
        while bytes_read_by(pid) < most_before:
            assert process.poll() is None


def bytes_read_by(pid: str) -> int:
    (count,) = re.findall(r"rchar: (\d+)", Path(f"/proc/{pid}/io").read_text())
    return int(count)


@pytest.mark.slow
@pytest.mark.parametrize(("jobs", "send"), [(1, os.kill), (2, os.killpg)])
def test_what_was_counted_before_ctrl_c_is_printed(
    jobs: int, send: Callable[[int, int], None], large: Path
) -> None:
    """The table is that of the lines before the place in the message.

    A terminal sends Ctrl-C to all processes of its group.
    """
    options = ("--json", "--jobs", str(jobs))
    process = start("scan", "-c", *options, str(large), start_new_session=True)
    wait_until_all_read(process, jobs)
    send(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    before, line, after = re.split(r":(\d+);", stderr.decode())
    assert before == f"\nfdaa: interrupted at {large}"
    assert after == " only what was read before is counted\n"
    lines = large.read_bytes().splitlines(keepends=True)
    reached = int(line)
    assert 0 < reached < len(lines)
    printed = {network["network_id"]: network for network in records(stdout.decode())}
    for network_id, first_line in (("0:18", 1), ("2:45b", 5002)):
        prefix = f"fdaa:{network_id}::".encode()
        at_least = b"".join(lines[: reached - 1]).count(prefix)
        at_most = at_least + lines[reached - 1].count(prefix)
        matches = 0
        if network_id in printed:
            matches = printed[network_id]["matches"]
            assert printed[network_id]["first"]["line"] == first_line
        assert at_least <= matches <= at_most
