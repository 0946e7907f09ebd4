"""What this computer itself knows of a target: its addresses, routes, names and listeners.

Everything is read without privileges. Only for a name that is in /etc/hosts something is sent: the
resolver is asked for it.
"""

from __future__ import annotations

import errno
import socket
from collections import defaultdict
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
    from fdaa.probe._seen import Connection, Lookup
    from fdaa.probe._target import AnyAddress, Target

_ADDRESSES = "/proc/net/if_inet6"
_LINKS = Path("/sys/class/net")
_ROUTE = "a UDP socket's connect()"
_MESSAGE = "an ICMPv6 message"
_ROOTS = (FactKind.IPV6_OFF, FactKind.INTERFACE_DOWN)
# Loopback, and tunnels that the system makes by itself, which are down (linux/if_arp.h).
_NO_LINKS = ("772", "768", "769", "776", "778", "823")
_EVERYWHERE = bytes(16)  # [::]


def read_facts(
    target: Target, own: ThisComputer, lookup: Lookup | None, made: list[Connection]
) -> tuple[LocalFact, ...]:
    """Return what explains that a target is not open, the most certain first."""
    no_failures = (Phase.CONNECTED, Phase.HERE)
    failed = [connection for connection in made if connection.phase not in no_failures]
    is_unfound = lookup is not None and not lookup.addresses
    if not failed and not is_unfound:
        return ()
    facts: list[LocalFact] = []
    if target.host is not None:
        _collect(facts, _hosts(target.host, lookup, failed))
    _collect(facts, _own_address(target, own, failed))
    nothing_sent = any(connection.phase is Phase.NOT_SENT for connection in failed)
    if nothing_sent or is_unfound:
        _collect(facts, _ipv6_off())
    if is_unfound:
        _collect(facts, _resolver(is_internal=target.is_internal))
    if is_unfound or not all(connection.is_here for connection in failed):
        _collect(facts, _links_down())
    for connection in failed:
        _collect(facts, _reported(connection))
        if connection.is_here or connection.address == own.on_interface:
            _collect(facts, _listeners(connection))
        elif connection.reported_by is None:
            _collect(facts, _route(connection, own))
    roots = [fact for fact in facts if fact.kind in _ROOTS]  # the others follow from them
    return tuple(dict.fromkeys(roots or facts))


def _collect(facts: list[LocalFact], found: Iterable[LocalFact]) -> None:
    """Append what is found, and at the end what could not be read; a missing file is empty."""
    try:
        facts.extend(found)
    except FileNotFoundError:
        pass
    except OSError as error:
        place = str(error.filename)
        detail = error.strerror or str(error)
        facts.append(LocalFact(FactKind.NOT_READ, origin=place, detail=detail))


# --- the way --------------------------------------------------------------------------------------


def _own_address(
    target: Target, own: ThisComputer, failed: list[Connection]
) -> Iterator[LocalFact]:
    """Yield what is wrong with the address that a private one is connected from."""
    is_private = any(isinstance(connection.address, Address) for connection in failed)
    if not (is_private or target.is_internal):
        return
    if own.on_interface is None:
        yield LocalFact(FactKind.NO_OWN_ADDRESS, origin=_ADDRESSES)
    if own.elsewhere:
        detail = str(own.platform_private_ip)
        yield LocalFact(FactKind.NOT_ON_INTERFACE, origin=_ADDRESSES, detail=detail)
    if own.unusable is not None:
        yield LocalFact(FactKind.OWN_ADDRESS_UNUSABLE, origin=_ADDRESSES, detail=own.unusable)


def _ipv6_off() -> Iterator[LocalFact]:
    """Yield that this system has no IPv6, or that it is off on all interfaces but loopback."""
    try:
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).close()
    except OSError as error:
        if error.errno == errno.EAFNOSUPPORT:
            yield LocalFact(FactKind.IPV6_OFF, origin="socket()", detail=error.strerror or "")
        return
    switches = files.disable_ipv6()
    for name in ("all", "default", "lo"):
        switches.pop(name, None)
    if switches and all(switches.values()):
        yield LocalFact(FactKind.IPV6_OFF, origin=f"{files.SETTINGS}/*/disable_ipv6")


def _links_down() -> Iterator[LocalFact]:
    """Yield the interfaces that are down, or have no carrier, if no other one is up."""
    down = []
    for directory in sorted(_LINKS.iterdir()):
        if (directory / "type").read_text().strip() in _NO_LINKS:
            continue
        try:
            is_up = (directory / "carrier").read_text().strip() == "1"
        except OSError as error:
            if error.errno != errno.EINVAL:  # it is down
                raise
            is_up = False
        if is_up:
            return
        down.append(directory.name)
    for name in down:
        yield LocalFact(FactKind.INTERFACE_DOWN, origin=f"{_LINKS}/{name}/carrier", detail=name)


def _reported(connection: Connection) -> Iterator[LocalFact]:
    """Yield what an ICMPv6 message shows: who rejects a connection, or who cannot deliver it.

    A closed port answers by TCP, so a message that refuses a connection is a firewall's.
    """
    sender = connection.reported_by
    if sender is None:
        return
    if connection.phase is Phase.NOT_SENT:
        kind = FactKind.REJECTED_HERE
    elif connection.is_own_report:
        kind = FactKind.NEXT_HOP_SILENT
    elif connection.phase is Phase.REFUSED:
        kind = FactKind.REJECTED
    elif connection.error == HOPS_EXCEEDED:
        kind = FactKind.HOPS_EXCEEDED
    else:
        return  # what it says is no cause
    place = str(sender)
    if connection.is_here:
        place = "this computer"
    elif sender == connection.address:
        place = "the target itself"
    detail = f"{place} sent '{connection.error}'"
    yield LocalFact(kind, origin=_MESSAGE, detail=detail, address=connection.address)


