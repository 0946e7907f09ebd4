"""The timing: every contestant of every job, in turns, so that a slow moment hits them all."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from benchmarks import processes, values

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

JOBS = values.JOBS | processes.JOBS


def _turns() -> list[object]:
    turns: list[object] = []
    for name, job in JOBS.items():
        order = list(job.contestants)
        for turn in range(job.turns):
            turns += [pytest.param(name, each, id=f"{name}-{turn}-{each}") for each in order]
            order.reverse()  # nobody always follows the same one
    return turns


@cache
def _check(name: str) -> None:
    JOBS[name].check()


@pytest.mark.parametrize(("name", "contestant"), _turns())
def test_speed(benchmark: BenchmarkFixture, name: str, contestant: str) -> None:
    """Time one turn of one contestant, after the answers of all have been compared."""
    _check(name)
    benchmark.group = name
    # pytest-benchmark says that it is typed, and this method is not.
    benchmark.pedantic(JOBS[name].contestants[contestant])  # type: ignore[no-untyped-call]
