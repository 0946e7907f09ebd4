"""`fdaa sandbox`: a platform to test against, on this machine."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click

from fdaa.cli._exit_status import YES, CommandError
from fdaa.cli._render import json_line
from fdaa.errors import quote

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_ANSWERS = ("usual", "other")  # fdaa.platform.sandbox.Answers, which needs the extra


@click.group(
    invoke_without_command=True,
    epilog="""\b
Examples:
  $ eval "$(fdaa sandbox --state ./sandbox &)"
  $ fdaa apps create web --org acme --network customer-17
  $ fdaa sandbox run web -- fdaa whoami
  $ kill "$FDAA_SANDBOX_PID"

Exit status: 0 stopped by Ctrl-C or SIGTERM, 2 it cannot run.""",
)
@click.option("--state", metavar="DIR", help="Keep everything here. Default: all is thrown away.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Listen on this port of 127.0.0.1. Default: the port that DIR had last, or a free one.",
)
@click.option(
    "--answers",
    type=click.Choice(_ANSWERS),
    default="usual",
    help="Answer what the specification leaves open in the usual way, or in all others in turn.",
)
@click.option("as_json", "--json", is_flag=True, help="Print the variables as one JSON object.")
@click.pass_context
def sandbox(
    context: click.Context, state: str | None, port: int, answers: str, as_json: bool
) -> int | None:
    """Run a platform to test against, on this machine.

    It has the API, a socket for identity tokens in each Machine, and an issuer for each
    organization. When it is ready it prints the variables to set, for `eval`, and closes standard
    output; then it runs until Ctrl-C or SIGTERM. Killed at any moment, it comes back with all that
    it has acknowledged. It is our reading of the specification, not the platform itself.
    """
    if context.invoked_subcommand:
        return None
    stop = threading.Event()
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a client that goes away must not end this
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # for nohup
            signal.signal(number, lambda *_: stop.set())
    with _errors_told():
        from fdaa.platform.sandbox import Sandbox

        with Sandbox(state, port=port, answers=answers) as running:
            _print_and_close({**running.environment, "FDAA_SANDBOX_PID": str(os.getpid())}, as_json)
            stop.wait()
    return YES


@contextmanager
def _errors_told() -> Iterator[None]:
    """Tell what the sandbox cannot do, and that its extra is missing."""
    try:
        from fdaa.platform.sandbox import SandboxError
    except ModuleNotFoundError as error:
        need = "`fdaa sandbox` needs the extra `sandbox`: pip install 'fdaa[sandbox]'"
        raise CommandError(f"{need} ({error})") from None
    try:
        yield
    except SandboxError as error:
        raise CommandError(str(error)) from None


def _print_and_close(variables: dict[str, str], as_json: bool) -> None:
    """Print the variables, and let the shell's `$(...)` end: it reads until all have closed."""
    if as_json:
        sys.stdout.write(json_line(variables))
    for name, value in () if as_json else variables.items():
        sys.stdout.write(f"export {name}={shlex.quote(value)}\n")
    sys.stdout.flush()
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)


@sandbox.command(
    epilog="""\b
Example:
  $ fdaa sandbox run web -- python deploy.py

Exit status: that of COMMAND, 128 plus the number of the signal that ended it; 2 it cannot run.""",
)
@click.argument("app")
@click.argument("command", metavar="-- COMMAND...", nargs=-1, required=True)
def run(app: str, command: tuple[str, ...]) -> int:
    """Run COMMAND as a Machine of APP in the sandbox that FDAA_API_URL and FDAA_API_TOKEN tell.

    COMMAND has PLATFORM_PRIVATE_IP, and its own identity socket at the path in
    FDAA_IDENTITY_SOCKET. The Machine is destroyed when COMMAND ends.
    """
    with _errors_told():
        from fdaa.platform.sandbox import RemoteSandbox, SandboxError

        remote = RemoteSandbox(os.environ)
        machine = remote.machine(app)
        try:
            return _run(command, machine.environment)
        finally:
            with suppress(SandboxError):  # it, or the sandbox, is gone: COMMAND may have ended it
                remote.destroy_machine(machine)


def _run(command: tuple[str, ...], variables: dict[str, str]) -> int:
    """Run a command to its end, whatever signals come, and return its status as a shell does."""
    started: list[subprocess.Popen[bytes]] = []
    received: list[int] = []

    def forward(number: int, _: FrameType | None) -> None:
        received.append(number)
        for process in started:
            process.send_signal(number)

    signal.signal(signal.SIGTERM, forward)
    signal.signal(signal.SIGINT, lambda *_: None)  # a terminal sends it to the command as well
    try:
        environment = {**os.environ, **variables}
        process = subprocess.Popen(command, env=environment)  # noqa: S603 - it is the user's own
        started.append(process)
        for number in received:  # it may have come while the command was started
            process.send_signal(number)
    except OSError as error:
        raise CommandError(f"{quote(command[0])} cannot be run: {error.strerror}") from None
    status = process.wait()
    return status if status >= 0 else 128 - status


@sandbox.command(
    epilog="""\b
Example:
  $ fdaa sandbox rotate acme --withdraw

Exit status: 0 done, 2 the sandbox does not answer."""
)
@click.argument("org")
@click.option("--withdraw", is_flag=True, help="Stop publishing the old keys at once.")
def rotate(org: str, withdraw: bool) -> int:
    """Sign the tokens of the organization ORG with a new key from now on."""
    with _errors_told():
        from fdaa.platform.sandbox import RemoteSandbox

        RemoteSandbox(os.environ).rotate_key(org, withdraw=withdraw)
    return YES
