"""The errors: what a person reads, what a program reads, and the tree they form."""

from __future__ import annotations

import copy
import pickle

import pytest

import fdaa
from fdaa.errors import printable, quote

QUOTED = (
    # text, as it is quoted, why
    ("fdaa::1", "'fdaa::1'", "a plain text"),
    ("", "''", "nothing"),
    ("it's", '"it\'s"', "a quote inside"),
    ("a\nb\tc", r"'a\nb\tc'", "control characters"),
    ("\x9b31m", r"'\x9b31m'", "what colours a terminal, in one character"),
    ("\u202efdaa", r"'\u202efdaa'", "what turns the line around"),
    ("\udc80", r"'\udc80'", "a byte that was no UTF-8"),
    ("\U0001f600", r"'\U0001f600'", "an emoji"),
    ("x" * 60, "'" + "x" * 60 + "'", "60 characters"),
    ("x" * 61, "'" + "x" * 60 + "'...", "61 characters"),
)


@pytest.mark.parametrize(("text", "quoted", "why"), QUOTED)
def test_input_is_quoted_so_that_it_can_be_printed_anywhere(
    text: str, quoted: str, why: str
) -> None:
    assert quote(text) == quoted, why


PRINTABLE = (
    # text, as it is printed, why
    ("", "", "nothing"),
    ("caf\u00e9 \\ \U0001f600", "caf\u00e9 \\ \U0001f600", "all of it printable"),
    ("caf\u00e9\\\x1b[31m", "caf\u00e9\\\\x1b[31m", "printable around a control character"),
    ("a\nb\tc", r"a\nb\tc", "a line end and a tab"),
    ("\u202efdaa\udc80", r"\u202efdaa\udc80", "what turns the line around; no UTF-8"),
)


@pytest.mark.parametrize(("text", "shown", "why"), PRINTABLE)
def test_only_what_is_not_printable_is_escaped(text: str, shown: str, why: str) -> None:
    assert printable(text) == shown, why


def test_characters_that_the_output_needs_are_kept() -> None:
    assert printable("a\nb\tc\x1b", keep="\n\t") == "a\nb\tc\\x1b"


ERRORS = (
    # error, its message
    (fdaa.InputError("a", "it is b", 3), "'a' is not a valid input: it is b (index 3)"),
    (fdaa.AddressError("a", "it is b"), "'a' is not a private address: it is b"),
    (fdaa.PrefixError("::1", "it is b", 0), "'::1' is not a private address: it is b (index 0)"),
    (fdaa.NetworkIDError("a", "it is b", 12), "'a' is not a network ID: it is b (index 12)"),
    (fdaa.NetworkNameError("\n", "it is b"), r"'\n' is not a network name: it is b"),
)


@pytest.mark.parametrize(("error", "message"), ERRORS)
def test_an_error_says_what_why_and_where_also_after_a_copy_or_a_pickle(
    error: fdaa.InputError, message: str
) -> None:
    pickled = [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(6)]
    for each in (error, *pickled, copy.copy(error), copy.deepcopy(error)):
        assert isinstance(each, ValueError)
        assert isinstance(each, fdaa.FdaaError)
        assert type(each) is type(error)
        assert (each.text, each.reason, each.at) == (error.text, "it is b", error.at)
        assert str(each) == message
        assert each.args == (error.text, "it is b", error.at)
