"""Where a text names an end: an address, a network, a host, or what could be an address."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import NamedTuple, TypeAlias

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.ends import AddressPort, glued_port, network_or_host
from fdaa._values.errors import NetworkIDError
from fdaa._values.hosts import INTERNAL_NAME, EndError, Host, read_host
from fdaa.scan import find_addresses
from fdaa.scan._expression_parts import COLOUR, JSON_ESCAPE, OTHER_ESCAPE
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


@dataclass(frozen=True, slots=True)
class Outside:
    """An IP address that is not private.

    Args:
        name: the address, in lower case.
    """

    name: str

    def __str__(self) -> str:
        return self.name


Found: TypeAlias = Address | Prefix | CutOff
# What a text names: an end of a connection.
Named: TypeAlias = Found | Host | Outside | Unread


class Place(NamedTuple):
    """A place of a text that names an end.

    Args:
        end: the address, the network or the host.
        start, stop: where its text begins and ends.
    """

    end: Named
    start: int
    stop: int


def find_places(text: str, known: Collection[Address]) -> list[Place]:
    """Return the places of a text that name an end, in order.

    Args:
        text: the text.
        known: the addresses that exist: a last group after one of them is a port.
    """
    private = _find_private(text, known)
    places = [*private, *_find_unread(text, private), *_find_names(text), *_find_outside(text)]
    places.sort(key=_start)
    return places


def _start(place: Place) -> int:
    return place.start


# --- private addresses and networks ---------------------------------------------------------------

# An address whose end is missing, with its first three groups whole.
_WITH_DOTS = r"""(?axi)
    (?<! [\w:.] )
    fdaa : ([0-9a-f]{1,4}) : ([0-9a-f]{0,4}) :
    ([0-9a-f:]{0,30})
    (?: \.\.\. | \u2026 )
"""
# An address that the text ends in, in a bracket that is not closed.
_AT_END = r"(?ai)(?<=\[)fdaa:([0-9a-f]{1,4}):([0-9a-f]{0,4}):[0-9a-f:]{0,30}\s*\Z"
# An address in a column of 23 characters, in which netstat prints it, with a port or without one.
# Only one without `::` is certainly cut off.
_IN_COLUMN = r"""(?axi)
    (?<! \S )
    (?= \S{23} (?! \S ) )
    fdaa : ([0-9a-f]{1,4}) : ([0-9a-f]{1,4}) (?: : [0-9a-f]{1,4} ){0,4}
    : (?: ([1-9][0-9]{0,4}) | [0-9a-f]{1,4} )
    (?! \S )
