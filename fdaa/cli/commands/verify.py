"""`fdaa verify`: is this identity token valid?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import inline, quote
from fdaa.cli import _platform as live
from fdaa.cli._output import FILE, NO, UNKNOWN, YES, CommandError, Output, complain, output_options

if TYPE_CHECKING:
    from fdaa.platform import Claims


@click.command()
@click.argument("file", default="-", type=FILE)
@click.option("--issuer", metavar="URL", required=True, help="Required `iss`.")
@click.option("audience", "--aud", metavar="AUDIENCE", required=True, help="Required `aud`.")
@click.option(
    "subject",
    "--sub",
    metavar="PATTERN",
    help="Required `sub`: ORG:APP:MACHINE. * matches within one part.",
)
@click.option(
    "--bound",
    metavar="CLAIM=VALUE",
    multiple=True,
    help="Required claim. Values of one claim are alternatives.",
)
@click.option(
    "--max-lifetime",
    metavar="SECONDS",
    type=float,
    default=86_400,
    show_default=True,
    help="Longest time from `iat` to `exp`.",
)
@live.plain_http_option
@output_options("valid", "claims", "failures", "error")
def verify(
    file: str,
    issuer: str,
    audience: str,
    subject: str | None,
    bound: tuple[str, ...],
    max_lifetime: float,
    allow_plain_http: bool,
    output: Output,
) -> int:
    """Verify an identity token.

    Reads FILE or standard input, fetches the issuer's keys, and prints each failed check. Requires
    the extra `platform`.

    URL is the platform's issuer with your organization: https://oidc.example/ORG. Never take it
    from the token: anyone can sign one that names their own issuer.

    Exit status: 0 valid, 1 refused, 3 could not be verified.

    Examples:
      $ fdaa token --aud A | fdaa verify --issuer https://oidc.example/acme --aud A
      $ fdaa verify --issuer https://oidc.example/acme --aud A --sub 'acme:web:*' /run/token
    """
    library = live.load_platform()
    text = live.read_secret(file, shows_name=not file.startswith("eyJ"))  # an identity token
    values: dict[str, set[str]] = {}
    for option in bound:
        name, equals, value = option.partition("=")
        if not equals:
            raise click.UsageError(f"--bound {quote(option)} must be CLAIM=VALUE")
        values.setdefault(name, set()).add(value)
    try:
        verifier = library.Verifier(
            issuer=issuer,
            aud=audience,
            sub=subject,
            bound=values,
            max_lifetime=max_lifetime,
            allow_plain_http=allow_plain_http,
        )
        with live.waiting("the issuer's keys"), live.closed_pipes_are_errors():
            claims: Claims = verifier.verify(text)
    except library.TokenRefusedError as error:
        failures = [failure.to_dict() for failure in error.failures]
        lines = ["refused:", *(f"  {failure}" for failure in error.failures)]
        output.show([{"valid": False, "failures": failures}], lines)
        return NO
    except library.PlatformError as error:
        complain(str(error))
        output.show([{"valid": None, "error": str(error)}], [])
        return UNKNOWN
    except ValueError as error:
        raise CommandError(live.argument_message(error)) from None
    lines = [f"valid: {inline(claims.sub)}"]
    lines.extend(f"  {line}" for line in str(claims).splitlines())
    output.show([{"valid": True, "claims": claims.to_dict()}], lines)
    return YES
