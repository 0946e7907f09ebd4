"""Parts of pages that tests read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def only_block(page: Path, pattern: str) -> str:
    """Return the only block of code on a page that matches, or say how many there are."""
    found = re.findall(pattern, page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(found) == 1, f"{page.name} must have one block like {pattern}, not {len(found)}"
    return str(found[0])
