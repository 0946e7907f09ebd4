"""`fdaa verify`: is this identity token valid?"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import inline, quote
from fdaa.cli import _platform as live
from fdaa.cli._options import FILE, quiet_option
from fdaa.cli._records import Records, record_options
from fdaa.cli._statuses import NO, UNKNOWN, YES, CommandError
from fdaa.cli._streams import complain
from fdaa.cli.commands.token import show_claims

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.platform import Claims, FailedCheck


@click.command()
@click.argument("file", default="-", type=FILE)
@click.option(
    "--issuer",
    metavar="URL",
    required=True,
    help="Required `iss`.",
)
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
    help="Required value of a claim, such as app_id; values of one claim are alternatives.",
)
@click.option(
    "--max-lifetime",
    metavar="SECONDS",
    type=float,
    default=86_400,
    show_default=True,
    help="Longest time from `iat` to `exp`.",
)
@live.plain_http_option("the issuer, for tests")
@quiet_option
@record_options(
    "valid",
    "claims",
    "failures",
    "error",
    objects={"claims": ()},
)
def verify(
    file: str,
    issuer: str,
    audience: str,
    subject: str | None,
    bound: tuple[str, ...],
    max_lifetime: float,
    allow_plain_http: bool,
    quiet: bool,
    records: Records,
) -> int:
    """Verify an identity token.

    The token is in FILE (- is standard input). The issuer's keys are fetched. If the token is
    refused, each check that failed is printed.

    The issuer is the platform's issuer address with your organization: https://oidc.example/ORG.
    Take it from your own configuration, never from the token: anyone can publish keys, and sign a
    token that names their own issuer.

    Examples:
      $ fdaa token --aud A | fdaa verify --issuer https://oidc.example/acme --aud A
      $ fdaa verify --issuer https://oidc.example/acme --aud A --sub 'acme:web:*' /run/token

    Exit status: 0 valid, 1 refused, 3 it cannot be verified.
    """
    library = live.load_platform()
    text = live.read_secret(file)
    show = partial(_show, quiet=quiet, records=records)
    try:
        verifier = library.Verifier(
            issuer=issuer,
            aud=audience,
            sub=subject,
            bound=_values(bound),
            max_lifetime=max_lifetime,
            allow_plain_http=allow_plain_http,
        )
        with verifier, live.waiting("the issuer's keys"):
            claims: Claims = verifier.verify(text)
    except library.TokenRefusedError as error:
        failures = [failure.to_dict() for failure in error.failures]
        show({"valid": False, "failures": failures}, _refused(error.failures))
        return NO
    except library.PlatformError as error:
        complain(str(error))
        show({"valid": None, "error": str(error)}, [])
        return UNKNOWN
    except ValueError as error:
        raise CommandError(live.argument_message(error)) from None
    show({"valid": True, "claims": claims.to_dict()}, _valid(claims))
    return YES


def _show(
    record: dict[str, object], lines: Iterable[str], *, quiet: bool, records: Records
) -> None:
    if quiet:
        return
    if records:
        records.write(record)
    else:
        sys.stdout.writelines(lines)


def _refused(failures: Iterable[FailedCheck]) -> Iterator[str]:
    yield "refused:\n"
    for failure in failures:
        yield f"  {failure}\n"


def _valid(claims: Claims) -> Iterator[str]:
    yield f"valid: {inline(claims.sub)}\n"
    for line in show_claims(claims):
        yield f"  {line}"


def _values(bound: tuple[str, ...]) -> dict[str, set[str]]:
    """Return the values that each claim may have."""
    values: dict[str, set[str]] = {}
    for option in bound:
        name, equals, value = option.partition("=")
        if not equals:
            raise click.UsageError(f"--bound {quote(option)} must be CLAIM=VALUE")
        values.setdefault(name, set()).add(value)
    return values
