"""Every example in the documents runs, and prints what is shown; links and names lead somewhere."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest
from command import as_in_a_machine, environ, invoke
from frameworks_page import need_packages
from sql_engines import need_engines
from sql_servers import cluster

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]

# Pages whose examples need the extra `engines`, and what skips where it is not installed.
_ENGINES = {"columns.md": need_engines, "frameworks.md": need_packages}

_SESSION = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A call, in words that a shell leaves alone; what becomes of its messages; what follows.
_CALL = re.compile(r"fdaa ((?:'[^']*'|[^'|;<>&$`])*?)( 2> /dev/null| 2>&1)?( [|;&].*|;.*)?")
_EXPORT = re.compile(r"export (\w+)=([\w:]+)")
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


# --- sessions -------------------------------------------------------------------------------------


def commands_of(session: str) -> list[str]:
    return [line[2:] for line in session.splitlines() if line.startswith("$ ")]


def run_bash(script: str, variables: dict[str, str], directory: Path, stdin: bytes = b"") -> str:
    binaries = str(Path(sys.executable).parent)
    shell = subprocess.run(
        ["/bin/bash", "-c", script],
        cwd=directory,
        env=environ(variables, PATH=f"{binaries}:/usr/bin:/bin", PYTHONUNBUFFERED="1"),
        input=stdin,
        capture_output=True,
        check=False,
    )
    return as_in_a_machine(_WAITING.sub("", shell.stdout.decode()))


def replay(session: str, variables: dict[str, str]) -> str:
    """Run the commands of a session in one shell, as a reader pastes them; return what is shown."""
    commands = commands_of(session)
    script = "exec 2>&1\n"
    for command in commands:
        script += f"{command}\n_status=$?; echo '{_MARK}'; (exit $_status)\n"
    outputs = run_bash(script, variables, ROOT).split(_MARK + "\n")
    pairs = zip(commands, outputs[:-1], strict=True)
    return "".join(f"$ {command}\n{output}" for command, output in pairs)


class Reader:
    """Someone who types the commands of a page: calls of `fdaa` run in this process.

    All else runs in a shell, which leaves its directory and its variables in a file.
    """

    def __init__(self, state: Path) -> None:
        self._state = state
        self._directory = ROOT
        self._variables: dict[str, str] = {}

    def replay(self, session: str) -> str:
        """Return what `replay` returns."""
        replayed = ""
        for command in commands_of(session):
            call = _CALL.fullmatch(command)
            variable = _EXPORT.fullmatch(command)
            output = ""
            if call is not None:
                output = self._run_here(*call.groups(""))
            elif variable is not None:
                self._variables[variable[1]] = variable[2]
            else:
                output = self._run_shell(command)
            replayed += f"$ {command}\n{output}"
        return replayed

    def _run_shell(self, command: str) -> str:
        script = f"exec 2>&1\nset -a\n{command}\n(pwd; env -0) > {self._state}"
        output = run_bash(script, self._variables, self._directory)
        directory, _, variables = self._state.read_text("utf-8").partition("\n")
        self._directory = Path(directory)
        self._variables = dict(line.split("=", 1) for line in variables.split("\0")[:-1])
        return output

    def _run_here(self, arguments: str, errors: str, rest: str) -> str:
        os.chdir(self._directory)
        result = invoke(*shlex.split(arguments), env=self._variables)
        output = as_in_a_machine(result.output)
        if errors == " 2> /dev/null":
            output = result.stdout
        if rest.startswith(" | "):
            return run_bash(rest[3:], self._variables, ROOT, output.encode())
        if rest:
            output += run_bash(f"(exit {result.exit_code}){rest}", self._variables, ROOT)
        return output


def need_programs(session: str) -> None:
    for program in ("jq", "curl", "pytest"):
        if f"{program} -" in session and shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


WITH_SESSIONS = [page for page in PAGES if sessions(page)]
IN_PROCESSES = [
    pytest.param(page, marks=marks_of(page), id=page.name)
    for page in WITH_SESSIONS
    if marks_of(page)
]
IN_THIS_PROCESS = [page for page in WITH_SESSIONS if not marks_of(page)]


@pytest.mark.parametrize("page", IN_PROCESSES)
def test_the_sessions_of_a_page_print_what_is_shown(page: Path) -> None:
    shown = sessions(page)
    need_programs(shown)
    with database_of(page) as variables:
        assert replay(shown, variables) == shown


@pytest.mark.parametrize("page", IN_THIS_PROCESS, ids=lambda page: page.name)
def test_the_calls_of_a_page_print_what_is_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a process for each call, which takes most of the time."""
    shown = sessions(page)
    need_programs(shown)
    monkeypatch.chdir(ROOT)
    assert Reader(tmp_path / "state").replay(shown) == shown


