"""The tables of texts in `tests/tables/`: a JSON object a line, with `why` it stands there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fdaa import AddressError, InputError, OutsidePrefixError

if TYPE_CHECKING:
    from collections.abc import Callable

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


def is_outside(row: Row) -> bool:
    """Whether the text is an IPv6 address, but not a private one."""
    return row["reason"] == "does not start with 'fdaa'"  # type: ignore[no-any-return]


def check_refused_address(read: Callable[[str], object], row: Row) -> None:
    if is_outside(row):
        check_refusal(read, OutsidePrefixError, row)
    else:
        check_refusal(read, AddressError, row)


def check_refusal(read: Callable[[str], object], error: type[InputError], row: Row) -> None:
    """A text is refused with a reason and a place, in one printable line."""
    with pytest.raises(error) as caught:
        read(row["text"])
    refusal = caught.value
    assert type(refusal) is error
    assert row["reason"] in refusal.reason
    assert (refusal.at, refusal.text) == (row.get("at"), row["text"])
    message = str(refusal)
    assert message.isascii()
    assert message.isprintable()
    # It continues a sentence, after a colon; names are written as their documents write them.
    assert not refusal.reason[0].isupper()
    assert set(re.findall("ipv[46]", refusal.reason, re.IGNORECASE)) <= {"IPv4", "IPv6"}
