"""What commands read: logs, and the documents of a small organization."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from network_files import save_all
from scan_command import LOG

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "a.log"
    path.write_bytes(LOG)
    return str(path)


@pytest.fixture
def other(tmp_path: Path) -> str:
    path = tmp_path / "b.log"
    path.write_bytes(b"fdaa:0:18::9\n")
    return str(path)


@pytest.fixture
def new_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make an empty directory the current one."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write them into the current directory."""
    monkeypatch.chdir(tmp_path)
    save_all()