def _route(connection: Connection, own: ThisComputer) -> Iterator[LocalFact]:
    """Yield whether there is no route to an address, or one from another source."""
    address = connection.address
    try:
        source = route_to(address)
    except OSError as error:
        detail = error.strerror or ""
        yield LocalFact(FactKind.NO_ROUTE, origin=_ROUTE, detail=detail, address=address)
        return
    if connection.phase is Phase.NOT_SENT:
        yield LocalFact(FactKind.NO_FREE_PORT, origin=_ROUTE, address=address)
    has_own = isinstance(address, Address) and own.on_interface is not None
    if has_own and not isinstance(source, Address):
        yield LocalFact(FactKind.OTHER_SOURCE, origin=_ROUTE, detail=str(source), address=address)


# --- names ----------------------------------------------------------------------------------------


def _hosts(host: str, lookup: Lookup | None, failed: list[Connection]) -> Iterator[LocalFact]:
    """Yield the lines of /etc/hosts that were used, and are not what the first resolver says."""
    if host == LOCALHOST:  # no resolver has it
        return
    lines = files.hosts_lines(host)
    used: list[AnyAddress | IPv4Address] = [connection.address for connection in failed]
    if lookup is not None and not lookup.addresses:
        used.extend(lookup.ipv4)
    used_lines = [address for address in dict.fromkeys(used) if address.packed in lines]
    if not used_lines:
        return
    resolvers, _ = files.resolvers()
    answer = None
    if resolvers:
        answer = ask_resolver(host, resolvers[0])
    detail = "no answer"
    if answer is not None:
        found = [str(ip_address(packed)) for packed in sorted(answer)]
        detail = ", ".join(found) or "no IPv6 address"
    for address in used_lines:
        if answer is None or address.packed not in answer:
            place = f"{files.HOSTS} line {lines[address.packed]}"
            yield LocalFact(FactKind.IN_HOSTS, origin=place, detail=detail, address=address)


def _resolver(*, is_internal: bool) -> Iterator[LocalFact]:
    """Yield what is wrong with the resolver that is asked for a name."""
    if not files.asks_a_resolver():
        detail = f"hosts in {files.ORDER}"
        yield LocalFact(FactKind.ASKS_NO_RESOLVER, origin=str(files.ORDER), detail=detail)
        return
    addresses, has_no_aaaa = files.resolvers()
    origin = str(files.RESOLVERS)
    if has_no_aaaa:
        yield LocalFact(FactKind.ASKS_NO_RESOLVER, origin=origin, detail="the option no-aaaa")
    if not addresses:
        yield LocalFact(FactKind.NO_RESOLVER, origin=origin)
        return
    for address in addresses:
        if isinstance(address, IPv6Address):
            try:
                route_to(any_address(str(address)))
            except OSError:
                yield LocalFact(FactKind.RESOLVER_UNROUTED, origin=_ROUTE, detail=str(address))
    # That of the platform has a private address; one on this computer may ask it.
    known = [each.is_loopback or each.packed.startswith(FDAA_BYTES) for each in addresses]
    if is_internal and not any(known):
        detail = ", ".join(map(str, addresses))
        yield LocalFact(FactKind.RESOLVER_PUBLIC, origin=origin, detail=detail)


# --- who listens here -----------------------------------------------------------------------------


def _listeners(connection: Connection) -> Iterator[LocalFact]:
    """Yield who listens on a port of this computer; without a port, what others cannot reach."""
    address = connection.address
    port = connection.target.port
    origin = str(files.SOCKETS)
    tcp: defaultdict[int, dict[bytes, int]] = defaultdict(dict)
    for protocol in ("tcp6", "tcp"):
        for number, places in files.listeners(protocol).items():
            tcp[number].update(places)
    others_reach = {address.packed, _EVERYWHERE}
    if port is None:
        elsewhere: list[str] = []
        for number, places in sorted(tcp.items()):
            if others_reach.isdisjoint(places):
                elsewhere.extend(_places(number, places))
        if elsewhere:
            detail = ", ".join(elsewhere)
            yield LocalFact(FactKind.LISTENS_ELSEWHERE, origin=origin, detail=detail)
        return
    here = tcp[port]
    waiting = here.get(address.packed, here.get(_EVERYWHERE))
    detail = ""
    if waiting:
        kind = FactKind.NOT_ACCEPTED
        detail = str(waiting)
    elif waiting is not None:
        yield from _loopback_down(connection)
        kind = FactKind.LISTENS_HERE
    elif here:
        kind = FactKind.LISTENS_ELSEWHERE
        detail = ", ".join(_places(port, here))
    elif port in files.listeners("udp6") or port in files.listeners("udp"):
        kind = FactKind.LISTENS_FOR_UDP
    else:
        kind = FactKind.NOT_LISTENING
    yield LocalFact(kind, origin=origin, detail=detail, address=address)


def _loopback_down(connection: Connection) -> Iterator[LocalFact]:
    """Yield that the loopback interface is down: packets to the own addresses take it."""
    state = _LINKS / "lo" / "operstate"
    if connection.phase is Phase.SILENT and state.read_text().strip() == "down":
        yield LocalFact(FactKind.INTERFACE_DOWN, origin=str(state), detail="lo")


def _places(port: int, packed_addresses: Iterable[bytes]) -> Iterator[str]:
    """Yield each address with a port; an IPv4 address in an IPv6 socket as what it is."""
    for packed in sorted(packed_addresses):
        address = ip_address(packed)
        if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
            yield f"[{address}]:{port}"
        else:
            yield f"{getattr(address, 'ipv4_mapped', None) or address}:{port}"
