"""`fdaa sandbox` as a process."""

from __future__ import annotations

import shlex
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from command import COMMAND, environ

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def variables_of(text: str) -> dict[str, str]:
    """Return what a shell sets when it evaluates `text`."""
    words = [shlex.split(line) for line in text.splitlines()]
    assert all(len(line) == 2 and line[0] == "export" for line in words), text
    return dict(line[1].split("=", 1) for line in words)


@contextmanager
def running(*arguments: str | Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """Run `fdaa sandbox` until the end of the block; give the process and its variables."""
    process = subprocess.Popen(
        [*COMMAND, "sandbox", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env=environ(),
    )
    try:
        with process.stdout:
            variables = variables_of(process.stdout.read())
        yield process, variables
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(timeout=30)


def run_in(variables: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command `fdaa` with the variables of a sandbox."""
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environ(**variables),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


PYTHON = sys.executable
