"""The texts and answers for engines that have no definitions, and the formulas beside them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from fdaa.columns._grammar import ADDRESS, ZERO  # private: the page has them as a file
from tests.columns.column_texts import ANSWERS, answers

ROOT = Path(__file__).parent.parent.parent
FILE = ROOT / "docs" / "examples" / "columns" / "answers.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def test_the_file_of_the_page_has_the_expressions() -> None:
    expressions = json.loads((FILE.parent / "grammar.json").read_text("utf-8"))
    assert expressions == {"address": ADDRESS, "zero": ZERO}


def test_the_answers_are_those_of_the_core() -> None:
    texts = [row["text"] for row in ROWS]
    for operation in ANSWERS:
        right = answers(operation, texts)
        if operation == "key":
            right = [None if key is None else key.hex() for key in right]
        assert [row[operation] for row in ROWS] == right


def formulas(text: str) -> dict[str, Any]:
    """Return the key, the address and the network ID of an address, by the steps of the page."""
    head, _, quad = text.rpartition(":")
    if "." in quad:
        a, b, c, d = (f"{int(octet):02x}" for octet in quad.split("."))
        text = f"{head}:{a}{b}:{c}{d}"
    before, _, after = text.partition("::")
    first = "".join(group.zfill(4) for group in before.split(":"))
    second = "".join(group.zfill(4) for group in after.split(":") if group)
    zeros = "0" * (32 - len(first) - len(second))
    digits = (first + zeros + second).lower()
    written = re.sub("(....)", r"\1:", digits)
    written = re.sub(":0{1,3}", ":", written)
    for length in range(7, 1, -1):
        run = ":0" * length + ":"
        if run in written:
            written = written.replace(run, "::", 1)
            break
    written = re.sub("([^:]):$", r"\1", written)
    number = int(digits[4:12], 16)
    network_id = f"{number // 65536:x}:{number % 65536:x}"
    return {"key": digits, "address": written, "network_id": network_id}


def test_the_formulas_of_the_page_give_the_answers() -> None:
    for row in ROWS:
        if row["address"] is not None:
            result = formulas(row["text"])
            assert result == {name: row[name] for name in result}
