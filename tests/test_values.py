"""What everything that is a value has: equality, order, hash, repr, copy, format, patterns."""

from __future__ import annotations

import copy
import operator
import pickle
import struct
import weakref
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

import fdaa

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = "fdaa:2:45b:a7b:174:db43:d3c6:2"
ADDRESS = fdaa.Address(TEXT)
NETWORK_ID = fdaa.NetworkID(0x2045B)
NAME = fdaa.NetworkName("customer-17")
PREFIX = fdaa.Prefix("fdaa:2:45b:a7b::/64")
VALUES = (ADDRESS, PREFIX, NETWORK_ID, NAME)


@pytest.mark.parametrize(("value", "plain"), [(NETWORK_ID, 132187), (NAME, "customer-17")])
def test_an_id_equals_its_number_and_a_name_its_text(value: object, plain: object) -> None:
    assert value == plain
    assert plain == value
    assert {plain: "found"}[value] == {value: "found"}[plain] == "found"


def test_a_network_id_is_no_number_and_no_text() -> None:
    assert not isinstance(NETWORK_ID, int)
    assert NETWORK_ID != "2:45b"
    for operation in (operator.add, operator.mul, operator.and_, operator.lt):
        with pytest.raises(TypeError):
            operation(NETWORK_ID, 1)


def test_a_value_converts_to_its_number_and_its_bytes() -> None:
    assert hex(NETWORK_ID) == "0x2045b"
    assert struct.pack(">I", NETWORK_ID) == bytes(NETWORK_ID)
    assert bool(fdaa.NetworkID("0:0"))
    assert bytes(ADDRESS) == ADDRESS.packed


ORDER = (operator.lt, operator.le, operator.gt, operator.ge)


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (ADDRESS, TEXT),
        (ADDRESS, ADDRESS.to_ipaddress()),
        (PREFIX, str(PREFIX)),
        (PREFIX, PREFIX.address),
    ],
)
def test_an_address_or_a_prefix_equals_nothing_of_another_type(value: Any, other: Any) -> None:
    assert value != other
    assert other != value
    for compare in ORDER:
        with pytest.raises(TypeError, match="not supported between"):
            compare(value, other)


@pytest.mark.parametrize("compare", [*ORDER, operator.eq, operator.ne])
def test_each_comparison_is_that_of_the_numbers(compare: Callable[[object, object], bool]) -> None:
    texts = ("fdaa::", "fdaa::9", "fdaa::10", "fdaa::100", "fdaa:9::", "fdaa:10::")
    addresses = [fdaa.Address(text) for text in texts]
    for one, two in product(addresses, repeat=2):
        assert compare(one, two) is compare(int(one), int(two))
        first = one.network_id
        second = two.network_id
        assert compare(first, second) is compare(int(first), int(second))


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (ADDRESS, "*^34", "**" + TEXT + "**"),
        (NETWORK_ID, ">8", "   2:45b"),
        (NETWORK_ID, "08x", "0002045b"),
        (PREFIX, ">21", "  fdaa:2:45b:a7b::/64"),
        (NAME, ">13", "  customer-17"),
    ],
)
def test_a_value_is_formatted_as_its_text_and_an_id_also_as_its_number(
    value: object, spec: str, text: str
) -> None:
    assert format(value, spec) == text


@pytest.mark.parametrize(
    ("value", "name"),
    [(ADDRESS, "_packed"), (ADDRESS, "new"), (NETWORK_ID, "high"), (PREFIX, "length"), (NAME, "x")],
)
def test_a_value_cannot_be_changed(value: object, name: str) -> None:
    with pytest.raises(AttributeError, match=name):
        setattr(value, name, b"")
    with pytest.raises(AttributeError, match=name):
        delattr(value, name)


@pytest.mark.parametrize("type_", [type(value) for value in VALUES])
def test_a_type_is_final(type_: type) -> None:
    with pytest.raises(TypeError, match=f"^{type_.__name__} is final$"):
        type("Other", (type_,), {})


@pytest.mark.parametrize("value", VALUES)
def test_a_copy_or_a_pickle_is_an_equal_value_of_the_same_type(value: object) -> None:
    copies = [copy.copy(value), copy.deepcopy(value)]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        copies.append(pickle.loads(pickle.dumps(value, protocol)))
    assert {type(each) for each in copies} == {type(value)}
    assert set(copies) == {value}
    assert weakref.ref(value)() is value


def test_a_part_of_a_value_is_replaced() -> None:
    """As `copy.replace` of Python 3.13 does."""
    assert ADDRESS.__replace__(rest=3) == fdaa.Address("fdaa:2:45b::3")
    assert NETWORK_ID.__replace__(low=0x45C) == fdaa.NetworkID("2:45c")
    assert PREFIX.__replace__(length=80) == fdaa.Prefix("fdaa:2:45b:a7b::/80")
    with pytest.raises(fdaa.PrefixError):
        PREFIX.__replace__(length=48)


def test_a_value_is_taken_apart_by_position_and_by_name() -> None:
    match ADDRESS, PREFIX:
        case fdaa.Address(fdaa.NetworkID(high=0x2, low=low), rest), fdaa.Prefix(_, 64):
            assert (low, rest) == (0x45B, ADDRESS.rest)
        case _:
            raise AssertionError
