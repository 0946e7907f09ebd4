"""axe-core finds no serious fault, and the keyboard reaches what is wider than the page."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

import pytest
from site_browser import PHONE, SIZES, show

pytestmark = pytest.mark.site

PAGES = ("", "try/", "scan/", "tutorial/", "commands/", "api/platform/", "404.html")


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script axe-core, from npm."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    room = tmp_path_factory.mktemp("axe")
    subprocess.run([npm, "install", "--silent", "--prefix", room, "axe-core@^4.11"], check=True)
    return (room / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=["desktop", "phone"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_no_serious_fault(
    browser: Any, home: str, axe: str, page: str, size: tuple[int, int], scheme: str
) -> None:
    show(browser, home + page, size, scheme)
    browser.execute_script(axe)
    violations = browser.execute_async_script(
        "const done = arguments[0]; axe.run().then((result) => done(result.violations));"
    )
    for violation in violations:
        rule = violation["id"]
        is_serious = violation["impact"] in ("serious", "critical")
        assert not is_serious, f"{rule}: {violation['nodes'][0]['html']}"
        assert not rule.startswith("landmark"), rule


def is_scrolled(element: Any) -> bool:
    """Return whether the content of an element is wider than the element."""
    width: int = element.get_property("clientWidth")
    width_of_content: int = element.get_property("scrollWidth")
    return width_of_content > width


def test_the_keyboard_scrolls_code_that_is_wider_than_the_page(browser: Any, home: str) -> None:
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    show(browser, f"{home}library/", PHONE)
    blocks = browser.find_elements("css selector", "pre > code")
    wide = next(block for block in blocks if is_scrolled(block))
    assert wide.get_attribute("tabindex") == "0"
    browser.execute_script("arguments[0].focus()", wide)
    wide.send_keys(Keys.ARROW_RIGHT)
    WebDriverWait(browser, 10).until(lambda _: wide.get_property("scrollLeft") > 0)


@pytest.mark.parametrize("page", ["symptoms/", "commands/", "performance/", "try/"])
def test_no_table_is_wider_than_a_phone(browser: Any, home: str, page: str) -> None:
    show(browser, home + page, PHONE)
    for table in browser.find_elements("css selector", ".md-typeset__scrollwrap"):
        assert not is_scrolled(table), table.text[:80]
