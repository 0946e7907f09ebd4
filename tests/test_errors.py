"""The errors: what a person reads, what a program reads, and the tree they form."""

from __future__ import annotations

import copy
import pickle

import pytest

import fdaa
from fdaa.errors import quote

QUOTED = (
    # text, as it is quoted, why
    ("fdaa::1", "'fdaa::1'", "a plain text"),
    ("", "''", "nothing"),
    ("it's", '"it\'s"', "a quote inside"),
    ("a\nb\tc", r"'a\nb\tc'", "control characters"),
    ("\x1b[31m", r"'\x1b[31m'", "what colours a terminal"),
    ("\x9b31m", r"'\x9b31m'", "the same, in one character"),
    ("\u202efdaa", r"'\u202efdaa'", "what turns the line around"),
    ("\udc80", r"'\udc80'", "a byte that was no UTF-8"),
    ("\U0001f600", r"'\U0001f600'", "an emoji"),
    ("x" * 60, "'" + "x" * 60 + "'", "60 characters"),
    ("x" * 61, "'" + "x" * 60 + "'...", "61 characters"),
    ("x" * 10**6, "'" + "x" * 60 + "'...", "a million characters"),
)


@pytest.mark.parametrize(("text", "quoted", "why"), QUOTED, ids=[row[2] for row in QUOTED])
def test_input_is_quoted_so_that_it_can_be_printed_anywhere(
    text: str, quoted: str, why: str
) -> None:
    assert quote(text) == quoted, why


def test_a_kind_of_text_is_quoted_as_the_text_that_it_is() -> None:
    class Raw(str):
        def __repr__(self) -> str:
            return "\x1b[31m"

    assert quote(Raw("fdaa")) == "'fdaa'"
    assert quote(fdaa.DEFAULT_NETWORK) == "'default'"


MESSAGES = (
    (
        fdaa.AddressError("a", "it is b", 0),
        "'a' is not a private address: it is b, at index 0",
    ),
    (
        fdaa.AddressError("a", "it is b"),
        "'a' is not a private address: it is b",
    ),
    (
        fdaa.PrefixError("::1", "it is b", 0),
        "'::1' is not a private address: it is b, at index 0",
    ),
    (
        fdaa.NetworkIDError("a" * 61, "it is b", 12),
        "'" + "a" * 60 + "'... is not a network ID: it is b, at index 12",
    ),
    (
        fdaa.NetworkNameError("\n", "it is b", 0),
        r"'\n' is not a network name: it is b, at index 0",
    ),
)


@pytest.mark.parametrize(("error", "message"), MESSAGES)
def test_a_message_says_what_why_and_where(error: fdaa.FdaaError, message: str) -> None:
    assert str(error) == message


def test_a_program_reads_the_same_from_attributes() -> None:
    error = fdaa.AddressError("fdaa::1g", "'g' is not a hex digit", 7)
    assert (error.text, error.reason, error.at) == ("fdaa::1g", "'g' is not a hex digit", 7)
    assert fdaa.AddressError("x", "why").at is None


ERRORS = [fdaa.FdaaError("a", "it is b", 3), *(error for error, _ in MESSAGES)]


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_survives_pickle_and_copy(error: fdaa.FdaaError) -> None:
    pickled = [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(6)]
    for again in (*pickled, copy.copy(error), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert (again.text, again.reason, again.at) == (error.text, error.reason, error.at)
        assert str(again) == str(error)


@pytest.mark.parametrize("error", ERRORS)
def test_except_value_error_catches_it(error: fdaa.FdaaError) -> None:
    with pytest.raises(ValueError, match="it is b"):
        raise error


def test_outside_the_prefix_is_a_kind_of_wrong_address() -> None:
    assert issubclass(fdaa.PrefixError, fdaa.AddressError)
    assert not issubclass(fdaa.NetworkIDError, fdaa.AddressError)
    assert not issubclass(fdaa.AddressError, fdaa.NetworkIDError)
