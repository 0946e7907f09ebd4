"""What this computer itself knows of a target: its route, interface, next hop, and its files.

Everything is read without privileges, and nothing is sent. What cannot be read is in the result.
"""

from __future__ import annotations

import errno
import socket
import sys
from ipaddress import IPv6Address, ip_address
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from fdaa._values.bits import FDAA_BYTES
from fdaa.lines import Circumstance, Evidence
from fdaa.probe import _netlink as netlink
from fdaa.probe import _system_files as files
from fdaa.probe._check import Check
from fdaa.probe._netlink import LinkFlag, NeighbourState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fdaa.probe._netlink import Link, Route
    from fdaa.probe._observations import Connection, Lookup

    # Of a name: packed address -> the number of its line in /etc/hosts.
    HostsLines: TypeAlias = Callable[[str], dict[bytes, int]]

_GET_ROUTE = "rtnetlink RTM_GETROUTE"
_GET_LINK = "rtnetlink RTM_GETLINK"
_GET_NEIGHBOUR = "rtnetlink RTM_GETNEIGH"
_GET_QUEUES = "sock_diag SOCK_DIAG_BY_FAMILY"

# Errors of a request for a route that say that there is none, or that it discards packets.
_NO_ROUTE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EINVAL, errno.EACCES)

_LONG = 0.5  # seconds; a neighbour responds sooner

_ENOUGH = 64  # hops; ways are shorter, and systems start with this number at least

# Tunnels that the system makes by itself, and that are down (linux/if_arp.h).
_FALLBACK_TUNNELS = (768, 769, 776, 778, 823)


def check_lookup(lookup: Lookup, hosts_lines: HostsLines) -> tuple[Check, ...]:
    """Return what this computer knows of a lookup without an IPv6 address."""
    checks: list[Check] = []
    if lookup.evidence is Evidence.LOOKUP_NOT_TRIED:
        return ()
    if lookup.evidence is Evidence.IPV4_ONLY:
        packed = [address.packed for address in lookup.ipv4]
        _collect(checks, files.HOSTS, _hosts_line(hosts_lines, lookup.host, packed))
    _collect(checks, files.ORDER, _whom_it_asks())
    if lookup.evidence in (Evidence.RESOLVER_FAILED, Evidence.RESOLVER_TIMED_OUT):
        _collect(checks, files.SETTINGS, _ipv6())
        _collect(checks, _GET_ROUTE, _ways_to_resolvers(lookup.seconds))
    else:
        _collect(checks, files.RESOLVERS, _kind_of_resolvers())
    return tuple(checks)


def check_connection(connection: Connection, hosts_lines: HostsLines) -> tuple[Check, ...]:
    """Return what this computer knows of a connection that is not open."""
    checks: list[Check] = []
    address = connection.address
    evidence = connection.evidence
    if evidence is Evidence.NOT_TRIED:
        return ()
    if evidence in (Evidence.NO_ROUTE, Evidence.NO_SOURCE_ADDRESS):
        _collect(checks, files.SETTINGS, _ipv6())
    is_loopback = isinstance(address, IPv6Address) and address.is_loopback
    if connection.is_here or is_loopback:
        _collect(checks, _GET_LINK, _loopback())
        port = connection.target.port
        if port is None and address.packed.startswith(FDAA_BYTES):
            _collect(checks, files.SOCKETS, _ports_elsewhere(address.packed))
        elif port is not None and evidence is Evidence.REFUSED:
            _collect(checks, files.SOCKETS, _listeners(address.packed, port))
        elif port is not None and evidence in (Evidence.TIMED_OUT, Evidence.RESET):
            _collect(checks, _GET_QUEUES, _accept_queue(address.packed, port))
    else:
        way = _way(address.packed, _source_of(connection), connection.seconds)
        _collect(checks, _GET_ROUTE, way)
    if evidence is Evidence.HOP_LIMIT_EXCEEDED:
        _collect(checks, files.SETTINGS, _hop_limit(address.packed))
    if connection.target.host is not None:
        line = _hosts_line(hosts_lines, connection.target.host, [address.packed])
        _collect(checks, files.HOSTS, line)
    return tuple(checks)


