"""What commands read: logs, and the documents of a small organization."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from example_documents import EXAMPLES
from scan_command import LOG


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
    """Write a directory `docs` of documents into the current one, by all names that count."""
    monkeypatch.chdir(tmp_path)
    Path("docs/machines").mkdir(parents=True)
    for name in ("apps.json", "status-billing.json", "instances.txt"):
        shutil.copy(EXAMPLES / name, "docs")
    for path in EXAMPLES.glob("addresses-*.json"):
        shutil.copy(path, "docs")
    shutil.copy(EXAMPLES / "machines-web.json", "docs/machines/web.json")
    shutil.copy(EXAMPLES / "apps-old.json", "old.json")
