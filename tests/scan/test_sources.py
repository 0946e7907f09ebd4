"""What is read: names, directories and standard input."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from scan_output import LOG

from fdaa.scan import Failure, Options, Piece, Show, scan

# Private: how far a walk has come when a directory goes away, and what is opened.
from fdaa.scan._names import find_files
from fdaa.scan._sources import open_source


@pytest.fixture
def top(tmp_path: Path) -> Path:
    for name in ("b/2.log", "a.log", "b/1.log", "c/d/3.log"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(LOG)
    (tmp_path / "b" / "0.log").symlink_to(tmp_path / "a.log")
    (tmp_path / "b" / "link").symlink_to(tmp_path / "c")
    os.mkfifo(tmp_path / "b" / "fifo")
    return tmp_path


def test_directories_are_read_in_order_and_links_in_them_are_not_followed(top: Path) -> None:
    def found(*names: str) -> list[str]:
        paths = [str(top / name) for name in names]
        events = [*scan(paths, Options(Show.FILES, recursive=True))]
        assert all(isinstance(event, Piece) for event in events)
        printed = b"".join(event.data for event in events if isinstance(event, Piece))
        return [os.path.relpath(name, top) for name in printed.decode().splitlines()]

    assert found(".") == ["a.log", "b/1.log", "b/2.log", "c/d/3.log"]
    assert found("c", "b") == ["c/d/3.log", "b/1.log", "b/2.log"]
    assert found("b/link", "a.log") == ["b/link/d/3.log", "a.log"]
    assert list(find_files(("-", "c"), recursive=True)) == ["-", "c"]
    assert list(find_files((str(top),), recursive=False)) == [str(top)]


def test_a_directory_that_is_gone_when_its_turn_comes_is_named(top: Path) -> None:
    found = find_files((str(top),), recursive=True)
    assert next(found) == str(top / "a.log")
    shutil.rmtree(top / "b")
    gone, last = found
    assert isinstance(gone, Failure)
    assert gone.name == str(top / "b")
    assert isinstance(gone.error, FileNotFoundError)
    assert last == str(top / "c" / "d" / "3.log")


def test_a_file_is_opened_with_its_size(top: Path) -> None:
    log = str(top / "a.log")
    with open_source(log, (top / "b" / "1.log").stat()) as source:
        assert (source.size, source.text.read(), source.position()) == (len(LOG), LOG, len(LOG))
    is_output = pytest.raises(OSError, match=r"^the input file is also the output$")
    with is_output, open_source(log, Path(log).stat()):
        pass


def test_standard_input_is_waited_for_and_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    os.write(theirs, LOG)
    with os.fdopen(ours) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with open_source("-") as source:
            assert (source.size, source.text.read(999), source.position()) == (None, LOG, 0)
        assert os.get_blocking(ours)
    os.close(theirs)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(OSError, match=r"^it is closed$"), open_source("-"):
        pass
