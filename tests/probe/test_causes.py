"""The table of evidence and causes is complete, and docs/examples/causes.json has its words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fdaa.explain import Cause
from fdaa.explain._cause_table import (  # private: the page has the same names
    CAUSES_OF,
    NOT_TESTED,
)
from fdaa.explain._causes import (  # its texts are filled in before they are public
    CAUSE_TEXT,
    CHECK_TEXT,
    SEEN_TEXT,
)
from fdaa.lines import Circumstance, Evidence

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = (DOCS / "probe.md").read_text(encoding="utf-8")
RULES = (DOCS / "platform-rules.md").read_text(encoding="utf-8")
SECTIONS, _, ASSUMPTIONS = RULES.partition("## What is assumed")
NOTHING_TO_EXPLAIN = {Evidence.FOUND, Evidence.OPEN}


def tables(heading: str) -> list[list[list[str]]]:
    """Return the rows of each table below a heading, as cells."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found = []
    for paragraph in section.split("\n\n"):
        if paragraph.strip().startswith("|"):
            _, _, *rows = paragraph.strip().splitlines()
            found.append([cells(row) for row in rows])
    return found


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.split("|")[1:-1]]


def test_each_evidence_has_its_causes_and_each_cause_its_evidence() -> None:
    assert set(CAUSES_OF) == set(Evidence) - NOTHING_TO_EXPLAIN
    explained: set[Cause] = set()
    for causes in CAUSES_OF.values():
        explained.update(causes)
    assert explained.union(NOT_TESTED) == set(Cause)


def test_where_the_ids_differ_that_comes_first() -> None:
    evidences = list(Evidence)
    after_open = evidences.index(Evidence.OPEN) + 1
    after_connections = evidences.index(Evidence.ROUTED) + 1
    for evidence in evidences[after_open:after_connections]:
        assert CAUSES_OF[evidence][0] is Cause.OTHER_NETWORK, evidence


def test_each_cause_and_each_check_has_a_text() -> None:
    assert set(CAUSE_TEXT) == set(Cause)
    conditions = list(Circumstance)
    assert list(CHECK_TEXT) == conditions[conditions.index(Circumstance.LINK_UP) :]
    assert {check for _, check in SEEN_TEXT} <= set(CHECK_TEXT)


@pytest.mark.parametrize("cause", Cause)
def test_a_statement_about_the_platform_has_a_section_or_is_assumed(cause: Cause) -> None:
    if cause.section is not None:
        for section in cause.section.split("; "):
            assert f"| {section} |" in SECTIONS
    if cause.assumed is not None:
        assert f"### {cause.assumed}\n" in ASSUMPTIONS
    about_the_platform = re.search(
        r"private addresses are IPv6|network\b|deploy|"
        r"\.internal|platform|Machine has|must listen|started Machine|gone|tunnel",
        CAUSE_TEXT[cause].sentence,
    )
    if about_the_platform:
        assert (cause.section is None) != (cause.assumed is None)
    else:
        assert cause.section is None
        assert cause.assumed is None


def test_each_evidence_and_each_condition_has_its_meaning_for_implementers() -> None:
    """Texts of docs/tools/causes_file.py; their causes are made of the same table."""
    file = json.loads((DOCS / "examples" / "causes.json").read_text("utf-8"))
    assert set(file["evidence"]) == set(CAUSES_OF)
    assert list(file["conditions"]) == list(Circumstance)


def test_the_page_shows_what_an_open_port_does_not() -> None:
    (rows,) = tables("What an open port does not show")
    assert [row[0].strip("`") for row in rows] == list(NOT_TESTED)
