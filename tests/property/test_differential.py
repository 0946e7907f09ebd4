"""The same answers as others give, but for the one difference that is named here."""

from __future__ import annotations

import ipaddress

import pytest
import slow_parser
from hypothesis import given
from mutations import any_texts, mutated_texts

import fdaa
from fdaa._values import text as fdaa_text  # its reader and writer in Python
from fdaa.strategies import address_texts, addresses, not_addresses


def by_ipaddress(text: str) -> bytes | None:
    if "%" in text:
        return None  # the one difference: it takes a zone, of any text
    try:
        return ipaddress.IPv6Address(text).packed
    except ValueError:
        return None


def by_fdaa(text: str) -> bytes | None:
    try:
        return fdaa_text.read(text)
    except fdaa_text.TextError:
        return None


@given(address_texts() | not_addresses() | mutated_texts())
def test_the_standard_library_reads_what_fdaa_reads(text: str) -> None:
    """RFC 4291, section 2.2: every spelling, and nothing that it does not allow."""
    assert by_fdaa(text) == by_ipaddress(text)


@given(any_texts())
def test_all_ways_agree_with_the_slow_parser(text: str) -> None:
    """Specification, 2.3: an address is IPv6 text whose first 16 bits are `fdaa`."""
    packed = slow_parser.parse(text)
    assert by_fdaa(text) == packed
    if packed is not None and packed[:2] == b"\xfd\xaa":
        assert fdaa.extract_network_id(text) == int.from_bytes(packed[2:6], "big")
        assert fdaa.Address(text).packed == packed
        assert fdaa.same_network(text, text)
    else:
        expected = fdaa.AddressError if packed is None else fdaa.OutsidePrefixError
        for parse in (fdaa.extract_network_id, fdaa.Address):
            with pytest.raises(expected) as caught:
                parse(text)
            assert type(caught.value) is expected


@given(addresses())
def test_others_show_the_same_parts(address: fdaa.Address) -> None:
    """RFC 5952, section 4, for the text; RFC 3596, section 2.5, for the reverse pointer."""
    theirs = ipaddress.IPv6Address(address.packed)
    assert address.to_ipaddress() == theirs
    assert str(address) == str(theirs)
    assert str(address) == slow_parser.write(address.packed) == fdaa_text._write(0, address.packed)
    assert address.exploded == theirs.exploded
    assert address.reverse_pointer == theirs.reverse_pointer
    assert int(address) == int(theirs) == int(address.to_netaddr())
