"""`fdaa sandbox` and the shell around it: Ctrl-C, hang-ups, crashes, the background."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from command import COMMAND, environ
from piped import Piped
from sandbox_calls import call, create, listed
from sandbox_process import running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import Any

    from fdaa.platform.sandbox import Sandbox
    from fdaa.platform.sandbox._remote import RemoteSandbox

    Running = tuple[Piped[str], RemoteSandbox]
    Command = tuple[Piped[bytes], int]  # with the process ID of its child


pytestmark = pytest.mark.slow

FORWARDED = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGALRM,
)
SLEEP = ("--", "sh", "-c", "echo $$; exec sleep 60")


def as_from_a_terminal(*ignored: int) -> Callable[[], None]:
    """Return what a process does first: no other signal is ignored, a crash leaves a core file."""

    def prepare() -> None:
        for number in (*FORWARDED, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
            if number in ignored:
                signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD}.intersection(ignored))
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))

    return prepare


def serving(tmp_path: Path, *ignored: int, **options: Any) -> AbstractContextManager[Running]:
    """Run `fdaa sandbox` in `tmp_path`."""
    prepare = as_from_a_terminal(*ignored)
    return running(tmp_path / "state", cwd=tmp_path, preexec_fn=prepare, **options)


@contextmanager
def running_in(sandbox: Sandbox, app: str, directory: Path, *ignored: int) -> Iterator[Command]:
    """Run a command as a Machine; give the process, and the ID of the command's own."""
    create(sandbox, app)
    process: Piped[bytes] = Piped(
        [*COMMAND, "sandbox", "run", app, *SLEEP],
        env=environ(sandbox.environment),
        stdout=subprocess.PIPE,
        cwd=directory,
        preexec_fn=as_from_a_terminal(*ignored),
        start_new_session=True,  # not the terminal in which the tests run
    )
    with process:
        yield process, int(process.stdout.readline())


@pytest.mark.parametrize("number", FORWARDED)
def test_run_passes_the_end_on_and_the_machine_is_gone_then(
    sandbox: Sandbox, tmp_path: Path, number: int
) -> None:
    app = f"ended-by-{number}"
    with running_in(sandbox, app, tmp_path) as (process, _):
        process.send_signal(number)
        assert process.wait(timeout=30) == 128 + number
    assert listed(sandbox)[app]["machine_count"] == 0


def test_run_ignores_what_it_was_started_to_ignore(sandbox: Sandbox, tmp_path: Path) -> None:
    with running_in(sandbox, "nohup", tmp_path, signal.SIGHUP, signal.SIGCHLD) as (process, _):
        process.send_signal(signal.SIGHUP)
        process.terminate()
        assert process.wait(timeout=30) == 128 + signal.SIGTERM
    assert listed(sandbox)["nohup"]["machine_count"] == 0


def test_a_crash_leaves_no_core_file(sandbox: Sandbox, tmp_path: Path) -> None:
    with serving(tmp_path) as (process, _):
        process.send_signal(signal.SIGABRT)
        assert process.wait(timeout=30) == -signal.SIGABRT
    with running_in(sandbox, "crashed", tmp_path) as (process, command):
        process.send_signal(signal.SIGABRT)
        assert process.wait(timeout=30) == -signal.SIGABRT
        os.kill(command, signal.SIGKILL)
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_a_signal_that_it_was_started_to_ignore_does_not_end_it(tmp_path: Path) -> None:
    with serving(tmp_path, signal.SIGINT) as (process, sandbox):
        process.send_signal(signal.SIGINT)
        for _ in range(30):  # its end would take a request or two
            assert call(sandbox, "GET", "/v1/apps?org_slug=acme").status == 404
