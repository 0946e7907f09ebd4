"""Columns: each engine's own form against what people use in it, and how often that is wrong.

    python -m benchmarks.columns [--rows 5000000] [--rounds 2] [--write]

Needs the extra `engines` and Java; with 5,000,000 rows it takes about ten minutes. Each contestant
reads a Parquet file of one column and counts its rows by network, in three shapes: all texts
distinct, 1 % of them distinct, 1 % of them no addresses. Times are medians of interleaved rounds,
whole queries, reading included; what calls Python for each row is timed once, with distinct texts.
First the answers of the others are compared, row by row, with `Address`: those of fdaa must
all be right, and the wrong ones are counted. An engine of `fdaa.columns` that is not timed is an
error. Memory is the peak of new processes that go through
the file by batches. Spark also searches text files, on one core and on two. The second table is
that of `columns_bits`. PostgreSQL, MariaDB and SQLite have the first 300,000 rows in a table.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from benchmarks import columns_bits, columns_servers, report, scan_logs
from benchmarks import columns_engines as engines
from benchmarks import columns_inputs as inputs
from fdaa import NetworkID
from fdaa.columns._engines import ENGINES  # private: the records

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.columns_engines import Contestant

_DOCS = Path(__file__).parent.parent / "docs"
_QUERIES = "<!-- tables: whole queries, written by `python -m benchmarks.columns --write` -->"
_BITS = "<!-- tables: bytes and lines, written by `python -m benchmarks.columns --write` -->"
_LOGS = 16  # text files, of so many bytes
_LOG_SIZE = 40_000_000

Times = dict[tuple[str, str], dict[str, float]]  # engine and name -> shape -> seconds

_RIVALS = (engines.CAREFUL, engines.NAIVE, engines.OWN, engines.ROW_BY_ROW)
_CAREFUL_GOAL = 1.2  # times the time of the careful expression, at most

# What a fresh process does for the memory: it goes through the file by batches.
_BATCHES = """
import sys
import pandas  # pyarrow loads it, where it is there, with the first value of Python's
import pyarrow.parquet as pq
from fdaa.columns.arrow import network_ids
for batch in pq.ParquetFile(sys.argv[1]).iter_batches():
    if sys.argv[2] == "read":
        batch["ip"].null_count
    else:
        network_ids(batch["ip"])
with open("/proc/self/status") as status:  # getrusage includes what its parent had
    print(next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM:")))
"""


def main() -> int:
    """Run it all. The status is 1 where fdaa gives a wrong answer."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.columns", description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="put the tables into the documents")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        files = {shape: Path(directory, f"{shape}.parquet") for shape in inputs.SHAPES}
        right = _write_files(files, options.rows)
        times: Times = defaultdict(dict)
        wrong: Times = defaultdict(dict)
        _run(engines.without_spark(), files, right, options.rounds, times, wrong)
        with columns_servers.contestants() as of_servers:
            first = {shape: column[: columns_servers.ROWS] for shape, column in right.items()}
            _run(of_servers, files, first, options.rounds, times, wrong)
        logs = Path(directory, "logs")
        _write_logs(logs)
        found: dict[int, float] = {}
        for cores in (1, 2):
            contestants, session = engines.spark(cores)
            _run(contestants, files, right, options.rounds, times, wrong)
            session.stop()
            found[cores] = _spark_alone(cores, logs)
        _check_engines(times)
        memory = {what: _peak(files["distinct"], what) for what in ("read", "ids")}
        bits = columns_bits.table(files["distinct"], 2 * options.rounds + 1)
    lines = [
        _tables(times, wrong, options.rows),
        "",
        f"Arrow by batches: {max(0, memory['ids'] - memory['read'])} MiB more than reading.",
        f"Spark, addresses in {_LOGS} text files of {_LOG_SIZE // 10**6} MB:"
        f" {found[1]:.1f} s on 1 core, {found[2]:.1f} s on 2 cores;"
        f" {found[1] / found[2]:.2f} times as fast; goal: at least 1.6.",
    ]
    for begin, text in ((_QUERIES, "\n".join(lines)), (_BITS, bits)):
        measured = f"{text}\n\nMeasured on: {report.machine()}."
        print(measured)
        if options.write:
            _put(begin, measured)
    return int(any(sum(each.values()) for (_, name), each in wrong.items() if name == engines.FDAA))


def _check_engines(times: Times) -> None:
    """Raise the error of engines that no contestant is of."""
    timed = {engine.partition(",")[0] for engine, _ in times}
    missing = {engine.title.partition(" ")[0] for engine in ENGINES.values()} - timed
    if missing:
        raise SystemExit(f"no contestant of {', '.join(sorted(missing))}")


def _write_files(files: dict[str, Path], rows: int) -> dict[str, pa.Array]:
    """Write the files; return the right answers for each."""
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        made = pool.map(inputs.write, files.values(), files, repeat(rows))
        return dict(zip(files, made, strict=True))


