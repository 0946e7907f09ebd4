"""Every message of the core, whole, as a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fdaa import Address, NetworkID, NetworkName, own_address
from fdaa._id_text import read_rest

if TYPE_CHECKING:
    from collections.abc import Callable

# fmt: off
MESSAGES = (
    (lambda: Address(""), "'' is not a private address: it is empty"),
    (lambda: Address("fdaa::1::2"), "'fdaa::1::2' is not a private address: a second '::', and there can be one only, at index 7"),
    (lambda: Address("fdaa:1:2:3:4:5:6:7:8"), "'fdaa:1:2:3:4:5:6:7:8' is not a private address: too many groups: an address has 8, and a port (':8') is not part of it, at index 18"),
    (lambda: Address("fdaa:1:2:3:4:5:6:7:3000"), "'fdaa:1:2:3:4:5:6:7:3000' is not a private address: too many groups: an address has 8, and a port (':3000') is not part of it, at index 18"),
    (lambda: Address("fdaa::1:2:3:4:5:6:7"), "'fdaa::1:2:3:4:5:6:7' is not a private address: too many groups: '::' stands for at least one of the 8, and a port (':7') is not part of it, at index 17"),
    (lambda: Address("fdaa:1:2:3:4:5:6:7:"), "'fdaa:1:2:3:4:5:6:7:' is not a private address: too many groups: an address has 8, at index 18"),
    (lambda: Address("fdaa::1:"), "'fdaa::1:' is not a private address: it ends in a single colon, at index 7"),
    (lambda: Address("fdaa:::1"), "'fdaa:::1' is not a private address: a colon where a group must stand, at index 6"),
    (lambda: Address("fdaa::12345"), "'fdaa::12345' is not a private address: a port (':12345') is not part of an address, at index 5"),
    (lambda: Address("fdaa::abcde"), "'fdaa::abcde' is not a private address: a group has at most 4 hex digits, at index 10"),
    (lambda: Address("fdaa::1%eth0"), "'fdaa::1%eth0' is not a private address: a zone ('%eth0') is not part of an address, at index 7"),
    (lambda: Address("fdaa::/16"), "'fdaa::/16' is not a private address: a prefix length ('/16') is not part of an address, at index 6"),
    (lambda: Address("[fdaa::1]:80"), "'[fdaa::1]:80' is not a private address: brackets ('[') are not part of an address, at index 0"),
    (lambda: Address("fdaa::1 "), "'fdaa::1 ' is not a private address: white space (' ') is not part of an address, at index 7"),
    (lambda: Address("fdaa::1g"), "'fdaa::1g' is not a private address: 'g' is not a hex digit, at index 7"),
    (lambda: Address("fdaa::3:25565"), "'fdaa::3:25565' is not a private address: a port (':25565') is not part of an address, at index 7"),
    (lambda: Address("fdaa:1:2:3"), "'fdaa:1:2:3' is not a private address: 4 of 8 groups, and no '::' for the others"),
    (lambda: Address("10.0.0.1"), "'10.0.0.1' is not a private address: an IPv4 address, and private addresses are IPv6, at index 0"),
    (lambda: Address("fdaa:1.2.3.4::"), "'fdaa:1.2.3.4::' is not a private address: '.' can stand only in a dotted quad for the last two groups, at index 6"),
    (lambda: Address("fdaa::1.2.3.04"), "'fdaa::1.2.3.04' is not a private address: a dotted quad is four numbers from 0 to 255, without leading zeros, at index 12"),
    (lambda: Address("fdaa::1.2.3.4.5"), "'fdaa::1.2.3.4.5' is not a private address: nothing can follow a dotted quad, at index 13"),
    (lambda: Address("fdaa::1.2.3.4:80"), "'fdaa::1.2.3.4:80' is not a private address: a port (':80') is not part of an address, at index 13"),
    (lambda: Address("2001:db8::1"), "'2001:db8::1' is not a private address: an IPv6 address, but it does not start with 'fdaa', at index 0"),
    (lambda: Address(7), "an address is read from str, not int"),
    (lambda: Address.build(1, 2**80), "'0x100000000000000000000' is not a private address: the rest must be 0 to 2**80 - 1 (80 bits)"),
    (lambda: Address.build(1, "2"), "the rest is made from int, not str"),
    (lambda: Address.from_int(7), "'0x7' is not a private address: it must have 128 bits and start with 0xfdaa"),
    (lambda: Address.from_int("7"), "an address is made from int, not str"),
    (lambda: Address.from_bytes(b"12345"), "'3132333435' is not a private address: it has 5 bytes; an address has 16"),
    (lambda: Address.from_bytes(bytes(16)), "'00000000000000000000000000000000' is not a private address: an address starts with the bytes fd aa, at index 0"),
    (lambda: Address.from_bytes("fdaa"), "a packed address is bytes, not str"),
    (lambda: Address.from_ip("fdaa::1"), "from_ip takes an IP address object, not str"),
    (lambda: Address.from_reverse_pointer("1.2.ip6.arpa"), "'1.2.ip6.arpa' is not a private address: a reverse pointer is 32 hex digits, each followed by a dot, and 'ip6.arpa', at index 4"),
    (lambda: Address.from_reverse_pointer("3x"), "'3x' is not a private address: a reverse pointer is 32 hex digits, each followed by a dot, and 'ip6.arpa', at index 1"),
    (lambda: Address.from_reverse_pointer("0." * 32 + "ip6.arpa"), "'0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.'... is not a private address: the reverse pointer of an address that does not start with 'fdaa'"),
    (lambda: Address.from_reverse_pointer(""), "'' is not a private address: a reverse pointer has 32 hex digits and ends in '.ip6.arpa'"),
    (lambda: Address.from_reverse_pointer(7), "a reverse pointer is read from str, not int"),
    (lambda: NetworkID(2**32), "'0x100000000' is not a network ID: it must be 0 to 0xffffffff (32 bits)"),
    (lambda: NetworkID(1.5), "a network ID is made from int or str, not float"),
    (lambda: NetworkID(""), "'' is not a network ID: a network ID is two groups (2:45b), a hex number (0x2045b) or a /48 (fdaa:2:45b::/48)"),
    (lambda: NetworkID("18"), "'18' is not a network ID: a bare number is ambiguous: write 0:18 (0x18) if it is hex, or 0:12 (0x12) if it is decimal"),
    (lambda: NetworkID("a7b"), "'a7b' is not a network ID: a bare number is refused: write 0:a7b (0xa7b)"),
    (lambda: NetworkID("123456789012"), "'123456789012' is not a network ID: it is more than 32 bits"),
    (lambda: NetworkID("0x"), "'0x' is not a network ID: it has no digits; a network ID is two groups (2:45b), a hex number (0x2045b) or a /48 (fdaa:2:45b::/48)"),
    (lambda: NetworkID("0xg"), "'0xg' is not a network ID: 'g' is not a hex digit, at index 2"),
    (lambda: NetworkID("0x123456789"), "'0x123456789' is not a network ID: it is more than 32 bits; the largest is 0xffffffff"),
    (lambda: NetworkID("2:45b:1"), "'2:45b:1' is not a network ID: two groups are needed, as in 2:45b"),
    (lambda: NetworkID("2:45bcd"), "'2:45bcd' is not a network ID: a group has at most 4 hex digits, at index 6"),
    (lambda: NetworkID("2:4g"), "'2:4g' is not a network ID: 'g' is not a hex digit, at index 3"),
    (lambda: NetworkID("fdaa:2:45b"), "'fdaa:2:45b' is not a network ID: two groups are needed, as in 2:45b, without 'fdaa' in front"),
    (lambda: NetworkID("fdaa:2:45b::3"), "'fdaa:2:45b::3' is not a network ID: this is an address; its network ID is 2:45b"),
    (lambda: NetworkID("fdaa::/16"), "'fdaa::/16' is not a network ID: a /16 holds many networks; one network is a /48, at index 7"),
    (lambda: NetworkID("fdaa:2:45b::/129"), "'fdaa:2:45b::/129' is not a network ID: a prefix length is a number from 0 to 128, at index 13"),
    (lambda: NetworkID.parse(7), "a network ID is read from str, not int"),
    (lambda: NetworkID.from_groups(0x10000, 0), "'0x10000' is not a network ID: a group must be 0 to 0xffff (16 bits)"),
    (lambda: NetworkID.from_groups("2", 0), "a group is made from int, not str"),
    (lambda: NetworkID.from_groups(0, "2"), "a group is made from int, not str"),
    (lambda: NetworkName(""), "'' is not a network name: it is empty; it must start with a letter (a to z, A to Z)"),
    (lambda: NetworkName("17-customer"), "'17-customer' is not a network name: it must start with a letter (a to z, A to Z), not with '1', at index 0"),
    (lambda: NetworkName("a_b"), "'a_b' is not a network name: it may hold letters, digits and dashes of ASCII only, not '_', at index 1"),
    (lambda: NetworkName("\u0430bc"), "'\\u0430bc' is not a network name: it must start with a letter (a to z, A to Z), not with U+0430 (CYRILLIC SMALL LETTER A), at index 0"),
    (lambda: NetworkName(7), "a network name is read from str, not int"),
    (lambda: read_rest("2"), "'2' is not a private address: a bare number is refused: write 0x2"),
    (lambda: read_rest("x"), "'x' is not a private address: the rest is groups (::2, 1:2:3:4:5), a hex number (0x2) or exactly 20 hex digits"),
    (lambda: read_rest(":1"), "':1' is not a private address: the rest is groups (::2, 1:2:3:4:5), a hex number (0x2) or exactly 20 hex digits, at index 0"),
    (lambda: read_rest("0x" + "f" * 21), "'0xfffffffffffffffffffff' is not a private address: it is more than the 80 bits behind a network ID"),
    (lambda: read_rest(7), "the rest is read from str, not int"),
    (lambda: own_address({}), "PLATFORM_PRIVATE_IP is not set; the platform sets it inside a Machine"),
    (lambda: own_address({}, "MY_IP"), "MY_IP is not set"),
    (lambda: own_address({}, "\x1b[31m"), r"'\x1b[31m' is not set"),
    (lambda: own_address(["x"]), "environ is a mapping, as os.environ is, not list"),
    (lambda: setattr(Address("fdaa::1"), "rest", 2), "an Address cannot be changed: rest"),
    (lambda: delattr(Address("fdaa::1"), "rest"), "an Address cannot be changed: rest"),
    (lambda: type("Other", (Address,), {}), "Address is final"),
    (lambda: type("Other", (NetworkID,), {}), "NetworkID is final"),
    (lambda: type("Other", (NetworkName,), {}), "NetworkName is final"),
)
# fmt: on


@pytest.mark.parametrize(("call", "message"), MESSAGES, ids=[row[1][:40] for row in MESSAGES])
def test_what_is_wrong_is_said_in_full(call: Callable[[], object], message: str) -> None:
    with pytest.raises((ValueError, TypeError, LookupError, AttributeError)) as caught:
        call()
    assert str(caught.value) == message
