"""What a verdict says of the platform has its source: a section that says it, or an assumption."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fdaa.explain._sentences import SENTENCES  # private: what is said must have its source
from fdaa.networks import Reason, Way

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "platform-rules.md").read_text("utf-8")
SPECIFICATION, _, REST = PAGE.partition("## What is assumed")
ASSUMED, _, DECIDED = REST.partition("## Where the specification is silent")
_, _, SOURCES = DECIDED.partition("## The source of each verdict")
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


# What the sections of each finding must say, in the words of the page.
SAYS: dict[Reason | Way, tuple[str, ...]] = {
    Reason.SAME_ID: ("Apps on one private network reach each other", "identify the private"),
    Reason.DIFFERENT_IDS: ("different networks if those groups differ", "cannot communicate"),
    Reason.OWN_NETWORK_UNKNOWN: ("Through this address the app is not reachable from its own",),
    Reason.NOT_COMPARABLE: ("Its ID is bound to the name", "identify the private network"),
    Reason.NOT_IN_DOCUMENTS: ("the only way to read the name", "in the Machine list of its app"),
    Reason.NAME_OF_NETWORK: ("the name of its network", "A network's name"),
    Reason.NETWORK_NOT_IN_DOCUMENTS: ("the only way to read the name of an app's network",),
    Reason.APP_UNKNOWN: ("in the Machine list of its app",),
    Reason.CONTRADICTION: ("exactly one network", "Its ID is bound to the name"),
    Reason.MACHINE_ON_TWO_NETWORKS: ("exactly one network", "if those groups differ"),
    Reason.KNOWN_FROM_BOOK: ("exactly one network as long as it exists",),
    Way.PUBLIC_ADDRESS: ("publicly reachable service", "no public IP address by default"),
    Way.CROSS_NETWORK_ADDRESS: ("can be allocated to an app", "by that network's name"),
    Way.REPLAY: ("HTTP response header", "of the same organization", "exposes a port"),
    Way.ADMINISTRATOR: ("remote console, file transfer and tunnel",),
}


def test_each_finding_with_a_section_has_its_words_above() -> None:
    assert set(SAYS) == {kind for kind in FINDINGS if kind.section is not None}


@pytest.mark.parametrize("kind", SAYS)
def test_the_sections_of_a_finding_say_it(kind: Reason | Way) -> None:
    assert kind.section is not None
    sections = [SECTIONS[section] for section in kind.section.split("; ")]
    for words in SAYS[kind]:
        assert any(words in section for section in sections), words
    for section in sections:
        assert any(words in section for words in SAYS[kind]), section


# What no section says, in the words of a sentence: the assumptions that may be its source.
ASSUMED_WORDS = [
    ("is allocated to {app}", {"clients-network-id", "no-requests-from-cross-network-addresses"}),
    ("already allocated", {"clients-network-id"}),
    ("no Machine", {"complete-documents", "stopped-machines"}),
    ("the app must listen", {"listening"}),
    ("network ID 0", {"network-id-0"}),
]


@pytest.mark.parametrize(("words", "assumptions"), ASSUMED_WORDS)
def test_a_sentence_that_no_section_says_is_assumed(words: str, assumptions: set[str]) -> None:
    found = [kind for kind, sentence in SENTENCES.items() if words in sentence]
    assert found
    for kind in found:
        assert kind.assumed in assumptions, kind


def test_no_other_page_has_a_table_of_decisions() -> None:
    pages = [page for page in DOCS.rglob("*.md") if page.name != "platform-rules.md"]
    assert pages
    for page in pages:
        assert not re.search(r"^\| question \|", page.read_text("utf-8"), re.MULTILINE), page.name
