"""The errors: what a person reads, what a program reads, and what all of them have in common."""

from __future__ import annotations

import copy
import pickle

import pytest

import fdaa
from fdaa import networks, platform
from fdaa._support.escapes import printable, quote  # every room prints outside text with them


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("it's", '"it\'s"'),
        ("a\nb\x9b31m", r"'a\nb\x9b31m'"),  # \x9b colours a terminal, in one character
        ("\u202efdaa\udc80", r"'\u202efdaa\udc80'"),  # right to left; a byte that was no UTF-8
        ("x" * 60, "'" + "x" * 60 + "'"),
        ("x" * 61, "'" + "x" * 60 + "'..."),
    ],
)
def test_input_is_quoted_so_that_it_can_be_printed_anywhere(text: str, quoted: str) -> None:
    assert quote(text) == quoted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("caf\u00e9 \\ \U0001f600", "caf\u00e9 \\ \U0001f600"),
        ("caf\u00e9\\\x1b[31m\n", "caf\u00e9\\\\x1b[31m\n"),
        ("\u202efdaa\udc80", r"\u202efdaa\udc80"),
    ],
)
def test_only_what_is_not_printable_is_escaped(text: str, shown: str) -> None:
    assert printable(text, keep="\n") == shown


APPS = platform.AppList((), document=networks.parse_document('{"apps": []}', file="apps.json"))
ERRORS = [
    fdaa.InputError("text", "reason", 3),
    fdaa.OutsidePrefixError("::1"),
    networks.FileError("file", reason="reason"),
    platform.RateLimitError(
        "GET /v1/apps",
        status=429,
        message="no",
        code="denied",
        headers={"retry-after": "3"},
        may_have_happened=True,
    ),
    platform.IncompleteListError("GET /v1/apps", apps=APPS),
    platform.TokenRefusedError((platform.FailedCheck("aud", reason="missing"),)),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_is_the_same_after_a_copy_or_a_pickle(error: fdaa.FdaaError) -> None:
    """A process pool sends it to its parent."""
    for each in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert type(each) is type(error)
        assert (str(each), repr(each)) == (str(error), repr(error))
        assert vars(each) == vars(error)
