"""`fdaa whoami`: the address and the identity of the Machine that this runs on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import inline
from fdaa._support.tables import table
from fdaa._values.id_text import id_fields
from fdaa._values.membership import PRIVATE_IP_NOT_SET, PRIVATE_IP_VARIABLE
from fdaa.cli import _platform as live
from fdaa.cli._documents import HOW_TO_GIVE, Documents, documents_options
from fdaa.cli._input import note_own_address
from fdaa.cli._output import UNKNOWN, YES, CommandError, Output, complain, output_options
from fdaa.cli.commands.token import get_token
from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.platform import UnverifiedClaims
    from fdaa.probe import ThisComputer

    # Value, None if it is not known; where it comes from, or the reason that it is missing.
    Fact = tuple[str | None, str]

# Field of the record -> the claim of the token that has it.
_CLAIMS = {
    "organization": "org_name",
    "app": "app_name",
    "machine_name": "machine_name",
    "machine_id": "machine_id",
    "image": "image",
    "region": "region",
}
_LABELS = {
    "network_id": "network ID",
    "machine_name": "Machine",
    "machine_id": "Machine ID",
    "network_name": "network name",
}


@click.command()
@documents_options
@live.socket_option
@output_options(
    *("address", "network_id", "network_id_int", *_CLAIMS, "network_name", "origins", "missing")
)
def whoami(socket: str, documents: Documents, output: Output) -> int:
    """Show this Machine's address, network, app and image.

    The address comes from an interface, or else from PLATFORM_PRIVATE_IP; the network name from
    documents; all else from an identity token, which requires the extra `platform`. If a fact is
    missing, the reason is shown.

    Exit status: 0 address and identity are known, 3 one of them is not.

    Examples:
      $ fdaa whoami --org acme
      $ fdaa whoami --field region
    """
    own = read_this_computer()
    network_id = None if own.address is None else own.address.network_id
    source = _source_of(own)
    claims, reason = _identity(socket)
    facts: dict[str, Fact] = {
        "address": (_text(own.address), source),
        "network_id": (_text(network_id), source),
    }
    for name, claim in _CLAIMS.items():
        facts[name] = (getattr(claims, claim, None), reason or f"{claim} of the token")
    row = None if network_id is None else documents.joined.by_id(network_id)
    network = None if row is None else row.name
    app, _ = facts["app"]
    if network is None and app is not None:
        network = documents.joined.known_network(app).name
    where = "documents" if network is not None else f"not in documents; {HOW_TO_GIVE}"
    facts["network_name"] = (_text(network), where)
    record: dict[str, object] = {name: value for name, (value, _) in facts.items()}
    record |= id_fields(network_id)
    record["origins"] = {name: why for name, (value, why) in facts.items() if value is not None}
    record["missing"] = {name: why for name, (value, why) in facts.items() if value is None}
    output.show([record], _rows(facts))
    for field in output.fields:
        value, why = facts.get(field, ("", ""))
        if value is None:
            complain(f"{field}: {why}")
    sys.stdout.flush()
    note_own_address(own)
    is_known = own.address is not None and claims is not None
    return documents.status(YES if is_known else UNKNOWN)


def _identity(socket: str) -> tuple[UnverifiedClaims | None, str]:
    """Return the claims of a token, or the reason that there is none."""
    try:
        return get_token(socket).claims(), ""
    except CommandError as error:
        return None, str(error)


def _source_of(own: ThisComputer) -> str:
    """Return where the address comes from; without one, why there is none."""
    if own.address is None:
        return own.invalid or PRIVATE_IP_NOT_SET
    if own.address != own.platform_private_ip:
        return f"interface {inline(own.interface)}"
    return PRIVATE_IP_VARIABLE


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _rows(facts: dict[str, Fact]) -> Iterator[str]:
    """Yield the table; a reason for which several facts are missing is shown once."""
    shown: set[str] = set()
    rows: list[tuple[str, ...] | str] = []
    for name, (value, why) in facts.items():
        is_repeated = value is None and why in shown
        shown.add(why)
        rows.append((_LABELS.get(name, name), inline(value), "" if is_repeated else f"({why})"))
    return table(rows)
