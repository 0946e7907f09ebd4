"""axe-core finds no serious fault, each landmark has a name, and the keyboard reaches all."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from site_browser import PHONE, SCHEMES, SIZES, show

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.site

PAGES = ("", "try/", "scan/", "tutorial/", "commands/", "api/platform/", "404.html")


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script axe-core, from npm."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    room: Path = tmp_path_factory.mktemp("axe")
    subprocess.run([npm, "install", "--silent", "--prefix", room, "axe-core@^4.11"], check=True)
    return (room / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


def serious_faults(browser: Any, axe: str) -> list[str]:
    """Return the serious faults, and those of landmarks: the rule, and the first element."""
    browser.execute_script(axe)
    violations = browser.execute_async_script(
        "const done = arguments[0]; axe.run().then((result) => done(result.violations));"
    )
    faults = []
    for violation in violations:
        is_serious = violation["impact"] in ("serious", "critical")
        if is_serious or violation["id"].startswith("landmark"):
            first = violation["nodes"][0]
            faults.append(f"{violation['id']}: {first['html']}")
    return faults


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES, ids=["desktop", "phone"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_no_serious_fault(
    browser: Any, home: str, axe: str, page: str, size: tuple[int, int], scheme: str
) -> None:
    show(browser, home + page, size, scheme)
    assert serious_faults(browser, axe) == []
    browser.get_log("browser")


def is_scrolled(element: Any) -> bool:
    """Return whether the content of an element is wider than the element."""
    width: int = element.get_property("clientWidth")
    width_of_content: int = element.get_property("scrollWidth")
    return width_of_content > width


@pytest.mark.parametrize("selector", ["pre > code", ".md-typeset__scrollwrap"])
def test_the_keyboard_scrolls_what_is_wider_than_the_page(
    browser: Any, home: str, selector: str
) -> None:
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    show(browser, f"{home}api/platform/", PHONE)
    found = browser.find_elements("css selector", selector)
    wide = [element for element in found if is_scrolled(element)]
    assert wide
    region = wide[0]
    assert region.get_attribute("tabindex") == "0"
    browser.execute_script("arguments[0].focus()", region)
    assert browser.switch_to.active_element == region
    region.send_keys(Keys.ARROW_RIGHT)
    WebDriverWait(browser, 10).until(lambda _: region.get_property("scrollLeft") > 0)
