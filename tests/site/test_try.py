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
LARGEST = 10 * 1024 * 1024  # bytes of a file


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


def submit(page: Any, field_id: str, text: str) -> tuple[str, str]:
    """Enter a text or the name of a file, press the button; return the status and the output."""
    from selenium.webdriver.support.ui import WebDriverWait

    field = page.find_element("id", field_id)
    if field_id != "try-file":
        field.clear()
    field.send_keys(text)
    form = field.find_element("xpath", "ancestor::form")
    button = form.find_element("tag name", "button")
    page.execute_script("arguments[0].scrollIntoView({ block: 'center' })", button)
    button.click()
    status = form.find_element("xpath", "following-sibling::p[@role='status']")
    WebDriverWait(page, 60).until(lambda _: status.text and not status.text.endswith("..."))
    output = form.find_element("xpath", "following-sibling::pre")
    return status.text, output.get_property("textContent")


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
        ("try-line", [], "<script>alert(1)</script> fdaa:0:18::3", 0),
        ("try-address", ["decode"], "FDAA:2:45b:a7b:174:db43:d3c6:2", 0),
        ("try-same", ["same"], "fdaa:2:45b:a7b::2 fdaa:0:18::3", 1),
    ],
)
def test_a_form_prints_what_the_command_prints(
    page: Any, field: str, arguments: list[str], text: str, status: int
) -> None:
    texts = text.split() if field == "try-same" else [text]
    shown = submit(page, field, text)
    assert shown == (f"Exit status {status}", printed(*arguments, *texts))


def test_a_file_is_scanned(page: Any, tmp_path: Path) -> None:
    log = tmp_path / "-app (1).log"
    log.write_text(f"{LINE}\n" * (LARGEST // (len(LINE) + 1)), "ascii")
    shown = submit(page, "try-file", str(log))
    assert shown == ("Exit status 0", printed("scan", "--count", "--", log.name, cwd=tmp_path))


def test_a_file_without_an_address_is_reported(page: Any, tmp_path: Path) -> None:
    log = tmp_path / "empty.log"
    log.write_text("nothing here\n", "ascii")
    status, _ = submit(page, "try-file", str(log))
    assert status == "Exit status 1: no private address in empty.log"


def test_a_file_over_the_limit_is_refused(page: Any, tmp_path: Path) -> None:
    log = tmp_path / "large.log"
    log.write_bytes(b"x" * (LARGEST + 1))
    status, _ = submit(page, "try-file", str(log))
    assert status == "large.log is larger than 10 MB: install fdaa to scan it"


def test_long_output_is_shortened(page: Any, tmp_path: Path) -> None:
    log = tmp_path / "networks.log"
    networks = [f"fdaa:0:{number:x}::3\n" for number in range(1, 1500)]
    log.write_text("".join(networks), "ascii")
    _, output = submit(page, "try-file", str(log))
    assert output.endswith("\n... 501 more lines; install fdaa to see them")


def test_python_is_loaded_only_when_asked_for_and_then_nothing_leaves_the_browser(
    browser: Any, home: str, requests: list[str]
) -> None:
    """The policy of the page allows no other host than its own, whose requests are recorded."""
    browser.execute_cdp_cmd("Network.clearBrowserCache", {})
    requests.clear()
    show(browser, f"{home}try/")
    assert "python" not in " ".join(requests)
    submit(browser, "try-line", LINE)
    assert "pyodide.asm.wasm" in " ".join(requests)
    requests.clear()
    for field in ("try-line", "try-address", "try-same"):
        submit(browser, field, LINE)
    assert requests == []
