"""IPv6 text and 16 bytes: RFC 4291, section 2.2, in; RFC 5952 out; refusals with their reasons."""

from __future__ import annotations

import ipaddress
import tracemalloc
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
import slow_parser
from vectors import check_refusal, rows

import fdaa
from fdaa._values import text as fdaa_text  # its reader in Python, which inet_pton hides
from fdaa._values.id_text import read_rest  # it refuses like the parsers
from tests.address_texts import FULL, FULL_QUAD, INVALID, VALID, Invalid, Valid

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("row", VALID, ids=[row.why for row in VALID])
def test_a_valid_text_is_read(row: Valid) -> None:
    packed = bytes.fromhex(row.packed)
    assert fdaa_text.read(row.text) == packed
    assert fdaa_text.pack(row.text) == packed
    assert fdaa.Address(row.text).packed == packed
    assert fdaa.extract_network_id(row.text) == int(row.packed[4:12], 16)
    assert type(fdaa.extract_network_id(row.text)) is int
    assert slow_parser.parse(row.text) == packed


@pytest.mark.parametrize("row", INVALID, ids=[row.why for row in INVALID])
def test_an_invalid_text_is_refused_with_its_reason_and_place(row: Invalid) -> None:
    for parse in (fdaa.Address, fdaa.extract_network_id):
        check_refusal(parse, row.error, row)
    outside = row.error is fdaa.OutsidePrefixError
    assert (slow_parser.parse(row.text) is None) == (not outside)
    assert not outside or fdaa_text.read(row.text) == slow_parser.parse(row.text)


@pytest.mark.parametrize("row", VALID, ids=[row.why for row in VALID])
def test_an_address_is_printed_in_one_way(row: Valid) -> None:
    packed = bytes.fromhex(row.packed)
    address = fdaa.Address.from_bytes(packed)
    assert (str(address), str(address.network_id)) == (row.address, row.network_id)
    assert slow_parser.write(packed) == row.address
    assert fdaa_text._write(fdaa_text.AF_INET6, packed) == row.address


def _answer(text: str) -> bytes | None:
    try:
        return fdaa_text.read(text)
    except fdaa_text.TextError:
        return None


def test_every_number_of_groups_and_every_place_of_the_gap_is_decided_as_the_rfc_does() -> None:
    """RFC 4291, section 2.2: eight groups; '::' for one or more; a dotted quad for the last two."""
    groups = ["fdaa", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b"]
    decided = {True: 0, False: 0}
    for before in range(10):
        for after in (None, *range(10)):
            for quad in (False, True):
                text = ":".join(groups[:before])
                if after is not None:
                    text += "::" + ":".join(groups[before : before + after])
                if quad and text and not text.endswith(":"):
                    text += ":"
                if quad:
                    text += "1.2.3.4"
                expected = slow_parser.parse(text)
                assert _answer(text) == expected, text
                decided[expected is not None] += 1
    assert decided[True] > 50
    assert decided[False] > 50


def test_an_octet_is_a_decimal_number_up_to_255() -> None:
    octets = [str(number) for number in range(256)]
    others = [str(number) for number in range(256, 300)]
    others += ["00", "01", "001", "0x1", "", "1e0"]
    for octet in octets + others:
        for text in (f"fdaa::{octet}.2.3.4", f"fdaa::1.{octet}.3.4", f"fdaa::1.2.3.{octet}"):
            assert (_answer(text) is not None) == (octet in octets), text
            assert _answer(text) == slow_parser.parse(text), text


def test_no_character_but_the_ascii_hex_digits_is_a_digit() -> None:
    """`int(x, 16)`, `isdigit` and `\\d` take the digits of every script."""
    hex_digits = set("0123456789abcdefABCDEF")
    taken = set()
    for character in map(chr, range(0x20000)):
        looks_alike = unicodedata.normalize("NFKC", character) in hex_digits
        if (looks_alike or character.isdigit()) and _answer(f"fdaa::{character}"):
            taken.add(character)
    assert taken == hex_digits


LONGER = (
    # an address and what follows it; 46 characters do not hold all of it
    (FULL, "%enp0s31f6", "a zone ('%enp0s31f6')"),
    (FULL, "/128.0.0.0", "a prefix length ('/128.0.0.0')"),
    (FULL_QUAD[:-2], ":3000", "a port (':3000')"),
    (FULL_QUAD, ":3000", "a port (':3000')"),
    (FULL_QUAD, ":65535", "a port (':65535')"),
    (FULL, "%" + "x" * 10**6, "a zone ('%" + "x" * 59 + "'...)"),
)


def test_what_follows_a_long_address_is_quoted_whole() -> None:
    for address, behind, reason in LONGER:
        with pytest.raises(fdaa.AddressError) as caught:
            fdaa.Address(address + behind)
        assert reason in caught.value.reason
        assert caught.value.at == len(address)


# --- wrong types ----------------------------------------------------------------------------------

OTHER_TYPES = (
    # constructor, value, what the message ends in
    (fdaa.Address, ipaddress.IPv6Address("fdaa::1"), "; use Address.from_ip"),
    (fdaa.Address, b"fdaa:0:0:1:2:3::", "; use Address.from_bytes"),
    (fdaa.Address, 1, "; use Address.from_int"),
    (fdaa.Prefix, ipaddress.IPv6Network("fdaa::/48"), r"; use Prefix\(str\(network\)\)"),
    (fdaa.Prefix, fdaa.NetworkID(1), "; use network_id.prefix"),
    (fdaa.NetworkID, fdaa.Address("fdaa::1"), "; use address.network_id"),
    (fdaa.NetworkID, fdaa.Prefix("fdaa::/48"), "; use prefix.network_id"),
)


@pytest.mark.parametrize(("parse", "value", "message"), OTHER_TYPES)
def test_another_type_is_refused_with_the_constructor_that_takes_it(
    parse: Callable[[Any], object], value: object, message: str
) -> None:
    with pytest.raises(TypeError, match=f"{message}$"):
        parse(value)


# --- reverse pointers (RFC 3596, section 2.5) -----------------------------------------------------

POINTERS = rows("pointers")


@pytest.mark.parametrize("row", POINTERS, ids=[row["why"] for row in POINTERS])
def test_a_reverse_pointer_is_read_or_refused(row: dict[str, Any]) -> None:
    if row["address"] is not None:
        found = fdaa.Address.from_reverse_pointer(row["text"])
        assert str(found) == row["address"]
        return
    reason = row.get("reason", ": a reverse pointer is 32 hex digits")
    with pytest.raises(fdaa.AddressError, match=reason) as caught:
        fdaa.Address.from_reverse_pointer(row["text"])
    assert caught.value.text == row["text"]
    assert isinstance(caught.value, fdaa.OutsidePrefixError) == ("reason" in row)


# --- texts of any length --------------------------------------------------------------------------


ENDLESS = [begin + "0" * 10**7 for begin in ("", "fdaa::", "fdaa::1%", "0x", "2:45b")]


@pytest.mark.parametrize(
    "parse",
    [
        fdaa.Address,
        fdaa.extract_network_id,
        fdaa.Address.from_reverse_pointer,
        fdaa.NetworkID,
        read_rest,
        lambda text: fdaa.same_network("fdaa::1", text),
    ],
)
def test_a_text_of_any_length_is_refused_without_a_copy(parse: Callable[[str], object]) -> None:
    for text in ENDLESS:
        tracemalloc.start()
        try:
            with pytest.raises(fdaa.InputError) as caught:
                parse(text)
            assert len(str(caught.value)) < 300
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 100_000
