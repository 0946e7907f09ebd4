"""The service in `docs/tokens.md` passes the tests that the page has for it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import environ

PAGE = Path(__file__).parent.parent.parent / "docs" / "tokens.md"


@pytest.mark.engines
def test_the_service_of_the_page_passes_its_tests(tmp_path: Path) -> None:
    pytest.importorskip("fastapi")
    files = re.findall(r"```python\n# (\w+\.py)\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert [name for name, _ in files] == ["allow_list.py", "test_allow_list.py"]
    for name, text in files:
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environ(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"^5 passed", done.stdout, re.MULTILINE), done.stdout
