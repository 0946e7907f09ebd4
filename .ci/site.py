"""Build the site strictly, then open each page in a real Chromium; stop at the first fault.

Needs the extra `docs` in .venv, and the Debian packages chromium and chromium-driver. With a
directory as argument, pictures of some pages are written there: 1280 and 390 pixels wide, light
and dark.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import griffe
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SITE = DOCS / "site"
DRIVER = shutil.which("chromedriver")
DESKTOP, PHONE = (1280, 900), (390, 844)
PICTURED = ("", "scan/", "commands/", "api/fdaa/")
# The links in the results of the search, which stand in a shadow tree.
RESULTS = """
const found = [], visit = (root) => root.querySelectorAll("*").forEach((element) => {
  if (element.shadowRoot) visit(element.shadowRoot);
  else if (root !== document && element.tagName === "A") found.push(element.href);
});
visit(document);
return found;
"""


def pages() -> list[str]:
    """Return the paths of the pages in the navigation; a test checks that it names all."""
    config = tomllib.loads((DOCS / "zensical.toml").read_text("utf-8"))
    names = _files(config["project"]["nav"])
    return [name.removesuffix(".md").removesuffix("index").rstrip("/") for name in names]


def _files(entry: Any) -> Iterator[str]:
    """Yield the names of files in a part of the navigation."""
    if isinstance(entry, str):
        yield entry
    else:
        for part in entry.values() if isinstance(entry, dict) else entry:
            yield from _files(part)


def check_names() -> int:
    """Return how many public names there are; each must have its entry in the reference."""
    count = 0
    for page in sorted(DOCS.glob("api/*.md")):
        html = (SITE / "api" / page.stem / "index.html").read_text("utf-8")
        for module in re.findall(r"^::: (\S+)", page.read_text("utf-8"), re.MULTILINE):
            members = griffe.load(module, search_paths=[ROOT]).members.items()
            public = [(name, member) for name, member in members if member.is_public]
            names = [name for name, member in public if not isinstance(member, griffe.Module)]
            missing = [name for name in names if f'id="{module}.{name}"' not in html]
            assert not missing, f"{module}: the reference does not have {missing}"
            count += len(names)
    return count


@contextmanager
def served() -> Iterator[str]:
    """Serve the site; yield its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@contextmanager
def chromium() -> Iterator[webdriver.Chrome]:
    """Start a browser without a window that keeps its console and its requests."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield browser
    browser.quit()


def open_page(browser: webdriver.Chrome, url: str, size: tuple[int, int]) -> None:
    """Open a page; it must fit the width, log nothing, and request nothing of another host."""
    screen = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.get(url)
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    assert wide <= size[0], f"{url} is {wide} pixels wide, not {size[0]}"
    assert browser.find_element(By.TAG_NAME, "h1").text, f"{url} has no heading"
    assert (logged := browser.get_log("browser")) == [], f"{url}: {logged}"


def take_pictures(browser: webdriver.Chrome, path: str, width: int, directory: Path) -> None:
    """Write pictures of the open page, light and dark."""
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        name = f"{path.replace('/', '-') or 'start-'}{width}-{scheme}.png"
        browser.save_screenshot(str(directory / name))


def check_requests(browser: webdriver.Chrome, home: str) -> int:
    """Return how many requests were made; each must be one of the site itself."""
    messages = [json.loads(row["message"])["message"] for row in browser.get_log("performance")]
    urls = [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]
    assert urls
    assert all(url.startswith((home, "data:")) for url in urls), urls
    return len(urls)


def check_search(browser: webdriver.Chrome, home: str, text: str) -> str:
    """Type into the search; the first result must be that name in the reference."""
    open_page(browser, home, DESKTOP)
    wait = WebDriverWait(browser, 20)
    wait.until(lambda _: browser.find_element(By.CSS_SELECTOR, ".md-search__button")).click()
    shadow = (
        "return [...document.querySelectorAll('*')].find(e => e.shadowRoot?.querySelector('input'))"
    )
    host = wait.until(lambda _: browser.execute_script(shadow))
    host.shadow_root.find_element(By.CSS_SELECTOR, "input").send_keys(text)
    found: list[str] = wait.until(lambda _: browser.execute_script(RESULTS))
    assert found[0].endswith(f"#fdaa.{text}"), found
    return found[0].removeprefix(home)


def main() -> None:
    """Build, check, report."""
    names = pages()
    build = [Path(sys.executable).parent / "zensical", "build", "--strict", "--clean", "-f"]
    subprocess.run([*build, DOCS / "zensical.toml"], cwd=ROOT, check=True)
    print(f"{check_names()} public names, each in the reference")
    if DRIVER is None:
        print("not opened: Debian's packages chromium and chromium-driver are not installed")
        return
    pictures = Path(sys.argv[1]) if sys.argv[1:] else None
    with served() as home, chromium() as browser:
        for size in (DESKTOP, PHONE):
            for name in names:
                path = f"{name}/" if name else ""
                open_page(browser, home + path, size)
                if pictures and path in PICTURED:
                    take_pictures(browser, path, size[0], pictures)
        found = check_search(browser, home, "extract_network_id")
        requests = check_requests(browser, home)
    print(f"{len(names)} pages opened, {requests} requests, none elsewhere; search finds {found}")


if __name__ == "__main__":
    main()
