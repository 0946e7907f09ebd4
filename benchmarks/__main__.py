"""`python -m benchmarks`: measure everything, and print the table of ratios."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from benchmarks import memory, report
from benchmarks.inputs import COUNT
from benchmarks.processes import MANY
from benchmarks.test_speed import JOBS

_HERE = Path(__file__).parent
_PAGE = _HERE.parent / "docs" / "performance.md"

Figures = dict[str, dict[str, float]]


def main() -> int:
    """Run it all. The status is 0 whatever the figures are, and 1 where answers differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"put the table into {_PAGE.name}")
    write = parser.parse_args().write
    figures = _time()
    if figures is None:
        return 1
    if sys.platform == "linux":
        figures |= _weigh()
    text = f"{report.table(figures)}\n\nMeasured on: {report.machine()}."
    print(text)
    if write:
        _PAGE.write_text(report.insert(_PAGE.read_text("utf-8"), text), "utf-8")
    return 0


def _time() -> Figures | None:
    """Return the median seconds for an answer, by job and contestant; None where a check failed."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "timings.json"
        command = [sys.executable, "-m", "pytest", str(_HERE), "-q", "-x", "-W", "default", "-n0"]
        # As timeit does: the collector's pauses depend on what else the process holds.
        command += ["--benchmark-quiet", "--benchmark-disable-gc", f"--benchmark-json={file}"]
        # The table alone goes to standard output.
        if subprocess.run(command, stdout=sys.stderr).returncode:
            return None
        timings = json.loads(file.read_text())["benchmarks"]
    turns = defaultdict[str, dict[str, list[float]]](lambda: defaultdict(list))
    for timing in timings:
        turns[timing["group"]][timing["params"]["contestant"]] += timing["stats"]["data"]
    return {
        job: {name: statistics.median(each) / JOBS[job].answers for name, each in times.items()}
        for job, times in turns.items()
    }


def _weigh() -> Figures:
    """Return bytes, by job and contestant."""
    return {
        report.HELD: {n: memory.held_bytes(n) for n in ("fdaa", "ipaddress", "netaddr")},
        report.PEAK: {
            report.MANY_LINES: memory.decode_peak_bytes(MANY),
            report.FEW_LINES: memory.decode_peak_bytes(COUNT),
        },
    }


if __name__ == "__main__":
    sys.exit(main())
