"""The ends of a connection in a pasted line: addresses and `.internal` names, with their ports."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from fdaa._escapes import quote
from fdaa.address import Address, Prefix
from fdaa.cli._exit_status import CommandError
from fdaa.cli._names_in_text import Host, digits_after, find_names
from fdaa.cli._places_in_text import CutOff, find_places, find_unread, source_first
from fdaa.cli._this_machine import SELF
from fdaa.probe import Target, TargetError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container

    from fdaa.cli._places_in_text import Found, Place


class _Found(NamedTuple):
    place: Found | Host
    port: str | None  # as it is written; it may be no port

    @property
    def target(self) -> str:
        """The text of the target."""
        if isinstance(self.place, Host):
            text = self.place.name
        elif self.port is None:
            text = str(self.place)
        else:
            text = f"[{self.place}]"
        if self.port is None:
            return text
        return f"{text}:{self.port}"

    @property
    def end(self) -> str | None:
        """The text of an end for `fdaa reach`: an address, a network, or the app of a name."""
        if isinstance(self.place, Host):
            return self.place.end
        if isinstance(self.place, Address):
            return str(self.place)
        return str(self.place.network_id.prefix)


def read_targets(
    text: str, own: Collection[Address | None], known: Container[Address] = ()
) -> list[str]:
    """Return the targets that a text names.

    Of a line with several addresses and names, these are left out if others remain: addresses of
    this computer, those of network ID 0 (assumed: services, such as the resolver), and places
    without a port.

    Args:
        text: a target, or a line with addresses or `.internal` names in it.
        own: the addresses of this computer.
        known: the addresses in the documents.

    Raises:
        TargetError: it is one word, and no target; or its port is not from 1 to 65535.
        CommandError: it has no address and no name, several addresses or names remain, or an
            address in it is not whole.
    """
    try:
        return [Target.parse(text).text]
    except TargetError as error:
        no_target = error
    places = find_places(text, known)
    whole: list[_Found] = []
    networks: list[str] = []
    not_whole: list[str] = []  # cut off, or no address
    for each in _find(text, places):
        if isinstance(each.place, CutOff):
            not_whole.append(str(each.place))
        elif isinstance(each.place, Prefix):
            networks.append(str(each.place))
        else:
            whole.append(each)
    not_whole.extend(map(quote, find_unread(text, places)))
    if not whole and not not_whole:
        if text.split() == [text]:
            raise no_target
        reason = "no address and no .internal name in this text; give APP:PORT or [ADDRESS]:PORT"
        raise CommandError(f"{quote(text)}: {reason}")
    wanted = [each for each in whole if each.place not in own]
    if whole and not wanted:
        not_whole.extend(networks)  # the other end is a network
    if not wanted and not not_whole:
        wanted = whole
    wanted = _prefer(wanted, _is_no_service)
    wanted = _prefer(wanted, _has_port)
    if not_whole:
        reason = f"{not_whole[0]} is not a whole address{_to_give(wanted)}"
        raise CommandError(f"{quote(text)}: {reason}")
    several = _several(wanted)
    if several is not None:
        raise CommandError(f"{quote(text)} has several {several}{_to_give(wanted)}")
    return [Target.parse(each.target).text for each in wanted]


def _several(found: list[_Found]) -> str | None:
    """Return what there is more than one of, or None: an address and its name are one target."""
    addresses: set[Address] = set()
    hosts: set[Host] = set()
    for each in found:
        if isinstance(each.place, Address):
            addresses.add(each.place)
        elif isinstance(each.place, Host):
            hosts.add(each.place)
    if len(addresses) > 1:
        return "addresses"
    if len(hosts) > 1:
        return "names"
    return None


_SHOWN = 3  # targets in a message


def _to_give(found: list[_Found]) -> str:
    """Return the end of a message: the commands that probe one of several targets."""
    if not found:
        return "; give APP:PORT or [ADDRESS]:PORT"
    commands = [f"fdaa probe '{each.target}'" for each in found[:_SHOWN]]
    return f"; give one: {' or '.join(commands)}"


def read_ends(text: str, own: Address | None, known: Container[Address] = ()) -> tuple[str, str]:
    """Return the source and the target that a line names, as `fdaa reach` takes them.

    Two addresses of other Machines are the two ends, in their order; but one after `from`, `src=`,
    `client:` or `<-` is the source. A network, or an address that is cut off after its network ID,
    counts as an address. Otherwise, the source is this Machine. Names count only without an
    address, because a line often has the address of its name. Addresses of network ID 0 (assumed:
    services, such as the resolver) count only if nothing else is there.

    Args:
        text: a line with addresses or `.internal` names in it.
        own: the address of this Machine, if it is known.
        known: the addresses in the documents.

    Raises:
        click.UsageError: it is one word without two ends, so the second argument is missing.
        CommandError: the line has no end, or more than two, or only one and `own` is not known; or
            a text in it could be an address, and is none.
    """
    places = find_places(text, known)
    for unread in find_unread(text, places):
        reason = f"{quote(unread)} is not a valid address; give SOURCE and TARGET"
        raise CommandError(f"{quote(text)}: {reason}")
    in_order = source_first(text, places)
    found = [each for each in _find(text, in_order) if each.end is not None]
    is_one_word = text.split() == [text]
    is_one_end = len(_ends(found)) < 2
    if is_one_word and is_one_end:
        raise click.UsageError("Missing argument 'TARGET'.")
    addresses: set[Found] = set()
    for each in found:
        if not isinstance(each.place, Host):
            addresses.add(each.place)
    if len(addresses) != 2 or own in addresses:
        found = _prefer(found, lambda each: each.place != own)
        found = _prefer(found, _is_no_service)
    found = _prefer(found, _is_no_host)
    ends = _ends(found)
    if len(ends) == 2:
        return ends[0], ends[1]
    if not ends:
        reason = "no address and no .internal name in this text; give SOURCE and TARGET"
        raise CommandError(f"{quote(text)}: {reason}")
    if len(ends) > 2:
        raise CommandError(f"{quote(text)} has {len(ends)} ends; give SOURCE and TARGET")
    if own is None or ends == [str(own)]:
        where = ""
        if own is None:
            where = ", and this computer is not a Machine"
        raise CommandError(f"{quote(text)} has one end{where}; use: fdaa reach SOURCE {ends[0]}")
    return SELF, ends[0]


def _find(text: str, places: list[Place]) -> list[_Found]:
    """Return the names and the places in a text with their ports, without duplicates."""
    found: dict[_Found, None] = {}
    for name, end in find_names(text):
        found[_Found(Host(name), digits_after(text, end))] = None
    for place in places:
        found[_Found(place.found, digits_after(text, place.end))] = None
    return list(found)


def _ends(found: list[_Found]) -> list[str]:
    """Return the ends that `fdaa reach` can take, without duplicates."""
    ends: dict[str, None] = {}
    for each in found:
        if each.end is not None:
            ends[each.end] = None
    return list(ends)


def _is_no_service(found: _Found) -> bool:
    return isinstance(found.place, Host) or int(found.place.network_id) != 0


def _is_no_host(found: _Found) -> bool:
    return not isinstance(found.place, Host)


def _has_port(found: _Found) -> bool:
    return found.port is not None


def _prefer(found: list[_Found], wanted: Callable[[_Found], bool]) -> list[_Found]:
    """Return those that are wanted; all of them if none is."""
    return [each for each in found if wanted(each)] or found
