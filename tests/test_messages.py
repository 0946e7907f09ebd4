"""What people read: every message, whole."""

from __future__ import annotations

import pickle

import pytest

import fdaa
from fdaa import _id_text as parts
from fdaa import _text as text

TEXT = "fdaa:2:45b:a7b:174:db43:d3c6:2"
POINTER = fdaa.Address.parse(TEXT).reverse_pointer
FORMS = "a network ID is two groups (2:45b), 0x and hex digits, a decimal number, or a /48"
REST = "the rest of an address is five groups (1:2:3:4:5, ::2) or a number (2, 0x2)"
QUAD = "a dotted quad is four numbers from 0 to 255, without leading zeros"
POINTS = "a reverse pointer is 32 hex digits, each followed by a dot, and 'ip6.arpa'"
LETTER = "a letter (a to z, A to Z)"
LENGTH = "a prefix length is a number from 48 to 128"

REASONS = (
    # what reads, its input, the whole reason, where
    (text.pack, "", "it is empty", None),
    (text.pack, "fdaa::1%lo", "a zone ('%lo') is not part of an address", 7),
    (text.pack, "[fdaa::1]", "brackets ('[') are not part of an address", 0),
    (text.pack, "fdaa::1/64", "a prefix length ('/64') is not part of an address", 7),
    (text.pack, "fdaa::1 ", "white space (' ') is not part of an address", 7),
    (text.pack, "fdaa::1:65535", "a port (':65535') is not part of an address", 7),
    (text.pack, "fdaa::1:65536", "a group has at most 4 hex digits", 12),
    (text.pack, "fdaa::00001", "a group has at most 4 hex digits", 10),
    (text.pack, "12345", "a group has at most 4 hex digits", 4),
    (text.pack, "fdaa::1g", "'g' is not a hex digit", 7),
    (text.pack, "fdaaX::1", "'X' is not a hex digit", 4),
    (text.pack, "fdaa:::1", "a colon where a group must stand", 6),
    (text.pack, "fdaa::1::2", "a second '::', and there can be one only", 7),
    (text.pack, "fdaa:1:2", "3 of 8 groups, and no '::' for the others", None),
    (text.pack, "fdaa:1:2:3:4:5:6:", "it ends in a single colon", 16),
    (text.pack, f"{TEXT}:fdaa", "too many groups: an address has 8", 30),
    (
        text.pack,
        f"{TEXT}:80",
        "too many groups: an address has 8, and a port (':80') is not part of it",
        30,
    ),
    (
        text.pack,
        "fdaa:1:2:3:4:5:6::7",
        "too many groups: '::' stands for at least one of the 8",
        18,
    ),
    (
        text.pack,
        "fdaa:1:2:3::4:5:6:a",
        "too many groups: '::' stands for at least one of the 8",
        17,
    ),
    (text.pack, "10.0.0.1", "an IPv4 address, and private addresses are IPv6", 0),
    (
        text.pack,
        "fdaa:1.2.3.4",
        "'.' can stand only in a dotted quad for the last two groups",
        6,
    ),
    (text.pack, "fdaa::1.2.3", QUAD, None),
    (text.pack, "fdaa::1.2.3.256", QUAD, 12),
    (text.pack, "fdaa::1.01", QUAD, 8),
    (text.pack, "fdaa::1.300", QUAD, 8),
    (text.pack, "fdaa::1.2", QUAD, None),
    (text.pack, "fdaa::1.2x3", QUAD, 9),
    (text.pack, "fdaa::1." + "1" * 100, QUAD, 8),
    (text.pack, "fdaa::1.2.3.4.5", "nothing can follow a dotted quad", 13),
    (text.pack, "fdaa::1.2.3.4X", "'X' is not a hex digit", 13),
    (text.pack, "fdaa::1.2.3.4:80", "a port (':80') is not part of an address", 13),
    (text.pack, "fdab::1", "an IPv6 address, but it does not start with 'fdaa'", 0),
    (text.pack_reverse_pointer, "2.0.0X", POINTS, 5),
    (text.pack_reverse_pointer, POINTER[2:], POINTS, 62),
    (
        text.pack_reverse_pointer,
        f"{POINTER}.example",
        "a reverse pointer has 32 hex digits and ends in '.ip6.arpa'",
        None,
    ),
    (
        text.pack_reverse_pointer,
        POINTER.replace("f.ip6", "e.ip6"),
        "the reverse pointer of an address that does not start with 'fdaa'",
        None,
    ),
    (parts.read_network_id, "", f"it has no digits; {FORMS}", None),
    (parts.read_network_id, "45b", f"'b' is not a decimal digit; {FORMS}", 2),
    (parts.read_network_id, "0xg", f"'g' is not a hex digit; {FORMS}", 2),
    (parts.read_network_id, "1" * 50, f"it is 50 characters long, and {FORMS}", None),
    (
        parts.read_network_id,
        "012",
        "a decimal number has no leading zeros (0x starts hex)",
        0,
    ),
    (
        parts.read_network_id,
        "4294967296",
        "it is more than 32 bits; the largest is 0xffffffff",
        None,
    ),
    (parts.read_network_id, "2:45b:1", "two groups with one colon between are needed", None),
    (
        parts.read_network_id,
        "FDAA:2:45b::3",
        "two groups with one colon between are needed; of a whole address take the network ID",
        None,
    ),
    (parts.read_network_id, "2:4x", "'x' is not a hex digit", 3),
    (parts.read_network_id, "2:00045", "a group has at most 4 hex digits", 6),
    (parts.read_network_id, "fdaa::/", LENGTH, None),
    (parts.read_network_id, "fdaa::/4x", LENGTH, 7),
    (parts.read_network_id, "fdaa::/129", LENGTH, 7),
    (
        parts.read_network_id,
        "fdaa::/47",
        "a /47 holds many networks; one network is a /48",
        7,
    ),
    (parts.read_rest, "x", REST, None),
    (parts.read_rest, ":2", REST, 0),
    (parts.read_rest, "1" * 46, f"it is 46 characters long, and {REST}", None),
    (parts.read_rest, str(2**80), "it is more than the 80 bits behind a network ID", None),
    (
        parts.read_rest,
        "1:2:3:4:5:6",
        "too many groups: an address has 8, and a port (':6') is not part of it",
        9,
    ),
    (fdaa.NetworkName.parse, "", f"it is empty; it must start with {LETTER}", None),
    (fdaa.NetworkName.parse, "1a", f"it must start with {LETTER}, not with '1'", 0),
    (
        fdaa.NetworkName.parse,
        "a_b",
        "it may hold letters, digits and dashes of ASCII only, not '_'",
        1,
    ),
    (fdaa.NetworkID, 2**32, "it must be 0 to 0xffffffff (32 bits)", None),
    (
        lambda group: fdaa.NetworkID.from_groups(0, group),
        2**16,
        "a group must be 0 to 0xffff (16 bits)",
        None,
    ),
    (
        lambda rest: fdaa.Address.build(0, rest),
        2**80,
        "the rest must be 0 to 2**80 - 1 (80 bits)",
        None,
    ),
    (fdaa.Address.from_int, 1, "it must have 128 bits and start with 0xfdaa", None),
    (fdaa.Address.from_bytes, b"fdaa", "it has 4 bytes, an address has 16", None),
    (fdaa.Address.from_bytes, bytes(16), "an address starts with the bytes fd aa", 0),
    (
        fdaa.own_address,
        {},
        "the variable 'PLATFORM_PRIVATE_IP' is not set; the platform sets it inside a Machine",
        None,
    ),
)


