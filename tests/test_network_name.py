"""Network names: ASCII letters, digits and dashes, the first a letter; nothing is folded."""

from __future__ import annotations

import unicodedata

import pytest

import fdaa
from fdaa._network_name import risks  # no export: only `fdaa check name` warns of them

VALID = (
    # name, why
    ("default", "the network that every organization has"),
    ("customer-17", "letters, a dash, digits"),
    ("a", "one letter"),
    ("Z", "one upper-case letter"),
    ("z", "the last letter"),
    ("A", "the first upper-case letter"),
    ("Prod-EU", "mixed case, as the service's own examples"),
    ("a1", "a digit second"),
    ("a-", "a dash last: no rule against it"),
    ("a--b", "two dashes: no rule against it"),
    ("x-0123456789", "every digit"),
    ("x" * 64, "longer than a DNS label"),
    ("x" * 100_000, "no limit on length"),
)


@pytest.mark.parametrize(("text", "why"), VALID, ids=[row[1] for row in VALID])
def test_a_valid_name_is_taken_as_it_is(text: str, why: str) -> None:
    name = fdaa.NetworkName(text)
    assert type(name) is fdaa.NetworkName, why
    assert name == text
    assert str(name) == text
    assert type(str(name)) is str


INVALID = (
    # text, a part of the reason, at, why
    ("", "it is empty; it must start with a letter", None, "nothing"),
    ("17-customer", "must start with a letter (a to z, A to Z), not with '1'", 0, "a digit first"),
    ("-a", "must start with a letter (a to z, A to Z), not with '-'", 0, "a dash first"),
    ("_a", "not with '_'", 0, "an underscore first"),
    ("a_b", "not '_'", 1, "an underscore"),
    ("a@b", "not '@'", 1, "the character before A"),
    ("a[b", "not '['", 1, "the character behind Z"),
    ("a`b", "not '`'", 1, "the character before a"),
    ("a{b", "not '{'", 1, "the character behind z"),
    ("a b", "not ' '", 1, "a space inside"),
    (" a", "not with ' '", 0, "a space before"),
    ("default ", "not ' '", 7, "a space behind"),
    ("default\n", r"not '\n'", 7, "a line feed behind: '$' lets it pass"),
    ("\ndefault", r"not with '\n'", 0, "a line feed before"),
    ("a\0", r"not '\x00'", 1, "NUL"),
    ("a\x1b[31m", r"not '\x1b'", 1, "what colours a terminal"),
    ("ab--c.d", "not '.'", 5, "the first wrong one is named"),
    ("d\u0435fault", "not U+0435 (CYRILLIC SMALL LETTER IE)", 1, "a Cyrillic e"),
    ("\u0430bc", "not with U+0430 (CYRILLIC SMALL LETTER A)", 0, "a Cyrillic a first"),
    ("\u212a-net", "not with U+212A (KELVIN SIGN)", 0, "the Kelvin sign: it folds to k"),
    ("networ\u212a", "not U+212A (KELVIN SIGN)", 6, "the Kelvin sign inside"),
    ("\u017f", "not with U+017F (LATIN SMALL LETTER LONG S)", 0, "the long s: it upper-cases to S"),
    ("\ufb01x", "not with U+FB01 (LATIN SMALL LIGATURE FI)", 0, "a ligature of two letters"),
    ("caf\u00e9", "not U+00E9 (LATIN SMALL LETTER E WITH ACUTE)", 3, "an accent"),
    ("cafe\u0301", "not U+0301 (COMBINING ACUTE ACCENT)", 4, "an accent of its own"),
    ("a\u0661", "not U+0661 (ARABIC-INDIC DIGIT ONE)", 1, "an Arabic digit"),
    ("a\uff11", "not U+FF11 (FULLWIDTH DIGIT ONE)", 1, "a full-width digit"),
    ("a\u2010b", "not U+2010 (HYPHEN)", 1, "a hyphen that is no dash of ASCII"),
    ("a\u00adb", "not U+00AD (SOFT HYPHEN)", 1, "a hyphen that is not seen"),
    ("default\u200b", "not U+200B (ZERO WIDTH SPACE)", 7, "a space that is not seen"),
    ("a\u202eb", "not U+202E (RIGHT-TO-LEFT OVERRIDE)", 1, "what turns the line around"),
    ("a\udc80", "not U+DC80 (unnamed)", 1, "a lone surrogate"),
)


@pytest.mark.parametrize(("text", "reason", "at", "why"), INVALID, ids=[row[3] for row in INVALID])
def test_an_invalid_name_is_refused_with_its_reason_and_place(
    text: str, reason: str, at: int | None, why: str
) -> None:
    with pytest.raises(fdaa.NetworkNameError) as caught:
        fdaa.NetworkName(text)
    assert reason in caught.value.reason, why
    assert (caught.value.at, caught.value.text) == (at, text)
    assert str(caught.value).isascii()


def test_no_look_alike_is_a_letter_or_a_digit_of_a_name() -> None:
    """Look-alikes would defeat isolation by name: whatever folds to a good character is refused."""
    good = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
    foldings = (
        str.casefold,
        str.lower,
        str.upper,
        lambda c: unicodedata.normalize("NFKC", c),
        lambda c: unicodedata.normalize("NFKD", c),
    )
    alike = set()
    for character in map(chr, range(0x80, 0x20000)):
        for fold in foldings:
            if not good.isdisjoint(fold(character)):
                alike.add(character)
    assert "\u212a" in alike
    for character in alike:
        for text in (character, "a" + character, "a" + character + "b"):
            with pytest.raises(fdaa.NetworkNameError):
                fdaa.NetworkName(text)


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
    ("customer-17", [], "a plain name"),
    ("defaults", [], "another word"),
    ("Default", [CASE], "another case"),
    ("DEFAULT", [CASE], "upper case"),
    ("a-", [DASH], "a dash last"),
    ("Default-", [DASH], "another case, but more than that"),
    ("x" * 63, [], "as long as a DNS label"),
    ("x" * 64, ["it has 64 characters; a DNS label has at most 63"], "one more"),
    ("x" * 99 + "-", [DASH, "it has 100 characters; a DNS label has at most 63"], "both"),
)


@pytest.mark.parametrize(("text", "expected", "why"), RISKS, ids=[row[2] for row in RISKS])
def test_a_valid_name_can_be_risky(text: str, expected: list[str], why: str) -> None:
    assert risks(fdaa.NetworkName(text)) == expected, why
