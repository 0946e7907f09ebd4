"""The search finds guides before the reference, by the words that people use."""

from __future__ import annotations

import re
from typing import Any

import pytest
from site_browser import show

pytestmark = pytest.mark.site

# The field and the links in the results stand in shadow trees.
FIELD = """
for (const element of document.querySelectorAll("*")) {
  const field = element.shadowRoot?.querySelector("input");
  if (field) return field;
}
"""
RESULTS = """
const found = [];
for (const element of document.querySelectorAll("*")) {
  element.shadowRoot?.querySelectorAll("a").forEach((link) => found.push(link.href));
}
return found;
"""
# All at once: with each key there would be results for the beginning of the text.
PASTE = """
arguments[0].value = arguments[1];
arguments[0].dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
"""


def first_result(browser: Any, home: str, text: str) -> str:
    """Paste a text into the search of the start page; return the path of the first result."""
    from selenium.webdriver.support.ui import WebDriverWait

    show(browser, home)
    wait = WebDriverWait(browser, 10, poll_frequency=0.1)
    wait.until(lambda _: browser.find_element("css selector", ".md-search__button")).click()
    field = wait.until(lambda _: browser.execute_script(FIELD))
    browser.execute_script(PASTE, field, text)
    links = wait.until(lambda _: browser.execute_script(RESULTS))
    return re.sub(r"\?h=[^#]*", "", links[0].removeprefix(home))


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("connection refused", ("symptoms/", "probe/")),
        ("timeout", ("symptoms/", "platform/#timeouts")),
        ("anonymize", ("scan/#pseudonymize-a-log",)),
        ("cross-network address", ("addresses/", "reach/")),
        ("docker", ("install/#put-it-in-an-image",)),
        ("environment variables", ("commands/",)),
        ("jwt", ("tokens/",)),
        ("sqlalchemy", ("frameworks/#sqlalchemy",)),
        ("extract_network_id", ("api/fdaa/#fdaa.extract_network_id",)),
    ],
)
def test_what_people_look_for_is_found_first(
    browser: Any, home: str, text: str, pages: tuple[str, ...]
) -> None:
    first = first_result(browser, home, text)
    assert first.startswith(pages), first
