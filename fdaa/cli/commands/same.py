"""`fdaa same`: are these addresses on one network?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli import _render as output
from fdaa.cli._book_names import open_book
from fdaa.cli._exit_status import NO, WRONG, YES
from fdaa.cli._options import book_option, quiet_option
from fdaa.cli._pasted_text import Pasted, read_pasted
from fdaa.cli._streams import Complaints, inline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.cli._pasted_text import Found
    from fdaa.networks import Book

_FIELDS = ("input", "address", "network_id", "network_id_int", output.NETWORK_NAME)

# Specification, "Networking rules", 1 to 4.
_WAYS_AROUND = (
    "Apps on different networks cannot communicate privately unless configured. Ways around: a "
    "public IP address, a private address allocated to the target for the other network, or "
    "platform-replay."
)

# A resolver that Machines on every network use; comparing its ID says little about it.
_SERVICE_ADDRESS = (
    "Network ID 0 is not a custom network: addresses like fdaa::3 are services of the platform."
)


@click.command()
@click.argument("texts", metavar="[TEXT|-]...", nargs=-1)
@quiet_option
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object, or JSON Lines.")
@book_option()
def same(texts: tuple[str, ...], quiet: bool, as_json: bool, book_file: str | None) -> int:
    """Compare the networks of addresses.

    TEXT is an address, a network (2:45b, fdaa:2:45b::/48), or any text with addresses in it, such
    as a line of a log. self is this Machine's own address. All TEXTs are compared with each other.

    Without an argument, or if one is -, each line of standard input is compared by itself, and
    lines with one address are compared with each other.

    Only the addresses are compared; no one is authenticated. A different network does not
    mean a different organization.

    Examples:
      $ fdaa same fdaa:2:45b:a7b:174:db43:d3c6:2 FDAA:2:045B::3
      $ fdaa same self fdaa:2:45b::3
      $ fdaa same 'fdaa:0:18::3.53 > fdaa:2:45b::4.55356'

    Exit status: 0 the same network, 1 different networks, 2 an input without enough addresses.
    With several lines, the highest status is used.
    """
    book = open_book(book_file)
    complaints = Complaints(quiet=False)
    together: list[Pasted] = []
    alone: set[Found] = set()  # the addresses of lines that have one
    statuses: list[int] = []
    for pasted in read_pasted(texts, book):
        if pasted.error is not None:
            complaints.add(pasted.error, pasted.where)
        if pasted.line and len(pasted.found) > 1:
            statuses.append(_compare([pasted], quiet, as_json, book))
        elif not pasted.line or not alone.issuperset(pasted.found):
            together.append(pasted)
            alone.update(pasted.found)
    if together or not statuses:
        statuses.append(_compare(together, quiet, as_json, book))
    sys.stdout.flush()
    complaints.finish()
    return WRONG if complaints.count else max(statuses)


def _compare(texts: list[Pasted], quiet: bool, as_json: bool, book: Book | None) -> int:
    """Show whether all addresses of some texts are on one network; return the exit status."""
    addresses = [found for pasted in texts for found in pasted.found]
    networks = {found.network_id for found in addresses}
    wrong = any(pasted.error is not None for pasted in texts)
    if len(addresses) < 2 and not wrong:
        only = "".join(f", not only {found}: fdaa same self {found}" for found in addresses)
        raise click.UsageError(f"give two addresses or more{only}")
    verdict = None if wrong else len(networks) == 1
    if as_json and not quiet:
        rows = [row for pasted in texts for row in _rows(pasted, book)]
        sys.stdout.write(output.json_line({"same": verdict, "addresses": rows}))
    elif verdict is not None and not quiet:
        where = texts[0].where if len(texts) == 1 else ""
        cells = [_cells(found, book) for found in dict.fromkeys(addresses)]
        sys.stdout.writelines(output.table(cells))
        sys.stdout.write(where + ("same network\n" if verdict else "different networks\n"))
        if not verdict and not where:
            sys.stdout.write(output.paragraph(_WAYS_AROUND))
            if 0 in networks:
                sys.stdout.write(output.paragraph(_SERVICE_ADDRESS))
    return WRONG if verdict is None else YES if verdict else NO


def _cells(found: Found, book: Book | None) -> tuple[str, ...]:
    name = () if book is None else (inline(book.name_of(found.network_id)),)
    return str(found.network_id), *name, str(found)


def _rows(pasted: Pasted, book: Book | None) -> Iterator[dict[str, object]]:
    if pasted.error is not None:
        yield {**output.refusal(pasted.error)}
    for found in pasted.found:
        fields = {"input": output.as_input(pasted.text), **output.record(found, book)}
        yield {name: fields[name] for name in _FIELDS if name in fields}
