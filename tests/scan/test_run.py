"""Whole scans: one process or several, what is counted, and how far they are."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from scan_output import PSEUDONYMS

# Private: a part has 4 MiB, and a test needs many parts that begin in many places.
from fdaa.scan import _workers as workers
from fdaa.scan._count import Count
from fdaa.scan._pieces import Piece
from fdaa.scan._report import Filter
from fdaa.scan._run import Options, Scan, Show
from fdaa.scan._sources import Failure

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def cut_into(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function that sets the size of a part, in bytes."""

    def set_size(size: int) -> None:
        monkeypatch.setattr(workers, "PART", size)
        monkeypatch.setattr(workers, "COUNTED_PART", size)

    return set_size


def output(path: Path, options: Options) -> tuple[bytes, bool]:
    """Return what is printed, and whether a match was found."""
    data = b""
    found = False
    for event in Scan([str(path)], options):
        assert isinstance(event, Piece)
        data += event.data
        found = found or event.found
    return data, found


# --- several processes ----------------------------------------------------------------------------


def test_several_processes_count_like_one_and_say_how_far_they_are(
    tmp_path: Path, cut_into: Callable[[int], None]
) -> None:
    large = tmp_path / "log"
    large.write_bytes(LONG * 3)
    cut_into(5000)
    counts = []
    for jobs in (1, 3):
        total = Count()
        scan = Scan([str(large), "missing", str(large)], Options(jobs=jobs), total)
        assert scan.total == 2 * large.stat().st_size
        (failure,) = [event for event in scan if isinstance(event, Failure)]
        assert failure.name == "missing"
        assert scan.done == scan.total
        counts.append(list(total.networks()))
    assert counts[0] == counts[1]


OF_ALL_KINDS: tuple[dict[str, Any], ...] = (
    {"numbered": True, "with_name": True},
    {"show": Show.ANNOTATED},
    {"show": Show.LINES, "numbered": True},
    {"show": Show.RECORDS},
    {"show": Show.PSEUDONYMIZED, "pseudonyms": PSEUDONYMS},
    {"show": Show.FILES},
    {"keep": Filter(frozenset({1 << 31}))},
)
SHORT = b"\n" * 9 + b"xy\n" * 20 + b"y" * 100 + b" fdaa::2\n" + b"fdaa::1\n" * 9 + b"no end"
LONG = b"a fdaa::1\n" * 9 + b"x fdaa::2 " * 12_000 + b"\n" + b"fdaa::3\n"


@pytest.mark.parametrize(("text", "size"), [(SHORT, 5), (SHORT, 40), (LONG, 900)])
def test_parts_of_any_size_are_whole_lines(
    text: bytes, size: int, tmp_path: Path, cut_into: Callable[[int], None]
) -> None:
    """Empty lines, short ones, one longer than many parts, and a last one without an end."""
    path = tmp_path / "log"
    path.write_bytes(text)
    cut_into(size)
    for options in OF_ALL_KINDS:
        assert output(path, Options(jobs=2, **options)) == output(path, Options(**options))


# --- memory ---------------------------------------------------------------------------------------

MEMORY = """
import pathlib, sys
def most():  # in KiB; getrusage would count what its parent had, too
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
from fdaa.scan import count
log = pathlib.Path(sys.argv[1])
def counted(groups):
    with log.open("w") as file:
        for k in range(groups):
            for n in range(16384):
                file.write(f"peer fdaa:{k:x}:{n % 50:x}:a7b:{n:x}::1\\n")
    return sum(network.matches for network in count([str(log)]))
counted(1)  # what it takes at all
before = most()
matches = counted(4)
print((most() - before) * 1024 // (3 * 16384), matches)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measured as Linux does")
@pytest.mark.slow
def test_counting_takes_330_bytes_for_a_distinct_address(tmp_path: Path) -> None:
    command = [sys.executable, "-c", MEMORY, str(tmp_path / "log")]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    bytes_each, matches = run.stdout.split()
    assert int(matches) == 4 * 16384
    assert int(bytes_each) < 330
