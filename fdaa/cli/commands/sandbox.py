"""`fdaa sandbox`: a platform to test against, on this computer."""

from __future__ import annotations

import logging
import os
import shlex
import sys
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from fdaa._support.extras import needs_extra
from fdaa.cli import _platform as live
from fdaa.cli._child_process import ENDS, received, run_command
from fdaa.cli._options import DIRECTORY, FILE
from fdaa.cli._records import Records, record_options
from fdaa.cli._statuses import YES, CommandError
from fdaa.cli._streams import complain, discard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from fdaa.platform.sandbox import Sandbox
    from fdaa.platform.sandbox._remote import RemoteSandbox

_VARIABLES = ("FDAA_API_URL", "FDAA_API_TOKEN", "FDAA_OIDC_ISSUER", "FDAA_SANDBOX_PID")


def _file_option(name: str, text: str) -> Callable[..., Any]:
    return click.option(name, metavar="FILE", type=FILE, help=text)


@click.group(invoke_without_command=True)
@click.option(
    "--state",
    metavar="DIR",
    type=DIRECTORY,
    help="Keep everything in DIR.  [default: keep nothing]",
)
@click.option(
    "--port",
    default=0,
    help="Listen on this port.  [default: the last one of DIR, or a free one]",
)
@click.option(
    "--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Listen on ADDRESS."
)
@click.option(
    "--issuer", metavar="URL", help="Issuer of tokens: URL/ORG.  [default: API_URL/oidc/ORG]"
)
@_file_option("--certificate", "Serve https with this certificate (PEM).")
@_file_option("--key", "The certificate's private key (PEM).")
@_file_option("--env-file", "Write the variables to FILE when ready; delete it at the end.")
@record_options(*_VARIABLES)
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
    records: Records,
) -> int | None:
    """Run a platform to test against, on this computer.

    It has the API, a socket for identity tokens in each Machine, and an issuer for each
    organization. It carries no packets. When it is ready, it prints the variables to set, or writes
    them to a file. It runs until Ctrl-C or SIGTERM. After a crash it restarts with everything it
    acknowledged.

    Examples:
      $ fdaa sandbox --env-file sandbox.env &
      $ while [ ! -e sandbox.env ]; do sleep 0.1; done; set -a; . ./sandbox.env
      $ fdaa apps create web --org acme
      $ fdaa sandbox run web -- fdaa whoami
    """
    if context.invoked_subcommand:
        _refuse_options(context)
        return None
    pair = _pair(certificate, key)
    live.ignore_closed_pipes()  # a client that goes away must not end this
    # uvicorn would report what the fault cut-off does.
    log = logging.getLogger("uvicorn.error")
    log.addFilter(lambda record: "without completing response" not in record.getMessage())
    with received(ENDS) as signals:
        library = _library()
        try:
            server = library.Sandbox(
                state=state, host=host, port=port, certificate=pair, oidc_issuer=issuer
            )
        except ValueError as error:
            raise CommandError(str(error)) from None
        if not ip_address(host).is_loopback:
            warning = f"warning: other computers can reach the sandbox at {host}"
            if pair is None:
                warning += ", and without https they can read its token"
            complain(warning)
        with server, _announced(server, env_file, records):
            signals.recv(1)
    return YES


