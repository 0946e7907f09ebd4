"""The service that docs/tokens.md includes passes the tests that the page links."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command import environ

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = DOCS / "tokens.md"
PROGRAMS = ("allow_list.py", "test_allow_list.py")


@pytest.mark.engines
def test_the_service_of_the_page_passes_its_tests(tmp_path: Path) -> None:
    pytest.importorskip("fastapi")
    assert '```python\n--8<-- "allow_list.py"\n```\n' in PAGE.read_text("utf-8")
    for program in PROGRAMS:
        shutil.copy(DOCS / "examples" / program, tmp_path)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environ(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"^5 passed", done.stdout, re.MULTILINE), done.stdout
