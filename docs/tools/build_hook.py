"""Manual pages for the wheel.

hatchling calls this; see pyproject.toml.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManualPages(BuildHookInterface[Any]):
    """Writes the pages into a temporary directory, which is removed after the build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's arguments
        """Make the pages, before the wheel is put together."""
        sys.path[:0] = [self.root, str(Path(self.root, "docs", "tools"))]
        from manual import manual

        self.pages = tempfile.TemporaryDirectory()
        for name, text in manual().items():
            page = Path(self.pages.name, name)
            page.write_text(text, encoding="utf-8")
            build_data["shared_data"][str(page)] = f"share/man/man1/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's arguments
        """Remove what was made."""
        self.pages.cleanup()
