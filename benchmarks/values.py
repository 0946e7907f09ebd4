"""The jobs done on values, and how each contestant does them.

Each contestant is written as its users would write it at its best, does the whole job (where it
belongs to the job, it refuses what lies outside fdaa::/16), and returns its answers, so that what
is checked is what is timed.
"""

from __future__ import annotations

import ipaddress
import socket
from functools import cache, partial
from typing import TYPE_CHECKING

import netaddr

import fdaa
from benchmarks.inputs import COUNT, REFUSED_COUNT, REFUSED_KINDS, pairs, refused, texts
from benchmarks.jobs import Job, require_same

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

TURNS = 11

# --- text to network ID ---------------------------------------------------------------------------


def _extract_fdaa() -> list[int]:
    extract_network_id = fdaa.extract_network_id
    return [extract_network_id(text) for text in texts()]


def _extract_ipaddress() -> list[int]:
    parse = ipaddress.IPv6Address
    ids = []
    for text in texts():
        number = int(parse(text))
        if number >> 112 != 0xFDAA:
            raise ValueError(text)
        ids.append(number >> 80 & 0xFFFFFFFF)
    return ids


def _extract_netaddr() -> list[int]:
    parse = netaddr.IPAddress
    ids = []
    for text in texts():
        number = int(parse(text, 6))
        if number >> 112 != 0xFDAA:
            raise ValueError(text)
        ids.append(number >> 80 & 0xFFFFFFFF)
    return ids


def _extract_inet_pton() -> list[bytes]:
    """Do only the part of the job that nobody can leave out."""
    inet_pton, family = socket.inet_pton, socket.AF_INET6
    return [inet_pton(family, text) for text in texts()]


def _as_network_id(answer: int | bytes) -> int:
    return int.from_bytes(answer[2:6], "big") if isinstance(answer, bytes) else answer


# --- two texts to a verdict -----------------------------------------------------------------------


def _same_fdaa() -> list[bool]:
    same_network = fdaa.same_network
    return [same_network(first, second) for first, second in pairs()]


def _same_ipaddress() -> list[bool]:
    parse = ipaddress.IPv6Address
    verdicts = []
    for first, second in pairs():
        one, two = int(parse(first)), int(parse(second))
        if one >> 112 != 0xFDAA or two >> 112 != 0xFDAA:
            raise ValueError(first, second)
        verdicts.append(one >> 80 == two >> 80)
    return verdicts


def _same_netaddr() -> list[bool]:
    parse = netaddr.IPAddress
    verdicts = []
    for first, second in pairs():
        one, two = int(parse(first, 6)), int(parse(second, 6))
        if one >> 112 != 0xFDAA or two >> 112 != 0xFDAA:
            raise ValueError(first, second)
        verdicts.append(one >> 80 == two >> 80)
    return verdicts


# --- text to value --------------------------------------------------------------------------------


def _parse_fdaa() -> list[fdaa.Address]:
    parse = fdaa.Address
    return [parse(text) for text in texts()]


def _parse_ipaddress() -> list[ipaddress.IPv6Address]:
    parse = ipaddress.IPv6Address
    return [parse(text) for text in texts()]


def _parse_netaddr() -> list[netaddr.IPAddress]:
    parse = netaddr.IPAddress
    return [parse(text, 6) for text in texts()]


# --- what is done with values ---------------------------------------------------------------------

# Made once: these jobs start from values.
_parsed_fdaa = cache(_parse_fdaa)
_parsed_ipaddress = cache(_parse_ipaddress)
_VALUES: dict[str, Callable[[], Iterable[object]]] = {
    "fdaa": _parsed_fdaa,
    "ipaddress": _parsed_ipaddress,
    "netaddr": cache(_parse_netaddr),
}


def _print(name: str) -> list[str]:
    return [str(address) for address in _VALUES[name]()]


def _sort(name: str) -> Iterable[object]:
    return sorted(_VALUES[name]())  # type: ignore[type-var]  # all sort


def _hash(name: str) -> Iterable[object]:
    """Drop the duplicates; a dict, unlike a set, has an order in which answers can be compared."""
    return dict.fromkeys(_VALUES[name]())


