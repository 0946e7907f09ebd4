"""A pasted line: what it names, which end opened the connections, and to which ends."""

# Annotations are objects (no `__future__`), but an alias is text, so that help() shows its name.

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from types import NoneType
from urllib.parse import unquote

from fdaa._values.address import Address, NetworkID
from fdaa._values.checks import check_type
from fdaa._values.hosts import Host
from fdaa._values.membership import services_among
from fdaa.lines._ends import (
    EndInText,
    Mention,
    Tried,
    find_ends,
    find_mentions,
    in_roles,
    without_proxys_request,
)
from fdaa.lines._phases import Phase, PhaseOfLine, first_failure, read_phases, read_pieces
from fdaa.lines._places import Found, Named, Outside, Unread, find_places, port_or_group


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
        phase: how far the program had come, by the first line that shows a failure; None if its
            words are not known.
        corrected: an address of the line as it should be written, where brackets are missing or
            superfluous; else None.
        clients: the clients of a proxy, which have another connection than the one that failed.
    """

    text: str
    _: KW_ONLY
    own: Address | None
    found: tuple[Found, ...]
    apps: tuple[Host, ...]
    ends: "tuple[Named, ...]"
    source: "Named | None"
    targets: tuple[Tried, ...]
    services: frozenset[NetworkID]
    outside: Host | None
    unread: tuple[str, ...]
    phase: Phase | None
    corrected: str | None
    clients: "tuple[Named, ...]"

    @property
    def target(self) -> "Named | None":
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


def read_line(
    text: str,
    own: Address | None = None,
    known: Collection[Address] = (),
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
    check_type(known, "known", Collection)
    if own is not None and re.search(r"\s", text) is not None:
        known = {*known, own}  # a text that is an address alone is read as other commands read it
    places = find_places(text, known)
    found: dict[Found, None] = {}
    unread: dict[str, None] = {}
    for place in places:
        if isinstance(place.end, Found):
            found[place.end] = None
        elif isinstance(place.end, Unread):
            unread[place.end.text] = None
    services = _services(found, own, name_of)
    all_mentions = find_mentions(text, places)
    mentions, of_clients = without_proxys_request(text, all_mentions)
    clients: dict[Named, None] = {}
    for mention in of_clients:
        if isinstance(mention.end, Found | Host):
            clients[mention.end] = None
    with_outside = find_ends(mentions, services)
    source, tried = in_roles(with_outside, own)
    ends: list[EndInText] = []
    outside = None
    for end in with_outside:
        if isinstance(end.end, Outside):
            outside = Host(end.end.name, port=end.port)
        else:
            ends.append(end)
    if outside is not None and source not in found and not isinstance(source, Host):
        source = None  # it is outside, or this Machine, which the text does not name
    lines = read_phases(text)
    phase = first_failure(lines)
    return Line(
        text=text,
        own=own,
        found=tuple(found),
        apps=_apps(mentions),
        ends=tuple(end.end for end in ends),
        source=source,
        targets=_targets(tried, ends, text, lines),
        services=services,
        outside=outside,
        unread=tuple(unread),
        phase=phase,
        corrected=_corrected(text, phase, all_mentions),
        clients=tuple(clients),
    )


def _services(
    found: Iterable[Found], own: Address | None, name_of: Callable[[NetworkID], str | None] | None
) -> frozenset[NetworkID]:
    """Return the network IDs, of a text or of this Machine, that are assumed to be services'."""
    network_ids = {entry.network_id for entry in found}
    if own is not None:
        network_ids.add(own.network_id)
    return services_among(network_ids, name_of)


def _apps(mentions: Sequence[Mention]) -> tuple[Host, ...]:
    """Return the hosts that belong to apps, each app once, with a port if it has one."""
    apps: dict[str, Host] = {}
    for mention in mentions:
        if not isinstance(mention.end, Host) or mention.end.app is None:
            continue
        host = Host(mention.end.name, port=mention.port)
        if apps.setdefault(mention.end.app, host).port is None:
            apps[mention.end.app] = host
    return tuple(apps.values())


def _targets(
    tried: Sequence[EndInText],
    ends: Sequence[EndInText],
    text: str,
    lines: Sequence[PhaseOfLine],
) -> tuple[Tried, ...]:
    """Return the ends that were tried, each with its phase.

    All lines of a text are about its only target. Of several, each has the phase of the lines that
    name it, a line that names several ends being cut into pieces; where these show none, it is
    that of the next line above, or else below.
    """
    targets = [end for end in tried if not isinstance(end.end, Outside)]
    if len(targets) < 2:
        phase = first_failure(lines)
        return tuple(Tried(end.end, port=end.port, phase=phase) for end in targets)
    starts: list[int] = []
    for end in ends:
        starts += end.starts
    starts.sort()
    pieces: list[PhaseOfLine] = []
    for line in lines:
        # Most lines of a long text name no end and have no phase.
        if not line.has_any(starts):
            if line.phase is not None:
                pieces.append(line)
        elif sum(line.has_any(end.starts) for end in ends) > 1:
            pieces += read_pieces(text, line)
        else:
            pieces.append(line)
    with_phases = []
    for end in targets:
        phase = _phase_among(pieces, end.starts)
        with_phases.append(Tried(end.end, port=end.port, phase=phase))
    return tuple(with_phases)


def _phase_among(pieces: Sequence[PhaseOfLine], starts: Sequence[int]) -> Phase | None:
    """Return the phase of the pieces that name an end, or else of the nearest other."""
    own: list[PhaseOfLine] = []
    above: list[PhaseOfLine] = []
    below: list[PhaseOfLine] = []
    for piece in pieces:
        if piece.has_any(starts):
            own.append(piece)
            above += below
            below = []
        else:
            below.append(piece)
    phase = first_failure(own)
    for piece in (*reversed(above), *below):
        if phase is None and own:
            phase = piece.phase
    return phase


# --- an address as it should be written -----------------------------------------------------------

_SCHEME = r"(?ai)[a-z][a-z0-9+.-]{0,20}://(?:[^\s/@]{1,64}@)?\Z"
_ESCAPED = r"(?ai)\bfdaa(?:%3a[0-9a-f]{0,4}){2,8}"


def _corrected(text: str, phase: Phase | None, mentions: Sequence[Mention]) -> str | None:
    """Return the first address that could not be read as it should be written.

    Without a phase, one in a URL is corrected: it requires brackets.
    """
    if phase is Phase.ADDRESS:
        escaped = re.search(_ESCAPED, text)
        if escaped is not None:
            return unquote(escaped[0])
    for mention in mentions:
        scheme = ""
        url = re.search(_SCHEME, mention.before)
        if url is not None:
            scheme = url[0]
        if not isinstance(mention.end, Address):
            continue
        has_brackets = mention.before.endswith("[") and text.startswith("]", mention.stop)
        if phase is Phase.ADDRESS and has_brackets:
            return str(mention.end)  # they were read as a part of a name
        if phase is Phase.ADDRESS or (phase is None and scheme):
            return scheme + _in_brackets(mention.end, mention.digits)
    return None


def _in_brackets(address: Address, digits: str | None) -> str:
    """Return an address in brackets with its port, which may be its last group."""
    either = port_or_group(str(address))
    if either is not None and digits in (None, str(either.port)):
        return str(either)
    if digits is None:
        return f"[{address}]"
    return f"[{address}]:{digits}"
