"""`fdaa decode`: the parts of addresses, and who has them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from fdaa._support.escapes import as_unicode
from fdaa._support.tables import table
from fdaa._values.ends import App
from fdaa._values.errors import InputError
from fdaa._values.hosts import Host
from fdaa._values.network_name import NetworkName
from fdaa.cli._documents import HOW_TO_GIVE, Documents, documents_options, lacking
from fdaa.cli._input import Inputs, read_end
from fdaa.cli._output import NO, YES, Output, complain, error_record, output_options
from fdaa.explain._address_parts import FIELDS
from fdaa.explain._decoded import HOLDER_FIELDS
from fdaa.explain._decoded import decode as answer_about
from fdaa.networks import Holding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from fdaa.explain import Decoded, Missing

    Answers: TypeAlias = Iterator[tuple[str, Decoded | InputError]]


@click.command()
@click.argument("addresses", metavar="[ADDRESS|-]...", nargs=-1)
@documents_options
@output_options("input", *FIELDS, *HOLDER_FIELDS)
def decode(addresses: tuple[str, ...], documents: Documents, output: Output) -> int:
    """Show the parts of addresses, and who has them.

    ADDRESS is an address, with or without a port ([fdaa:2:45b::3]:5432), a network (2:45b,
    fdaa:2:45b::/48), a reverse pointer, or self: this Machine; with documents, also an app, a
    Machine or its host, or a network name (network:customer-17). Without ADDRESS, or with -, lines
    of standard input are read.

    Exit status: 0 decoded, 1 an address is stale: no Machine and no app has it.

    Examples:
      $ fdaa decode fdaa:2:45b:a7b:174:db43:d3c6:2
      $ fdaa decode fdaa:2:45b:a7b:174:db43:d3c6:2 -d apps.json -d machines-web.json
      $ fdaa scan app.log --field address | fdaa decode -d documents/
    """
    networks = documents.networks
    inputs = Inputs(addresses)
    holdings: set[Holding] = set()
    names: list[str] = []  # which only documents have

    def answer(text: str) -> tuple[Decoded, ...]:
        end = read_end(text, networks)
        if isinstance(end, App | Host | NetworkName):
            names.append(text)
        found = answer_about(end, networks)
        for decoded in found:
            if decoded.holder is not None:
                holdings.add(decoded.holder.holding)
        return found

    answers = inputs.answers(answer)
    output.show(_records(answers, with_errors=output.as_json), _text(answers))
    status = YES
    if Holding.STALE in holdings:
        status = NO
    status = inputs.status(status)
    if names and not documents.given:
        complain(HOW_TO_GIVE)
    return documents.status(status, is_needed=bool(names))


def _records(answers: Answers, *, with_errors: bool) -> Iterator[dict[str, Any]]:
    """Yield the answers as records, each input in turn."""
    for text, answer in answers:
        if not isinstance(answer, InputError):
            yield {"input": as_unicode(text), **answer.to_dict()}
        elif with_errors:
            yield {"input": as_unicode(text), **error_record(answer)}


def _text(answers: Answers) -> Iterator[str]:
    """Yield the parts of the only address, or a table of several."""
    counts: Counter[Decoded] = Counter()
    for _, answer in answers:
        if not isinstance(answer, InputError):
            counts[answer] += 1
    if len(counts) == 1:
        (only,) = counts
        yield from only.lines()
    else:
        yield from holders_table(counts)
    missing: list[Missing] = []
    for decoded in counts:
        missing.extend(decoded.missing)
    yield from lacking(missing)


def holders_table(counts: Counter[Decoded]) -> Iterator[str]:
    """Return the table of addresses, with a remark below each that needs one.

    Args:
        counts: the addresses and networks; how often each occurs is a column if one does twice.
    """
    is_counted = max(counts.values(), default=0) > 1
    head: tuple[str, ...] = ("address", "ID")
    rows: list[tuple[str, ...] | str] = []
    for decoded, count in counts.items():
        cells = decoded.cells()
        if decoded.is_looked_up:
            head = ("address", "network", "ID", "app", "Machine")
        if is_counted:
            cells += (str(count),)
        rows.append(cells)
        if decoded.remark is not None:
            rows.append(f"  {decoded.remark}")
    if is_counted:
        head += ("count",)
    return table(rows, head)
