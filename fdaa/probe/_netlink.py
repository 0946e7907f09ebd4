"""Routes, interfaces, neighbours and accept queues, as Linux reports them to every process.

Each request of rtnetlink(7) is one message, and each reply is one, too. The request for a route is
that of `ip route get`, and the neighbour is the next hop of the route. Accept queues are those that
`ss -ltn` shows (sock_diag(7)), in a message each.
"""

from __future__ import annotations

import os
import socket
import struct
from enum import IntFlag
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# Numbers of linux/netlink.h, linux/rtnetlink.h, linux/neighbour.h and linux/if.h.
_REQUEST = 1
_REQUEST_ALL = 0x301
_ERROR = 2
_END = 3
_GET_LINK = 18
_GET_ROUTE = 26
_GET_NEIGHBOUR = 30
_DESTINATION = 1
_SOURCE = 2
_OUTPUT_INTERFACE = 4
_GATEWAY = 5
_METRICS = 8
_HOP_LIMIT = 10  # a metric
_LINK_NAME = 3
_LOCAL_ROUTE = 2
_SOCKET_DIAGNOSIS = 4  # a family of netlink (linux/sock_diag.h, linux/inet_diag.h)
_BY_FAMILY = 20
_LISTENING = 0x400  # the tenth state of TCP, as a bit
_TYPES = 0x4000  # the bits of an attribute's type from this one on are flags

_HEADER = struct.Struct("=IHHII")
_ATTRIBUTE = struct.Struct("=HH")
_ROUTE = struct.Struct("=BBBBBBBBI")
_NEIGHBOUR = struct.Struct("=BxxxiHBB")
_LINK = struct.Struct("=BxHiII")
_NUMBER = struct.Struct("=I")
_SOCKETS = struct.Struct("=BBxxI2s46x")  # family, protocol, states; the port in network order
_SOCKET = struct.Struct("=8x16s32xII8x")  # the address; the lengths of both queues

_SECONDS = 1.0  # the reply is there when the request was sent


class LinkFlag(IntFlag):
    """Flags of an interface."""

    UP = 0x1
    LOOPBACK = 0x8
    NO_NEIGHBOURS = 0x80
    CARRIER = 0x10000


class NeighbourState(IntFlag):
    """What is known of a neighbour (RFC 4861, section 7.3.2)."""

    INCOMPLETE = 0x01  # asked, and no response yet
    REACHABLE = 0x02
    FAILED = 0x20


class Route(NamedTuple):
    """The route that packets to an address take.

    Args:
        is_local: whether the address is one of this computer.
        interface: the number of the interface.
        gateway: the next hop, packed; None where the address is on the link.
        hop_limit: the hop limit of the route; 0 where it has none of its own.
    """

    is_local: bool
    interface: int
    gateway: bytes | None
    hop_limit: int


class Link(NamedTuple):
    """An interface.

    Args:
        name: its name.
        kind: the number of its type (linux/if_arp.h).
        flags: its flags.
    """

    name: str
    kind: int
    flags: LinkFlag


def route_to(address: bytes, source: bytes | None) -> Route:
    """Return the route to a packed address, from a source.

    Raises:
        OSError: there is none, or it discards packets, with the number that `connect` has, too; or
            it cannot be read.
    """
    bits = len(address) * 8
    attributes = _attribute(_DESTINATION, address)
    source_bits = 0
    if source is not None:
        attributes += _attribute(_SOURCE, source)
        source_bits = bits
    request = _ROUTE.pack(_family(address), bits, source_bits, 0, 0, 0, 0, 0, 0)
    reply = _ask(_GET_ROUTE, request + attributes)
    found = dict(_attributes(reply[_ROUTE.size :]))
    metrics = dict(_attributes(found.get(_METRICS, b"")))
    is_local = _ROUTE.unpack_from(reply)[7] == _LOCAL_ROUTE
    interface = _number(found.get(_OUTPUT_INTERFACE))
    return Route(is_local, interface, found.get(_GATEWAY), _number(metrics.get(_HOP_LIMIT)))


def link(number: int) -> Link:
    """Return the interface with a number.

    Raises:
        OSError: there is none, or it cannot be read.
    """
    reply = _ask(_GET_LINK, _LINK.pack(0, 0, number, 0, 0))
    _, kind, _, flags, _ = _LINK.unpack_from(reply)
    name = dict(_attributes(reply[_LINK.size :]))[_LINK_NAME].rstrip(b"\0")
    return Link(name.decode("utf-8", "backslashreplace"), kind, LinkFlag(flags))


def neighbour(interface: int, address: bytes) -> NeighbourState:
    """Return the state of a neighbour.

    Raises:
        OSError: it has none, or it cannot be read.
    """
    request = _NEIGHBOUR.pack(_family(address), interface, 0, 0, 0)
    reply = _ask(_GET_NEIGHBOUR, request + _attribute(_DESTINATION, address))
    return NeighbourState(_NEIGHBOUR.unpack_from(reply)[2])


class AcceptQueue(NamedTuple):
    """The connections that wait until a program accepts them.

    Args:
        address: the packed IPv6 address that the program listens at.
        waiting: their number (Recv-Q of `ss -ltn`).
        limit: the queue is full above this number (Send-Q).
    """

    address: bytes
    waiting: int
    limit: int


def accept_queues(port: int) -> list[AcceptQueue]:
    """Return the accept queues of a TCP port, for IPv6.

    Raises:
        OSError: they cannot be read.
    """
    number = port.to_bytes(2, "big")
    request = _SOCKETS.pack(socket.AF_INET6, socket.IPPROTO_TCP, _LISTENING, number)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _SOCKET_DIAGNOSIS) as asking:
        _send(asking, _BY_FAMILY, _REQUEST_ALL, request)
        return [AcceptQueue(*_SOCKET.unpack_from(body)) for body in _replies(asking)]


def _family(address: bytes) -> int:
    if len(address) == 4:
        return socket.AF_INET
    return socket.AF_INET6


def _ask(kind: int, body: bytes) -> bytes:
    """Return the body of the reply to a request."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW) as asking:
        _send(asking, kind, _REQUEST, body)
        return next(_replies(asking))


def _send(asking: socket.socket, kind: int, flags: int, body: bytes) -> None:
    asking.settimeout(_SECONDS)
    asking.send(_HEADER.pack(_HEADER.size + len(body), kind, flags, 1, 0) + body)


def _replies(asking: socket.socket) -> Iterator[bytes]:
    """Yield the body of each message, until the one that ends them; of a single one, take it."""
    while True:
        data = asking.recv(65536)
        while data:
            length, kind, *_ = _HEADER.unpack_from(data)
            body = data[_HEADER.size : length]
            data = data[-(-length // 4) * 4 :]
            if kind == _END:
                return
            if kind == _ERROR:
                (negative,) = struct.unpack_from("=i", body)
                raise OSError(-negative, os.strerror(-negative))
            yield body


def _attribute(kind: int, value: bytes) -> bytes:
    return _ATTRIBUTE.pack(_ATTRIBUTE.size + len(value), kind) + value


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the attributes of a message; each starts at a multiple of four bytes."""
    start = 0
    while start + _ATTRIBUTE.size <= len(data):
        length, kind = _ATTRIBUTE.unpack_from(data, start)
        if length < _ATTRIBUTE.size:
            return
        yield kind % _TYPES, data[start + _ATTRIBUTE.size : start + length]
        start += -(-length // 4) * 4


def _number(value: bytes | None) -> int:
    if value is None:
        return 0
    return int(_NUMBER.unpack(value)[0])
