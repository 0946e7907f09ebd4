"""What this computer itself knows of a target: its addresses, routes, names and listeners.

Everything is read without privileges. Only for a name that is in /etc/hosts something is sent: the
resolver is asked for it.
"""

from __future__ import annotations

import errno
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from fdaa._values.address import Address
from fdaa._values.bits import FDAA_BYTES
from fdaa.lines import Phase
from fdaa.probe import _system_files as files
from fdaa.probe._attempts import ask_resolver, route_to
from fdaa.probe._seen import FactKind, LocalFact
from fdaa.probe._target import any_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.probe._own_address import ThisComputer
    from fdaa.probe._seen import Connection, Lookup
    from fdaa.probe._target import Target

_LINKS = Path("/sys/class/net")
_ROOTS = (FactKind.IPV6_OFF, FactKind.INTERFACE_DOWN)
# Loopback, and tunnels that the system makes by itself, which are down (linux/if_arp.h).
_NO_LINKS = ("772", "768", "769", "776", "778", "823")
_ROUTE = "a UDP socket's connect()"
_EVERYWHERE = bytes(16)  # [::]


def read_facts(
    target: Target, own: ThisComputer, lookup: Lookup | None, made: list[Connection]
) -> tuple[LocalFact, ...]:
    """Return what explains that a target is not open, the most certain first."""
    no_failures = (Phase.CONNECTED, Phase.HERE)
    failed = [connection for connection in made if connection.phase not in no_failures]
    is_looked_up = lookup is not None and not lookup.addresses and lookup.phase is Phase.LOOKUP
    if not failed and not is_looked_up:
        return ()
    facts: list[LocalFact] = []
    if target.host is not None:
        _collect(facts, files.HOSTS, _hosts(target.host, lookup, failed))
    _collect(facts, "/proc/net/if_inet6", _own_address(target, own, failed))
    nothing_sent = any(connection.phase is Phase.NOT_SENT for connection in failed)
    if nothing_sent or is_looked_up:
        _collect(facts, files.SETTINGS, _ipv6_off())
    if is_looked_up:
        _collect(facts, files.RESOLVERS, _resolver(is_internal=target.is_internal))
    if any(not connection.is_here for connection in failed) or is_looked_up:
        _collect(facts, _LINKS, _links_down())
    for connection in failed:
        if connection.is_here or _is_own(connection, own):
            _collect(facts, files.SOCKETS, _listeners(connection))
        else:
            facts.extend(_route(connection, own))
    roots = [fact for fact in facts if fact.kind in _ROOTS]  # the others follow from them
    return tuple(dict.fromkeys(roots or facts))


def _collect(facts: list[LocalFact], origin: object, found: Iterable[LocalFact]) -> None:
    """Append what is found, and at the end what could not be read."""
    try:
        facts.extend(found)
    except OSError as error:
        place = str(error.filename or origin)
        facts.append(
            LocalFact(FactKind.NOT_READ, origin=place, detail=error.strerror or str(error))
        )


def _is_own(connection: Connection, own: ThisComputer) -> bool:
    return own.interface is not None and connection.address == own.address


def _own_address(
    target: Target, own: ThisComputer, failed: list[Connection]
) -> Iterator[LocalFact]:
    """Yield what is wrong with the address that a private one is connected from."""
    is_private = any(isinstance(connection.address, Address) for connection in failed)
    if not (is_private or target.is_internal):
        return
    origin = "/proc/net/if_inet6"
    if own.on_interface is None:
        yield LocalFact(FactKind.NO_OWN_ADDRESS, origin=origin)
    if own.elsewhere:
        detail = str(own.platform_private_ip)
        yield LocalFact(FactKind.NOT_ON_INTERFACE, origin=origin, detail=detail)
    if own.unusable is not None:
        yield LocalFact(FactKind.OWN_ADDRESS_UNUSABLE, origin=origin, detail=own.unusable)


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


def _ipv6_off() -> Iterator[LocalFact]:
    """Yield that IPv6 is switched off on all interfaces but loopback."""
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


# --- names ----------------------------------------------------------------------------------------


