"""`fdaa whoami`: what is known about the Machine that this runs on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from fdaa.cli import _platform as live
from fdaa.cli._book_names import open_book
from fdaa.cli._exit_status import UNKNOWN, YES, CommandError
from fdaa.cli._options import book_option
from fdaa.cli._render import json_line, table
from fdaa.cli._streams import complain, inline
from fdaa.cli._this_machine import this_machine
from fdaa.cli.commands.token import get_token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.address import Address
    from fdaa.networks import Book
    from fdaa.platform import UnverifiedClaims

_CLAIMS = {
    "organization": "org_name",
    "app": "app_name",
    "machine": "machine_name",
    "machine_id": "machine_id",
    "image": "image",
    "region": "region",
}


class _Fact(NamedTuple):
    """What is known, and where from; or why it is not."""

    value: str | None = None
    source: str | None = None
    missing: str | None = None


@click.command()
@click.option(
    "--org",
    metavar="SLUG",
    envvar=live.ORG_VARIABLE,
    help=f"Ask the API for the network's name; also the variable {live.ORG_VARIABLE}.",
)
@live.socket_option
@book_option()
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object.")
def whoami(org: str | None, socket: str, book_file: str | None, as_json: bool) -> int:
    """Show this Machine's address, network, app and image.

    The address is in PLATFORM_PRIVATE_IP. The identity (organization, app, image and region) is in
    a token from the Machine's socket. The name of the network comes from the API (--org) or a book.
    Each is shown with where it is from, or why it is missing.

    Examples:
      $ fdaa whoami
      $ fdaa whoami --org acme --json
      $ fdaa same self fdaa:2:45b::3

    Exit status: 0 its address and its identity are known, 3 one of them is not.
    """
    book = open_book(book_file)
    facts, address = _address_facts()
    claims, missing = _identity(socket)
    for name, claim in _CLAIMS.items():
        value = getattr(claims, claim, None)
        if value is None:
            facts[name] = _Fact(missing=missing or f"the token does not have {claim}")
        else:
            facts[name] = _Fact(value, f"{claim} of the token")
    facts["network_name"] = _network_name(claims, address, org, book)
    if as_json:
        sys.stdout.write(json_line({name: _as_json(fact) for name, fact in facts.items()}))
    else:
        sys.stdout.writelines(table(_rows(facts)))
    return YES if address is not None and claims is not None else UNKNOWN


def _address_facts() -> tuple[dict[str, _Fact], Address | None]:
    try:
        address = this_machine()
    except CommandError as error:
        nothing = _Fact(missing=str(error))
        return {"address": nothing, "network_id": nothing}, None
    known = _Fact(str(address), "PLATFORM_PRIVATE_IP")
    network_id = _Fact(str(address.network_id), "the address")
    return {"address": known, "network_id": network_id}, address


def _identity(socket: str) -> tuple[UnverifiedClaims | None, str | None]:
    try:
        return get_token(socket).claims(), None
    except CommandError as error:
        return None, str(error)


def _network_name(
    claims: UnverifiedClaims | None, address: Address | None, org: str | None, book: Book | None
) -> _Fact:
    listed = _Fact(missing=f"give --org SLUG, or set {live.ORG_VARIABLE}, to ask the API")
    if org is not None:
        listed = _listed_network(claims, org)
    if book is None or address is None:
        return listed
    kept = book.name_of(address.network_id)
    if listed.value is None:
        missing = f"{listed.missing}; network {address.network_id} is not in the book"
        return listed._replace(missing=missing) if kept is None else _Fact(kept, "the book")
    if kept not in (None, listed.value):
        complain(f"the book says network {inline(kept or '')}, the API {inline(listed.value)}")
    return listed


def _listed_network(claims: UnverifiedClaims | None, org: str) -> _Fact:
    """Return the network that the API's list has for the app in the token."""
    if claims is None or claims.app_name is None:
        return _Fact(missing="the token does not name the app")
    place = live.list_place(org)
    try:
        document = live.app_list(org)
    except CommandError as error:
        return _Fact(missing=f"{place}: {error}")
    for app in document.apps:
        if app.name == claims.app_name and app.network is not None:
            return _Fact(app.network, str(app.origin))
    return _Fact(missing=f"{place}: it does not have app {inline(claims.app_name)}")


def _as_json(fact: _Fact) -> dict[str, str | None]:
    return {name: value for name, value in fact._asdict().items() if name != "missing" or value}


def _rows(facts: dict[str, _Fact]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table; a reason for which several facts are missing is shown once."""
    shown: set[str | None] = {None}
    for name, (value, source, missing) in facts.items():
        why = "" if source is None and missing in shown else f"({source or missing})"
        shown.add(missing)
        yield name.replace("_", " "), "?" if value is None else inline(value), why
