"""docs/pasted-lines.md: ten pasted lines, each from the line to its cause on one screen.

That its sessions print what is shown is checked by test_docs.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent.parent / "docs" / "pasted-lines.md"
SECTIONS = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
COLUMNS, ROWS = 80, 24


KINDS = ("Go", "Node.js", "Erlang", "PostgreSQL", "nginx", "HAProxy", "redis", "ss", "tcpdump")


def test_there_are_ten_kinds_of_lines() -> None:
    titles = [section.partition("\n")[0] for section in SECTIONS]
    assert [title.partition(":")[0] for title in titles] == [*KINDS, "An environment dump"]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.splitlines()[0])
def test_a_session_fits_a_screen(section: str) -> None:
    (session,) = re.findall(r"```console\n\$ cd docs/examples\n(.*?)```", section, re.DOTALL)
    rows = sum(max(1, -(-len(line) // COLUMNS)) for line in session.splitlines())
    assert rows < ROWS  # the last one is for the next prompt
