"""The two expressions match private addresses and nothing else, and cut out the right parts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from mutations import mutated_texts

from fdaa.columns._grammar import ADDRESS, ZERO  # private: the definitions are made of them
from fdaa.strategies import address_texts, not_addresses
from tests.columns.column_texts import column, read

# `\z` is new in Python 3.14, where it is what `\Z` was before.
EXPRESSIONS = {
    name: re.compile(text.replace(r"\z", r"\Z"))
    for name, text in {"ZERO": ZERO, "ADDRESS": ADDRESS}.items()
}


def expected_id(text: str) -> int | None:
    """Return what `Address` says."""
    address = read(text)
    if address is None:
        return None
    return int(address.network_id)


def network_id_int(text: str) -> int | None:
    """Return what the grammar says, in the way that its derivation tells."""
    if EXPRESSIONS["ZERO"].search(text):
        return 0
    if EXPRESSIONS["ADDRESS"].search(text):
        high, low = (int(part or "0", 16) for part in text.split(":")[1:3])
        return high * 65536 + low
    return None


def test_the_hard_texts() -> None:
    wrong = [
        text for text in column() if text is not None and network_id_int(text) != expected_id(text)
    ]
    assert wrong == []


@given(address_texts() | not_addresses() | mutated_texts())
def test_they_read_what_the_parser_reads_and_one_of_them_matches(text: str) -> None:
    assert network_id_int(text) == expected_id(text)
    matching = [name for name, expression in EXPRESSIONS.items() if expression.search(text)]
    assert len(matching) == (expected_id(text) is not None)


@pytest.mark.parametrize("expression", [ZERO, ADDRESS])
def test_the_expressions_need_only_what_every_engine_has(expression: str) -> None:
    """Groups that do not capture, classes of ASCII, counts, alternatives, and two anchors."""
    piece = re.compile(r"\(\?:|\)\??|\||\[[0-9A-Fa-f.-]+\]|\??\{\d(,\d)?\}|[0-5]|:|\?")
    assert expression.startswith(r"\A")
    assert expression.endswith(r"\z")
    assert piece.sub("", expression[2:-2]) == ""
