"""A pasted line: what it names, which end opened the connections, and to which ends."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from bisect import bisect
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, replace
from types import NoneType

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.checks import check_type
from fdaa._values.errors import AddressError, NetworkIDError
from fdaa._values.hosts import EndError, Host, read_host
from fdaa._values.membership import services_among
from fdaa.lines._corrections import corrected
from fdaa.lines._ends import (
    Mention,
    Named,
    Outside,
    Tried,
    find_mentions,
    find_outside,
    group_by_end,
    in_roles,
    without_proxys_request,
)
from fdaa.lines._phases import Phase, PhaseOfLine, first_failure, read_phases, read_pieces
from fdaa.lines._places import (
    CutOff,
    PortOrGroup,
    Unread,
    find_places,
    find_ports_or_groups,
    find_unread,
)


@dataclass(frozen=True, slots=True)
class Line:
    """What a text names, computed once, from one search for addresses.

    Args:
        text: the text.
        own: the address of this Machine, if it is known.
        found: the addresses and networks in it, each once, in order.
        apps: the apps that it names by a `.internal` name, or as a whole (`web:80`), each once,
            with its port.
        ends: the ends of connections, each once, in order. A name beside its address is one end
            with it. Addresses with network ID 0 (assumed: services, such as the resolver) are left
            out beside an app or two other ends.
        source: the end that opened the connections; None if that is not known, or not private.
        targets: the ends that were tried, each with its port: of two that failed, both.
        services: the network IDs in it that are assumed to be those of the platform's services.
        outside: the other end of a connection with one private end, or the target in a text
            without a private end, if it is an IP address that is not private.
        unread: what could be an address, and is none.
        remarks: texts that may be read in two ways: an address, or a shorter one and its port.
        phase: how far the program had come, by the first line that shows a failure; None if its
            words are not known.
        corrected: an address of the line as it should be written, where brackets are missing or
            superfluous; else None.
        clients: the clients of a proxy, which have another connection than the one that failed.
    """

    text: str
    _: KW_ONLY
    own: Address | None
    found: tuple[Address | Prefix | CutOff, ...] = ()
    apps: tuple[Host, ...] = ()
    ends: tuple[Named, ...] = ()
    source: Named | None = None
    targets: tuple[Tried, ...] = ()
    services: frozenset[NetworkID] = frozenset()
    outside: Host | None = None
    unread: tuple[str, ...] = ()
    remarks: tuple[PortOrGroup, ...] = ()
    phase: Phase | None = None
    corrected: str | None = None
    clients: tuple[Named, ...] = ()

    @property
    def target(self) -> Named | None:
        """The first end that was tried; None without one."""
        if not self.targets:
            return None
        return self.targets[0].end

    @property
    def port(self) -> int | None:
        """The port of the first end that was tried."""
        if not self.targets:
            return None
        return self.targets[0].port


class _Known:
    """Addresses that exist: those in the documents, and this Machine's own."""

    def __init__(self, documents: Container[Address], own: Address | None) -> None:
        self.documents = documents
        self.own = own

    def __contains__(self, address: object) -> bool:
        return address == self.own or address in self.documents


def read_line(
    text: str,
    own: Address | None = None,
    known: Container[Address] = (),
    name_of: Callable[[NetworkID], str | None] | None = None,
) -> Line:
    """Return what a text names: its addresses, networks and apps, and which end opened what.

    An end is the source only with evidence: a client's port where another end has a server's;
    `from`, `src=`, `local` or `<-` before it, or `->` after it; or it is this Machine. All others
    are targets, of this Machine where no end is the source.

    Args:
        text: an address, a network ID, a host, or a line with any of them in it.
        own: the address of this Machine, if it is known.
        known: the addresses that exist, such as `NetworkMap.addresses`: a last group after one of
            them is a port.
        name_of: returns the name of a network, or None where it is not known.

    Raises:
        TypeError: `text` is not text, or `own` is no Address.

    >>> line = read_line("dial tcp reports.internal:8080 from fdaa:2:45b::2: i/o timeout")
    >>> str(line.source), str(line.target), line.port
    ('fdaa:2:45b::2', 'reports.internal:8080', 8080)
    """
    check_type(text, "text", str)
    check_type(own, "own", Address, NoneType)
    check_type(known, "known", Container)
    with suppress(AddressError):
        return _read_address(text, Address(text), own, known, name_of)
    every_known = _Known(known, own)
    places = find_places(text, every_known)
    if not places:
        with suppress(NetworkIDError):
            prefix = NetworkID(text).prefix
            return _alone(text, prefix, own, name_of, apps=_apps(text, ()))
    unread = list(find_unread(text, places))
    all_mentions = find_mentions(text, [*places, *unread])
    mentions, of_clients = without_proxys_request(text, all_mentions)
    lines = read_phases(text)
    phase = first_failure(lines)
    found = [place.value for place in places if not isinstance(place.value, Unread)]
    services = _services(found, own, name_of)
    by_end = group_by_end(text, mentions, services)
    source, targets = in_roles(by_end, own)
    outside = None
    if len(by_end) < 2:
        outside = find_outside(text, mentions)
        if outside is not None and by_end:
            source, targets = _beside_outside(by_end, outside)
        elif outside is not None and outside.is_source:
            outside = None
    if len(targets) == 1:
        targets = (replace(targets[0], phase=phase),)  # all lines are about it
    else:
        targets = _with_phases(targets, text, lines, by_end)
    other_host = None
    if outside is not None:
        other_host = Host(str(outside.end), port=outside.port)
    clients: list[Named] = []
    for mention in of_clients:
        if not isinstance(mention.end, Outside | CutOff | Unread) and mention.end not in clients:
            clients.append(mention.end)
    remarks = tuple(find_ports_or_groups(text, every_known))
    return Line(
        text=text,
        own=own,
        found=tuple(dict.fromkeys(found)),
        apps=_apps(text, mentions),
        ends=tuple(by_end),
        source=source,
        targets=targets,
        unread=tuple(dict.fromkeys(str(place.value) for place in unread)),
        remarks=remarks,
        services=services,
        outside=other_host,
        phase=phase,
        corrected=corrected(text, phase, all_mentions, remarks),
        clients=tuple(clients),
    )


