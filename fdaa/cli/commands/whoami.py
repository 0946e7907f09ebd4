"""`fdaa whoami`: the address and the identity of the Machine that this runs on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from fdaa._support.escapes import inline
from fdaa._values.id_text import id_fields
from fdaa._values.membership import PRIVATE_IP_NOT_SET, PRIVATE_IP_VARIABLE
from fdaa.cli import _platform as live
from fdaa.cli._arguments import note_own_address
from fdaa.cli._layout import table
from fdaa.cli._options import book_option, open_book
from fdaa.cli._records import Records, record_options
from fdaa.cli._statuses import UNKNOWN, YES, CommandError
from fdaa.cli._streams import complain
from fdaa.cli.commands.token import get_token
from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa._values.address import NetworkID
    from fdaa.networks import Book
    from fdaa.platform import UnverifiedClaims
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

_FACTS = ("address", "network_id", *_CLAIMS, "network_name")
_FIELDS = (
    "address",
    "network_id",
    "network_id_int",
    *_CLAIMS,
    "network_name",
    "origins",
    "missing",
)
_OF_ADDRESS = {"address", "network_id", "network_id_int"}
# Field of the record -> the fact that it repeats as a number.
_NUMBERS = {"network_id_int": "network_id"}


@click.command()
@click.option(
    "--org",
    metavar="SLUG",
    envvar=live.ORG_VARIABLE,
    help=f"Get the network's name from the API.  [env: {live.ORG_VARIABLE}]",
)
@live.socket_option
@book_option()
@record_options(
    *_FIELDS,
    objects={"origins": _FACTS, "missing": _FACTS},
)
def whoami(org: str | None, socket: str, book_file: str | None, records: Records) -> int:
    """Show this Machine's address, network, app and image.

    The address comes from an interface, or else from PLATFORM_PRIVATE_IP. The organization, app,
    image and region come from a token of the Machine's socket. The name of the network comes from
    the API (--org) or a book. A missing fact is shown with the reason.

    Examples:
      $ fdaa whoami
      $ fdaa whoami --field region

    Exit status: 0 address and identity are known, 3 one of them is not.
    """
    book = open_book(book_file)
    own = read_this_computer()
    address = own.address
    source = _source_of(own)
    claims = None
    no_claims = ""
    try:
        claims = get_token(socket).claims()
    except CommandError as error:
        no_claims = str(error)
    network_id = address.network_id if address is not None else None
    facts = {
        "address": _fact(address, source, source),
        "network_id": _fact(network_id, "the address", source),
    }
    for name, claim in _CLAIMS.items():
        missing = f"the token does not have {claim}"
        if claims is None:
            missing = no_claims
        elif claim in claims.other:
            missing = f"{claim} of the token has an unexpected form"
        facts[name] = _fact(getattr(claims, claim, None), f"{claim} of the token", missing)
    facts["network_name"] = _network_name(_listed_network(claims, org), network_id, book)
    if records:
        records.write(_record(facts, network_id))
        _report_missing(facts, records.fields)
    else:
        sys.stdout.writelines(table(_rows(facts)))
    sys.stdout.flush()
    if not _OF_ADDRESS.isdisjoint(records.fields or _FIELDS):
        note_own_address(own)
    if address is None or claims is None:
        return UNKNOWN
    return YES


def _source_of(own: ThisComputer) -> str:
    """Return where the address comes from; without one, why there is none."""
    unset = own.invalid or PRIVATE_IP_NOT_SET
    if own.address is None:
        return unset
    if own.address == own.platform_private_ip:
        if own.elsewhere:
            return f"{PRIVATE_IP_VARIABLE}; no interface has this address"
        return PRIVATE_IP_VARIABLE
    where = f"interface {inline(own.interface)}"
    if own.elsewhere:
        claimed = f"{PRIVATE_IP_VARIABLE} is {own.platform_private_ip}"
        return f"{where}; {claimed}, which no interface has"
    return f"{where}; {unset}"


class _Fact(NamedTuple):
    """What is known of this Machine.

    Args:
        value: its value, None if it is not known.
        why: where it comes from; without a value, the reason that it is missing.
    """

    value: str | None
    why: str


def _fact(value: object, source: str, missing: str) -> _Fact:
    if value is None:
        return _Fact(None, missing)
    return _Fact(str(value), source)


def _record(facts: dict[str, _Fact], network_id: NetworkID | None) -> dict[str, object]:
    values: dict[str, object] = {}
    origins: dict[str, str] = {}
    missing: dict[str, str] = {}
    for name, fact in facts.items():
        values[name] = fact.value
        if name == "network_id":
            values.update(id_fields(network_id))
        if fact.value is None:
            missing[name] = fact.why
        else:
            origins[name] = fact.why
    return {**values, "origins": origins, "missing": missing}


def _report_missing(facts: dict[str, _Fact], fields: tuple[str, ...]) -> None:
    """Report on standard error why a field that --field asks for is empty."""
    for name in fields:
        fact = facts.get(_NUMBERS.get(name, name))
        if fact is not None and fact.value is None:
            complain(f"{name}: {fact.why}")


def _network_name(listed: _Fact, network_id: NetworkID | None, book: Book | None) -> _Fact:
    """Return the name of the network, from the API, else from the book."""
    if book is None or network_id is None:
        return listed
    recorded = book.name_of(network_id)
    name = listed.value
    if name is None:
        missing = f"{listed.why}; network {network_id} is not in the book"
        return _fact(recorded, "the book", missing)
    if recorded is not None and recorded != name:
        complain(f"the network is {inline(recorded)} in the book, {inline(name)} in the API")
    return listed


def _listed_network(claims: UnverifiedClaims | None, org: str | None) -> _Fact:
    """Return the network that the API's list has for the app in the token."""
    if org is None:
        return _fact(None, "", f"give --org SLUG, or set {live.ORG_VARIABLE}, to use the API")
    if claims is None or claims.app_name is None:
        return _fact(None, "", "the token does not name the app")
    place = live.list_place(org)
    try:
        document = live.app_list(org)
    except CommandError as error:
        return _fact(None, "", f"{place}: {error}")
    for app in document.apps:
        if app.name == claims.app_name and app.network_name is not None:
            return _fact(app.network_name, str(app.origin), "")
    return _fact(None, "", f"{place}: it does not have app {inline(claims.app_name)}")


def _rows(facts: dict[str, _Fact]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table; a reason for which several facts are missing is shown once."""
    shown: set[str] = set()
    for name, fact in facts.items():
        note = "" if fact.value is None and fact.why in shown else f"({fact.why})"
        shown.add(fact.why)
        yield _LABELS.get(name, name), inline(fact.value), note
