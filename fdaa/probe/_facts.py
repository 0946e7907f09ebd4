"""What this computer itself knows of a target: its addresses, routes, names and listeners.

Everything is read without privileges. Only for a name that is in /etc/hosts something is sent: the
resolver is asked for it.
"""

from __future__ import annotations

import errno
import socket
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from fdaa._values.address import Address
from fdaa._values.bits import FDAA_BYTES
from fdaa._values.hosts import LOCALHOST
from fdaa.lines import Phase
from fdaa.probe import _system_files as files
from fdaa.probe._connections import HOPS_EXCEEDED, route_to
from fdaa.probe._fact_kinds import FactKind
from fdaa.probe._lookups import ask_resolver
from fdaa.probe._seen import LocalFact
from fdaa.probe._target import any_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from ipaddress import IPv4Address

    from fdaa.probe._own_address import ThisComputer
    from fdaa.probe._seen import Conclusion, Connection
    from fdaa.probe._target import AnyAddress

_LINKS = Path("/sys/class/net")
_SWITCHES = Path("/proc/sys/net/ipv6/conf")
_NO_LINKS = ("all", "default", "lo")  # of the switches
_ETHERNET = "1"  # a type of link (linux/if_arp.h); some tunnels are always down
_IS_UP = ("up", "unknown")  # states of a link; loopback and tunnels have none
_EVERYWHERE = bytes(16)  # [::]


def read_facts(seen: Conclusion, own: ThisComputer) -> tuple[LocalFact, ...]:
    """Return what explains that a target is not open, the most certain first."""
    target = seen.target
    no_failures = (Phase.CONNECTED, Phase.HERE)
    failed = [connection for connection in seen.connections if connection.phase not in no_failures]
    if not failed and seen.unfound is None:
        return ()
    facts: list[LocalFact] = []
    if failed and all(connection.is_here for connection in failed):
        _collect(facts, _loopback_down())
    else:
        _collect(facts, _ipv6_off())
        _collect(facts, _links_down())
    if facts and facts[0].kind is not FactKind.NOT_READ:  # all else follows from that
        return tuple(facts)
    if target.host not in (None, LOCALHOST):  # no resolver has localhost
        _collect(facts, _hosts(seen, failed))
    is_private = any(isinstance(connection.address, Address) for connection in failed)
    if own.on_interface is None and (is_private or target.is_internal):
        facts.append(LocalFact(FactKind.NO_OWN_ADDRESS))
    if seen.unfound is not None:
        _collect(facts, _resolver(is_internal=target.is_internal))
    for connection in failed:
        facts.extend(_reported(connection))
        if connection.is_here:
            _collect(facts, _listeners(connection))
        else:
            facts.extend(_way(connection, own))
    return tuple(dict.fromkeys(facts))


def _collect(facts: list[LocalFact], found: Iterable[LocalFact]) -> None:
    """Append what is found, and at the end what could not be read; a missing file is empty."""
    try:
        facts.extend(found)
    except FileNotFoundError:
        pass
    except OSError as error:
        detail = f"{error.filename} ({error.strerror})"
        facts.append(LocalFact(FactKind.NOT_READ, detail=detail))


# --- the way --------------------------------------------------------------------------------------


def _ipv6_off() -> Iterator[LocalFact]:
    """Yield that this system has no IPv6, or that it is off on all interfaces but loopback."""
    try:
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).close()
    except OSError as error:
        if error.errno == errno.EAFNOSUPPORT:
            yield LocalFact(FactKind.IPV6_OFF, detail=error.strerror or "")
        return
    switches: set[str] = set()
    for directory in _SWITCHES.iterdir():
        if directory.name not in _NO_LINKS:
            with suppress(FileNotFoundError):  # the interface is gone
                switches.add((directory / "disable_ipv6").read_text().strip())
    if switches == {"1"}:
        yield LocalFact(FactKind.IPV6_OFF)


def _links_down() -> Iterator[LocalFact]:
    """Yield the interfaces that are down, or have no carrier, if no other one is up."""
    down = []
    for directory in sorted(_LINKS.iterdir()):
        if directory.name == "lo":
            continue
        if (directory / "operstate").read_text().strip() in _IS_UP:
            return
        if (directory / "type").read_text().strip() == _ETHERNET:
            down.append(directory.name)
    for name in down:
        yield LocalFact(FactKind.INTERFACE_DOWN, detail=name)


def _loopback_down() -> Iterator[LocalFact]:
    """Yield that the loopback interface is down: packets to the own addresses take it."""
    state = _LINKS / "lo" / "operstate"
    if state.read_text().strip() not in _IS_UP:
        yield LocalFact(FactKind.INTERFACE_DOWN, detail="lo")


