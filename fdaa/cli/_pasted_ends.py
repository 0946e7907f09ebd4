"""The ends of a connection in a pasted line: addresses and `.internal` names, with their ports."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from fdaa._address import Address, Prefix
from fdaa._escapes import quote
from fdaa.cli._direction import CLIENTS_PORT, mentions_in, source_first
from fdaa.cli._exit_status import CommandError
from fdaa.cli._names_in_text import Host
from fdaa.cli._places_in_text import CutOff, find_places, find_unread
from fdaa.cli._streams import complain
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
        """The text of an end for `fdaa reach`; None for a name that is no app."""
        if isinstance(self.place, Host):
            return self.place.end
        if isinstance(self.place, Address):
            return str(self.place)
        return str(self.place.network_id.prefix)


def read_targets(
    text: str,
    own: Collection[Address | None],
    known: Container[Address] = (),
    *,
    quiet: bool = False,
) -> list[str]:
    """Return the targets that a text names.

    Of two addresses, one of which is this computer's, the target is the one that did not open the
    connection (`source_first`). Of more addresses and names, these are left out if others remain:
    addresses of this computer, those of network ID 0 (assumed: services, such as the resolver), and
    places without a port.

    Args:
        text: a target, or a line with addresses or `.internal` names in it.
        own: the addresses of this computer.
        known: the addresses that exist: in the documents, and this Machine's own.
        quiet: whether to leave out the note about a port that may be a client's.

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
    if _is_opened_by_the_other(wanted, whole, text, places):
        wanted = [each for each in whole if each.place in own]
    wanted = _prefer(wanted, _has_port)
    if not_whole:
        reason = f"{not_whole[0]} is not a whole address{_to_give(wanted)}"
        raise CommandError(f"{quote(text)}: {reason}")
    several = _several(wanted)
    if several is not None:
        raise CommandError(f"{quote(text)} has several {several}{_to_give(wanted)}")
    targets = [Target.parse(each.target) for each in wanted]
    if not quiet:
        _report_clients_ports(targets)
    return [target.text for target in targets]


def _report_clients_ports(targets: list[Target]) -> None:
    """Report the ports that may be a client's: a system gives it those from 32768 on."""
    for target in targets:
        if target.port is not None and target.port >= CLIENTS_PORT:
            complain(f"port {target.port} may be a client's, on which nothing listens")


def _is_opened_by_the_other(
    wanted: list[_Found], whole: list[_Found], text: str, places: list[Place]
) -> bool:
    """Whether a line has this computer and one other address, and that one is the source."""
    others = {each.place for each in wanted}
    if len(others) != 1 or isinstance(wanted[0].place, Host):
        return False
    both = list(dict.fromkeys(each.place for each in whole))
    if len(both) != 2:
        return False
    own = both[0]
    if own in others:
        own = both[1]
    if not isinstance(own, Address):
        return False
    source, _ = source_first(both[0], both[1], mentions_in(text, places), own)
    return source in others


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

    Two addresses are the two ends, and `source_first` decides which is the source. A network, or an
    address that is cut off after its network ID, counts as an address. Of one end, the source is
    this Machine. Names count only without an address, but for this Machine's own, because a line
    often has the address of its name. Addresses of network ID 0 (assumed: services, such as the
    resolver) count only if nothing else is there.

    Args:
        text: a line with addresses or `.internal` names in it.
        own: the address of this Machine, if it is known.
        known: the addresses that exist: in the documents, and this Machine's own.

    Raises:
        click.UsageError: it is one word without two ends, so the second argument is missing.
        CommandError: the line has no end, or more than two, or only one and `own` is not known; or
            a text in it could be an address, and is none.
    """
    places = find_places(text, known)
    for unread in find_unread(text, places):
        reason = f"{quote(unread)} is not a valid address; give SOURCE and TARGET"
        raise CommandError(f"{quote(text)}: {reason}")
    found = [each for each in _find(text, places) if each.end is not None]
    is_one_word = text.split() == [text]
    is_one_end = len(_ends(found)) < 2
    if is_one_word and is_one_end:
        raise click.UsageError("Missing argument 'TARGET'.")
    ends = _ends(_that_count(found, own))
    if len(ends) > 2:
        raise CommandError(f"{quote(text)} has {len(ends)} ends; give SOURCE and TARGET")
    if not ends:
        reason = "no address and no .internal name in this text; give SOURCE and TARGET"
        raise CommandError(f"{quote(text)}: {reason}")
    has_own = any(each.place == own for each in found)
    only = ends[0]
    if len(ends) == 1 and has_own and _is_no_host(only):
        ends = [each for each in _ends(found) if each.place in (own, only.place)]
    if len(ends) == 2:
        mentions = mentions_in(text, places)
        in_order = source_first(ends[0].place, ends[1].place, mentions, own)
        return _end_of(in_order[0], own), _end_of(in_order[1], own)
    if own is None or only.place == own:
        where = ""
        if own is None:
            where = ", and this computer is not a Machine"
        raise CommandError(f"{quote(text)} has one end{where}; use: fdaa reach SOURCE {only.end}")
    return SELF, _end_of(only.place, own)


def _that_count(found: list[_Found], own: Address | None) -> list[_Found]:
    """Return the ends of a line without those that only stand beside them."""
    addresses: set[Found] = set()
    for each in found:
        if not isinstance(each.place, Host):
            addresses.add(each.place)
    if len(addresses) != 2 or own in addresses:
        found = _prefer(found, lambda each: each.place != own)
        found = _prefer(found, _is_no_service)
    return _prefer(found, _is_no_host)


def _end_of(place: Found | Host, own: Address | None) -> str:
    """Return the text of an end for `fdaa reach`; this Machine is `self`."""
    if place == own:
        return SELF
    return str(_Found(place, None).end)


def _find(text: str, places: list[Place]) -> list[_Found]:
    """Return the names and the places in a text with their ports, without duplicates.

    The port of a client is left out where the text calls it the source.
    """
    found: dict[_Found, None] = {}
    for mention in mentions_in(text, places):
        port = mention.digits
        if mention.is_clients:
            port = None
        found[_Found(mention.end, port)] = None
    return list(found)


def _ends(found: list[_Found]) -> list[_Found]:
    """Return the ends that `fdaa reach` can take, each once."""
    ends: dict[str, _Found] = {}
    for each in found:
        if each.end is not None:
            ends.setdefault(each.end, each)
    return list(ends.values())


def _is_no_service(found: _Found) -> bool:
    return isinstance(found.place, Host) or int(found.place.network_id) != 0


def _is_no_host(found: _Found) -> bool:
    return not isinstance(found.place, Host)


def _has_port(found: _Found) -> bool:
    return found.port is not None


def _prefer(found: list[_Found], wanted: Callable[[_Found], bool]) -> list[_Found]:
    """Return those that are wanted; all of them if none is."""
    return [each for each in found if wanted(each)] or found
