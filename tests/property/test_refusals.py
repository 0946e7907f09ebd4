"""Whatever is refused is refused in good order: one kind of error, with what a person needs."""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING

import pytest
import slow_parser
from hypothesis import example, given
from hypothesis import strategies as st
from mutations import any_texts, mutated

import fdaa
from fdaa._values.id_text import read_rest  # no export: only `fdaa build` reads a rest
from fdaa.strategies import address_texts, addresses, network_ids, network_names, prefixes

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


strange_characters = st.characters() | st.sampled_from("-_.\n \0\u212a\u0435\uff11")


@given(network_names(), strange_characters, st.integers(0, 9))
@example("", "a", 0)
@example("", "-", 0)
def test_a_name_is_valid_by_the_charset_and_its_first_character(
    name: str, character: str, at: int
) -> None:
    """Specification, 8: letters, digits, dashes; first character a letter. Decision: of ASCII."""
    text = name[:at] + character + name[at:]
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", text):
        assert fdaa.NetworkName(text) == text
    else:
        with pytest.raises(fdaa.NetworkNameError):
            fdaa.NetworkName(text)


# The grammar of `NetworkID` but for the prefix: two groups, cut out with both colons or not; hex.
GROUPS = re.compile("(:?)([0-9a-fA-F]{1,4}):([0-9a-fA-F]{1,4})(:?)")
HEX = re.compile("0[xX][0-9a-fA-F]{1,8}")


@given(st.text("0123459abfxX:+-_ ", max_size=12))
@example("4294967296")
@example(":2:45b:")
def test_a_network_id_is_read_by_its_grammar(text: str) -> None:
    """Forms of `NetworkID`: ASCII only; no sign, underscore or space; 32 bits."""
    match = GROUPS.fullmatch(text)
    if HEX.fullmatch(text):
        assert fdaa.NetworkID(text) == int(text, 16)
    elif match and match[1] == match[4]:
        assert fdaa.NetworkID(text) == int(match[2], 16) * 65536 + int(match[3], 16)
    else:
        with pytest.raises(fdaa.NetworkIDError):
            fdaa.NetworkID(text)


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
            return
    with pytest.raises(fdaa.PrefixError):
        fdaa.Prefix(text)
    if slash:
        with pytest.raises(fdaa.NetworkIDError):
            fdaa.NetworkID(text)


@given(pointers | mutated(pointers) | mutated(pointers.map(str.upper)))
def test_a_reverse_pointer_is_32_digits_and_the_domain(text: str) -> None:
    """RFC 3596, section 2.5: nibbles in reverse order, dots between, and the suffix IP6.ARPA."""
    if re.fullmatch(r"(?i:([0-9a-f]\.){28}a\.a\.d\.f\.ip6\.arpa)\.?", text, re.ASCII):
        address = fdaa.Address.from_reverse_pointer(text)
        assert address.reverse_pointer == text.lower().removesuffix(".")
    else:
        with pytest.raises(fdaa.AddressError):
            fdaa.Address.from_reverse_pointer(text)
