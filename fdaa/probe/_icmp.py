"""ICMPv6 messages that a socket received for its packets: what they say, and who sent them."""

from __future__ import annotations

import socket
import struct
import sys
from typing import TYPE_CHECKING, NamedTuple

from fdaa.lines import Evidence
from fdaa.probe._target import any_address

if TYPE_CHECKING:
    from fdaa.probe._target import AnyAddress

# Type and code -> what that shows, and its name (RFC 4443, sections 3.1 and 3.3).
_MESSAGES = {
    (1, 0): (Evidence.NO_ROUTE_REPORTED, "no route to destination"),
    (1, 1): (Evidence.PROHIBITED, "administratively prohibited"),
    (1, 2): (Evidence.UNREACHABLE, "beyond scope of source address"),
    (1, 3): (Evidence.ADDRESS_UNREACHABLE, "address unreachable"),
    (1, 4): (Evidence.PORT_UNREACHABLE, "port unreachable"),
    (1, 5): (Evidence.PROHIBITED, "source address failed policy"),
    (1, 6): (Evidence.NO_ROUTE_REPORTED, "reject route to destination"),
    (3, 0): (Evidence.HOP_LIMIT_EXCEEDED, "hop limit exceeded"),
}

_IPV6_RECVERR = 25  # of Linux; Python has it since 3.14
_FROM_ICMPV6 = 3  # SO_EE_ORIGIN_ICMP6
# The struct sock_extended_err of recv(2): error, origin, type, code, padding, two numbers. The
# sender follows as a struct sockaddr_in6: family, port, flow, address, scope.
_EXTENDED_ERROR = struct.Struct("=IBBBxIIHHI16sI")


class IcmpMessage(NamedTuple):
    """An ICMPv6 message.

    Args:
        evidence: what it shows.
        text: its name in RFC 4443.
        sender: the address that it came from.
    """

    evidence: Evidence
    text: str
    sender: AnyAddress


def keep_messages(connecting: socket.socket) -> None:
    """Let a socket keep the messages that it receives; only Linux can."""
    if sys.platform == "linux":
        connecting.setsockopt(socket.IPPROTO_IPV6, _IPV6_RECVERR, 1)


def received_message(connecting: socket.socket) -> IcmpMessage | None:
    """Return the first message that a socket has kept, or None."""
    if sys.platform != "linux":
        return None
    room = socket.CMSG_SPACE(_EXTENDED_ERROR.size)
    try:
        _, ancillary, _, _ = connecting.recvmsg(1, room, socket.MSG_ERRQUEUE)
    except OSError:
        return None  # there is none
    for level, kind, data in ancillary:
        is_error = level == socket.IPPROTO_IPV6 and kind == _IPV6_RECVERR
        if is_error and len(data) >= _EXTENDED_ERROR.size:
            return _read(data)
    return None


def _read(data: bytes) -> IcmpMessage | None:
    _, origin, kind, code, _, _, _, _, _, sender, _ = _EXTENDED_ERROR.unpack_from(data)
    if origin != _FROM_ICMPV6:
        return None
    other = (Evidence.UNREACHABLE, f"type {kind}, code {code}")
    evidence, text = _MESSAGES.get((kind, code), other)
    return IcmpMessage(evidence, text, any_address(socket.inet_ntop(socket.AF_INET6, sender)))
