"""Whole scans by the public face: one process or several, and what cannot be read."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from scan_output import PSEUDONYMS

from fdaa import Address, NetworkID
from fdaa.scan import NetworkCount, count
from fdaa.scan._count import Count
from fdaa.scan._pieces import Piece
from fdaa.scan._report import Filter
from fdaa.scan._run import Options, Scan, Show
from fdaa.scan._sources import Failure

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    choose = random.Random(1)
    pieces = []
    for number in range(4000):
        network_id = NetworkID(choose.choice((3, 5, number)))
        pieces.append(b"line %d" % number + b" x" * choose.randrange(40))
        if choose.random() < 0.5:
            address = Address.build(network_id, choose.randrange(50))
            pieces.append(f" [{address}]:80".encode())
        pieces.append(choose.choice((b"\n", b"\n", b" ", b"\r\n\n")))
    path = tmp_path_factory.mktemp("scan") / "log"
    path.write_bytes(b"".join(pieces))
    return path


def output(path: Path, options: Options) -> tuple[bytes, bool]:
    """Return what is printed, and whether a match was found."""
    data = b""
    found = False
    for event in Scan([str(path)], options):
        assert isinstance(event, Piece)
        data += event.data
        found = found or event.found
    return data, found


def failures(scan: Scan) -> list[Failure]:
    return [event for event in scan if isinstance(event, Failure)]


# --- several processes ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("size", [1000, 1 << 30])
@pytest.mark.parametrize(
    ("arguments", "finds"),
    [
        pytest.param({}, True, id="matches"),
        pytest.param({"numbered": True, "with_name": True}, True, id="numbered"),
        pytest.param({"show": Show.LINES, "numbered": True}, True, id="lines"),
        pytest.param({"show": Show.RECORDS}, True, id="records"),
        pytest.param({"show": Show.PSEUDONYMIZED, "pseudonyms": PSEUDONYMS}, True, id="hidden"),
        pytest.param({"show": Show.FILES}, True, id="files"),
        pytest.param({"keep": Filter(frozenset({1 << 31}))}, False, id="nothing"),
    ],
)
def test_several_processes_give_the_bytes_of_one(
    arguments: dict[str, Any],
    finds: bool,
    size: int,
    large: Path,
    cut_into: Callable[[int], None],
) -> None:
    cut_into(size)
    alone = output(large, Options(jobs=1, **arguments))
    together = output(large, Options(jobs=3, **arguments))
    assert together == alone
    assert alone[1] is finds


@pytest.mark.parametrize("size", [1000, 1 << 30])
def test_several_processes_count_like_one(
    size: int, large: Path, cut_into: Callable[[int], None]
) -> None:
    cut_into(size)
    counts = []
    for jobs in (1, 3):
        total = Count()
        scan = Scan([str(large), "missing", str(large)], Options(jobs=jobs), total)
        assert [failure.name for failure in failures(scan)] == ["missing"]
        counts.append(list(total.networks()))
    assert counts[0] == counts[1]


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
    for options in ({"numbered": True}, {"show": Show.ANNOTATED}):
        assert output(path, Options(jobs=2, **options)) == output(path, Options(**options))


def test_an_error_in_a_worker_comes_after_what_was_found_before_it(
    tmp_path: Path, cut_into: Callable[[int], None]
) -> None:
    parent = os.getpid()

    def name_of(network_id: NetworkID) -> str:
        if network_id == NetworkID("0:3") and os.getpid() != parent:
            raise FileNotFoundError(2, "No such file or directory")
        return "blue"

    path = tmp_path / "log"
    path.write_bytes(b"fdaa:0:1::\nfdaa:0:2::\nfdaa:0:3::\nfdaa:0:4::\n")
    cut_into(10)
    first, second, failure, *_ = Scan([str(path), str(path)], Options(name_of=name_of, jobs=2))
    assert first == Piece(b"fdaa:0:1::\t0:1\tblue\n")
    assert second == Piece(b"fdaa:0:2::\t0:2\tblue\n")
    assert isinstance(failure, Failure)
    assert isinstance(failure.error, FileNotFoundError)


def test_no_worker_outlives_an_output_that_no_one_wants(
    large: Path, cut_into: Callable[[int], None]
) -> None:
    cut_into(10_000)
    events = iter(Scan([str(large)], Options(Show.ANNOTATED, jobs=2)))
    assert len(list(islice(events, 2))) == 2
    assert len(multiprocessing.active_children()) == 2
    events.close()
    assert multiprocessing.active_children() == []


def test_a_worker_killed_in_a_count_is_a_failure_and_the_next_file_is_read(
    large: Path, tmp_path: Path, cut_into: Callable[[int], None]
) -> None:
    """For printed output, the tests of the command have it."""
    cut_into(100)  # so many parts that the pipes are full and the workers wait
    after = tmp_path / "after"
    after.write_bytes(b"fdaa:abcd:ef01::1\n")
    total = Count()
    events = iter(Scan([str(large), str(after)], Options(jobs=2), total))
    assert isinstance(next(events), Piece)
    for worker in multiprocessing.active_children():
        os.kill(worker.pid or 0, signal.SIGKILL)
    (failure,) = (event for event in events if isinstance(event, Failure))
    assert failure.name == str(large)
    assert str(failure.error) == "a worker process was killed"
    assert NetworkID("abcd:ef01") in {network.network_id for network in total.networks()}


def test_a_line_too_long_to_be_sent_is_read_by_one_process(
    tmp_path: Path, cut_into: Callable[[int], None]
) -> None:
    cut_into(1000)
    log = tmp_path / "log"
    log.write_bytes(b"fdaa::1\n" + b"x" * 5000 + b" fdaa::2\n" + b"fdaa::3\n" * 500)
    options = Options(Show.LINES, numbered=True)
    expected = output(log, options)
    assert expected[0].count(b"\n") == 502
    assert output(log, replace(options, jobs=2)) == expected


# --- progress, and failures -----------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_scan_says_how_far_it_is(jobs: int, large: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    scan = Scan([str(large), "missing", str(empty), str(large)], Options(jobs=jobs))
    assert scan.total == 2 * large.stat().st_size
    assert [failure.name for failure in failures(scan)] == ["missing"]
    assert scan.done == scan.total


def test_a_count_of_files_stops_at_one_that_cannot_be_read(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("fdaa:0:18::3 fdaa::3\nfdaa:0:18::4")
    missing = tmp_path / "missing"
    with pytest.raises(FileNotFoundError) as caught:
        count([log, missing])
    assert caught.value.filename == str(missing)
    assert count([log, str(log)], jobs=2) == [
        NetworkCount(NetworkID("0:18"), matches=4, addresses=2, file=str(log), line=1),
        NetworkCount(NetworkID("0:0"), matches=2, addresses=1, file=str(log), line=1),
    ]


MEMORY = """
import pathlib, sys
def most():  # in KiB; getrusage would count what its parent had, too
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
from fdaa.scan import count
log = pathlib.Path(sys.argv[1])
end = sys.argv[2]
with log.open("w") as file:
    for n in range(65536):
        file.write(f"peer fdaa:0:{n % 1000:x}:a7b:{n:x}{end}\\n")
count([str(log)])  # what it takes at all
before = most()
with log.open("w") as file:
    for k in range(8):
        for n in range(65536):
            file.write(f"peer fdaa:{k:x}:{n % 50:x}:a7b:{n:x}{end}\\n")
matches = sum(network.matches for network in count([str(log)]))
print((most() - before) * 1024 // (7 * 65536), matches)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measured as Linux does")
@pytest.mark.parametrize(
    ("end", "most", "found"),
    [
        pytest.param("::1", 330, 8 * 65536, marks=pytest.mark.slow),
        pytest.param(":1::2::3", 20, 0, marks=pytest.mark.campaign),  # 500,000 refusals
    ],
)
def test_counting_takes_memory_for_distinct_addresses_only(
    end: str, most: int, found: int, tmp_path: Path
) -> None:
    """Bytes for each distinct text; none for what is no address."""
    command = [sys.executable, "-c", MEMORY, str(tmp_path / "log"), end]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    bytes_each, matches = run.stdout.split()
    assert int(matches) == found
    assert int(bytes_each) < most
