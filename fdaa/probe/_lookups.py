"""Lookups: by the system's resolver, as programs do, and by one that is asked directly."""

from __future__ import annotations

import re
import socket
import struct
from ipaddress import IPv4Address, IPv6Address
from secrets import randbelow
from time import monotonic

from fdaa.probe._seen import Lookup
from fdaa.probe._target import any_address

_DNS = 53  # the port
_AAAA = 28
_RECURSION_DESIRED = 0x100
_RESPONSE_CODE = 0x0F  # bits of the flags
_TRUNCATED = 0x200
_ANSWERED = (0, 3)  # response codes: no error, no such name
_ANSWER = rb"(?s)\x00\x1c\x00\x01.{4}\x00\x10(.{16})"  # type, class, time to live, length


def look_up(host: str) -> Lookup:
    """Return what the system's resolver has for a name; it has no timeout."""
    started = monotonic()
    try:
        # Bytes, because Python would encode text as an internationalized name.
        entries = socket.getaddrinfo(host.encode("ascii"), None, type=socket.SOCK_STREAM)
    except OSError as error:
        seconds = monotonic() - started
        return Lookup(host, seconds=seconds, error=error.strerror)
    ipv6: list[str] = []
    ipv4: list[str] = []
    for family, _, _, _, place in entries:
        found = ipv6 if family == socket.AF_INET6 else ipv4
        found.append(str(place[0]).partition("%")[0])
    return Lookup(
        host,
        addresses=tuple(dict.fromkeys(map(any_address, ipv6))),
        ipv4=tuple(dict.fromkeys(map(IPv4Address, ipv4))),
        seconds=monotonic() - started,
    )


def ask_resolver(
    host: str, resolver: IPv4Address | IPv6Address, timeout: float = 1.0
) -> set[bytes] | None:
    """Return the packed IPv6 addresses that a resolver has for a name; None without an answer.

    No line of /etc/hosts counts. A response that says that the lookup failed is no answer, nor is
    one that is cut off.
    """
    name = b""
    for label in host.rstrip(".").encode("ascii").split(b"."):
        name += bytes([len(label)]) + label
    head = struct.pack(">6H", randbelow(0x10000), _RECURSION_DESIRED, 1, 0, 0, 0)
    question = head + name + struct.pack(">x2H", _AAAA, 1)
    family = socket.AF_INET6 if resolver.version == 6 else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as datagrams:
            datagrams.settimeout(timeout)
            datagrams.connect((str(resolver), _DNS))
            datagrams.send(question)
            answer = datagrams.recv(4096)
    except OSError:
        return None
    flags = int.from_bytes(answer[2:4])
    is_whole = answer[:2] == head[:2] and not flags & _TRUNCATED
    if not is_whole or flags & _RESPONSE_CODE not in _ANSWERED:
        return None
    return set(re.findall(_ANSWER, answer[len(question) :]))
