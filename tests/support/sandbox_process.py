"""Sandboxes as processes: the command, and quickly started ones to be killed."""

from __future__ import annotations

import multiprocessing
import shlex
import signal
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from command import COMMAND, environ
from secrets_seen import asked_for, remember

from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection
    from pathlib import Path


def variables_of(text: str) -> dict[str, str]:
    """Return what a shell sets when it evaluates `text`."""
    words = [shlex.split(line) for line in text.splitlines()]
    assert all(len(line) == 2 and line[0] == "export" for line in words), text
    return dict(line[1].split("=", 1) for line in words)


@contextmanager
def running(
    state: Path, arguments: tuple[str, ...] = (), **options: Any
) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """Run `fdaa sandbox` until the end of the block; give the process and its variables."""
    process = subprocess.Popen(
        [*COMMAND, "sandbox", "--state", str(state), *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=environ(),
        **{"stdin": subprocess.DEVNULL, **options},
    )
    try:
        with process.stdout:
            variables = variables_of(asked_for(process.stdout.read()))
        yield process, variables
    finally:
        if process.poll() is None:
            process.terminate()
            assert process.wait(timeout=30) == 0


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


_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["fdaa.platform.sandbox"])


def _serve(directory: str, ready: Connection) -> None:
    with Sandbox(directory) as sandbox:
        ready.send((sandbox.base_url, sandbox.token))
        signal.pause()


@contextmanager
def killed_at_the_end(directory: Path) -> Iterator[tuple[str, str]]:
    """Run a sandbox in a process, which gets SIGKILL; give its URL and token."""
    ours, theirs = _PROCESSES.Pipe()
    process = _PROCESSES.Process(target=_serve, args=(str(directory), theirs))
    process.start()
    theirs.close()
    try:
        with ours:
            url, token = ours.recv()
            remember(token)
            yield url, token
    finally:
        process.kill()
        process.join()
        process.close()
