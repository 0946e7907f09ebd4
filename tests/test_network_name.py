"""Network names: ASCII letters, digits and dashes, the first a letter; nothing is folded."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from vectors import accepted, check_refusal, refused, why

import fdaa
from fdaa._values.network_name import risks  # no export: only `fdaa check name` warns of them


@pytest.mark.parametrize("row", accepted("network-names"), ids=why)
def test_a_valid_name_is_taken_as_it_is(row: dict[str, Any]) -> None:
    name = fdaa.NetworkName(row["text"])
    assert name == row["text"]
    assert type(str(name)) is str


@pytest.mark.parametrize("row", refused("network-names"), ids=why)
def test_an_invalid_name_is_refused_with_its_reason_and_place(row: dict[str, Any]) -> None:
    check_refusal(fdaa.NetworkName, fdaa.NetworkNameError, row)


def test_no_look_alike_is_a_letter_or_a_digit_of_a_name() -> None:
    """Look-alikes would defeat isolation by name: whatever folds to a good character is refused."""
    good = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
    alike = set()
    for character in map(chr, range(0x80, 0x20000)):
        folded = unicodedata.normalize("NFKC", character).casefold() + character.upper()
        if not good.isdisjoint(folded):
            alike.add(character)
    assert alike.issuperset("\u212a\u0131\uff11")  # the Kelvin sign, a dotless i, a wide 1
    for character in alike:
        for text in (character, f"a{character}b"):
            with pytest.raises(fdaa.NetworkNameError):
                fdaa.NetworkName(text)


CASE = "it differs from 'default' only in case, but is a different network (assumed)"
DASH = "it ends in a dash, which is easily lost"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("default", []),
        ("Default", [CASE]),
        ("Default-", [DASH]),
        ("x" * 63, []),
        ("x" * 99 + "-", [DASH, "it has 100 characters; a DNS label has at most 63"]),
    ],
)
def test_a_valid_name_can_be_risky(text: str, expected: list[str]) -> None:
    assert risks(fdaa.NetworkName(text)) == expected
