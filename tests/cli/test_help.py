"""Help, version and completion."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import TYPE_CHECKING

import click
import pytest
from command import call

from fdaa.cli.main import COMMANDS, fdaa

if TYPE_CHECKING:
    from collections.abc import Iterator


def paths(group: click.Group, above: str = "") -> Iterator[str]:
    """Yield what is typed for each command; a group is its commands."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from paths(command, f"{name} ")
        else:
            yield f"{above}{name}"


def test_the_help_of_all_is_one_screen_of_whole_sentences() -> None:
    shown = call("--help", COLUMNS="80").out
    assert shown == call("-h", COLUMNS="80").out
    assert shown.count("\n") <= 24
    assert re.findall(r"^  ([a-z]+)  ", shown, re.MULTILINE) == list(COMMANDS)
    assert "..." not in shown.partition("Commands:")[2]
    without_arguments = call("", COLUMNS="80")
    assert (without_arguments.status, without_arguments.err) == (2, shown)


@pytest.mark.parametrize("path", list(paths(fdaa)))
def test_the_help_of_each_command(path: str) -> None:
    shown = call(f"{path} --help").out
    assert shown == call(f"{path} -h").out
    assert shown.startswith(f"Usage: fdaa {path}")
    assert shown.isascii()
    assert re.search(r"^  Examples:\n +\$ .*fdaa ", shown, re.MULTILINE)


def test_the_version_is_the_distributions() -> None:
    for option in ("--version", "-V", "-V -q"):
        assert call(option).out == f"fdaa {version('fdaa')}\n"


@pytest.mark.parametrize(
    ("words", "completed"), [("fdaa de", "decode"), ("fdaa networks --sa", "--save")]
)
def test_a_shell_completes_commands_and_options(words: str, completed: str) -> None:
    word = str(words.count(" "))
    called = call("", _FDAA_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=word)
    assert called.out == f"plain,{completed}\n"
