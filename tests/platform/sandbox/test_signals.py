"""`fdaa sandbox` and the shell around it: Ctrl-C, hang-ups, crashes, the background."""

from __future__ import annotations

import os
import pty
import resource
import signal
import socket
import subprocess
from contextlib import contextmanager

import pytest
from command import COMMAND, environ, invoke
from sandbox_calls import call_url, create, listed
from sandbox_process import running
from secrets_seen import hear

SLEEP = ("--", "sh", "-c", "echo $$; exec sleep 60")


def as_from_a_terminal(*ignored):
    """Return what a process does first: no other signal is ignored, a crash leaves a core file."""

    def prepare():
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGCHLD"):
            number = getattr(signal, name)
            signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD}.intersection(ignored))
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))

    return prepare


def serving(tmp_path, *ignored, **options):
    """Run `fdaa sandbox` in `tmp_path`."""
    prepare = as_from_a_terminal(*ignored)
    return running(tmp_path / "state", cwd=tmp_path, preexec_fn=prepare, **options)


@contextmanager
def running_in(sandbox, app, directory, *ignored):
    """Run a command as a Machine; give the process, and the ID of the command's own."""
    create(sandbox, app)
    process = subprocess.Popen(
        [*COMMAND, "sandbox", "run", app, *SLEEP],
        env=environ(**sandbox.environment),
        stdout=subprocess.PIPE,
        cwd=directory,
        preexec_fn=as_from_a_terminal(*ignored),
    )
    with process:
        yield process, int(process.stdout.readline())


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGQUIT])
def test_run_passes_the_end_on_and_the_machine_is_gone_then(sandbox, tmp_path, number):
    app = f"ended-by-{number}"
    with running_in(sandbox, app, tmp_path) as (process, _):
        process.send_signal(number)
        assert process.wait(timeout=30) == 128 + number
    assert listed(sandbox)[app]["machine_count"] == 0


def test_run_ignores_what_it_was_started_to_ignore(sandbox, tmp_path):
    with running_in(sandbox, "nohup", tmp_path, signal.SIGHUP, signal.SIGCHLD) as (process, _):
        process.send_signal(signal.SIGHUP)
        process.terminate()
        assert process.wait(timeout=30) == 128 + signal.SIGTERM
    assert listed(sandbox)["nohup"]["machine_count"] == 0


def test_a_crash_leaves_no_core_file(sandbox, tmp_path):
    with serving(tmp_path) as (process, _):
        process.send_signal(signal.SIGABRT)
        assert process.wait(timeout=30) == -signal.SIGABRT
    with running_in(sandbox, "crashed", tmp_path) as (process, command):
        process.send_signal(signal.SIGABRT)
        assert process.wait(timeout=30) == -signal.SIGABRT
        os.kill(command, signal.SIGKILL)
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


@contextmanager
def at_a_prompt():
    """Give both ends of a terminal; a test closes the second one."""
    ours, theirs = pty.openpty()
    try:
        yield ours, theirs
    finally:
        os.close(ours)


def told_on(terminal):
    try:
        told = os.read(terminal, 1000)
    except OSError:  # Linux's way to say that nothing was written
        told = b""
    hear(told)
    return told


def goes_on(process, variables, number):
    """Send a sandbox a signal that does not end it: that would take a request or two."""
    process.send_signal(number)
    names = ("FDAA_API_URL", "FDAA_API_TOKEN")
    for _ in range(30):
        answer = call_url(*(variables[name] for name in names), "GET", "/v1/apps?org_slug=acme")
        assert answer.status == 404


def test_a_signal_that_it_was_started_to_ignore_does_not_end_it(tmp_path):
    with serving(tmp_path, signal.SIGINT) as started:
        goes_on(*started, signal.SIGINT)


def test_behind_a_prompt_what_is_pressed_there_does_not_end_it(tmp_path):
    with at_a_prompt() as (ours, theirs):
        with serving(tmp_path, stderr=theirs) as started:
            os.close(theirs)
            for number in (signal.SIGINT, signal.SIGQUIT):
                goes_on(*started, number)
        assert told_on(ours) == b""


def test_a_person_whose_shell_waits_is_told_how_to_go_on(tmp_path):
    with (
        at_a_prompt() as (ours, theirs),
        serving(tmp_path, stdin=theirs, stderr=theirs) as (process, _),
    ):
        os.close(theirs)
        assert b'eval "$(fdaa sandbox &)"' in told_on(ours)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0


@pytest.mark.usefixtures("signals_as_before")
def test_where_it_cannot_start_eval_fails(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        script = f'eval "$({COMMAND[0]} -m fdaa sandbox --port {port} &)" || echo failed'
        shell = subprocess.run(
            ["/bin/sh", "-c", script],
            env=environ(TMPDIR=str(tmp_path)),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        done = invoke("sandbox", "--port", str(port), "--json")
    assert shell.stdout == "failed\n"
    assert invoke("sandbox", "--stat=x").stdout == "false\n"
    assert (done.exit_code, done.stdout) == (2, "")
    for told in (shell.stderr, done.stderr):
        assert f"port {port} cannot be used" in told
        assert "Traceback" not in told