def _collect(checks: list[Check], origin: object, found: Iterable[Check]) -> None:
    """Append what is found, and at the end what could not be read: a file, or else the origin."""
    try:
        checks.extend(found)
    except OSError as error:
        place = str(error.filename or origin)
        unread = Check(Circumstance.NOT_READ, origin=place, detail=error.strerror or str(error))
        if unread not in checks:
            checks.append(unread)


def _source_of(connection: Connection) -> bytes | None:
    """Return the packed source, which may decide the route; not one that is of a link only."""
    source = connection.source
    if source is None or (isinstance(source, IPv6Address) and source.is_link_local):
        return None
    return source.packed


# --- the way --------------------------------------------------------------------------------------


def _way(address: bytes, source: bytes | None, waited: float) -> Iterator[Check]:
    """Yield the interface and the next hop on the way to a packed address.

    Args:
        address: the address.
        source: the address that packets come from; None for any.
        waited: the seconds since a packet was sent.
    """
    route = _route(address, source)
    if route is None:
        yield from _all_interfaces()
        return
    link = netlink.link(route.interface)
    state = _state_of(link)
    yield state
    has_neighbours = not route.is_local and LinkFlag.NO_NEIGHBOURS not in link.flags
    if state.found is Circumstance.LINK_UP and has_neighbours:
        yield _next_hop(route, address, waited)


def _route(address: bytes, source: bytes | None) -> Route | None:
    """Return the route to an address; None if there is none, or one that discards packets."""
    _need_netlink()
    try:
        return netlink.route_to(address, source)
    except OSError as error:
        if error.errno in _NO_ROUTE:
            return None
        raise


def _need_netlink() -> None:
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, f"{sys.platform} does not have netlink")


def _all_interfaces() -> Iterator[Check]:
    """Yield whether all interfaces are up, or all are down; nothing if some are."""
    up = []
    down = []
    for number, _ in socket.if_nameindex():
        link = netlink.link(number)
        if LinkFlag.LOOPBACK in link.flags or link.kind in _FALLBACK_TUNNELS:
            continue
        state = _state_of(link)
        if state.found is Circumstance.LINK_UP:
            up.append(state)
        else:
            down.append(state)
    if not down or not up:
        yield from up
        yield from down


def _state_of(link: Link) -> Check:
    if LinkFlag.UP not in link.flags:
        return Check(Circumstance.LINK_DOWN, origin=_GET_LINK, detail=link.name)
    if LinkFlag.CARRIER not in link.flags:
        return Check(Circumstance.NO_CARRIER, origin=_GET_LINK, detail=link.name)
    return Check(Circumstance.LINK_UP, origin=_GET_LINK, detail=link.name)


def _next_hop(route: Route, address: bytes, waited: float) -> Check:
    """Return whether the next hop responds to neighbour discovery; it may be the target itself."""
    hop = address if route.gateway is None else route.gateway
    try:
        state = netlink.neighbour(route.interface, hop)
    except FileNotFoundError:
        state = NeighbourState(0)  # nothing was sent to it
    is_silent = NeighbourState.FAILED in state
    if NeighbourState.INCOMPLETE in state:
        is_silent = waited >= _LONG
    found = Circumstance.NEXT_HOP_UNKNOWN
    if NeighbourState.REACHABLE in state:
        found = Circumstance.NEXT_HOP_RESPONDS
    elif is_silent:
        found = Circumstance.NEXT_HOP_SILENT
    if route.gateway is None:
        return Check(_ON_THE_LINK[found], origin=_GET_NEIGHBOUR)
    return Check(found, origin=_GET_NEIGHBOUR, detail=str(ip_address(hop)))


