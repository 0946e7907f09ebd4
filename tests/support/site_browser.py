"""The built site on a server, and a real Chromium whose requests to any other host are recorded."""

from __future__ import annotations

import re
import shutil
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import StreamRequestHandler, TCPServer, ThreadingTCPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome

DOCS = Path(__file__).parents[2] / "docs"
SITE = DOCS / "site"
DRIVER = shutil.which("chromedriver")

DESKTOP = (1280, 900)
PHONE = (390, 844)
SIZES = (DESKTOP, PHONE)
SCHEMES = ("light", "dark")

# What Chromium itself sends, whatever page is open, is switched off or not recorded.
_CHROMIUM_ITSELF = re.compile(r"\bgoogle(apis)?\.com[:/]")
_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-features=AutofillServerCommunication,NetworkTimeServiceQuerying",
)


def pages() -> list[str]:
    """Return the paths of all pages of the built site, the start page as ''."""
    found = []
    for path in SITE.rglob("index.html"):
        page = path.parent.relative_to(SITE).as_posix() + "/"
        found.append(page.removeprefix("./"))
    return sorted(found)


@contextmanager
def running(server: TCPServer) -> Iterator[int]:
    """Let a server answer; yield its port."""
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def served(requests: list[str]) -> Iterator[str]:
    """Serve the site; yield its address. The paths of requests are added to the list."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            requests.append(self.path)

        def send_error(self, code: int, *_: object, **__: object) -> None:
            """Send the page that a host of static sites sends."""
            body = (SITE / "404.html").read_bytes()
            self.send_response(code)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    handler = partial(Handler, directory=str(SITE))
    with running(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as port:
        yield f"http://127.0.0.1:{port}/"


@contextmanager
def recorder(lines: list[str]) -> Iterator[int]:
    """Listen as a proxy that refuses everything; yield its port.

    The first line of each request is added to the list.
    """

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            line = self.rfile.readline().decode("latin-1").rstrip()
            if not _CHROMIUM_ITSELF.search(line):
                lines.append(line)
            self.wfile.write(b"HTTP/1.1 502 Recorded\r\nContent-Length: 0\r\n\r\n")

    with running(ThreadingTCPServer(("127.0.0.1", 0), Handler)) as port:
        yield port


@contextmanager
def chromium(proxy: int) -> Iterator[Chrome]:
    """Start a browser without a window; all but loopback goes through the proxy."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for argument in (*_ARGUMENTS, f"--proxy-server=127.0.0.1:{proxy}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield browser
    browser.quit()


def show(browser: Chrome, url: str, size: tuple[int, int] = DESKTOP, scheme: str = "light") -> None:
    """Open a page in a window of a size, as on a phone where it is narrow."""
    width, height = size
    screen = {
        "width": width,
        "height": height,
        "deviceScaleFactor": 1,
        "mobile": size == PHONE,
    }
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    browser.get(url)