@pytest.mark.parametrize(("read", "value", "reason", "at"), REASONS, ids=lambda v: ascii(v)[:40])
def test_a_refusal_says_exactly_this(read, value, reason, at) -> None:
    with pytest.raises(fdaa.FdaaError) as caught:
        read(value)
    assert (caught.value.reason, caught.value.at) == (reason, at)


@pytest.mark.parametrize("other", ["fd00:aa00::1", "aafd::1", "aa::1", "fd::1", "aa00:fd00::1"])
def test_both_bytes_of_the_prefix_count(other: str) -> None:
    for read in (fdaa.Address.parse, fdaa.extract_network_id):
        with pytest.raises(fdaa.PrefixError):
            read(other)
    with pytest.raises(fdaa.PrefixError):
        fdaa.same_network("fdaa::1", other)


WRONG_TYPES = (
    (fdaa.NetworkID, True, "a network ID is made from int, not bool"),
    (fdaa.Address.from_int, 1.0, "an address is made from int, not float"),
    (lambda group: fdaa.NetworkID.from_groups(group, 0), "1", "a group is made from int, not str"),
    (lambda group: fdaa.NetworkID.from_groups(0, group), "1", "a group is made from int, not str"),
    (lambda rest: fdaa.Address.build(0, rest), "1", "the rest is made from int, not str"),
    (fdaa.Address.from_bytes, "fdaa", "a packed address is bytes, not str"),
    (text.pack, b"fdaa", "an address is parsed from str, not bytes"),
    (text.pack_reverse_pointer, b"fdaa", "a reverse pointer is parsed from str, not bytes"),
    (parts.read_network_id, 1, "a network ID is parsed from str, not int"),
    (parts.read_rest, 1, "the rest is parsed from str, not int"),
    (fdaa.NetworkName.parse, None, "a network name is parsed from str, not NoneType"),
    (lambda name: type(name, (fdaa.Address,), {}), "Sub", "Address is final"),
    (lambda name: type(name, (fdaa.NetworkID,), {}), "Sub", "NetworkID is final"),
    (lambda name: type(name, (fdaa.NetworkName,), {}), "Sub", "NetworkName is final"),
)


