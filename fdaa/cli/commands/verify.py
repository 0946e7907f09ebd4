"""`fdaa verify`: is this identity token to be trusted?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli import _platform as live
from fdaa.cli._exit_status import NO, WRONG, YES, CommandError
from fdaa.cli._options import quiet_option
from fdaa.cli._render import json_line
from fdaa.cli._streams import complain, inline
from fdaa.cli.commands.token import show

if TYPE_CHECKING:
    from fdaa.platform import Claims, Failure


@click.command(
    short_help="Tell whether an identity token is valid.",
    epilog="""\b
Examples:
  $ fdaa token --aud A | fdaa verify --issuer https://oidc.example/acme --aud A
  $ fdaa verify --issuer https://oidc.example/acme --aud A --sub 'acme:web:*' token.txt

Exit status: 0 valid, 1 refused, 2 it could not be decided.""",
)
@click.argument("file", default="-")
@click.option("--issuer", metavar="URL", required=True, help="Who must have made it, exactly.")
@click.option("audience", "--aud", metavar="AUDIENCE", required=True, help="For whom it must be.")
@click.option(
    "subject",
    "--sub",
    metavar="PATTERN",
    help="Whose it must be: ORG:APP:MACHINE; a * stands for any characters within one of them.",
)
@live.plain_http_option
@quiet_option
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object.")
def verify(
    file: str,
    issuer: str,
    audience: str,
    subject: str | None,
    allow_plain_http: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Tell whether the token in FILE (- is standard input) is to be trusted.

    The issuer's keys are fetched. Where a token is refused, every check that it failed is shown.
    """
    library = live.load_platform()
    text = live.read_secret(file)
    try:
        verifier = library.Verifier(issuer, audience, subject, allow_plain_http=allow_plain_http)
        with live.waiting("the issuer's keys"):
            claims: Claims = verifier.verify(text)
    except library.TokenRefusedError as error:
        if not quiet:
            _refuse(error.failures, as_json)
        return NO
    except library.PlatformError as error:
        if as_json and not quiet:
            sys.stdout.write(json_line({"valid": None, "error": str(error)}))
        complain(f"it could not be decided: {error}")
        return WRONG
    except ValueError as error:
        raise CommandError(str(error)) from None
    if quiet:
        return YES
    if as_json:
        sys.stdout.write(json_line({"valid": True, "claims": claims.to_json()}))
    else:
        sys.stdout.write(f"valid: {inline(claims.sub or '')}\n")
        sys.stdout.writelines(f"  {line}" for line in show(claims))
    return YES


def _refuse(failures: tuple[Failure, ...], as_json: bool) -> None:
    if as_json:
        rows = [each._asdict() for each in failures]
        sys.stdout.write(json_line({"valid": False, "failures": rows}))
    else:
        sys.stdout.write("refused:\n")
        sys.stdout.writelines(f"  {each}\n" for each in failures)
