"""The sessions of docs/probe.md, on the networks of lab.py: each prints what the page shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from lab import Lab

pytestmark = pytest.mark.slow
DOCS = Path(__file__).parent.parent.parent / "docs"
EXAMPLES = DOCS / "examples"

_SESSION = re.compile(r"^```text\n(web\$ .*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^web\$ (.*\n)", re.MULTILINE)
_TIME = re.compile(r" \d+\.\d+ s\b")
SESSIONS = _SESSION.findall((DOCS / "probe.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("session", SESSIONS, ids=[s.partition("\n")[0] for s in SESSIONS])
def test_a_session_of_the_page_prints_what_is_shown(networks: Lab, session: str) -> None:
    _, *parts = _COMMAND.split(session)
    for command, shown in zip(parts[::2], parts[1::2], strict=True):
        result = networks.run("web", "sh", "-c", f"cd '{EXAMPLES}'; exec 2>&1; {command}")
        assert _TIME.sub(" 0 s", result.stdout) == _TIME.sub(" 0 s", shown)
        assert len(shown.splitlines()) <= 10
