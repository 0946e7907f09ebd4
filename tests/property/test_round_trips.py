"""Whatever a value says, its inverse constructor takes, and gives the same value."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

import fdaa
from fdaa._values.id_text import read_rest  # no export: only `fdaa build` reads a rest
from fdaa.strategies import addresses, network_ids, network_names

if TYPE_CHECKING:
    from collections.abc import Callable


def from_repr(text: str) -> object:
    return eval(text, vars(fdaa).copy())  # noqa: S307


@pytest.mark.parametrize(
    ("say", "make"),
    [
        (str, fdaa.Address),
        (operator.attrgetter("exploded"), fdaa.Address),
        (int, fdaa.Address.from_int),
        (operator.attrgetter("packed"), fdaa.Address.from_bytes),
        (operator.attrgetter("reverse_pointer"), fdaa.Address.from_reverse_pointer),
        (fdaa.Address.to_ipaddress, fdaa.Address.from_ip),
        (fdaa.Address.to_netaddr, fdaa.Address.from_ip),
        (repr, from_repr),
    ],
)
@given(address=addresses())
def test_each_constructor_of_an_address_has_an_inverse(
    say: Callable[[fdaa.Address], object],
    make: Callable[[object], fdaa.Address],
    address: fdaa.Address,
) -> None:
    """Design: one named constructor per kind of input, each with an inverse."""
    assert make(say(address)) == address


@given(addresses())
def test_an_address_is_built_of_its_parts(address: fdaa.Address) -> None:
    """Specification, 2.3: `fdaa:<net_id_high>:<net_id_low>:<rest>`; there is no more."""
    network_id = address.network_id
    rest = address.rest
    for form in (network_id, int(network_id), str(network_id)):
        assert fdaa.Address.build(network_id=form, rest=rest) == address
    assert int(address) == 0xFDAA * 2**112 + int(network_id) * 2**80 + rest
    groups = address.exploded.split(":", 3)[3]
    for text in (hex(rest), address.packed.hex()[12:], groups, groups.upper()):
        assert read_rest(text) == rest, text


@given(network_ids())
def test_a_network_id_is_read_from_each_form_that_it_has(network_id: fdaa.NetworkID) -> None:
    """Forms of `NetworkID`: two groups, cut out or not, hex, and the /48."""
    forms = (
        str(network_id),
        f":{network_id}:",
        f"{network_id:#x}",
        f"{network_id.high:04X}:{network_id.low:04X}",
        str(network_id.prefix),
        f"{network_id.prefix.address}/127",
    )
    for text in forms:
        assert fdaa.NetworkID(text) == network_id, text
    assert fdaa.NetworkID.from_groups(low=network_id.low, high=network_id.high) == network_id


@given(network_names() | network_ids())
def test_a_name_or_an_id_is_read_from_its_repr(value: fdaa.NetworkName | fdaa.NetworkID) -> None:
    again = from_repr(repr(value))
    assert (type(again), again) == (type(value), value)
