"""`fdaa verify`: is this identity token valid?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa._escapes import quote
from fdaa.cli import _platform as live
from fdaa.cli._exit_status import NO, WRONG, YES, CommandError
from fdaa.cli._options import complete_file, quiet_option
from fdaa.cli._render import json_line
from fdaa.cli._streams import complain, inline
from fdaa.cli.commands.token import show

if TYPE_CHECKING:
    from fdaa.platform import Claims


@click.command()
@click.argument("file", default="-", shell_complete=complete_file)
@click.option("--issuer", metavar="URL", required=True, help="Required `iss`, exact match.")
@click.option("audience", "--aud", metavar="AUDIENCE", required=True, help="Required `aud`.")
@click.option(
    "subject",
    "--sub",
    metavar="PATTERN",
    help="Required `sub`: ORG:APP:MACHINE; * matches within one part.",
)
@click.option(
    "--bound",
    metavar="CLAIM=VALUE",
    multiple=True,
    help="Required value of a claim, such as app_id; several values of one claim are alternatives.",
)
@live.plain_http_option
@quiet_option
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object.")
def verify(
    file: str,
    issuer: str,
    audience: str,
    subject: str | None,
    bound: tuple[str, ...],
    allow_plain_http: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Verify an identity token.

    The token is in FILE (- is standard input). The issuer's keys are fetched. If the token is
    refused, every check that it failed is printed.

    Examples:
      $ fdaa token --aud A | fdaa verify --issuer https://oidc.example/acme --aud A
      $ fdaa verify --issuer https://oidc.example/acme --aud A --sub 'acme:web:*' token.txt
      $ fdaa verify --issuer https://oidc.example/acme --aud A --bound app_id=app-1 token.txt

    Exit status: 0 valid, 1 refused, 2 it cannot be verified.
    """
    library = live.load_platform()
    text = live.read_secret(file)
    try:
        verifier = library.Verifier(
            issuer, audience, subject, bound=_values(bound), allow_plain_http=allow_plain_http
        )
        with live.waiting("the issuer's keys"):
            claims: Claims = verifier.verify(text)
    except library.TokenRefusedError as error:
        result = {"valid": False, "failures": [failure.to_dict() for failure in error.failures]}
        lines, status = ["refused:\n", *(f"  {failure}\n" for failure in error.failures)], NO
    except library.PlatformError as error:
        complain(str(error))
        result, lines, status = {"valid": None, "error": str(error)}, [], WRONG
    except ValueError as error:
        raise CommandError(str(error)) from None
    else:
        result = {"valid": True, "claims": claims.to_dict()}
        lines = [f"valid: {inline(claims.sub)}\n", *(f"  {line}" for line in show(claims))]
        status = YES
    if not quiet:
        sys.stdout.writelines([json_line(result)] if as_json else lines)
    return status


def _values(bound: tuple[str, ...]) -> dict[str, set[str]]:
    """Return the values that each claim may have."""
    values: dict[str, set[str]] = {}
    for option in bound:
        name, equals, value = option.partition("=")
        if not equals:
            raise click.UsageError(f"--bound {quote(option)} must be CLAIM=VALUE")
        values.setdefault(name, set()).add(value)
    return values
