"""`fdaa sandbox`: a platform to test against, on this computer."""

from __future__ import annotations

import logging
import shlex
import signal
import sys
import time
from ipaddress import ip_address

import click

from fdaa._support.extras import needs_extra
from fdaa.cli import _platform as live
from fdaa.cli._output import FILE, YES, CommandError, complain


@click.command()
@click.option("--port", default=0, help="Listen on this port.  [default: a free one]")
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True)
@click.option("--issuer", metavar="URL", help="Issuer of tokens.  [default: API_URL/oidc]")
@click.option("--certificate", metavar="FILE", type=FILE, help="Serve https (PEM).")
@click.option("--key", metavar="FILE", type=FILE, help="The certificate's private key (PEM).")
def sandbox(
    port: int,
    host: str,
    issuer: str | None,
    certificate: str | None,
    key: str | None,
) -> int:
    """Run a platform to test against, on this computer.

    It has the API, a socket for identity tokens in each Machine, and an issuer for each
    organization. It carries no packets. When it is ready, it prints the variables to set. It runs
    until Ctrl-C or SIGTERM, and keeps nothing. In Python, fdaa.platform.sandbox also starts
    Machines and makes faults.

    Examples:
      $ fdaa sandbox > sandbox.env &
      $ while [ ! -s sandbox.env ]; do sleep 0.1; done; . ./sandbox.env
      $ fdaa apps create web --org acme
    """
    try:
        with needs_extra("fdaa sandbox", "sandbox"):
            from fdaa.platform import sandbox as library
    except ModuleNotFoundError as error:
        raise CommandError(str(error)) from None
    live.load_platform()
    live.ignore_closed_pipes()  # a client that goes away must not end this
    # uvicorn would report what the fault cut-off does.
    log = logging.getLogger("uvicorn.error")
    log.addFilter(lambda record: "without completing response" not in record.getMessage())
    if (certificate is None) != (key is None):
        raise click.UsageError("--certificate and --key require each other")
    pair = None if certificate is None or key is None else (certificate, key)
    try:
        server = library.Sandbox(host=host, port=port, certificate=pair, oidc_issuer=issuer)
    except ValueError as error:
        raise CommandError(str(error)) from None
    if not ip_address(host).is_loopback:
        readable = "" if pair else ", and without https they can read its token"
        complain(f"warning: other computers can reach the sandbox at {host}{readable}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with server:
            for name, value in server.environment.items():
                sys.stdout.write(f"export {name}={shlex.quote(value)}\n")
            sys.stdout.flush()
            while True:
                time.sleep(3600)
    except KeyboardInterrupt:
        return YES
