"""`fdaa same`: are these addresses on one network?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa._address import Address
from fdaa._escapes import as_unicode, inline, quote
from fdaa._membership import is_service
from fdaa.cli import _output as output
from fdaa.cli._arguments import SELF, Pasted, note_own_address, read_pasted
from fdaa.cli._options import book_option, open_book, quiet_option
from fdaa.cli._output import Records, record_options
from fdaa.cli._streams import STATUS_OF, WRONG, Complaints, note
from fdaa.lines import CutOff
from fdaa.probe import read_own_address

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from fdaa._address import NetworkID
    from fdaa.lines import Found
    from fdaa.networks import Book


# Specification, "Networking rules", 1 to 5.
_WAYS_AROUND = (
    "Apps on different networks cannot communicate privately unless that is configured. Ways "
    "around: a public address, a cross-network address, for HTTP the header platform-replay, or as "
    "an administrator the platform's command-line tool; see `fdaa reach`."
)

_ASSUMED = "network-id-0"  # docs/platform-rules.md: on another network, and perhaps reachable


@click.command()
@click.argument("texts", metavar="[TEXT|-]...", nargs=-1)
@quiet_option
@record_options("same", "assumed", "addresses", text="Print one JSON object, or JSON Lines.")
@book_option()
def same(texts: tuple[str, ...], quiet: bool, records: Records, book_file: str | None) -> int:
    """Compare the networks of addresses.

    TEXT is an address, a network (2:45b, fdaa:2:45b::/48), or any text with addresses in it, such
    as a line of a log. self is this Machine's address. All TEXTs are compared with each other, each
    address once.

    Without TEXT, or for -, each line of standard input is compared by itself, and lines with one
    address are compared with each other.

    Only addresses are compared; no one is authenticated. Network ID 0 is assumed to belong to the
    platform's services, such as its resolver fdaa::3, which another network may reach.

    Examples:
      $ fdaa same fdaa:2:45b:a7b:174:db43:d3c6:2 FDAA:2:045B::3
      $ fdaa same self fdaa:2:45b::3
      $ fdaa same 'fdaa:0:18::3.53 > fdaa:2:45b::4.55356'

    Exit status: 0 the same network, 1 different networks, 2 an input without enough addresses, 3
    unknown. With several lines, the highest status is used.
    """
    book = open_book(book_file)
    complaints = Complaints()
    together: list[Pasted] = []
    in_lines: set[Found] = set()  # the addresses of lines that have one
    statuses: list[int] = []
    unread = 0
    own = read_own_address()
    for pasted in read_pasted(texts, own, book):
        if pasted.error is not None:
            complaints.add(pasted.error, pasted.where)
        elif unread < _UNREAD_SHOWN:
            unread += _complain_of_unread(pasted)
        if not pasted.number:
            together.append(pasted)
        elif len(pasted.found) > 1:
            statuses.append(_compare([pasted], quiet, records, book))
        elif not in_lines.issuperset(pasted.found):
            together.append(pasted)
            in_lines.update(pasted.found)
    if together or not statuses:
        statuses.append(_compare(together, quiet, records, book))
    sys.stdout.flush()
    complaints.finish()
    if SELF in texts:
        note_own_address(own)
    if complaints.count:
        return WRONG
    return max(statuses)


_UNREAD_SHOWN = 10  # texts


def _complain_of_unread(pasted: Pasted) -> bool:
    """Report the first text that could be an address beside those that are; return whether."""
    for unread in pasted.line.unread:
        note(f"{pasted.where}{quote(unread)} is not a valid address and was not compared")
        return True
    return False


def _compare(texts: list[Pasted], quiet: bool, records: Records, book: Book | None) -> int:
    """Show whether all addresses of some texts are on one network; return the exit status."""
    is_wrong = False
    found: dict[Found, None] = {}  # each once
    for pasted in texts:
        found.update(dict.fromkeys(pasted.found))
        if pasted.error is not None:
            is_wrong = True
    # An argument that repeats another is a question; a line that repeats an address is none.
    if len(texts) < 2 and len(found) < 2 and not is_wrong:
        raise _one_address_only(texts, *found)
    apps = _perhaps_apps(texts, book)
    verdict = None
    status = WRONG
    if not is_wrong:
        verdict = _are_same({entry.network_id for entry in found}, apps.keys())
        status = STATUS_OF[verdict]
    if quiet:
        return status
    if records:
        records.write(_record(texts, verdict, book))
    elif not is_wrong:
        sys.stdout.writelines(output.table([_cells(entry, book) for entry in found]))
        where = ""
        if len(texts) == 1:
            where = texts[0].where
        result = next(iter(apps.values()), "")
        if verdict is not None:
            result = _in_words(verdict, *found)
        sys.stdout.write(f"{where}{result}\n")
        if not where:
            sys.stdout.writelines(_explained(verdict, found, book))
    return status


def _perhaps_apps(texts: list[Pasted], book: Book | None) -> dict[NetworkID, str]:
    """Return the IDs that may be an app and its port, each with what is said about it."""
    said: dict[NetworkID, str] = {}
    for pasted in texts:
        app = pasted.app_in_its_place(book)
        if app is not None:
            network_id = pasted.found[0].network_id
            both = f"the app {app.app} with a port, or the network {network_id.prefix}"
            said[network_id] = f"unknown: {quote(pasted.text)} is {both}"
    return said


def _are_same(network_ids: set[NetworkID], unclear: Collection[NetworkID]) -> bool | None:
    """Whether all IDs are one; None where only unclear ones make the difference."""
    if len(network_ids.difference(unclear)) > 1:
        return False
    if len(network_ids) > 1:
        return None
    return True


def _one_address_only(texts: list[Pasted], *found: Found) -> click.UsageError:
    """Return the error for one address, or for none: what to compare it with."""
    if not found:
        return click.UsageError("give two addresses or more")
    if texts[0].text == SELF:
        return click.UsageError(f"give an address to compare with {SELF}")
    address: object = found[0]
    if isinstance(address, CutOff):
        address = address.network_id.prefix
    hint = f"to compare it with this Machine's: fdaa same {SELF} {address}"
    return click.UsageError(f"only one address, {address}; {hint}")


def _in_words(verdict: bool, first: Found, *others: Found) -> str:
    if not verdict:
        return "different networks"
    if not others and isinstance(first, Address):
        return "same address, same network"
    return "same network"


def _explained(verdict: bool | None, found: Iterable[Found], book: Book | None) -> Iterator[str]:
    network_ids = {entry.network_id for entry in found}
    services = _services_in(network_ids, book)
    if verdict is False and len(network_ids - services) > 1:
        yield output.paragraph(_WAYS_AROUND)
    if services:
        # Late: it loads fdaa.networks, without which `same` starts in half the time.
        from fdaa.explain import ABOUT_SERVICES

        yield output.paragraph(ABOUT_SERVICES)


def _cells(found: Found, book: Book | None) -> tuple[str, ...]:
    network_id = str(found.network_id)
    if book is None:
        return network_id, str(found)
    name = inline(book.name_of(found.network_id))
    return network_id, name, str(found)


def _record(texts: list[Pasted], verdict: bool | None, book: Book | None) -> dict[str, object]:
    rows: list[dict[str, object]] = []
    for pasted in texts:
        if pasted.error is not None:
            rows.append({**output.refusal(pasted.error)})
        text = as_unicode(pasted.text)
        for found in pasted.found:
            row: dict[str, object] = {"input": text, **output.short_record(found)}
            if book is not None:
                row[output.NETWORK_NAME] = book.name_of(found.network_id)
            rows.append(row)
    network_ids: set[NetworkID] = set()
    for pasted in texts:
        network_ids.update(found.network_id for found in pasted.found)
    assumed = None
    if verdict is False and _services_in(network_ids, book):
        assumed = _ASSUMED
    return {"same": verdict, "assumed": assumed, "addresses": rows}


def _services_in(network_ids: set[NetworkID], book: Book | None) -> set[NetworkID]:
    """Return the network IDs that are assumed to be those of the platform's services."""
    services: set[NetworkID] = set()
    for network_id in network_ids:
        name = None
        if book is not None:
            name = book.name_of(network_id)
        if is_service(network_id, name):
            services.add(network_id)
    return services
