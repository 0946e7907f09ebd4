"""Completion in real shells on pseudo-terminals, and by the commands' own parameters."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from books import fact, learn
from command import COMMAND, environ, invoke
from network_files import save, save_all

from fdaa.cli.main import fdaa

if TYPE_CHECKING:
    from collections.abc import Iterator

# Shell -> how it is started without a user's files, and how it gets the script.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source ./script"),
    "zsh": (["zsh", "-f", "-i"], "autoload -U compinit; compinit -u -d ./dump; source ./script"),
    "fish": (["fish", "--no-config", "-i"], "source ./script"),
}


class Terminal:
    """A shell on a pseudo-terminal."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._shown = b""

    def send(self, text: str) -> None:
        os.write(self._descriptor, text.encode())

    def read_until(self, pattern: str) -> re.Match[bytes]:
        while not (found := re.search(pattern.encode(), self._shown)):
            ready, _, _ = select.select([self._descriptor], [], [], 60)
            assert ready, self._shown
            self._shown += os.read(self._descriptor, 65536)
        self._shown = self._shown[found.end() :]
        return found


@contextmanager
def shell(name: str) -> Iterator[Terminal]:
    """Start a shell that has loaded the script for completion."""
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed; Debian's package `{name}` has it")
    command, load = SHELLS[name]
    Path("script").write_text(invoke("completion", name).stdout)
    ours, theirs = pty.openpty()
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    variables = {"PATH": path, "HOME": str(Path.cwd()), "TERM": "dumb", "FDAA_BOOK": "book.json"}
    with subprocess.Popen(
        ["setsid", "--ctty", *command],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environ(variables),
    ) as process:
        os.close(theirs)
        try:
            terminal = Terminal(ours)
            terminal.send(f"{load}; echo load''ed\r")
            terminal.read_until("loaded")
            yield terminal
        finally:
            process.kill()
            os.close(ours)


@pytest.fixture(autouse=True)
def _documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_all()
    Path("application.log").write_text("fdaa::1\n")
    Path("two words.log").write_text("fdaa::1\n")
    Path("a-directory").mkdir()
    learn(Path("book.json"), [fact("customer-99", 0x99)])