_ON_THE_LINK = {
    Circumstance.NEXT_HOP_UNKNOWN: Circumstance.TARGET_UNKNOWN,
    Circumstance.NEXT_HOP_RESPONDS: Circumstance.TARGET_RESPONDS,
    Circumstance.NEXT_HOP_SILENT: Circumstance.TARGET_SILENT,
}


def _hop_limit(address: bytes) -> Iterator[Check]:
    """Yield whether packets to an address start with enough hops."""
    route = _route(address, None)
    if route is None:
        return
    limit = route.hop_limit
    origin = _GET_ROUTE
    if not limit:
        name = netlink.link(route.interface).name
        limit = files.hop_limit(name)
        origin = f"{files.SETTINGS}/{name}/hop_limit"
    is_enough = limit >= _ENOUGH
    found = Circumstance.LARGE_HOP_LIMIT if is_enough else Circumstance.SMALL_HOP_LIMIT
    yield Check(found, origin=origin, detail=str(limit))


# --- this computer --------------------------------------------------------------------------------


def _loopback() -> Iterator[Check]:
    """Yield whether the loopback interface is up: packets to the own addresses take it."""
    _need_netlink()
    for number, _ in socket.if_nameindex():
        link = netlink.link(number)
        if LinkFlag.LOOPBACK in link.flags:
            is_up = LinkFlag.UP in link.flags
            found = Circumstance.LOOPBACK_UP if is_up else Circumstance.LOOPBACK_DOWN
            yield Check(found, origin=_GET_LINK, detail=link.name)


def _ipv6() -> Iterator[Check]:
    """Yield whether IPv6 is switched on, or off, for each interface but loopback.

    Nothing if for some, or without one. `all` is the last value that was set for all of them.
    """
    switches = files.disable_ipv6()
    for name in ("all", "default", "lo"):
        switches.pop(name, None)
    origin = f"{files.SETTINGS}/*/disable_ipv6"
    if not switches:
        return
    if not any(switches.values()):
        yield Check(Circumstance.IPV6_ON, origin=origin)
    elif all(switches.values()):
        yield Check(Circumstance.IPV6_OFF, origin=origin)


def _listeners(address: bytes, port: int) -> Iterator[Check]:
    """Yield who listens on a port of this computer, at an address of it."""
    tcp = files.listeners("tcp6").get(port, set())
    if address in tcp or _EVERYWHERE in tcp:
        yield Check(Circumstance.LISTENS_HERE, origin=f"{files.SOCKETS}/tcp6")
    elif tcp:
        yield Check(
            Circumstance.LISTENS_ELSEWHERE, origin=f"{files.SOCKETS}/tcp6", detail=_listed(tcp)
        )
    elif tcp4 := files.listeners("tcp").get(port):
        yield Check(
            Circumstance.LISTENS_ELSEWHERE, origin=f"{files.SOCKETS}/tcp", detail=_listed(tcp4)
        )
    elif port in files.listeners("udp6") or port in files.listeners("udp"):
        yield Check(Circumstance.LISTENS_FOR_UDP, origin=f"{files.SOCKETS}/udp6")
    else:
        yield Check(Circumstance.NOT_LISTENING, origin=f"{files.SOCKETS}/tcp6")


def _ports_elsewhere(address: bytes) -> Iterator[Check]:
    """Yield the ports on which programs of this computer listen, but not at an address of it."""
    everywhere: dict[int, set[bytes]] = {}
    for port, addresses in chain(files.listeners("tcp6").items(), files.listeners("tcp").items()):
        everywhere.setdefault(port, set()).update(addresses)
    places: list[str] = []
    for port, addresses in sorted(everywhere.items()):
        if addresses.isdisjoint((address, _EVERYWHERE)):
            places.extend(_place(packed, port) for packed in sorted(addresses))
    if places:
        yield Check(
            Circumstance.PORTS_ELSEWHERE, origin=f"{files.SOCKETS}/tcp", detail=", ".join(places)
        )


