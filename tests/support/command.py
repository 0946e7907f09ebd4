"""The command `fdaa`, run for tests: in this process, as a process, and on a pseudo-terminal.

Whatever it prints with --json is checked against its schema.
"""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from click.testing import CliRunner
from piped import Piped
from schemas import check_call

from fdaa.cli.main import fdaa

if TYPE_CHECKING:
    from collections.abc import Mapping

    from click.testing import Result

COMMAND = [sys.executable, "-m", "fdaa"]

# What a developer's shell may set and a test must not inherit.
_UNSET = (
    "PLATFORM_PRIVATE_IP",
    "FDAA_DOCUMENTS",
    "FDAA_SECRET",
    "FDAA_API_URL",
    "FDAA_API_TOKEN",
    "NO_COLOR",
    "TERM",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
    "PYTHONDONTWRITEBYTECODE",  # each of some hundred processes would compile all of fdaa
    "LC_ALL",
)


def environ(env: Mapping[str, str] | None = None, **variables: str) -> dict[str, str]:
    """Return this process's environment without what changes output, with more variables.

    Here and below, those of a mapping are `env`, and others are named by keywords.
    """
    inherited = {name: value for name, value in os.environ.items() if name not in _UNSET}
    return {**inherited, "LC_ALL": "C.UTF-8", **(env or {}), **variables}


def invoke(
    *arguments: str,
    stdin: bytes | None = None,
    env: Mapping[str, str] | None = None,
    **variables: str,
) -> Result:
    """Run the command in this process; without `stdin`, standard input is empty."""
    unset: dict[str, str | None] = dict.fromkeys(_UNSET)
    runner = CliRunner(env={**unset, **(env or {}), **variables})
    result = runner.invoke(fdaa, arguments, input=stdin, prog_name="fdaa")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    check_call(arguments, result.stdout)
    return result


class Called(NamedTuple):
    """The exit status of a call, and what it printed on standard output and standard error."""

    status: int
    out: str
    err: str


def call(line: str, stdin: bytes | None = None, **variables: str) -> Called:
    """Run a line, as a shell splits it, in this process; `fdaa` is left out."""
    result = invoke(*shlex.split(line), stdin=stdin, env=variables)
    return Called(result.exit_code, result.stdout, as_in_a_machine(result.stderr))


_NOT_HERE = re.compile(
    r"fdaa: PLATFORM_PRIVATE_IP is \S+, but no interface of this computer has that address"
    r"(; self is .*)?\n"
)


def as_in_a_machine(shown: str) -> str:
    """Return output without the remark that the own address is no interface's of this computer."""
    return _NOT_HERE.sub("", shown)


def records(text: str) -> list[Any]:
    """Return the objects of JSON Lines."""
    return [json.loads(line) for line in text.splitlines()]


def run(
    *arguments: str,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    **variables: str,
) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process."""
    result = subprocess.run(
        [*COMMAND, *arguments],
        input=stdin,
        capture_output=True,
        env=environ(env, **variables),
        timeout=60,
        check=False,
    )
    check_call(arguments, result.stdout.decode(errors="replace"))
    return result


def shell(
    script: str, stdin: bytes = b"", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash, in which `fdaa` is the command."""
    return subprocess.run(
        ["/bin/bash", "-c", f'fdaa() {{ "$0" -m fdaa "$@"; }}; {script}', sys.executable],
        input=stdin,
        capture_output=True,
        env=environ(env, PLATFORM_PRIVATE_IP="fdaa::1"),
        check=False,
    )


def start(*arguments: str, **options: Any) -> Piped[bytes]:
    """Start the command as a process, with pipes where `options` say nothing else."""
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return Piped([*COMMAND, *arguments], **{"env": environ(), **streams, **options})


def on_terminal(
    *arguments: str,
    stdin: int | None = None,
    stdout: int | None = None,
    env: Mapping[str, str] | None = None,
    **variables: str,
) -> tuple[bytes, int]:
    """Run the command on a pseudo-terminal, but for streams that are given.

    Return what the terminal shows, and the status.
    """
    ours, theirs = pty.openpty()
    streams = {"stdin": stdin or theirs, "stdout": stdout or theirs, "stderr": theirs}
    process = start(
        *arguments, env=environ({"TERM": "xterm", **(env or {})}, **variables), **streams
    )
    os.close(theirs)
    output = read_all(ours)
    return output, process.wait(timeout=60)


def read_all(descriptor: int) -> bytes:
    """Return what comes until the other end is closed; close this one."""
    shown = b""
    with suppress(OSError):  # Linux's way to say that the other end is closed
        while chunk := os.read(descriptor, 65536):
            shown += chunk
    os.close(descriptor)
    return shown
