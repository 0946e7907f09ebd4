"""docs/pasted-lines.md: lines of many programs, each from the line to its cause on one screen.

That its sessions print what is shown is checked by test_docs.py.
"""

from __future__ import annotations

import re
from math import ceil
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent.parent / "docs" / "pasted-lines.md"
_, *SECTIONS, _IN_PYTHON, MORE = PAGE.read_text(encoding="utf-8").split("\n## ")
PROGRAMS = MORE.split("\n### ")[1:]
COLUMNS = 80
ROWS = 24

KINDS = [
    "Go",
    "Node.js",
    "Erlang",
    "PostgreSQL",
    "nginx",
    "HAProxy",
    "redis",
    "ss",
    "tcpdump",
    "An environment dump",
]


def title(section: str) -> str:
    return section.partition("\n")[0]


def rows(text: str) -> int:
    """How many rows of a terminal a text takes."""
    taken = 0
    for line in text.splitlines():
        taken += max(1, ceil(len(line) / COLUMNS))
    return taken


def answers(section: str) -> list[str]:
    """The lines of a session, each with its answer."""
    (session,) = re.findall(r"```console\n(.*?)```", section, re.DOTALL)
    return re.findall(r"^\$ fdaa (?:.*\n)(?:(?!\$ ).*\n)*", session, re.MULTILINE)


def test_there_are_ten_kinds_of_lines() -> None:
    titles = [title(section).partition(":")[0] for section in SECTIONS]
    assert titles == KINDS


@pytest.mark.parametrize("section", SECTIONS, ids=title)
def test_a_session_fits_a_screen(section: str) -> None:
    (session,) = re.findall(r"```console\n(?:\$ cd docs/examples\n)?(.*?)```", section, re.DOTALL)
    assert rows(session) < ROWS  # the last one is for the next prompt


def test_there_are_sixty_lines_of_twenty_programs() -> None:
    assert len(SECTIONS) + sum(len(answers(program)) for program in PROGRAMS) >= 60
    assert len({title(program) for program in PROGRAMS}) >= 20


@pytest.mark.parametrize("program", PROGRAMS, ids=title)
def test_each_answer_fits_a_screen_and_ends_a_question(program: str) -> None:
    found = answers(program)
    assert found
    for answer in found:
        assert rows(answer) < ROWS
        _, _, said = answer.partition("\n")
        has_command = re.search(r"fdaa (whois|probe|reach)", said)
        is_compared = re.search(r"networks: |same network|this Machine|\nunknown: ", said)
        assert has_command or is_compared, answer
