"""The pages of the manual: one for each command, which `man` prints without a warning."""

from __future__ import annotations

import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from command import environ, invoke

from fdaa.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent
NAMES = sorted(chain.from_iterable(COMMANDS.values()))

pytestmark = pytest.mark.skipif(
    shutil.which("man") is None, reason="man is not installed; Debian's package `man-db` has it"
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("man1")
    subprocess.run([sys.executable, "docs/tools/manual.py", directory], cwd=ROOT, check=True)
    return directory


def shown(page: Path, width: int = 80) -> str:
    """Return what `man` prints of a page, without a warning."""
    result = subprocess.run(
        ["man", "--warnings", "--encoding", "UTF-8", "--local-file", str(page)],
        env=environ(MANWIDTH=str(width), MANROFFOPT="", TERM="dumb"),
        capture_output=True,
        check=True,
        text=True,
    )
    assert result.stderr == "", page
    return result.stdout


@pytest.mark.slow
def test_each_command_has_a_page_that_man_prints_without_a_warning(pages: Path) -> None:
    made = {page.stem for page in pages.iterdir()}
    assert made >= {"fdaa", "fdaa-book-list"}
    assert made >= {f"fdaa-{name}" for name in NAMES}
    for page in pages.iterdir():
        text = shown(page)
        assert f"\n       {page.stem} - " in text, page
        assert "\b" not in text, page


@pytest.mark.parametrize("name", ["scan", "reach", "probe", "decode"])
def test_a_page_has_the_options_and_the_examples_of_the_help(pages: Path, name: str) -> None:
    words = set(shown(pages / f"fdaa-{name}.1", width=500).split())
    for line in invoke(name, "--help").stdout.splitlines():
        if line.startswith(("  -", "  $ ")):
            option_or_example = line.split("  ")[1]
            assert words.issuperset(option_or_example.split()), line


def test_the_page_of_the_group_lists_its_commands(pages: Path) -> None:
    text = shown(pages / "fdaa.1", width=500)
    for name in NAMES:
        assert f"       fdaa {name}\n" in text


def test_a_page_has_its_variables_its_statuses_and_its_neighbours(pages: Path) -> None:
    text = shown(pages / "fdaa-same.1")
    for heading in ("EXAMPLES", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"):
        assert f"\n{heading}\n" in text
    assert "FDAA_BOOK" in text
    assert "PLATFORM_PRIVATE_IP" in text
    assert "fdaa(1), fdaa-explain(1), fdaa-decode(1)" in text


def test_a_page_of_the_sandbox_has_the_variables_that_lead_to_it(pages: Path) -> None:
    text = shown(pages / "fdaa-sandbox-run.1")
    assert "FDAA_API_URL" in text
    assert "FDAA_API_TOKEN" in text


@pytest.mark.parametrize("text", [".TH", "'in", "a\\-b", "--x"])
def test_no_text_is_a_request_of_troff(text: str) -> None:
    sys.path.insert(0, str(ROOT / "docs" / "tools"))
    try:
        from manual import troff  # what stands in a page is the help, which has no such lines
    finally:
        del sys.path[0]
    source = f".TH X 1\n.SH NAME\n{troff(text)}\n"
    printed = subprocess.run(
        ["man", "--warnings", "--local-file", "-"],
        input=source,
        env=environ(MANWIDTH="80", TERM="dumb"),
        capture_output=True,
        check=True,
        text=True,
    )
    assert text in printed.stdout
    assert printed.stderr == ""
