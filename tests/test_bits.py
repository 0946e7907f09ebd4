"""The 128 bits: each field where section 2.3 of the specification puts it."""

from __future__ import annotations

from ipaddress import IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdaa import _bits


def test_the_numbers() -> None:
    """The specification, section 2.3: `fdaa`, then 32 bits, then the rest of 128."""
    assert _bits.PREFIX == 0xFDAA
    assert _bits.PREFIX_BYTES == b"\xfd\xaa" == bytes([_bits.BYTE_0, _bits.BYTE_1])
    assert (_bits.PREFIX_BITS, _bits.NETWORK_ID_BITS, _bits.REST_BITS) == (16, 32, 80)
    assert (_bits.ADDRESS_BITS, _bits.ADDRESS_BYTES, _bits.GROUP_BITS) == (128, 16, 16)
    assert _bits.NETWORK_PREFIX_LENGTH == 48
    assert bytes(range(16))[_bits.NETWORK_BYTES] == bytes(range(6))
    assert (_bits.MAX_NETWORK_ID, _bits.MAX_GROUP) == (0xFFFFFFFF, 0xFFFF)
    assert _bits.MAX_REST == 2**80 - 1
    assert (_bits.MIN_ADDRESS, _bits.MAX_ADDRESS) == (0xFDAA * 2**112, 0xFDAB * 2**112 - 1)


def test_the_fields_stand_in_this_order() -> None:
    digits = "fdaa0002045b0a7b0174db43d3c60002"
    assert _bits.join(0x2045B, 0xA7B0174DB43D3C60002) == int(digits, 16)
    assert _bits.rest_of(int(digits, 16)) == 0xA7B0174DB43D3C60002
    assert _bits.unpack_head(bytes.fromhex(digits)) == (0xFDAA, 0x2045B)
    assert _bits.groups_of(0x2045B) == (0x2, 0x45B)


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**80 - 1))
def test_join_is_taken_apart_again(network_id: int, rest: int) -> None:
    address = _bits.join(network_id, rest)
    assert _bits.unpack_head(address.to_bytes(16, "big")) == (0xFDAA, network_id)
    assert _bits.rest_of(address) == rest
    assert _bits.from_groups(*_bits.groups_of(network_id)) == network_id


PREFIXES = (
    # an address, the length behind it, whether it is a prefix, why
    ("fdaa::", 16, True, "all private addresses"),
    ("fdaa::", 8, True, "more than all: `fdaa` itself is not behind the length"),
    ("fdaa::", 0, True, "the whole of IPv6"),
    ("fdaa:2::", 32, True, "the networks of one group"),
    ("fdaa:2:45b::", 32, False, "a network ID behind the length"),
    ("fdaa:2:45b::", 47, False, "its last bit is behind the length"),
    ("fdaa:2:45b::", 48, True, "one network"),
    ("fdaa:0:18:a7b::2", 112, False, "an address with the length of its link"),
    ("fdaa::2", 127, True, "two addresses"),
    ("fdaa::3", 127, False, "one of two addresses"),
    ("fdaa::", 128, False, "one address, that ends in zeros"),
)


@pytest.mark.parametrize(("address", "length", "expected", "why"), PREFIXES)
def test_a_prefix_has_no_bits_behind_its_length(
    address: str, length: int, expected: bool, why: str
) -> None:
    assert _bits.is_prefix(IPv6Address(address).packed, length) is expected, why
