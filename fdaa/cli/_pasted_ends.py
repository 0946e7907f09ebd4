"""The ends of a connection in a pasted line: addresses and `.internal` names, with their ports."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from fdaa._escapes import quote
from fdaa.address import Address
from fdaa.cli._exit_status import CommandError
from fdaa.cli._names_in_text import find_hosts, port_after
from fdaa.cli._this_machine import SELF
from fdaa.probe import Target, TargetError
from fdaa.scan import find_addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


class _Found(NamedTuple):
    place: Address | str  # an address or a name
    port: int | None

    @property
    def target(self) -> str:
        """The text of the target."""
        if self.port is None:
            return str(self.place)
        if isinstance(self.place, Address):
            return f"[{self.place}]:{self.port}"
        return f"{self.place}:{self.port}"

    @property
    def end(self) -> str:
        """The text of an end for `fdaa reach`: an address, or the app of a name."""
        if isinstance(self.place, Address):
            return str(self.place)
        return self.place.removesuffix(".internal").rpartition(".")[2]


def read_targets(text: str, own: Collection[Address | None]) -> list[str]:
    """Return the targets that a text names.

    Of a line with several addresses and names, these are left out if others remain: addresses of
    this computer, those of network ID 0 (assumed: services, such as the resolver), and places
    without a port.

    Args:
        text: a target, or a line with addresses or `.internal` names in it.
        own: the addresses of this computer.

    Raises:
        TargetError: it is one word, and no target.
        CommandError: it has no address and no name, or several addresses remain.
    """
    try:
        return [Target.parse(text).text]
    except TargetError as error:
        no_target = error
    found = _find(text)
    if not found and text.split() == [text]:
        raise no_target
    if not found:
        reason = "no address and no .internal name in this text; give APP:PORT or [ADDRESS]:PORT"
        raise CommandError(f"{quote(text)}: {reason}")
    found = _prefer(found, lambda each: each.place not in own)
    found = _prefer(found, _is_no_service)
    found = _prefer(found, lambda each: each.port is not None)
    addresses = {each.place for each in found if isinstance(each.place, Address)}
    if len(addresses) > 1:
        commands = " or ".join(f"fdaa probe '{each.target}'" for each in found)
        raise CommandError(f"{quote(text)} has several addresses; give one: {commands}")
    return [each.target for each in found]


def read_ends(text: str, own: Address | None) -> tuple[str, str]:
    """Return the source and the target that a line names, as `fdaa reach` takes them.

    Two addresses of other Machines are the two ends, in their order. Otherwise, the source is this
    Machine. Names count only without an address, because a line often has the address of its name.
    Addresses of network ID 0 (assumed: services, such as the resolver) count only if nothing else
    is there.

    Args:
        text: a line with addresses or `.internal` names in it.
        own: the address of this Machine, if it is known.

    Raises:
        click.UsageError: it is one word without two ends, so the second argument is missing.
        CommandError: the line has no end, or more than two, or only one and `own` is not known.
    """
    found = _find(text)
    addresses = dict.fromkeys(each.place for each in found if isinstance(each.place, Address))
    if len(addresses) != 2 or own in addresses:
        found = _prefer(found, lambda each: each.place != own)
        found = _prefer(found, _is_no_service)
    found = _prefer(found, lambda each: isinstance(each.place, Address))
    ends = list(dict.fromkeys(each.end for each in found))
    if len(ends) == 2:
        return ends[0], ends[1]
    if len(ends) < 2 and text.split() == [text]:
        raise click.UsageError("Missing argument 'TARGET'.")
    if not ends:
        reason = "no address and no .internal name in this text; give SOURCE and TARGET"
        raise CommandError(f"{quote(text)}: {reason}")
    if len(ends) > 2:
        raise CommandError(f"{quote(text)} has {len(ends)} ends; give SOURCE and TARGET")
    if own is None or ends == [str(own)]:
        where = ""
        if own is None:
            where = ", and this computer is no Machine"
        raise CommandError(f"{quote(text)} has one end{where}; use: fdaa reach SOURCE {ends[0]}")
    return SELF, ends[0]


def _find(text: str) -> list[_Found]:
    """Return the names and addresses in a text, each with its port, without duplicates."""
    found: dict[_Found, None] = {}
    for host in find_hosts(text):
        found[_Found(host.name, host.port)] = None
    for match in find_addresses(text):
        if isinstance(match.value, Address):
            found[_Found(match.value, port_after(text, match.end))] = None
    return list(found)


def _is_no_service(found: _Found) -> bool:
    return not isinstance(found.place, Address) or int(found.place.network_id) != 0


def _prefer(found: list[_Found], wanted: Callable[[_Found], bool]) -> list[_Found]:
    """Return those that are wanted; all of them if none is."""
    return [each for each in found if wanted(each)] or found
