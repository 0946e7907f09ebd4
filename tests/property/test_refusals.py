"""Whatever is refused is refused in good order: one kind of error, with what a person needs."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import pytest
import slow_parser
from hypothesis import example, given
from hypothesis import strategies as st
from mutations import any_texts, mutated

import fdaa
from fdaa._values.id_text import read_rest  # no export: only `fdaa build` reads a rest
from fdaa.strategies import address_texts, addresses, network_ids, prefixes

if TYPE_CHECKING:
    from collections.abc import Callable

pointers = addresses().map(operator.attrgetter("reverse_pointer"))


@pytest.mark.parametrize(
    ("parse", "expected"),
    [
        (fdaa.Address, fdaa.AddressError),
        (fdaa.Address.from_reverse_pointer, fdaa.AddressError),
        (fdaa.NetworkID, fdaa.NetworkIDError),
        (fdaa.NetworkName, fdaa.NetworkNameError),
        (read_rest, fdaa.AddressError),
    ],
)
@given(text=any_texts() | network_ids().map(str) | pointers)
@example(text="\udc80")
@example(text="\U0010ffff" * 100)
def test_any_text_is_taken_or_refused_in_good_order(
    parse: Callable[[str], object], expected: type[fdaa.InputError], text: str
) -> None:
    """Design: every error says what was wrong and where, safely, in one line of bounded length."""
    try:
        parse(text)
    except expected as refusal:
        error = refusal
    else:
        return
    assert error.text == text
    assert error.at is None or 0 <= error.at < len(text)
    assert error.reason
    message = str(error)
    assert message.isascii()
    assert message.isprintable()
    assert len(message) < 1500


networks = st.builds("{}/{}".format, address_texts(), st.integers(0, 130)) | prefixes().map(str)


@given(networks | mutated(networks))
def test_a_prefix_is_an_address_and_a_length_from_48_to_127_and_later_bits_are_0(text: str) -> None:
    """A prefix is a network (/48), or a part of one; its text is one of `NetworkID` too."""
    before, slash, digits = text.partition("/")
    packed = slow_parser.parse(before)
    if packed and packed[:2] == b"\xfd\xaa" and digits in map(str, range(48, 128)):
        length = int(digits)
        bits = f"{int.from_bytes(packed, 'big'):0128b}"
        if "1" not in bits[length:]:
            prefix = fdaa.Prefix(text)
            assert (prefix.address.packed, prefix.length) == (packed, length)
            assert fdaa.NetworkID(text) == prefix.network_id == int(bits[16:48], 2)
            assert fdaa.Prefix.build(prefix.address, length) == prefix
            return
    with pytest.raises(fdaa.PrefixError):
        fdaa.Prefix(text)
    if slash:
        with pytest.raises(fdaa.NetworkIDError):
            fdaa.NetworkID(text)
