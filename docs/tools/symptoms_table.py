"""The table of the words of a line in docs/symptoms.md, made of `explain_words`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from places import DOCS, filled

from fdaa.explain._symptoms import explain_words
from fdaa.lines import Phase

if TYPE_CHECKING:
    from pathlib import Path

PAGE = DOCS / "symptoms.md"
BEGIN = "<!-- Made by `docs/tools` -->\n"
END = "<!-- End -->\n"

_PHASES = {
    Phase.ADDRESS: "it reads an address, a URL or a setting",
    Phase.LOOKUP: "it looks a name up",
    Phase.CONNECTING: "it opens a connection",
    Phase.CONNECTED: "the connection is open",
    Phase.APPLICATION: "the other end responded",
    Phase.HERE: "it listens",
}


def pages() -> dict[Path, str]:
    """Return the page, with a table for each phase."""
    tables = ""
    phase = None
    for row in explain_words():
        if row.phase is not phase:
            phase = row.phase
            tables += f"\n### The program: {_PHASES[phase]}\n\n"
            tables += "| you see | what it means | likeliest causes |\n|---|---|---|\n"
        words = ", ".join(f"`{each}`" for each in row.words)
        causes = " ".join(f"{number}. {text}" for number, (_, text) in enumerate(row.causes, 1))
        if len(row.causes) == 1:
            causes = row.causes[0][1]
        tables += f"| {words} | {row.meaning} | {causes} |\n"
    return {PAGE: filled(PAGE, BEGIN, END, tables)}
