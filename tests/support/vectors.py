"""The tables of texts in `tests/tables/`: a JSON object a line, with `why` it stands there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fdaa._support.escapes import quote

if TYPE_CHECKING:
    from collections.abc import Callable

    from fdaa import InputError

TABLES = Path(__file__).parent.parent / "tables"


def rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a file, each with its `why`."""
    text = (TABLES / f"{name}.jsonl").read_text("ascii")
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


def check_refusal(
    read: Callable[[str], object], error: type[InputError], row: tuple[str, str, int | None, str]
) -> None:
    """A text is refused with a reason and a place, in one printable line that names the text."""
    text, reason, at, why = row
    with pytest.raises(error) as caught:
        read(text)
    refusal = caught.value
    assert type(refusal) is error, why
    assert reason in refusal.reason, why
    assert (refusal.at, refusal.text) == (at, text), why
    message = str(refusal)
    assert message.startswith(f"{quote(text)} is not a ")
    assert message.isascii()
    assert message.isprintable()
    # It continues a sentence, after a colon; names are written as their documents write them.
    assert not refusal.reason[0].isupper()
    assert set(re.findall("ipv[46]", refusal.reason, re.IGNORECASE)) <= {"IPv4", "IPv6"}


def names(found: list[tuple[Any, ...]]) -> list[str]:
    """Return the why of each row, which names its test."""
    return [row[-1] for row in found]
