"""Words that stay out of messages, docstrings, comments and documents, each with the better one."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
TEXTS = list(ROOT.glob("*.md"))
TEXTS += ROOT.glob("docs/*.md")
TEXTS += ROOT.glob("docs/contributing/*.md")
TEXTS += ROOT.glob("fdaa/**/*.py")
TEXTS.sort()

BETTER = {
    r"(?<!left )behind": "after",
    r"tells?|told|telling": "show, report, identify",
    r"for ever": "forever",
    r"nobody|somebody|everybody|anybody": "no one, someone, everyone, anyone",
    r"whoever": "anyone who",
    r"(is|are) to be": "must be",
    r"com(es|ing) into being": "is created",
    r"to be had": "available",
    r"time-outs?": "timeout",
    r"look-ups?": "lookup",
    r"rejected": "refused (input, a token)",
    r"(?-i:this machine)": "this computer; a Machine is the platform's",
    r"network's IDs?": "network ID",
    r"allocated for": "for clients on",
    r"allocated address(es)?|addresses for cross-network access": "cross-network address",
}
STRINGS = {getattr(tokenize, name, -1) for name in ("STRING", "COMMENT", "FSTRING_MIDDLE")}


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that people read: all of a document, strings and comments of a module."""
    text = path.read_text("utf-8")
    if path.suffix == ".md":
        without_code = re.sub(r"`[^`\n]*`", "", text)
        yield from enumerate(without_code.splitlines(), 1)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in STRINGS:
            yield from enumerate(token.string.splitlines(), token.start[0])


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_text_has_none_of_these_words(path: Path) -> None:
    found = []
    for number, line in lines(path):
        for words, better in BETTER.items():
            for match in re.finditer(rf"\b({words})\b", line, re.IGNORECASE):
                found.append(f"{path.name}:{number}: {match[0]!r}; better: {better}")
    assert found == []
