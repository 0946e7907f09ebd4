"""Every message of the core names its input, and is one line that can be printed anywhere.

The messages themselves are stated in the code; here is the style that all of them share.
"""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING

import pytest

from fdaa import Address, InputError, NetworkID, NetworkName, Prefix, own_address
from fdaa._id_text import read_rest  # no export: only `fdaa build` reads a rest

if TYPE_CHECKING:
    from collections.abc import Callable

NETWORK = ipaddress.IPv6Network("fdaa:2:45b::/48")
CALLS = (
    # a call, what its message names
    (lambda: Address(""), "''"),
    (lambda: Address("fdaa::1::2"), "'fdaa::1::2'"),
    (lambda: Address("fdaa:1:2:3:4:5:6:7:8"), "'fdaa:1:2:3:4:5:6:7:8'"),
    (lambda: Address("fdaa:1:2:3:4:5:6:7:3000"), "'fdaa:1:2:3:4:5:6:7:3000'"),
    (lambda: Address("fdaa::1:2:3:4:5:6:7"), "'fdaa::1:2:3:4:5:6:7'"),
    (lambda: Address("fdaa:1:2:3:4:5:6:7:"), "'fdaa:1:2:3:4:5:6:7:'"),
    (lambda: Address("fdaa::1:"), "'fdaa::1:'"),
    (lambda: Address("fdaa:::1"), "'fdaa:::1'"),
    (lambda: Address("fdaa::12345"), "'fdaa::12345'"),
    (lambda: Address("fdaa::abcde"), "'fdaa::abcde'"),
    (lambda: Address("fdaa::1%eth0"), "'fdaa::1%eth0'"),
    (lambda: Address("fdaa::/16"), "'fdaa::/16'"),
    (lambda: Address("[fdaa::1]:80"), "'[fdaa::1]:80'"),
    (lambda: Address("fdaa::1 "), "'fdaa::1 '"),
    (lambda: Address("fdaa::1g"), "'fdaa::1g'"),
    (lambda: Address("fdaa::3:25565"), "'fdaa::3:25565'"),
    (lambda: Address("fdaa:1:2:3"), "'fdaa:1:2:3'"),
    (lambda: Address("10.0.0.1"), "'10.0.0.1'"),
    (lambda: Address("fdaa:1.2.3.4::"), "'fdaa:1.2.3.4::'"),
    (lambda: Address("fdaa::1.2.3.04"), "'fdaa::1.2.3.04'"),
    (lambda: Address("fdaa::1.2.3.4.5"), "'fdaa::1.2.3.4.5'"),
    (lambda: Address("fdaa::1.2.3.4:80"), "'fdaa::1.2.3.4:80'"),
    (lambda: Address("2001:db8::1"), "'2001:db8::1'"),
    (lambda: Address(7), "not int"),  # type: ignore[arg-type]
    (lambda: Address.build(1, 2**80), "'0x100000000000000000000'"),
    (lambda: Address.build(1, "2"), "not str"),  # type: ignore[arg-type]
    (lambda: Address.from_int(7), "'00000000000000000000000000000007'"),
    (lambda: Address.from_int("7"), "an address must be int"),  # type: ignore[arg-type]
    (lambda: Address.from_bytes(b"12345"), "'3132333435'"),
    (lambda: Address.from_bytes(bytes(16)), "'00000000000000000000000000000000'"),
    (lambda: Address.from_bytes("fdaa"), "not str"),  # type: ignore[arg-type]
    (lambda: Address.from_ip("fdaa::1"), "not str"),  # type: ignore[arg-type]
    (lambda: Address.from_reverse_pointer("1.2.ip6.arpa"), "'1.2.ip6.arpa'"),
    (lambda: Address.from_reverse_pointer("3x"), "'3x'"),
    (
        lambda: Address.from_reverse_pointer("0." * 32 + "ip6.arpa"),
        "'0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.'...",
    ),
    (lambda: Address.from_reverse_pointer(""), "''"),
    (lambda: Address.from_reverse_pointer(7), "a reverse pointer must be str"),  # type: ignore[arg-type]
    (lambda: NetworkID(2**32), "'0x100000000'"),
    (lambda: NetworkID(1.5), "not float"),  # type: ignore[arg-type]
    (lambda: NetworkID(""), "''"),
    (lambda: NetworkID("18"), "'18'"),
    (lambda: NetworkID("a7b"), "'a7b'"),
    (lambda: NetworkID("123456789012"), "'123456789012'"),
    (lambda: NetworkID("0x"), "'0x'"),
    (lambda: NetworkID("0xg"), "'0xg'"),
    (lambda: NetworkID("0x123456789"), "'0x123456789'"),
    (lambda: NetworkID("2:45b:1"), "'2:45b:1'"),
    (lambda: NetworkID("2:45bcd"), "'2:45bcd'"),
    (lambda: NetworkID("2:4g"), "'2:4g'"),
    (lambda: NetworkID("fdaa:2:45b"), "'fdaa:2:45b'"),
    (lambda: NetworkID("fdaa:2:45b::3"), "'fdaa:2:45b::3'"),
    (lambda: NetworkID("fdaa::/16"), "'fdaa::/16'"),
    (lambda: NetworkID("fdaa:2:45b::/129"), "'fdaa:2:45b::/129'"),
    (lambda: Prefix("fdaa:2:45b::/47"), "'fdaa:2:45b::/47'"),
    (lambda: Prefix("fdaa:2:45b::3/64"), "'fdaa:2:45b::3/64'"),
    (lambda: Prefix("fdaa:2:45b::3"), "'fdaa:2:45b::3'"),
    (lambda: Prefix("fdaa:2:45b::%/48"), "'fdaa:2:45b::%/48'"),
    (lambda: Prefix.build(Address("fdaa:2:45b::3"), 128), "'fdaa:2:45b::3/128'"),
    (lambda: Prefix.build("fdaa:2:45b::", 48), "must be Address, not str"),  # type: ignore[arg-type]
    (lambda: Prefix.build(Address("fdaa:2:45b::"), "48"), "must be int, not str"),  # type: ignore[arg-type]
    (lambda: Prefix(None), "or Prefix, not NoneType"),  # type: ignore[arg-type]
    (lambda: Prefix(NETWORK), "not IPv6Network; use Prefix(str(network))"),  # type: ignore[arg-type]
    (lambda: NetworkID(None), "str or NetworkID, not NoneType"),  # type: ignore[arg-type]
    (lambda: NetworkID.from_groups(0x10000, 0), "'0x10000'"),
    (lambda: NetworkID.from_groups("2", 0), "a group must be int"),  # type: ignore[arg-type]
    (lambda: NetworkID.from_groups(0, "2"), "not str"),  # type: ignore[arg-type]
    (lambda: NetworkName(""), "''"),
    (lambda: NetworkName("17-customer"), "'17-customer'"),
    (lambda: NetworkName("a_b"), "'a_b'"),
    (lambda: NetworkName("\u0430bc"), "'\\u0430bc'"),
    (lambda: NetworkName(7), "not int"),  # type: ignore[arg-type]
    (lambda: read_rest("2"), "'2'"),
    (lambda: read_rest("x"), "'x'"),
    (lambda: read_rest(":1"), "':1'"),
    (lambda: read_rest("0x" + "f" * 21), "'0xfffffffffffffffffffff'"),
    (lambda: read_rest(7), "the rest must be str"),  # type: ignore[arg-type]
    (lambda: own_address({}), "PLATFORM_PRIVATE_IP is not set; the platform sets it inside a M"),
    (lambda: own_address(["x"]), "not list"),  # type: ignore[arg-type]
    (lambda: setattr(Address("fdaa::1"), "rest", 2), "not be changed: rest"),
    (lambda: delattr(Address("fdaa::1"), "rest"), "not be changed: rest"),
)


@pytest.mark.parametrize(("call", "named"), CALLS)
def test_a_message_names_its_input_in_one_printable_line(
    call: Callable[[], object], named: str
) -> None:
    with pytest.raises((ValueError, TypeError, LookupError, AttributeError)) as caught:
        call()
    message = str(caught.value)
    assert named in message
    assert len(message) > len(named) + 5
    assert message.isascii()
    assert message.isprintable()
    if isinstance(caught.value, InputError):
        error = caught.value
        place = ""
        if error.at is not None:
            place = f" (index {error.at})"
        assert message.startswith(f"{named} is not a ")
        assert message.endswith(f": {error.reason}{place}")
        # It continues a sentence, after a colon; names are written as their documents write them.
        assert not error.reason[0].isupper()
        assert re.findall("ipv[46]", error.reason, re.IGNORECASE) == re.findall(
            "IPv[46]", error.reason
        )
