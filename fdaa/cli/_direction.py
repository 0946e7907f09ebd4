"""The direction of a pasted line: which of its two ends opened the connection."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from fdaa.cli._names_in_text import Host, digits_after, find_names, read_port

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fdaa._address import Address
    from fdaa.cli._places_in_text import Found, Place

_End = TypeVar("_End", bound="Found | Host")

# Linux gives clients the ports from here on. Some servers have one, too.
CLIENTS_PORT = 32768

# What marks the address after it as the source of a connection.
_SOURCE = r"""(?axi)
    (?:
        \b (?: from | src | source | saddr | client )
        (?: _? (?: ip | addr | address ) )?
      | <-
    )
    ["']? [ ]* [:=]? [ ]* ["'(\[]{0,2}
    \Z
"""
_LONGEST_SOURCE = 40
# The names of addresses in the kernel's log and of conntrack: SRC=... DST=... SPT=40112 DPT=443.
_PACKET_END = r"(?ai)\b([sd])(?:rc|st)=\Z"
_PACKET_PORT = r"(?ai)\b{}p(?:or)?t=([0-9]{{1,5}})\b"


class Mention(NamedTuple):
    """A place of a text that has an end.

    Args:
        end: the address, the network or the host.
        is_source: whether the text calls it the source, with `from`, `src=`, `client:` or `<-`.
        digits: the port after it, as it is written; it may be no port.
    """

    end: Found | Host
    is_source: bool
    digits: str | None

    @property
    def port(self) -> int | None:
        """The port after it."""
        return read_port(self.digits)

    @property
    def is_clients(self) -> bool:
        """Whether the port is one that a system gives to a client, and the end is the source."""
        return self.is_source and self.port is not None and self.port >= CLIENTS_PORT


def mentions_in(text: str, places: Iterable[Place]) -> list[Mention]:
    """Return the places of a text that have an end: its `.internal` names, then its addresses."""
    mentions = [_mention(text, Host(name), end - len(name), end) for name, end in find_names(text)]
    mentions.extend(_mention(text, place.found, place.start, place.end) for place in places)
    return mentions


def _mention(text: str, end: Found | Host, start: int, stop: int) -> Mention:
    before = text[max(0, start - _LONGEST_SOURCE) : start]
    is_source = re.search(_SOURCE, before) is not None
    digits = digits_after(text, stop)
    packet_end = re.search(_PACKET_END, before)
    if packet_end is not None:
        port = re.compile(_PACKET_PORT.format(packet_end[1])).search(text, stop)
        if port is not None:
            digits = port[1]
    return Mention(end, is_source, digits)


def source_first(
    first: _End, second: _End, mentions: Sequence[Mention], own: Address | None
) -> tuple[_End, _End]:
    """Return two ends in the direction of the connection: the one that opened it, and the other.

    Args:
        first, second: the ends, in the order of the text.
        mentions: what `mentions_in` returns for the text.
        own: the address of this Machine, if it is known.
    """
    one = _Shown(first, own, [each for each in mentions if each.end == first])
    other = _Shown(second, own, [each for each in mentions if each.end == second])
    for is_first, is_second in zip(one.opened_to(other), other.opened_to(one), strict=True):
        if is_first and not is_second:
            return first, second
        if is_second and not is_first:
            return second, first
    return first, second


class _Shown:
    """What a text shows of an end."""

    def __init__(self, end: Found | Host, own: Address | None, mentions: list[Mention]) -> None:
        ports = [each.port for each in mentions if each.port is not None]
        self.is_own = end == own
        self.is_source = any(each.is_source for each in mentions)
        self.has_clients_port = any(port >= CLIENTS_PORT for port in ports)
        self.has_servers_port = any(port < CLIENTS_PORT for port in ports)

    def opened_to(self, other: _Shown) -> Iterator[bool]:
        """Yield whether each rule shows that this end is the source; the strongest rule first."""
        yield self.has_clients_port and other.has_servers_port
        yield self.is_source
        yield other.has_servers_port
        yield self.is_own
