"""Files of this computer that decide a lookup, and those that list who listens.

Each function raises OSError if its file cannot be read.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

HOSTS = Path("/etc/hosts")
RESOLVERS = Path("/etc/resolv.conf")
ORDER = Path("/etc/nsswitch.conf")
SOCKETS = Path("/proc/net")

_NAMESERVERS = 3  # that are asked (resolv.conf(5))
_LISTENING = "0A"  # a state of TCP, as in /proc/net/tcp6


def hosts_lines(host: str) -> dict[bytes, int]:
    """Return the lines of /etc/hosts that have a name: packed address -> number of the first."""
    wanted = host.lower()
    found: dict[bytes, int] = {}
    for number, line in enumerate(_lines(HOSTS), 1):
        if wanted not in line.lower():  # most lines; it is quicker
            continue
        text, *names = line.lower().partition("#")[0].split() or [""]
        if wanted in names:
            with suppress(ValueError):
                found.setdefault(ip_address(text.partition("%")[0]).packed, number)
    return found


def resolvers() -> tuple[list[IPv4Address | IPv6Address], str]:
    """Return the addresses of the name servers, and why none is asked for IPv6, or ""."""
    addresses: list[IPv4Address | IPv6Address] = []
    options = os.environ.get("RES_OPTIONS", "").split()
    for line in _lines(RESOLVERS):
        keyword, *values = line.split() or [""]
        if keyword == "options":
            options += values
        elif keyword == "nameserver" and values:
            with suppress(ValueError):
                addresses.append(ip_address(values[0].partition("%")[0]))
    reason = ""
    if not _asks_a_resolver():
        reason = f"hosts in {ORDER}"
    elif "no-aaaa" in options:
        reason = "the option no-aaaa"
    elif not addresses:
        reason = f"no nameserver in {RESOLVERS}"
    return addresses[:_NAMESERVERS], reason


def _asks_a_resolver() -> bool:
    """Return what /etc/nsswitch.conf says; without the file, or the line in it, one is asked."""
    try:
        lines = _lines(ORDER)
    except FileNotFoundError:
        return True
    for line in lines:
        name, _, services = line.partition("#")[0].partition(":")
        if name.strip() == "hosts":
            return not {"dns", "resolve"}.isdisjoint(services.split())
    return True


def listeners() -> dict[int, dict[bytes, int]]:
    """Return the TCP ports that something listens at: packed address -> waiting connections."""
    found: dict[int, dict[bytes, int]] = {}
    for line in _lines(SOCKETS / "tcp6")[1:] + _lines(SOCKETS / "tcp")[1:]:
        fields = line.split()
        if len(fields) >= 5 and fields[3] == _LISTENING:  # the last line may be cut off
            address, _, port = fields[1].partition(":")
            waiting = int(fields[4].partition(":")[2], 16)
            found.setdefault(int(port, 16), {})[_in_network_order(address)] = waiting
    return found


def _in_network_order(digits: str) -> bytes:
    """Return an address of /proc/net: words of four bytes, as this computer stores a number."""
    packed = b""
    for start in range(0, len(digits), 8):
        packed += int(digits[start : start + 8], 16).to_bytes(4, sys.byteorder)
    return packed


def _lines(path: Path) -> list[str]:
    return path.read_bytes().decode("utf-8", "replace").split("\n")