def _reported(connection: Connection) -> Iterator[LocalFact]:
    """Yield what an ICMPv6 message shows: who rejects a connection, or who cannot deliver it.

    A closed port answers by TCP, so a message that refuses a connection is a firewall's.
    """
    sender = connection.reported_by
    if sender is None:
        return
    if connection.phase in (Phase.NOT_SENT, Phase.REFUSED):
        kind = FactKind.REJECTED
    elif connection.is_own_report:
        kind = FactKind.NEXT_HOP_SILENT
    elif connection.error == HOPS_EXCEEDED:
        kind = FactKind.HOPS_EXCEEDED
    else:
        return  # what it says is no cause
    place = str(sender)
    if sender == connection.source:
        place = "this computer"
    elif sender == connection.address:
        place = "the target itself"
    detail = f"{place} sent '{connection.error}'"
    yield LocalFact(kind, detail=detail, address=connection.address)


def _way(connection: Connection, own: ThisComputer) -> Iterator[LocalFact]:
    """Yield why nothing was sent, or that another source than the own address is used."""
    address = connection.address
    source = connection.source
    if connection.phase is Phase.NOT_SENT and connection.reported_by is None:
        no_route = _no_route(address)
        yield from no_route
        if not no_route:
            yield LocalFact(FactKind.NO_FREE_PORT, address=address)
        return
    is_private = isinstance(address, Address) and own.on_interface is not None
    if is_private and not isinstance(source, Address | None):
        detail = str(source)
        yield LocalFact(FactKind.OTHER_SOURCE, detail=detail, address=address)


def _no_route(address: AnyAddress) -> list[LocalFact]:
    """Return that there is no route to an address, or nothing."""
    try:
        route_to(address)
    except OSError as error:
        detail = error.strerror or ""
        return [LocalFact(FactKind.NO_ROUTE, detail=detail, address=address)]
    return []


# --- names ----------------------------------------------------------------------------------------


def _hosts(seen: Conclusion, failed: list[Connection]) -> Iterator[LocalFact]:
    """Yield the lines of /etc/hosts that were used, and are not what the first resolver says."""
    host = seen.target.host or ""
    lines = files.hosts_lines(host)
    used: list[AnyAddress | IPv4Address] = [connection.address for connection in failed]
    if seen.unfound is not None:
        used.extend(seen.unfound.ipv4)
    used_lines = [address for address in dict.fromkeys(used) if address.packed in lines]
    if not used_lines:
        return
    answer = None
    for resolver in files.resolvers()[0][:1]:
        answer = ask_resolver(host, resolver)
    found = "no answer"
    if answer is not None:
        found = ", ".join(str(ip_address(packed)) for packed in sorted(answer))
    for address in used_lines:
        if answer is None or address.packed not in answer:
            line = lines[address.packed]
            detail = f"line {line}, but the resolver has {found or 'no IPv6 address'}"
            yield LocalFact(FactKind.IN_HOSTS, detail=detail, address=address)


def _resolver(*, is_internal: bool) -> Iterator[LocalFact]:
    """Yield what is wrong with the resolver that is asked for a name."""
    addresses, reason = files.resolvers()
    if reason:
        yield LocalFact(FactKind.NO_RESOLVER, detail=reason)
        return
    for address in addresses:
        if isinstance(address, IPv6Address) and not address.is_link_local:  # that needs its link
            yield from _no_route(any_address(str(address)))
    # That of the platform has a private address; one on this computer may ask it.
    known = [each.is_loopback or each.packed.startswith(FDAA_BYTES) for each in addresses]
    if is_internal and not any(known):
        detail = ", ".join(map(str, addresses))
        yield LocalFact(FactKind.RESOLVER_PUBLIC, detail=detail)


# --- who listens here -----------------------------------------------------------------------------


def _listeners(connection: Connection) -> Iterator[LocalFact]:
    """Yield who listens on a port of this computer; without a port, what others cannot reach."""
    address = connection.address
    port = connection.target.port
    tcp = files.listeners()
    if port is None:
        elsewhere: list[str] = []
        for number, places in sorted(tcp.items()):
            if places.keys().isdisjoint((address.packed, _EVERYWHERE)):
                elsewhere.extend(_places(number, places))
        if elsewhere:
            detail = ", ".join(elsewhere)
            yield LocalFact(FactKind.LISTENS_ELSEWHERE, detail=detail)
        return
    here = tcp.get(port, {})
    waiting = here.get(address.packed, here.get(_EVERYWHERE))
    detail = ""
    if waiting:
        kind = FactKind.NOT_ACCEPTED
        detail = str(waiting)
    elif waiting is not None:
        kind = FactKind.LISTENS_HERE
    elif here:
        kind = FactKind.LISTENS_ELSEWHERE
        detail = ", ".join(_places(port, here))
    else:
        kind = FactKind.NOT_LISTENING
    yield LocalFact(kind, detail=detail, address=address)


def _places(port: int, packed_addresses: Iterable[bytes]) -> Iterator[str]:
    """Yield each address with a port; an IPv4 address in an IPv6 socket as what it is."""
    for packed in sorted(packed_addresses):
        address = ip_address(packed)
        if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
            yield f"[{address}]:{port}"
        else:
            yield f"{getattr(address, 'ipv4_mapped', None) or address}:{port}"
