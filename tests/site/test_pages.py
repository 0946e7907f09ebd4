"""Every page of the built site, as files and in a real browser."""

from __future__ import annotations

import html
import os
import re
from typing import Any

import pytest
from site_browser import DOCS, SITE, SIZES, pages, show

pytestmark = pytest.mark.site

ROOT = DOCS.parent

# What is published beside pages: the theme's assets, examples, schemas, vectors, and what the page
# "Try it" loads.
PUBLISHED = {".html", ".xml", ".json", ".jsonl", ".inv"}
PUBLISHED |= {".js", ".mjs", ".css", ".png", ".svg", ".wasm"}


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


def test_the_sitemap_has_every_page() -> None:
    sitemap = (SITE / "sitemap.xml").read_text("utf-8")
    url = os.environ.get("SITE_URL", "https://fdaa.example/")
    listed = re.findall(r"<loc>(.*?)</loc>", sitemap)
    assert sorted(listed) == [url + page for page in pages()]


def test_no_build_file_is_published() -> None:
    for path in SITE.rglob("*"):
        name = path.relative_to(SITE).as_posix()
        if path.is_file() and not name.startswith(("examples/", "try/")):
            assert path.suffix in PUBLISHED or path.name == "LICENSE", name
    assert not (SITE / "tools").exists()
    assert not list(SITE.glob("*.toml"))
    assert not (SITE / "theme").exists()


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


def test_the_reference_starts_with_what_users_call() -> None:
    text = source("api/platform/")
    headings = re.findall(r'<h2 id="fdaa\.platform\.(\w+)"', text)
    assert headings[:2] == ["Client", "AsyncClient"]
    errors = [name.endswith("Error") for name in headings]
    assert errors == sorted(errors)
    assert any(errors)


REFERENCE = sorted({page for page, _ in modules()})


@pytest.mark.parametrize("page", REFERENCE)
def test_the_reference_names_no_private_base(page: str) -> None:
    for bases in re.findall(r"Bases: (.*?)</p>", source(page), re.DOTALL):
        assert not re.search(r">_\w+</", bases), bases


@pytest.mark.parametrize("page", REFERENCE)
def test_the_fields_of_records_have_types(page: str) -> None:
    _, *sections = source(page).split('<div class="doc doc-object doc-class">')
    for section in sections:
        head = section.partition('<div class="doc doc-object')[0]  # without its methods
        for row in re.findall(r'<tr class="doc-section-item">(.*?)</tr>', head, re.DOTALL):
            name, about, *others = re.findall(r"<td>(.*?)</td>", row, re.DOTALL)
            described = len(others) == 2 and ", " not in name  # with a default; one field
            if described and "NamedTuple" not in head:
                assert "<code>" in about, re.sub(r"\s+", " ", name)


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


@pytest.mark.parametrize("size", SIZES, ids=["desktop", "phone"])
@pytest.mark.parametrize(
    ("seen", "cause"),
    [
        ("ECONNREFUSED", "must listen on [::]"),
        ("NXDOMAIN", "asks for IPv4 only"),
        ("i/o timeout", "may be on another network"),
    ],
)
def test_a_symptom_is_one_click_from_its_causes(
    browser: Any, home: str, size: tuple[int, int], seen: str, cause: str
) -> None:
    show(browser, home, size)
    browser.find_element("link text", "your symptom").click()
    entry = f"//*[self::tr or self::li][.//code = '{seen}']"
    shown = [element.text for element in browser.find_elements("xpath", entry)]
    assert any(cause in text for text in shown), shown
    browser.get_log("browser")


def test_a_missing_page_leads_on(browser: Any, home: str) -> None:
    show(browser, f"{home}scan/no-such-page/")
    assert browser.find_element("tag name", "h1").text == "This page does not exist"
    browser.find_element("link text", "the start page").click()
    assert browser.find_element("tag name", "h1").text == "fdaa"
    browser.get_log("browser")  # the browser logs the status 404
