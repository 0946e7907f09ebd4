"""One file by several processes: the bytes and the counts of one."""

from __future__ import annotations

import multiprocessing
import os
import random
from typing import TYPE_CHECKING, Any

import pytest
from scan_output import (
    annotate,
    full_disk,
    lines,
    matches,
    numbered_matches,
    output,
    records,
    replace,
    together,
)

import fdaa
from fdaa import Address
from fdaa.scan import Pseudonyms
from fdaa.scan import _workers as workers
from fdaa.scan._count import Count
from fdaa.scan._report import EVERYTHING, Filter

if TYPE_CHECKING:
    from pathlib import Path

    from scan_output import Render


@pytest.mark.parametrize("size", [1, 5, 40])
def test_parts_are_whole_lines_and_all_there_is(size: int, tmp_path: Path) -> None:
    data = b"\n" * 9 + b"xy\n" * 20 + b"y" * 100 + b"\n" + b"fdaa::1\n" * 9 + b"no end"
    (tmp_path / "log").write_bytes(data)
    with (tmp_path / "log").open("rb", buffering=0) as file:
        end = len(data) + 9  # it has become shorter
        cut = list(workers.parts(file.fileno(), workers.Part(3, end), size))
    assert b"".join(data[part.begin : part.end] for part in cut) == data[3:]
    assert all(data[part.end - 1 : part.end] == b"\n" for part in cut[:-1])
    many = [part for part in cut if data.count(b"\n", part.begin, part.end) > 1]
    assert all(data.rfind(b"\n", part.begin, part.end - 1) + 1 - part.begin < size for part in many)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random_ = random.Random(1)
    pieces = []
    for number in range(4000):
        network_id = fdaa.NetworkID(random_.choice((3, 5, number)))
        pieces.append(b"line %d" % number + b" x" * random_.randrange(40))
        if random_.random() < 0.5:
            pieces.append(f" [{Address.build(network_id, random_.randrange(50))}]:80".encode())
        pieces.append(random_.choice((b"\n", b"\n", b" ", b"\r\n\n")))
    path = tmp_path_factory.mktemp("scan") / "log"
    path.write_bytes(b"".join(pieces))
    return path


PSEUDONYMS = Pseudonyms(b"key")
RENDERS: dict[str, tuple[Render, bool]] = {
    "matches": (matches(), False),
    "numbered": (numbered_matches(front=b"log:"), True),
    "lines": (lines(numbered=True), True),
    "annotate": (annotate(), False),
    "records": (records(file="log"), True),
    "pseudonyms": (replace(PSEUDONYMS.hide), True),
    "nothing": (matches(keep=Filter(frozenset({1 << 31}))), False),
}


def output_of_workers(path: Path, render: Render, jobs: int, **options: Any) -> tuple[bytes, bool]:
    with path.open("rb", buffering=0) as file:
        whole = workers.Part(0, path.stat().st_size)
        parts = [*workers.output(file.fileno(), whole, render, jobs, **options)]
        assert len(parts) == len([*workers.parts(file.fileno(), whole, options["size"])])
    assert sum(size for _, size in parts) == whole.end
    return together(piece for pieces, _ in parts for piece in pieces)


@pytest.mark.parametrize("size", [50, 5000, 1 << 30])
@pytest.mark.parametrize("name", RENDERS)
def test_several_processes_give_the_bytes_of_one(name: str, size: int, large: Path) -> None:
    render, numbered = RENDERS[name]
    several = output_of_workers(large, render, 2, numbered=numbered, size=size * 20)
    assert several == output(render, large.read_bytes())


def test_a_line_longer_than_many_parts_is_read_piece_by_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = b"a fdaa::1\n" * 9 + b"x fdaa::2 " * 40_000 + b"\n" + b"fdaa::3\n"
    (tmp_path / "log").write_bytes(long)
    render = numbered_matches()
    monkeypatch.setattr(workers, "_LONG", 1000)
    with (tmp_path / "log").open("rb", buffering=0) as file:
        whole, written = workers.Part(0, len(long)), []
        answers = workers.output(file.fileno(), whole, render, 2, numbered=True, size=90)
        at_once = []
        for pieces, size in answers:
            at_once.append((isinstance(pieces, list), size))
            written += pieces
    assert at_once == [(True, 90), (False, 400_001), (True, 8)]
    assert together(written) == output(render, long)


def test_an_answer_too_long_for_the_disk_is_an_error_that_says_so(large: Path) -> None:
    said = r"^a part of the output does not fit into /.*: File too large$"
    with full_disk(), pytest.raises(OSError, match=said):
        output_of_workers(large, annotate(), 2, numbered=False, size=1000)


def test_each_process_counts_a_part_where_lines_are_equally_long(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"fdaa::1\n" * 3)
    with (tmp_path / "log").open("rb") as file:
        counted = workers.count(file.fileno(), workers.Part(0, 24), EVERYTHING, 3)
        assert [size for _, size in counted] == [8, 8, 8]


@pytest.mark.parametrize(("size", "parts"), [(1000, None), (1 << 30, 3)])
def test_several_processes_count_like_one(size: int, parts: int | None, large: Path) -> None:
    """Each has a part, where parts could be so large that one would do all."""
    one, several = Count(), Count()
    length = large.stat().st_size
    whole, sizes = workers.Part(length // 2, length), []
    for count in (one, several):
        count.begin_file("log")
    with large.open("rb", buffering=0) as file:
        for block in workers.read_part(file.fileno(), whole):
            one.read(block)
        for part, read in workers.count(file.fileno(), whole, EVERYTHING, 3, size=size):
            several.add(part)
            sizes.append(read)
        assert len(sizes) == (parts or len([*workers.parts(file.fileno(), whole, size)]))
    assert sum(sizes) == whole.end - whole.begin
    assert list(several.networks()) == list(one.networks())


def test_no_worker_outlives_an_output_that_nobody_wants(large: Path) -> None:
    with large.open("rb", buffering=0) as file:
        whole = workers.Part(0, large.stat().st_size)
        several = workers.output(file.fileno(), whole, annotate(), 2, numbered=False, size=100)
        next(several)
        several.close()
    assert multiprocessing.active_children() == []


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system has no such call")
def test_only_cores_that_this_process_may_use_count() -> None:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        assert workers.cores() == 1
    finally:
        os.sched_setaffinity(0, cores)
    assert workers.cores() == len(cores)
