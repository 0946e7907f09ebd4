"""The pages of the built site, and how a browser opens one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

DOCS = Path(__file__).parents[2] / "docs"
SITE = DOCS / "site"

DESKTOP = (1280, 900)
PHONE = (390, 844)
SIZES = (DESKTOP, PHONE)


def pages() -> list[str]:
    """Return the paths of all pages of the built site, the start page as ''."""
    found = []
    for path in SITE.rglob("index.html"):
        page = path.parent.relative_to(SITE).as_posix() + "/"
        found.append(page.removeprefix("./"))
    return sorted(found)


def show(browser: Chrome, url: str, size: tuple[int, int] = DESKTOP, scheme: str = "light") -> None:
    """Open a page in a window of a size, as on a phone where it is narrow."""
    width, height = size
    screen = {
        "width": width,
        "height": height,
        "deviceScaleFactor": 1,
        "mobile": size == PHONE,
    }
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    browser.get(url)
