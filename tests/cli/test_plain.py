"""Calls of `fdaa scan` that click is not asked about: it would understand the same."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import click
import pytest
from command import environ
from hypothesis import given
from hypothesis import strategies as st

from fdaa.cli.group import fdaa
from fdaa.cli.plain import _FLAGS, _JOBS, options
from fdaa.cli.scan import scan

# As a user types them, and what nobody should: cut off, put together, with a value too many.
ARGUMENTS = (
    *_FLAGS,
    _JOBS,
    "--jobs=2",
    "--jobs=",
    "--jobs=0",
    "--jobs=-1",
    "--jobs=x",
    "--jobs=\u0663",
    "--jobs=1_0",
    "--jobs=123456",
    "--job=2",
    "--jobs2",
    "3",
    "-cn",
    "-cr",
    "-nr",
    "-c2",
    "--cou",
    "--count=1",
    "--c",
    "-h",
    "--help",
    "-v",
    "--lines",
    "--annotate",
    "--network=1",
    "--key",
    "--",
    "-",
    "",
    "app.log",
    "-\u00e9",
)


def as_click_has_it(arguments: list[str]) -> dict[str, Any] | None:
    """Return the parameters that click finds, or None where it refuses the call."""
    group = click.Context(fdaa, info_name="fdaa", **fdaa.context_settings)
    try:
        return scan.make_context("scan", list(arguments), parent=group).params
    except (click.ClickException, click.exceptions.Exit):
        return None


@given(arguments=st.lists(st.sampled_from(ARGUMENTS), max_size=5))
def test_what_is_understood_is_what_click_understands(arguments: list[str]) -> None:
    understood = options(arguments, {})
    if understood is not None:
        names, named = understood
        assert as_click_has_it(arguments) == {**as_click_has_it(["-"]), "names": names, **named}  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("call", "understood"),
    [
        ("app.log", (("app.log",), {})),
        ("-c app.log", (("app.log",), {"count": True})),
        ("-", (("-",), {})),
        ("--count --jobs 2 a b", (("a", "b"), {"count": True, "jobs": 2})),
        ("a -n --no-filename", (("a",), {"numbered": True, "with_name": False})),
        ("-cr --json logs", (("logs",), {"count": True, "recursive": True, "as_json": True})),
    ],
)
def test_usual_calls_are_understood(call: str, understood: object) -> None:
    assert options(call.split(), {}) == understood


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("-c", "no file: there may be a terminal to complain about"),
        ("-cn app.log", "they exclude each other"),
        ("--jobs 0 app.log", "wrong"),
        ("--cou app.log", "cut off"),
        ("--help", "help"),
        ("--pseudonymize app.log", "not in the table"),
        ("-- app.log", "not in the table"),
    ],
)
def test_other_calls_are_not(call: str, why: str) -> None:
    assert options(call.split(), {}) is None, why


@pytest.mark.parametrize("name", ["FDAA_BOOK", "FDAA_KEY", "_FDAA_COMPLETE", "POSIXLY_CORRECT"])
def test_no_call_is_understood_where_a_variable_has_a_say(name: str) -> None:
    assert options(["app.log"], {name: ""}) is None


@pytest.mark.parametrize(
    ("arguments", "loaded"),
    [(["scan", "-c", "-"], False), (["scan", "-v", "-"], True), (["decode", "fdaa::1"], True)],
)
def test_click_is_loaded_only_where_it_is_asked(arguments: list[str], loaded: bool) -> None:
    script = (
        "import sys; from fdaa.__main__ import main\n"
        "try: main()\n"
        "finally: print('click' in sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", script, *arguments]
    ran = subprocess.run(
        command, input=b"fdaa::1", capture_output=True, env=environ(), timeout=60, check=False
    )
    assert ran.stderr.splitlines()[-1] == str(loaded).encode()
