"""Build the site into docs/site/. Needs the extra `docs`; the page "Try it" also needs npm.

The variable SITE_URL is the address where the site is deployed: the sitemap and the canonical links
contain it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from site_pages import finished

if TYPE_CHECKING:
    from collections.abc import Iterator

TOOLS = Path(__file__).parent
DOCS = TOOLS.parent
ROOT = DOCS.parent
SITE = DOCS / "site"
CONFIGURATION = TOOLS / "zensical.toml"
PLACEHOLDER = "https://fdaa.example/"

# What the page "Try it" loads: CPython for WebAssembly from npm, and the wheels that it imports.
# netaddr is left out: no command imports it.
PYODIDE = "pyodide@^314"
PYODIDE_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
WHEELS = ("click", "fdaa")

_ONLY_TITLES = ("api/", "contributing/", "rules-", "commands/#fdaa-sandbox")
_LEVEL_OF_NAMES = 2  # of the headings in the reference; members have a higher one


@contextmanager
def configuration(url: str) -> Iterator[Path]:
    """Yield the configuration with another URL, in docs/, which its paths start from."""
    text = CONFIGURATION.read_text("utf-8")
    assert PLACEHOLDER in text, f"{CONFIGURATION} does not have {PLACEHOLDER}"
    with tempfile.NamedTemporaryFile("w", dir=DOCS, suffix=".toml", encoding="utf-8") as file:
        file.write(text.replace(PLACEHOLDER, url))
        file.flush()
        yield Path(file.name)


def search_guides_first() -> None:
    """Let the search find symptoms, then guides, then the reference, unless a name is looked for.

    The title of a symptom is in its text, too, so that it counts more than one in a guide. The
    reference is found by the full names of what is public. In it, and in pages for contributors and
    implementers, only titles are searched.
    """
    index = SITE / "search.json"
    search = json.loads(index.read_text("utf-8"))
    items = []
    for item in search["items"]:
        page, _, name = item["location"].partition("#")
        if item["location"].startswith(_ONLY_TITLES):
            item["text"] = ""
        if page == "symptoms/":
            item["text"] = f"<p>{item['title']}.</p>{item['text']}"
        if page.startswith("api/") and name:
            is_member = item["level"] > _LEVEL_OF_NAMES
            if is_member or page == "api/columns/":
                continue
            item["title"] = name
        items.append(item)
    search["items"] = sorted(items, key=_place)
    index.write_text(json.dumps(search), "utf-8")


def _place(item: dict[str, Any]) -> int:
    """Return what orders items that fit a search equally well: symptoms, guides, the reference."""
    page = item["location"].partition("/")[0]
    if page == "symptoms":
        return 0
    if page in ("api", "commands", "contributing"):
        return 2
    return 1


def add_python() -> None:
    """Add what the page "Try it" loads."""
    npm = shutil.which("npm")
    if npm is None:
        print("skipped: there is no npm here; the page `Try it` cannot load Python")
        return
    target = SITE / "try" / "python"
    target.mkdir()
    with tempfile.TemporaryDirectory() as directory:
        room = Path(directory)
        subprocess.run([npm, "install", "--silent", "--prefix", room, PYODIDE], check=True)
        for name in PYODIDE_FILES:
            shutil.copyfile(room / "node_modules" / "pyodide" / name, target / name)
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", str(room)]
        subprocess.run([*pip, str(ROOT)], check=True)
        for name in WHEELS:
            wheel = next(room.glob(f"{name}-*.whl"))
            shutil.copyfile(wheel, target / f"{name}.whl")


def main() -> None:
    """Build the pages, finish them and the search, add what the page "Try it" loads."""
    url = os.environ.get("SITE_URL", PLACEHOLDER)
    if url == PLACEHOLDER:
        print(f"SITE_URL is not set: the sitemap has {PLACEHOLDER}")
    zensical = shutil.which("zensical", path=str(Path(sys.executable).parent))
    assert zensical is not None, "install the extra `docs`"
    with configuration(url) as file:
        build = [zensical, "build", "--strict", "--clean", "-f", str(file)]
        subprocess.run(build, check=True)
    for page in SITE.rglob("*.html"):
        page.write_text(finished(page.read_text("utf-8")), "utf-8")
    search_guides_first()
    add_python()


if __name__ == "__main__":
    main()
