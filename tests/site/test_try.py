"""The page "Try it": real lines, addresses and files, in a real browser."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from command import COMMAND, environ
from site_browser import DESKTOP, PHONE, SITE, show

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.site

LINE = "dial tcp [fdaa:2:45b:a7b::2]:1->[FDAA:0:18::3]:5432: i/o timeout"
MB = 1024 * 1024


def printed(*arguments: str, cwd: Path | None = None) -> str:
    """Return what the command prints on this computer."""
    command = subprocess.run(
        [*COMMAND, *arguments],
        cwd=cwd,
        env=environ(COLUMNS="80"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return command.stdout.decode()


class Form:
    """A form of the page, used as a reader uses it."""

    def __init__(self, browser: Any, field: str) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        self.browser = browser
        self.field = browser.find_element("id", field)
        self.form = self.field.find_element("xpath", "ancestor::form")
        self.wait = WebDriverWait(browser, 60)

    def fill(self, text: str) -> None:
        """Enter a text, or the name of a file."""
        if self.field.get_attribute("type") != "file":
            self.field.clear()
        self.field.send_keys(text)

    def submit(self) -> str:
        """Press the button; return the status below."""
        button = self.form.find_element("tag name", "button")
        self.browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", button)
        button.click()
        status = self.form.find_element("xpath", "following-sibling::p[@role='status']")
        self.wait.until(lambda _: status.text and not status.text.endswith("..."))
        return str(status.text)

    def output(self) -> str:
        """Return the output below."""
        below = self.form.find_element("xpath", "following-sibling::pre")
        return str(below.get_property("textContent"))


@pytest.fixture(scope="module", params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def page(request: pytest.FixtureRequest, browser: Any, home: str) -> Iterator[Any]:
    """The page, opened once at each size."""
    if not (SITE / "try" / "python").exists():
        pytest.skip("the site was built without npm, and so without Python")
    show(browser, f"{home}try/", request.param)
    browser.get_log("browser")
    yield browser
    log = browser.get_log("browser")
    assert [entry for entry in log if entry["level"] != "INFO"] == []


@pytest.mark.parametrize(
    ("field", "arguments", "text", "status"),
    [
        ("try-line", [], LINE, 0),
        ("try-line", [], "connect to 10.0.0.1 failed", 0),
        ("try-address", ["decode"], "FDAA:2:45b:a7b:174:db43:d3c6:2", 0),
        ("try-same", ["same"], "fdaa:2:45b:a7b::2 FDAA:0002:045B::3", 0),
        ("try-same", ["same"], "fdaa:2:45b:a7b::2 fdaa:0:18::3", 1),
        ("try-line", [], "<script>alert(1)</script> fdaa:0:18::3", 0),
    ],
)
def test_a_form_prints_what_the_command_prints(
    page: Any, field: str, arguments: list[str], text: str, status: int
) -> None:
    form = Form(page, field)
    form.fill(text)
    assert form.submit() == f"Exit status {status}"
    texts = text.split() if field == "try-same" else [text]
    assert form.output() == printed(*arguments, *texts)


def test_a_file_is_scanned(page: Any, tmp_path: Path) -> None:
    log = tmp_path / "-app (1).log"
    log.write_bytes((LINE + "\n").encode() * (10 * MB // (len(LINE) + 1)))
    form = Form(page, "try-file")
    form.fill(str(log))
    assert form.submit() == "Exit status 0"
    assert form.output() == printed("scan", "--count", "--", log.name, cwd=tmp_path)


def test_a_file_without_an_address_is_reported(page: Any, tmp_path: Path) -> None:
    log = tmp_path / "empty.log"
    log.write_text("nothing here\n", "utf-8")
    form = Form(page, "try-file")
    form.fill(str(log))
    assert form.submit() == "Exit status 1: no private address in empty.log"


def test_a_file_over_the_limit_is_refused(page: Any, tmp_path: Path) -> None:
    log = tmp_path / "large.log"
    log.write_bytes(b"x" * (10 * MB + 1))
    form = Form(page, "try-file")
    form.fill(str(log))
    assert form.submit() == "large.log is larger than 10 MB: install fdaa to scan it"


def test_long_output_is_shortened(page: Any, tmp_path: Path) -> None:
    log = tmp_path / "networks.log"
    with log.open("w", encoding="ascii") as file:
        for number in range(1, 1500):
            file.write(f"fdaa:0:{number:x}::3\n")
    form = Form(page, "try-file")
    form.fill(str(log))
    assert form.submit() == "Exit status 0"
    assert form.output().endswith("\n... 501 more lines; install fdaa to see them")


def test_nothing_leaves_the_browser(page: Any, requests: list[str], elsewhere: list[str]) -> None:
    form = Form(page, "try-line")
    form.submit()  # Python is loaded now
    del requests[:]
    del elsewhere[:]
    for field in ("try-line", "try-address", "try-same"):
        form = Form(page, field)
        form.fill(LINE)
        form.submit()
    assert requests == []
    assert elsewhere == []


def test_python_is_loaded_only_when_asked_for(
    browser: Any, home: str, requests: list[str], elsewhere: list[str]
) -> None:
    browser.execute_cdp_cmd("Network.clearBrowserCache", {})
    del requests[:]
    del elsewhere[:]
    show(browser, f"{home}try/")
    assert "python" not in " ".join(requests)
    Form(browser, "try-line").submit()
    assert "pyodide.asm.wasm" in " ".join(requests)
    assert elsewhere == []
