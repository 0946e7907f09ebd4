"""Every page of the built site, as files and in a real browser."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from site_browser import DOCS, SITE, SIZES, pages, show

pytestmark = pytest.mark.site

ROOT = DOCS.parent


def source(page: str) -> str:
    """Return the HTML of a page."""
    return (SITE / page / "index.html").read_text("utf-8")


def descriptions() -> dict[str, str]:
    """Return the description of each page."""
    found = {}
    for page in pages():
        match = re.search(r'<meta name="description" content="([^"]*)">', source(page))
        assert match is not None, page
        found[page] = html.unescape(match[1])
    return found


def test_each_page_has_its_own_description() -> None:
    found = descriptions()
    assert len(set(found.values())) == len(found)
    for page, text in found.items():
        assert 30 <= len(text) <= 300, page
        assert "<" not in text, page


def test_no_build_file_is_published() -> None:
    assert not (SITE / "tools").exists()
    assert not (SITE / "theme").exists()
    assert not list(SITE.glob("*.toml"))


def modules() -> list[tuple[str, str]]:
    """Return each page of the reference with each module that it describes."""
    found = []
    for page in sorted(DOCS.glob("api/*.md")):
        described = re.findall(r"^::: (\S+)", page.read_text("utf-8"), re.MULTILINE)
        found += [(f"api/{page.stem}/", module) for module in described]
    return found


@pytest.mark.parametrize(("page", "module"), modules())
def test_the_reference_has_every_public_name(page: str, module: str) -> None:
    import griffe  # of the extra `docs`; the module is collected without it

    text = source(page)
    for name in griffe.load(module, search_paths=[ROOT]).exports or ():
        assert f'id="{module}.{name}"' in text, name


@pytest.mark.parametrize("size", SIZES, ids=["desktop", "phone"])
def test_pages_fit_the_width_and_log_nothing(
    browser: Any, home: str, elsewhere: list[str], size: tuple[int, int]
) -> None:
    browser.get_log("browser")
    for page in pages():
        show(browser, home + page, size)
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        assert wide <= size[0], f"{page} is {wide} pixels wide"
        assert browser.find_element("tag name", "h1").text, f"{page} has no heading"
        assert browser.get_log("browser") == [], page
    assert elsewhere == []


def test_a_missing_page_leads_on(browser: Any, home: str) -> None:
    show(browser, f"{home}scan/no-such-page/")
    assert browser.find_element("tag name", "h1").text == "This page does not exist"
    browser.find_element("link text", "the start page").click()
    assert browser.find_element("tag name", "h1").text == "fdaa"
    browser.get_log("browser")  # the browser logs the status 404
