"""Every example in the documents runs, and prints what is shown."""

from __future__ import annotations

import doctest
import pkgutil
import re
import shutil
import subprocess
import sys
from contextlib import AbstractContextManager, nullcontext
from importlib.metadata import version
from pathlib import Path

import pytest
from command import environ
from frameworks_page import need_packages
from schemas import check_session
from sql_engines import need_engines, need_recipes
from sql_servers import cluster

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
PAGES += sorted((ROOT / "docs").glob("*.md"))
PAGES += sorted((ROOT / "docs" / "contributing").glob("*.md"))

# Pages whose examples need the extra `engines`, and what skips where it is not installed.
_ENGINES = {
    "columns.md": need_engines,
    "columns-recipes.md": need_recipes,
    "columns-traffic.md": need_engines,
    "frameworks.md": need_packages,
}

_SESSION = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MARK = "=== end of output ==="
_WAITING = re.compile(r"^fdaa: waiting for .*\n", re.MULTILINE)  # said where a second goes by


def sessions(page: Path) -> str:
    """Return what a reader types on a page, from top to bottom, with what is shown."""
    return "".join(_SESSION.findall(page.read_text(encoding="utf-8")))


def marks_of(page: Path) -> list[pytest.MarkDecorator]:
    if page.name in _ENGINES:
        return [pytest.mark.engines]
    if "fdaa sandbox" in sessions(page):  # it starts a server and many clients
        return [pytest.mark.slow]
    return []


def database_of(page: Path) -> AbstractContextManager[dict[str, str]]:
    """Return a context with the environment of a PostgreSQL for the pages that may need one."""
    if page.name in _ENGINES:
        return cluster()
    return nullcontext({})


def replay(session: str, **variables: str) -> str:
    """Run the commands of a session in one shell; return it as it would be shown."""
    commands = [line[2:] for line in session.splitlines() if line.startswith("$ ")]
    script = "exec 2>&1\n"
    for command in commands:
        script += f"{command}\n_status=$?; echo '{_MARK}'; (exit $_status)\n"
    binaries = str(Path(sys.executable).parent)
    env = environ(variables, PATH=f"{binaries}:/usr/bin:/bin", PYTHONUNBUFFERED="1")
    shell = subprocess.run(
        ["/bin/bash", "-c", script], cwd=ROOT, env=env, capture_output=True, check=False
    )
    shown = _WAITING.sub("", shell.stdout.decode())
    outputs = shown.split(_MARK + "\n")
    replayed = ""
    for command, output in zip(commands, outputs[:-1], strict=True):
        replayed += f"$ {command}\n{output}"
    return replayed


WITH_SESSIONS = [page for page in PAGES if sessions(page)]


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=marks_of(page), id=page.name) for page in WITH_SESSIONS]
)
def test_the_sessions_of_a_page_print_what_is_shown(page: Path) -> None:
    """They run in one shell, in their order, as a reader pastes them."""
    shown = sessions(page)
    for program in ("jq", "curl"):
        if f"{program} -" in shown and shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    with database_of(page) as variables:
        assert replay(shown, **variables) == shown
    check_session(shown)


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=marks_of(page), id=page.name) for page in PAGES]
)
def test_python_examples_give_what_is_shown(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page.read_text(encoding="utf-8")
    flags = 0
    if page.name in _ENGINES:
        _ENGINES[page.name]()
    if page.name == "columns.md":
        flags = doctest.IGNORE_EXCEPTION_DETAIL  # an engine's own words differ by its version
    with database_of(page) as variables:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        result = doctest.testfile(
            str(page), module_relative=False, optionflags=flags, encoding="utf-8"
        )
    assert result.failed == 0
    assert result.attempted == len(doctest.DocTestParser().get_examples(text))


@pytest.mark.skipif(
    version("click") < "8.5", reason="older versions of click lay help out otherwise"
)
def test_the_help_in_the_reference_is_the_help_of_the_commands() -> None:
    subprocess.run([sys.executable, "docs/reference.py", "--check"], cwd=ROOT, check=True)


def test_the_picture_of_a_terminal_is_a_run_of_the_commands() -> None:
    check = [sys.executable, "docs/picture.py", "--check"]
    subprocess.run(check, cwd=ROOT, env=environ(), check=True)


def test_the_python_names_in_the_reference_of_commands_exist() -> None:
    text = (ROOT / "docs" / "commands.md").read_text("utf-8")
    names = re.findall(r'<autoref identifier="([^"]+)">', text)
    assert names
    for name in names:
        pkgutil.resolve_name(name)


WITH_LINKS = [*PAGES, *sorted((ROOT / "docs" / "api").glob("*.md"))]


@pytest.mark.parametrize("page", WITH_LINKS, ids=lambda page: page.name)
def test_links_between_the_documents_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)#]+)", prose):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_site_s_navigation_names_each_page_once() -> None:
    docs = ROOT / "docs"
    named = re.findall(r'= "(\S+\.md)"', (docs / "zensical.toml").read_text(encoding="utf-8"))
    pages = [path.relative_to(docs).as_posix() for path in docs.rglob("*.md")]
    assert sorted(named) == sorted(page for page in pages if not page.startswith("site/"))


def test_the_quick_start_is_two_commands() -> None:
    """Whoever has only Python and git runs the first fenced block below that heading."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = readme.partition("## Quick start")[2].partition("```")[2].partition("```")[0]
    language, *commands = block.strip().splitlines()
    assert language == "sh"
    assert len(commands) == 2
    assert "pytest" in commands[1]
