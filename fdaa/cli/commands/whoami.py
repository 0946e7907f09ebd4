"""`fdaa whoami`: the address and the identity of the Machine that this runs on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from fdaa._support.escapes import inline
from fdaa._values.id_text import id_fields
from fdaa._values.membership import PRIVATE_IP_NOT_SET, PRIVATE_IP_VARIABLE
from fdaa.cli import _platform as live
from fdaa.cli._documents import HOW_TO_GIVE, Documents, documents_options
from fdaa.cli._input import note_own_address
from fdaa.cli._output import UNKNOWN, YES, CommandError, Output, complain, output_options, table
from fdaa.cli.commands.token import get_token
from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fdaa.probe import ThisComputer

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


class _Fact(NamedTuple):
    """What is known of this Machine.

    Args:
        value: its value, None if it is not known.
        why: where it comes from; without a value, the reason that it is missing.
    """

    value: str | None
    why: str


@click.command()
@documents_options
@live.socket_option
@output_options(
    *("address", "network_id", "network_id_int", *_CLAIMS, "network_name", "origins", "missing")
)
def whoami(socket: str, documents: Documents, output: Output) -> int:
    """Show this Machine's address, network, app and image.

    The address comes from an interface, or else from PLATFORM_PRIVATE_IP. The organization, app,
    image and region come from a token of the Machine's socket. The name of the network comes from
    documents. A missing fact is shown with the reason.

    Exit status: 0 address and identity are known, 3 one of them is not.

    Examples:
      $ fdaa whoami --org acme
      $ fdaa whoami --field region
    """
    own = read_this_computer()
    claims = None
    reason = ""
    try:
        claims = get_token(socket).claims()
    except CommandError as error:
        reason = str(error)
    network_id = None if own.address is None else own.address.network_id
    source = _source_of(own)
    facts = {"address": _fact(own.address, source), "network_id": _fact(network_id, source)}
    for name, claim in _CLAIMS.items():
        why = reason or f"{claim} of the token"
        if claims is not None and claim in claims.other:
            why += " has an unexpected form"
        facts[name] = _fact(getattr(claims, claim, None), why)
    row = None if network_id is None else documents.joined.by_id(network_id)
    app = facts["app"].value
    network = row.name if row is not None else None
    if network is None and app is not None:
        network = documents.joined.known_network(app).name
    where = "documents" if network is not None else f"not in documents. {HOW_TO_GIVE}"
    facts["network_name"] = _fact(network, where)
    output.show([_record(facts, id_fields(network_id))], _rows(facts))
    for field in output.fields:
        if field in facts and facts[field].value is None:
            complain(f"{field}: {facts[field].why}")
    sys.stdout.flush()
    note_own_address(own)
    is_known = own.address is not None and claims is not None
    return documents.status(YES if is_known else UNKNOWN, quiet=output.quiet)


def _source_of(own: ThisComputer) -> str:
    """Return where the address comes from; without one, why there is none."""
    if own.address is None:
        return own.invalid or PRIVATE_IP_NOT_SET
    where = PRIVATE_IP_VARIABLE
    if own.address != own.platform_private_ip:
        where = f"interface {inline(own.interface)}"
    if own.elsewhere:
        where += f"; {PRIVATE_IP_VARIABLE} is {own.platform_private_ip}, which no interface has"
    return where


def _fact(value: object, why: str) -> _Fact:
    return _Fact(None if value is None else str(value), why)


def _record(facts: dict[str, _Fact], id_: Mapping[str, object]) -> dict[str, object]:
    record: dict[str, object] = {name: fact.value for name, fact in facts.items()}
    return {
        **record,
        **id_,
        "origins": {name: fact.why for name, fact in facts.items() if fact.value is not None},
        "missing": {name: fact.why for name, fact in facts.items() if fact.value is None},
    }


def _rows(facts: dict[str, _Fact]) -> Iterator[str]:
    """Yield the table; a reason for which several facts are missing is shown once."""
    shown: set[str] = set()
    rows: list[tuple[str, ...] | str] = []
    for name, fact in facts.items():
        why = "" if fact.value is None and fact.why in shown else f"({fact.why})"
        shown.add(fact.why)
        rows.append((_LABELS.get(name, name), inline(fact.value), why))
    return table(rows)
