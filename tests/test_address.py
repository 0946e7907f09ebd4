"""Address and NetworkID: each constructor, its inverse, and what it refuses."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

import netaddr
import pytest

import fdaa

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = "fdaa:2:45b:a7b:174:db43:d3c6:2"
NUMBER = 0xFDAA_0002_045B_0A7B_0174_DB43_D3C6_0002
PACKED = bytes.fromhex("fdaa0002045b0a7b0174db43d3c60002")
HUGE = 10**100_000  # printing it in decimal takes long, and is a ValueError of Python's own
ADDRESS = fdaa.Address(TEXT)


# --- an address and what it is made of ------------------------------------------------------------


def test_an_address_is_built_with_rest_0_unless_told() -> None:
    assert str(fdaa.Address.build(0x2045B)) == "fdaa:2:45b::"
    assert fdaa.Address.build(network_id=1, rest=2) == fdaa.Address.parse("fdaa:0:1::2")


# --- numbers --------------------------------------------------------------------------------------

EDGES = (
    ("fdaa::", 0xFDAA * 2**112),
    ("fdaa:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 0xFDAB * 2**112 - 1),
)


@pytest.mark.parametrize(("text", "number"), EDGES)
def test_the_smallest_and_the_largest_address_are_numbers(text: str, number: int) -> None:
    assert str(fdaa.Address.from_int(number)) == text
    assert int(fdaa.Address.parse(text)) == number


NO_ADDRESSES = (
    # number, as it is quoted, why
    (0, "0" * 32, "zero"),
    (-NUMBER, "-0xfdaa0002045b0a7b0174db43d3c60002'", "negative"),
    (0xFDAA * 2**112 - 1, "fda9" + "f" * 28, "one before the prefix"),
    (0xFDAB * 2**112, "fdab" + "0" * 28, "one behind the prefix"),
    (2**128, "0x1" + "0" * 32, "129 bits"),
    (2**256 - 1, "0x" + "f" * 58 + "'...", "256 bits"),
    (2**256, "a huge number", "257 bits"),
    (-HUGE, "a huge number", "a hundred thousand digits"),
)


@pytest.mark.parametrize(
    ("number", "quoted", "why"), NO_ADDRESSES, ids=[row[2] for row in NO_ADDRESSES]
)
def test_a_number_outside_the_prefix_is_refused(number: int, quoted: str, why: str) -> None:
    with pytest.raises(fdaa.AddressError, match=r"with the bytes fd aa|\(128 bits\)$") as e:
        fdaa.Address.from_int(number)
    assert str(e.value).startswith(f"'{quoted}"), why


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
    for number in (-1, 2**bits, HUGE, -HUGE):
        with pytest.raises(error) as caught:
            make(number)
        assert caught.value.reason == f"{what} must be 0 to {largest} ({bits} bits)"
    for value in (True, 1.0, b"1", None, ipaddress.IPv6Address(TEXT)):
        with pytest.raises(TypeError, match=f"^{what} must be int.*, not {type(value).__name__}$"):
            make(value)
        with pytest.raises(
            TypeError, match=f"^an address must be int, not {type(value).__name__}$"
        ):
            fdaa.Address.from_int(value)


# --- bytes ----------------------------------------------------------------------------------------

NO_BYTES = (
    # bytes, a part of the message, at, why
    (b"", "has 0 bytes", None, "nothing"),
    (PACKED[:-1], "has 15 bytes", None, "15 bytes"),
    (PACKED + b"\0", "has 17 bytes", None, "17 bytes"),
    (PACKED * 10**6, "has 16000000 bytes", None, "many bytes"),
    (b"fdaa:0:0:1:2:3::", "starts with the bytes fd aa", 0, "16 bytes that are a text"),
    (b"\xfd\xab" + bytes(14), "starts with the bytes fd aa", 0, "the next prefix"),
    (b"\xfc\xaa" + bytes(14), "starts with the bytes fd aa", 0, "only aa is right"),
)


@pytest.mark.parametrize(("packed", "reason", "at", "why"), NO_BYTES, ids=[r[3] for r in NO_BYTES])
def test_bytes_that_are_no_address_are_refused(
    packed: bytes, reason: str, at: int | None, why: str
) -> None:
    with pytest.raises(fdaa.AddressError) as caught:
        fdaa.Address.from_bytes(packed)
    assert reason in caught.value.reason, why
    assert (caught.value.at, caught.value.text) == (at, packed[:17].hex())


@pytest.mark.parametrize(
    "value", ["fdaa:0:0:1:2:3::", bytearray(PACKED), memoryview(PACKED), 16, None]
)
def test_a_packed_address_is_bytes_only(value: object) -> None:
    with pytest.raises(TypeError, match=f"must be bytes, not {type(value).__name__}$"):
        fdaa.Address.from_bytes(value)


# --- numbers and bytes that say something else than they are --------------------------------------


# --- objects of other libraries -------------------------------------------------------------------

NO_IPS = (
    # object, error, a part of the message
    (ipaddress.IPv6Address(TEXT + "%eth0"), fdaa.AddressError, "a zone ('%eth0')"),
    (ipaddress.IPv4Address("10.0.0.1"), fdaa.AddressError, "an IPv4 address"),
    (netaddr.IPAddress("10.0.0.1"), fdaa.AddressError, "an IPv4 address"),
    (ipaddress.IPv6Address("::1"), fdaa.PrefixError, "does not start with 'fdaa'"),
    (netaddr.IPAddress("::1"), fdaa.PrefixError, "does not start with 'fdaa'"),
    (ipaddress.IPv6Network("fdaa:2:45b::/48"), TypeError, "not IPv6Network"),
    (ipaddress.IPv6Interface(TEXT + "/48"), TypeError, "not IPv6Interface"),
    (netaddr.IPNetwork("fdaa:2:45b::/48"), TypeError, "not IPNetwork"),
    (TEXT, TypeError, "not str"),
    (NUMBER, TypeError, "not int"),
    (None, TypeError, "not NoneType"),
)


@pytest.mark.parametrize(("ip", "error", "reason"), NO_IPS, ids=repr)
def test_other_objects_are_refused(ip: object, error: type[Exception], reason: str) -> None:
    with pytest.raises(error) as caught:
        fdaa.Address.from_ip(ip)
    assert type(caught.value) is error
    assert reason in str(caught.value)


def test_an_address_stays_as_it_is_when_the_object_it_came_from_changes() -> None:
    ip = netaddr.IPAddress(TEXT)
    address = fdaa.Address.from_ip(ip)
    ip += 1
    assert str(address) == TEXT


# --- network IDs ----------------------------------------------------------------------------------

IDS = (
    # number, high, low, text, /48
    (0, 0, 0, "0:0", "fdaa::/48"),
    (0x2045B, 0x2, 0x45B, "2:45b", "fdaa:2:45b::/48"),
    (0x10000, 1, 0, "1:0", "fdaa:1::/48"),
    (0xFFFF, 0, 0xFFFF, "0:ffff", "fdaa:0:ffff::/48"),
    (0xFFFFFFFF, 0xFFFF, 0xFFFF, "ffff:ffff", "fdaa:ffff:ffff::/48"),
)


@pytest.mark.parametrize(("number", "high", "low", "text", "cidr"), IDS)
def test_a_network_id_shows_its_forms(
    number: int, high: int, low: int, text: str, cidr: str
) -> None:
    network_id = fdaa.NetworkID(number)
    assert (network_id.high, network_id.low) == (high, low)
    assert (str(network_id), network_id.cidr) == (text, cidr)
    assert network_id.prefix == ipaddress.IPv6Network(cidr)
    for same in (
        fdaa.NetworkID(network_id),
        fdaa.NetworkID(text),
        fdaa.NetworkID(cidr),
        fdaa.NetworkID.from_groups(low=low, high=high),
        fdaa.Address.build(number).network_id,
        fdaa.NetworkID.from_bytes(number.to_bytes(4, "big"), "big"),  # as every int has it
    ):
        assert type(same) is fdaa.NetworkID
        assert same == number


def test_the_constructor_that_int_has_checks_too() -> None:
    with pytest.raises(fdaa.NetworkIDError, match="32 bits"):
        fdaa.NetworkID.from_bytes(b"\1\0\0\0\0", "big")


def test_a_network_holds_its_addresses_and_is_asked_for_no_other_type() -> None:
    assert ADDRESS in fdaa.NetworkID(0x2045B)
    assert ADDRESS not in fdaa.NetworkID(0x2045C)
    for value in (TEXT, NUMBER, None, ipaddress.IPv6Address(TEXT)):
        with pytest.raises(TypeError, match=f"requires an Address, not {type(value).__name__}$"):
            value in ADDRESS.network_id  # noqa: B015
