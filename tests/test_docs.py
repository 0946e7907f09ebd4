"""Every example in the documents runs, and prints what is shown."""

from __future__ import annotations

import doctest
import json
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import AbstractContextManager, nullcontext
from importlib.metadata import version
from pathlib import Path

import pytest
from command import as_in_a_machine, environ, invoke
from frameworks_page import need_packages
from schemas import check_session
from sql_engines import need_engines
from sql_servers import cluster

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
PAGES += sorted((ROOT / "docs").glob("*.md"))

# Pages whose examples need the extra `engines`, and what skips where it is not installed.
_ENGINES = {
    "columns.md": need_engines,
    "frameworks.md": need_packages,
}

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


def replay(session: str, **variables: str) -> str:
    """Run the commands of a session in one shell; return it as it would be shown."""
    commands = commands_of(session)
    script = "exec 2>&1\n"
    for command in commands:
        script += f"{command}\n_status=$?; echo '{_MARK}'; (exit $_status)\n"
    shown = run_bash(script, variables, ROOT)
    outputs = shown.split(_MARK + "\n")
    replayed = ""
    for command, output in zip(commands, outputs[:-1], strict=True):
        replayed += f"$ {command}\n{output}"
    return replayed


def run_bash(script: str, variables: dict[str, str], directory: Path, stdin: bytes = b"") -> str:
    binaries = str(Path(sys.executable).parent)
    env = environ(variables, PATH=f"{binaries}:/usr/bin:/bin", PYTHONUNBUFFERED="1")
    shell = subprocess.run(
        ["/bin/bash", "-c", script],
        cwd=directory,
        env=env,
        input=stdin,
        capture_output=True,
        check=False,
    )
    return as_in_a_machine(_WAITING.sub("", shell.stdout.decode()))


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


WITH_SESSIONS = [page for page in PAGES if sessions(page)]
IN_PROCESSES = []  # in one shell, in their order, as a reader pastes them
IN_THIS_PROCESS = []
for _page in WITH_SESSIONS:
    _marks = marks_of(_page)
    IN_PROCESSES.append(pytest.param(_page, marks=_marks or [pytest.mark.slow], id=_page.name))
    if not _marks:
        IN_THIS_PROCESS.append(pytest.param(_page, id=_page.name))


def need_programs(session: str) -> None:
    for program in ("jq", "curl", "pytest"):
        if f"{program} -" in session and shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


@pytest.mark.parametrize("page", IN_PROCESSES)
def test_the_sessions_of_a_page_print_what_is_shown(page: Path) -> None:
    shown = sessions(page)
    need_programs(shown)
    with database_of(page) as variables:
        assert replay(shown, **variables) == shown
    check_session(shown)


@pytest.mark.parametrize("page", IN_THIS_PROCESS)
def test_the_calls_of_a_page_print_what_is_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same without a process for each call, which takes most of the time."""
    shown = sessions(page)
    need_programs(shown)
    monkeypatch.chdir(ROOT)
    assert Reader(tmp_path / "state").replay(shown) == shown


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
        run_examples(text, page, flags)


def run_examples(text: str, page: Path, flags: int = 0) -> None:
    names = {"__name__": "__main__"}
    examples = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), 0)
    result = doctest.DocTestRunner(optionflags=flags).run(examples)
    assert result == (0, len(examples.examples))


@pytest.mark.skipif(
    version("click") < "8.5", reason="older versions of click lay help out otherwise"
)
def test_what_is_made_of_the_code_is_up_to_date() -> None:
    """Pages, tables, values in schemas, the picture of a terminal, and the public interface."""
    check = [sys.executable, "docs/tools/generate.py", "--check"]
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


DOCS = ROOT / "docs"
MENU = re.findall(
    r'(?:"([^"]+)" = )?"(\S+\.md)"', (DOCS / "tools/zensical.toml").read_text(encoding="utf-8")
)


def linked_from(page: str) -> set[str]:
    """Return the pages that a page links, as paths from `docs/`."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = set()
    for target in re.findall(r"\]\(([^)#]+\.md)", text):
        found.add((DOCS / page).parent.joinpath(target).resolve())
    return {path.relative_to(DOCS).as_posix() for path in found if path.is_relative_to(DOCS)}


def test_the_menu_is_short_and_leads_to_each_page() -> None:
    """A page is in the menu, or one of the pages in the menu links it."""
    paths = [path for _, path in MENU]
    names = [name for name, _ in MENU if name]
    assert len(names) <= 30  # the start page is the title of its section
    assert len(set(paths)) == len(paths)
    assert len(set(names)) == len(names)
    reached = set(paths)
    for path in paths:
        reached |= linked_from(path)
    pages = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    assert {page for page in pages if not page.startswith("site/")} == reached


FOR_CONTRIBUTORS = [ROOT / "CONTRIBUTING.md", DOCS / "contributing.md"]
_NAME_OF_FILE = re.compile(r"`(\w+)` (?:in|of) `((?:fdaa|tests)/[\w./]+\.py)`")


@pytest.mark.parametrize("page", FOR_CONTRIBUTORS, ids=lambda page: page.name)
def test_the_files_and_names_that_contributors_are_sent_to_exist(page: Path) -> None:
    text = " ".join(page.read_text("utf-8").split())
    for file in re.findall(r"`((?:fdaa|tests|docs|benchmarks)/[\w./-]+\.\w+)`", text):
        is_pattern = "NAME" in file
        assert is_pattern or (ROOT / file).exists(), f"{page.name}: {file} is not there"
    for name, file in _NAME_OF_FILE.findall(text):
        assert re.search(rf"\b{name}\b", (ROOT / file).read_text("utf-8")), f"{file}: no {name}"


_FORM = re.compile(r"data-arguments='([^']+)'( data-words)?.*?<textarea[^>]*>\n([^<]+)<", re.DOTALL)
FORMS = _FORM.findall((ROOT / "docs" / "try.md").read_text("utf-8").partition('id="try-file"')[0])


@pytest.mark.parametrize(("arguments", "words", "text"), FORMS, ids=[row[0] for row in FORMS])
def test_the_example_in_a_form_of_the_try_page_is_understood(
    arguments: str, words: str, text: str
) -> None:
    """In the browser, tests/site/test_try.py compares what is printed."""
    texts = text.split() if words else [text]
    assert invoke(*json.loads(arguments), "--", *texts).exit_code in (0, 1)


def test_each_form_of_the_try_page_with_a_text_has_an_example() -> None:
    assert len(FORMS) == 3


def test_the_quick_start_is_two_commands() -> None:
    """Whoever has only Python and git runs the first fenced block below that heading."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = readme.partition("## Quick start")[2].partition("```")[2].partition("```")[0]
    language, *commands = block.strip().splitlines()
    assert language == "sh"
    assert len(commands) == 2
    assert "pytest" in commands[1]
