"""Build the site into docs/site/. Needs the extra `docs`; the page "Try it" also needs npm.

The variable SITE_URL is the address where the site is deployed: the sitemap and the canonical links
contain it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from site_pages import finished

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parent
ROOT = DOCS.parent
SITE = DOCS / "site"
CONFIGURATION = DOCS / "zensical.toml"
PLACEHOLDER = "https://fdaa.example/"


@contextmanager
def configuration(url: str) -> Iterator[Path]:
    """Yield the configuration with another URL; Zensical reads none from the environment."""
    text = CONFIGURATION.read_text("utf-8")
    assert PLACEHOLDER in text, f"{CONFIGURATION} does not have {PLACEHOLDER}"
    with tempfile.NamedTemporaryFile("w", dir=DOCS, suffix=".toml", encoding="utf-8") as file:
        file.write(text.replace(PLACEHOLDER, url))
        file.flush()
        yield Path(file.name)


def main() -> None:
    """Build the pages, finish each, add what the page "Try it" loads."""
    url = os.environ.get("SITE_URL", PLACEHOLDER)
    if url == PLACEHOLDER:
        print(f"SITE_URL is not set: the sitemap has {PLACEHOLDER}")
    zensical = shutil.which("zensical", path=str(Path(sys.executable).parent))
    with configuration(url) as file:
        build = [zensical, "build", "--strict", "--clean", "-f", str(file)]
        subprocess.run(build, check=True)
    for page in SITE.rglob("*.html"):
        page.write_text(finished(page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
