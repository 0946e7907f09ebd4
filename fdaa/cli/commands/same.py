"""`fdaa same`: are these addresses on one network?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import as_unicode
from fdaa._values.ends import App
from fdaa._values.errors import InputError
from fdaa._values.hosts import EndError, Host
from fdaa._values.network_name import NetworkName
from fdaa.cli._input import Inputs, read_end
from fdaa.cli._output import STATUS_OF, WRONG, Output, error_record, output_options
from fdaa.explain._compared import Compared
from fdaa.explain._decoded import decode as answer_about

if TYPE_CHECKING:
    from fdaa.explain import Decoded


@click.command()
@click.argument("addresses", metavar="[ADDRESS|-]...", nargs=-1)
@output_options("same", "assumed", "addresses")
def same(addresses: tuple[str, ...], output: Output) -> int:
    """Compare the networks of addresses.

    ADDRESS is an address, a network or self, as for fdaa decode. For apps or names, use fdaa reach.
    The result does not authenticate a sender: addresses can be forged.

    Exit status: 0 the same network, 1 different networks.

    Examples:
      $ fdaa same fdaa:2:45b:a7b:174:db43:d3c6:2 FDAA:2:045B::3
      $ fdaa same self fdaa:2:45b::3
    """
    inputs = Inputs(addresses)
    found: list[Decoded] = []
    records: list[dict[str, object]] = []
    for text, answer in inputs.answers(_decoded):
        if isinstance(answer, InputError):
            record = error_record(answer)
        else:
            found.append(answer)
            record = answer.to_short_dict()
        records.append({"input": as_unicode(text), **record})
    if len(found) < len(records):
        output.show([{"same": None, "assumed": None, "addresses": records}], ())
        return inputs.status(WRONG)
    if len(found) < 2:
        raise click.UsageError("give at least two addresses; self is this Machine's")
    compared = Compared(tuple(found))
    output.show([{**compared.to_dict(), "addresses": records}], compared.lines())
    return STATUS_OF[compared.is_same]


def _decoded(text: str) -> tuple[Decoded, ...]:
    end = read_end(text)
    if isinstance(end, App | Host | NetworkName):
        raise EndError(text, "this is a name; fdaa reach compares names, too")
    return answer_about(end)
