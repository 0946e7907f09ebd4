"""axe-core finds no serious fault, each landmark has a name, and the keyboard reaches all."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from site_browser import DESKTOP, PHONE, SCHEMES, SIZES, show

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


def find_wide(browser: Any, home: str, selector: str) -> Any:
    """Open a page that has a wide region; return the region. On a phone, no table is wide."""
    for page, size in (("columns/", DESKTOP), ("api/columns/", DESKTOP), ("library/", PHONE)):
        show(browser, home + page, size)
        for element in browser.find_elements("css selector", selector):
            if is_scrolled(element):
                return element
    raise LookupError(f"no wide {selector}")


def test_the_keyboard_scrolls_what_is_wider_than_the_page(browser: Any, home: str) -> None:
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    region = find_wide(browser, home, "pre > code")
    assert region.get_attribute("tabindex") == "0"
    browser.execute_script("arguments[0].focus()", region)
    assert browser.switch_to.active_element == region
    region.send_keys(Keys.ARROW_RIGHT)
    WebDriverWait(browser, 10).until(lambda _: region.get_property("scrollLeft") > 0)


@pytest.mark.parametrize("page", ["symptoms/", "commands/", "performance/", "try/"])
def test_no_table_is_wider_than_a_phone(browser: Any, home: str, page: str) -> None:
    show(browser, home + page, PHONE)
    for table in browser.find_elements("css selector", ".md-typeset__scrollwrap"):
        assert not is_scrolled(table), table.text[:80]
