"""The button of a block of code copies what a reader types, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from site_browser import pages, show

pytestmark = pytest.mark.site

CLIPBOARD = (
    "const done = arguments[0]; navigator.clipboard.readText().then(done, () => done('nothing'));"
)


def typed(session: str) -> str:
    """Return the lines of a session that have a prompt, without it."""
    kept = []
    for line in session.splitlines():
        for prompt in ("$ ", ">>> ", "... ", "..."):
            if line.startswith(prompt):
                kept.append(line.removeprefix(prompt))
                break
    return "\n".join(kept).rstrip()


@pytest.mark.parametrize("page", pages())
def test_each_session_has_its_input_to_copy(browser: Any, home: str, page: str) -> None:
    """By what is shown, whatever language a page gives its block."""
    show(browser, home + page)
    for block in browser.find_elements("css selector", ".highlight"):
        code = block.find_element("tag name", "code").get_property("textContent")
        if code.startswith(("$ ", ">>> ")):
            assert block.get_attribute("data-copy") == typed(code), code


def test_the_button_copies_it(browser: Any, home: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    grant = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    browser.execute_cdp_cmd("Browser.grantPermissions", grant)
    show(browser, f"{home}scan/")
    wait = WebDriverWait(browser, 20, poll_frequency=0.02)
    block = browser.find_element("css selector", "[data-copy]")
    browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", block)
    # The theme adds the button when the block is seen.
    wait.until(lambda _: block.find_elements("css selector", "[data-md-type=copy]"))
    browser.execute_script("return navigator.clipboard.writeText('nothing')")
    block.find_element("css selector", "[data-md-type=copy]").click()
    wait.until(lambda _: browser.execute_async_script(CLIPBOARD) != "nothing")
    assert browser.execute_async_script(CLIPBOARD) == block.get_attribute("data-copy")
