"""The places of a text that are an address or a network, cut off or not, or that could be one."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from fdaa._address import Address, NetworkID, Prefix
from fdaa._errors import AddressError
from fdaa.cli._names_in_text import without_escapes

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping


@dataclass(frozen=True, slots=True)
class CutOff:
    """What is known of an address that ends in `...` after its network ID.

    Args:
        network_id: the ID of its network.
    """

    network_id: NetworkID

    def __str__(self) -> str:
        return f"{self.network_id.prefix} (cut off)"


Found: TypeAlias = Address | Prefix | CutOff


class Place(NamedTuple):
    """A place of a text that is an address or a network.

    Args:
        found: the address or the network.
        start, end: where its text begins and ends.
    """

    found: Found
    start: int
    end: int


# Expressions are compiled where they are used, as a bare address needs none. This one finds an
# address whose end is missing, with its first three groups whole.
_CUT_OFF = r"(?ai)(?<![\w:.])fdaa:([0-9a-f]{1,4}):([0-9a-f]{1,4}):[0-9a-f:]{0,30}(?:\.\.\.|\u2026)"


def find_places(text: str, known: Container[Address] = ()) -> list[Place]:
    """Return the places of a text that are an address, a network or a cut-off address, in order.

    An address that the text also has with a last group more (`fdaa::3:5432 (fdaa::3)`) is one
    address: that group is a port, and not in the place. This holds only within one network, as
    a group more may be a group of the network ID, and not if both addresses are known. The group is
    a port, too, if the address without it is known and the one with it is not.

    Args:
        text: the text.
        known: the addresses that exist: in the documents, and this Machine's own.
    """
    from fdaa.scan import find_addresses  # 10 ms, which a bare address does not need

    places: dict[int, Place] = {}
    for match in find_addresses(text):
        places[match.start] = Place(match.value, match.start, match.end)
    for cut_off in re.finditer(_CUT_OFF, text):
        network_id = NetworkID.from_groups(int(cut_off[1], 16), int(cut_off[2], 16))
        start = cut_off.start()
        places.setdefault(start, Place(CutOff(network_id), start, cut_off.end()))
    in_order = [places[start] for start in sorted(places)]
    distinct = {place.found for place in in_order}
    without_port = _without_port(text, distinct, known)
    if not without_port:
        return in_order
    return [_before_port(place, text, without_port) for place in in_order]


def _without_port(
    text: str, found: Container[Found], known: Container[Address]
) -> dict[Address, Address]:
    """Return the addresses that end in a port, each with the one without it.

    Args:
        text, known: as in `find_places`.
        found: the addresses and networks in the text.
    """
    without_port: dict[Address, Address] = {}
    for _, longer, address in with_ports(text):
        is_known = address in known
        if is_known and longer in known:
            continue
        is_beside_it = address in found and address.network_id == longer.network_id
        if is_known or is_beside_it:
            without_port[longer] = address
    return without_port


def _before_port(place: Place, text: str, without_port: Mapping[Address, Address]) -> Place:
    if not isinstance(place.found, Address) or place.found not in without_port:
        return place
    colon = text.rfind(":", place.start, place.end)
    if colon < 0:  # a tuple has none
        colon = place.end
    return Place(without_port[place.found], place.start, colon)


# An address that ends in a group of decimal digits, and that group.
_LAST_GROUP = r"(?ai)(fdaa:[0-9a-f:]{1,40}):([0-9]{1,4})(?!\w|:\w)"


def known_ports(text: str, known: Container[Address]) -> Iterator[tuple[str, Address, Address]]:
    """Yield those of `with_ports` that end in a port, as only the address without it is known."""
    for whole, longer, address in with_ports(text):
        if address in known and longer not in known:
            yield whole, longer, address


def with_ports(text: str) -> Iterator[tuple[str, Address, Address]]:
    """Yield each text that may end in a port, the address that it is, and the one without it."""
    if "::" not in text:
        return  # eight groups and one more are no address
    for written, port in re.findall(_LAST_GROUP, text):
        whole = f"{written}:{port}"
        with suppress(AddressError):
            yield whole, Address(whole), Address(written)


# What begins like an address, if it is followed by more than a word (not `fdaa:error`).
_COULD_BE = r"""(?axi)
    \{ [ ]? 64938 [ ]? , [0-9, ]* \}?   # a tuple of Erlang
  |
    (?<! \w )
    fdaa
    (?:
        :
        (?=
            [0-9a-f]{0,4} [:.\u2026]    # a group, and a colon or an end that is cut off
          | [0-9a-f]{0,4} [0-9]         # a digit in the group
          | \w{1,5} : [\w:]             # 2g:3
        )
        [\w:.\u2026]*
        (?: / [0-9]{1,3} )?
    |
        (?: \.\.\. | \u2026 )
    )
"""
# Groups of another address, such as 2001:db8:fdaa::1, in front.
_GROUPS_BEFORE = r"(?ai)(?<!\w)[0-9a-f]{1,4}:(?:[0-9a-f]{0,4}:)+\Z"
_LONGEST_GROUPS = 40


def find_unread(text: str, places: list[Place]) -> Iterator[str]:
    """Yield what could be an address in a text, and is none.

    Args:
        text: the text.
        places: what `find_places` found in it.
    """
    read_to = 0
    remaining = iter(places)
    place = next(remaining, None)
    for match in re.finditer(_COULD_BE, without_escapes(text)):
        while place is not None and place.start <= match.start():
            read_to = place.end
            place = next(remaining, None)
        before = text[max(0, match.start() - _LONGEST_GROUPS) : match.start()]
        if match.start() >= read_to and re.search(_GROUPS_BEFORE, before) is None:
            yield match[0]