"""
# Node.js, clients of Redis and Postgrex print the port of each target, and no brackets.
_PORT_FOLLOWS = r"""(?axi)
    \b (?:
        connect [ ] E [A-Z]{2,20} [ ]
      | Redis [ ] (?: at | on ) [ ]
      | Error [ ] -? [0-9]{1,5} [ ] connecting [ ] to [ ]
      | tcp [ ] connect [ ] \(
    )
    \Z
"""
_LONGEST_BEFORE = 40  # characters


def _find_private(text: str, known: Collection[Address]) -> list[Place]:
    """Return the private addresses and networks of a text, whole or cut off."""
    places: dict[int, Place] = {}
    for match in find_addresses(text):
        places[match.start] = Place(match.value, match.start, match.end)
    for cut_off in _find_cut_off(text, places):
        places[cut_off.start] = cut_off
    if not places and network_or_host(text) is None:
        with suppress(NetworkIDError):
            return [Place(NetworkID(text).prefix, 0, len(text))]
    return list(_without_ports(text, list(places.values()), known))


def _find_cut_off(text: str, whole: Collection[int]) -> Iterator[Place]:
    """Yield the addresses that are cut off.

    A whole address may be followed by dots, but not in brackets, and not after its last colon.

    Args:
        text: the text.
        whole: where a whole address or a network begins.
    """
    for match in re.finditer(_WITH_DOTS, text):
        start = match.start()
        is_in_brackets = text[start - 1 : start] == "["
        ends_in_colon = match[3] == "" or match[3].endswith(":")
        if start not in whole or is_in_brackets or ends_in_colon:
            yield Place(_cut_off(match), start, match.end())
    at_end = re.search(_AT_END, text)
    if at_end is not None and at_end.start() not in whole:
        yield Place(_cut_off(at_end), at_end.start(), at_end.end())
    for match in re.finditer(_IN_COLUMN, text):
        stop = match.end()
        if match[3] is not None:
            stop = match.start(3) - 1  # the port is not in the place
        if match.start() not in whole:
            yield Place(_cut_off(match), match.start(), stop)


def _cut_off(match: re.Match[str]) -> CutOff:
    high = int(match[1], 16)
    low = int(match[2] or "0", 16)
    return CutOff(NetworkID.from_groups(high, low))


def _without_ports(
    text: str, places: Collection[Place], known: Collection[Address]
) -> Iterator[Place]:
    """Yield the places, without a last group that is a port: `fdaa:2:45b::3:5432`.

    It is one where the shorter address is known and the longer is not; in the words of a program
    that prints the port of each target; and where the text also has the shorter address, on the
    same network.
    """
    found = {place.end for place in places}
    glued: dict[Named, AddressPort] = {}
    for place in places:
        either = port_or_group(text[place.start : place.stop])
        if either is None or (either.address in known and place.end in known):
            continue
        before = text[max(0, place.start - _LONGEST_BEFORE) : place.start]
        is_beside_it = either.address in found and _are_on_one_network(either.address, place.end)
        is_printed = re.search(_PORT_FOLLOWS, before) is not None
        if either.address in known or is_beside_it or is_printed:
            glued[place.end] = either
    for place in places:
        if place.end in glued:
            stop = text.rfind(":", place.start, place.stop)
            yield Place(glued[place.end].address, place.start, stop)
        else:
            yield place


def port_or_group(written: str) -> AddressPort | None:
    """Return the shorter address and the port that an address may be as it is written.

    >>> print(port_or_group("fdaa:2:45b::3:5432"))
    [fdaa:2:45b::3]:5432
    """
    if "::" not in written:
        return None  # eight groups and one more are no address
    return glued_port(written)


def _are_on_one_network(first: Address, second: Named) -> bool:
    return isinstance(second, Address) and first.network_id == second.network_id


# --- what else is named ---------------------------------------------------------------------------

# Groups of another address, such as 2001:db8:fdaa::1, in front.
_GROUPS_BEFORE = r"(?ai)(?<!\w)[0-9a-f]{1,4}:(?:[0-9a-f]{0,4}:)+\Z"


def _find_unread(text: str, places: list[Place]) -> Iterator[Place]:
    """Yield what could be an address, and is none of the private ones, which are in order."""
    read_to = 0
    remaining = sorted(places, key=_start, reverse=True)
    for start, stop in find_possible(text):
        while remaining and remaining[-1].start <= start:
            read_to = max(read_to, remaining.pop().stop)
        before = text[max(0, start - _LONGEST_BEFORE) : start]
        if start >= read_to and re.search(_GROUPS_BEFORE, before) is None:
            read_to = stop
            yield Place(Unread(text[start:stop]), start, stop)


_ESCAPE = rf"""(?axi)
    {COLOUR}
  | {OTHER_ESCAPE}
  | (?<! \\ ) {JSON_ESCAPE}
  | (?<= [^\s"'(=\\] ) \\+ {JSON_ESCAPE}    # JSON in JSON; not \\reports\share
"""


def _find_names(text: str) -> Iterator[Place]:
    """Yield the `.internal` names, and the host that a whole text is: `web:3000`.

    A letter of an escape before a name is no part of it.
    """
    if ".internal" not in text.lower():
        with suppress(EndError):
            host = read_host(text.strip())
            if host is not None and network_or_host(text.strip()) is None:
                start = len(text) - len(text.lstrip())
                yield Place(Host(host.name), start, start + len(host.name))
        return
    without_escapes = re.sub(_ESCAPE, _blank, text)
    for match in re.finditer(INTERNAL_NAME, without_escapes):
        yield Place(Host(match[0].lower()), match.start(), match.end())


def _blank(escape: re.Match[str]) -> str:
    """Return spaces in place of an escape, so that every other place stays."""
    return " " * len(escape[0])


_IP_ADDRESS = r"""(?axi)
    (?<! [\w.:] )
    (?:
        (?: ::ffff: )? [0-9]{1,3} (?: \. [0-9]{1,3} ){3}
      | [0-9a-f]{0,4} : [0-9a-f]{0,4} : [0-9a-f:]{0,30}
    )
    (?! \w )
"""
_LOOPBACK_PORT = r"::1:[0-9]{1,4}"  # as Node.js prints it


def _find_outside(text: str) -> Iterator[Place]:
    """Yield the addresses that another computer may have, and that are not private."""
    for match in re.finditer(_IP_ADDRESS, text):
        name = match[0].rstrip(":").lower()
        if _is_outside(name):
            yield Place(Outside(name), match.start(), match.start() + len(name))


def _is_outside(name: str) -> bool:
    if name.startswith("fdaa:") or re.fullmatch(_LOOPBACK_PORT, name) is not None:
        return False
    try:
        address = ip_address(name)
    except ValueError:
        return False
    is_of_this_computer = address.is_unspecified or address.is_loopback
    return not (is_of_this_computer or address.is_link_local or address.is_multicast)
