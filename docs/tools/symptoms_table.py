"""The phases in docs/symptoms.md, with their words and checks, made of `explain_words`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from places import DOCS, filled

from fdaa.explain._phase_words import explain_words
from fdaa.lines import Phase

if TYPE_CHECKING:
    from pathlib import Path

PAGE = DOCS / "symptoms.md"
BEGIN = "<!-- Made by `docs/tools` -->\n"
END = "<!-- End -->\n"

# The headings of the page.
_HEADINGS = {
    Phase.SILENT: "Timeout",
    Phase.REFUSED: "Connection refused",
    Phase.UNREACHABLE: "No route to host",
    Phase.NOT_SENT: "Network is unreachable",
    Phase.LOOKUP: "Name not found",
    Phase.ADDRESS: "An address or a URL is not valid",
    Phase.STALLED: "The connection was open, and nothing came back",
    Phase.RESPONDED: "The connection was open, and failed",
    Phase.HERE: "A program cannot listen",
    Phase.FAILED: "Cannot connect",
}
_WORDS_SHOWN = 4


def pages() -> dict[Path, str]:
    """Return the page, with the first words of each phase, what they mean, and what to check."""
    known = {row.phase: row for row in explain_words()}
    sections = ""
    for phase, heading in _HEADINGS.items():
        row = known[phase]
        words = ", ".join(f"`{each}`" for each in row.words[:_WORDS_SHOWN])
        sections += f"\n### {heading}\n\n- {words}: {row.meaning}\n"
        for number, check in enumerate(row.checks, 1):
            sections += f"    {number}. {check}\n"
    return {PAGE: filled(PAGE, BEGIN, END, sections + "\n")}
