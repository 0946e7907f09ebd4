"""Texts as people paste them: an address with brackets, a port, a zone or a whole log line around.

What is left out is said on standard error, so that nothing is guessed in silence.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from fdaa._bits import NETWORK_PREFIX_LENGTH, is_prefix
from fdaa._text import pack_with_length
from fdaa.address import Address, NetworkID
from fdaa.cli._streams import complain
from fdaa.cli._this_machine import SELF, this_machine
from fdaa.errors import AddressError, quote
from fdaa.scan import find_addresses


class Prefix(NamedTuple):
    """A network, or a part of one: a prefix of /48 or longer."""

    first: Address
    length: int = NETWORK_PREFIX_LENGTH

    @property
    def network_id(self) -> NetworkID:
        """The ID of the network."""
        return self.first.network_id

    def __str__(self) -> str:
        return f"{self.first}/{self.length}"


def addresses_in(text: str, where: str = "") -> list[Address | Prefix]:
    """Return the addresses and networks that a text names, each once; say what is left out.

    `self` is this Machine's own address, but not where the text comes from outside: `where` is then
    what stands in front of messages, as `line 3: `. Raises an AddressError where it names none.
    """
    if text == SELF and not where:
        return [this_machine()]
    try:
        return [Address(text)]
    except AddressError as refusal:
        return _found_in(text, where) or [_pointed_at(text, where, refusal)]


def one_address(text: str) -> Address:
    """Return the one address that a text names, or raise an AddressError; say what is left out."""
    first, *others = addresses_in(text)
    if others:
        raise AddressError(text, f"it names {len(others) + 1} addresses; give one of them")
    if isinstance(first, Prefix):
        raise AddressError(text, f"it is a prefix of network {first.network_id}, not an address")
    return first


def _found_in(text: str, where: str) -> list[Address | Prefix]:
    found: dict[Address | Prefix, None] = {}
    around = []
    before = 0
    for match in find_addresses(text):
        length = match.prefix_length
        found[match.address if length is None else Prefix(match.address, length)] = None
        around.append(text[before : match.start])
        before = match.end
    around.append(text[before:])
    left_out = " and ".join(quote(each) for each in around if each)
    if found and left_out:
        names = " and ".join(str(each) for each in found)
        complain(f"{where}{quote(text)}: read {names}, left out {left_out}")
    return list(found)


def _pointed_at(text: str, where: str, refusal: AddressError) -> Address:
    """Return the address whose reverse pointer a text is, or raise why it names no address."""
    try:
        address = Address.from_reverse_pointer(text)
    except AddressError:
        with suppress(AddressError):
            packed, length = pack_with_length(text)
            if is_prefix(packed, length):
                many = f"it is a prefix of many networks (/{length}) and names none"
                refusal = AddressError(text, f"{many}; one network is a /48")
        raise refusal from None
    complain(f"{where}{quote(text)}: read {address}, whose reverse pointer it is")
    return address
