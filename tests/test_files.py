"""A file is replaced whole or not at all; how tokens are written is in tests/platform."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from fdaa._support.atomic_files import replace_file  # private: saved networks are written by it

if TYPE_CHECKING:
    from pathlib import Path


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_has_the_mode_that_others_have(tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    usual.touch()
    path = tmp_path / "file"
    replace_file(path, b"new")
    assert (path.read_bytes(), mode_of(path)) == (b"new", mode_of(usual))


def test_a_link_is_followed_to_a_file_that_keeps_its_mode(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(target)
    replace_file(link, b"new")
    assert link.is_symlink()
    assert (target.read_bytes(), mode_of(target)) == (b"new", 0o640)
    assert sorted(tmp_path.iterdir()) == [link, target]


def test_what_cannot_be_replaced_leaves_no_other_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"directory|busy"):
        replace_file(tmp_path, b"new")
    assert not list(tmp_path.iterdir())
