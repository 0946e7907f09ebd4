"""Sandboxes as processes: the command, and quickly started ones to be killed."""

from __future__ import annotations

import json
import multiprocessing
import signal
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import schemas
from command import COMMAND, environ
from piped import Piped
from secrets_seen import asked_for, remember

from fdaa.platform.sandbox import Sandbox
from fdaa.platform.sandbox._remote import RemoteSandbox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection
    from pathlib import Path


@contextmanager
def running(
    state: Path, arguments: tuple[str, ...] = (), **options: Any
) -> Iterator[tuple[Piped[str], RemoteSandbox]]:
    """Run `fdaa sandbox --json` until the end of the block; give the process and the sandbox."""
    process = Piped(
        [*COMMAND, "sandbox", "--json", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=environ(),
        **{"stdin": subprocess.DEVNULL, **options},
    )
    try:
        line = asked_for(process.stdout.readline())
        schemas.check("sandbox", line)
        yield process, RemoteSandbox(json.loads(line))
    finally:
        process.stdout.close()
        if process.poll() is None:
            process.terminate()
            assert process.wait(timeout=30) == 0


def run_in(
    sandbox: RemoteSandbox, *arguments: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the command `fdaa` with the variables of a sandbox, and with `variables`."""
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environ(sandbox.environment, **variables),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["fdaa.platform.sandbox"])


def _serve(directory: str, ready: Connection) -> None:
    with Sandbox() as sandbox:
        ready.send(sandbox.environment)
        signal.pause()


@contextmanager
def killed_at_the_end(directory: Path) -> Iterator[RemoteSandbox]:
    """Run a sandbox in a process, which gets SIGKILL."""
    ours, theirs = _PROCESSES.Pipe()
    process = _PROCESSES.Process(target=_serve, args=(str(directory), theirs))
    process.start()
    theirs.close()
    try:
        with ours:
            sandbox = RemoteSandbox(ours.recv())
            remember(sandbox.token)
            yield sandbox
    finally:
        process.kill()
        process.join()
        process.close()
