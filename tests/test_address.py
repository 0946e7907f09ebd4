"""Address and NetworkID: each constructor, its inverse, and what it refuses."""

from __future__ import annotations

import ipaddress
import subprocess
import sys
from pathlib import Path

import netaddr
import pytest

import fdaa

TEXT = "fdaa:2:45b:a7b:174:db43:d3c6:2"
NUMBER = 0xFDAA_0002_045B_0A7B_0174_DB43_D3C6_0002
PACKED = bytes.fromhex("fdaa0002045b0a7b0174db43d3c60002")
HUGE = 10**100_000  # printing it in decimal takes long, and is a ValueError of Python's own


@pytest.fixture
def address() -> fdaa.Address:
    return fdaa.Address.parse(TEXT)


# --- an address and what it is made of ------------------------------------------------------------


def test_an_address_shows_its_parts(address: fdaa.Address) -> None:
    assert str(address) == TEXT
    assert int(address) == NUMBER
    assert address.packed == PACKED
    assert type(address.packed) is bytes
    assert address.exploded == "fdaa:0002:045b:0a7b:0174:db43:d3c6:0002"
    assert address.reverse_pointer == (
        "2.0.0.0.6.c.3.d.3.4.b.d.4.7.1.0.b.7.a.0.b.5.4.0.2.0.0.0.a.a.d.f.ip6.arpa"
    )
    assert address.network_id == 0x2045B
    assert type(address.network_id) is fdaa.NetworkID
    assert address.rest == 0x0A7B_0174_DB43_D3C6_0002


def test_other_libraries_show_the_same_address(address: fdaa.Address) -> None:
    assert address.to_ipaddress() == ipaddress.IPv6Address(TEXT)
    assert address.to_netaddr() == netaddr.IPAddress(TEXT)
    assert address.to_netaddr().version == 6
    assert address.exploded == ipaddress.IPv6Address(TEXT).exploded
    assert address.reverse_pointer == ipaddress.IPv6Address(TEXT).reverse_pointer


def test_an_address_is_built_with_rest_0_unless_told() -> None:
    assert str(fdaa.Address.build(0x2045B)) == "fdaa:2:45b::"


def test_an_address_is_built_from_names_of_arguments() -> None:
    assert fdaa.Address.build(network_id=1, rest=2) == fdaa.Address.parse("fdaa:0:1::2")


@pytest.mark.parametrize("value", [NUMBER, PACKED, True, 1.5, None, [TEXT], bytearray(PACKED)])
def test_an_address_is_made_from_text_and_from_nothing_else(value: object) -> None:
    assert fdaa.Address(TEXT) == fdaa.Address.parse(TEXT)
    with pytest.raises(TypeError, match=f"an address is read from str, not {type(value).__name__}"):
        fdaa.Address(value)


def test_a_network_id_is_made_from_a_number_or_a_text() -> None:
    assert fdaa.NetworkID(0x2045B) == fdaa.NetworkID("2:45b") == fdaa.NetworkID("0x2045b")
    assert fdaa.NetworkID(18) == 18
    with pytest.raises(fdaa.NetworkIDError, match=r"0:18 \(0x18\) if it is hex, or 0:12 \(0x12\)"):
        fdaa.NetworkID("18")


def test_the_network_of_an_id_is_a_text_and_an_object() -> None:
    for text, cidr in (("2:45b", "fdaa:2:45b::/48"), ("0:0", "fdaa::/48"), ("1:0", "fdaa:1::/48")):
        assert fdaa.NetworkID(text).cidr == cidr
        assert fdaa.NetworkID(text).prefix == ipaddress.IPv6Network(cidr)


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
    (0, "0x0", "zero"),
    (1, "0x1", "::1"),
    (-NUMBER, "-0xfdaa0002045b0a7b0174db43d3c60002", "negative"),
    (0xFDAA * 2**112 - 1, "0xfda9" + "f" * 28, "one before the prefix"),
    (0xFDAB * 2**112, "0xfdab" + "0" * 28, "one behind the prefix"),
    (2**128, "0x1" + "0" * 32, "129 bits"),
    (2**256 - 1, "0x" + "f" * 58 + "'...", "256 bits"),
    (2**256, "a huge number", "257 bits"),
    (HUGE, "a huge number", "a hundred thousand digits"),
    (-HUGE, "a huge number", "as many, negative"),
)


@pytest.mark.parametrize(
    ("number", "quoted", "why"), NO_ADDRESSES, ids=[row[2] for row in NO_ADDRESSES]
)
def test_a_number_outside_the_prefix_is_refused(number: int, quoted: str, why: str) -> None:
    with pytest.raises(fdaa.AddressError, match=r"must have 128 bits and start with 0xfdaa$") as e:
        fdaa.Address.from_int(number)
    assert str(e.value).startswith(f"'{quoted}"), why
    assert e.value.at is None


