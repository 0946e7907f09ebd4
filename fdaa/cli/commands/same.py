"""`fdaa same`: are these addresses on one network?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import click

from fdaa._support.escapes import as_unicode, inline
from fdaa._values.address import Address
from fdaa._values.ends import SELF
from fdaa._values.errors import InputError
from fdaa._values.membership import services_among
from fdaa.cli import _layout as layout
from fdaa.cli._arguments import read_given, value_of
from fdaa.cli._options import book_option, open_book, quiet_option
from fdaa.cli._records import NETWORK_NAME, Records, record_options, refusal, short_record
from fdaa.cli._statuses import STATUS_OF, WRONG
from fdaa.cli._streams import Complaints
from fdaa.explain._known_names import ABOUT_SERVICES
from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa._values.address import NetworkID, Prefix
    from fdaa.networks import Book

    Value: TypeAlias = Address | Prefix


# Specification, "Networking rules", 1 to 5.
_WAYS_AROUND = (
    "Apps on different networks cannot communicate privately unless that is configured. Ways "
    "around: a public address, a cross-network address, or for HTTP the header platform-replay; as "
    "an administrator, the remote console, file transfer or tunnel; see `fdaa reach`."
)

_ASSUMED = "network-id-0"  # docs/platform-rules.md: on another network, and perhaps reachable


class _Row(NamedTuple):
    """A text, and the address or the network that it is.

    Args:
        text: the text.
        value: the address or the network; or why it is none.
    """

    text: str
    value: Value | InputError


@click.command()
@click.argument("addresses", metavar="[ADDRESS|-]...", nargs=-1)
@quiet_option
@record_options("same", "assumed", "addresses")
@book_option()
def same(addresses: tuple[str, ...], quiet: bool, records: Records, book_file: str | None) -> int:
    """Compare the networks of addresses.

    ADDRESS is an address, a network or self, as for `fdaa decode`. Without it, or for -, each line
    of standard input is one. No one is authenticated: anyone can write an address.

    Examples:
      $ fdaa same fdaa:2:45b:a7b:174:db43:d3c6:2 FDAA:2:045B::3
      $ fdaa same self fdaa:2:45b::3

    Exit status: 0 the same network, 1 different networks.
    """
    book = open_book(book_file)
    own = read_this_computer()
    complaints = Complaints()
    rows: list[_Row] = []
    for given in read_given(addresses, own):
        try:
            if given.error is not None:
                raise given.error
            rows.append(_Row(given.text, value_of(given, book)))
        except InputError as error:
            complaints.add(error, given.where)
            rows.append(_Row(given.text, error))
    if len(rows) < 2 and not complaints.count:
        raise _one_address_only(rows)
    status = _compare(rows, quiet, records, book)
    sys.stdout.flush()
    complaints.finish()
    return status


def _compare(rows: list[_Row], quiet: bool, records: Records, book: Book | None) -> int:
    """Show whether all addresses are on one network; return the exit status."""
    found: dict[Value, None] = {}  # each once
    is_wrong = False
    for row in rows:
        if isinstance(row.value, InputError):
            is_wrong = True
        else:
            found[row.value] = None
    network_ids = {value.network_id for value in found}
    services = services_among(network_ids, book.name_of if book is not None else None)
    is_same = None
    status = WRONG
    if not is_wrong:
        is_same = len(network_ids) == 1
        status = STATUS_OF[is_same]
    if quiet:
        return status
    if records:
        assumed = _ASSUMED if is_same is False and services else None
        records.write(
            {"same": is_same, "assumed": assumed, "addresses": [_record(row, book) for row in rows]}
        )
    elif is_same is not None:
        sys.stdout.writelines(layout.table([_cells(value, book) for value in found]))
        sys.stdout.write(f"{_in_words(is_same, list(found))}\n")
        sys.stdout.writelines(_explained(is_same, network_ids, services))
    return status


def _one_address_only(rows: list[_Row]) -> click.UsageError:
    """Return the error for one address, or for none: what to compare it with."""
    if not rows:
        return click.UsageError("give two addresses or more")
    if rows[0].text == SELF:
        return click.UsageError(f"give an address to compare with {SELF}")
    address = rows[0].value
    hint = f"to compare it with this Machine's: fdaa same {SELF} {address}"
    return click.UsageError(f"only one address, {address}; {hint}")


def _in_words(is_same: bool, found: list[Value]) -> str:
    if not is_same:
        return "different networks"
    if len(found) == 1 and isinstance(found[0], Address):
        return "same address, same network"
    return "same network"


def _explained(
    is_same: bool, network_ids: set[NetworkID], services: frozenset[NetworkID]
) -> Iterator[str]:
    if not is_same and len(network_ids - services) > 1:
        yield layout.paragraph(_WAYS_AROUND)
    if services:
        yield layout.paragraph(ABOUT_SERVICES)


def _cells(value: Value, book: Book | None) -> tuple[str, ...]:
    network_id = str(value.network_id)
    if book is None:
        return network_id, str(value)
    return network_id, inline(book.name_of(value.network_id)), str(value)


def _record(row: _Row, book: Book | None) -> dict[str, object]:
    if isinstance(row.value, InputError):
        return {**refusal(row.value)}
    fields: dict[str, object] = {"input": as_unicode(row.text), **short_record(row.value)}
    if book is not None:
        fields[NETWORK_NAME] = book.name_of(row.value.network_id)
    return fields
