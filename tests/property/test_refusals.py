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


def assert_well_formed(error: fdaa.InputError, text: str) -> None:
    """Design: every error says what was wrong and where, safely, in one line of bounded length."""
    message = str(error)
    assert error.text == text
    assert error.at is None or 0 <= error.at < len(text)
    assert error.reason
    assert message.isascii()
    assert message.isprintable()
    assert len(message) < 1500


@pytest.mark.parametrize(
    ("parse", "errors"),
    [
        (fdaa.Address, fdaa.AddressError),
        (fdaa.extract_network_id, fdaa.AddressError),
        (fdaa.Address.from_reverse_pointer, fdaa.AddressError),
        (fdaa.NetworkID, fdaa.NetworkIDError),
        (fdaa.NetworkName, fdaa.NetworkNameError),
        (read_rest, fdaa.AddressError),
    ],
    ids=["Address", "extract_network_id", "reverse pointer", "NetworkID", "NetworkName", "rest"],
)
@given(text=any_texts() | network_ids().map(str) | pointers)
@example(text="\0")
@example(text="\udc80")
@example(text="\U0010ffff" * 100)
def test_any_text_is_taken_or_refused_in_good_order(
    parse: Callable[[str], object], errors: type[fdaa.InputError], text: str
) -> None:
    """Design: every error is a ValueError of ours; nothing of the functions below ever leaks."""
    try:
        parse(text)
    except errors as error:
        assert_well_formed(error, text)


names = st.text("abzABZ019-", max_size=8)
strange_characters = st.characters() | st.sampled_from("-_.\n \0\u212a\u0435\uff11")


@st.composite
def near_names(draw: st.DrawFn) -> str:
    """A name with one more character."""
    name = draw(network_names())
    at = draw(st.integers(0, 9))
    return name[:at] + draw(strange_characters) + name[at:]


@given(names | near_names() | st.text(st.characters()))
def test_a_name_is_valid_by_the_charset_and_its_first_character(text: str) -> None:
    """Specification, 8: letters, digits, dashes; first character a letter. Decision: of ASCII."""
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", text):
        assert fdaa.NetworkName(text) == text
    else:
        with pytest.raises(fdaa.NetworkNameError):
            fdaa.NetworkName(text)


# The grammar of `NetworkID` but for the /48, which is an address and a number behind it.
NETWORK_ID = re.compile(
    r"(?P<high>[0-9a-fA-F]{1,4}):(?P<low>[0-9a-fA-F]{1,4})"
    r"|:(?P<high_cut>[0-9a-fA-F]{1,4}):(?P<low_cut>[0-9a-fA-F]{1,4}):"
    r"|0[xX](?P<hex>[0-9a-fA-F]+)",
    re.ASCII,
)


@given(st.text("0123459abfxX:+-_ ", max_size=12) | st.text("0123456789", max_size=12))
@example("4294967295")
@example("4294967296")
@example(":2:45b:")
def test_a_network_id_is_read_by_its_grammar(text: str) -> None:
    """Forms of `NetworkID`: ASCII only; no sign, underscore or space; 32 bits."""
    match = NETWORK_ID.fullmatch(text)
    number = -1
    if match and match["hex"]:
        number = int(match["hex"], 16)
    elif match:
        high = match["high"] or match["high_cut"]
        low = match["low"] or match["low_cut"]
        number = int(high, 16) * 65536 + int(low, 16)
    if 0 <= number < 2**32:
        assert fdaa.NetworkID(text) == number
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
