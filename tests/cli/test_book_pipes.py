"""A book that is a pipe can be read, but not changed: no command that changes one waits for it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from command import run, shell

APPS = str(Path(__file__).parent.parent.parent / "docs" / "examples" / "apps.json")


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", "green", "2:2"),
        ("remove", "green"),
        ("rename", "green", "red"),
        ("learn", "--apps", APPS),
    ],
    ids=lambda arguments: str(arguments[0]),
)
def test_a_change_of_a_pipe_is_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    pipe = tmp_path / "book"
    os.mkfifo(pipe)
    command, *more = arguments
    result = run("book", command, "--book", str(pipe), *more)
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"a book that is changed must be a regular file" in result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["book"]


def test_a_pipe_is_read() -> None:
    text = '{"fdaa_book": 1, "networks": {"blue": {"network_id": "1:1", "network_id_int": 65537}}}'
    result = shell(f"fdaa book list --book <(echo '{text}')")
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"blue" in result.stdout
