"""The tables of texts in `tests/tables/`: a JSON object a line, with `why` it stands there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Row = dict[str, Any]
TABLES = Path(__file__).parent.parent / "tables"


def rows(name: str) -> list[Row]:
    """Return the rows of a file; each that is refused has a part of its `reason`."""
    text = (TABLES / f"{name}.jsonl").read_text("ascii")
    return [json.loads(line) for line in text.splitlines()]


def accepted(name: str) -> list[Row]:
    return [row for row in rows(name) if "reason" not in row]


def refused(name: str) -> list[Row]:
    return [row for row in rows(name) if "reason" in row]


def why(row: Row) -> str:
    """Name the test of a row."""
    return row["why"]  # type: ignore[no-any-return]
