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
SETTINGS = Path("/proc/sys/net/ipv6/conf")
SOCKETS = Path("/proc/net")

_ROOM = 2**23  # bytes of a file that are read; lists of blocked names are long
_NAMESERVERS = 3  # that are asked (resolv.conf(5))
_ASKING = {"dns", "resolve"}  # services of nsswitch.conf(5) that ask a resolver
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


def resolvers() -> tuple[list[IPv4Address | IPv6Address], bool]:
    """Return the addresses of the name servers, and whether `no-aaaa` is set."""
    addresses = []
    options = os.environ.get("RES_OPTIONS", "").split()
    for line in _lines(RESOLVERS):
        keyword, *values = line.split() or [""]
        if keyword == "options":
            options += values
        elif keyword == "nameserver" and values:
            with suppress(ValueError):
                addresses.append(ip_address(values[0].partition("%")[0]))
    return addresses[:_NAMESERVERS], "no-aaaa" in options


def asks_a_resolver() -> bool:
    """Return whether a lookup asks a resolver, as /etc/nsswitch.conf has it.

    Without the file, or without the line in it, it does.
    """
    try:
        lines = _lines(ORDER)
    except FileNotFoundError:
        return True
    for line in lines:
        name, _, services = line.partition("#")[0].partition(":")
        if name.strip() == "hosts":
            return not _ASKING.isdisjoint(services.split())
    return True


def disable_ipv6() -> dict[str, bool]:
    """Return for each interface whether IPv6 is switched off, and for `all` and `default`."""
    found = {}
    for directory in SETTINGS.iterdir():
        with suppress(FileNotFoundError):  # the interface is gone
            found[directory.name] = (directory / "disable_ipv6").read_text().strip() == "1"
    return found


def listeners(protocol: str) -> dict[int, dict[bytes, int]]:
    """Return the ports that something listens at: port -> packed address -> waiting connections.

    The protocol is tcp6, tcp, udp6 or udp, as the files in /proc/net are called.
    """
    found: dict[int, dict[bytes, int]] = {}
    for line in _lines(SOCKETS / protocol)[1:]:
        fields = line.split()
        if len(fields) < 5:  # it is cut off
            continue
        address, _, number = fields[1].partition(":")
        if fields[3] == _LISTENING or protocol.startswith("udp"):
            waiting = int(fields[4].partition(":")[2], 16)
            found.setdefault(int(number, 16), {})[_in_network_order(address)] = waiting
    return found


def _in_network_order(digits: str) -> bytes:
    """Return an address of /proc/net: words of four bytes, as this computer stores a number."""
    packed = b""
    for start in range(0, len(digits), 8):
        packed += int(digits[start : start + 8], 16).to_bytes(4, sys.byteorder)
    return packed


def _lines(path: Path) -> list[str]:
    with path.open("rb") as file:
        return file.read(_ROOM).decode("utf-8", "replace").split("\n")
