"""Network names: ASCII letters, digits and dashes, the first a letter; nothing is folded."""

from __future__ import annotations

import unicodedata

import pytest
from vectors import accepted, check_refusal, names, refused

import fdaa
from fdaa._values.network_name import risks  # no export: only `fdaa check name` warns of them

VALID = accepted("network-names", "text", "why")
VALID.append(("x" * 100_000, "no limit on length"))


@pytest.mark.parametrize(("text", "why"), VALID, ids=names(VALID))
def test_a_valid_name_is_taken_as_it_is(text: str, why: str) -> None:
    name = fdaa.NetworkName(text)
    assert type(name) is fdaa.NetworkName, why
    assert name == text
    assert str(name) == text
    assert type(str(name)) is str


INVALID = refused("network-names")
INVALID.append(("a\udc80", "not U+DC80 (unnamed)", 1, "a lone surrogate"))


@pytest.mark.parametrize("row", INVALID, ids=names(INVALID))
def test_an_invalid_name_is_refused_with_its_reason_and_place(
    row: tuple[str, str, int | None, str],
) -> None:
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
        with pytest.raises(fdaa.NetworkNameError):
            fdaa.NetworkName(character)
        with pytest.raises(fdaa.NetworkNameError):
            fdaa.NetworkName(f"a{character}b")


def test_case_is_kept_and_tells_names_apart() -> None:
    names = [fdaa.NetworkName(text) for text in ("default", "Default", "DEFAULT")]
    assert len(set(names)) == 3
    assert [name.is_default for name in names] == [True, False, False]
    assert fdaa.DEFAULT_NETWORK == names[0] == fdaa.NetworkName(names[0])
    assert type(fdaa.DEFAULT_NETWORK) is fdaa.NetworkName


CASE = "it differs from 'default' only in case, but is a different network (assumed)"
DASH = "it ends in a dash, which is easily lost"

RISKS: tuple[tuple[str, list[str], str], ...] = (
    # name, risks, why
    ("default", [], "the real one"),
    ("Default", [CASE], "another case"),
    ("a-", [DASH], "a dash last"),
    ("Default-", [DASH], "another case, but more than that"),
    ("x" * 63, [], "as long as a DNS label"),
    ("x" * 64, ["it has 64 characters; a DNS label has at most 63"], "one more"),
    ("x" * 99 + "-", [DASH, "it has 100 characters; a DNS label has at most 63"], "both"),
)


@pytest.mark.parametrize(("text", "expected", "why"), RISKS, ids=[row[2] for row in RISKS])
def test_a_valid_name_can_be_risky(text: str, expected: list[str], why: str) -> None:
    assert risks(fdaa.NetworkName(text)) == expected, why
