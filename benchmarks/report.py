"""The table of ratios: each figure of fdaa beside a rival's, with what is wanted of it."""

from __future__ import annotations

import os
import platform
import re
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.inputs import REFUSED_KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

BEGIN = "<!-- table: written by `python -m benchmarks --write` -->"
END = "<!-- end of table -->"

HELD = "memory of a held address"
PEAK = "fdaa decode --json -, most memory"
MANY_LINES, FEW_LINES = "fdaa", "itself on 100,000 lines"


class Goal(NamedTuple):
    """What is wanted of one job beside one rival.

    Args:
        job, rival: whose figures are compared.
        wanted: the ratio wanted; None where nothing is.
        faster: the ratio tells how many times as fast fdaa is; otherwise how many times the
            rival's cost it has.
        less: the job whose time is taken off both figures.
    """

    job: str
    rival: str
    wanted: float | None = None
    faster: bool = True
    less: str | None = None


_REFUSALS = tuple(Goal(f"refusal: {kind}", "ipaddress", 1, faster=False) for kind in REFUSED_KINDS)
_OF_TEXTS = (
    Goal("extract_network_id(text)", "ipaddress", 10),
    Goal("extract_network_id(text)", "netaddr"),
    Goal("extract_network_id(text)", "inet_pton", faster=False),
    Goal("same_network(text, text)", "ipaddress", 9),
    Goal("Address(text)", "ipaddress", 6.5),
)
_OTHERS = (
    Goal("str(address)", "ipaddress", 6),
    Goal("int(address)", "ipaddress", 1.5, faster=False),
    Goal("address.network_id", "ipaddress", 1.5, faster=False),
    Goal("same_network(address, address)", "ipaddress"),
    Goal("sorted(addresses)", "ipaddress", 1),
    Goal("dict.fromkeys(addresses)", "ipaddress", 1),
    Goal(HELD, "ipaddress", 1, faster=False),
    Goal("import fdaa", "ipaddress, socket", 0.6, faster=False, less="bare Python"),
    Goal("fdaa --version", "bare click", 1.2, faster=False),
    Goal("fdaa same A B", "bare click", 1.2, faster=False),
    Goal("fdaa decode --json -", "plain loop", 3),
    Goal(PEAK, FEW_LINES, 1.05, faster=False),
)


def table(figures: Mapping[str, Mapping[str, float]]) -> str:
    """Return the table, in Markdown. Of all refusals it has the slowest.

    Args:
        figures: by job and contestant: seconds for each answer; bytes for the two of memory.
    """

    def times_the_cost(refusal: Goal) -> float:
        taken = figures[refusal.job]
        return taken["fdaa"] / taken[refusal.rival]

    slowest = max(_REFUSALS, key=times_the_cost)
    rows: list[tuple[str, ...]] = [("job", "fdaa", "compared with", "", "ratio", "goal", "met")]
    measured = [goal for goal in (*_OF_TEXTS, slowest, *_OTHERS) if goal.job in figures]
    rows += [_row(goal, figures[goal.job]) for goal in measured]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["| " + " | ".join(map(str.ljust, row, widths, " " * len(row))) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def _row(goal: Goal, figures: Mapping[str, float]) -> tuple[str, ...]:
    less = figures[goal.less] if goal.less else 0
    ours, theirs = figures["fdaa"] - less, figures[goal.rival] - less
    ratio = theirs / ours if goal.faster else ours / theirs
    show = _bytes if goal.job in (HELD, PEAK) else _seconds
    bound = "at least" if goal.faster else "at most"
    return (
        goal.job,
        show(ours),
        goal.rival,
        show(theirs),
        _ratio(goal, ratio),
        "" if goal.wanted is None else f"{bound} {goal.wanted:g}",
        _met(goal, float(f"{ratio:.3g}")),
    )


def _ratio(goal: Goal, ratio: float) -> str:
    if goal.faster:
        return f"{ratio:#.3g} times as fast"
    unit = "memory" if goal.job in (HELD, PEAK) else "time"
    return f"{ratio:#.3g} \N{MULTIPLICATION SIGN} the {unit}"


def _met(goal: Goal, ratio: float) -> str:
    if goal.wanted is None:
        return ""
    good = ratio >= goal.wanted if goal.faster else ratio <= goal.wanted
    return "yes" if good else "no"


def _seconds(value: float) -> str:
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.0f} ns"


def _bytes(value: float) -> str:
    return f"{value:.0f} bytes" if value < 1024 else f"{value / 1024**2:.1f} MiB"


def machine() -> str:
    """Return what the figures depend on, and nothing that names this very machine."""
    libc = " ".join(platform.libc_ver()).strip() or platform.system()
    configured = str(sysconfig.get_config_var("CONFIG_ARGS"))
    pgo = "with" if "--enable-optimizations" in configured else "without"
    python = f"{platform.python_implementation()} {platform.python_version()} built {pgo} PGO"
    return f"{_processor()}, {os.cpu_count()} cores; {python}; {libc}"


def _processor() -> str:
    try:
        described = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.machine()
    names = (line.partition(": ")[2] for line in described.splitlines() if "model name" in line)
    return next(names, platform.machine())


def insert(page: str, report: str, begin: str = BEGIN) -> str:
    """Return the page with the report between its markers, in place of what was there.

    Raises:
        ValueError: the page lacks a marker.
    """
    before, _, others = page.partition(begin)
    _, end, after = others.partition(END)
    if not end:
        raise ValueError(f"the page needs the lines {begin} and {END}")
    return f"{before}{begin}\n\n{_without_goals(report)}\n\n{END}{after}"


def _without_goals(report: str) -> str:
    """Return a report without the goals: they are for those who change the code."""
    with_columns = re.search(r"\| met +\|$", report, re.MULTILINE)
    if with_columns:
        report = re.sub(r"^(\|.*\|)[^|\n]*\|[^|\n]*\|$", r"\1", report, flags=re.MULTILINE)
    return re.sub(r"; goal: at (least|most) [\d.]+(?=\.$)", "", report, flags=re.MULTILINE)
