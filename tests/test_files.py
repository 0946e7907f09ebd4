"""A file is replaced whole or not at all, and nobody can do more with it than before."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from books import IS_ROOT, NOBODY

from fdaa._support import atomic_files  # private: saved networks and tokens are written by it

needs_acl = pytest.mark.skipif(
    not (IS_ROOT and shutil.which("setfacl")), reason="needs root and setfacl (Debian: acl)"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "networks.json"


def acl_of(path: Path) -> list[str]:
    run = subprocess.run(["getfacl", "-cpn", path], capture_output=True, text=True, check=True)
    return run.stdout.split()


def set_acl(path: Path, *entries: str) -> None:
    subprocess.run(["setfacl", "-m", ",".join(entries), path], check=True)


@needs_acl
def test_after_an_access_list_only_the_owner_keeps_what_he_had(path: Path) -> None:
    """The mode of such a file is for other people than without a list."""
    path.write_text("old")
    path.chmod(0o640)
    set_acl(path, f"u:{NOBODY}:rw", "g::-")
    atomic_files.replace_file(path, b"new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@needs_acl
def test_a_new_file_has_the_acl_that_its_directory_gives(path: Path) -> None:
    set_acl(path.parent, f"d:u:{NOBODY}:r")
    path.with_name("other").touch()
    atomic_files.replace_file(path, b"new")
    assert acl_of(path) == acl_of(path.with_name("other"))


def test_a_new_file_has_the_mode_that_is_given_less_the_umask(path: Path) -> None:
    before = os.umask(0o027)
    try:
        atomic_files.replace_file(path, b"new", 0o604)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    atomic_files.replace_file(path, b"newer", 0o666)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"newer", 0o600)


def test_a_directory_is_an_error_of_the_system(path: Path) -> None:
    for directory in (path.parent, Path("/")):
        with pytest.raises(OSError, match=r"directory|busy"):
            atomic_files.replace_file(directory, b"new")
    assert not list(path.parent.iterdir())
