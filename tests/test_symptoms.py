"""The page of symptoms: its commands are understood, and run in the directory of examples."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command import invoke

from fdaa.explain._phase_words import explain_words

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "symptoms.md").read_text("utf-8")
COMMANDS = re.findall(r"^  `fdaa ([^`]+)`$", TEXT, re.MULTILINE)
IN_A_MACHINE = [command for command in COMMANDS if command.startswith("probe")]


def test_the_page_has_its_commands() -> None:
    assert len(COMMANDS) >= 4
    assert IN_A_MACHINE


@pytest.mark.parametrize("command", [each for each in COMMANDS if each not in IN_A_MACHINE])
def test_a_command_runs_as_it_stands(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "docs" / "examples")
    arguments = shlex.split(command)
    result = invoke(*arguments)
    assert result.stdout
    assert result.exit_code in (0, 1, 3)


def test_the_table_is_shown_in_a_terminal() -> None:
    shown = " ".join(invoke("help", "symptoms").stdout.split())
    for row in explain_words():
        for text in (*row.words, row.meaning, *row.checks):
            assert " ".join(text.split()) in shown


def test_the_table_is_a_column_of_labels_and_a_column_of_texts() -> None:
    for line in invoke("help", "symptoms").stdout.splitlines():
        assert len(line) <= 80
        if line.startswith(" "):
            assert re.match(r"  [ a-z:]{14} \S", line), line


def test_a_command_inside_a_machine_exists() -> None:
    for command in IN_A_MACHINE:
        assert invoke(*command.split()[:1], "--help").exit_code == 0
