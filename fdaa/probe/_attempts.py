"""What is tried, each in a thread: the lookup of a name, and a TCP connection without any data.

An error of `connect` itself is this system's own: nothing was sent. A later one was caused by a
packet.
"""

from __future__ import annotations

import errno
import os
import re
import select
import socket
import struct
from contextlib import suppress
from dataclasses import replace
from ipaddress import IPv4Address
from secrets import randbelow
from time import monotonic
from typing import TYPE_CHECKING

from fdaa.lines import Phase
from fdaa.probe._seen import Connection, Lookup
from fdaa.probe._target import any_address

if TYPE_CHECKING:
    from fdaa.probe._target import AnyAddress, Target

_RECVERR = 25  # Linux: IPV6_RECVERR; an error by ICMPv6 is reported at once, not with the next SYN
_AAAA = 28
_ANSWER = rb"(?s)\x00\x1c\x00\x01.{4}\x00\x10(.{16})"  # type, class, time to live, length
_DISCARD = 9  # the port of a datagram socket that only requests a route
_CLOSED = "the other end closed it immediately"
# Seconds after the handshake, and after one more round trip, in which a reset is waited for.
_WATCHED = 0.1

_LIMITS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS)
_RETURNED = {
    errno.ECONNREFUSED: Phase.REFUSED,
    errno.EACCES: Phase.REFUSED,  # a firewall says that it is prohibited
    errno.ECONNRESET: Phase.RESPONDED,  # so soon that the handshake was not seen
    errno.ETIMEDOUT: Phase.SILENT,
}


def route_to(address: AnyAddress) -> AnyAddress | None:
    """Return the address that the system connects from; nothing is sent.

    Raises:
        OSError: there is no route, or one that discards packets.
    """
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as datagrams:
        datagrams.connect((str(address), _DISCARD))
        return _source_of(datagrams)


def connect(target: Target, address: AnyAddress, deadline: float) -> Connection:
    """Return what is seen of an address until a deadline; without a port, whether it has a route.

    Args:
        target: the target, with the port.
        address: the address.
        deadline: when it ends, by `time.monotonic`.
    """
    started = monotonic()
    seen = Connection(target=target, address=address, phase=None, seconds=0.0)
    try:
        if target.port is None:
            return replace(seen, source=route_to(address))
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as connecting:
            with suppress(OSError):
                connecting.setsockopt(socket.IPPROTO_IPV6, _RECVERR, 1)
            connecting.setblocking(False)
            number = connecting.connect_ex((str(address), target.port))
            if number in (0, errno.EINPROGRESS):
                seen = replace(seen, source=_source_of(connecting))
                return _watch(connecting, seen, started, deadline)
    except OSError as error:
        number = error.errno or 0
    phase = Phase.HERE if number in _LIMITS else Phase.NOT_SENT
    return replace(seen, phase=phase, seconds=monotonic() - started, error=os.strerror(number))


def _watch(
    connecting: socket.socket, seen: Connection, started: float, deadline: float
) -> Connection:
    """Return what is seen of a connection whose SYN was sent."""
    is_decided = _wait(connecting, select.POLLOUT, deadline)
    seconds = monotonic() - started
    if not is_decided:
        return replace(seen, phase=Phase.SILENT, seconds=seconds)
    number = _error(connecting)
    if number:
        phase = _RETURNED.get(number, Phase.UNREACHABLE)
        return replace(seen, phase=phase, seconds=seconds, error=os.strerror(number))
    seen = replace(seen, phase=Phase.CONNECTED, seconds=seconds)
    if _wait(connecting, select.POLLIN, min(deadline, monotonic() + seconds + _WATCHED)):
        number = _error(connecting)
        if number:
            return replace(seen, phase=Phase.RESPONDED, error=os.strerror(number))
        with suppress(OSError):
            if connecting.recv(1, socket.MSG_PEEK) == b"":
                return replace(seen, error=_CLOSED)
    return seen


def _wait(connecting: socket.socket, event: int, until: float) -> bool:
    poll = select.poll()
    poll.register(connecting, event)
    return bool(poll.poll(max(0.0, until - monotonic()) * 1000))


def _error(connecting: socket.socket) -> int:
    return connecting.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)


def _source_of(connecting: socket.socket) -> AnyAddress | None:
    with suppress(OSError):
        return any_address(connecting.getsockname()[0].partition("%")[0])
    return None


# --- names ----------------------------------------------------------------------------------------


def look_up(host: str) -> Lookup:
    """Return what the system's resolver has for a name; it has no timeout."""
    started = monotonic()
    try:
        # Bytes, because Python would encode text as an internationalized name.
        entries = socket.getaddrinfo(host.encode("ascii"), None, type=socket.SOCK_STREAM)
    except OSError as error:
        limit = _limit_of(error)
        if limit is not None:
            return Lookup(host, phase=Phase.HERE, error=limit.strerror)
        seconds = monotonic() - started
        return Lookup(host, phase=Phase.LOOKUP, seconds=seconds, error=error.strerror)
    places = [(family, str(place[0]).partition("%")[0]) for family, _, _, _, place in entries]
    ipv6 = dict.fromkeys(any_address(text) for family, text in places if family == socket.AF_INET6)
    ipv4 = dict.fromkeys(IPv4Address(text) for family, text in places if family == socket.AF_INET)
    return Lookup(
        host,
        phase=None if ipv6 else Phase.LOOKUP,
        addresses=tuple(ipv6),
        ipv4=tuple(ipv4),
        seconds=monotonic() - started,
    )


def _limit_of(error: OSError) -> OSError | None:
    """Return the limit of this computer that failed a lookup.

    Where no file can be opened, getaddrinfo says that a name is not found.
    """
    is_resolvers = isinstance(error, socket.gaierror)
    if error.errno == socket.EAI_MEMORY if is_resolvers else error.errno in _LIMITS:
        return error
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as limit:
        return limit
    return None


def ask_resolver(host: str, resolver: bytes, timeout: float = 1.0) -> set[bytes] | None:
    """Return the packed IPv6 addresses that a resolver has for a name; None without a response.

    No line of /etc/hosts counts.

    Args:
        host: the name.
        resolver: the packed address of the resolver.
        timeout: the seconds to wait for a response.
    """
    labels = [label.encode("ascii") for label in host.rstrip(".").split(".")]
    name = b"".join(bytes([len(label)]) + label for label in labels)
    head = struct.pack(">6H", randbelow(0x10000), 0x100, 1, 0, 0, 0)
    question = head + name + struct.pack(">x2H", _AAAA, 1)
    family = socket.AF_INET6 if len(resolver) == 16 else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as datagrams:
            datagrams.settimeout(timeout)
            datagrams.connect((socket.inet_ntop(family, resolver), 53))
            datagrams.send(question)
            answer = datagrams.recv(4096)
    except OSError:
        return None
    return set(re.findall(_ANSWER, answer[len(question) :]))
