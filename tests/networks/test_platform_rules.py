"""What a verdict says of the platform has its source: a section that says it, or an assumption."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fdaa.networks import Reason, Way

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "platform-rules.md").read_text("utf-8")
SPECIFICATION, _, REST = PAGE.partition("## What is assumed")
ASSUMED, _, _ = REST.partition("## Where the specification is silent")
ROWS = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
SECTIONS = dict(ROWS.findall(SPECIFICATION))
ASSUMPTIONS = dict(re.findall(r"^### (\S+)\n\n(.*?)(?=^###|\Z)", ASSUMED, re.MULTILINE | re.DOTALL))
FINDINGS = [*Reason, *Way]


@pytest.mark.parametrize("kind", FINDINGS, ids=lambda kind: f"{type(kind).__name__} {kind}")
def test_a_finding_has_sections_of_the_specification_or_an_assumption(kind: Reason | Way) -> None:
    assert (kind.section is None) != (kind.assumed is None)
    if kind.section is not None:
        for section in kind.section.split("; "):
            assert section in SECTIONS
    else:
        assert set(str(kind.assumed).split("; ")) <= set(ASSUMPTIONS)
