"""A pasted line: what it names, and the two ends of the connection."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from types import NoneType

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.checks import check_type
from fdaa._values.errors import AddressError, NetworkIDError
from fdaa._values.hosts import EndError, Host, read_host
from fdaa._values.membership import services_among
from fdaa.lines._corrections import corrected
from fdaa.lines._evidence import Phase
from fdaa.lines._line_ends import (
    Mention,
    Named,
    find_mentions,
    find_outside,
    group_by_end,
    is_source_first,
    without_proxys_request,
)
from fdaa.lines._places import (
    CutOff,
    Found,
    PortOrGroup,
    find_places,
    find_ports_or_groups,
    find_unread,
)
from fdaa.lines._words import Words, find_words


@dataclass(frozen=True, slots=True)
class Line:
    """What a text names, computed once, from one search for addresses.

    Args:
        text: the text.
        own: the address of this Machine, if it is known.
        found: the addresses and networks in it, each once, in order.
        apps: the apps that it names by a `.internal` name, or as a whole (`web:80`), each once,
            with its port.
        ends: the ends of connections, each once, in order: addresses, networks and apps. A name
            beside its address is one end with it. Addresses with network ID 0 (assumed: services,
            such as the resolver) are left out beside an app or two other ends.
        source: the end that opened the connection; of one end, this Machine, but not if the end is
            the client of the server that printed the text. None if it is not known, if it is not
            private, or if there are more than two ends.
        target: the other end; None without one, if it is not private, or if there are more than
            two.
        services: the network IDs in it that are assumed to be those of the platform's services.
        outside: the other end of a connection with one private end, or the target in a text
            without a private end, if it is an IP address that is not private.
        port: the port of the target, but not one that systems give to clients.
        may_be_clients: whether systems give this port to clients, too, and the line does not say
            that it was dialled.
        unread: what could be an address, and is none.
        remarks: texts that may be read in two ways: an address, or a shorter one and its port.
        words: the words that are evidence of a failure; None without one.
        corrected: an address of the line as it should be written, where brackets are missing or
            superfluous; else None.
        clients: the clients of a proxy, which have another connection than the one that failed.
    """

    text: str
    _: KW_ONLY
    own: Address | None
    found: tuple[Address | Prefix | CutOff, ...]
    apps: tuple[Host, ...]
    ends: tuple[Named, ...]
    source: Named | None
    target: Named | None
    port: int | None
    may_be_clients: bool
    unread: tuple[str, ...]
    remarks: tuple[PortOrGroup, ...]
    services: frozenset[NetworkID] = frozenset()
    outside: Host | None = None
    words: Words | None = None
    corrected: str | None = None
    clients: tuple[Named, ...] = ()


class Known:
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

    Of two ends, the first of these rules that holds for one end alone makes it the source; without
    one, the source is the first end: its port is one that systems give to clients, and the other's
    is not; `from`, `src=`, `client:` or `<-` is in front of it; the other has the port of a server;
    it is this Machine.

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
    every_known = Known(known, own)
    places = find_places(text, every_known)
    if not places:
        with suppress(NetworkIDError):
            prefix = NetworkID(text).prefix
            services = _services([prefix], own, name_of)
            return _alone(text, prefix, own, services, _apps(text, ()))
    all_mentions = find_mentions(text, places)
    mentions, of_clients = without_proxys_request(text, all_mentions)
    words = find_words(text)
    remarks = tuple(find_ports_or_groups(text, every_known))
    services = _services([place.value for place in places], own, name_of)
    by_end = group_by_end(text, mentions, services)
    source, target = _in_direction(by_end, own)
    outside = None
    if len(by_end) == 1:
        (only,) = by_end
        outside = find_outside(text, by_end[only])
        if outside is not None:
            source, target = _beside_outside(only, by_end[only], outside, own)
    elif not by_end and len(mentions) < len(all_mentions):  # an upstream, and a client
        outside = find_outside(text, ())
    elif not mentions:
        dialled = find_outside(text, ())
        if dialled is not None and not dialled.is_source:
            outside = dialled
    port = None
    may_be_clients = False
    if target in by_end:
        port, may_be_clients = _port_to_try(by_end[target])
        is_connecting = words is not None and words.phase is Phase.CONNECTING
        if is_connecting and len(by_end) == 1:
            may_be_clients = False  # a connection to the only end failed
    return Line(
        text=text,
        own=own,
        found=tuple(dict.fromkeys(place.value for place in places)),
        apps=_apps(text, mentions),
        ends=tuple(by_end),
        source=source,
        target=target,
        port=port,
        may_be_clients=may_be_clients,
        unread=tuple(find_unread(text, places)),
        remarks=remarks,
        services=services,
        outside=outside.host if outside is not None else None,
        words=words,
        corrected=corrected(text, words, all_mentions, remarks),
        clients=tuple(dict.fromkeys(mention.end for mention in of_clients)),
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
    services = _services([address], own, name_of)
    return _alone(text, address, own, services, remarks=remarks)


def _services(
    found: Sequence[Found],
    own: Address | None,
    name_of: Callable[[NetworkID], str | None] | None,
) -> frozenset[NetworkID]:
    """Return the network IDs, of a text or of this Machine, that are assumed to be services'."""
    network_ids = {entry.network_id for entry in found}
    if own is not None:
        network_ids.add(own.network_id)
    return services_among(network_ids, name_of)