def _hosts(host: str, lookup: Lookup | None, failed: list[Connection]) -> Iterator[LocalFact]:
    """Yield the lines of /etc/hosts that were used, and are not what the first resolver says."""
    lines = files.hosts_lines(host)
    ipv4 = lookup.ipv4 if lookup is not None and not lookup.addresses else ()
    used = dict.fromkeys((*(connection.address for connection in failed), *ipv4))
    used_lines = [address for address in used if address.packed in lines]
    if not used_lines:
        return
    resolvers, _ = files.resolvers()
    answer = ask_resolver(host, resolvers[0]) if resolvers else None
    for address in used_lines:
        if answer is None or address.packed not in answer:
            found = ", ".join(str(ip_address(packed)) for packed in sorted(answer or ()))
            yield LocalFact(
                FactKind.IN_HOSTS,
                origin=f"{files.HOSTS} line {lines[address.packed]}",
                detail=found or ("no address" if answer is not None else "no response"),
                address=address,
            )


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
    for packed in addresses:
        address = ip_address(packed)
        if not isinstance(address, IPv6Address):
            continue
        try:
            route_to(any_address(str(address)))
        except OSError:
            yield LocalFact(FactKind.RESOLVER_UNROUTED, origin=_ROUTE, detail=str(address))
    if is_internal and addresses and not any(_may_be_the_platforms(packed) for packed in addresses):
        detail = ", ".join(str(ip_address(packed)) for packed in addresses)
        yield LocalFact(FactKind.RESOLVER_PUBLIC, origin=origin, detail=detail)


def _may_be_the_platforms(packed: bytes) -> bool:
    return packed.startswith(FDAA_BYTES) or ip_address(packed).is_loopback


# --- who listens here -----------------------------------------------------------------------------


def _listeners(connection: Connection) -> Iterator[LocalFact]:
    """Yield who listens on a port of this computer; without a port, what others cannot reach."""
    address = connection.address
    port = connection.target.port
    origin = str(files.SOCKETS)
    tcp = files.listeners("tcp6")
    for each, places in files.listeners("tcp").items():
        tcp.setdefault(each, {}).update(places)
    if port is None:
        for each, places in sorted(tcp.items()):
            if places.keys().isdisjoint((address.packed, _EVERYWHERE)):
                detail = _listed(each, places)
                yield LocalFact(FactKind.LISTENS_ELSEWHERE, origin=origin, detail=detail)
        return
    here = tcp.get(port, {})
    if waiting := here.get(address.packed, here.get(_EVERYWHERE)):
        yield LocalFact(FactKind.NOT_ACCEPTED, origin=origin, detail=str(waiting), address=address)
    elif not here.keys().isdisjoint((address.packed, _EVERYWHERE)):
        yield from _links_of_loopback(connection)
        yield LocalFact(FactKind.LISTENS_HERE, origin=origin, address=address)
    elif here:
        detail = _listed(port, here)
        yield LocalFact(FactKind.LISTENS_ELSEWHERE, origin=origin, detail=detail, address=address)
    elif port in chain(files.listeners("udp6"), files.listeners("udp")):
        yield LocalFact(FactKind.LISTENS_FOR_UDP, origin=origin, address=address)
    else:
        yield LocalFact(FactKind.NOT_LISTENING, origin=origin, address=address)


def _links_of_loopback(connection: Connection) -> Iterator[LocalFact]:
    """Yield that the loopback interface is down: packets to the own addresses take it."""
    state = _LINKS / "lo" / "operstate"
    if connection.phase is Phase.SILENT:
        with suppress(OSError):
            if state.read_text().strip() == "down":
                yield LocalFact(FactKind.INTERFACE_DOWN, origin=str(state), detail="lo")


def _listed(port: int, places: Iterable[bytes]) -> str:
    shown = []
    for packed in sorted(places)[:3]:
        address = ip_address(packed)
        if isinstance(address, IPv6Address):
            shown.append(f"[{address}]:{port}")
        else:
            shown.append(f"{address}:{port}")
    return ", ".join(shown)
