"""Network names: no look-alike is a letter, and what a valid name risks."""

from __future__ import annotations

import unicodedata

import pytest

import fdaa
from fdaa._values.network_name import risks  # no export: only `fdaa check name` warns of them


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
