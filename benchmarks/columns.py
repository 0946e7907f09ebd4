"""Columns: each engine's own form against what people use in it, and how often that is wrong.

    python -m benchmarks.columns [--rows 5000000] [--rounds 3] [--write]

Needs the extra `engines` and Java. Each contestant reads a Parquet file of one column and counts
its rows by network, in three shapes: all texts distinct, 1 % of them distinct, 1 % of them no
addresses. Times are medians of interleaved rounds, whole queries, reading included; what calls
Python for each row is timed once. First the answers of the others are compared, row by row, with
`Address.parse`: those of fdaa must all be right, and the wrong ones are counted. Memory is the
peak of fresh processes that go through the file by batches.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow.parquet as pq

from benchmarks import columns_engines as engines
from benchmarks import columns_inputs as inputs
from benchmarks import report
from fdaa import NetworkID

if TYPE_CHECKING:
    from benchmarks.columns_engines import Contestant

_PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
_BEGIN = "<!-- tables: written by `python -m benchmarks.columns --write` -->"

Times = dict[tuple[str, str], dict[str, float]]  # engine and name -> shape -> seconds


class Goal(NamedTuple):
    """A ratio that is wanted: at most so many times a rival's time, or so many times as fast."""

    engine: str
    name: str
    rival: tuple[str, str]  # engine and name
    wanted: float
    faster: bool = False
    shape: str = "distinct"

    def row(self, times: Times) -> str:
        """Return it as a row of the table."""
        ours = times[self.engine, self.name][self.shape]
        theirs = times[self.rival][self.shape]
        ratio = theirs / ours if self.faster else ours / theirs
        met = ratio >= self.wanted if self.faster else ratio <= self.wanted
        unit = ("times as fast, at least", "times its time, at most")[not self.faster]
        rival = ", ".join(self.rival if self.rival[0] != self.engine else self.rival[1:])
        verdict = "yes" if met else "no"
        cells = (f"{self.engine}, {self.name}", rival, self.shape, f"{ratio:.2f}")
        return "| " + " | ".join([*cells, f"{self.wanted:g} {unit}", verdict]) + " |"


GOALS = (
    Goal("Polars", engines.FDAA, ("Polars", engines.PLUGIN), 2.2),
    Goal("Polars", engines.FDAA, ("Polars", engines.NAIVE), 2),
    Goal("Polars", engines.FDAA, ("Polars", engines.ROW_BY_ROW), 3, faster=True),
    Goal("DuckDB", engines.FDAA, ("DuckDB", engines.NAIVE), 3),
    Goal("Arrow", engines.FDAA, ("Arrow", engines.OWN_ROWS), 1.4, faster=True),
    Goal("Arrow", engines.DICTIONARY, ("Arrow", engines.OWN_ROWS), 10, True, "repeated"),
    Goal("pandas", engines.FDAA, ("pandas", engines.ROW_BY_ROW), 12, faster=True),
    Goal("Spark, 2 cores", engines.FDAA, ("Spark, 1 core", engines.FDAA), 1.6, faster=True),
    Goal("Spark, 2 cores", engines.FDAA, ("Spark, 2 cores", engines.NAIVE), 2.2),
)

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
with open("/proc/self/status") as status:  # getrusage would tell what its parent had, too
    print(next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM:")))
"""


def main() -> int:
    """Run it all. The status is 1 where fdaa gives a wrong answer."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.columns", description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help=f"put the tables into {_PAGE.name}")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        files = {shape: Path(directory, f"{shape}.parquet") for shape in inputs.SHAPES}
        for shape, file in files.items():
            inputs.write(file, shape, options.rows)
        times: Times = defaultdict(dict)
        wrong: Times = defaultdict(dict)
        _run(engines.without_spark(), files, options.rounds, times, wrong)
        for cores in (1, 2):
            contestants, session = engines.spark(cores)
            _run(contestants, files, options.rounds, times, wrong)
            session.stop()
        memory = {what: _peak(files["distinct"], what) for what in ("read", "ids")}
    more = memory["ids"] - memory["read"]
    text = (
        f"{_tables(times, wrong, options.rows)}\n\nArrow by batches: {more} MiB more than reading."
    )
    text += f"\nMeasured on: {report.machine()}."
    print(text)
    if options.write:
        _PAGE.write_text(report.insert(_PAGE.read_text("utf-8"), text, _BEGIN), "utf-8")
    return int(any(sum(each.values()) for (_, name), each in wrong.items() if "fdaa" in name))


def _run(
    contestants: list[Contestant], files: dict[str, Path], rounds: int, times: Times, wrong: Times
) -> None:
    for shape, file in files.items():
        right = inputs.networks_of(pq.read_table(file)["ip"].to_pylist())
        for each in contestants:
            if each.answers is not None and not each.slow:
                wrong[each.engine, each.name][shape] = _count_wrong(each.answers(str(file)), right)
        taken = defaultdict[tuple[str, str], list[float]](list)
        for turn in range(rounds):
            for each in contestants:
                if turn == 0 or not each.slow:
                    start = time.perf_counter()
                    each.count(str(file))
                    taken[each.engine, each.name].append(time.perf_counter() - start)
        for key, seconds in taken.items():
            times[key][shape] = statistics.median(seconds)
        print(f"{contestants[0].engine}: {shape}", file=sys.stderr)


def _count_wrong(answers: list[Any], right: list[int | None]) -> int:
    """Count the answers that are neither the ID nor its text, or not null where there is none."""
    texts = {network: str(NetworkID(network)) for network in {*right} if network is not None}
    pairs = zip(answers, right, strict=True)
    return sum(
        answer not in ((None, "", ":") if network is None else (network, texts[network]))
        for answer, network in pairs
    )


def _peak(file: Path, what: str) -> int:
    """Return the most memory of a process that goes through a file, in MiB."""
    command = [sys.executable, "-c", _BATCHES, str(file), what]
    return int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def _tables(times: Times, wrong: Times, rows: int) -> str:
    heads = "".join(f" {shape} |" for shape in inputs.SHAPES)
    lines = [f"{rows:,} rows, seconds a query", "", f"| engine | form |{heads} wrong answers |"]
    lines.append("|---|---|" + "---|" * (len(inputs.SHAPES) + 1))
    for (engine, name), taken in times.items():
        seconds = "".join(f" {taken[shape]:.2f} |" for shape in inputs.SHAPES)
        counts = wrong.get((engine, name), {}).values()
        lines.append(f"| {engine} | {name} |{seconds} {', '.join(f'{n:,}' for n in counts)} |")
    lines += ["", "| form | beside | shape | ratio | wanted | met |", "|---|---|---|---|---|---|"]
    return "\n".join(lines + [goal.row(times) for goal in GOALS])


if __name__ == "__main__":
    sys.exit(main())
