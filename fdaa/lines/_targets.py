"""What can be connected to in a line: addresses and names, with their ports."""

# Without `annotations` from `__future__`: annotations of public names must be objects.
from collections.abc import Callable, Collection
from dataclasses import dataclass

from fdaa._address import Address, Prefix
from fdaa._escapes import quote
from fdaa._membership import is_service_network
from fdaa.lines._direction import End, Mention
from fdaa.lines._hosts import Host
from fdaa.lines._line import Line
from fdaa.lines._places import CutOff


@dataclass(frozen=True, slots=True)
class Targets:
    """What a line names that can be connected to.

    Args:
        candidates: where the targets are: one, or an address and its name. Empty without an
            address and without an `.internal` name.
        not_whole: what is no whole address, so the target may be another one: cut off, a network or
            no valid address.
        several: what there is too much of: `addresses` or `names`.
    """

    candidates: tuple[Mention, ...]
    not_whole: str | None
    several: str | None


def find_targets(line: Line, own: Collection[Address | None]) -> Targets:
    """Return the targets that a line names.

    Of two addresses, one of which is this computer's, the target is the one that did not open the
    connection. Of more addresses and names, these are left out if others remain: addresses of this
    computer, those of network ID 0 (assumed: services, such as the resolver), and places without a
    port.

    Args:
        line: the line.
        own: the addresses of this computer.

    >>> from fdaa.lines import read_line
    >>> targets = find_targets(read_line("dial reports.internal:80 on [fdaa::3]:53"), ())
    >>> [(str(found.end), found.digits_to_try) for found in targets.candidates]
    [('reports.internal', '80')]
    """
    mentions: dict[tuple[End, str | None], Mention] = {}  # each once
    networks: list[str] = []
    not_whole: list[str] = []
    for mention in line.mentions:
        if mention.is_reporter:
            continue
        if isinstance(mention.end, Prefix):
            networks.append(str(mention.end))
        elif isinstance(mention.end, CutOff):
            not_whole.append(str(mention.end))
        else:
            mentions.setdefault((mention.end, mention.digits_to_try), mention)
    whole = list(mentions.values())
    not_whole.extend(map(quote, line.unread))
    wanted = [found for found in whole if found.end not in own]
    if whole and not wanted:
        not_whole.extend(networks)  # the other end is a network
    if not wanted and not not_whole:
        wanted = whole
    wanted = _prefer(wanted, _may_be_target)
    if line.source is not None and line.target in own:
        wanted = [found for found in whole if found.end in own]
    wanted = _prefer(wanted, _has_port)
    first_not_whole = None
    if not_whole:
        first_not_whole = not_whole[0]
    return Targets(tuple(wanted), first_not_whole, _several(wanted))


def _several(found: list[Mention]) -> str | None:
    """Return what there is more than one of, or None: an address and its name are one target."""
    addresses: set[Address] = set()
    hosts: set[str] = set()
    for candidate in found:
        if isinstance(candidate.end, Address):
            addresses.add(candidate.end)
        else:
            hosts.add(f"{candidate.end}:{candidate.digits_to_try}")
    if len(addresses) > 1:
        return "addresses"
    if len(hosts) > 1:
        return "names"
    return None


def _may_be_target(found: Mention) -> bool:
    """Return whether a candidate is not assumed to be a service of the platform."""
    return isinstance(found.end, Host) or not is_service_network(found.end.network_id)


def _has_port(found: Mention) -> bool:
    return found.digits_to_try is not None


def _prefer(found: list[Mention], wanted: Callable[[Mention], bool]) -> list[Mention]:
    """Return those that are wanted; all of them if none is."""
    preferred = [candidate for candidate in found if wanted(candidate)]
    return preferred or found