WITH_EXAMPLES = [
    pytest.param(page, marks=marks_of(page), id=page.name)
    for page in PAGES
    if ">>> " in page.read_text("utf-8")
]


@pytest.mark.parametrize("page", WITH_EXAMPLES)
def test_python_examples_give_what_is_shown(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = 0
    if page.name in _ENGINES:
        _ENGINES[page.name]()
        flags = doctest.IGNORE_EXCEPTION_DETAIL  # an engine's own words differ by its version
    with database_of(page) as variables:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        names = {"__name__": "__main__"}
        text = page.read_text("utf-8")
        examples = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), 0)
        result = doctest.DocTestRunner(optionflags=flags).run(examples)
        assert result == (0, len(examples.examples))


# --- links and names ------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [*PAGES, *DOCS.glob("api/*.md")], ids=lambda page: page.name)
def test_links_between_the_documents_lead_somewhere(page: Path) -> None:
    """Also to a heading: its anchor is its words in lower case, with dashes."""
    prose = re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
    for target, _, anchor in re.findall(r"\]\(([^)#]*)(#([^)]*))?\)", prose):
        if "://" in target:
            continue
        linked = page.parent / target if target else page
        assert linked.exists(), f"{page.name}: {target}"
        if anchor and linked.suffix == ".md" and "fdaa-" not in anchor:
            headings = re.findall(r"^#+ (.*)$", linked.read_text("utf-8"), re.MULTILINE)
            assert anchor in {slug(heading) for heading in headings}, f"{target}#{anchor}"


def slug(heading: str) -> str:
    words = re.sub(r"[^\w\s-]", "", heading.lower())
    return re.sub(r"[\s-]+", "-", words).strip("-")


def test_the_menu_leads_to_each_page() -> None:
    """A page is in the menu, or one of the pages in the menu links it."""
    menu = (DOCS / "tools/zensical.toml").read_text(encoding="utf-8")
    reached = set(re.findall(r'"(\S+\.md)"', menu))
    for name in list(reached):
        page = DOCS / name
        for target in re.findall(r"\]\(([^)#]+\.md)", page.read_text("utf-8")):
            linked = (page.parent / target).resolve()
            if linked.is_relative_to(DOCS):
                reached.add(linked.relative_to(DOCS).as_posix())
    pages = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    assert {page for page in pages if not page.startswith("site/")} == reached


@pytest.mark.parametrize("page", [ROOT / "CONTRIBUTING.md", DOCS / "contributing.md"])
def test_the_files_and_names_that_contributors_are_sent_to_exist(page: Path) -> None:
    text = " ".join(page.read_text("utf-8").split())
    for file in re.findall(r"`((?:fdaa|tests|docs|benchmarks)/[\w./-]+\.\w+)`", text):
        assert "NAME" in file or (ROOT / file).exists(), f"{page.name}: {file} is not there"
    in_file = r"`(\w+)` (?:in|of) `((?:fdaa|tests)/[\w./]+\.py)`"
    for name, file in re.findall(in_file, text):
        assert re.search(rf"\b{name}\b", (ROOT / file).read_text("utf-8")), f"{file}: no {name}"
