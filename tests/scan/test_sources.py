"""What is read: names, directories and standard input."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from scan_output import LOG

from fdaa.scan._pieces import Piece
from fdaa.scan._run import Options, Scan, Show

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def top(tmp_path: Path) -> Path:
    for name in ("b/2.log", "a.log", "b/1.log", "c/d/3.log"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(LOG)
    (tmp_path / "b" / "0.log").symlink_to(tmp_path / "a.log")
    (tmp_path / "b" / "link").symlink_to(tmp_path / "c")
    os.mkfifo(tmp_path / "b" / "fifo")
    return tmp_path


@pytest.mark.parametrize(
    ("names", "found"),
    [
        pytest.param(["."], ["./a.log", "./b/1.log", "./b/2.log", "./c/d/3.log"], id="in order"),
        pytest.param(["b/link", "a.log"], ["b/link/d/3.log", "a.log"], id="a link that is given"),
    ],
)
def test_directories_are_read_in_order_and_links_in_them_are_not_followed(
    names: list[str], found: list[str], top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(top)
    printed = []
    for event in Scan(names, Options(Show.FILES, recursive=True)):
        assert isinstance(event, Piece)
        printed.append(event.data.decode())
    assert printed == [f"{name}\n" for name in found]


def test_standard_input_is_waited_for_and_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    os.write(theirs, b"first\nfdaa::1\n")
    with os.fdopen(ours) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        scan = Scan(["-"], Options(numbered=True))
        events = iter(scan)
        assert next(events) == Piece(b"2:fdaa::1\t0:0\n")
        assert os.get_blocking(ours)
        os.close(theirs)
        assert list(events) == []
        assert (scan.done, scan.total) == (0, 0)  # its size is not known
        assert os.read(ours, 1) == b""  # so it is open
