"""The guide to frameworks: its table, and the code in it."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from sql_servers import need

PAGE = Path(__file__).parent.parent.parent / "docs" / "frameworks.md"


def need_packages() -> None:
    """Skip unless the extra `engines`, which has every package of the guide, is installed."""
    for package in ("django", "polars", "psycopg", "yaml"):
        need(package)


def table(heading: str) -> dict[str, list[str]]:
    """Return the first table of a section: the first cell of a row -> the other cells."""
    section = PAGE.read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    _header, *lines = re.findall(r"^\| (.*) \|$", section, re.MULTILINE)
    rows = {}
    for line in lines:
        first, *others = line.split(" | ")
        rows[first] = others
    return rows


def source_of(start: str) -> str:
    """Return the code of the example that starts like this."""
    for example in doctest.DocTestParser().get_examples(PAGE.read_text("utf-8")):
        if example.source.startswith(start):
            return example.source
    raise AssertionError(start)
