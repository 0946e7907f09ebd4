"""Address, NetworkID and Prefix: what each constructor takes, and what it refuses."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any

import pytest

import fdaa

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = "fdaa:2:45b:a7b:174:db43:d3c6:2"
PACKED = bytes.fromhex("fdaa0002045b0a7b0174db43d3c60002")
ADDRESS = fdaa.Address(TEXT)


# --- addresses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "quoted"),
    [
        (0xFDAA * 2**112 - 1, "fda9" + "f" * 28),
        (0xFDAB * 2**112, "fdab" + "0" * 28),
        (2**10_000, "0x1"),
    ],
)
def test_a_number_outside_the_prefix_is_refused(number: int, quoted: str) -> None:
    with pytest.raises(fdaa.AddressError, match=r"with the bytes fd aa|\(128 bits\)$") as caught:
        fdaa.Address.from_int(number)
    assert str(caught.value).startswith(f"'{quoted}")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("packed", "reason", "at"),
    [
        (PACKED + b"\0", "has 16 bytes, not 17", None),
        (b"fdaa:0:0:1:2:3::", "an address starts with the bytes fd aa", 0),
    ],
)
def test_bytes_that_are_no_address_are_refused(packed: bytes, reason: str, at: int | None) -> None:
    with pytest.raises(fdaa.AddressError) as caught:
        fdaa.Address.from_bytes(packed)
    assert caught.value.reason.endswith(reason)
    assert (caught.value.at, caught.value.text) == (at, packed.hex())


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


@pytest.mark.parametrize(
    ("ip", "error", "reason"),
    [
        (ipaddress.IPv6Address(TEXT + "%eth0"), fdaa.AddressError, "a zone ('%eth0')"),
        (ipaddress.IPv4Address("10.0.0.1"), fdaa.AddressError, "an IPv4 address"),
        (ipaddress.IPv6Network("fdaa:2:45b::/48"), TypeError, "not IPv6Network"),
    ],
)
def test_other_objects_are_refused(ip: Any, error: type[Exception], reason: str) -> None:
    with pytest.raises(error) as caught:
        fdaa.Address.from_ip(ip)
    assert reason in str(caught.value)


def test_the_prefix_length_of_an_interface_is_left_out() -> None:
    assert fdaa.Address.from_ip(ipaddress.IPv6Interface(TEXT + "/64")) == ADDRESS


# --- network IDs and prefixes ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "what", "bits", "error"),
    [
        (lambda rest: fdaa.Address.build(1, rest), "the rest", 80, fdaa.AddressError),
        (fdaa.NetworkID, "a network ID", 32, fdaa.NetworkIDError),
        (lambda low: fdaa.NetworkID.from_groups(0, low), "a group", 16, fdaa.NetworkIDError),
    ],
)
def test_a_number_has_at_most_the_bits_of_its_field(
    make: Callable[[object], object], what: str, bits: int, error: type[fdaa.InputError]
) -> None:
    assert make(2**bits - 1) is not None
    for number in (-1, 2**bits):
        with pytest.raises(error, match=rf"{what} must be 0 to 0xf+ \({bits} bits\)$"):
            make(number)


@pytest.mark.parametrize(
    ("length", "reason"), [(16, "not a prefix of a network"), (129, "from 0 to 128")]
)
def test_a_prefix_is_not_built_of_another_length(length: int, reason: str) -> None:
    with pytest.raises(fdaa.PrefixError, match=reason):
        fdaa.Prefix.build(fdaa.Address("fdaa:2:45b::"), length)


# --- other types ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "value", "hint"),
    [
        (fdaa.Address, ipaddress.IPv6Address("fdaa::1"), "; use Address.from_ip"),
        (fdaa.Address, b"fdaa:0:0:1:2:3::", "; use Address.from_bytes"),
        (fdaa.NetworkID, fdaa.Address("fdaa::1"), "; use address.network_id"),
        (fdaa.NetworkID, True, "not bool"),
    ],
)
def test_another_type_is_refused_with_the_constructor_that_takes_it(
    make: Callable[[Any], object], value: object, hint: str
) -> None:
    with pytest.raises(TypeError, match=f"{hint}$"):
        make(value)