def _int(name: str) -> list[int]:
    return [int(address) for address in _VALUES[name]()]  # type: ignore[call-overload]  # all do


def _network_ids_fdaa() -> list[fdaa.NetworkID]:
    return [address.network_id for address in _parsed_fdaa()]


def _network_ids_ipaddress() -> list[int]:
    return [int(address) >> 80 & 0xFFFFFFFF for address in _parsed_ipaddress()]


def _same_objects_fdaa() -> list[bool]:
    same_network = fdaa.same_network
    first = _parsed_fdaa()[0]
    return [same_network(first, address) for address in _parsed_fdaa()]


def _same_objects_ipaddress() -> list[bool]:
    network = ipaddress.IPv6Network((int(_parsed_ipaddress()[0]) >> 80 << 80, 48))
    return [address in network for address in _parsed_ipaddress()]


# --- texts that are refused -----------------------------------------------------------------------


def _refuse_fdaa(kind: str) -> list[bool]:
    return _refusals(fdaa.Address, kind)


def _refuse_extract(kind: str) -> list[bool]:
    return _refusals(fdaa.extract_network_id, kind)


def _refuse_ipaddress(kind: str) -> list[bool]:
    return _refusals(ipaddress.IPv6Address, kind, 0xFDAA)


def _refuse_netaddr(kind: str) -> list[bool]:
    return _refusals(netaddr.IPAddress, kind, 0xFDAA)


def _refusals(parse: Callable[[str], object], kind: str, prefix: int | None = None) -> list[bool]:
    """Return whether each text is refused; a library that takes all IPv6 needs a second look."""
    found = []
    for text in refused(kind):
        try:
            address = parse(text)
            found.append(prefix is not None and int(address) >> 112 != prefix)  # type: ignore[call-overload]
        except (ValueError, netaddr.AddrFormatError):
            found.append(True)
    return found


# --- the jobs -------------------------------------------------------------------------------------


def _job(
    plain: Callable[..., object],
    answers: int = COUNT,
    **contestants: Callable[[], Iterable[object]],
) -> Job:
    """Return the job of these contestants; `plain` makes comparable what they answer."""

    def check() -> None:
        require_same({name: map(plain, do()) for name, do in contestants.items()})

    return Job(contestants, check, answers, TURNS)


def _refusal_job(kind: str) -> Job:
    return _job(
        bool,
        REFUSED_COUNT,
        fdaa=partial(_refuse_fdaa, kind),
        extract_network_id=partial(_refuse_extract, kind),
        ipaddress=partial(_refuse_ipaddress, kind),
        netaddr=partial(_refuse_netaddr, kind),
    )


JOBS = {
    "extract_network_id(text)": _job(
        _as_network_id,
        fdaa=_extract_fdaa,
        ipaddress=_extract_ipaddress,
        netaddr=_extract_netaddr,
        inet_pton=_extract_inet_pton,
    ),
    "same_network(text, text)": _job(
        bool, fdaa=_same_fdaa, ipaddress=_same_ipaddress, netaddr=_same_netaddr
    ),
    "Address(text)": _job(
        int, fdaa=_parse_fdaa, ipaddress=_parse_ipaddress, netaddr=_parse_netaddr
    ),
    "str(address)": _job(str, COUNT, **{name: partial(_print, name) for name in _VALUES}),
    "int(address)": _job(int, COUNT, **{name: partial(_int, name) for name in _VALUES}),
    "address.network_id": _job(int, fdaa=_network_ids_fdaa, ipaddress=_network_ids_ipaddress),
    "same_network(address, address)": _job(
        bool, fdaa=_same_objects_fdaa, ipaddress=_same_objects_ipaddress
    ),
    "sorted(addresses)": _job(int, COUNT, **{name: partial(_sort, name) for name in _VALUES}),
    "dict.fromkeys(addresses)": _job(
        int, COUNT, **{name: partial(_hash, name) for name in _VALUES}
    ),
    **{f"refusal: {kind}": _refusal_job(kind) for kind in REFUSED_KINDS},
}
