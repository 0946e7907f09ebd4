"""The same answers as others give, but for the one difference that is named here."""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING

import netaddr
import pytest
import slow_parser
from hypothesis import given
from mutations import any_texts, mutated_texts

import fdaa
from fdaa._values import text as fdaa_text  # its reader in Python, which inet_pton hides
from fdaa.strategies import address_texts, addresses, not_addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Parse = Callable[[str], bytes]


def by_slow_parser(text: str) -> bytes:
    packed = slow_parser.parse(text)
    if packed is None:
        raise ValueError(text)
    return packed


def by_netaddr(text: str) -> bytes:
    try:
        return netaddr.IPAddress(text, 6).packed
    except netaddr.AddrFormatError as error:  # no ValueError
        raise ValueError(text) from error


def by_ipaddress(text: str) -> bytes:
    if "%" in text:
        raise ValueError(text)  # the one difference: it takes a zone, of any text
    return ipaddress.IPv6Address(text).packed


def by_inet_pton(text: str) -> bytes:
    return socket.inet_pton(socket.AF_INET6, text)


# Each raises a ValueError or an OSError for a text that is no address.
RIVALS = {
    "the slow parser": by_slow_parser,
    "inet_pton": by_inet_pton,
    "netaddr": by_netaddr,
    "ipaddress": by_ipaddress,
}

# Where the platform's own functions take more or print otherwise, fdaa does not use them.
needs_exact_platform = pytest.mark.skipif(
    fdaa_text.inet_pton is fdaa_text._read or fdaa_text.inet_ntop is fdaa_text._write,
    reason="not exact on this platform",
)


def each_of(rivals: Mapping[str, object]) -> list[object]:
    """Return the rivals as parameters."""
    parameters: list[object] = []
    for name, rival in rivals.items():
        if name.startswith("inet_"):
            parameters.append(pytest.param(rival, id=name, marks=needs_exact_platform))
        else:
            parameters.append(pytest.param(rival, id=name))
    return parameters


each_rival = pytest.mark.parametrize("parse", each_of(RIVALS))


def answer(parse: Parse, text: str) -> bytes | None:
    try:
        return parse(text)
    except (ValueError, OSError):
        return None


@each_rival
@given(text=address_texts())
def test_others_read_every_spelling_as_fdaa_does(parse: Parse, text: str) -> None:
    """RFC 4291, section 2.2."""
    assert parse(text) == fdaa.Address(text).packed


@each_rival
@given(text=not_addresses() | mutated_texts())
def test_others_agree_on_near_misses(parse: Parse, text: str) -> None:
    """RFC 4291, section 2.2: what it does not allow is not an address."""
    assert answer(fdaa_text.read, text) == answer(parse, text)


@given(any_texts())
def test_the_fast_ways_agree_with_the_slow_parser(text: str) -> None:
    """Specification, 2.3: an address is IPv6 text whose first 16 bits are `fdaa`."""
    packed = slow_parser.parse(text)
    if packed is not None and packed[:2] == b"\xfd\xaa":
        assert fdaa.extract_network_id(text) == int.from_bytes(packed[2:6], "big")
        assert fdaa.Address(text).packed == packed
        assert fdaa.same_network(text, text)
    else:
        expected: type[fdaa.AddressError] = fdaa.OutsidePrefixError
        if packed is None:
            expected = fdaa.AddressError
        for parse in (fdaa.extract_network_id, fdaa.Address):
            with pytest.raises(expected) as caught:
                parse(text)
            assert type(caught.value) is expected


def written_by_inet_ntop(packed: bytes) -> str:
    return socket.inet_ntop(socket.AF_INET6, packed)


def written_by_ipaddress(packed: bytes) -> str:
    return str(ipaddress.IPv6Address(packed))


def written_by_netaddr(packed: bytes) -> str:
    return str(netaddr.IPAddress(int.from_bytes(packed, "big"), 6))


WRITERS = {
    "the slow writer": slow_parser.write,
    "inet_ntop": written_by_inet_ntop,
    "ipaddress": written_by_ipaddress,
    "netaddr": written_by_netaddr,
}


@pytest.mark.parametrize("write", each_of(WRITERS))
@given(address=addresses())
def test_others_print_an_address_as_fdaa_does(
    write: Callable[[bytes], str], address: fdaa.Address
) -> None:
    """RFC 5952, section 4; in fdaa::/16 they have nothing to differ about."""
    assert write(address.packed) == str(address)


@given(addresses())
def test_others_show_the_same_parts(address: fdaa.Address) -> None:
    """RFC 3596, section 2.5, for the reverse pointer."""
    theirs = ipaddress.IPv6Address(address.packed)
    assert address.to_ipaddress() == theirs
    assert address.exploded == theirs.exploded
    assert address.reverse_pointer == theirs.reverse_pointer
    assert address.reverse_pointer + "." == address.to_netaddr().reverse_dns
    assert int(address) == int(theirs) == int(address.to_netaddr())
