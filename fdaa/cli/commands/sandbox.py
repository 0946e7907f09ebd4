"""`fdaa sandbox`: a platform to test against, on this machine."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from fdaa.cli import _platform as live
from fdaa.cli._exit_status import YES, CommandError
from fdaa.cli._render import json_line
from fdaa.cli._streams import complain, discard
from fdaa.errors import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType
    from typing import TextIO

_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_ANSWERS = ("usual", "other")  # fdaa.platform.sandbox.Answers, which needs the extra


class _Evaluated(click.Group):
    """A command whose output a shell evaluates: where the call is wrong, that fails too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        instead = _instead("--json" in args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError:
            sys.stdout.write(instead)
            raise


def _instead(as_json: bool) -> str:
    """Return what is printed in place of the variables."""
    return "" if as_json or sys.stdout.isatty() else "false\n"


@click.group(
    cls=_Evaluated,
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
        _refuse_options(context)
        return None
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a client that goes away must not end this
    with (
        _received(_ENDS) as signals,
        _library(_instead(as_json)) as library,
        library.Sandbox(state, port=port, answers=answers) as running,
    ):
        if not sys.stdout.isatty() and _is_terminal(sys.stderr):
            _mind_the_prompt()
        _print_and_close({**running.environment, "FDAA_SANDBOX_PID": str(os.getpid())}, as_json)
        signals.recv(1)
    return YES


def _refuse_options(context: click.Context) -> None:
    """Refuse options of the server where another one is used."""
    for parameter in context.command.params:
        if context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE:
            reason = f"{parameter.opts[0]} is for `fdaa sandbox` without a command"
            raise click.UsageError(reason, context)


@contextmanager
def _received(numbers: Iterable[int]) -> Iterator[socket.socket]:
    """Give a socket that tells the numbers of the signals that come, a byte each.

    Those that are ignored from the start, by nohup or in the background, stay so. Python's own
    ways to wait miss a signal that comes in the instant before they begin.
    """
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    with ours, theirs:
        signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        for number in numbers:
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, lambda *_: None)
        try:
            yield ours
        finally:
            signal.set_wakeup_fd(-1)


def _mind_the_prompt() -> None:
    """Tell a person whose shell waits for this; behind a prompt, leave what is pressed there.

    A shell gives what it runs in the background another standard input than the terminal (POSIX,
    2.9.3.1), but Ctrl-C at its prompt goes to that as well.
    """
    if _is_terminal(sys.stdin):
        complain('it runs until it is stopped; to go on at once: eval "$(fdaa sandbox &)"')
    else:
        for number in (signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_IGN)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


@contextmanager
def _library(instead: str = "") -> Iterator[ModuleType]:
    """Give `fdaa.platform.sandbox`; tell what it cannot do, and that its extra is missing.

    Args:
        instead: what to print on standard output then.
    """
    try:
        from fdaa.platform import sandbox as library
    except ModuleNotFoundError as error:
        sys.stdout.write(instead)
        need = "`fdaa sandbox` needs the extra `sandbox`: pip install 'fdaa[sandbox]'"
        raise CommandError(f"{need} ({error})") from None
    live.load_platform()  # a crash leaves no core file from here on
    try:
        yield library
    except library.SandboxError as error:
        sys.stdout.write(instead)
        raise CommandError(str(error)) from None


def _print_and_close(variables: dict[str, str], as_json: bool) -> None:
    """Print the variables, and let the shell's `$(...)` end: it reads until all have closed."""
    lines = [f"export {name}={shlex.quote(value)}\n" for name, value in variables.items()]
    try:
        sys.stdout.writelines([json_line(variables)] if as_json else lines)
        sys.stdout.flush()
    except OSError as error:
        raise CommandError(f"standard output: {error.strerror}") from None
    finally:
        discard(sys.stdout)


@sandbox.command(
    short_help="Run a command as a Machine of an app in it.",
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
    with _library() as library:
        remote = library.RemoteSandbox(os.environ)
        with live.waiting("the Machine"):
            machine = remote.machine(app)
        try:
            return _run(command, machine.environment)
        finally:
            # It, or the sandbox, may be gone: COMMAND can have ended it.
            with suppress(library.SandboxError), live.waiting("the end of the Machine"):
                remote.destroy_machine(machine)


def _run(command: tuple[str, ...], variables: dict[str, str]) -> int:
    """Run a command to its end, whatever signals come, and return its status as a shell does."""
    # Else the command's end would not be told: a parent may have ignored or blocked it.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
    with _received((*_ENDS, signal.SIGCHLD)) as signals:
        try:
            environment = {**os.environ, **variables}
            process = subprocess.Popen(command, env=environment)  # noqa: S603 - the user's own
        except OSError as error:
            raise CommandError(f"{quote(command[0])} cannot be run: {error.strerror}") from None
        while (status := process.poll()) is None:
            for number in signals.recv(1):
                if number not in (signal.SIGCHLD, signal.SIGINT):  # a terminal tells both of SIGINT
                    process.send_signal(number)
    return status if status >= 0 else 128 - status


@sandbox.command(
    short_help="Sign tokens with a new key.",
    epilog="""\b
Example:
  $ fdaa sandbox rotate acme --withdraw

Exit status: 0 done, 2 the sandbox does not answer.""",
)
@click.argument("org")
@click.option("--withdraw", is_flag=True, help="Stop publishing the old keys at once.")
def rotate(org: str, withdraw: bool) -> int:
    """Sign the tokens of the organization ORG with a new key from now on."""
    with _library() as library, live.waiting("the new key"):
        library.RemoteSandbox(os.environ).rotate_key(org, withdraw=withdraw)
    return YES
