"""Times of contestants, in turns, and the rows of the table."""

from __future__ import annotations

import os
import platform
import re
import statistics
import sysconfig
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

HEAD = "| job | fdaa | beside another |\n|---|---|---|"
BEGIN = "<!-- {area}: written by `python -m benchmarks --write` -->"
END = "<!-- end of table -->"
MACHINE = "Measured on: "
FDAA = "fdaa"


class Row(NamedTuple):
    """What fdaa takes for a job, beside one rival: seconds or bytes for each answer."""

    job: str
    ours: float
    rival: str
    theirs: float
    unit: str = "s"


def compare(
    job: str,
    contestants: Mapping[str, Callable[[], object]],
    *,
    answers: int = 1,
    rounds: int = 7,
    clock: Callable[[], float] = time.process_time,
) -> list[Row]:
    """Time all contestants in turns; return a row for each rival, with the medians.

    Args:
        job: what they do.
        contestants: by name; that of fdaa is `fdaa`.
        answers: how many answers a call gives: the time is for each.
        rounds: how often each is called.
        clock: processor time, or `time.perf_counter` for what runs in other processes.
    """
    taken: dict[str, list[float]] = {name: [] for name in contestants}
    order = list(contestants)
    for _ in range(rounds):
        for name in order:
            start = clock()
            contestants[name]()
            taken[name].append((clock() - start) / answers)
        order.reverse()  # none always follows the same one
    ours, *others = (statistics.median(each) for each in taken.values())
    rivals = [name for name in contestants if name != FDAA]
    return [Row(job, ours, *pair) for pair in zip(rivals, others, strict=True)]


def require_same(answers: Mapping[str, Iterable[object]]) -> None:
    """Compare the answers of all contestants.

    Raises:
        AssertionError: two of them differ.
    """
    (first, expected), *others = ((name, list(given)) for name, given in answers.items())
    for name, given in others:
        assert given == expected, f"{first} and {name} differ"


def line(row: Row) -> str:
    """Return a line of a table."""
    if row.ours < row.theirs and row.unit == "s":
        ratio = f"{row.theirs / row.ours:.3g} times as fast as"
    else:
        kind = {"s": "time", "bytes": "memory"}[row.unit]
        ratio = f"{row.ours / row.theirs:.3g} \N{MULTIPLICATION SIGN} the {kind} of"
    return f"| {row.job} | {quantity(row.ours, row.unit)} | {ratio} {row.rival} |"


def quantity(value: float, unit: str) -> str:
    """Return a time or a size for people."""
    if unit == "bytes":
        if value < 1024:
            return f"{value:.0f} bytes"
        return f"{value / 1024**2:.1f} MiB"
    for name, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {name}"
    return f"{value / 1e-9:.0f} ns"


def insert(page: str, area: str, lines: list[str]) -> str:
    """Return the page with these lines in the table of their area.

    Raises:
        ValueError: the page lacks a marker.
    """
    begin = BEGIN.format(area=area)
    before, _, others = page.partition(begin)
    _, end, after = others.partition(END)
    if not end:
        raise ValueError(f"the page needs the lines {begin} and {END}")
    table = "\n".join([HEAD, *lines])
    return f"{before}{begin}\n\n{table}\n\n{END}{after}"


def insert_machine(page: str) -> str:
    """Return the page with this computer as the one on which the tables were measured."""
    return re.sub(f"^{MACHINE}.*", f"{MACHINE}{machine()}.", page, count=1, flags=re.MULTILINE)


def machine() -> str:
    """Return what the figures depend on."""
    name = platform.machine()
    with suppress(OSError):
        found = re.search("model name.*: (.*)", Path("/proc/cpuinfo").read_text())
        if found is not None:
            name = found[1]
    pgo = "without"
    if "--enable-optimizations" in str(sysconfig.get_config_var("CONFIG_ARGS")):
        pgo = "with"
    python = f"{platform.python_implementation()} {platform.python_version()} built {pgo} PGO"
    return f"{name}, {os.cpu_count()} cores; {python}; {' '.join(platform.libc_ver())}"
