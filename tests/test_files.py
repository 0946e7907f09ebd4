"""A file is replaced whole or not at all, and no one else can read what it did not show before."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

# Private: saved networks and tokens are written by it.
from fdaa._support.atomic_files import replace_file, write_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def umask() -> Iterator[None]:
    """Let others read new files, but not write them."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize(("write", "mode"), [(replace_file, 0o644), (write_secret, 0o600)])
def test_a_new_file_has_the_mode_of_its_kind(
    tmp_path: Path, write: Callable[[Path, bytes], None], mode: int
) -> None:
    path = tmp_path / "file"
    write(path, b"new")
    assert (path.read_bytes(), mode_of(path)) == (b"new", mode)


def test_a_file_keeps_its_mode_and_leaves_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "networks.json"
    path.write_bytes(b"old")
    path.chmod(0o640)
    replace_file(path, b"newer")
    assert (path.read_bytes(), mode_of(path)) == (b"newer", 0o640)
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed_for_a_file_and_refused_for_a_secret(tmp_path: Path) -> None:
    target = tmp_path / "target"
    link = tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    replace_file(link, b"new")
    assert link.is_symlink()
    with pytest.raises(OSError, match="symbolic link"):
        write_secret(link, b"secret")
    assert target.read_bytes() == b"new"


def test_a_secret_takes_the_name_of_a_file_that_others_can_read(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_bytes(b"old")
    path.chmod(0o644)
    write_secret(path, b"secret")
    assert (path.read_bytes(), mode_of(path)) == (b"secret", 0o600)


def test_a_directory_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"directory|busy"):
        replace_file(tmp_path, b"new")
    assert not list(tmp_path.iterdir())