def _refuse_options(context: click.Context) -> None:
    """Raise a UsageError for an option of `fdaa sandbox` that was given to one of its commands."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is ParameterSource.COMMANDLINE:
            reason = f"{parameter.opts[0]} is for `fdaa sandbox` without a command"
            raise click.UsageError(reason, context)


def _pair(certificate: str | None, key: str | None) -> tuple[str, str] | None:
    """Return the files of a certificate and its key, or None."""
    if certificate is None and key is None:
        return None
    if certificate is None or key is None:
        raise click.UsageError("--certificate and --key require each other")
    return certificate, key


def _library() -> ModuleType:
    """Return `fdaa.platform.sandbox`; from now on a crash leaves no core file with a token in it.

    Raises:
        CommandError: its extra is not installed.
    """
    try:
        with needs_extra("fdaa sandbox", "sandbox"):
            from fdaa.platform import sandbox as library
    except ModuleNotFoundError as error:
        raise CommandError(str(error)) from None
    live.load_platform()
    return library


def _running() -> RemoteSandbox:
    """Return the running sandbox that the environment names.

    Raises:
        SandboxError: it names none.
    """
    _library()  # or its extra is missing
    from fdaa.platform.sandbox._remote import RemoteSandbox

    return RemoteSandbox(os.environ)


@contextmanager
def _announced(server: Sandbox, env_file: str | None, records: Records) -> Iterator[None]:
    """Print the variables, or keep them in a file while the sandbox runs."""
    variables = {**server.environment, "FDAA_SANDBOX_PID": str(os.getpid())}
    if env_file is None:
        _print_variables(variables, records)
        yield
        return
    text = "".join(f"{name}={value}\n" for name, value in variables.items())
    live.write_secret(Path(env_file), text)
    try:
        yield
    finally:
        Path(env_file).unlink(missing_ok=True)


def _print_variables(variables: dict[str, str], records: Records) -> None:
    if records:
        text = records.line(variables)
    else:
        lines = [f"export {name}={shlex.quote(value)}\n" for name, value in variables.items()]
        text = "".join(lines)
    try:
        click.echo(text, nl=False)
    except OSError as error:
        discard(sys.stdout)
        raise CommandError(f"standard output: {error.strerror}") from None


@sandbox.command()
@click.argument("app")
@click.argument("command", metavar="-- COMMAND...", nargs=-1, required=True)
def run(app: str, command: tuple[str, ...]) -> int:
    """Run COMMAND as a Machine of APP.

    FDAA_API_URL and FDAA_API_TOKEN name the sandbox. COMMAND gets PLATFORM_PRIVATE_IP and
    FDAA_IDENTITY_SOCKET. The Machine is destroyed when COMMAND ends.

    Example:
      $ fdaa sandbox run web -- python deploy.py acme customer-17 worker

    Exit status: the status of COMMAND, or 128 plus the number of the signal that ended it.
    """
    library = _library()
    remote = _running()
    with live.waiting("the Machine"):
        machine = remote.start_machine(app)
    try:
        return run_command(command, machine.environment)
    finally:
        # It, or the sandbox, may be gone: COMMAND can have ended it.
        with suppress(library.SandboxError), live.waiting("the end of the Machine"):
            remote.destroy_machine(machine)


@sandbox.command()
@click.argument("org")
@click.option(
    "--after", metavar="SECONDS", type=float, help="Sign with it after SECONDS.  [default: 60]"
)
@click.option("--now", is_flag=True, help="The same as --after 0.")
@click.option(
    "--withdraw", is_flag=True, help="Withdraw the old keys, and sign with the new one now."
)
def rotate(org: str, after: float | None, now: bool, withdraw: bool) -> int:
    """Sign the tokens of the organization ORG with a new key.

    The key is published immediately and signs later, because relying parties cache keys.

    Example:
      $ fdaa sandbox rotate acme
    """
    given = [after is not None, now, withdraw]
    if given.count(True) > 1:
        raise click.UsageError("give only one of --after, --now and --withdraw")
    if now:
        after = 0
    elif after is None:
        after = 60
    with live.waiting("the new key"):
        _running().rotate_key(org, after=after, withdraw=withdraw)
    return YES


def _complete_fault(_context: click.Context, _parameter: click.Parameter, text: str) -> list[str]:
    return [fault for fault in _library().Fault if fault.startswith(text)]


@sandbox.command()
@click.argument("fault", shell_complete=_complete_fault)
@click.option("--count", default=1, show_default=True, help="How many tokens or responses fail.")
@click.option(
    "--seconds",
    default=1.0,
    show_default=True,
    help="The length of delay; Retry-After of rate-limit.",
)
def fault(fault: str, count: int, seconds: float) -> int:
    """Make the next tokens or responses fail with FAULT.

    Tokens: expired-token, token-not-valid-yet, unpublished-key. Responses, of the API, the issuers
    and the Machines' sockets: rate-limit (429), unavailable (503), delay, cut-off.

    Example:
      $ fdaa sandbox fault rate-limit --count 3 --seconds 2
    """
    with live.waiting("the fault"):
        remote = _running()
        remote.inject_fault(fault, count=count, seconds=seconds)
    return YES
