"""Manual pages for the wheel, and a README whose links work on a package index.

hatchling calls this; see pyproject.toml.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class Readme(MetadataHookInterface):
    """Makes the long description of the package from README.md."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Link to the site, `Documentation` in `project.urls`; without one, show the paths."""
        site = metadata.get("urls", {}).get("Documentation")
        readme = Path(self.root, "README.md").read_text("utf-8")
        text = standalone(readme, site)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def standalone(readme: str, site: str | None) -> str:
    """Return the text without relative links; a picture needs the site."""
    if site is None:
        readme = re.sub(r"!\[[^]]*\]\(docs/[^)]+\)\n\n", "", readme)
    else:
        readme = re.sub(r"(!\[[^]]*\])\(docs/([^)]+)\)", rf"\1({site.rstrip('/')}/\2)", readme)
        readme = re.sub(r"\]\(docs/([\w-]+)\.md", rf"]({site.rstrip('/')}/\1/", readme)
    return re.sub(r"\[([\w ]+)\]\((?!\w+:)([^)]+)\)", r"\1 (`\2`)", readme)


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