def _read_address(
    text: str,
    address: Address,
    own: Address | None,
    known: Container[Address],
    name_of: Callable[[NetworkID], str | None] | None,
) -> Line:
    """Return the line for a text that is an address, or a known one and its port.

    It may be this Machine's own, so only the addresses in the documents count as known.
    """
    remarks = tuple(find_ports_or_groups(text, known))
    for either in remarks:
        if either.is_port:
            address = either.shorter
    return _alone(text, address, own, name_of, remarks=remarks)


def _alone(
    text: str,
    found: Address | Prefix,
    own: Address | None,
    name_of: Callable[[NetworkID], str | None] | None,
    apps: tuple[Host, ...] = (),
    remarks: tuple[PortOrGroup, ...] = (),
) -> Line:
    """Return the line for a text that is its only end."""
    source, targets = in_roles({found: ()}, own)
    return Line(
        text=text,
        own=own,
        found=(found,),
        apps=apps,
        ends=(found,),
        source=source,
        targets=targets,
        remarks=remarks,
        services=_services([found], own, name_of),
    )


def _services(
    found: Sequence[Address | Prefix | CutOff],
    own: Address | None,
    name_of: Callable[[NetworkID], str | None] | None,
) -> frozenset[NetworkID]:
    """Return the network IDs, of a text or of this Machine, that are assumed to be services'."""
    network_ids = {entry.network_id for entry in found}
    if own is not None:
        network_ids.add(own.network_id)
    return services_among(network_ids, name_of)


def _apps(text: str, mentions: Sequence[Mention]) -> tuple[Host, ...]:
    """Return the hosts in a text that belong to apps, each app once, with a port if it has one."""
    hosts = [mention.host for mention in mentions]
    with suppress(EndError):
        whole = read_host(text.strip())
        if whole is not None:
            hosts = [whole]
    apps: dict[str, Host] = {}
    for host in hosts:
        if host is None or host.app is None:
            continue
        if apps.setdefault(host.app, host).port is None:
            apps[host.app] = host
    return tuple(apps.values())


def _beside_outside(
    by_end: dict[Named, list[Mention]], outside: Mention
) -> tuple[Named | None, tuple[Tried, ...]]:
    """Return the roles of an end, the other end of which is not private, and so left out."""
    ((end, mentions),) = by_end.items()
    source, targets = in_roles({end: mentions, outside.end: [outside]}, None)
    if source == end:
        return end, ()
    return None, tuple(target for target in targets if target.end == end)


# --- the phase of each target ---------------------------------------------------------------------


def _with_phases(
    targets: Sequence[Tried],
    text: str,
    lines: Sequence[PhaseOfLine],
    by_end: Mapping[Named, Sequence[Mention]],
) -> tuple[Tried, ...]:
    """Return several targets, each with the phase of the lines that name it.

    Where they show none, it is that of the line above, or else below. A line that names several
    ends is cut into pieces.
    """
    starts = [line.start for line in lines]
    named: dict[int, list[tuple[int, Named]]] = {}
    for end, mentions in by_end.items():
        by_itself = [mention for mention in mentions if mention.end == end]
        for mention in by_itself or mentions:
            number = bisect(starts, mention.start) - 1
            named.setdefault(number, []).append((mention.start, end))
    found: dict[Named, list[PhaseOfLine]] = {}
    last: dict[Named, int] = {}
    for number, places in sorted(named.items()):
        pieces = [lines[number]]
        if len({end for _, end in places}) > 1:
            pieces = read_pieces(text, lines[number])
        piece_starts = [piece.start for piece in pieces]
        for start, end in places:
            piece = pieces[max(0, bisect(piece_starts, start) - 1)]
            if piece.phase is None:
                piece = lines[number]
            found.setdefault(end, []).append(piece)
            last[end] = number
    with_phases = []
    for tried in targets:
        phase = None
        if tried.end in found:
            phase = first_failure(found[tried.end]) or _nearest(lines, last[tried.end])
        with_phases.append(replace(tried, phase=phase))
    return tuple(with_phases)


def _nearest(lines: Sequence[PhaseOfLine], number: int) -> Phase | None:
    """Return the phase of the nearest line above that has one, or else below."""
    for line in (*reversed(lines[:number]), *lines[number + 1 :]):
        if line.phase is not None:
            return line.phase
    return None
