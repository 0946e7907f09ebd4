"""`fdaa decode`: the parts of addresses, and who has them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from fdaa._support.escapes import as_unicode
from fdaa._values.errors import InputError
from fdaa.cli._documents import HOW_TO_GIVE, Documents, documents_options
from fdaa.cli._input import read_given
from fdaa.cli._output import NO, YES, Complaints, Output, output_options, table
from fdaa.explain import decode as answer_about
from fdaa.explain._decoded import FIELDS, HOLDER_FIELDS
from fdaa.explain._document_words import explain_holder
from fdaa.networks import Holding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.explain import Decoded


@click.command()
@click.argument("addresses", metavar="[ADDRESS|-]...", nargs=-1)
@documents_options
@output_options("input", *FIELDS, *HOLDER_FIELDS)
def decode(addresses: tuple[str, ...], documents: Documents, output: Output) -> int:
    """Show the parts of addresses, and who has them.

    ADDRESS is an address, with or without brackets and a port ([fdaa:2:45b::3]:5432); a network
    (2:45b, fdaa:2:45b::/48); a reverse pointer; or self: this Machine's address. With documents, it
    is also an app, a Machine or its host, or a network's name (network:customer-17). Without
    ADDRESS, or for -, each line of standard input is one.

    Exit status: 0 decoded, 1 an address is stale: no Machine and no app has it any longer.

    Examples:
      $ fdaa decode fdaa:2:45b:a7b:174:db43:d3c6:2
      $ fdaa decode fdaa:2:45b:a7b:174:db43:d3c6:2 -d apps.json -d machines-web.json
      $ fdaa scan app.log --field address | fdaa decode -d documents/
    """
    complaints = Complaints()
    held: set[Holding] = set()
    answers = _answers(addresses, documents, complaints, held)
    records = (
        _record(*each) for each in answers if output.as_json or not isinstance(each[1], InputError)
    )
    output.show(records, _text(answers, documents, held))
    status = documents.status(complaints.status(YES), quiet=output.quiet)
    return status or (NO if Holding.STALE in held else YES)


def _answers(
    addresses: tuple[str, ...], documents: Documents, complaints: Complaints, held: set[Holding]
) -> Iterator[tuple[str, Decoded | InputError]]:
    """Yield each text with its answer; keep how the addresses are held."""
    for given in read_given(addresses, documents.networks):
        try:
            if isinstance(given.end, InputError):
                raise given.end
            for decoded in answer_about(given.end, documents.networks):
                if decoded.holder is not None:
                    held.add(decoded.holder.holding)
                yield given.text, decoded
        except InputError as error:
            complaints.add(error, given.where)
            yield given.text, error


def _record(text: str, answer: Decoded | InputError) -> dict[str, Any]:
    if isinstance(answer, InputError):
        fields: dict[str, Any] = {"kind": "error", "error": answer.reason, "at": answer.at}
    else:
        fields = answer.to_dict()
    return {"input": as_unicode(text), **fields}


def _text(
    answers: Iterator[tuple[str, Decoded | InputError]], documents: Documents, held: set[Holding]
) -> Iterator[str]:
    """Yield the parts of the only address, or a table of several."""
    counts = Counter(answer for _, answer in answers if not isinstance(answer, InputError))
    if len(counts) == 1:
        (only,) = counts
        yield from only.lines()
    else:
        yield from table(_rows(counts), _head(documents, counts))
    if Holding.UNKNOWN in held:
        yield HOW_TO_GIVE


def _head(documents: Documents, counts: Counter[Decoded]) -> tuple[str, ...]:
    head = ("address", "network", "ID", "app", "Machine") if documents.given else ("address", "ID")
    return (*head, "count") if max(counts.values(), default=0) > 1 else head


def _rows(counts: Counter[Decoded]) -> Iterator[tuple[str, ...] | str]:
    is_counted = max(counts.values(), default=0) > 1
    for decoded, number in counts.items():
        yield (*decoded.cells(), str(number)) if is_counted else decoded.cells()
        remark = None if decoded.holder is None else explain_holder(decoded.holder)
        if remark is not None:
            yield f"  {remark}"
