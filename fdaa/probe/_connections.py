"""One TCP connection without any data, and what came back for it.

An error of `connect` itself is this system's own: nothing was sent. A later one was caused by a
packet. For an ICMPv6 message, Linux also shows what it says, and who sent it.
"""

from __future__ import annotations

import errno
import os
import select
import socket
import struct
import sys
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from fdaa.lines import Phase
from fdaa.probe._seen import Connection
from fdaa.probe._target import any_address

if TYPE_CHECKING:
    from fdaa.probe._target import AnyAddress, Target

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

# Linux: the socket keeps ICMPv6 messages, and connect() ends when one comes, not with the next SYN.
_RECVERR = 25  # IPV6_RECVERR; Python has it since 3.14
_FROM_ICMPV6 = 3  # SO_EE_ORIGIN_ICMP6
# The struct sock_extended_err of recv(2): error, origin, type, code, padding, two numbers. The
# sender follows as a struct sockaddr_in6: family, port, flow, address, scope.
_EXTENDED_ERROR = struct.Struct("=IBBBxIIHHI16sI")
# Type and code (RFC 4443, sections 3.1 and 3.3).
HOPS_EXCEEDED = "hop limit exceeded"
_MESSAGES = {
    (1, 0): "no route to destination",
    (1, 1): "administratively prohibited",
    (1, 2): "beyond scope of source address",
    (1, 3): "address unreachable",
    (1, 4): "port unreachable",
    (1, 5): "source address failed policy",
    (1, 6): "reject route to destination",
    (3, 0): HOPS_EXCEEDED,
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
    """Return what is seen of an address until a deadline; without a port, of the route alone."""
    started = monotonic()
    seen = Connection(target=target, address=address, phase=None, seconds=0.0)
    try:
        if target.port is None:
            return replace(seen, source=route_to(address))
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as connecting:
            if sys.platform == "linux":
                connecting.setsockopt(socket.IPPROTO_IPV6, _RECVERR, 1)
            connecting.setblocking(False)
            number = connecting.connect_ex((str(address), target.port))
            if number in (0, errno.EINPROGRESS):
                seen = replace(seen, source=_source_of(connecting))
                return _watch(connecting, seen, started, deadline)
    except OSError as error:
        number = error.errno or 0
    phase = Phase.NOT_SENT
    if number in _LIMITS:
        phase = Phase.HERE
    return replace(seen, phase=phase, seconds=monotonic() - started, error=os.strerror(number))


def _watch(
    connecting: socket.socket, seen: Connection, started: float, deadline: float
) -> Connection:
    """Return what is seen of a connection whose SYN was sent."""
    is_decided = _wait(connecting, select.POLLOUT, deadline)
    seen = replace(seen, seconds=monotonic() - started)
    if not is_decided:
        return replace(seen, phase=Phase.SILENT)
    number = _error(connecting)
    if number:  # it is read first: to read a message resets it
        return _failed(seen, number, _message(connecting))
    seen = replace(seen, phase=Phase.CONNECTED)
    until = min(deadline, monotonic() + seen.seconds + _WATCHED)
    if _wait(connecting, select.POLLIN, until):
        number = _error(connecting)
        if number:
            return replace(seen, phase=Phase.RESPONDED, error=os.strerror(number))
        with suppress(OSError):
            if connecting.recv(1, socket.MSG_PEEK) == b"":
                return replace(seen, error=_CLOSED)
    return seen


def _failed(seen: Connection, number: int, message: tuple[str, AnyAddress] | None) -> Connection:
    """Return a connection that an error ended."""
    phase = _RETURNED.get(number, Phase.UNREACHABLE)
    if message is None:
        return replace(seen, phase=phase, error=os.strerror(number))
    text, sender = message
    if sender == seen.source and sender != seen.address and number != errno.EHOSTUNREACH:
        phase = Phase.NOT_SENT  # a firewall of this computer rejected it
    return replace(seen, phase=phase, error=text, reported_by=sender)


def _message(connecting: socket.socket) -> tuple[str, AnyAddress] | None:
    """Return the ICMPv6 message that a socket received, and who sent it; None without one."""
    if sys.platform != "linux":
        return None
    room = socket.CMSG_SPACE(_EXTENDED_ERROR.size)
    try:
        _, ancillary, _, _ = connecting.recvmsg(1, room, socket.MSG_ERRQUEUE)
    except OSError:  # there is none
        return None
    for _, kind, data in ancillary:
        if kind == _RECVERR and len(data) >= _EXTENDED_ERROR.size:
            _, origin, kind, code, _, _, _, _, _, sender, _ = _EXTENDED_ERROR.unpack_from(data)
            if origin == _FROM_ICMPV6:
                text = _MESSAGES.get((kind, code), f"type {kind}, code {code}")
                return text, any_address(socket.inet_ntop(socket.AF_INET6, sender))
    return None


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
