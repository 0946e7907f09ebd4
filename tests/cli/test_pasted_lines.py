"""docs/pasted-lines.md: lines of many programs, each from the line to its cause on one screen.

That its sessions print what is shown is checked by test_docs.py.
"""

from __future__ import annotations

import re
from math import ceil
from pathlib import Path

import pytest
from command import as_in_a_machine, invoke

PAGE = Path(__file__).parent.parent.parent / "docs" / "pasted-lines.md"
_, *SECTIONS, _IN_PYTHON, MORE = PAGE.read_text(encoding="utf-8").split("\n## ")
PROGRAMS = MORE.split("\n### ")[1:]
COLUMNS = 80
ROWS = 24
OWN = "fdaa:2:45b:a7b:174:db43:d3c6:2"


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


@pytest.mark.parametrize("section", SECTIONS, ids=title)
def test_a_session_fits_a_screen(section: str) -> None:
    (session,) = re.findall(r"```console\n(?:\$ cd docs/examples\n)?(.*?)```", section, re.DOTALL)
    assert rows(session) < ROWS  # the last one is for the next prompt


def others(section: str) -> list[str]:
    """The lines below the answers of a section, which have one of these answers."""
    texts = re.findall(r"^```text\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    return "".join(texts).splitlines()


def without_own_words(answer: str) -> str:
    """An answer without the port of its line, and without the line itself."""
    answer = re.sub(r"\]:(\d+|PORT)'", "]'", answer)
    answer = re.sub(r"probe (\w+):\d+", r"probe \1", answer)
    return re.sub(r"(?m)^fdaa: '.*'(\.\.\.)?: no private", "fdaa: no private", answer)


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


@pytest.mark.parametrize("program", PROGRAMS, ids=title)
def test_the_lines_below_an_answer_have_it_too(program: str) -> None:
    shown = set()
    for answer in answers(program):
        _, _, said = answer.partition("\n")
        shown.add(without_own_words(said))
    for line in others(program):
        output = invoke(line, env={"PLATFORM_PRIVATE_IP": OWN}).output
        output = as_in_a_machine(output)
        assert without_own_words(output) in shown, line
