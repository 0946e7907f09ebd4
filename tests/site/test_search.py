"""The search finds guides before the reference, by the words that people use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from site_browser import show

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.site

# The links in the results, which stand in a shadow tree, in their order.
RESULTS = """
const found = [];
const visit = (root) => root.querySelectorAll("*").forEach((element) => {
  if (element.shadowRoot) visit(element.shadowRoot);
  else if (root !== document && element.tagName === "A") found.push(element.href);
});
visit(document);
return found;
"""
# All at once: with each key there would be results for the beginning of the text.
PASTE = """
arguments[0].value = arguments[1];
arguments[0].dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
"""
INPUT_HOST = (
    "return [...document.querySelectorAll('*')].find(e => e.shadowRoot?.querySelector('input'))"
)


@pytest.fixture
def search(browser: Any, home: str) -> Callable[[str], list[str]]:
    """Paste a text into the search of the start page; return the paths of the results."""
    from selenium.webdriver.support.ui import WebDriverWait

    def found(text: str) -> list[str]:
        show(browser, home)
        wait = WebDriverWait(browser, 10, poll_frequency=0.1)
        wait.until(lambda _: browser.find_element("css selector", ".md-search__button")).click()
        host = wait.until(lambda _: browser.execute_script(INPUT_HOST))
        field = host.shadow_root.find_element("css selector", "input")
        browser.execute_script(PASTE, field, text)
        links = wait.until(lambda _: browser.execute_script(RESULTS))
        return [link.removeprefix(home) for link in links]

    return found


@pytest.mark.parametrize(
    ("text", "guides"),
    [
        ("connection refused", ("symptoms/", "probe/")),
        ("timeout", ("symptoms/", "platform/#timeouts")),
        ("anonymize", ("scan/#pseudonymize-a-log",)),
        ("cross-network address", ("addresses/", "reach/")),
        ("stale", ("addresses/", "documents/")),
        ("docker", ("install/#put-it-in-an-image",)),
        ("environment variables", ("commands/",)),
        ("jwt", ("tokens/",)),
        ("pytest", ("platform/#use-the-sandbox-in-pytest",)),
        ("sqlalchemy", ("frameworks/#sqlalchemy",)),
    ],
)
def test_a_guide_is_found_first(
    search: Callable[[str], list[str]], text: str, guides: tuple[str, ...]
) -> None:
    first = re.sub(r"\?h=[^#]*", "", search(text)[0])
    assert first.startswith(guides), first


def test_a_name_of_the_library_is_found_in_the_reference(
    search: Callable[[str], list[str]],
) -> None:
    first = search("extract_network_id")[0]
    assert first.endswith("#fdaa.extract_network_id"), first