# What is typed before the tab, and what the line is after it.
COMPLETED = [
    ("fdaa sca", "fdaa scan "),
    ("fdaa scan --pseudo", "fdaa scan --pseudonymize "),
    ("fdaa scan applic", "fdaa scan application.log "),
    ("fdaa scan two", r"fdaa scan two\ words.log "),
    ("fdaa networks --apps apps", "fdaa networks --apps apps.json "),
    ("fdaa networks --apps=apps", "fdaa networks --apps=apps.json "),
    ("fdaa networks --machines web=web", "fdaa networks --machines web=web.json "),
    ("fdaa reach --book bo", "fdaa reach --book book.json "),
    ("fdaa sandbox --state a-d", "fdaa sandbox --state a-directory/"),
    ("fdaa sql duck", "fdaa sql duckdb "),
    ("fdaa networks --format merm", "fdaa networks --format mermaid "),
    ("fdaa scan --network cust", "fdaa scan --network customer-99 "),
    ("fdaa book remove cust", "fdaa book remove customer-99 "),
    ("fdaa reach --apps apps.json we", "fdaa reach --apps apps.json web "),
    ("fdaa probe --apps apps.json ol", "fdaa probe --apps apps.json old "),
    ("fdaa reach --apps apps.json network:bl", "fdaa reach --apps apps.json network:blue "),
    ("fdaa reach network:customer-9", "fdaa reach network:customer-99 "),
    ("fdaa completion ba", "fdaa completion bash "),
    ("fdaa check al", "fdaa check allocations "),
    ("fdaa help book le", "fdaa help book learn "),
    ("fdaa whois --field network_n", "fdaa whois --field network_name "),
    ("fdaa book learn --machines web=web", "fdaa book learn --machines web=web.json "),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_completes(name: str) -> None:
    with shell(name) as terminal:
        for number, (typed, completed) in enumerate(COMPLETED):
            # The line is completed, and then quoted by a command that is put before it.
            terminal.send(f"{typed}\t'\x01printf '<{number}:%s>' '\r")
            shown = terminal.read_until(rf"\n<{number}:(.*?)>")[1].decode()
            assert shown.rstrip() == completed.rstrip(), typed


# What a name in a document may be, and no shell may be given: text that it would execute or split,
# that is an option, that is another row of the answer, or that a terminal obeys.
HOSTILE = [
    "web$(touch pwned)",
    "web$(touch${IFS}pwned)",
    "web`touch pwned`",
    "web;touch pwned",
    "web&touch pwned",
    "web|touch pwned",
    "web>pwned",
    "web'quoted'",
    'web"quoted"',
    "web two",
    "web*",
    "web{1,2}",
    "web=~",
    "web\\",
    "web\nplain,web-2",
    "wex\nfile,/etc/passwd\nplain,evil",
    "web\tsaid to be good",
    "web\x1b]0;title\x07",
    "web\x1b[31m",
    "web\r",
    "web\u0435",
    "-web",
    "--json",
    "",
]


def write_documents(names: list[str]) -> None:
    """Write documents with these names: of apps, of networks, and of files in a directory."""
    save("apps.json", [{"Name": name, "Network": "default"} for name in names])
    save("networks.json", [{"Name": "app", "Network": name} for name in names])
    Path("machines").mkdir()
    entries = {}
    for number, name in enumerate(names):
        file = name.replace("/", "-")
        save(f"machines/{file}.json", [{"id": "m", "private_ip": f"fdaa:2:45b::{number}"}])
        entries[name] = {"network_id": f"0:{number:x}", "network_id_int": number}
    save("one-app.json", [{"Name": "web$(touch${IFS}pwned)", "Network": "default"}])
    save("networks-book.json", {"fdaa_book": 1, "networks": entries})


# What is typed, and the line after a tab where one good name is beside the others.
PLACES = [
    ("fdaa reach --apps apps.json ", "fdaa reach --apps apps.json "),  # or network:default
    ("fdaa reach --apps apps.json w", "fdaa reach --apps apps.json web-1"),
    ("fdaa reach --apps one-app.json w", "fdaa reach --apps one-app.json w"),
    ("fdaa probe --machines machines/ ", "fdaa probe --machines machines/ web-1"),
    ("fdaa reach --apps networks.json network:", "fdaa reach --apps networks.json network:web-1"),
    ("fdaa reach --book networks-book.json ", "fdaa reach --book networks-book.json "),
    (
        "fdaa scan --book networks-book.json --network ",
        "fdaa scan --book networks-book.json --network ",
    ),
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_is_more_than_a_word_to_a_shell_is_not_offered(name: str) -> None:
    write_documents([name])
    for typed, _ in PLACES:
        result = invoke(COMP_WORDS=typed, _FDAA_COMPLETE="bash_complete")
        assert result.output in ("\n", "plain,network:default\n"), typed


@pytest.mark.parametrize(
    "line",
    [
        "fdaa reach --apps pipe w",
        "fdaa reach --machines web=pipe w",
        "fdaa reach --addresses pipe w",
        "fdaa reach --book pipe w",
        "fdaa networks --book pipe --only w",
    ],
)
def test_completion_does_not_wait_for_a_pipe(line: str) -> None:
    os.mkfifo("pipe")
    typed = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    done = subprocess.run(
        COMMAND,
        env=environ({**typed, "_FDAA_COMPLETE": "bash_complete"}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("name", "word", "row"),
    [("bash", "", "file,a"), ("zsh", "2", "file\na\n_"), ("fish", "'a\nplain,evil", "file,a")],
)
def test_what_is_typed_adds_no_row(name: str, word: str, row: str) -> None:
    line = "fdaa scan 'a\nplain,evil"
    result = invoke(_FDAA_COMPLETE=f"{name}_complete", COMP_WORDS=line, COMP_CWORD=word)
    assert result.stdout == row + "\n"


def words_after_tab(terminal: Terminal, typed: str) -> list[str]:
    """Return what the shell makes of a line after a tab: the arguments of a program in front."""
    terminal.send(f"{typed}\t\x01./show_words \r")
    terminal.read_until("words are written")
    return Path("words").read_bytes().decode().split("\0")[:-1]


@pytest.fixture
def _show_words(_documents: None) -> None:
    program = Path("show_words")
    program.write_text("#!/bin/sh\nprintf '%s\\0' \"$@\" > words; echo words are' 'written\n")
    program.chmod(0o755)


@pytest.mark.slow
@pytest.mark.usefixtures("_show_words")
@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_executes_no_name(name: str) -> None:
    names = [hostile for hostile in HOSTILE if hostile]
    write_documents([*names, "web-1"])
    save("book.json", {"fdaa_book": 1, "networks": {}})
    with shell(name) as terminal:
        for typed, line in PLACES:
            assert words_after_tab(terminal, typed) == line.split()
    assert not Path("pwned").exists()


# What stands in the name of a file, between `ev` and `end`. (fish completes no name with a tab.)
IN_FILE_NAMES = [
    "$(touch pwned)",
    "`touch pwned`",
    ";touch pwned;",
    "&touch pwned&",
    "|touch pwned|",
    ">pwned",
    "$HOME",
    "'",
    '"',
    "\\",
    " two words ",
    "\n",
    "\x1b[31m",
    "*",
    "{a,b}",
    "~",
    "#",
    "!",
    "=",
    ":",
    ",",
    "é",
]
ALL_OF_THEM = "".join(IN_FILE_NAMES)
# What is typed before the tab, and the name of the only file or directory that completes it.
FILES_TYPED = [
    ("fdaa scan ./-e", f"-ev{ALL_OF_THEM}"),
    ("fdaa scan -- -e", f"-ev{ALL_OF_THEM}"),
    ("fdaa networks --apps=ev", f"ev{ALL_OF_THEM}"),
    ("fdaa networks --machines web=ev", f"ev{ALL_OF_THEM}"),
    ("fdaa sandbox --state ev", f"ev{ALL_OF_THEM}/"),
]


@pytest.mark.slow
@pytest.mark.usefixtures("_show_words")
@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_quotes_the_name_of_a_file(name: str) -> None:
    typed_and_files = [("fdaa scan ev", f"ev{inside}end") for inside in IN_FILE_NAMES]
    typed_and_files += FILES_TYPED
    with shell(name) as terminal:
        for number, (typed, file) in enumerate(typed_and_files):
            path = Path(file)
            if file.endswith("/"):
                path.mkdir()
            else:
                path.touch()
            *_, last = words_after_tab(terminal, typed)
            before = typed.removesuffix("-e").removesuffix("ev").split(" ")[-1]
            assert last.rstrip("/") == before + file.rstrip("/"), typed
            path.rename(f"done-{number}")
    assert not Path("pwned").exists()


def parameters(command: click.Command, path: str) -> Iterator[tuple[str, click.Parameter]]:
    """Yield each parameter of a command and of those in it, with the words that lead to it."""
    for parameter in command.params:
        yield f"{path} {parameter.opts[0]}", parameter
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from parameters(below, f"{path} {name}")


def takes_a_file(parameter: click.Parameter) -> bool:
    if getattr(parameter, "is_flag", False):
        return False
    value = parameter.metavar or parameter.human_readable_name.upper()
    return re.search(r"FILE|PATH|DIR", value) is not None


PARAMETERS = dict(parameters(fdaa, "fdaa"))
FILES = [path for path, parameter in PARAMETERS.items() if takes_a_file(parameter)]


@pytest.mark.parametrize("path", FILES)
def test_each_parameter_that_takes_a_file_completes_files(path: str) -> None:
    items = PARAMETERS[path].shell_complete(click.Context(fdaa), "ap")
    assert [item.type for item in items] in (["file"], ["dir"])
    assert items[0].value == "ap"


def test_the_parameters_that_take_files_are_found() -> None:
    assert {"fdaa scan names", "fdaa reach --book", "fdaa verify file"}.issubset(FILES)


# What stands before the cursor, and what bash is given.
BASH = [
    ("fdaa reach --apps - a", ""),  # standard input is the terminal
    ("fdaa reach --apps missing.json w", ""),
    ("fdaa reach --book apps.json w", ""),
    ("fdaa scan --network x --book missing.json --network c", ""),
    ("fdaa nosuch ", ""),
    ("fdaa scan 'unfinished", "file,unfinished"),
    ("fdaa networks --machines web=w", "file,w"),
    ("fdaa reach network:customer-", "plain,customer-99"),
    ("fdaa sql s", "plain,spark"),
]


@pytest.mark.parametrize(("line", "completions"), BASH)
def test_what_cannot_be_completed_says_nothing(line: str, completions: str) -> None:
    result = invoke(COMP_WORDS=line, _FDAA_COMPLETE="bash_complete", FDAA_BOOK="book.json")
    assert result.stdout.split() == completions.split()
    assert result.stderr == ""


@pytest.mark.parametrize("name", SHELLS)
def test_the_script_says_where_it_belongs(name: str) -> None:
    script = invoke("completion", name).stdout
    assert script.splitlines()[-1].startswith("# Save this as ")
    assert ("#compdef fdaa" in script.splitlines()[0]) is (name == "zsh")
