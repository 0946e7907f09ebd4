"""A file is replaced whole or not at all, and no one else can read what it did not show before."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from fdaa._support import atomic_files  # private: saved networks and tokens are written by it


@pytest.mark.parametrize(("umask", "mode", "expected"), [(0o027, 0o604, 0o600), (0, 0o666, 0o666)])
def test_a_new_file_has_the_mode_that_is_given_less_the_umask(
    tmp_path: Path, umask: int, mode: int, expected: int
) -> None:
    path = tmp_path / "networks.json"
    before = os.umask(umask)
    try:
        atomic_files.replace_file(path, b"new", mode)
    finally:
        os.umask(before)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", expected)


def test_a_file_keeps_its_mode_and_leaves_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "networks.json"
    path.write_bytes(b"old")
    path.chmod(0o600)
    atomic_files.replace_file(path, b"newer", 0o666)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"newer", 0o600)
    assert list(tmp_path.iterdir()) == [path]


def test_a_directory_is_an_error_of_the_system(tmp_path: Path) -> None:
    for directory in (tmp_path, Path("/")):
        with pytest.raises(OSError, match=r"directory|busy"):
            atomic_files.replace_file(directory, b"new")
    assert not list(tmp_path.iterdir())
