"""What is read: names, directories and standard input."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from scan_output import LOG

from fdaa.scan._sources import Failure, Source, open_source, sources


@pytest.fixture
def top(tmp_path: Path) -> Path:
    for name in ("b/2.log", "a.log", "b/1.log", "c/d/3.log"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(LOG)
    (tmp_path / "b" / "0.log").symlink_to(tmp_path / "a.log")
    (tmp_path / "b" / "link").symlink_to(tmp_path / "c")
    os.mkfifo(tmp_path / "b" / "fifo")
    return tmp_path


def test_directories_are_read_in_order_and_what_they_link_to_is_not(top: Path) -> None:
    def found(*names: str, recursive: bool = True) -> list[tuple[str, bool]]:
        paths = tuple(str(top / name) for name in names)
        each = list(sources(paths, recursive=recursive))
        assert not any(isinstance(source, Failure) for source in each)
        return [(os.path.relpath(source.name, top), source.listed) for source in each]

    listed = [(name, True) for name in ("a.log", "b/1.log", "b/2.log", "c/d/3.log")]
    assert found(".") == listed
    assert found("c", "b") == [listed[3], *listed[1:3]]
    assert found("b/link", "a.log") == [("b/link/d/3.log", True), ("a.log", False)]
    assert found(".", "b/fifo", recursive=False) == [(".", False), ("b/fifo", False)]
    assert list(sources(("-",), recursive=True)) == [Source("-")]


def test_a_directory_that_is_gone_when_its_turn_comes_is_named(top: Path) -> None:
    found, again = (sources((str(top),), recursive=True) for _ in "12")
    assert next(found) == next(again) == Source(str(top / "a.log"), listed=True)
    shutil.rmtree(top / "b")
    gone, last = found
    (top / "b").symlink_to(top / "c")
    assert list(again) == [last]  # a link by now, which is not followed
    assert gone.name == str(top / "b")
    assert isinstance(gone.error, FileNotFoundError)
    assert last == Source(str(top / "c" / "d" / "3.log"), listed=True)


def test_a_file_is_opened_with_its_size(top: Path) -> None:
    log = str(top / "a.log")
    opened = open_source(Source(log), (top / "b" / "1.log").stat())
    with opened.file as file:
        assert (opened.name, opened.size, file.read()) == (log, len(LOG), LOG)
    with pytest.raises(OSError, match=r"^it is the output file too$"):
        open_source(Source(log), Path(log).stat())


@pytest.mark.parametrize("name", ["b/0.log", "b/fifo", "b"])
def test_what_is_no_file_any_more_is_neither_followed_nor_waited_for(name: str, top: Path) -> None:
    source = Source(str(top / name), listed=True)
    if name == "b":
        with pytest.raises(IsADirectoryError):
            open_source(source)
    else:
        assert open_source(source) is None


def test_standard_input_is_waited_for_and_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    os.write(theirs, LOG)
    with os.fdopen(ours) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        opened = open_source(Source("-"))
        assert (opened.name, opened.size, opened.file.read(999)) == ("-", None, LOG)
        opened.file.close()
        assert os.get_blocking(ours)
    os.close(theirs)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(OSError, match=r"^it is closed$"):
        open_source(Source("-"))
