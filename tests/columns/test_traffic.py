"""The guide to traffic, on many rows: on 3,000,000 in the gate (`TRAFFIC_ROWS`)."""

from __future__ import annotations

import doctest
import os
from pathlib import Path

import pytest
from sql_engines import need_engines

PAGE = Path(__file__).parent.parent.parent / "docs" / "columns-traffic.md"
ROWS = int(os.environ.get("TRAFFIC_ROWS", "300000"))


@pytest.mark.engines
def test_the_guide_gives_the_same_answers_on_many_rows() -> None:
    need_engines()
    text = PAGE.read_text("utf-8")
    assert "rows = 30_000\n" in text
    text = text.replace("rows = 30_000\n", f"rows = {ROWS // 6 * 6}\n")
    examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    runner = doctest.DocTestRunner()
    runner.run(examples)
    assert runner.summarize(verbose=False).failed == 0
