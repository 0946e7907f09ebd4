"""`fdaa sandbox`: a platform to test against, on this machine."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from fdaa._files import replace_file
from fdaa.cli import _platform as live
from fdaa.cli._child_process import ENDS, exit_status, pass_on, received, started
from fdaa.cli._exit_status import YES, CommandError
from fdaa.cli._options import complete_directory, complete_file
from fdaa.cli._render import json_line
from fdaa.cli._streams import complain, discard
from fdaa.errors import quote

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from fdaa.platform.sandbox import Sandbox

# fdaa.platform.sandbox.Fault, which needs the extra: for the help, and for shells that complete it.
_FAULTS = (
    *("expired-token", "token-not-valid-yet", "unpublished-key"),
    *("rate-limit", "unavailable", "delay", "cut-off"),
)


@click.group(
    invoke_without_command=True,
)
@click.option(
    "--state",
    metavar="DIR",
    shell_complete=complete_directory,
    help="Keep everything in DIR. Default: keep nothing.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Listen on this port. Default: the port that DIR had last, or a free one.",
)
@click.option(
    "--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Listen on ADDRESS."
)
@click.option(
    "--issuer", metavar="URL", help="What tokens have as issuer: URL/ORG. Default: API_URL/oidc/ORG"
)
@click.option(
    "--certificate",
    metavar="FILE",
    shell_complete=complete_file,
    help="Serve https with this certificate (PEM).",
)
@click.option(
    "--key",
    metavar="FILE",
    shell_complete=complete_file,
    help="The certificate's private key (PEM).",
)
@click.option(
    "--env-file",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write the variables to FILE when ready; delete it at end.",
)
@click.option("as_json", "--json", is_flag=True, help="Print the variables as one JSON object.")
@click.pass_context
def sandbox(
    context: click.Context,
    state: str | None,
    port: int,
    host: str,
    issuer: str | None,
    certificate: str | None,
    key: str | None,
    env_file: str | None,
    as_json: bool,
) -> int | None:
    """Run a platform to test against, on this machine.

    It has the API, a socket for identity tokens in each Machine, and an issuer for each
    organization. When it is ready it prints the variables to set, or writes them to a file; then it
    runs until Ctrl-C or SIGTERM. After a crash it restarts with everything it acknowledged. It is
    our reading of the specification, not the platform itself.

    Examples:
      $ fdaa sandbox --env-file sandbox.env &
      $ while [ ! -e sandbox.env ]; do sleep 0.1; done; set -a; . ./sandbox.env
      $ fdaa apps create web --org acme --network customer-17
      $ fdaa sandbox run web -- fdaa whoami
      $ kill "$FDAA_SANDBOX_PID"

    Exit status: 0 stopped by Ctrl-C or SIGTERM, 2 it cannot run.
    """
    if context.invoked_subcommand:
        _refuse_options(context)
        return None
    if (certificate is None) != (key is None):
        raise click.UsageError("--certificate and --key go together")
    tls = (certificate, key) if certificate is not None and key is not None else None
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a client that goes away must not end this
    with received(ENDS) as signals, _library() as library:
        made = library.Sandbox(state, host=host, port=port, certificate=tls, oidc_issuer=issuer)
        if not ip_address(host).is_loopback:
            danger = "" if tls else ", and without https they can read its token"
            complain(f"warning: other machines can reach the sandbox at {host}{danger}")
        with made as running, _announced(running, env_file, as_json):
            signals.recv(1)
    return YES


def _refuse_options(context: click.Context) -> None:
    """Refuse options of the server before a subcommand."""
    for parameter in context.command.params:
        if context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE:
            reason = f"{parameter.opts[0]} is for `fdaa sandbox` without a command"
            raise click.UsageError(reason, context)


@contextmanager
def _library() -> Iterator[ModuleType]:
    """Give `fdaa.platform.sandbox`; report its errors, and that its extra is missing."""
    try:
        from fdaa.platform import sandbox as library
    except ModuleNotFoundError as error:
        raise CommandError(str(error)) from None
    live.load_platform()  # a crash leaves no core file from here on
    try:
        yield library
    except (library.SandboxError, ValueError) as error:
        raise CommandError(str(error)) from None


@contextmanager
def _announced(running: Sandbox, env_file: str | None, as_json: bool) -> Iterator[None]:
    """Print the variables, or keep them in a file while the sandbox runs."""
    variables = {**running.environment, "FDAA_SANDBOX_PID": str(os.getpid())}
    if env_file is None:
        lines = [f"export {name}={shlex.quote(value)}\n" for name, value in variables.items()]
        _print_and_close("".join(lines) if not as_json else json_line(variables))
        yield
        return
    text = "".join(f"{name}={value}\n" for name, value in variables.items())
    try:
        replace_file(env_file, text.encode(), 0o600)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CommandError(f"{quote(env_file)} cannot be written: {reason}") from None
    try:
        yield
    finally:
        with suppress(OSError):
            Path(env_file).unlink()


def _print_and_close(text: str) -> None:
    """Print, and let a shell's `$(...)` end: it reads until all writers have closed."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        raise CommandError(f"standard output: {error.strerror}") from None
    finally:
        discard(sys.stdout)


