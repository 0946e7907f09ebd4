"""The texts of an address's parts: a network ID, and the 80 bits behind it."""

from __future__ import annotations

import pytest
from vectors import accepted, check_refusal, names, refused

import fdaa
from fdaa._values.id_text import read_network_id, read_rest  # pure functions

NETWORK_IDS = accepted("network-ids", "text", "network_id", "network_id_int", "why")


@pytest.mark.parametrize(("text", "printed", "number", "why"), NETWORK_IDS, ids=names(NETWORK_IDS))
def test_a_network_id_is_read(text: str, printed: str, number: int, why: str) -> None:
    assert read_network_id(text) == number, why
    assert fdaa.NetworkID(text) == number
    assert str(fdaa.NetworkID(text)) == printed


NO_NETWORK_IDS = refused("network-ids")


@pytest.mark.parametrize("row", NO_NETWORK_IDS, ids=names(NO_NETWORK_IDS))
def test_what_is_no_network_id_is_refused(row: tuple[str, str, int | None, str]) -> None:
    check_refusal(fdaa.NetworkID, fdaa.NetworkIDError, row)


RESTS = (
    # text, rest, why
    ("a7b:174:db43:d3c6:2", 0x0A7B0174DB43D3C60002, "five groups"),
    ("::2", 2, "'::' first"),
    ("::", 0, "'::' only"),
    ("1::", 0x0001_0000_0000_0000_0000, "'::' last"),
    ("1::23", 0x0001_0000_0000_0000_0023, "'::' between"),
    ("1:2:3::4", 0x0001_0002_0003_0000_0004, "'::' for one group inside"),
    ("ffff:ffff:ffff:ffff:ffff", 2**80 - 1, "the largest"),
    ("1:2:3:0.4.0.5", 0x0001_0002_0003_0004_0005, "a dotted quad for the last two"),
    ("00000000000000000002", 2, "20 hex digits"),
    ("12345678901234567890", 0x12345678901234567890, "20 digits are hex"),
    ("0x2", 2, "hex"),
    ("0xffffffffffffffffffff", 2**80 - 1, "hex, the largest"),
    ("0x" + "2".zfill(20), 2, "hex, all twenty digits"),
)


@pytest.mark.parametrize(("text", "rest", "why"), RESTS, ids=[row[2] for row in RESTS])
def test_a_rest_is_read(text: str, rest: int, why: str) -> None:
    assert read_rest(text) == rest, why


REST_FORMS = "use groups (::2, 1:2:3:4:5)"

NO_RESTS = (
    # text, a part of the reason, at, why
    ("", REST_FORMS, None, "nothing"),
    ("0x", REST_FORMS, None, "hex without digits"),
    ("10", "a bare number is ambiguous: write 0x10 if it is hex, or 0xa", None, "bare, two digits"),
    ("1" * 19, "a bare number is ambiguous", None, "19 digits"),
    ("1208925819614629174706175", "write 0xffffffffffffffffffff", None, "the largest, decimal"),
    ("-1", REST_FORMS, None, "a minus"),
    ("0x1_0", REST_FORMS, None, "an underscore in hex"),
    ("1.2.3.4", REST_FORMS, None, "a dotted quad alone"),
    ("1208925819614629174706176", "more than 80 bits", None, "81 bits"),
    ("0x100000000000000000000", "more than 20 hex digits (80 bits)", None, "81 bits, hex"),
    ("9" * 46, "it is 46 characters long", None, "46 digits"),
    ("1:2:3:4", REST_FORMS, None, "four groups"),
    (":1:2:3:4:5", REST_FORMS, 0, "a colon before"),
    (":", REST_FORMS, 0, "a colon"),
    ("1:2:3:4:5:6", "too many groups: 6, not 5", None, "six groups"),
    ("::1:2:3:4:5", "too many groups", 9, "'::' for no group"),
    ("1:2:3:4:5:", "it ends in a single colon", 9, "a colon behind"),
    ("1::2::3", "'::' may appear only once", 4, "two '::'"),
    (":::", "expected hex digits, not a colon", 2, "three colons"),
    ("00001:2:3:4:5", "at most 4 hex digits", 4, "five digits first"),
    ("::g", "'g' is not a hex digit", 2, "g"),
    ("::1%eth0", "a zone ('%eth0')", 3, "a zone"),
    ("::1/64", "a prefix length ('/64')", 3, "a prefix length"),
    ("1:2:3:4:1.2.3.4", "too many groups: an address has 8", 7, "a dotted quad for the last three"),
    ("1.2.3.4:1:2:3", "'.' is allowed only", 1, "a dotted quad first"),
    ("fdaa:2:45b::3", "a whole address; its network ID is 2:45b, its rest 0x3", None, "an address"),
)


@pytest.mark.parametrize("row", NO_RESTS, ids=[row[3] for row in NO_RESTS])
def test_what_is_no_rest_is_refused(row: tuple[str, str, int | None, str]) -> None:
    check_refusal(read_rest, fdaa.AddressError, row)
