"""Pseudonyms: what they keep, and what they leave of a text."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scan_output import near_lines, output, replace

from fdaa import Address, NetworkID
from fdaa.scan import find_addresses
from fdaa.scan._blocks import read_blocks
from fdaa.scan.pseudonyms import Pseudonyms
from fdaa.strategies import addresses, network_ids

# A key takes a tenth of a second to stretch.
PSEUDONYMS = Pseudonyms(b"key")
hide = replace(PSEUDONYMS.hide, PSEUDONYMS.hide_network)
reveal = replace(PSEUDONYMS.reveal, PSEUDONYMS.reveal_network)


@given(addresses(), addresses(network_ids().map(lambda id_: id_ % 3)))
def test_pseudonyms_keep_what_is_the_same(one: Address, other: Address) -> None:
    hidden = PSEUDONYMS.hide(one)
    for second in (other, Address.build(one.network_id, other.rest)):
        assert (hidden.network_id == PSEUDONYMS.hide(second).network_id) == (
            one.network_id == second.network_id
        )
        assert (hidden == PSEUDONYMS.hide(second)) == (one == second)
    assert PSEUDONYMS.hide_network(one.network_id) == hidden.network_id
    assert PSEUDONYMS.reveal_network(hidden.network_id) == one.network_id
    assert PSEUDONYMS.reveal(hidden) == one != hidden


def test_pseudonyms_are_the_same_for_ever() -> None:
    """Who shows a second log next year needs the pseudonyms of the first."""
    pseudonyms, address = Pseudonyms(b"key"), Address.parse("fdaa:2:45b::3")
    assert str(pseudonyms.hide(address)) == "fdaa:51c8:f66d:7814:a80f:9b2b:60bd:92e4"
    assert Pseudonyms(b"another").hide(address) != pseudonyms.hide(address)


def test_the_networks_of_one_key_are_distinct_and_spread() -> None:
    hidden = {PSEUDONYMS.hide_network(NetworkID(id_)) for id_ in range(2000)}
    assert len(hidden) == 2000
    assert len({id_.high for id_ in hidden}) > 1800


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^a key must not be empty$"):
        Pseudonyms(b"")


@pytest.mark.parametrize(
    "text",
    [
        b"fdaa:1:2:3:4:5:6:7:8080 x",
        b"IP6 fdaa:1:2:3:4:5:6:7.53 > fdaa:5:6:7:8:9:a:b: AAAA",
        b"[fdaa:0:18::3]:1, fdaa:0:18::3/64; fdaa:0:18::4... fdaa:0:18::5%eth0",
        b"fdaa:0:18::/48 fdaa:0:18::/64 fdaa::/48 12:fdaa:1:2:3:4:5:6:7",
    ],
)
def test_a_canonical_text_comes_back_whole(text: bytes) -> None:
    hidden, _ = output(hide, text)
    assert not set(find_addresses(text)) & set(find_addresses(hidden))
    assert output(reveal, hidden) == (text, True)


def test_a_network_gets_the_pseudonym_that_its_addresses_have() -> None:
    hidden, _ = output(hide, b"fdaa:0:18::/48 fdaa:0:18::3")
    network, address = find_addresses(hidden)
    assert network.prefix_length == 48
    assert network.address == Address.build(address.address.network_id)


@given(near_lines, st.integers(1, 200))
def test_pseudonyms_leave_the_rest_of_a_text_alone(text: str, size: int) -> None:
    hidden, found = output(hide, text.encode(), size)
    assert output(reveal, hidden, size)[0].decode() == text  # whose addresses are canonical
    assert found == (hidden != text.encode())


@pytest.mark.parametrize("behind", [":3000", ":25565", ".53", ":", ".", ":80:", "]:80", "/48"])
@pytest.mark.parametrize("text", ["fdaa:1:2:3:4:5:6:7", "fdaa::7", "12:fdaa:1:2:3:4:5:6:7"])
def test_a_pseudonym_takes_nothing_in_from_around(text: str, behind: str) -> None:
    """A shorter text of the pseudonym would read the port as its last group."""
    other = Address.parse("fdaa:1::2")
    render = replace(lambda _: other, lambda _: other.network_id)
    for match in find_addresses(text + behind):
        new, _ = output(render, (text + behind).encode())
        (again,) = find_addresses(new)
        port = (text + behind)[match.end :]
        assert (again.address, new[again.end :].decode()) == (other, port)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"12:fdaa:1:2:3:4:5:6:7 x", b"12:fdaa:1::2 x"),
        (b"[fdaa:1:2:3:4:5:6:7]:80", b"[fdaa:1::2]:80"),
        # A group in front, so that only a full address is one.
        (b"abc:fdaa:1:2:3:4:5:6:7", b"abc:fdaa:0001:0000:0000:0000:0000:0000:0002"),
        (b"fdaa:1:2:3:4:5:6:7:80", b"fdaa:0001:0000:0000:0000:0000:0000:0002:80"),
        (b"fdaa:1:2:3::/64", b"fdaa:1::2/64"),
    ],
)
def test_a_pseudonym_is_short_where_it_reads_as_itself(text: bytes, expected: bytes) -> None:
    render = replace(lambda _: Address("fdaa:1::2"), lambda id_: id_)
    assert output(render, text) == (expected, True)


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_places_that_are_left_unchanged_are_told(size: int) -> None:
    text = (
        b"fdaa:0:18::3 peer\nfdaa::/16\nxfdaa::1 FDAA fdaa::1\n\n"
        b"%5Bfdaa%3A0%3A18%3A%3A3%5D\n%66%64%61%61%3A%3A1 fdaa:0:18::/48\nfda a\n"
    )
    pieces = list(hide(read_blocks(io.BytesIO(text), size), line=1))
    assert [line for piece in pieces for line in piece.unchanged] == [2, 3, 3, 5, 6]
