"""The ends of connections in a line: each address, network or app once, with all its mentions."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from fdaa._address import Address
from fdaa._membership import is_service_network
from fdaa.lines._hosts import Host

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fdaa.lines._direction import End, Mention

# What is between a name and its address, or between an address and its name. A port may follow
# the first of them.
_BESIDE = r"""(?axi)
    ["')\]|]{0,3}
    (?: [:.\#] [0-9]{1,5} )?
    \.? ["')\]]{0,2}
    (?:
        [ ]{0,2} ["']? [(\[<|] ["'(\[]{0,2}             # reports.internal (ADDRESS)
      | [/@=] [\[(]?                                   # reports.internal/ADDRESS
      | \.{2,3} [ ] \[?                                # Resolving reports.internal... ADDRESS
      | [:]? \s{1,8} \[?                               # ADDRESS reports.internal
      | \s{1,8} [0-9]{1,10} \s{1,8} IN \s{1,8} AAAA \s{1,8}    # an answer of the resolver
      | [ ] (?: has | is | was )? [ ]? (?: IPv6 [ ] )? (?: address | at | resolved [ ] to ) [ ] \[?
      | [ ] resolves [ ] to [ ] \[?
      | ["']? ,? [ ]? ["']?                            # "host":"reports.internal","ip":"ADDRESS"
        (?: ip | ipv6 | addr | address | ip_address ) ["']? [ ]? [:=] [ ]? ["'\[]{0,2}
    )
"""
_LONGEST_BESIDE = 60  # characters


def group_by_end(text: str, mentions: Sequence[Mention]) -> dict[End, list[Mention]]:
    """Return the ends that count, in order, each with its mentions.

    Args:
        text: the text.
        mentions: what `find_mentions` found in it.
    """
    addresses = _addresses_of_names(text, mentions)
    by_end: dict[End, list[Mention]] = {}
    for mention in mentions:
        if mention.is_reporter:
            continue
        end: End = mention.end
        if isinstance(end, Host):
            if end.app is None:
                continue
            end = addresses.get(end.app, Host(end.app))
        by_end.setdefault(end, []).append(mention)
    others = [end for end in by_end if not _is_service(end)]
    has_app = any(isinstance(end, Host) for end in others)
    if has_app or len(others) > 1:
        return {_with_port(end, by_end[end]): by_end[end] for end in others}
    return by_end


def _with_port(end: End, mentions: Sequence[Mention]) -> End:
    """Return an app by the first of its hosts, with its port if one of them has one."""
    if not isinstance(end, Host):
        return end
    host = None
    for mention in mentions:
        if not isinstance(mention.end, Host):
            continue
        if host is None or (host.port is None and mention.port is not None):
            host = Host(mention.end.name, mention.port)
    return host or end


def _is_service(end: End) -> bool:
    """Return whether an end is assumed to be a service of the platform."""
    return not isinstance(end, Host) and is_service_network(end.network_id)


def _addresses_of_names(text: str, mentions: Sequence[Mention]) -> dict[str, Address]:
    """Return the apps whose names stand beside an address, each with the first address."""
    addresses: dict[str, Address] = {}
    for first, second in pairwise(mentions):
        match (first.end, second.end):
            case (Host(app=str(app)), Address() as address):
                pass
            case (Address() as address, Host(app=str(app))):
                pass
            case _:
                continue
        has_two_ports = first.port is not None and second.port not in (None, first.port)
        between = text[first.stop : second.start]
        if has_two_ports or len(between) > _LONGEST_BESIDE:
            continue
        if re.fullmatch(_BESIDE, between) is not None:
            addresses.setdefault(app, address)
    return addresses
