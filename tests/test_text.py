"""IPv6 text, each shape of it: RFC 4291, section 2.2, and nothing else."""

from __future__ import annotations

import tracemalloc
import unicodedata
from typing import TYPE_CHECKING

import pytest
import slow_parser

import fdaa
from fdaa._values import text as fdaa_text  # its reader in Python, for other platforms
from tests.columns.column_texts import hard_texts

if TYPE_CHECKING:
    from collections.abc import Callable


def answer(text: str) -> bytes | None:
    try:
        return fdaa_text.read(text)
    except fdaa_text.TextError:
        return None


def test_every_hard_text_is_decided_as_the_rfc_does() -> None:
    """RFC 4291, section 2.2: eight groups; '::' for one or more; a dotted quad for the last two."""
    for text in hard_texts():
        assert answer(text) == slow_parser.parse(text), text


def test_no_character_but_the_ascii_hex_digits_is_a_digit() -> None:
    """`int(x, 16)`, `isdigit` and `\\d` take the digits of every script."""
    hex_digits = set("0123456789abcdefABCDEF")
    taken = set()
    for character in map(chr, range(0x20000)):
        looks_alike = unicodedata.normalize("NFKC", character) in hex_digits
        if (looks_alike or character.isdigit()) and answer(f"fdaa::{character}"):
            taken.add(character)
    assert taken == hex_digits


ENDLESS = [begin + "0" * 10**6 for begin in ("", "fdaa::", "fdaa::1%", "0x", "2:45b")]
PARSERS = [
    fdaa.Address,
    fdaa.extract_network_id,
    fdaa.Address.from_reverse_pointer,
    fdaa.NetworkID,
]


@pytest.mark.parametrize("parse", PARSERS)
def test_a_text_of_any_length_is_refused_without_a_copy(parse: Callable[[str], object]) -> None:
    for text in ENDLESS:
        tracemalloc.start()
        try:
            with pytest.raises(fdaa.InputError) as caught:
                parse(text)
            assert len(str(caught.value)) < 300
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 100_000