@sandbox.command()
@click.argument("app")
@click.argument("command", metavar="-- COMMAND...", nargs=-1, required=True)
def run(app: str, command: tuple[str, ...]) -> int:
    """Run COMMAND as a Machine of APP.

    The sandbox is that of FDAA_API_URL and FDAA_API_TOKEN. COMMAND has PLATFORM_PRIVATE_IP, and its
    own identity socket at the path in FDAA_IDENTITY_SOCKET. The Machine is destroyed when COMMAND
    ends.

    Example:
      $ fdaa sandbox run web -- python deploy.py

    Exit status: that of COMMAND, 128 plus the number of the signal that ended it; 2 it cannot run.
    """
    with _library() as library:
        remote = library.RemoteSandbox(os.environ)
        with live.waiting("the Machine"):
            machine = remote.machine(app)
        try:
            with started(command, machine.environment) as (process, signals):
                while process.poll() is None:
                    pass_on(process, signals.recv(1))
            return exit_status(process.returncode)
        finally:
            # It, or the sandbox, may be gone: COMMAND can have ended it.
            with suppress(library.SandboxError), live.waiting("the end of the Machine"):
                remote.destroy_machine(machine)


@sandbox.command()
@click.argument("org")
@click.option(
    "--after",
    metavar="SECONDS",
    type=click.FloatRange(0, 86_400),
    default=60,
    show_default=True,
    help="Publish the key now, and sign with it after SECONDS.",
)
@click.option("--now", is_flag=True, help="Sign with it at once: --after 0.")
@click.option(
    "--withdraw", is_flag=True, help="Stop publishing the old keys and sign with the new one now."
)
def rotate(org: str, after: float, now: bool, withdraw: bool) -> int:
    """Sign the tokens of the organization ORG with a new key.

    The key is published at once, and signs later. Relying parties keep keys for some time: so they
    know the new key before the first token that it signs.

    Examples:
      $ fdaa sandbox rotate acme
      $ fdaa sandbox rotate acme --withdraw

    Exit status: 0 done, 2 the sandbox does not respond.
    """
    with _library() as library, live.waiting("the new key"):
        remote = library.RemoteSandbox(os.environ)
        remote.rotate_key(org, after=0 if now else after, withdraw=withdraw)
    return YES


@sandbox.command()
@click.argument("fault", type=click.Choice(_FAULTS))
@click.option(
    "--count",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="How many tokens or responses fail.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, 86_400),
    default=1,
    show_default=True,
    help="The Retry-After of rate-limit; how long delay waits.",
)
def fault(fault: str, count: int, seconds: float) -> int:
    """Let the next tokens or responses fail with FAULT.

    Tokens: expired-token, token-not-valid-yet, unpublished-key. Responses, of the API, the issuers
    and the Machines' sockets: rate-limit (429), unavailable (503), delay, cut-off.

    Examples:
      $ fdaa sandbox fault expired-token
      $ fdaa sandbox fault rate-limit --count 3 --seconds 2

    Exit status: 0 done, 2 the sandbox does not respond.
    """
    with _library() as library, live.waiting("the fault"):
        library.RemoteSandbox(os.environ).inject_fault(fault, count, seconds)
    return YES
