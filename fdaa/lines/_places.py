"""The places of a text that are an address or a network, cut off or not, or that could be one."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.errors import AddressError
from fdaa.scan import find_addresses
from fdaa.scan._possible import find_possible


@dataclass(frozen=True, slots=True)
class CutOff:
    """What is known of an address that is cut off after its network ID.

    Args:
        network_id: the ID of its network.
    """

    network_id: NetworkID

    def __str__(self) -> str:
        return f"{self.network_id.prefix} (cut off)"


@dataclass(frozen=True, slots=True)
class Unread:
    """What could be an address, and is none.

    Args:
        text: the text.
    """

    text: str

    def __str__(self) -> str:
        return self.text


Found: TypeAlias = Address | Prefix | CutOff


class Place(NamedTuple):
    """A place of a text that is an address or a network, or could be one.

    Args:
        value: the address or the network.
        start, end: where its text begins and ends.
    """

    value: Found | Unread
    start: int
    end: int


# An address whose end is missing, with its first three groups whole.
_WITH_DOTS = r"""(?axi)
    (?<! [\w:.] )
    fdaa : ([0-9a-f]{1,4}) : ([0-9a-f]{0,4}) :
    ([0-9a-f:]{0,30})
    (?: \.\.\. | \u2026 )
"""
# An address in a column of 23 characters, in which netstat prints it, with a port or without one.
# Only one without `::` is certainly cut off.
_IN_COLUMN = r"""(?axi)
    (?<! \S )
    (?= \S{23} (?! \S ) )
    fdaa : ([0-9a-f]{1,4}) : ([0-9a-f]{1,4}) (?: : [0-9a-f]{1,4} ){0,4}
    : (?: ([1-9][0-9]{0,4}) | [0-9a-f]{1,4} )
    (?! \S )
"""


def find_places(text: str, known: Container[Address]) -> list[Place]:
    """Return the places of a text that are an address, a network or a cut-off address, in order.

    An address that the text also has with a last group more (`fdaa::3:5432 (fdaa::3)`) is one
    address: that group is a port, and not in the place. This holds only within one network, as
    a group more may be a group of the network ID, and not if both addresses are known. The group is
    a port, too, if the address without it is known and the one with it is not.

    Args:
        text: the text.
        known: the addresses that exist: in the documents, and this Machine's own.
    """
    places: dict[int, Place] = {}
    for match in find_addresses(text):
        places[match.start] = Place(match.value, match.start, match.end)
    for place in _cut_off_places(text, places):
        places[place.start] = place
    in_order = [places[start] for start in sorted(places)]
    distinct = {place.value for place in in_order if not isinstance(place.value, Unread)}
    without_port = _without_port(text, distinct, known)
    if not without_port:
        return in_order
    return [_before_port(place, text, without_port) for place in in_order]


def _cut_off_places(text: str, places: Container[int]) -> Iterator[Place]:
    """Yield the addresses that are cut off.

    A whole address may be followed by dots, but not in brackets, and not after its last colon.

    Args:
        text: the text.
        places: where a whole address or a network begins.
    """
    for match in re.finditer(_WITH_DOTS, text):
        start = match.start()
        is_in_brackets = text[start - 1 : start] == "["
        ends_in_colon = match[3] == "" or match[3].endswith(":")
        if start not in places or is_in_brackets or ends_in_colon:
            yield Place(_cut_off(match), start, match.end())
    for match in re.finditer(_IN_COLUMN, text):
        if match.start() in places:
            continue
        end = match.end()
        if match[3] is not None:
            end = match.start(3) - 1  # the port is not in the place
        yield Place(_cut_off(match), match.start(), end)


def _cut_off(match: re.Match[str]) -> CutOff:
    high = int(match[1], 16)
    low = int(match[2] or "0", 16)
    return CutOff(NetworkID.from_groups(high, low))


def _without_port(
    text: str, found: Container[Found], known: Container[Address]
) -> dict[Address, Address]:
    """Return the addresses that end in a port, each with the one without it.

    Args:
        text, known: as in `find_places`.
        found: the addresses and networks in the text.
    """
    without_port: dict[Address, Address] = {}
    for either in find_ports_or_groups(text, known):
        longer = either.longer
        address = either.shorter
        if address in known and longer in known:
            continue
        is_beside_it = address in found and address.network_id == longer.network_id
        if either.is_port or is_beside_it:
            without_port[longer] = address
    return without_port


def _before_port(place: Place, text: str, without_port: Mapping[Address, Address]) -> Place:
    if not isinstance(place.value, Address) or place.value not in without_port:
        return place
    colon = text.rfind(":", place.start, place.end)
    if colon < 0:  # a tuple has none
        colon = place.end
    return Place(without_port[place.value], place.start, colon)


# An address that ends in a group of decimal digits, and that group. Node.js, clients of Redis and
# Postgrex print the port of each target, and no brackets.
_LAST_GROUP = r"""(?axi)
    (
        \b (?:
            connect [ ] E [A-Z]{2,20} [ ]
          | Redis [ ] (?: at | on ) [ ]
          | Error [ ] -? [0-9]{1,5} [ ] connecting [ ] to [ ]
          | tcp [ ] connect [ ] \(
        )
    )?
    ( fdaa : [0-9a-f:]{1,40} ) : ( [0-9]{1,4} )
    (?! \w | :\w )
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortOrGroup:
    """A text such as `fdaa:2:45b::7:5432`: an address, or a shorter address and its port.

    Args:
        text: the text.
        longer: the address that the whole text is.
        shorter: the address without the last group.
        is_port: whether the last group is certainly a port: only the shorter address is known, or
            it is in the words of a program that prints the port of each target.
    """

    text: str
    longer: Address
    shorter: Address
    is_port: bool

    @property
    def digits(self) -> str:
        """The last group, as it is written."""
        return self.text.rpartition(":")[2]


def find_ports_or_groups(text: str, known: Container[Address]) -> Iterator[PortOrGroup]:
    """Yield each text that is an address, or a shorter one and its port.

    Args:
        text, known: as in `find_places`.
    """
    if "::" not in text:
        return  # eight groups and one more are no address
    for has_port, written, port in re.findall(_LAST_GROUP, text):
        whole = f"{written}:{port}"
        with suppress(AddressError):
            longer = Address(whole)
            shorter = Address(written)
            is_port = bool(has_port) or (shorter in known and longer not in known)
            yield PortOrGroup(text=whole, longer=longer, shorter=shorter, is_port=is_port)


# Groups of another address, such as 2001:db8:fdaa::1, in front.
_GROUPS_BEFORE = r"(?ai)(?<!\w)[0-9a-f]{1,4}:(?:[0-9a-f]{0,4}:)+\Z"
_LONGEST_GROUPS = 40


def find_unread(text: str, places: list[Place]) -> Iterator[Place]:
    """Yield the places that could be an address in a text, and are none.

    Args:
        text: the text.
        places: what `find_places` found in it.
    """
    read_to = 0
    remaining = iter(places)
    place = next(remaining, None)
    for start, end in find_possible(text):
        while place is not None and place.start <= start:
            read_to = max(read_to, place.end)
            place = next(remaining, None)
        before = text[max(0, start - _LONGEST_GROUPS) : start]
        if start >= read_to and re.search(_GROUPS_BEFORE, before) is None:
            read_to = end
            yield Place(Unread(text[start:end]), start, end)
