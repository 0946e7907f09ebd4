"""The tests of the live part find a secret wherever it is let out."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

TESTS = Path(__file__).parent

# Each of these tests passes, and is an error at its end.
LEAKS = """
import logging, subprocess
import click, pytest
from click.testing import CliRunner
from command import on_terminal
from sandbox_calls import ask_token
from secrets_seen import asked_for
from fdaa.platform import Client, MachineIdentity, PlatformError
from fdaa.platform.sandbox import Sandbox

@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as shared:
        with Client(shared.base_url, shared.token) as client:
            client.create_app("web", org="acme")
        yield shared

@pytest.fixture(params=["of the API", "of a Machine", "from the wire"])
def secret(request, sandbox):
    if request.param == "of the API":
        return sandbox.token
    machine = sandbox.start_machine("web")
    if request.param == "of a Machine":
        return MachineIdentity(socket=machine.socket).token().reveal()
    return ask_token(machine).body.decode()

def echo(secret, **streams):
    return subprocess.Popen(["sh", "-c", f"echo {secret}; echo {secret} >&2"], **streams)

def test_an_inherited_stream(secret):
    echo(secret).wait()

def test_a_pipe_that_is_read(secret):
    with echo(secret, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        process.stdout.read()

def test_a_pipe_that_is_read_by_lines(secret):
    with echo(secret, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        process.stderr.readline()

def test_a_process_that_runs_to_its_end(secret):
    subprocess.run(["echo", secret], capture_output=True)

def test_a_log(secret):
    logging.getLogger("fdaa.platform").debug("made %s", secret)

def test_a_command(secret):
    CliRunner().invoke(click.Command("x", callback=lambda: click.echo(secret, err=True)))

def test_a_terminal(sandbox):
    on_terminal("decode", sandbox.token)

def test_an_error(secret):
    PlatformError(secret)

def test_a_core_file(secret, tmp_path):
    (tmp_path / "core.1").write_text(secret)

def test_more_than_was_asked_for(secret):
    script = f"echo {secret}; echo also {secret} >&2"
    asked_for(subprocess.run(["sh", "-c", script], capture_output=True).stdout)
"""

# None of these is.
FINE = """
import subprocess
from secrets_seen import asked_for
from fdaa.platform.sandbox import Sandbox

def test_what_was_asked_for():
    with Sandbox() as sandbox:
        asked_for(subprocess.run(["echo", sandbox.token], capture_output=True).stdout)

def test_nothing():
    subprocess.run(["echo", "nothing"])
"""


@pytest.mark.campaign
def test_a_secret_is_found_wherever_it_is_let_out(pytester: pytest.Pytester) -> None:
    pytester.makeconftest((TESTS / "conftest.py").read_text())
    pytester.makeini(f"[pytest]\npythonpath = {TESTS.parent / 'support'}\n")
    pytester.makepyfile(test_leaks=LEAKS, test_fine=FINE)
    result = pytester.runpytest_subprocess("-p", "no:xdist", "-p", "no:benchmark", "-q")
    leaks = 1 + 3 * (LEAKS.count("def test_") - 1)  # one takes no fixture of three secrets
    result.assert_outcomes(passed=leaks + FINE.count("def test_"), errors=leaks)
