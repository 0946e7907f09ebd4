"""The texts of an address's parts: a network ID, and the 80 bits behind it."""

from __future__ import annotations

import pytest

import fdaa
from fdaa._id_text import id_fields, read_network_id, read_rest  # pure functions

NETWORK_IDS = (
    # text, network ID, why
    ("2:45b", 0x2045B, "two groups"),
    (":2:45b:", 0x2045B, "two groups as they are cut out of an address"),
    ("0002:045B", 0x2045B, "leading zeros, upper case"),
    ("0:0", 0, "two groups, zero"),
    ("ffff:ffff", 0xFFFFFFFF, "two groups, the largest"),
    ("fdaa:2", 0xFDAA0002, "fdaa can be a group of an ID too"),
    ("0x2045b", 0x2045B, "hex"),
    ("0X2045B", 0x2045B, "hex, upper case"),
    ("0x0", 0, "hex, zero"),
    ("0x0002045b", 0x2045B, "hex, all eight digits"),
    ("0xffffffff", 0xFFFFFFFF, "hex, the largest"),
    ("fdaa:2:45b::/48", 0x2045B, "a network"),
    ("fdaa:2:45b:a7b::/64", 0x2045B, "a part of a network"),
    ("fdaa:ffff:ffff:ffff:ffff:ffff:255.255.255.254/127", 0xFFFFFFFF, "49 characters, the most"),
)


@pytest.mark.parametrize(("text", "number", "why"), NETWORK_IDS, ids=[r[2] for r in NETWORK_IDS])
def test_a_network_id_is_read(text: str, number: int, why: str) -> None:
    assert read_network_id(text) == number, why
    assert fdaa.NetworkID(text) == number


FORMS = "a network ID is two groups"
BARE = "a bare number is ambiguous"

NO_NETWORK_IDS = (
    # text, a part of the reason, at, why
    ("", FORMS, None, "nothing"),
    ("0x", FORMS, None, "hex without digits"),
    ("0x2045g", FORMS, None, "g"),
    ("0x0x1", FORMS, None, "0x twice"),
    ("+1", FORMS, None, "a sign"),
    ("18", f"{BARE}: write 0x18 if it is hex, or 0x12 if it is decimal", None, "bare"),
    ("2045b", f"{BARE}: write 0x2045b if it is hex", None, "bare hex"),
    ("4294967295", f"{BARE}: write 0xffffffff if it is decimal", None, "too large in hex"),
    ("0", f"{BARE}: write 0x0 if it is hex", None, "bare, zero"),
    ("4294967296", "more than 32 bits", None, "bare, 33 bits"),
    ("0x-1", FORMS, None, "a minus in hex"),
    (" 1", FORMS, None, "a space before"),
    ("\u0661\u0662", FORMS, None, "Arabic digits"),
    ("0x\uff11", FORMS, None, "full-width 1"),
    ("0x100000000", "more than 8 hex digits (32 bits)", None, "33 bits, hex"),
    ("0x000000001", "more than 8 hex digits (32 bits)", None, "nine digits, hex"),
    ("9" * 49, "more than 32 bits", None, "49 digits"),
    ("9" * 50, "it is 50 characters long", None, "50 digits"),
    ("2:45b:", "expected two groups", None, "a colon behind only"),
    (":2:45b", "expected two groups", None, "a colon before only"),
    ("2::45b", "expected two groups", None, "'::'"),
    (":2:", "expected two groups", None, "one group, cut out"),
    ("::", "expected two groups", None, "two colons"),
    (":::", "expected two groups", None, "three colons"),
    (":1", "expected two groups", None, "nothing before the colon"),
    ("2:", "expected two groups", None, "nothing after the colon"),
    ("2:45b:a7b", "expected two groups", None, "three groups"),
    ("fdaa:2:45b", "expected two groups, as in 2:45b", None, "the prefix before it"),
    ("FDAA:2:45b::3", "this is a whole address; its network ID is 2:45b", None, "an address"),
    ("2:0045b", "a group has 1 to 4 hex digits", 2, "five digits"),
    ("00002:1", "a group has 1 to 4 hex digits", 0, "five digits first"),
    (":00002:1:", "a group has 1 to 4 hex digits", 1, "five digits first, cut out"),
    ("2:45g", "a group has 1 to 4 hex digits", 2, "g in a group"),
    ("g:1", "a group has 1 to 4 hex digits", 0, "g in the first group"),
    (":2:g:", "a group has 1 to 4 hex digits", 3, "g in a group, cut out"),
    ("2: 45b", "a group has 1 to 4 hex digits", 2, "a space in groups"),
    ("2:4_5", "a group has 1 to 4 hex digits", 2, "an underscore in groups"),
    ("2:\u0661", "a group has 1 to 4 hex digits", 2, "Arabic 1 in groups"),
    ("[fdaa:2:45b::3]", "expected two groups, as in 2:45b", None, "brackets"),
    ("fdaa:2:45b::/47", "a /47 covers many networks; one network is a /48", 13, "two networks"),
    ("fdaa:2:45b::3/128", "a /128 is an address; leave the length out", 14, "an address"),
    ("fdaa:2:45b::/128", "a /128 is an address", 13, "the first address"),
    ("fdaa:2:45b::3/48", "an address with the length of its link", 14, "an address on a link"),
    ("fdaa::/16", "a /16 covers many networks", 7, "all of them"),
    ("fdaa::/0", "a /0 covers many networks", 7, "the whole of IPv6"),
    ("fdaa:2:45b::/129", "a number from 0 to 128", 13, "129"),
    ("fdaa:2:45b::/", "a number from 0 to 128", None, "no length"),
    ("fdaa:2:45b::/048", "a number from 0 to 128", 13, "a leading zero in the length"),
    ("fdaa:2:45b::/4\u0668", "a number from 0 to 128", 13, "Arabic 8 in the length"),
    ("fdaa:2:45b::/48/48", "a number from 0 to 128", 13, "two lengths"),
    ("/48", "it is empty", None, "a length only"),
    ("fdaa:2:45b/48", "3 of 8 groups", None, "no '::' before the length"),
    ("2001:db8::/48", "does not start with 'fdaa'", 0, "another prefix"),
    ("fdaa:2:45b::%1/48", "a zone ('%1')", 12, "a zone before the length"),
)