def _alone(
    text: str,
    found: Found,
    own: Address | None,
    services: frozenset[NetworkID],
    apps: tuple[Host, ...] = (),
    remarks: tuple[PortOrGroup, ...] = (),
) -> Line:
    """Return the line for a text that begins with its only end."""
    source, target = _in_direction({found: []}, own)
    return Line(
        text=text,
        own=own,
        found=(found,),
        apps=apps,
        ends=(found,),
        source=source,
        target=target,
        port=None,
        may_be_clients=False,
        unread=(),
        remarks=remarks,
        services=services,
    )


def _apps(text: str, mentions: Sequence[Mention]) -> tuple[Host, ...]:
    """Return the hosts in a text that belong to apps, each app once, with a port if it has one."""
    whole = None
    with suppress(EndError):
        whole = read_host(text.strip())
    hosts = [whole] if whole is not None else [mention.host for mention in mentions]
    apps: dict[str, Host] = {}
    for host in hosts:
        if host is None or host.app is None:
            continue
        if apps.setdefault(host.app, host).port is None:
            apps[host.app] = host
    return tuple(apps.values())


# --- direction ------------------------------------------------------------------------------------


def _in_direction(
    by_end: dict[Named, list[Mention]], own: Address | None
) -> tuple[Named | None, Named | None]:
    """Return the source and the target among the ends of a line, each with its mentions."""
    match list(by_end):
        case [only] if any(mention.is_client for mention in by_end[only]):
            return only, own if only != own else None
        case [only] if only == own:
            return None, only
        case [only]:
            return own, only
        case [first, second]:
            if is_source_first(by_end[first], by_end[second], own):
                return first, second
            return second, first
    return None, None


def _beside_outside(
    end: Named, mentions: Sequence[Mention], outside: Mention, own: Address | None
) -> tuple[Named | None, Named | None]:
    """Return the source and the target, one of which is not private, and so None."""
    if mentions[0].start < outside.start:
        is_source = is_source_first(mentions, [outside], own)
    else:
        is_source = not is_source_first([outside], mentions, own)
    if is_source:
        return end, None
    return None, end


def _port_to_try(mentions: Sequence[Mention]) -> tuple[int | None, bool]:
    """Return the first port of an end that is not a client's, and whether it may be one."""
    for mention in mentions:
        if mention.port is not None and not mention.is_clients:
            return mention.port, mention.may_be_clients
    return None, False
