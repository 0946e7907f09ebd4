"""`fdaa sandbox`: a platform to test against, on this computer."""

from __future__ import annotations

import logging
import os
import shlex
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import quote
from fdaa._support.extras import needs_extra
from fdaa.cli import _platform as live
from fdaa.cli._output import FILE, YES, CommandError, complain

if TYPE_CHECKING:
    from types import ModuleType


@click.command(context_settings={"allow_interspersed_args": False, "show_default": True})
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--app", metavar="NAME", default="web", help="The first app.")
@click.option("--org", metavar="SLUG", default="acme", help="Its organization.")
@click.option("--network", metavar="NAME", help="Its network.  [default: default]")
@click.option(
    "--fault", metavar="FAULT", multiple=True, help="Make the next token or response fail."
)
@click.option("--port", default=0, show_default="a free one", help="Listen on a port.")
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", help="Listen on an address.")
@click.option("--issuer", metavar="URL", help="The issuer of tokens.  [default: API_URL/oidc]")
@click.option("--certificate", metavar="FILE", type=FILE, help="Serve https (PEM).")
@click.option("--key", metavar="FILE", type=FILE, help="The private key (PEM).")
def sandbox(
    command: tuple[str, ...],
    app: str,
    org: str,
    network: str | None,
    fault: tuple[str, ...],
    port: int,
    host: str,
    issuer: str | None,
    certificate: str | None,
    key: str | None,
) -> int:
    """Run a platform to test against, on this computer.

    It has the API, an issuer for each organization, and an app with one Machine and its identity
    socket. It carries no packets, and a restart empties it. Requires the extra `sandbox`.

    COMMAND runs as in that Machine; its exit status is returned. Without COMMAND, lines that set
    its variables are printed, and the sandbox runs until Ctrl-C or SIGTERM.

    FAULT is delay, cut-off, unavailable, rate-limit, expired-token, unpublished-key or
    token-not-valid-yet.

    Examples:
      $ fdaa sandbox sh -c 'fdaa token --claims'
      $ fdaa sandbox > sandbox.env &
      $ while [ ! -s sandbox.env ]; do sleep 0.1; done; . ./sandbox.env
    """
    library = _load_sandbox()
    if (certificate is None) != (key is None):
        raise click.UsageError("--certificate and --key require each other")
    pair = None if certificate is None or key is None else (certificate, key)
    server = library.Sandbox(host=host, port=port, certificate=pair, oidc_issuer=issuer)
    if not (host.startswith("127.") or host in ("::1", "localhost")):
        readable = "" if pair else ", and without https they can read its token"
        complain(f"warning: other computers can reach the sandbox at {host}{readable}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with server, live.closed_pipes_are_errors():  # of a client that goes away
        server.create_app(app, org=org, network=network)
        machine = server.start_machine(app)
        variables = {**server.environment, live.ORG_VARIABLE: org, **machine.environment}
        for name in fault:
            server.inject_fault(name)
        if command:
            return _run(command, variables)
        return _serve(variables)


def _load_sandbox() -> ModuleType:
    try:
        with needs_extra("fdaa sandbox", "sandbox"):
            from fdaa.platform import sandbox as library
    except ModuleNotFoundError as error:
        raise CommandError(str(error)) from None
    live.load_platform()
    # uvicorn would report what the fault cut-off does.
    log = logging.getLogger("uvicorn.error")
    log.addFilter(lambda record: "without completing response" not in record.getMessage())
    return library


def _run(command: tuple[str, ...], variables: dict[str, str]) -> int:
    """Run a command with more variables, and return its status, as a shell does."""
    try:
        process = subprocess.Popen(command, env={**os.environ, **variables})  # noqa: S603 - as given
    except OSError as error:
        raise CommandError(f"{quote(command[0])}: {error.strerror or error}") from None
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the command, which decides
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    status = process.wait()
    return status if status >= 0 else 128 - status


def _serve(variables: dict[str, str]) -> int:
    """Print the lines that set variables, and wait for Ctrl-C."""
    lines = [f"export {name}={shlex.quote(value)}\n" for name, value in variables.items()]
    sys.stdout.writelines(lines)
    sys.stdout.flush()
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        return YES
