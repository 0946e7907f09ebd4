"""Every page of the built site, as files and in a real browser."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from site_browser import SITE, SIZES, pages, show

pytestmark = pytest.mark.site


def source(page: str) -> str:
    """Return the HTML of a page."""
    return (SITE / page / "index.html").read_text("utf-8")


def test_each_page_has_its_own_description() -> None:
    found = set()
    for page in pages():
        match = re.search(r'<meta name="description" content="([^"]*)">', source(page))
        assert match is not None, page
        text = html.unescape(match[1])
        assert 30 <= len(text) <= 300, page
        assert "<" not in text, page
        assert text not in found, page
        found.add(text)


@pytest.mark.parametrize("size", SIZES, ids=["desktop", "phone"])
def test_pages_fit_the_width_and_ask_no_other_host(
    browser: Any, home: str, size: tuple[int, int]
) -> None:
    """The browser's log has what a page asked another host for, and each error of its scripts."""
    browser.get_log("browser")
    for page in pages():
        show(browser, home + page, size)
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        assert wide <= size[0], f"{page} is {wide} pixels wide"
        assert browser.find_element("tag name", "h1").text, f"{page} has no heading"
        assert browser.get_log("browser") == [], page


def test_a_missing_page_leads_on(browser: Any, home: str) -> None:
    show(browser, f"{home}scan/no-such-page/")
    assert browser.find_element("tag name", "h1").text == "This page does not exist"
    browser.find_element("link text", "the start page").click()
    assert browser.find_element("tag name", "h1").text == "fdaa"
    browser.get_log("browser")  # the browser logs the status 404
