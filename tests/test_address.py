"""Address and NetworkID: each constructor, its inverse, and what it refuses."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any

import pytest
from vectors import accepted, check_refusal, names, refused

import fdaa

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = "fdaa:2:45b:a7b:174:db43:d3c6:2"
PACKED = bytes.fromhex("fdaa0002045b0a7b0174db43d3c60002")
ADDRESS = fdaa.Address(TEXT)


# --- an address and what it is made of ------------------------------------------------------------


def test_an_address_is_built_with_rest_0_unless_told() -> None:
    assert str(fdaa.Address.build(0x2045B)) == "fdaa:2:45b::"
    assert fdaa.Address.build(network_id=1, rest=2) == fdaa.Address("fdaa:0:1::2")


# --- numbers --------------------------------------------------------------------------------------

EDGES = (
    ("fdaa::", 0xFDAA * 2**112),
    ("fdaa:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 0xFDAB * 2**112 - 1),
)


@pytest.mark.parametrize(("text", "number"), EDGES)
def test_the_smallest_and_the_largest_address_are_numbers(text: str, number: int) -> None:
    assert str(fdaa.Address.from_int(number)) == text
    assert int(fdaa.Address(text)) == number


NO_ADDRESSES = (
    # number, as it is quoted, why
    (0, "0" * 32, "zero"),
    (0xFDAA * 2**112 - 1, "fda9" + "f" * 28, "one before the prefix"),
    (0xFDAB * 2**112, "fdab" + "0" * 28, "one behind the prefix"),
    (2**128, "0x1" + "0" * 32, "129 bits"),
    (10**100_000, "0x", "a hundred thousand digits, which Python does not print in decimal"),
)


@pytest.mark.parametrize(
    ("number", "quoted", "why"), NO_ADDRESSES, ids=[row[2] for row in NO_ADDRESSES]
)
def test_a_number_outside_the_prefix_is_refused(number: int, quoted: str, why: str) -> None:
    with pytest.raises(fdaa.AddressError, match=r"with the bytes fd aa|\(128 bits\)$") as e:
        fdaa.Address.from_int(number)
    assert str(e.value).startswith(f"'{quoted}"), why
    assert len(str(e.value)) < 200


TOO_LARGE = (
    # constructor, what it takes, the number of bits, error
    (lambda rest: fdaa.Address.build(1, rest), "the rest", 80, fdaa.AddressError),
    (fdaa.NetworkID, "a network ID", 32, fdaa.NetworkIDError),
    (fdaa.Address.build, "a network ID", 32, fdaa.NetworkIDError),
    (lambda high: fdaa.NetworkID.from_groups(high, 0), "a group", 16, fdaa.NetworkIDError),
    (lambda low: fdaa.NetworkID.from_groups(0, low), "a group", 16, fdaa.NetworkIDError),
)


@pytest.mark.parametrize(("make", "what", "bits", "error"), TOO_LARGE)
def test_a_number_has_at_most_the_bits_of_its_field(
    make: Callable[[object], object], what: str, bits: int, error: type[fdaa.InputError]
) -> None:
    assert make(0) is not None
    assert make(2**bits - 1) is not None
    largest = "0x" + "f" * (bits // 4)
    for number in (-1, 2**bits):
        with pytest.raises(error) as caught:
            make(number)
        assert caught.value.reason == f"{what} must be 0 to {largest} ({bits} bits)"


# --- bytes ----------------------------------------------------------------------------------------

NO_BYTES = (
    # bytes, a part of the message, at, why
    (b"", "has 16 bytes, not 0", None, "nothing"),
    (PACKED + b"\0", "has 16 bytes, not 17", None, "17 bytes"),
    (b"fdaa:0:0:1:2:3::", "an address starts with the bytes fd aa", 0, "16 bytes that are a text"),
    (b"\xfd\xab" + bytes(14), "starts with the bytes fd aa", 0, "the next prefix"),
)


@pytest.mark.parametrize(("packed", "reason", "at", "why"), NO_BYTES, ids=[r[3] for r in NO_BYTES])
def test_bytes_that_are_no_address_are_refused(
    packed: bytes, reason: str, at: int | None, why: str
) -> None:
    with pytest.raises(fdaa.AddressError) as caught:
        fdaa.Address.from_bytes(packed)
    assert caught.value.reason.endswith(reason), why
    assert (caught.value.at, caught.value.text) == (at, packed[:17].hex())


def test_an_address_outside_the_prefix_is_the_same_error_for_every_constructor() -> None:
    ip = ipaddress.IPv6Address("2001:db8::1")
    constructors: tuple[Callable[[], object], ...] = (
        lambda: fdaa.Address(str(ip)),
        lambda: fdaa.Address.from_int(int(ip)),
        lambda: fdaa.Address.from_bytes(ip.packed),
        lambda: fdaa.Address.from_ip(ip),
        lambda: fdaa.Address.from_reverse_pointer(ip.reverse_pointer),
        lambda: fdaa.extract_network_id(str(ip)),
    )
    for construct in constructors:
        with pytest.raises(fdaa.OutsidePrefixError):
            construct()


# --- objects of other libraries -------------------------------------------------------------------

NO_IPS = (
    # object, error, a part of the message
    (ipaddress.IPv6Address(TEXT + "%eth0"), fdaa.AddressError, "a zone ('%eth0')"),
    (ipaddress.IPv4Address("10.0.0.1"), fdaa.AddressError, "an IPv4 address"),
    (ipaddress.IPv6Address("::1"), fdaa.OutsidePrefixError, "does not start with 'fdaa'"),
    (ipaddress.IPv6Network("fdaa:2:45b::/48"), TypeError, "not IPv6Network"),
    (TEXT, TypeError, "ip must be an IPv6Address of ipaddress or an IPAddress of netaddr, not str"),
)


@pytest.mark.parametrize(("ip", "error", "reason"), NO_IPS)
def test_other_objects_are_refused(ip: Any, error: type[Exception], reason: str) -> None:
    with pytest.raises(error) as caught:
        fdaa.Address.from_ip(ip)
    assert type(caught.value) is error
    assert reason in str(caught.value)


def test_the_prefix_length_of_an_interface_is_left_out() -> None:
    assert fdaa.Address.from_ip(ipaddress.IPv6Interface(TEXT + "/64")) == ADDRESS


# --- network IDs ----------------------------------------------------------------------------------

IDS = (
    # number, high, low, text, /48
    (0, 0, 0, "0:0", "fdaa::/48"),
    (0x2045B, 0x2, 0x45B, "2:45b", "fdaa:2:45b::/48"),
    (0x10000, 1, 0, "1:0", "fdaa:1::/48"),
    (0xFFFF, 0, 0xFFFF, "0:ffff", "fdaa:0:ffff::/48"),
    (0xFFFFFFFF, 0xFFFF, 0xFFFF, "ffff:ffff", "fdaa:ffff:ffff::/48"),
)


@pytest.mark.parametrize(("number", "high", "low", "text", "prefix"), IDS)
def test_a_network_id_shows_its_forms(
    number: int, high: int, low: int, text: str, prefix: str
) -> None:
    network_id = fdaa.NetworkID(number)
    assert (network_id.high, network_id.low) == (high, low)
    assert (str(network_id), str(network_id.prefix)) == (text, prefix)
    assert network_id.prefix.to_ipaddress() == ipaddress.IPv6Network(prefix)
    for same in (
        fdaa.NetworkID(network_id),
        fdaa.NetworkID(text),
        fdaa.NetworkID(prefix),
        fdaa.NetworkID.from_groups(low=low, high=high),
        fdaa.Address.build(number).network_id,
    ):
        assert type(same) is fdaa.NetworkID
        assert same == number


# --- prefixes -------------------------------------------------------------------------------------


def test_a_prefix_shows_its_parts() -> None:
    prefix = fdaa.Prefix("FDAA:2:45B:A7B::/64")
    assert prefix.address == fdaa.Address("fdaa:2:45b:a7b::")
    assert prefix.length == 64
    assert fdaa.Prefix("fdaa:2:45a::/48").last == fdaa.Address("fdaa:2:45a" + ":ffff" * 5)
    assert prefix.network_id == 0x2045B
    assert str(prefix) == "fdaa:2:45b:a7b::/64"
    assert prefix.to_ipaddress() == ipaddress.IPv6Network("fdaa:2:45b:a7b::/64")
    assert fdaa.Prefix.build(prefix.address, length=64) == prefix == fdaa.Prefix(prefix)


PREFIXES = accepted("prefixes", "text", "prefix", "network_id", "why")
NO_PREFIXES = refused("prefixes")


@pytest.mark.parametrize(("text", "printed", "network_id", "why"), PREFIXES, ids=names(PREFIXES))
def test_a_prefix_of_a_network_is_read(text: str, printed: str, network_id: str, why: str) -> None:
    prefix = fdaa.Prefix(text)
    assert (str(prefix), str(prefix.network_id)) == (printed, network_id), why


@pytest.mark.parametrize("row", NO_PREFIXES, ids=names(NO_PREFIXES))
def test_what_is_no_prefix_of_a_network_is_refused(row: tuple[str, str, int | None, str]) -> None:
    check_refusal(fdaa.Prefix, fdaa.PrefixError, row)


def test_a_prefix_is_built_of_an_address_and_a_length() -> None:
    with pytest.raises(fdaa.PrefixError, match="'fdaa:2:45b::/16' is not a prefix of a network"):
        fdaa.Prefix.build(fdaa.Address("fdaa:2:45b::"), 16)


@pytest.mark.parametrize("length", [129, -1])
def test_a_prefix_length_is_a_number_from_0_to_128(length: int) -> None:
    for make in (fdaa.Prefix, lambda _: fdaa.Prefix.build(fdaa.Address("fdaa::"), length)):
        with pytest.raises(fdaa.PrefixError, match="a prefix length is a number from 0 to 128"):
            make(f"fdaa::/{length}")
