"""`fdaa same`: are these addresses on one network?"""

from __future__ import annotations

import click

from fdaa._values.ends import App
from fdaa._values.errors import InputError
from fdaa._values.hosts import Host
from fdaa._values.network_name import NetworkName
from fdaa.cli._documents import Documents, documents_options
from fdaa.cli._input import read_given
from fdaa.cli._output import STATUS_OF, WRONG, Complaints, Output, output_options
from fdaa.explain import Compared, Decoded
from fdaa.explain import decode as answer_about


@click.command()
@click.argument("addresses", metavar="[ADDRESS|-]...", nargs=-1)
@documents_options
@output_options("same", "assumed", "addresses")
def same(addresses: tuple[str, ...], documents: Documents, output: Output) -> int:
    """Compare the networks of addresses.

    ADDRESS is an address, a network or self, as for `fdaa decode`. Without it, or for -, each line
    of standard input is one. No one is authenticated: anyone can write an address.

    Exit status: 0 the same network, 1 different networks.

    Examples:
      $ fdaa same fdaa:2:45b:a7b:174:db43:d3c6:2 FDAA:2:045B::3
      $ fdaa same self fdaa:2:45b::3
    """
    complaints = Complaints()
    found: list[Decoded] = []
    has_name = False
    for given in read_given(addresses, documents.networks):
        try:
            if isinstance(given.end, InputError):
                raise given.end
            has_name |= isinstance(given.end, App | Host | NetworkName)
            found.extend(answer_about(given.end, documents.networks))
        except InputError as error:
            complaints.add(error, given.where)
    if complaints.count:
        return documents.status(complaints.status(WRONG), is_needed=has_name)
    if len(found) < 2:
        raise click.UsageError("give two addresses or more; this Machine's is: self")
    compared = Compared(tuple(found))
    output.show([compared], compared.lines())
    status = STATUS_OF[compared.is_same]
    return documents.status(status, quiet=output.quiet, is_needed=has_name)
