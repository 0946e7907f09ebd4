"""One round of a probe: own address, look-ups and connections, all within one deadline."""

from __future__ import annotations

import errno
import os
import queue
import socket
import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from fdaa.address import Address
from fdaa.errors import OwnAddressNotSetError
from fdaa.membership import own_address
from fdaa.probe._causes import REPLIED, conclude
from fdaa.probe._facts import (
    Connection,
    LookUp,
    Origin,
    Outcome,
    OwnAddress,
    Peer,
    Relation,
    Target,
    any_address,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fdaa.probe._facts import AnyAddress, Step

MAX_ADDRESSES = 64  # of one target that are tried
MAX_TIMEOUT = 3600  # seconds

_INTERFACES = Path("/proc/net/if_inet6")  # a line for each address: 32 hex digits, then the rest
_DISCARD = 9  # the port of a datagram socket that only asks for a route

_OUTCOMES = {
    0: Outcome.OPEN,
    errno.EWOULDBLOCK: Outcome.TIMED_OUT,  # how connect_ex reports its own time-out
    errno.ECONNREFUSED: Outcome.REFUSED,
    errno.ECONNRESET: Outcome.RESET,
    errno.ETIMEDOUT: Outcome.TIMED_OUT,
    errno.ENETUNREACH: Outcome.NO_ROUTE,
    errno.EHOSTUNREACH: Outcome.NO_ROUTE,
    errno.EADDRNOTAVAIL: Outcome.NO_ROUTE,  # no IPv6 address to connect from
    errno.EACCES: Outcome.NO_ROUTE,  # a router prohibits it
}
_NOT_FOUND = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}


def probe(*targets: str | Target, timeout: float = 3.0) -> Iterator[Step]:
    """Look names up and connect once to each address, all at once; yield facts as they are found.

    Yields the own address; each look-up and each connection when it ends, at the latest at the
    deadline; and a conclusion for each target. Of one target 64 addresses are tried at most.

    Args:
        targets: what to probe; a text is read by `Target.parse`.
        timeout: seconds, for all of it together.

    Raises:
        TargetError: a text is not a target.
        AddressError: PLATFORM_PRIVATE_IP does not contain a private address.
        ValueError: the timeout is not above 0, or longer than an hour.

    >>> *_, conclusion = probe("[::1]:1", timeout=5)
    >>> print(conclusion.answers, *[each.kind for each in conclusion.causes])
    False not-listening
    """
    if not 0 < timeout <= MAX_TIMEOUT:
        raise ValueError(f"timeout must be above 0 and at most {MAX_TIMEOUT} seconds")
    parsed = [Target.parse(each) if isinstance(each, str) else each for each in targets]
    return _steps(_own_address(), [*dict.fromkeys(parsed)], timeout)


def _own_address() -> OwnAddress:
    """Return this Machine's own address: PLATFORM_PRIVATE_IP, else that of an interface.

    Interfaces are read on Linux only.

    Raises:
        AddressError: the variable does not contain a private address.
    """
    with suppress(OwnAddressNotSetError):
        return OwnAddress(own_address(), Origin.VARIABLE)
    with suppress(OSError):
        for line in _INTERFACES.read_text("ascii").splitlines():
            address = any_address(":".join(line[at : at + 4] for at in range(0, 32, 4)))
            if isinstance(address, Address):
                return OwnAddress(address, Origin.INTERFACE)
    return OwnAddress()


def _steps(own: OwnAddress, targets: list[Target], timeout: float) -> Iterator[Step]:
    yield own
    look_ups: dict[str | None, LookUp] = {}
    connections: dict[Target, list[Connection]] = {target: [] for target in targets}
    for fact in _facts(own, targets, timeout):
        yield fact
        if isinstance(fact, LookUp):
            look_ups[fact.host] = fact
        else:
            connections[fact.target].append(fact)
    made = (each for found in connections.values() for each in found)
    replied = {each.peer.address for each in made if each.outcome in REPLIED}
    for target, found in connections.items():
        yield conclude(target, own, look_ups.get(target.host), found, replied)


def _facts(own: OwnAddress, targets: list[Target], timeout: float) -> Iterator[LookUp | Connection]:
    """Yield look-ups and connections as they end; each runs in a thread of its own."""
    deadline = monotonic() + timeout
    ended: queue.SimpleQueue[LookUp | Connection] = queue.SimpleQueue()
    started = 0

    def connect(target: Target, peers: Iterable[Peer]) -> None:
        nonlocal started
        for peer in peers:
            _start(_connect, target, peer, deadline, ended)
            started += 1

    hosts = dict.fromkeys(target.host for target in targets if target.host)
    for host in hosts:
        _start(_look_up, host, own, ended)
    for target in targets:
        if target.address is not None:
            connect(target, [_peer(target.address, own)])
    while hosts or started:
        try:
            # A connection ends at the deadline by itself; getaddrinfo has no time-out.
            fact = ended.get(timeout=None if started else max(0.0, deadline - monotonic()))
        except queue.Empty:
            break
        yield fact
        if isinstance(fact, LookUp):
            del hosts[fact.host]
            for target in targets:
                connect(target, fact.peers if target.host == fact.host else ())
        else:
            started -= 1
    for host in hosts:
        yield LookUp(host, Outcome.TIMED_OUT, seconds=timeout, error="timed out")


def _start(function: Callable[..., None], *arguments: object) -> None:
    threading.Thread(target=function, args=arguments, daemon=True).start()


def _look_up(host: str, own: OwnAddress, ended: queue.SimpleQueue[LookUp | Connection]) -> None:
    started = monotonic()
    found: dict[bool, dict[str, None]] = {True: {}, False: {}}  # IPv6 or not -> addresses
    outcome, reason = Outcome.FOUND, None
    try:
        for family, *_, place in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM):
            found[family == socket.AF_INET6][str(place[0]).partition("%")[0]] = None
    except OSError as error:
        outcome = Outcome.NOT_FOUND if error.errno in _NOT_FOUND else Outcome.FAILED
        reason = error.strerror
    peers = [_peer(any_address(text), own) for text in found[True]]
    tried, left_out = tuple(peers[:MAX_ADDRESSES]), len(peers[MAX_ADDRESSES:])
    seconds = monotonic() - started
    ended.put(LookUp(host, outcome, tried, left_out, (*found[False],), seconds, reason))


def _connect(
    target: Target, peer: Peer, deadline: float, ended: queue.SimpleQueue[LookUp | Connection]
) -> None:
    started = monotonic()
    kind = socket.SOCK_DGRAM if target.port is None else socket.SOCK_STREAM
    try:
        with socket.socket(socket.AF_INET6, kind) as connection:
            connection.settimeout(max(0.001, deadline - started))
            number = connection.connect_ex((str(peer.address), target.port or _DISCARD))
    except OSError as error:  # no IPv6 at all, or too many open files
        number = error.errno or errno.EIO
    outcome = _OUTCOMES.get(number, Outcome.FAILED)
    if number == 0 and target.port is None:
        outcome = Outcome.ROUTED
    reason = os.strerror(number) if outcome is Outcome.FAILED else None
    ended.put(Connection(target, peer, outcome, monotonic() - started, reason))


def _peer(address: AnyAddress, own: OwnAddress) -> Peer:
    if not isinstance(address, Address):
        return Peer(address, Relation.NOT_PRIVATE)
    if own.address is not None and own.address.network_id == address.network_id:
        return Peer(address, Relation.SAME_NETWORK)
    if address.network_id == 0:
        return Peer(address, Relation.SERVICE)
    return Peer(address, Relation.UNKNOWN if own.address is None else Relation.OTHER_NETWORK)
