"""The page of symptoms: its words have the phases that it shows, and its commands run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command import invoke

from fdaa.lines import Phase, read_line

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "symptoms.md").read_text("utf-8")
COMMANDS = re.findall(r"^  `fdaa ((?!probe )[^`]+)`$", TEXT, re.MULTILINE)
ROWS = re.findall(r"^\| `([a-z-]+)` \| (.+?) \|", TEXT, re.MULTILINE)


def test_the_page_has_all_phases_and_its_commands() -> None:
    assert [phase for phase, _ in ROWS] == list(Phase)
    assert len(COMMANDS) >= 3


@pytest.mark.parametrize(("phase", "words"), ROWS)
def test_words_have_the_phase_of_their_row(phase: str, words: str) -> None:
    for text in re.findall("`([^`]+)`", words):
        if text != "i/o timeout":  # of a connection that is opened, or that was open
            assert read_line(text).phase == phase, text


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs_as_it_stands(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "docs" / "examples")
    result = invoke(*shlex.split(command))
    assert result.stdout
    assert result.exit_code in (0, 1, 3)
