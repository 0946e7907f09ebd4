"""What a verdict says of the platform has its source: a section that says it, or an assumption."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fdaa.networks import Reason, Way

PAGE = (Path(__file__).parents[2] / "docs/platform-rules.md").read_text("utf-8")
SPECIFICATION, _, REST = PAGE.partition("## What is assumed")
ASSUMED, _, SOURCES = REST.partition("## The source of each verdict")
ROWS = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
SECTIONS = dict(ROWS.findall(SPECIFICATION))
ASSUMPTIONS = dict(re.findall(r"^### (\S+)\n\n(.*?)(?=^###|\Z)", ASSUMED, re.MULTILINE | re.DOTALL))
SOURCE_OF = dict(ROWS.findall(SOURCES.replace("`", "")))
FINDINGS = [*Reason, *Way]


@pytest.mark.parametrize("kind", FINDINGS, ids=lambda kind: f"{type(kind).__name__} {kind}")
def test_a_finding_has_sections_of_the_specification_or_an_assumption(kind: Reason | Way) -> None:
    assert (kind.section is None) != (kind.assumed is None)
    if kind.section is not None:
        for section in kind.section.split("; "):
            assert section in SECTIONS
        assert SOURCE_OF[kind] == kind.section
    else:
        assert kind.assumed in ASSUMPTIONS
        assert SOURCE_OF[kind] == f"[{kind.assumed}](#{kind.assumed})"


def test_the_page_names_no_other_finding() -> None:
    headings = {"reason of fdaa reach", "way around", "---"}
    assert set(SOURCE_OF) - headings == set(FINDINGS)
    assert len(ROWS.findall(SOURCES)) == len(FINDINGS) + 2  # and the headings of two tables


@pytest.mark.parametrize("name", ASSUMPTIONS)
def test_an_assumption_says_where_it_is_from_and_what_would_change(name: str) -> None:
    statement, _, origin = ASSUMPTIONS[name].partition("\n\n- From: ")
    assert statement.endswith(".")
    assert "\n- If it is false: " in origin


# What a section must say, in words of the specification, of what rests on it.
SAYS = [
    ("1", "Apps on one private network reach each other"),
    ("2.1, rule 1", "exactly one network"),
    ("2.1, rule 2", "no public IP address by default"),
    ("2.2", "unique in its organization"),
    ("2.3, rule 2", "identify the private network"),
    ("2.3, rule 3", "different networks"),
    ("2.3, rule 5", "Machine list of its app"),
    ("4.3", "the only way to read the name of an app's network"),
    ("Networking rules, 2", "publicly reachable service"),
    ("Networking rules, 3", "not reachable from its own network"),
    ("Networking rules, 4", "HTTP response header"),
    ("Networking rules, 4", "of the same organization"),
    ("Networking rules, 5", "remote console, file transfer and tunnel"),
]


@pytest.mark.parametrize(("section", "words"), SAYS)
def test_a_section_says_what_rests_on_it(section: str, words: str) -> None:
    assert words in SECTIONS[section]
