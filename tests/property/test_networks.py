"""Which network an address is on does not depend on how it is written, or on who asks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import fdaa
from fdaa.strategies import address_texts, addresses, network_ids, prefixes


@given(st.data(), network_ids())
def test_addresses_of_one_network_are_on_it_whatever_their_rest(
    data: st.DataObject, network_id: fdaa.NetworkID
) -> None:
    """Specification, 2.3, rule 2: the rest says nothing about the network."""
    same = address_texts(addresses(network_ids=st.just(network_id)))
    texts = data.draw(st.lists(same, min_size=2, max_size=5))
    assert fdaa.same_network(*texts)
    assert {fdaa.extract_network_id(text) for text in texts} == {network_id}


@given(addresses(), addresses())
def test_addresses_are_on_different_networks_when_the_two_groups_differ(
    one: fdaa.Address, two: fdaa.Address
) -> None:
    """Specification, 2.3, rule 3: two are on different networks when those two groups differ."""
    same = one.exploded.split(":")[1:3] == two.exploded.split(":")[1:3]
    assert fdaa.same_network(one, two) is same
    assert fdaa.same_network(two, one) is same
    assert fdaa.same_network(str(one), str(two)) is same
    assert (one in two.network_id) is same
    assert (one.network_id == two.network_id) is same


@given(addresses(), prefixes(), prefixes())
def test_a_prefix_holds_what_the_one_of_the_standard_library_holds(
    address: fdaa.Address, first: fdaa.Prefix, second: fdaa.Prefix
) -> None:
    """Of two prefixes, one is inside the other, or they have no address in common."""
    network = first.to_ipaddress()
    assert str(network) == str(first)
    beside = fdaa.Address.from_int(int(first.address) ^ 1 << (128 - first.length))
    for each in (address, second.address, beside):
        assert (each in first) is (each.to_ipaddress() in network)
    assert (second in first) is second.to_ipaddress().subnet_of(network)
    assert first in first.network_id.prefix
    assert (address in first.network_id) is (address in first.network_id.prefix)
    assert first.last.to_ipaddress() == network.broadcast_address
    assert (first in second.network_id) is (first in second.network_id.prefix)
    assert (first in second and second in first) is (first == second)
