"""The two expressions match private addresses and nothing else; the page of rules has them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from mutations import mutated_texts

from fdaa.columns._grammar import ADDRESS, ZERO  # private: the definitions are made of them
from fdaa.strategies import address_texts, not_addresses
from tests.columns.column_texts import ANSWERS, answers, drawn_texts, hard_texts, read

FILES = Path(__file__).parent.parent.parent / "docs" / "examples" / "columns"
LINES = (FILES / "answers.jsonl").read_text("utf-8").splitlines()
ROWS: list[dict[str, Any]] = [json.loads(line) for line in LINES]

# `\z` is new in Python 3.14, where it is what `\Z` was before.
_ADDRESS = re.compile(ADDRESS.replace(r"\z", r"\Z"))
_ZERO = re.compile(ZERO.replace(r"\z", r"\Z"))


def check(text: str) -> None:
    """Compare what the grammar says, in the way that its derivation tells, with `Address`."""
    address = read(text)
    if _ZERO.search(text):
        assert not _ADDRESS.search(text)
        assert address is not None
        assert int(address.network_id) == 0
    elif _ADDRESS.search(text):
        high, low = (int(part or "0", 16) for part in text.split(":")[1:3])
        assert address is not None
        assert int(address.network_id) == high * 65536 + low
    else:
        assert address is None


def test_the_hard_texts() -> None:
    for text in hard_texts() + drawn_texts(1000):
        check(text)


@given(address_texts() | not_addresses() | mutated_texts())
def test_they_read_what_the_parser_reads_and_one_of_them_matches(text: str) -> None:
    check(text)


@pytest.mark.parametrize("expression", [ZERO, ADDRESS])
def test_the_expressions_need_only_what_every_engine_has(expression: str) -> None:
    """Groups that do not capture, classes of ASCII, counts, alternatives, and two anchors."""
    piece = re.compile(r"\(\?:|\)\??|\||\[[0-9A-Fa-f.-]+\]|\??\{\d(,\d)?\}|[0-5]|:|\?")
    assert expression.startswith(r"\A")
    assert expression.endswith(r"\z")
    assert piece.sub("", expression[2:-2]) == ""


# --- the page of rules ----------------------------------------------------------------------------


def test_the_files_of_the_page_have_the_expressions_and_the_answers_of_the_core() -> None:
    expressions = json.loads((FILES / "grammar.json").read_text("utf-8"))
    assert expressions == {"address": ADDRESS, "zero": ZERO}
    texts = [row["text"] for row in ROWS]
    for operation in ANSWERS:
        right = answers(operation, texts)
        if operation == "key":
            right = [key and key.hex() for key in right]
        assert [row[operation] for row in ROWS] == right
