"""The rows of docs/vectors/, which tests of values and other implementations read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parent.parent.parent / "docs" / "vectors"


def rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a file, each with its `why`."""
    text = (VECTORS / f"{name}.jsonl").read_text("ascii")
    return [json.loads(line) for line in text.splitlines()]


def accepted(name: str, *keys: str) -> list[tuple[Any, ...]]:
    """Return these keys of each row whose text is read; the last one names its test."""
    return [tuple(row[key] for key in keys) for row in rows(name) if "reason" not in row]


def refused(name: str) -> list[tuple[str, str, int | None, str]]:
    """Return the text, a part of the reason, the index and the why of each row that is refused."""
    found = []
    for row in rows(name):
        if "reason" in row:
            found.append((row["text"], row["reason"], row.get("at"), row["why"]))
    return found


def names(found: list[tuple[Any, ...]]) -> list[str]:
    """Return the why of each row, which names its test."""
    return [row[-1] for row in found]
