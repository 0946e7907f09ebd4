"""Bytes that a held address takes, and the most that `fdaa decode` takes.

Both are resident memory of a fresh process, as the kernel counts it: what the allocator rounds up
is in it, and what it only reserves is not. Linux only.
"""

from __future__ import annotations

import ipaddress
import mmap
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import netaddr

import fdaa
from benchmarks.inputs import texts
from benchmarks.processes import DECODE, lines

if TYPE_CHECKING:
    from collections.abc import Callable

HELD = 200_000

_PARSERS: dict[str, Callable[[str], object]] = {
    "fdaa": fdaa.Address,
    "ipaddress": ipaddress.IPv6Address,
    "netaddr": netaddr.IPAddress,
}


def held_bytes(contestant: str) -> float:
    """Return the bytes that one of 200,000 held addresses takes."""
    command = (sys.executable, "-m", "benchmarks.memory", contestant)
    return int(subprocess.check_output(command)) / HELD


def _hold(contestant: str) -> int:
    """Return by how many bytes this process grows while it makes and holds HELD addresses."""
    parse = _PARSERS[contestant]
    sources = texts() * (HELD // len(texts()))
    held: list[object] = [parse(sources[0])] * HELD
    before = _resident_bytes()
    for i, text in enumerate(sources):
        held[i] = parse(text)
    return _resident_bytes() - before


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE


# A process starts out with the peak of the one that starts it. This one is smaller than any other.
_LAUNCHER = """
import resource, subprocess, sys
subprocess.run([sys.executable, *sys.argv[1:]], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
"""


def decode_peak_bytes(count: int) -> int:
    """Return the most resident memory that `fdaa decode --json -` has at a time.

    Args:
        count: how many lines it reads.
    """
    file = lines(count)
    file.seek(0)
    command = (sys.executable, "-c", _LAUNCHER, *DECODE)
    return int(subprocess.check_output(command, stdin=file))


if __name__ == "__main__":
    print(_hold(sys.argv[1]))
