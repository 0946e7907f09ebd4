"""Where a program writes into a page: between two lines that the page has."""

from __future__ import annotations

from pathlib import Path

DOCS = Path(__file__).parent.parent


def filled(page: Path, begin: str, end: str, content: str) -> str:
    """Return the text of a page with this content between two texts; "" is the end of the page."""
    before, found, rest = page.read_text("utf-8").partition(begin)
    if not found:
        raise SystemExit(f"docs/{page.name}: the line {begin.strip()!r} is missing; put it back")
    if not end:
        return before + begin + content
    _, found, after = rest.partition(end)
    if not found:
        raise SystemExit(f"docs/{page.name}: {end.strip()!r} is missing after {begin.strip()!r}")
    return before + begin + content + end + after