@pytest.mark.parametrize(("do", "value", "message"), WRONG_TYPES, ids=lambda v: ascii(v)[:40])
def test_a_wrong_type_is_named(do, value, message) -> None:
    with pytest.raises(TypeError) as caught:
        do(value)
    assert str(caught.value) == message


def test_an_error_made_with_keywords_is_whole() -> None:
    error = fdaa.AddressError(text="a", reason="it is b", at=0)
    assert error.args == ("a", "it is b", 0)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_each_comparison_answers_for_itself() -> None:
    """Python turns a comparison round where one side does not answer, and hides a wrong one."""
    one, two = fdaa.Address.parse("fdaa::1"), fdaa.Address.parse("fdaa::2")
    assert (one.__lt__(two), one.__le__(two), one.__gt__(two), one.__ge__(two)) == (
        *(True, True),
        *(False, False),
    )


def test_the_probes_tell_an_exact_platform_from_a_lax_one() -> None:
    asked = []

    def strict(family: int, address: str) -> bytes:
        asked.append((family, address))
        raise OSError

    def lax_at_the_end(family: int, address: str) -> bytes:
        return strict(family, address) if len(asked) < len(text._LAX) - 1 else b""

    assert text._reads_exactly(strict)
    assert asked == [(text.AF_INET6, address) for address in text._LAX]
    asked.clear()
    assert not text._reads_exactly(lax_at_the_end)
    assert text._writes_exactly(lambda family, packed: text._write(family, packed))
    assert not text._writes_exactly(lambda _family, _packed: text._CANONICAL[0])
    written = []
    text._writes_exactly(lambda *args: written.append(args) or "")
    assert written == [(text.AF_INET6, text.read(text._CANONICAL[0]))]


@pytest.mark.parametrize("canonical", ["::", "::1", "0:1::", "1::", "1:2:3:4:5:6:7:8"])
def test_the_writer_in_python_knows_any_address(canonical: str) -> None:
    assert text._write(0, text.read(canonical)) == canonical


def test_a_refused_fact_is_told_with_the_book_and_what_contradicts_it() -> None:
    error = fdaa.BookConflictError("book.json", "'a' has the ID 1:2 there", ("one", "two"))
    assert (error.text, error.reason, error.at) == ("book.json", "'a' has the ID 1:2 there", None)
    assert str(error) == "'book.json' stays as it was: 'a' has the ID 1:2 there"
    for copied in (pickle.loads(pickle.dumps(error)), error):
        assert copied.contradictions == ("one", "two")
        assert str(copied) == str(error)
    assert fdaa.BookConflictError("b", "r").contradictions == ()
