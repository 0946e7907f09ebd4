"""`fdaa build`: an address from its parts."""

from __future__ import annotations

import click

from fdaa._values.address import Address, NetworkID
from fdaa._values.errors import AddressError, InputError
from fdaa._values.id_text import read_rest
from fdaa.cli._output import Output, output_options
from fdaa.explain._address_parts import FIELDS, parts_of


class _RestError(InputError):
    _kind = "valid REST"


@click.command()
@click.argument("network")
@click.argument("rest", default="::")
@output_options(*FIELDS)
def build(network: str, rest: str, output: Output) -> None:
    """Build an address from a network ID and the rest.

    NETWORK is 2:45b, 0x2045b or fdaa:2:45b::/48. REST is the other 80 bits: groups
    (a7b:174:db43:d3c6:2, ::2), a hex number (0x2), or 20 hex digits. It defaults to zero.

    Examples:
      $ fdaa build 2:45b a7b:174:db43:d3c6:2
    """
    try:
        address = Address.build(NetworkID(network), read_rest(rest))
    except AddressError as error:
        raise _RestError(error.text, error.reason, error.at) from None
    output.show([parts_of(address)], [str(address)])
