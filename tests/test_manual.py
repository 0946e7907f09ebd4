"""The manual: a page for each command, which `man` prints without a warning."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command import environ, invoke

from fdaa.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("man") is None, reason="man is not installed; Debian's package `man-db` has it"
)
def test_each_command_has_a_page_with_the_examples_of_its_help(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "docs/tools/manual.py", tmp_path], cwd=ROOT, check=True)
    made = {page.stem for page in tmp_path.iterdir()}
    assert made >= {"fdaa", *(f"fdaa-{name}" for name in COMMANDS)}
    for page in tmp_path.iterdir():
        shown = subprocess.run(
            ["man", "--warnings", "--encoding", "UTF-8", "--local-file", page],
            env=environ(MANWIDTH="500", MANROFFOPT="", TERM="dumb"),
            capture_output=True,
            check=True,
            text=True,
        )
        assert shown.stderr == "", page
        assert f"\n       {page.stem} - " in shown.stdout
        for line in invoke(*page.stem.split("-")[1:], "--help").stdout.splitlines():
            if line.startswith("  $ "):
                assert set(line.split()) <= set(shown.stdout.split()), (page, line)