@pytest.mark.parametrize("rest", [-1, 2**80, HUGE, -HUGE], ids=["-1", "2**80", "huge", "-huge"])
def test_a_rest_of_more_than_80_bits_is_refused(rest: int) -> None:
    with pytest.raises(fdaa.AddressError, match=r"the rest must be 0 to 2\*\*80 - 1"):
        fdaa.Address.build(1, rest)


@pytest.mark.parametrize("number", [-1, 2**32, HUGE, -HUGE], ids=["-1", "2**32", "huge", "-huge"])
def test_a_network_id_of_more_than_32_bits_is_refused(number: int) -> None:
    for make in (fdaa.NetworkID, fdaa.Address.build):
        with pytest.raises(fdaa.NetworkIDError, match=r"must be 0 to 0xffffffff \(32 bits\)"):
            make(number)


NO_INTS = (True, False, 1.0, b"1", None, NUMBER + 0.0, ipaddress.IPv6Address(TEXT))


@pytest.mark.parametrize("value", NO_INTS, ids=repr)
def test_a_number_is_an_int_and_no_bool(value: object) -> None:
    for make in (
        fdaa.NetworkID,
        fdaa.Address.from_int,
        fdaa.Address.build,
        lambda value: fdaa.Address.build(1, value),
        lambda value: fdaa.NetworkID.from_groups(1, value),
        lambda value: fdaa.NetworkID.from_groups(value, 1),
    ):
        with pytest.raises(TypeError, match=f"is made from int.*, not {type(value).__name__}$"):
            make(value)


# --- bytes ----------------------------------------------------------------------------------------

NO_BYTES = (
    # bytes, a part of the message, at, why
    (b"", "has 0 bytes", None, "nothing"),
    (PACKED[:-1], "has 15 bytes", None, "15 bytes"),
    (PACKED + b"\0", "has 17 bytes", None, "17 bytes"),
    (PACKED * 10**6, "has 16000000 bytes", None, "many bytes"),
    (TEXT.encode(), "has 30 bytes", None, "a text"),
    (b"fdaa:0:0:1:2:3::", "starts with the bytes fd aa", 0, "16 bytes that are a text"),
    (bytes(16), "starts with the bytes fd aa", 0, "zeros"),
    (b"\xfd\xab" + bytes(14), "starts with the bytes fd aa", 0, "the next prefix"),
    (b"\xfc\xaa" + bytes(14), "starts with the bytes fd aa", 0, "only aa is right"),
    (PACKED[::-1], "starts with the bytes fd aa", 0, "the wrong byte order"),
)


@pytest.mark.parametrize(
    ("packed", "reason", "at", "why"), NO_BYTES, ids=[row[3] for row in NO_BYTES]
)
def test_bytes_that_are_no_address_are_refused(
    packed: bytes, reason: str, at: int | None, why: str
) -> None:
    with pytest.raises(fdaa.AddressError) as caught:
        fdaa.Address.from_bytes(packed)
    assert reason in caught.value.reason, why
    assert caught.value.at == at
    assert caught.value.text == packed[:17].hex()


@pytest.mark.parametrize(
    "value", [TEXT, "fdaa:0:0:1:2:3::", bytearray(PACKED), memoryview(PACKED), 16, True, None]
)
def test_a_packed_address_is_bytes_only(value: object) -> None:
    with pytest.raises(TypeError, match=f"is bytes, not {type(value).__name__}$"):
        fdaa.Address.from_bytes(value)


# --- numbers and bytes that say something else than they are --------------------------------------


class LyingInt(int):
    def __int__(self) -> int:
        return 2**200

    __index__ = __int__

    def __ror__(self, _: int) -> int:
        return 0

    def to_bytes(self, *_: object) -> bytes:
        return b"lie"


class LyingBytes(bytes):
    def __bytes__(self) -> bytes:
        return b"lie"

    def startswith(self, _: bytes) -> bool:
        return True

    def __len__(self) -> int:
        return 16


def test_a_value_is_made_of_the_bits_that_were_checked(address: fdaa.Address) -> None:
    assert fdaa.NetworkID(LyingInt(1)) == 1
    assert type(fdaa.NetworkID(LyingInt(1))) is fdaa.NetworkID
    assert fdaa.Address.from_int(LyingInt(NUMBER)) == address
    assert fdaa.Address.build(LyingInt(0x2045B), LyingInt(address.rest)) == address
    assert fdaa.NetworkID.from_groups(LyingInt(0x2), LyingInt(0x45B)) == 0x2045B
    assert fdaa.Address.from_bytes(LyingBytes(PACKED)) == address
    for packed in (PACKED[:-1], bytes(16)):
        with pytest.raises(fdaa.AddressError):
            fdaa.Address.from_bytes(LyingBytes(packed))


# --- objects of other libraries -------------------------------------------------------------------