def _put(begin: str, text: str) -> None:
    """Write a table into the page that has its marker."""
    (page,) = (page for page in _DOCS.glob("*.md") if begin in page.read_text("utf-8"))
    page.write_text(report.insert(page.read_text("utf-8"), text, begin), "utf-8")


def _write_logs(directory: Path) -> None:
    directory.mkdir()
    log = scan_logs.write(directory, "mixed", (1_000, 20_000), _LOG_SIZE).path
    for number in range(1, _LOGS):
        shutil.copy(log, directory / f"{number}.log")


def _spark_alone(cores: int, logs: Path) -> float:
    """Return the seconds of a count in logs, in a process of its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_spark_on_logs, cores, logs).result()


def _spark_on_logs(cores: int, logs: Path) -> float:
    """Return the seconds of a count in logs, where Java and Python may use so many cores only."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    session = engines.spark(cores)[1]
    return _fastest(partial(engines.count_in_logs, session, logs))


def _fastest(run: Callable[[], object]) -> float:
    """Return the seconds of the faster of two runs: the first one starts Python's workers."""
    taken = []
    for _ in range(2):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return min(taken)


def _run(
    contestants: list[Contestant],
    files: dict[str, Path],
    right: dict[str, pa.Array],
    rounds: int,
    times: Times,
    wrong: Times,
) -> None:
    for shape, file in files.items():
        for each in contestants:
            if each.answers is not None and each.name != engines.ROW_BY_ROW:
                answers = each.answers(str(file))
                wrong[each.engine, each.name][shape] = _share_of_wrong(answers, right[shape])
        taken = defaultdict[tuple[str, str], list[float]](list)
        for turn in range(rounds):
            for each in contestants:
                if each.name != engines.ROW_BY_ROW or (turn == 0 and shape == "distinct"):
                    start = time.perf_counter()
                    each.count_networks(str(file))
                    taken[each.engine, each.name].append(time.perf_counter() - start)
        for key, seconds in taken.items():
            times[key][shape] = statistics.median(seconds)
        print(f"{contestants[0].engine}: {shape}", file=sys.stderr)


def _share_of_wrong(answers: Any, right: Any) -> float:
    """Return the share of answers that are neither the ID nor its text; of no ID, that are any."""
    if pa.types.is_integer(answers.type):
        answers = answers.cast(pa.int64())
    else:
        answers = pc.if_else(pc.is_in(answers, pa.array(["", ":"], answers.type)), None, answers)
        entries = right.dictionary_encode()
        texts = [str(NetworkID(network)) for network in entries.dictionary.to_pylist()]
        right = pa.array(texts, answers.type).take(entries.indices)
    same = pc.sum(pc.equal(answers, right)).as_py() or 0
    both_null = pc.sum(pc.and_(answers.is_null(), right.is_null())).as_py() or 0
    return 1 - (int(same) + int(both_null)) / len(right)


def _peak(file: Path, what: str) -> int:
    """Return the most memory of a process that goes through a file, in MiB."""
    command = [sys.executable, "-c", _BATCHES, str(file), what]
    return int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def _tables(times: Times, wrong: Times, rows: int) -> str:
    """Return a row for each engine: the seconds of fdaa, and those beside each rival's."""
    heads = ["engine", *inputs.SHAPES, *_RIVALS]
    lines = [
        f"{rows:,} rows. Seconds of fdaa, then its time divided by that of each rival",
        "",
        f"| {' | '.join(heads)} |",
        "|---" * len(heads) + "|",
    ]
    for engine, name in times:
        if name == engines.FDAA and engine != engines.ONE_CORE:
            ours = times[engine, name]
            seconds = [f"{ours[shape]:.2f}" for shape in inputs.SHAPES]
            ratios = [_beside(ours, times.get((engine, rival)), rival) for rival in _RIVALS]
            lines.append(f"| {' | '.join([engine, *seconds, *ratios])} |")
    shares: dict[str, float] = defaultdict(float)  # the worst of all engines and shapes
    for (_, name), by_shape in wrong.items():
        shares[name] = max(shares[name], *by_shape.values())
    listed = ", ".join(f"{name} {share:.2%}" for name, share in shares.items())
    return "\n".join([*lines, "", f"Wrong answers, at most: {listed}."])


def _beside(ours: dict[str, float], theirs: dict[str, float] | None, rival: str) -> str:
    """Return the worst ratio of all shapes; it is bold where the goal is missed."""
    if theirs is None:
        return ""
    ratio = max(ours[shape] / theirs[shape] for shape in theirs)
    if rival == engines.CAREFUL and round(ratio, 2) > _CAREFUL_GOAL:
        return f"**{ratio:.2f}**"
    return f"{ratio:.2g}"


if __name__ == "__main__":
    sys.exit(main())
