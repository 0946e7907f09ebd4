"""Whole scans by the public face: one process or several, and what cannot be read."""

from __future__ import annotations

import lzma
import multiprocessing
import os
import random
import resource
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from books import in_child

from fdaa import Address, NetworkID
from fdaa.scan import NetworkCount, Pseudonyms, count

# Private: a part of a file has 4 MiB, and small ones make many; `cores` is what the default asks.
from fdaa.scan import _workers as workers
from fdaa.scan.engine import Count, Failure, Filter, Options, Piece, Scan, Show


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random_ = random.Random(1)
    pieces = []
    for number in range(4000):
        network_id = NetworkID(random_.choice((3, 5, number)))
        pieces.append(b"line %d" % number + b" x" * random_.randrange(40))
        if random_.random() < 0.5:
            pieces.append(f" [{Address.build(network_id, random_.randrange(50))}]:80".encode())
        pieces.append(random_.choice((b"\n", b"\n", b" ", b"\r\n\n")))
    path = tmp_path_factory.mktemp("scan") / "log"
    path.write_bytes(b"".join(pieces))
    return path


def output(path: Path, **options: Any) -> tuple[bytes, bool]:
    """Return what is printed, and whether a match was found."""
    pieces = [*Scan([str(path)], Options(**options))]
    assert all(isinstance(piece, Piece) for piece in pieces)
    data = b"".join(piece.data for piece in pieces if isinstance(piece, Piece))
    return data, any(piece.found for piece in pieces if isinstance(piece, Piece))


KEY = Pseudonyms(b"key")
ASKED: dict[str, dict[str, object]] = {
    "matches": {},
    "numbered": {"numbered": True, "with_name": True},
    "lines": {"show": Show.LINES, "numbered": True},
    "annotated": {"show": Show.ANNOTATED},
    "records": {"show": Show.RECORDS},
    "hidden": {"show": Show.PSEUDONYMIZED, "pseudonyms": KEY},
    "revealed": {"show": Show.REVEALED, "pseudonyms": KEY},
    "files": {"show": Show.FILES},
    "nothing": {"keep": Filter(frozenset({1 << 31}))},
}


@pytest.mark.slow
@pytest.mark.parametrize("size", [50, 5000, 1 << 30])
@pytest.mark.parametrize("name", ASKED)
def test_several_processes_give_the_bytes_of_one(
    name: str, size: int, large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "PART", size * 20)
    alone, together = (output(large, jobs=jobs, **ASKED[name]) for jobs in (1, 3))
    assert together == alone
    assert alone[1] is (name != "nothing")


@pytest.mark.parametrize("size", [1000, 1 << 30])
def test_several_processes_count_like_one(
    size: int, large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "COUNTED_PART", size)
    names = [str(large), "missing", str(large)]
    counts = []
    for jobs in (1, 3):
        total = Count()
        events = Scan(names, Options(jobs=jobs), total)
        assert [event.name for event in events if isinstance(event, Failure)] == ["missing"]
        counts.append(list(total.networks()))
    assert counts[0] == counts[1]


def test_a_line_longer_than_many_parts_stands_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "PART", 90)
    path = tmp_path / "log"
    path.write_bytes(b"a fdaa::1\n" * 9 + b"x fdaa::2 " * 40_000 + b"\n" + b"fdaa::3\n")
    for options in ({"numbered": True}, {"show": Show.ANNOTATED}):
        assert output(path, jobs=2, **options) == output(path, **options)


def test_results_of_workers_come_in_order_and_so_do_their_errors() -> None:
    def work(item: int) -> int:
        if item == 3:
            raise FileNotFoundError(2, "No such file or directory")
        return item * 10

    with workers.in_order(work, [1, 2, 3, 4], 2) as results:
        assert [next(results), next(results)] == [10, 20]
        with pytest.raises(FileNotFoundError):
            next(results)
        assert list(results) == [40]


@pytest.mark.parametrize("size", [1, 5, 40])
def test_parts_are_whole_lines_and_all_there_is(size: int, tmp_path: Path) -> None:
    data = b"\n" * 9 + b"xy\n" * 20 + b"y" * 100 + b"\n" + b"fdaa::1\n" * 9 + b"no end"
    (tmp_path / "log").write_bytes(data)
    with (tmp_path / "log").open("rb", buffering=0) as file:
        file.seek(3)
        cut = list(workers.parts(file, size))
    assert b"".join(data[part.begin : part.end] for part in cut) == data[3:]
    assert all(data[part.end - 1 : part.end] == b"\n" for part in cut[:-1])
    many = [part for part in cut if data.count(b"\n", part.begin, part.end) > 1]
    assert all(data.rfind(b"\n", part.begin, part.end - 1) + 1 - part.begin < size for part in many)