NO_IPS = (
    # object, error, a part of the message, why
    (ipaddress.IPv6Address(TEXT + "%eth0"), fdaa.AddressError, "a zone ('%eth0')", "a zone"),
    (ipaddress.IPv4Address("10.0.0.1"), fdaa.AddressError, "an IPv4 address", "IPv4"),
    (netaddr.IPAddress("10.0.0.1"), fdaa.AddressError, "an IPv4 address", "netaddr's IPv4"),
    (ipaddress.IPv6Address("::1"), fdaa.PrefixError, "does not start with 'fdaa'", "outside"),
    (netaddr.IPAddress("::1"), fdaa.PrefixError, "does not start with 'fdaa'", "outside, netaddr"),
    (ipaddress.IPv6Network("fdaa:2:45b::/48"), TypeError, "not IPv6Network", "a network"),
    (ipaddress.IPv4Interface("10.0.0.1/8"), TypeError, "not IPv4Interface", "IPv4's interface"),
    (ipaddress.IPv6Interface(TEXT + "/48"), TypeError, "not IPv6Interface", "an interface"),
    (netaddr.IPNetwork("fdaa:2:45b::/48"), TypeError, "not IPNetwork", "netaddr's network"),
    (TEXT, TypeError, "not str", "a text"),
    (NUMBER, TypeError, "not int", "a number"),
    (PACKED, TypeError, "not bytes", "bytes"),
    (None, TypeError, "not NoneType", "None"),
)


@pytest.mark.parametrize(("ip", "error", "reason", "why"), NO_IPS, ids=[row[3] for row in NO_IPS])
def test_other_objects_are_refused(
    ip: object, error: type[Exception], reason: str, why: str
) -> None:
    with pytest.raises(error) as caught:
        fdaa.Address.from_ip(ip)
    assert type(caught.value) is error, why
    assert reason in str(caught.value)


def test_an_address_stays_as_it_is_when_the_object_it_came_from_changes() -> None:
    ip = netaddr.IPAddress(TEXT)
    address = fdaa.Address.from_ip(ip)
    ip += 1
    assert str(address) == TEXT


def test_netaddr_is_loaded_for_its_own_objects_only() -> None:
    script = """if True:
        import sys
        sys.path.insert(0, sys.argv[1])
        import fdaa, ipaddress
        address = fdaa.Address.from_ip(ipaddress.ip_address("fdaa::3"))
        address.to_ipaddress(), address.network_id.prefix
        print("netaddr" in sys.modules)
        sys.path.append(sys.argv[2])
        print(type(address.to_netaddr()).__module__.partition(".")[0])
    """
    roots = [str(Path(module.__file__).parent.parent) for module in (fdaa, netaddr)]
    printed = subprocess.check_output([sys.executable, "-I", "-S", "-c", script, *roots], text=True)
    assert printed.split() == ["False", "netaddr"]


# --- network IDs ----------------------------------------------------------------------------------

IDS = (
    # number, high, low, text, /48
    (0, 0, 0, "0:0", "fdaa::/48"),
    (1, 0, 1, "0:1", "fdaa:0:1::/48"),
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
    assert network_id == number
    assert (network_id.high, network_id.low) == (high, low)
    assert str(network_id) == text
    assert network_id.prefix == ipaddress.IPv6Network(prefix)
    assert fdaa.NetworkID.from_groups(high, low) == network_id
    assert fdaa.NetworkID.from_groups(low=low, high=high) == network_id
    assert fdaa.NetworkID.parse(text) == network_id
    assert fdaa.NetworkID.parse(prefix) == network_id
    assert fdaa.NetworkID(network_id) == network_id


@pytest.mark.parametrize(
    "network_id",
    [
        fdaa.NetworkID(1),
        fdaa.NetworkID.parse("0:1"),
        fdaa.NetworkID.from_groups(0, 1),
        fdaa.Address.parse("fdaa:0:1::").network_id,
        fdaa.NetworkID.from_bytes(b"\1", "big"),  # as every int has it
    ],
)
def test_whatever_makes_a_network_id_makes_one(network_id: fdaa.NetworkID) -> None:
    assert type(network_id) is fdaa.NetworkID
    assert network_id == 1


@pytest.mark.parametrize("group", [-1, 0x10000, HUGE], ids=["-1", "0x10000", "huge"])
def test_a_group_of_more_than_16_bits_is_refused(group: int) -> None:
    for high, low in ((group, 0), (0, group)):
        with pytest.raises(fdaa.NetworkIDError, match=r"a group must be 0 to 0xffff \(16 bits\)"):
            fdaa.NetworkID.from_groups(high, low)


def test_the_constructor_that_int_has_checks_too() -> None:
    with pytest.raises(fdaa.NetworkIDError, match="32 bits"):
        fdaa.NetworkID.from_bytes(b"\1\0\0\0\0", "big")


def test_a_network_holds_its_addresses(address: fdaa.Address) -> None:
    assert address in fdaa.NetworkID(0x2045B)
    assert address not in fdaa.NetworkID(0x2045C)


@pytest.mark.parametrize("value", [TEXT, NUMBER, PACKED, None, ipaddress.IPv6Address(TEXT)])
def test_a_network_is_asked_for_addresses_only(address: fdaa.Address, value: object) -> None:
    with pytest.raises(TypeError, match=f"a network holds Addresses, not {type(value).__name__}$"):
        value in address.network_id  # noqa: B015
