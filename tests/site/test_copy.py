"""The button of a block of code copies what a reader types, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from site_browser import pages, show

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.site

CENTER = "arguments[0].scrollIntoView({ block: 'center' })"


def copied(browser: Any, url: str) -> list[tuple[str, str]]:
    """Press the button of every block with a prompt; return each text, and what is copied."""
    from selenium.webdriver.support.ui import WebDriverWait

    grant = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    browser.execute_cdp_cmd("Browser.grantPermissions", grant)
    show(browser, url)
    wait = WebDriverWait(browser, 20, poll_frequency=0.02)
    found: list[tuple[Any, Any]] = []
    for block in browser.find_elements("css selector", "[data-copy]"):
        browser.execute_script(CENTER, block)  # the theme adds the button when it is seen
        button = wait.until(button_of(block))
        browser.execute_script(CENTER, button)
        browser.execute_script("return navigator.clipboard.writeText('nothing')")
        button.click()
        text = wait.until(lambda _: clipboard(browser))
        code = block.find_element("tag name", "code")
        found.append((code.get_property("textContent"), text))
    return found


def button_of(block: Any) -> Callable[[Any], Any]:
    """Return a condition to wait for: the button of a block is there."""

    def found(_: Any) -> Any:
        buttons = block.find_elements("css selector", "[data-md-type=copy]")
        if not buttons:
            return None
        return buttons[0]

    return found


def clipboard(browser: Any) -> str | None:
    """Return what the clipboard has since the button was pressed."""
    text = browser.execute_async_script(
        "const done = arguments[0]; navigator.clipboard.readText().then(done, () => done(null));"
    )
    if text == "nothing":
        return None
    return str(text)


def typed(session: str) -> str:
    """Return the lines of a session that have a prompt, without it."""
    prompts = ("$ ", ">>> ", "... ", "...")
    kept = []
    for line in session.splitlines():
        for prompt in prompts:
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
            assert block.get_attribute("data-copy") is not None, code


GUIDES = [page for page in pages() if not page.startswith("api/")]


@pytest.mark.parametrize("page", GUIDES)
def test_a_button_copies_what_is_typed(browser: Any, home: str, page: str) -> None:
    for shown, text in copied(browser, home + page):
        assert text == typed(shown)