@pytest.mark.parametrize(
    ("text", "reason", "at", "why"),
    NO_NETWORK_IDS,
    ids=[row[3] for row in NO_NETWORK_IDS],
)
def test_what_is_no_network_id_is_refused(text: str, reason: str, at: int | None, why: str) -> None:
    with pytest.raises(fdaa.NetworkIDError) as caught:
        read_network_id(text)
    assert reason in caught.value.reason, why
    assert (caught.value.at, caught.value.text) == (at, text)


RESTS = (
    # text, rest, why
    ("a7b:174:db43:d3c6:2", 0x0A7B0174DB43D3C60002, "five groups"),
    ("::2", 2, "'::' first"),
    ("::", 0, "'::' only"),
    ("1::", 0x0001_0000_0000_0000_0000, "'::' last"),
    ("1::23", 0x0001_0000_0000_0000_0023, "'::' between"),
    ("::1:2:3:4", 0x0000_0001_0002_0003_0004, "'::' for one group"),
    ("1:2:3::4", 0x0001_0002_0003_0000_0004, "'::' for one group inside"),
    ("ffff:ffff:ffff:ffff:ffff", 2**80 - 1, "the largest"),
    ("1:2:3:0.4.0.5", 0x0001_0002_0003_0004_0005, "a dotted quad for the last two"),
    ("00000000000000000002", 2, "20 hex digits"),
    ("12345678901234567890", 0x12345678901234567890, "20 digits are hex"),
    ("0A7B0174DB43D3C60002", 0x0A7B0174DB43D3C60002, "20 hex digits, upper case"),
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
    ("2", "write 0x2", None, "a bare number"),
    ("10", "a bare number is ambiguous: write 0x10 if it is hex, or 0xa", None, "bare, two digits"),
    ("1" * 19, "a bare number is ambiguous", None, "19 digits"),
    ("1" * 21, "write 0x", None, "21 digits"),
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
    (":1", REST_FORMS, 0, "a colon and a group"),
    ("1:2:3:4:5:6", "too many groups: 6, not 5", None, "six groups"),
    ("::1:2:3:4:5", "too many groups", 9, "'::' for no group"),
    ("1:2:3:4:5:", "it ends in a single colon", 9, "a colon behind"),
    ("::1:", "a single colon", 3, "a colon behind '::1'"),
    ("1::2::3", "'::' may appear only once", 4, "two '::'"),
    (":::", "expected hex digits, not a colon", 2, "three colons"),
    ("00001:2:3:4:5", "at most 4 hex digits", 4, "five digits first"),
    ("::g", "'g' is not a hex digit", 2, "g"),
    ("g:2:3:4:5", "'g' is not a hex digit", 0, "g first"),
    ("::1%eth0", "a zone ('%eth0')", 3, "a zone"),
    ("::1/64", "a prefix length ('/64')", 3, "a prefix length"),
    ("1:2:3:4:1.2.3.4", "too many groups: an address has 8", 7, "a dotted quad for the last three"),
    ("1.2.3.4:1:2:3", "'.' is allowed only", 1, "a dotted quad first"),
    ("fdaa:2:45b::3", "a whole address; its network ID is 2:45b, its rest 0x3", None, "an address"),
)


@pytest.mark.parametrize(("text", "reason", "at", "why"), NO_RESTS, ids=[r[3] for r in NO_RESTS])
def test_what_is_no_rest_is_refused(text: str, reason: str, at: int | None, why: str) -> None:
    with pytest.raises(fdaa.AddressError) as caught:
        read_rest(text)
    assert reason in caught.value.reason, why
    assert (caught.value.at, caught.value.text) == (at, text)


# --- the fields of a record -----------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 0x2045B, fdaa.NetworkID(0x2045B)])
def test_a_record_shows_a_network_id_as_text_and_as_a_plain_number(number: int) -> None:
    fields = id_fields(number)
    assert fields == {"network_id": str(fdaa.NetworkID(number)), "network_id_int": number}
    assert type(fields["network_id_int"]) is int


def test_a_record_without_a_network_id_has_both_fields_too() -> None:
    assert id_fields(None) == {"network_id": None, "network_id_int": None}