def test_no_worker_outlives_an_output_that_no_one_wants(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "PART", 100)
    pieces = iter(Scan([str(large)], Options(Show.ANNOTATED, jobs=2)))
    assert len([*islice(pieces, 2)]) == 2
    assert len(multiprocessing.active_children()) == 2
    pieces.close()
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("total", [None, Count()], ids=["printed", "counted"])
def test_a_killed_worker_is_a_failure_and_the_next_file_is_read(
    total: Count | None, large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "PART", 100)
    monkeypatch.setattr(workers, "COUNTED_PART", 100)
    events = iter(Scan([str(large), str(large)], Options(jobs=2), total))
    assert isinstance(next(events), Piece)
    for worker in multiprocessing.active_children():
        os.kill(worker.pid or 0, signal.SIGKILL)
    (failure,) = (event for event in events if isinstance(event, Failure))
    assert (failure.name, str(failure.error)) == (str(large), "a worker process was killed")


def test_all_cores_count_where_the_system_cannot_limit_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert workers.cores() == 5
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert workers.cores() == 1


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system has no such call")
def test_only_cores_that_this_process_may_use_count() -> None:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        assert workers.cores() == workers.default_jobs(2**40) == 1
    finally:
        os.sched_setaffinity(0, cores)
    assert workers.cores() == len(cores)
    assert workers.default_jobs(2**40) == min(len(cores), workers.MOST_JOBS)
    assert workers.default_jobs(64 * 2**20) == 1  # not worth it


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_scan_says_how_far_it_is(jobs: int, large: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    run = Scan([str(large), "missing", str(empty), str(large)], Options(jobs=jobs))
    assert run.total == 2 * large.stat().st_size
    events = [*run]
    assert run.done == run.total
    assert [event.name for event in events if isinstance(event, Failure)] == ["missing"]


def test_a_count_of_files_stops_at_one_that_cannot_be_read(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("fdaa:0:18::3 fdaa::3\nfdaa:0:18::4")
    missing = tmp_path / "missing"
    with pytest.raises(FileNotFoundError) as caught:
        count([log, missing])
    assert caught.value.filename == str(missing)
    assert count([log, str(log)], jobs=2) == [
        NetworkCount(NetworkID("0:18"), 4, 2, str(log), 1),
        NetworkCount(NetworkID("0:0"), 2, 1, str(log), 1),
    ]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limited as Linux does")
def test_a_file_that_memory_cannot_unpack_is_a_failure(tmp_path: Path) -> None:
    packed, log = tmp_path / "packed", tmp_path / "log"
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 90 << 20}]
    packed.write_bytes(lzma.compress(bytes(110 << 20), filters=filters))
    log.write_text("fdaa::1")

    def with_little_memory() -> None:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        limit = pages * resource.getpagesize() + (30 << 20)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        *_, failure, piece = Scan([str(packed), str(log)])
        assert isinstance(failure, Failure)
        assert (failure.name, str(failure.error)) == (str(packed), "not enough memory to read it")
        assert isinstance(piece, Piece)

    assert [type(event) for event in Scan([str(log)])] == [Piece]
    assert os.waitpid(in_child(with_little_memory), 0)[1] == 0


def test_pseudonyms_go_with_what_needs_them() -> None:
    for wrong in ({"show": Show.REVEALED}, {"pseudonyms": KEY}):
        with pytest.raises(ValueError, match=r"^PSEUDONYMIZED and REVEALED require pseudonyms"):
            Options(**wrong)


MEMORY = """
import pathlib, sys
def most():  # in KiB; getrusage would count what its parent had, too
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
from fdaa.scan import count
log = pathlib.Path(sys.argv[1])
end = sys.argv[2]
with log.open("w") as file:
    file.writelines(f"peer fdaa:0:{n % 1000:x}:a7b:{n:x}{end}\\n" for n in range(65536))
count([str(log)])  # what it takes at all
before = most()
with log.open("w") as file:
    for k in range(8):
        lines = (f"peer fdaa:{k:x}:{n % 50:x}:a7b:{n:x}{end}\\n" for n in range(65536))
        file.writelines(lines)
matches = sum(network.matches for network in count([str(log)]))
print((most() - before) * 1024 // (7 * 65536), matches)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measured as Linux does")
@pytest.mark.parametrize(
    ("end", "most", "found"),
    [
        pytest.param("::1", 220, 8 * 65536, marks=pytest.mark.slow),
        pytest.param(":1::2::3", 20, 0, marks=pytest.mark.campaign),  # 500,000 refusals
    ],
)
def test_counting_takes_memory_for_distinct_addresses_only(
    end: str, most: int, found: int, tmp_path: Path
) -> None:
    """Bytes for each distinct text; none for what is no address."""
    command = [sys.executable, "-c", MEMORY, str(tmp_path / "log"), end]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    bytes_each, matches = map(int, run.stdout.split())
    assert matches == found
    assert bytes_each < most
