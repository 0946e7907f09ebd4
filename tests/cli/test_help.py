"""Help, version and completion."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner
from command import call, environ, run

from fdaa.cli.main import COMMANDS, fdaa

if TYPE_CHECKING:
    from collections.abc import Iterator


def paths(group: click.Group, above: str = "") -> Iterator[str]:
    """Yield what is typed for each command, and for those below it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        path = f"{above} {name}".strip()
        yield path
        if isinstance(command, click.Group):
            yield from paths(command, path)


PATHS = list(paths(fdaa))
GROUPS = ("apps", "check")


def test_the_help_of_all_is_one_screen_of_whole_sentences() -> None:
    shown = call("--help", COLUMNS="80").out
    assert shown == call("-h", COLUMNS="80").out
    assert shown.count("\n") <= 24
    assert re.findall(r"^  ([a-z]+)  ", shown, re.MULTILINE) == list(COMMANDS)
    for line in shown.splitlines()[10:]:
        assert line.endswith("."), line
        assert not line.endswith("..."), line


@pytest.mark.parametrize("path", PATHS)
def test_the_help_of_each_command(path: str) -> None:
    shown = call(f"{path} --help").out
    assert shown == call(f"{path} -h").out
    assert shown.startswith(f"Usage: fdaa {path}")
    assert shown.isascii()
    if path not in GROUPS:
        assert re.search(r"^  Examples:\n +\$ .*fdaa ", shown, re.MULTILINE)
    for width in (60, 80, 120):
        arguments = [*path.split(), "--help"]
        wrapped = CliRunner().invoke(fdaa, arguments, prog_name="fdaa", terminal_width=width)
        prose, *_ = re.split(r"\n  (?:Examples|Files):\n", wrapped.stdout)
        assert max(map(len, prose.splitlines())) <= width


def test_the_version_is_the_distributions() -> None:
    for option in ("--version", "-V", "-V -q"):
        assert call(option).out == f"fdaa {version('fdaa')}\n"


@pytest.mark.slow
def test_the_script_and_the_module_are_the_same_command() -> None:
    script = shutil.which("fdaa", path=str(Path(sys.executable).parent))
    assert script is not None
    ran = subprocess.run([script, "decode", "x"], capture_output=True, env=environ(), check=False)
    module = run("decode", "x")
    assert (ran.stdout, ran.stderr) == (module.stdout, module.stderr)
    assert ran.returncode == module.returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("fdaa de", b"plain,decode\n"),
        ("fdaa networks --sa", b"plain,--save\n"),
    ],
)
def test_a_shell_completes_commands_and_options(words: str, completed: bytes) -> None:
    number = str(words.count(" "))
    result = run(_FDAA_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=number)
    assert (result.stdout, result.stderr) == (completed, b"")