def _accept_queue(address: bytes, port: int) -> Iterator[Check]:
    """Yield whether the accept queue of the program that listens at an address has room."""
    _need_netlink()
    for queue in netlink.accept_queues(port):
        if queue.address in (address, _EVERYWHERE):
            has_room = queue.waiting <= queue.limit
            yield Check(
                Circumstance.ACCEPT_QUEUE_HAS_ROOM if has_room else Circumstance.ACCEPT_QUEUE_FULL,
                origin=_GET_QUEUES,
                detail=f"Recv-Q {queue.waiting}, Send-Q {queue.limit}",
            )


_EVERYWHERE = bytes(16)  # [::]


def _place(packed: bytes, port: int) -> str:
    """Return an address and a port; an IPv4 address in an IPv6 socket as what it is."""
    address = ip_address(packed)
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return f"[{address}]:{port}"
        address = address.ipv4_mapped
    return f"{address}:{port}"


def _listed(addresses: set[bytes]) -> str:
    return ", ".join(str(ip_address(packed)) for packed in sorted(addresses)[:3])


# --- lookups --------------------------------------------------------------------------------------


def _hosts_line(hosts_lines: HostsLines, host: str, addresses: list[bytes]) -> Iterator[Check]:
    """Yield the first line of /etc/hosts that has a name with one of these packed addresses."""
    lines = hosts_lines(host)
    numbers = [lines[packed] for packed in addresses if packed in lines]
    if numbers:
        place = f"{files.HOSTS} line {min(numbers)}"
        yield Check(Circumstance.IN_HOSTS, origin=place, detail=place)


def _whom_it_asks() -> Iterator[Check]:
    """Yield whether a lookup asks a resolver, for IPv6 addresses too."""
    if not files.asks_a_resolver():
        yield Check(
            Circumstance.ASKS_NO_RESOLVER, origin=str(files.ORDER), detail=f"hosts in {files.ORDER}"
        )
    elif files.resolvers().has_no_aaaa:
        yield Check(
            Circumstance.ASKS_NO_RESOLVER, origin=str(files.RESOLVERS), detail="the option no-aaaa"
        )
    else:
        yield Check(Circumstance.ASKS_RESOLVER, origin=str(files.ORDER))


def _kind_of_resolvers() -> Iterator[Check]:
    """Yield what all resolvers are: private addresses, or this computer's."""
    addresses = files.resolvers().addresses
    listed = _listed(set(addresses))
    if not addresses:
        yield Check(Circumstance.NO_RESOLVER, origin=str(files.RESOLVERS))
    elif all(packed.startswith(FDAA_BYTES) for packed in addresses):
        yield Check(Circumstance.RESOLVER_PRIVATE, origin=str(files.RESOLVERS), detail=listed)
    elif all(ip_address(packed).is_loopback for packed in addresses):
        yield Check(Circumstance.RESOLVER_HERE, origin=str(files.RESOLVERS), detail=listed)
    else:
        others = {packed for packed in addresses if not packed.startswith(FDAA_BYTES)}
        yield Check(
            Circumstance.RESOLVER_PUBLIC, origin=str(files.RESOLVERS), detail=_listed(others)
        )


def _ways_to_resolvers(waited: float) -> Iterator[Check]:
    """Yield what is so on the way to each of the resolvers, some seconds after they were asked."""
    addresses = files.resolvers().addresses
    if not addresses:
        yield Check(Circumstance.NO_RESOLVER, origin=str(files.RESOLVERS))
        return
    ways = []
    for packed in addresses:
        way = list(_way(packed, None, waited))
        if _route(packed, None) is None:
            resolver = str(ip_address(packed))
            way.append(Check(Circumstance.RESOLVER_UNROUTED, origin=_GET_ROUTE, detail=resolver))
        ways.append(way)
    for check in ways[0]:
        if all(check.found in [other.found for other in way] for way in ways):
            yield check
